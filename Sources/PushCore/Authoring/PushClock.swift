public import FoundationEssentials

/// The time that the library lives by: a real one in production, a virtual one in tests.
public protocol PushClock: Sendable {
    /// Time since a moment that never changes; for deadlines.
    var elapsed: Duration { get }
    /// The date; for signatures and headers.
    var date: Date { get }
    /// Returns after the time, or throws at once when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
    /// The same for one who waits for something else and gives up after the time. Where a sleep moves a virtual clock,
    /// this does not: it returns when something else has.
    func expire(after duration: Duration) async throws(CancellationError)
}

extension Duration {
    /// In seconds, for messages and wire values.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
