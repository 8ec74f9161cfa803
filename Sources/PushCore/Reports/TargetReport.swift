/// The status of one target, with its position in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// The position in the caller's list, from 0.
    public var position: Int
    /// Who the message was for.
    public var target: Target
    /// The outcome for this target.
    public var status: TargetStatus
    /// Whether the vendor said so of this target; false where it follows from the outcome of a request for several, or
    /// from a rule that is checked before anything is sent.
    public var isSaidByVendor = false

    /// The status of the target at this position of the caller's list, from 0.
    public init(position: Int, target: Target, status: TargetStatus) {
        self.position = position
        self.target = target
        self.status = status
    }
}

extension [TargetReport] {
    /// The same, as said by the vendor.
    package var saidByVendor: [TargetReport] {
        map { report in
            var report = report
            report.isSaidByVendor = true
            return report
        }
    }
}
