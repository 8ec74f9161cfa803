public import FoundationEssentials

/// A change of one slice, made only if the row is as expected.
public struct SliceChange: Sendable {
    /// The change of the packed targets.
    public enum Targets: Sendable {
        /// Keeps them.
        case keep
        /// Keeps only these: the targets that the report names.
        case replace([UInt8])
    }

    /// The row after the change. The stored row must have the same `epoch`.
    public var slice: SliceRow
    /// The states that the stored row may be in.
    public var from: Set<SliceRow.State>
    /// The owner that the stored row must have; nil for any.
    public var owner: Int64?
    /// The row that the change is made from; nil for any. The stored row must still have its mark and its outcomes,
    /// because a worker that was taken for dead may go on meanwhile.
    public var seen: SliceRow?
    /// The store refuses the change unless campaign and part are active at this date.
    public var ifActive: Date?
    /// The change of the packed targets.
    public var targets = Targets.keep
    /// New slices of the campaign with their packed targets, added in the same transaction. Each gets the next number
    /// of its part.
    public var adds: [(slice: SliceRow, targets: [UInt8])] = []
    /// A reason to pause the slice's part in the same transaction.
    public var pausesPart: String?
    /// A moment until which nothing of the part is leased, set in the same transaction.
    public var delaysPart: Date?
    /// When the dates of `slice.notBefore` and `delaysPart` were derived from this process's clock; nil if the change
    /// keeps dates as the store has them.
    var datedAt: Moment?

    /// A change to this row, which must be in one of these states.
    public init(_ slice: SliceRow, from: Set<SliceRow.State>, owner: Int64? = nil) {
        (self.slice, self.from, self.owner) = (slice, from, owner)
    }
}

extension SliceChange {
    /// The change on the clock as it is now. A store converts the dates when it writes them, which may be long after they
    /// were derived.
    func redated(at now: Moment) -> SliceChange {
        guard let datedAt, now.isAfterSetting(since: datedAt) else { return self }
        var change = self
        change.slice.notBefore = now.moved(slice.notBefore, from: datedAt)
        change.delaysPart = delaysPart.map { now.moved($0, from: datedAt) }
        return change
    }
}
