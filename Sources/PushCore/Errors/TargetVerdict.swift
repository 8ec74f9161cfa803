public import FoundationEssentials

/// A vendor's verdict on the one target of a request that it refused, or on the device of a receipt.
public enum TargetVerdict: Sendable, Hashable {
    /// The target is gone for good, since this date at the latest if the vendor gives one.
    case dead(since: Date? = nil)
    /// The target does not fit, for example because it belongs to another project: it may be good elsewhere.
    case suspect
    /// The refusal concerns this target and says nothing against it; others may be accepted.
    case isolated
}

extension TargetVerdict {
    /// The status of the target by the verdict; nil if the verdict says nothing against it.
    package var status: TargetStatus? {
        switch self {
        case .dead(let date): .invalid(since: date)
        case .suspect: .suspect
        case .isolated: nil
        }
    }
}
