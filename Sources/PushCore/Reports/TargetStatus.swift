public import FoundationEssentials

/// The outcome for one target.
public enum TargetStatus: Sendable, Hashable {
    /// The vendor accepted the message for this target.
    case accepted
    /// A duplicate of the target at this position; the client sends to it once.
    case duplicate(of: Int)
    /// The vendor does not know the target, or the target breaks the vendor's rules. Do not use it again. With the date
    /// since when, where the vendor says one: a target that registered again later is good.
    case invalid(since: Date? = nil)
    /// The vendor refused it as one that does not fit, for example of another project or environment. It may be good
    /// elsewhere: look at your configuration before you remove it.
    case suspect
    /// Refused by the vendor or before it; nothing was done. `mayRetry` says whether a later attempt can succeed.
    case rejected(mayRetry: Bool)
    /// Never sent.
    case notAttempted
    /// The response was lost; the message may have been delivered.
    case unknown

    /// Whether the vendor does not know the target, or the target breaks the vendor's rules.
    public var isInvalid: Bool { if case .invalid = self { true } else { false } }
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
