/// What became of one target.
public enum TargetStatus: Sendable, Hashable {
    /// The vendor took the message for this target.
    case accepted
    /// Given before, at this position; sent once.
    case duplicate(of: Int)
    /// The vendor does not know the target, or it breaks the vendor's rules: do not use it again.
    case invalid
    /// Refused, by the vendor or before it; nothing was done. `mayRetry` says whether a later try can succeed.
    case rejected(mayRetry: Bool)
    /// Never sent.
    case notAttempted
    /// The answer was lost: it may have been delivered.
    case unknown

    /// Whether the caller gave it before in the same list.
    public var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    /// Whether sending again cannot deliver twice and can succeed.
    public var isRetryable: Bool {
        switch self {
        case .notAttempted, .rejected(mayRetry: true): true
        default: false
        }
    }
}
