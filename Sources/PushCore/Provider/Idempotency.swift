/// What a repetition of a request does.
public enum Idempotency: Sendable, Hashable {
    /// The same as once: reads, and writes of a state.
    case idempotent
    /// Nothing, as long as the vendor remembers the key.
    case keyed(IdempotencyKey)
    /// It acts again: never repeated while the outcome of the first try is unknown.
    case unkeyed

    /// Whether a repetition after an unknown outcome is harmless.
    public var isRepeatable: Bool { self != .unkeyed }
}
