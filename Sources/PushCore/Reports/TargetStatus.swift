/// The outcome for one target.
public enum TargetStatus: Sendable, Hashable {
    /// The vendor accepted the message for this target.
    case accepted
    /// A duplicate of the target at this position; the client sends to it once.
    case duplicate(of: Int)
    /// The vendor does not know the target, or the target breaks the vendor's rules. Do not use it again.
    case invalid
    /// Refused by the vendor or before it; nothing was done. `mayRetry` says whether a later attempt can succeed.
    case rejected(mayRetry: Bool)
    /// Never sent.
    case notAttempted
    /// The response was lost; the message may have been delivered.
    case unknown

    /// Whether the target appears earlier in the same list.
    public var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    /// Whether sending again can succeed and cannot deliver twice.
    public var isRetryable: Bool {
        switch self {
        case .notAttempted, .rejected(mayRetry: true): true
        default: false
        }
    }
}
