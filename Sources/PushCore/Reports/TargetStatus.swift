public import FoundationEssentials

/// The outcome for one target.
public enum TargetStatus: Sendable, Hashable {
    /// The vendor accepted the message for this target.
    case accepted
    /// A duplicate of the target at this position; the client sends to it once.
    case duplicate(of: Int)
    /// The vendor says that it does not know the target, or does not accept it. Do not use it again. If the vendor
    /// gives the date since when, a target that registered again later is good.
    case invalid(since: Date? = nil)
    /// The client did not send to it, because its form breaks a rule that the vendor documents: a length, the
    /// characters, an account's format. The vendor never saw it, so check the source of the text before you remove
    /// anything. The reason names the rule and never the text.
    case malformed(reason: String)
    /// The vendor refused it because it does not fit, for example because it belongs to another project or environment.
    /// It may be good elsewhere: check your configuration before you remove it.
    case suspect
    /// Refused by the vendor or before it; nothing was done. `mayRetry` says whether a later attempt can succeed.
    case rejected(mayRetry: Bool)
    /// Never sent.
    case notAttempted
    /// The response was lost; the message may have been delivered.
    case unknown

    /// Whether the vendor says that it does not know the target, or does not accept it.
    public var isInvalid: Bool { if case .invalid = self { true } else { false } }
    /// Whether the client did not send to it because of its form.
    public var isMalformed: Bool { if case .malformed = self { true } else { false } }
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

extension [String: TargetStatus] {
    /// The targets with these texts, as invalid: for vendors that list the targets that they do not accept.
    public static func invalid(_ texts: [String]) -> Self {
        Dictionary(texts.map { ($0, .invalid()) }, uniquingKeysWith: { first, _ in first })
    }
}
