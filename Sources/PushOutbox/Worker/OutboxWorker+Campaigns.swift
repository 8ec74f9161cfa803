import FoundationEssentials
import PushAdapter
import PushClient

extension OutboxWorker {
    func campaigns(_ ids: Set<Int64>) async throws(PushError) -> [Int64: Campaign] {
        let now = moment
        var found = known.withLock { known in
            known.filter { ids.contains($0.key) && !now.isAfterSetting(since: $0.value.readAt) }.mapValues(\.campaign)
        }
        let missing = ids.subtracting(found.keys)
        guard !missing.isEmpty else { return found }
        for campaign in try await outbox.stored({ try await $0.campaigns(.numbered(missing)) }) {
            found[campaign.id] = campaign
        }
        known.withLock { [found] known in
            // The cache may hold campaigns that others have ended.
            if known.count + missing.count > Self.mostKnown { known = [:] }
            known.merge(found.mapValues { Known(campaign: $0, readAt: now) }) { old, new in
                now.isAfterSetting(since: old.readAt) ? new : old
            }
        }
        return found
    }

    /// Decodes a campaign's message once.
    func message(of campaign: Campaign) throws(PushError) -> Message {
        if let message = known.withLock({ $0[campaign.id]?.message }) { return message }
        let message = try StoredJSON.read(Message.self, campaign.message)
        known.withLock { $0[campaign.id]?.message = message }
        return message
    }

    /// Whether the worker may resend to the slice's unknown targets. Never true for an audience that is not a list,
    /// because the report could not count who gets it twice.
    func resending(_ campaign: Campaign?, _ slice: SliceRow) -> SliceRow.Resending {
        SliceRow.Resending(
            isAllowed: campaign.map { $0.isList(slice) && $0.options.afterUnknown == .resend } ?? false, now: moment)
    }
}
