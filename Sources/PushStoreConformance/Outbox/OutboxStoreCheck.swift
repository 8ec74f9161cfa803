package import FoundationEssentials
import PushCore
public import PushOutbox

/// A rule that every store of an outbox must follow.
public typealias OutboxStoreCheck = StoreCheck<any OutboxStore>

extension OutboxStoreCheck {
    /// Every check.
    public static var all: [OutboxStoreCheck] { enqueuing + leasing + changing + operating }

    package static var start: Date { Date(timeIntervalSince1970: 1_790_000_000) }

    // MARK: Fixtures

    package static func campaign(
        _ name: CampaignName, priority: CampaignOptions.Priority = .normal, parts: Int = 1, expiry: Duration? = nil
    ) -> Campaign {
        var options = CampaignOptions()
        (options.priority, options.expiry) = (priority, expiry)
        return Campaign(
            name: name, digest: "d", message: [1, 0, 2], options: options, seed: "5eed", createdAt: start,
            parts: (0..<parts).map { .init(number: $0, route: RouteName("r\($0)"), audience: nil, notBefore: start) })
    }

    /// Stores a campaign with slices of three targets, and makes it active.
    @discardableResult
    package static func stored(
        _ store: any OutboxStore, _ name: CampaignName = "c", slices: Int = 2,
        priority: CampaignOptions.Priority = .normal, parts: Int = 1, expiry: Duration? = nil
    ) async throws -> Campaign {
        let new = campaign(name, priority: priority, parts: parts, expiry: expiry)
        let campaign = try await store.create(new).campaign
        for part in 0..<parts {
            let rows = (0..<slices).map { number in
                let id = SliceRow.ID(campaign: campaign.id, part: part, number: number)
                let slice = SliceRow(id: id, notBefore: start, outcomes: [.open, .open, .open])
                return (slice: slice, targets: [UInt8(truncatingIfNeeded: number), 0, 255])
            }
            try expect(try await store.add(rows, to: campaign.id), "slices of a loading campaign are taken")
        }
        try expect(try await store.activate(campaign.id), "a loaded campaign becomes active")
        return campaign
    }

    package static func lease(
        _ store: any OutboxStore, _ limit: Int = 100, worker: Int64 = 1, after time: TimeInterval = 0
    ) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        // Where one works at a time, a second one is refused, and may lease nevertheless.
        _ = try await store.claim(worker)
        return try await store.lease(
            OutboxLease(
                worker: worker, routes: ["r0", "r1"], limit: limit, now: start.addingTimeInterval(time)))
    }
}
