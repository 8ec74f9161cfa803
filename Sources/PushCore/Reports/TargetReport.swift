/// The status of one target, with its place in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// From 0, in the caller's list.
    public var position: Int
    /// Who the message was for.
    public var target: Target
    /// What became of it.
    public var status: TargetStatus

    /// The status of the target at this place of the caller's list, from 0.
    public init(position: Int, target: Target, status: TargetStatus) {
        self.position = position
        self.target = target
        self.status = status
    }
}
