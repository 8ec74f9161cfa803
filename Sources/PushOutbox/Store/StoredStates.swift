// States in SQL, by their names. An engine uses an index over some states only if the condition repeats the index's own; that
// is why some conditions say more than they need.

package enum SliceSQL {
    package static let ready = SliceRow.State.ready.rawValue
    package static let leased = SliceRow.State.leased.rawValue
    package static let done = SliceRow.State.done.rawValue

    /// The condition of the index `outbox_slice_quarantined`: few slices have a worker, or are quarantined.
    private static func isIndexed(_ row: String) -> String { "\(row)state IN (1, 2, 4)" }

    /// - Parameter row: the row's name in the statement, with its dot.
    package static func isQuarantined(_ row: String = "") -> String {
        "\(isIndexed(row)) AND \(row)state = \(SliceRow.State.quarantined.rawValue)"
    }

    package static func hasWorker(_ row: String = "") -> String {
        "\(isIndexed(row)) AND \(row)state <> \(SliceRow.State.quarantined.rawValue)"
    }
}

package enum CampaignSQL {
    package static let loading = Campaign.State.loading.rawValue
    package static let active = Campaign.State.active.rawValue
    package static let paused = Campaign.State.paused.rawValue
    package static let submitted = Campaign.State.submitted.rawValue
    package static let removed = Campaign.State.removed.rawValue

    /// Active or paused: the condition of the index `outbox_campaign_expiry`.
    package static let isBegun = "state IN (1, 2)"
    /// Not ended: the condition of the index `outbox_campaign_reason`.
    package static let isLive = "state IN (0, 1, 2, 8)"
}
