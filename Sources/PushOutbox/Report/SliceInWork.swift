public import PushAdapter

/// A slice that a worker has: it is about to send it, or requests are in flight. Without targets.
public struct SliceInWork: Sendable, Hashable {
    /// Its campaign.
    public let campaign: CampaignName
    /// The numbers of its campaign, its part and the slice.
    public let id: SliceRow.ID
    /// The client that sends it.
    public let route: RouteName
    /// The worker that has it. Nil if that worker has no claim any more: the next one takes the slice over.
    public let worker: OutboxFacts.Worker?
    /// Whether requests may have left. False while the worker only has it.
    public let isSending: Bool
    /// The targets that wait for their outcome.
    public let open: Int
    /// Counted attempts before this one.
    public let attempts: Int
}

extension PushOutbox {
    /// Returns slices that workers have, of all processes, in order of their campaigns. A store has few of them: each
    /// worker has some for each route.
    /// - Parameter limit: the most slices.
    public func slicesInWork(limit: Int = 100) async throws(PushError) -> [SliceInWork] {
        let rows = try await stored { try await $0.leased(by: nil) }.prefix(max(0, limit))
        guard !rows.isEmpty else { return [] }
        let ids = Set(rows.map(\.id.campaign))
        let campaigns = Dictionary(
            try await stored { try await $0.campaigns(.numbered(ids)) }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        let workers = try await facts().workers
        return rows.compactMap { row in
            guard let campaign = campaigns[row.id.campaign], let part = campaign.part(row.id.part) else { return nil }
            return SliceInWork(
                campaign: campaign.name, id: row.id, route: part.route,
                // A store that does not know the number has one worker.
                worker: workers.first { $0.id == row.owner || $0.id == nil }, isSending: row.state == .sending,
                open: (row.counts[.open] ?? 0) + (row.counts[.openAgain] ?? 0), attempts: row.attempts)
        }
    }
}
