import Glibc
import PushAdapter
import PushSimulation

/// Runs all jobs of Swift's concurrency on one thread, in an order that follows from a seed, and in virtual time.
///
/// `@unchecked`: everything is touched by the thread of the run alone, but for what is behind a lock.
package final class Scheduler: TaskExecutor, @unchecked Sendable {
    /// A job that can run.
    fileprivate struct Ready {
        let job: UnownedJob
        let task: Owner
    }

    /// A task, or the queue of an actor.
    fileprivate struct Owner {
        /// Counted in this run; 0 for the queue of an actor, which belongs to no process, because it may hold jobs of several processes.
        let number: UInt64
        let process: Int

        static let none = Owner(number: 0, process: 0)
    }

    /// A job that waits for a moment.
    private struct Alarm: Comparable {
        let moment: Duration
        /// The order of those at one moment.
        let number: Int
        let process: Int

        static func < (left: Alarm, right: Alarm) -> Bool { (left.moment, left.number) < (right.moment, right.number) }
    }

    /// What other threads see.
    fileprivate struct Shared {
        /// By the runtime's numbers.
        var owners: [UInt64: Owner] = [:]
        /// What other threads made ready.
        var fromElsewhere: [Ready] = []
    }

    /// The run of this program; one at a time. Any thread may ask.
    private static let running = Locked<Scheduler?>(nil)
    package static var current: Scheduler? { running.withLock { $0 } }

    /// Held by the one that runs.
    private static let turn = Semaphore(1)

    /// Makes this the run of the program, after those that others have begun.
    func begin() {
        Self.turn.wait()
        Self.running.withLock { $0 = self }
    }

    func end() {
        Self.running.withLock { $0 = nil }
        Self.turn.signal()
    }

    private let thread = pthread_self()
    private let shared = Locked(Shared())
    private let wakeUp = Semaphore(0)
    private var random: SplitMix
    private var ready: [Ready] = []
    private var parked: [Int: [Ready]] = [:]
    private var alarms = Heap<Alarm>()
    private var wakers: [Int: UnsafeContinuation<Void, Never>] = [:]
    private var lastNumber = 0
    private var order: OrderOfJobs
    /// How many calls of the outside world run, during which nothing else does.
    private var callsOutside = 0

    /// The time since the start of the run.
    package private(set) var now = Duration.zero
    /// The process whose job runs; 0 for the world itself.
    package private(set) var process = 0
    private var dead: Set<Int> = []
    private var paused: Set<Int> = []
    private var gates: [Int: [UnsafeContinuation<Void, Never>]] = [:]
    /// How many jobs ran.
    package private(set) var jobs = 0
    /// A digest of all that was chosen: two runs with the same one were the same.
    package private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325
    /// What must not happen in a run, and did.
    package private(set) var breaches: [String] = []

    package init(seed: UInt64, strategy: Strategy) {
        random = SplitMix(seed: seed)
        order = OrderOfJobs(strategy, seed: seed)
    }

    // MARK: The run

    /// Why a run cannot go on.
    package enum Stop: Error, Hashable {
        /// Nothing can run, and nothing waits for a time.
        case stuck
        /// It takes more virtual time, or more jobs, than it may.
        case endless
    }

    /// Runs jobs until `isOver`, and then what can run without waiting for a time.
    package func run(jobs most: Int, within longest: Duration, until isOver: () -> Bool) throws(Stop) {
        while true {
            takeFromElsewhere()
            if callsOutside > 0, ready.isEmpty {
                wakeUp.wait()
                continue
            }
            guard ready.isEmpty else {
                runOne()
                if jobs > most { throw .endless }
                continue
            }
            if isOver() { return }
            guard let moment = alarms.first?.moment else { throw .stuck }
            guard moment <= longest else { throw .endless }
            now = max(now, moment)
            while let alarm = alarms.first, alarm.moment <= now { ring(alarms.popFirst()) }
        }
    }

    private func ring(_ alarm: Alarm?) {
        guard let alarm, let waker = wakers.removeValue(forKey: alarm.number) else { return }
        attribute(to: alarm.process) { waker.resume() }
    }

    private func runOne() {
        // What an outside call continues with comes before all else, as if the call took no time.
        var index = ready.count - 1
        if callsOutside == 0 {
            index = order.next(ready.count, &random) {
                ready[$0].task.number
            } process: {
                ready[$0].task.process
            }
        }
        let one = ready.remove(at: index)
        jobs += 1
        trace = (trace ^ (one.task.number &* 31 &+ UInt64(one.task.process))) &* 0x100_0000_01B3
        trace = (trace ^ UInt64(truncatingIfNeeded: now.components.attoseconds)) &* 0x100_0000_01B3
        attribute(to: one.task.process) { one.job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// What becomes ready in here belongs to this process, unless its task is known already.
    package func attribute<Value>(to process: Int, _ body: () -> Value) -> Value {
        let before = self.process
        self.process = process
        defer { self.process = before }
        return body()
    }

    // MARK: Jobs

    package func enqueue(_ job: consuming ExecutorJob) { _ = take(UnownedJob(job)) }

    /// Takes a job that became ready; false for one of another run.
    package func take(_ job: UnownedJob) -> Bool {
        let number = SchedulerHook.task(of: job)
        guard isHere else {
            return shared.withLock { shared in
                guard let owner = shared.owners[number] else { return false }
                shared.fromElsewhere.append(Ready(job: job, task: owner))
                wakeUp.signal()
                return true
            }
        }
        let owner = SchedulerHook.isTask(job) ? shared.withLock { $0.owner(of: number, orNew: process) } : .none
        add(Ready(job: job, task: owner))
        return true
    }

    private func add(_ one: Ready) {
        let process = one.task.process
        if dead.contains(process) { return }
        if paused.contains(process) { parked[process, default: []].append(one) } else { ready.append(one) }
    }

    private func takeFromElsewhere() {
        guard callsOutside > 0 else { return }
        let jobs = shared.withLock { shared in
            defer { shared.fromElsewhere = [] }
            return shared.fromElsewhere
        }
        for job in jobs { add(job) }
    }

    /// Whether this is the thread of the run.
    package var isHere: Bool { pthread_equal(thread, pthread_self()) != 0 }
    /// Whether the outside world is asked, where time and threads are real.
    package var isOutside: Bool { callsOutside > 0 }

    /// Notes what must not happen in a run.
    package func breach(_ what: String) { if breaches.count < 20 { breaches.append(what) } }

    // MARK: Time

    /// Waits for a moment; returns at once when the task is cancelled.
    package func sleep(until moment: Duration) async {
        guard moment > now else { return }
        lastNumber += 1
        let number = lastNumber
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waker in
                if Task.isCancelled { return waker.resume() }
                wakers[number] = waker
                alarms.insert(Alarm(moment: moment, number: number, process: process))
            }
        } onCancel: {
            wakers.removeValue(forKey: number)?.resume()
        }
    }

    // MARK: Processes

    /// Whether a process goes on.
    package func isAlive(_ process: Int) -> Bool { !dead.contains(process) }

    /// Ends a process between two of its jobs: none of them runs any more.
    package func kill(_ process: Int) {
        dead.insert(process)
        ready.removeAll { $0.task.process == process }
        parked[process] = nil
    }

    /// Lets no job of a process run until `resume`.
    package func pause(_ process: Int) {
        guard isAlive(process) else { return }
        paused.insert(process)
        parked[process, default: []] += ready.filter { $0.task.process == process }
        ready.removeAll { $0.task.process == process }
    }

    package func resume(_ process: Int) {
        guard paused.remove(process) != nil else { return }
        ready += parked.removeValue(forKey: process) ?? []
        for gate in gates.removeValue(forKey: process) ?? [] { attribute(to: process) { gate.resume() } }
    }

    /// Where a process leaves its memory: one that is paused waits, one that ended never returns.
    package func pass(_ process: Int) async {
        while paused.contains(process) || dead.contains(process) {
            await withUnsafeContinuation { gate in
                if isAlive(process) { gates[process, default: []].append(gate) }
            }
        }
    }

    // MARK: Outside

    /// Asks the outside world, such as a file: to the run that takes no time, and nothing else happens meanwhile.
    package func outside<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        // What is ready waits until it is back.
        let waiting = ready
        ready = []
        callsOutside += 1
        defer {
            callsOutside -= 1
            ready = waiting + ready
        }
        return try await body()
    }
}

extension Scheduler.Shared {
    fileprivate mutating func owner(of task: UInt64, orNew process: Int) -> Scheduler.Owner {
        if let owner = owners[task] { return owner }
        let owner = Scheduler.Owner(number: UInt64(owners.count + 1), process: process)
        owners[task] = owner
        return owner
    }
}
