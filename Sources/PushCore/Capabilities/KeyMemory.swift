/// A request that can carry an idempotency key.
public enum KeyedRequest: String, Sendable, Hashable {
    /// Sends a message at once.
    case push
    /// Creates a schedule.
    case schedule
}

/// How long a vendor remembers a key, and where it says so.
public struct KeyMemory: Sendable, Hashable {
    /// The time from the first request that succeeded with the key.
    public var duration: Duration
    /// The page or document that states it, and its date.
    public var source: String

    /// A time, and the page or document that states it.
    public init(_ duration: Duration, source: String) {
        self.duration = duration
        self.source = source
    }
}
