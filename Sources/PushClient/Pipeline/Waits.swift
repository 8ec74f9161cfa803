public import FoundationEssentials
public import PushAdapter

/// A call that is waiting.
public struct WaitingCall: Sendable, Hashable {
    /// The feature that the call uses.
    public var operation: Feature
    /// The reason of the wait.
    public var cause: PushEvent.Wait
    /// When it resumes.
    public var until: Date
}

/// Tracks which calls of a client are waiting.
final class Waits: Sendable {
    private let calls = Locked<[Int: WaitingCall]>([:])
    private let lastNumber = Locked(0)
    private let clock: any PushClock

    init(clock: any PushClock) { self.clock = clock }

    var current: [WaitingCall] { calls.withLock { $0.values.sorted { $0.until < $1.until } } }

    /// Waits within a call's deadline, or throws like it with nothing applied.
    func wait(
        _ time: Duration, for cause: PushEvent.Wait, isKnown: Bool, _ operation: Feature, within deadline: Deadline
    ) async throws(PushError) {
        let number = lastNumber.withLock { number in
            number += 1
            return number
        }
        let until = clock.date.addingTimeInterval(time.seconds)
        calls.withLock { $0[number] = WaitingCall(operation: operation, cause: cause, until: until) }
        defer { calls.withLock { $0[number] = nil } }
        try await deadline.wait(time, isKnown: isKnown)
    }
}
