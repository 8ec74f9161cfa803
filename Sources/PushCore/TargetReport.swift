/// The status of one target, with its place in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// From 0, in the caller's list.
    public var position: Int
    public var target: Target
    public var status: TargetStatus

    public init(position: Int, target: Target, status: TargetStatus) {
        self.position = position
        self.target = target
        self.status = status
    }
}
