import FoundationEssentials
import PushCore

/// A clock whose date can be set, and whose time may run faster, so that nobody waits for the pauses of an outbox.
final class SetClock: PushClock {
    private let base: SystemClock
    private let offset: Locked<TimeInterval>
    private let pace: Double
    private let speed: Int

    /// - Parameters:
    ///   - offset: seconds by which its date is ahead.
    ///   - pace: how much faster its date runs.
    init(ahead offset: TimeInterval = 0, pace: Double = 1) {
        base = SystemClock()
        self.offset = Locked(offset)
        self.pace = pace
        speed = 1
    }

    /// The same date; times run faster.
    init(following other: SetClock, speed: Int) {
        (base, offset, pace) = (other.base, other.offset, other.pace)
        self.speed = speed
    }

    func jump(_ seconds: TimeInterval) { offset.withLock { $0 += seconds } }

    var elapsed: Duration { base.elapsed * speed }
    var date: Date {
        base.date.addingTimeInterval(offset.withLock { $0 } + base.elapsed / .seconds(1) * (pace - 1))
    }
    func sleep(for duration: Duration) async throws(CancellationError) {
        try await base.sleep(for: duration.bounded / speed)
    }
    func expire(after duration: Duration) async throws(CancellationError) {
        try await base.expire(after: duration.bounded / speed)
    }
}
