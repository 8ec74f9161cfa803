import FoundationEssentials
import PushCore
import PushOutbox

extension OutboxStoreCheck {
    /// Reports, operators, the end of a campaign and its removal.
    static var operating: [OutboxStoreCheck] {
        [
            OutboxStoreCheck("quarantined slices come back when a person resumes") { store in
                let campaign = try await stored(store, slices: 1)
                var slice = try await lease(store)[0].slice
                (slice.state, slice.crashes) = (.quarantined, 3)
                _ = try await store.apply([SliceChange(slice, from: [.leased])])
                try expect(try await lease(store).isEmpty, "quarantined")
                try expect(try await store.endFinished(at: start).isEmpty, "and the campaign is not over")
                try await store.pauseParts(of: campaign.id, [0], for: nil)
                let again = try await lease(store)
                try expect(again.count == 1 && again[0].slice.crashes == 0, "resumed, with its crashes forgotten")
            },
            OutboxStoreCheck("counts and open targets are those of the slices") { store in
                let campaign = try await stored(store, slices: 3)
                try expect(try await store.openTargets() == 9, "nine")
                var slice = try await lease(store, 1)[0].slice
                slice.state = .done
                slice.resent = 2
                slice.outcomes = [.accepted, SliceRow.Outcome(rawValue: 0x82), .unknown]
                _ = try await store.apply([SliceChange(slice, from: [.leased])])
                let counts = try await store.counts(of: campaign.id)
                try expect(counts.slices == [.ready: 2, .done: 1], "slices: \(counts.slices)")
                try expect(
                    counts.targets == [.open: 6, .accepted: 1, .invalid: 1, .unknown: 1], "targets: \(counts.targets)")
                try expect(counts.resent == 2, "resent")
                try expect(try await store.openTargets() == 6, "six")
                _ = try await store.move(campaign.id, from: [.active], to: .cancelled, at: start)
                try expect(try await store.openTargets() == 0, "none of an ended campaign")
            },
            OutboxStoreCheck("what waits is that of the campaigns that have not ended") { store in
                try expect(try await store.backlog(needy: 9) == OutboxBacklog(), "nothing of an empty store")
                var campaigns: [Campaign] = []
                for name in ["ended", "fine", "paused", "held", "other"] {
                    campaigns.append(try await stored(store, CampaignName(name), slices: 2))
                }
                _ = try await store.move(campaigns[0].id, from: [.active], to: .cancelled, at: start)
                try await store.pauseParts(of: campaigns[0].id, [0], for: "of no interest")
                try await store.pauseParts(of: campaigns[2].id, [0], for: "a wrong key")
                for row in try await lease(store, 16) where row.slice.id.number == 0 {
                    var slice = row.slice
                    if slice.id.campaign == campaigns[3].id { slice.state = .quarantined }
                    if slice.id.campaign == campaigns[1].id { (slice.state, slice.outcomes[0]) = (.done, .unknown) }
                    _ = try await store.apply([SliceChange(slice, from: [.leased])])
                }
                let backlog = try await store.backlog(needy: 1)
                try expect(backlog.oldest?.name == "fine", "the oldest: \(String(describing: backlog.oldest?.name))")
                try expect(backlog.needyCount == 2 && backlog.needy.map(\.name) == ["paused"], "\(backlog.needy)")
                try expect(backlog.counts.slices[.quarantined] == 1 && backlog.counts.slices[.done] == 1, "slices")
                // One target of the slice that is done is unknown; all others are open.
                try expect(backlog.unknown == 1 && backlog.open == 4 * 6 - 1, "\(backlog.open), \(backlog.unknown)")
                try expect(try await store.backlog(needy: 9).needy.map(\.name) == ["paused", "held"], "all of them")
            },
            OutboxStoreCheck("slices are read by outcome, page by page") { store in
                let campaign = try await stored(store, slices: 5)
                let leased = try await lease(store).map(\.slice)
                let outcomes: [SliceRow.Outcome] = [
                    .accepted, .unknown, SliceRow.Outcome(rawValue: 0x82), .accepted, .invalid,
                ]
                for (slice, outcome) in zip(leased, outcomes) {
                    var slice = slice
                    slice.state = .done
                    slice.outcomes = [.accepted, outcome, .accepted]
                    _ = try await store.apply([SliceChange(slice, from: [.leased])])
                }
                func page(_ after: SliceRow.ID?, _ limit: Int) async throws -> [Int] {
                    try await store.slices(of: campaign.id, with: [.invalid, .unknown], after: after, limit: limit)
                        .map(\.slice.id.number)
                }
                try expect(try await page(nil, 2) == [1, 2], "the first page")
                try expect(try await page(leased[2].id, 2) == [4], "the second page")
            },
            OutboxStoreCheck("slices that wait, but not for their first try, are read") { store in
                let campaign = try await stored(store, slices: 7)
                let leased = try await lease(store, 6).map(\.slice)
                func leave(_ number: Int, _ edit: (inout SliceRow) -> Void) async throws {
                    var slice = leased[number]
                    edit(&slice)
                    _ = try await store.apply([SliceChange(slice, from: [.leased])])
                }
                try await leave(0) { ($0.state, $0.notes) = (.ready, [123, 125]) }
                try await leave(1) { ($0.state, $0.outcomes) = (.ready, [.accepted, .openAgain, .open]) }
                try await leave(2) { $0.state = .quarantined }
                // These do not: one is on its way, one is done, one was given back unsent, and the last had no worker.
                try await leave(3) { ($0.state, $0.notes, $0.outcomes[0]) = (.sending, [123, 125], .openAgain) }
                try await leave(4) { ($0.state, $0.notes) = (.done, [123, 125]) }
                try await leave(5) { $0.state = .ready }
                func page(_ after: SliceRow.ID?) async throws -> [Int] {
                    try await store.waiting(of: campaign.id, after: after, limit: 2).map(\.id.number)
                }
                let first = try await store.waiting(of: campaign.id, after: nil, limit: 1)
                try expect(first.map(\.notes) == [[123, 125]], "whole")
                try expect(try await page(nil) == [0, 1], "the first page")
                try expect(try await page(leased[1].id) == [2], "the second page")
            },
            OutboxStoreCheck("a campaign ends with its slices, or with its time once nothing is in flight") { store in
                let done = try await stored(store, "done", slices: 1)
                var late = campaign("late")
                late.expiresAt = start.addingTimeInterval(5)
                late = try await store.create(late).campaign
                for number in 0..<2 {
                    let id = SliceRow.ID(campaign: late.id, part: 0, number: number)
                    _ = try await store.add([(SliceRow(id: id, notBefore: start, outcomes: [.open]), [1])], to: late.id)
                }
                _ = try await store.activate(late.id)
                let leased = try await lease(store, 2).map(\.slice)
                try expect(try await store.endFinished(at: start).isEmpty, "nothing yet")
                for slice in leased where slice.id.campaign == done.id {
                    var slice = slice
                    slice.state = .done
                    slice.outcomes = [.accepted, .accepted, .accepted]
                    _ = try await store.apply([SliceChange(slice, from: [.leased])])
                }
                let first = try await store.endFinished(at: start.addingTimeInterval(6))
                try expect(
                    first.map(\.name) == ["done"] && first[0].state == .finished, "one is done: \(first.map(\.name))")
                try expect(first[0].endedAt == start.addingTimeInterval(6), "at that time")
                try expect(try await lease(store, after: 6).isEmpty, "nothing of a late one is leased")
                for slice in leased where slice.id.campaign == late.id {
                    var slice = slice
                    slice.state = .ready
                    _ = try await store.apply([SliceChange(slice, from: [.leased])])
                }
                let second = try await store.endFinished(at: start.addingTimeInterval(7))
                try expect(second.map(\.name) == ["late"] && second[0].state == .expired, "the other is late")
                try expect(try await store.endFinished(at: start.addingTimeInterval(8)).isEmpty, "and once")
            },
            OutboxStoreCheck("a state is left only from where it may be") { store in
                let campaign = try await stored(store)
                try expect(try await store.move(campaign.id, from: [.active], to: .cancelled, at: start), "cancelled")
                try expect(
                    !(try await store.move(campaign.id, from: [.active, .paused], to: .active, at: start)),
                    "and stays so")
                let ended = try await store.campaigns(.named("c"))[0]
                try expect(ended.state == .cancelled && ended.endedAt == start, "with its end")
            },
            OutboxStoreCheck("what ended is removed after its time, a few slices at once") { store in
                var kept = campaign("c")
                (kept.options.keeps, kept.options.keepsName) = (.seconds(100), .seconds(1_000))
                kept = try await store.create(kept).campaign
                let rows = (0..<5).map { number in
                    let id = SliceRow.ID(campaign: kept.id, part: 0, number: number)
                    return (slice: SliceRow(id: id, notBefore: start, outcomes: [.open]), targets: [UInt8(1)])
                }
                _ = try await store.add(rows, to: kept.id)
                _ = try await store.activate(kept.id)
                _ = try await store.move(kept.id, from: [.active], to: .cancelled, at: start)
                try expect(try await store.prune(at: start.addingTimeInterval(99), limit: 2) == 0, "not yet")
                var rounds = 0
                while try await store.prune(at: start.addingTimeInterval(100), limit: 2) > 0 {
                    rounds += 1
                    try expect(rounds < 9, "it comes to an end")
                }
                try expect(rounds >= 3, "a few at once: \(rounds)")
                try expect(try await store.campaigns(.all).isEmpty, "gone")
                let name = try await store.campaigns(.named("c"))
                try expect(
                    name.first?.state == .removed && name.first?.message == [] && name.first?.parts == [],
                    "but its name")
                try expect(name.first?.digest == kept.digest && name.first?.options == kept.options, "and what it was")
                let taken = try await store.create(campaign("c"))
                try expect(!taken.isNew && taken.campaign.state == .removed, "so the name is taken")
                try expect(try await store.prune(at: start.addingTimeInterval(999), limit: 2) == 0, "until its time")
                try expect(try await store.prune(at: start.addingTimeInterval(1_000), limit: 2) == 1, "is over")
                let again = try await store.create(campaign("c"))
                try expect(again.isNew, "and the name is free")
                try expect(try await store.counts(of: again.campaign.id).slices.isEmpty, "with no old slices")
            },
        ]
    }
}
