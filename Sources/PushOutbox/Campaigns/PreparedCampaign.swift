public import PushAdapter

/// A campaign that is checked and cut into slices, but not stored yet.
///
/// ```swift
/// let shipped = try await outbox.prepare(message, to: [.audience(.devices([phone]), at: "jpush")], as: "order-4711-shipped")
/// try await database.write { db in
///     try Order.ship(4711, in: db)
///     try store.enqueue(shipped, in: db)
/// }
/// ```
public struct PreparedCampaign: Sendable {
    /// The campaign, `active`. The store assigns its number.
    public let campaign: Campaign
    /// Its slices with their packed targets. Until it is stored, their campaign number is 0.
    public let slices: [(slice: SliceRow, targets: [UInt8])]

    package init(campaign: Campaign, slices: [(slice: SliceRow, targets: [UInt8])]) {
        (self.campaign, self.slices) = (campaign, slices)
    }

    /// Checks that a stored campaign with the same name is this campaign. Refuses with `invalidState` while that one is
    /// loading, and with `invalidArgument` if its message, options or routes differ.
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
