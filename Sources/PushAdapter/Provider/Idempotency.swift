/// The effect of a retry of a request.
public enum Idempotency: Sendable, Hashable {
    /// The same effect as one request: reads, and writes that set a state.
    case idempotent
    /// No effect, as long as the vendor remembers the key.
    case keyed(IdempotencyKey)
    /// A second effect, so the client never retries while the outcome of the first attempt is unknown.
    case unkeyed

    /// Whether a retry after an unknown outcome is harmless.
    public var isRepeatable: Bool { self != .unkeyed }

    /// Whether a retry is harmless because of a key.
    package var isKeyed: Bool { if case .keyed = self { true } else { false } }
}
