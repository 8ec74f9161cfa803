/// What a retry of a request does.
public enum Idempotency: Sendable, Hashable {
    /// The same as one request: reads, and writes that set a state.
    case idempotent
    /// Nothing, as long as the vendor remembers the key.
    case keyed(IdempotencyKey)
    /// It acts again, so the client never retries while the outcome of the first attempt is unknown.
    case unkeyed

    /// Whether a retry after an unknown outcome is harmless.
    public var isRepeatable: Bool { self != .unkeyed }

    /// Whether it is so because of a key.
    package var isKeyed: Bool { if case .keyed = self { true } else { false } }
}
