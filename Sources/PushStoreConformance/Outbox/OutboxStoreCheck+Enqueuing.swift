import FoundationEssentials
import PushCore
import PushOutbox

extension OutboxStoreCheck {
    /// Campaigns that are created, submitted, planned and read.
    static var enqueuing: [OutboxStoreCheck] {
        [
            OutboxStoreCheck("a name is one campaign") { store in
                let first = try await store.create(campaign("c"))
                let second = try await store.create(campaign("c"))
                try expect(first.isNew && !second.isNew, "the second is not new")
                try expect(first.campaign.id == second.campaign.id, "it is the first one")
                try expect(second.campaign.state == .loading, "which is loading")
            },
            OutboxStoreCheck("a campaign is read as it was written") { store in
                var campaign = campaign("näme\u{301}", priority: .bulk, parts: 2)
                campaign.parts[1].audience = [0, 34, 0]
                campaign.parts[1].notBefore = start.addingTimeInterval(0.25)
                campaign.expiresAt = start.addingTimeInterval(60)
                let written = try await store.create(campaign).campaign
                campaign.id = written.id
                let read = try await store.campaigns(.named(campaign.name))
                try expect(read == [campaign], "it is \(read)")
                let none = try await store.campaigns(.named("n\u{E4}me\u{301}\u{301}"))
                try expect(none.isEmpty, "names are compared byte by byte")
            },
            OutboxStoreCheck("nothing of a loading or abandoned campaign is leased") { store in
                let campaign = try await store.create(campaign("c")).campaign
                let slice = SliceRow(
                    id: SliceRow.ID(campaign: campaign.id, part: 0, number: 0), notBefore: start, outcomes: [.open])
                _ = try await store.add([(slice, [1])], to: campaign.id)
                try expect(try await lease(store).isEmpty, "loading")
                try await store.abandon(campaign.id)
                try expect(try await store.campaigns(.all).isEmpty, "gone")
                try expect(!(try await store.activate(campaign.id)), "and stays gone")
                try expect(!(try await store.add([(slice, [1])], to: campaign.id)), "and takes nothing")
            },
            OutboxStoreCheck("a submitted campaign is planned once, and nothing of it is leased before") { store in
                var submitted = campaign("c")
                (submitted.state, submitted.parts) = (.submitted, [])
                submitted = try await store.create(submitted).campaign
                let found = try await store.submitted(for: 1, routes: ["r0"], leaving: [], limit: 9)
                try expect(found == [submitted], "it is among the submitted")
                try expect(
                    try await store.submitted(for: 1, routes: ["r0"], leaving: [submitted.id], limit: 9).isEmpty,
                    "or left")
                try expect(try await store.endFinished(at: start).isEmpty, "and is not over")
                var planned = campaign("c", priority: .bulk)
                (planned.id, planned.state, planned.message) = (submitted.id, .active, [7])
                planned.options.keeps = .seconds(5)
                planned.expiresAt = start.addingTimeInterval(60)
                let slice = SliceRow(
                    id: SliceRow.ID(campaign: 0, part: 0, number: 0), notBefore: start, outcomes: [.open])
                func plan(_ campaign: Campaign, _ targets: [UInt8]?) async throws -> [Bool] {
                    try await store.plan([
                        PreparedCampaign(campaign: campaign, slices: targets.map { [(slice, $0)] } ?? [])
                    ]
                    )
                }
                try expect(try await plan(planned, [9]) == [true], "planned")
                try expect(try await plan(planned, [8]) == [false], "not twice")
                let rest = try await store.submitted(for: 1, routes: ["r0"], leaving: [], limit: 9)
                try expect(rest.isEmpty, "and is there no more")
                let read = try await store.campaigns(.named("c"))
                try expect(read == [planned], "it is \(read)")
                try expect(try await lease(store).map(\.targets) == [[9]], "its slices are there")
                var refused = campaign("d")
                refused.state = .submitted
                refused = try await store.create(refused).campaign
                (refused.state, refused.reason, refused.endedAt, refused.parts) = (.refused, "a reason", start, [])
                refused.options.keeps = .seconds(5)
                try expect(try await plan(refused, nil) == [true], "refused")
                let reason = try await store.campaigns(.named("d"))[0].reason
                try expect(reason == "a reason", "with its reason: \(reason ?? "none")")
                try expect(
                    try await store.prune(at: start.addingTimeInterval(5), limit: 9) == 1, "and goes after its time")
                let kept = try await store.create(campaign("d"))
                try expect(!kept.isNew && kept.campaign.state == .removed, "but for its name")
                let left = try await stored(store, "e")
                try expect(try await plan(left, nil) == [false], "no other is planned")
            },
            OutboxStoreCheck("the urgent and the oldest of what is submitted come first, some at once") { store in
                for (name, priority) in [("a", 2), ("b", 1), ("c", 0), ("d", 1)] {
                    var one = campaign(CampaignName(name), parts: 0)
                    one.options.priority = CampaignOptions.Priority(rawValue: priority) ?? .normal
                    one.state = .submitted
                    _ = try await store.create(one)
                }
                let first = try await store.submitted(for: 1, routes: [], leaving: [], limit: 3).map(\.name.rawValue)
                try expect(first == ["c", "b", "d"], "they are \(first)")
            },
            OutboxStoreCheck("campaigns are read page by page, newest first, by their states") { store in
                var ids: [Int64] = []
                for number in 0..<5 {
                    let state: Campaign.State = number.isMultiple(of: 2) ? .paused : .cancelled
                    ids.append(try await stored(store, CampaignName("c\(number)"), slices: 1).id)
                    _ = try await store.move(ids[number], from: [.active], to: state, at: start)
                }
                func page(_ states: Set<Campaign.State>, _ last: Int64?, _ limit: Int) async throws -> [Int64] {
                    try await store.campaigns(.page(states, before: last, limit: limit)).map(\.id)
                }
                try expect(try await page([.paused, .cancelled], nil, 2) == [ids[4], ids[3]], "the newest two")
                try expect(try await page([.paused, .cancelled], ids[3], 9) == [ids[2], ids[1], ids[0]], "the others")
                try expect(try await page([.paused], ids[4], 1) == [ids[2]], "of a state")
                try expect(try await page([.active], nil, 9).isEmpty, "none")
            },
            OutboxStoreCheck("campaigns that have not ended are read alone") { store in
                for state in [Campaign.State.active, .paused, .cancelled] {
                    let campaign = try await stored(store, CampaignName("\(state)"), slices: 1)
                    guard state != .active else { continue }
                    _ = try await store.move(campaign.id, from: [.active], to: state, at: start)
                }
                var submitted = campaign("submitted", parts: 0)
                submitted.state = .submitted
                _ = try await store.create(submitted)
                _ = try await store.create(campaign("loading", parts: 1))
                let live = try await store.campaigns(.live).map { "\($0.name)" }
                try expect(live.prefix(3) == ["loading", "submitted", "paused"] && live.count == 4, "\(live)")
            },
        ]
    }
}
