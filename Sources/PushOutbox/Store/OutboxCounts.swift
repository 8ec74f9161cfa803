/// The slices by state and targets by outcome of a campaign.
public struct OutboxCounts: Sendable, Hashable {
    /// Slices by state.
    public var slices: [SliceRow.State: Int] = [:]
    /// Targets by outcome, without the flags.
    public var targets: [SliceRow.Outcome: Int] = [:]
    /// Targets that were sent to again after an unknown outcome.
    public var resent = 0

    /// Empty counts.
    public init() {}

    /// Adds a slice.
    public mutating func add(_ slice: SliceRow) {
        slices[slice.state, default: 0] += 1
        targets.merge(slice.counts) { $0 + $1 }
        resent += slice.resent
    }
}
