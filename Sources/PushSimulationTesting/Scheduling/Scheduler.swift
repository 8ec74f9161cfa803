import Glibc
import PushAdapter
import PushSimulation

/// Runs all jobs of Swift's concurrency on one thread, in an order that follows from a seed, and in virtual time.
///
/// `@unchecked`: only the thread of the run touches the state, except the state behind a lock.
package final class Scheduler: TaskExecutor, @unchecked Sendable {
    /// A job that can run.
    fileprivate struct Ready {
        let job: UnownedJob
        let task: Owner
    }

    /// A task or an actor's queue.
    fileprivate struct Owner {
        /// The task's number in this run. 0 for an actor's queue, which may hold jobs of several processes and so
        /// belongs to none.
        let number: UInt64
        let process: Int

        static let none = Owner(number: 0, process: 0)
    }

    /// A waiting job and its moment.
    private struct Alarm: Comparable {
        let moment: Duration
        /// The order of alarms at the same moment.
        let number: Int
        let process: Int

        static func < (left: Alarm, right: Alarm) -> Bool { (left.moment, left.number) < (right.moment, right.number) }
    }

    /// State that other threads also use.
    fileprivate struct Shared {
        /// The owners, by the runtime's task numbers.
        var owners: [UInt64: Owner] = [:]
        /// Jobs that other threads made ready.
        var fromElsewhere: [Ready] = []
    }

    /// The current run of this program. There is only one at a time, and any thread may ask for it.
    private static let running = Locked<Scheduler?>(nil)
    package static var current: Scheduler? { running.withLock { $0 } }

    /// The current run holds it.
    private static let turn = Semaphore(1)

    /// Makes this the program's run. Waits until earlier runs have ended.
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
    private var bytes: SplitMix
    private var ready: [Ready] = []
    private var parked: [Int: [Ready]] = [:]
    private var alarms = Heap<Alarm>()
    private var wakers: [Int: UnsafeContinuation<Void, Never>] = [:]
    private var lastNumber = 0
    private var order: OrderOfJobs
    /// The number of running calls to the outside world. Meanwhile no other job runs.
    private var callsOutside = 0

    /// The time since the start of the run.
    package private(set) var now = Duration.zero
    /// The process of the running job; 0 for the world itself.
    package private(set) var process = 0
    private var dead: Set<Int> = []
    private var paused: Set<Int> = []
    private var gates: [Int: [UnsafeContinuation<Void, Never>]] = [:]
    /// The number of jobs that have run.
    package private(set) var jobs = 0
    /// A digest of all choices, and of OpenSSL's random numbers. Two runs with the same digest were the same.
    package private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Rules that the run broke.
    package private(set) var breaches: [String] = []

    package init(seed: UInt64, strategy: Strategy) {
        random = SplitMix(seed: seed)
        bytes = SplitMix(seed: seed &+ 0xB17E5)
        order = OrderOfJobs(strategy, seed: seed)
    }

    // MARK: The run

    /// The reasons why a run cannot continue.
    package enum Stop: Error, Hashable {
        /// Nothing can run, and nothing waits for a time.
        case stuck
        /// The run exceeds its limit of virtual time or jobs.
        case endless
    }

    /// Runs jobs until `isOver`, then runs all jobs that need no virtual time.
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

    private func mix(_ choice: UInt64) { trace = (trace ^ choice) &* 0x100_0000_01B3 }

    private func runOne() {
        // The continuation of an outside call runs before all other jobs, as if the call took no time.
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
        mix(one.task.number &* 31 &+ UInt64(one.task.process))
        mix(UInt64(truncatingIfNeeded: now.components.attoseconds))
        attribute(to: one.task.process) { one.job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Assigns the tasks that become ready inside `body` to a process, except tasks that already have one.
    package func attribute<Value>(to process: Int, _ body: () -> Value) -> Value {
        let before = self.process
        self.process = process
        defer { self.process = before }
        return body()
    }

    // MARK: Jobs

    package func enqueue(_ job: consuming ExecutorJob) { _ = take(UnownedJob(job)) }

    /// Takes a job that became ready; false if it belongs to another run.
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
    /// Whether a call to the outside world runs, where time and threads are real.
    package var isOutside: Bool { callsOutside > 0 }

    /// Records a broken rule.
    package func breach(_ what: String) { if breaches.count < 20 { breaches.append(what) } }

    /// Fills bytes with random numbers of their own, so that the order of jobs does not depend on how many are drawn.
    package func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        for index in buffer.indices {
            buffer[index] = .random(in: 0...255, using: &bytes)
            mix(UInt64(buffer[index]))
        }
    }

    // MARK: Time

    /// Waits until a moment. Returns at once if the task is cancelled.
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

    /// Whether a process has not been killed.
    package func isAlive(_ process: Int) -> Bool { !dead.contains(process) }

    /// Kills a process between two jobs. None of its jobs runs any more.
    package func kill(_ process: Int) {
        dead.insert(process)
        ready.removeAll { $0.task.process == process }
        parked[process] = nil
    }

    /// Holds back all jobs of a process until `resume`.
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

    /// The border of a process. A paused process waits here, and a killed one never returns.
    package func pass(_ process: Int) async {
        while paused.contains(process) || dead.contains(process) {
            await withUnsafeContinuation { gate in
                if isAlive(process) { gates[process, default: []].append(gate) }
            }
        }
    }

    // MARK: Outside

    /// Calls the outside world, such as a file. The call takes no virtual time, and no other job runs meanwhile.
    package func outside<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        // Holds back ready jobs until the call returns.
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
