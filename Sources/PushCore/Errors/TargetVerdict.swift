public import FoundationEssentials

/// What a vendor's refusal says about the one target of a request.
public enum TargetVerdict: Sendable, Hashable {
    /// The target is gone for good, at the latest since this date, where the vendor says one.
    case dead(since: Date? = nil)
    /// The target does not fit, for example because it belongs to another project: it may be good elsewhere.
    case suspect
    /// The refusal concerns this target and says nothing against it; others may be accepted.
    case isolated
}
