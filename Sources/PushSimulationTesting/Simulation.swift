public import FoundationEssentials
public import PushAdapter
import PushSimulation

/// Runs real code on one thread, in virtual time, in an order that follows from a seed. The same seed gives the same
/// run.
///
/// ```swift
/// let run = try Simulation.run(seed: 42) { simulation in
///     let worker = simulation.process("worker") { process in try await serve(clock: process.clock) }
///     await simulation.sleep(.seconds(3))
///     worker.kill()
/// }
/// ```
///
/// All tasks and actors that the body starts take part. Times, sleeps and random numbers come from the simulation: give
/// its ``SimulatedProcess/clock`` and its ``random`` to clients and outboxes. `Task.sleep`, `Task.yield`, threads and
/// other executors leave the simulation, and a run that waits for them counts as stuck. The order of a `Set` or a
/// `Dictionary` is part of the run. Start the program with `SWIFT_DETERMINISTIC_HASHING=1`, because otherwise this
/// order differs in each process.
public final class Simulation: Sendable {
    /// The limits after which a run counts as endless.
    public struct Limits: Sendable {
        /// In virtual time.
        public var time: Duration = .seconds(30 * 24 * 3600)
        /// In jobs. A job is the part of a task between two suspensions.
        public var jobs = 5_000_000

        /// A month, and five million jobs.
        public init() {}
    }

    /// A run that ended.
    public struct Run<Value: Sendable>: Sendable {
        /// The result of the body.
        public let value: Value
        /// The story: lines with the time.
        public let story: [String]
        /// A digest of all choices. Two runs with the same digest were the same.
        public let trace: UInt64
        /// The number of jobs that ran.
        public let jobs: Int
        /// The virtual time that passed.
        public let time: Duration
    }

    /// A run that did not end properly.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason, for people.
        public let reason: String
        /// The story until the failure.
        public let story: [String]
        public var description: String { reason }
    }

    /// The date at which each run starts.
    public static let start = Date(timeIntervalSince1970: 1_790_000_000)

    /// The seed of the run.
    public let seed: UInt64
    let scheduler: Scheduler
    private let numbers: Locked<SplitMix>
    private let told = Locked<[String]>([])
    private let lastProcess = Locked(0)
    private let kept = Locked<[any Sendable]>([])

    private init(seed: UInt64, _ scheduler: Scheduler) {
        (self.seed, self.scheduler) = (seed, scheduler)
        numbers = Locked(SplitMix(seed: seed &+ 0x5EED))
    }

    /// Runs a body and everything that it starts on the caller's thread, which blocks meanwhile.
    ///
    /// A program has one run at a time: a second one waits. Fails if the body throws, or if all tasks wait for
    /// something that never comes. Also fails if the run exceeds the limits or leaves the simulation.
    /// - Parameters:
    ///   - seed: chooses the order of jobs and all random numbers.
    ///   - strategy: how the seed chooses the order; nil lets the seed choose the strategy too.
    ///   - limits: the limits of the run.
    ///   - body: the code to run. Processes still running when it returns are cut off.
    public static func run<Value: Sendable>(
        seed: UInt64, strategy: Strategy? = nil, limits: Limits = Limits(),
        _ body: @escaping @Sendable (Simulation) async throws -> Value
    ) throws(Failure) -> Run<Value> {
        guard SchedulerHook.isInstalled else {
            throw Failure(
                reason: "this runtime of Swift has no hook for a scheduler; simulations need Linux", story: [])
        }
        let all = Strategy.allCases
        let scheduler = Scheduler(seed: seed, strategy: strategy ?? all[Int(seed % UInt64(all.count))])
        if Scheduler.current?.isHere == true {
            throw Failure(reason: "a simulation cannot run in another one", story: [])
        }
        scheduler.begin()
        defer { scheduler.end() }
        let simulation = Simulation(seed: seed, scheduler)
        let result = Locked<Result<Value, any Error>?>(nil)
        Task {
            do {
                let value = try await SimulatorRandom.$source.withValue(simulation.random) {
                    try await body(simulation)
                }
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        func failure(_ reason: String) -> Failure { Failure(reason: reason, story: simulation.story) }
        do throws(Scheduler.Stop) {
            try scheduler.run(jobs: limits.jobs, within: limits.time) { result.withLock { $0 != nil } }
        } catch {
            switch error {
            case .stuck:
                throw failure(
                    "everything waits, and nothing will come; Task.sleep, Task.yield and other executors leave the simulation"
                )
            case .endless: throw failure("it does not end: \(scheduler.jobs) jobs in \(scheduler.now)")
            }
        }
        guard scheduler.breaches.isEmpty else {
            throw failure("it leaves the simulation: " + scheduler.breaches.joined(separator: "\n"))
        }
        switch result.withLock({ $0 }) {
        case .success(let value)?:
            return Run(
                value: value, story: simulation.story, trace: scheduler.trace, jobs: scheduler.jobs,
                time: scheduler.now)
        case .failure(let error)?: throw failure("\(error)")
        case nil: throw failure("it ended before its end")
        }
    }

    // MARK: For the body

    /// The clock of the world, as vendors and observers see it.
    public var clock: SimulatedClock { SimulatedClock(scheduler, process: 0) }

    /// Random numbers that follow from the seed.
    public var random: RandomSource { RandomSource { [numbers] in numbers.withLock { $0.next() } } }

    /// Starts a process with its own clock; see ``SimulatedProcess``.
    /// - Parameters:
    ///   - name: its name in the story.
    ///   - skew: how far its date is ahead of the world's.
    ///   - body: the code of the process. The story records an error that it throws.
    @discardableResult
    public func process(
        _ name: String, skew: Duration = .zero, _ body: @escaping @Sendable (SimulatedProcess) async throws -> Void
    ) -> SimulatedProcess {
        let number = lastProcess.withLock { last in
            last += 1
            return last
        }
        let process = SimulatedProcess(self, number, name, skew: skew)
        process.start(body)
        return process
    }

    /// Lets virtual time pass.
    public func sleep(_ duration: Duration) async { await scheduler.sleep(until: scheduler.now + duration) }

    /// Adds a line to the story.
    public func tell(_ text: @autoclosure () -> String) {
        let line = "\(scheduler.now.clockTime) \(text())"
        told.withLock { $0.append(line) }
    }

    /// The story so far.
    public var story: [String] { told.withLock { $0 } }

    /// Calls the outside world, such as a database in a file. The call takes no virtual time, and nothing else happens
    /// meanwhile.
    public func outside<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        try await scheduler.outside(body)
    }

    /// Keeps something real until the run has ended, such as an open database. Its last reference might go at any moment
    /// of the run otherwise, and then it may wait for threads, or start one.
    public func keep(_ value: some Sendable) { kept.withLock { $0.append(value) } }
}

extension Duration {
    /// Days, hours, minutes, seconds and milliseconds since the start.
    fileprivate var clockTime: String {
        let (seconds, milliseconds) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
        let day = seconds >= 86_400 ? "\(seconds / 86_400)d " : ""
        let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { String($0).padded(to: 2) }
        return day + parts.joined(separator: ":") + "." + String(milliseconds).padded(to: 3)
    }
}
