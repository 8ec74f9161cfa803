import PushAdapter
import PushOutbox
import PushPages
import PushSimulation

/// A page of the list of campaigns.
extension OutboxDesk {
    private static let usual = 25
    private static let most = 100

    /// The campaigns that `state` selects, newest first: at most `limit`, from the one after `before` on.
    ///
    /// `state` is `all`, `live` for those that have not ended, the name of a state, or `needy`: the oldest of those
    /// that need a person, which takes some seconds for a million campaigns.
    func campaigns(_ request: SimulatedRequest) async throws(PageRefusal) -> JSONValue {
        let wanted = request.parameter("limit").flatMap { Int($0) } ?? Self.usual
        let limit = min(max(1, wanted), Self.most)
        let (state, before) = (request.parameter("state") ?? "all", request.parameter("before"))
        guard state != "needy" else { return try await needy(limit) }
        guard let states = Self.states(state) else { throw PageRefusal(400, "there is no such state of a campaign") }
        return try await asked { outbox async throws(PushError) in
            var last: Campaign?
            if let before { last = try await outbox.campaign(CampaignName(before)) }
            // One more tells whether there is a next page.
            let found = try await outbox.campaigns(in: states, before: last, limit: limit + 1)
            return try await Self.json(Array(found.prefix(limit)), of: outbox, hasMore: found.count > limit)
        }
    }

    private func needy(_ limit: Int) async throws(PageRefusal) -> JSONValue {
        // Two of them could hold both of a file's readers for seconds.
        let isFirst = isScanning.withLock { isScanning in
            defer { isScanning = true }
            return !isScanning
        }
        guard isFirst else { throw PageRefusal(503, "another request reads all campaigns now; ask again in a moment") }
        defer { isScanning.withLock { $0 = false } }
        return try await asked { outbox async throws(PushError) in
            let backlog = try await outbox.backlog(needy: limit)
            return try await Self.json(backlog.needy, of: outbox, count: backlog.needyCount)
        }
    }

    private static func states(_ name: String) -> Set<Campaign.State>? {
        switch name {
        case "all": Campaign.reported
        case "live": Campaign.live
        default: Campaign.reported.first { "\($0)" == name }.map { [$0] }
        }
    }

    private static func json(
        _ campaigns: [Campaign], of outbox: PushOutbox, hasMore: Bool = false, count: Int? = nil
    ) async throws(PushError) -> JSONValue {
        var items: [JSONValue] = []
        for campaign in campaigns { items.append(.object(try await outbox.report(of: campaign.name).fields)) }
        return ["campaigns": .array(items), "hasMore": .bool(hasMore), "count": JSONValue(count)]
    }
}
