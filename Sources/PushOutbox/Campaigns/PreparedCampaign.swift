public import PushAdapter

/// A campaign that was checked and cut into slices, and is kept nowhere yet.
///
/// ```swift
/// let shipped = try await outbox.prepare(message, to: [.audience(.devices([phone]), at: "jpush")], as: "order-4711-shipped")
/// try await database.write { db in
///     try Order.ship(4711, in: db)
///     try store.enqueue(shipped, in: db)
/// }
/// ```
public struct PreparedCampaign: Sendable {
    /// The campaign, `active`; a store gives it its number.
    public let campaign: Campaign
    /// Its slices, with their packed targets. Their campaign's number is 0.
    public let slices: [(slice: SliceRow, targets: [UInt8])]

    package init(campaign: Campaign, slices: [(slice: SliceRow, targets: [UInt8])]) {
        (self.campaign, self.slices) = (campaign, slices)
    }

    /// Refuses unless another campaign of its name is the same one: with `invalidState` while that is loading, with
    /// `invalidArgument` if its message, its options or its routes differ.
    public func check(isLike kept: Campaign) throws(PushError) { try campaign.check(isLike: kept) }
}

extension Campaign {
    func check(isLike kept: Campaign) throws(PushError) {
        let name = Redaction.quoted(name.rawValue)
        guard kept.state != .loading else {
            throw PushError(
                .invalidState, "the campaign \(name) is being enqueued by another call; wait for it", retry: .backoff)
        }
        guard kept.digest == digest else {
            throw PushError(
                .invalidArgument,
                "the name \(name) belongs to a campaign with another message, options or routes; take another name")
        }
    }
}
