/// The effect of a retry of a request.
public enum Idempotency: Sendable, Hashable {
    /// The same effect as one request: reads, and writes that set a state.
    case idempotent
    /// The effect that the key's grade says, as long as the vendor remembers the key; none for the grade `vendor`.
    case keyed(IdempotencyKey)
    /// A second effect, so the client never retries while the outcome of the first attempt is unknown.
    case unkeyed

    /// Whether a request may be repeated after an unknown outcome, for a caller who accepts keys of these grades.
    public func isRepeatable(accepting grades: Set<KeyMemory.Grade>) -> Bool {
        switch self {
        case .idempotent: true
        case .keyed(let key): grades.contains(key.grade)
        case .unkeyed: false
        }
    }
}
