/// The status of one target, with its position in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// The position in the caller's list, from 0.
    public var position: Int
    /// Who the message was for.
    public var target: Target
    /// The outcome for this target.
    public var status: TargetStatus

    /// The status of the target at this position of the caller's list, from 0.
    public init(position: Int, target: Target, status: TargetStatus) {
        self.position = position
        self.target = target
        self.status = status
    }
}
