public import FoundationEssentials

/// The library's clock: real in production, virtual in tests.
public protocol PushClock: Sendable {
    /// The time since a fixed moment; for deadlines.
    var elapsed: Duration { get }
    /// The current date; for signatures and headers.
    var date: Date { get }
    /// Returns after the duration, or throws at once when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
    /// Like `sleep`, but for the timeout of another wait. Where a sleep advances a virtual clock, this does not: it
    /// returns when something else has advanced the clock.
    func expire(after duration: Duration) async throws(CancellationError)
}

extension Duration {
    /// In seconds, for messages and wire values.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration, clamped between zero and ten years. Every time from outside passes through it once: no wait is
    /// longer, and a sum of longer times could overflow.
    package var bounded: Duration { max(.zero, min(self, .seconds(315_360_000))) }
}
