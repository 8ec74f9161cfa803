import FoundationEssentials
import PushAdapter

/// A clock with a settable date. Its time may run faster, so that no round waits for the pauses of an outbox.
final class SetClock: PushClock {
    private let base: SystemClock
    private let offset: Locked<TimeInterval>
    private let pace: Double
    private let speed: Int
    /// The time since which its date runs faster.
    private let start: Duration

    /// When this process first created such a clock.
    static let begin = SystemClock().elapsed

    /// - Parameters:
    ///   - offset: how far its date is ahead, in seconds.
    ///   - pace: how much faster its date runs.
    ///   - start: the time since which it runs faster; the same in all processes that share an outbox.
    init(ahead offset: TimeInterval = 0, pace: Double = 1, since start: Duration = SetClock.begin) {
        base = SystemClock()
        self.start = start
        self.offset = Locked(offset)
        self.pace = pace
        speed = 1
    }

    /// Creates a clock with the same date whose times run faster.
    init(following other: SetClock, speed: Int) {
        (base, offset, pace, start) = (other.base, other.offset, other.pace, other.start)
        self.speed = speed
    }

    func jump(_ seconds: TimeInterval) { offset.withLock { $0 += seconds } }

    var elapsed: Duration { base.elapsed * speed }
    var date: Date {
        base.date.addingTimeInterval(offset.withLock { $0 } + (base.elapsed - start) / .seconds(1) * (pace - 1))
    }
    func sleep(for duration: Duration) async throws(CancellationError) {
        try await base.sleep(for: duration.bounded / speed)
    }
    func expire(after duration: Duration) async throws(CancellationError) {
        try await base.expire(after: duration.bounded / speed)
    }
}
