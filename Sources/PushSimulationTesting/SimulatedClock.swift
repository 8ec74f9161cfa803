public import FoundationEssentials
public import PushAdapter

/// The clocks of a simulated process: one that only moves forward, and a date that can be set.
public struct SimulatedClock: PushClock {
    private let scheduler: Scheduler
    private let process: Int
    private let lead: Locked<Duration>

    init(_ scheduler: Scheduler, process: Int, ahead lead: Duration = .zero) {
        (self.scheduler, self.process, self.lead) = (scheduler, process, Locked(lead))
    }

    /// The time since the machine's boot, which was an hour before the run.
    public var elapsed: Duration { scheduler.now + Self.startOfRun }
    private static let startOfRun = Duration.seconds(3600)

    /// The world's date at a time since the machine's boot.
    public static func date(at elapsed: Duration) -> Date {
        Simulation.start.addingTimeInterval((elapsed - startOfRun).seconds)
    }

    /// The date on this process's clock.
    public var date: Date { Simulation.start.addingTimeInterval((scheduler.now + ahead).seconds) }

    /// How far this process's date is ahead of the world's.
    public var ahead: Duration { lead.withLock { $0 } }

    /// Sets the date forward or back.
    public func set(ahead duration: Duration) { lead.withLock { $0 = duration } }

    public func sleep(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        await scheduler.sleep(until: scheduler.now + duration.bounded)
        if Task.isCancelled { throw CancellationError() }
    }

    public func expire(after duration: Duration) async throws(CancellationError) { try await sleep(for: duration) }
}
