import FoundationEssentials
import PushCore
import PushOutbox
import Testing

/// What a store of an outbox must do. One list for all stores; a store that breaks a rule fails the check of the rule.
struct StoreCheck: Sendable, CustomTestStringConvertible {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let name: String
    let run: @Sendable (any OutboxStore) async throws -> Void
    var testDescription: String { name }

    init(_ name: String, _ run: @escaping @Sendable (any OutboxStore) async throws -> Void) {
        (self.name, self.run) = (name, run)
    }

    private static func expect(_ holds: Bool, _ what: String) throws {
        guard holds else { throw Failure(description: what) }
    }

    static let start = Date(timeIntervalSince1970: 1_790_000_000)

    // MARK: What checks use

    static func campaign(
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
    static func stored(
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

    static func lease(
        _ store: any OutboxStore, _ limit: Int = 100, worker: Int64 = 1, after time: TimeInterval = 0
    ) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        // Where one works at a time, a second one is refused, and may lease nevertheless.
        _ = try await store.claim(worker)
        return try await store.lease(
            OutboxLease(
                worker: worker, routes: ["r0", "r1"], limit: limit, now: start.addingTimeInterval(time)))
    }

    // MARK: The list

    static let all: [StoreCheck] = [
        StoreCheck("a name is one campaign") { store in
            let first = try await store.create(campaign("c"))
            let second = try await store.create(campaign("c"))
            try expect(first.isNew && !second.isNew, "the second is not new")
            try expect(first.campaign.id == second.campaign.id, "it is the first one")
            try expect(second.campaign.state == .loading, "which is loading")
        },
        StoreCheck("a campaign is read as it was written") { store in
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
        StoreCheck("nothing of a loading or abandoned campaign is leased") { store in
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
        StoreCheck("a slice is leased once, by order, with its targets") { store in
            try await stored(store, slices: 5)
            let first = try await lease(store, 3)
            let second = try await lease(store, 3, worker: 2)
            try expect(first.map(\.slice.id.number) == [0, 1, 2], "the first three")
            try expect(second.map(\.slice.id.number) == [3, 4], "then the others")
            try expect(first.map(\.targets) == [[0, 0, 255], [1, 0, 255], [2, 0, 255]], "with their targets")
            try expect(first.allSatisfy { $0.slice.state == .leased && $0.slice.owner == 1 }, "as leased by its worker")
            try expect(first.allSatisfy { $0.slice.epoch == 1 }, "with a new epoch")
            try expect(try await lease(store).isEmpty, "no third time")
        },
        StoreCheck("a slice waits for its time") { store in
            try await stored(store, slices: 1)
            var slice = try await lease(store)[0].slice
            (slice.state, slice.notBefore) = (.ready, start.addingTimeInterval(10))
            try expect(try await store.apply([SliceChange(slice, from: [.leased])]) == [true], "given back")
            try expect(try await lease(store, after: 9.9).isEmpty, "not yet")
            try expect(try await lease(store, after: 10).count == 1, "now")
        },
        StoreCheck("the urgent goes first, and campaigns of one priority take turns") { store in
            let bulk = try await stored(store, "bulk", slices: 4, priority: .bulk)
            let one = try await stored(store, "one", slices: 4)
            let two = try await stored(store, "two", slices: 4)
            let urgent = try await stored(store, "urgent", slices: 1, priority: .urgent)
            var order: [Int64] = []
            for _ in 0..<10 { order += try await lease(store, 1).map(\.slice.id.campaign) }
            try expect(order.first == urgent.id, "urgent first: \(order)")
            try expect(
                Array(order[1...8]) == [one.id, two.id, one.id, two.id, one.id, two.id, one.id, two.id],
                "then in turn: \(order)")
            try expect(order[9] == bulk.id, "bulk last")
        },
        StoreCheck("the part that has waited longest goes first, if that is wanted") { store in
            let bulk = try await stored(store, "bulk", slices: 4, priority: .bulk)
            let urgent = try await stored(store, "urgent", slices: 4, priority: .urgent)
            var order: [Int64] = []
            for turn in 0..<5 {
                _ = try await store.claim(1)
                var request = OutboxLease(worker: 1, routes: ["r0"], limit: 1, now: start)
                request.wantsOldest = turn > 0
                order += try await store.lease(request).map(\.slice.id.campaign)
            }
            try expect(order == [urgent.id, bulk.id, urgent.id, bulk.id, urgent.id], "in turn: \(order)")
        },
        StoreCheck("a submitted campaign is planned once, and nothing of it is leased before") { store in
            var submitted = campaign("c")
            (submitted.state, submitted.parts) = (.submitted, [])
            submitted = try await store.create(submitted).campaign
            let found = try await store.submitted(for: 1, routes: ["r0"], leaving: [], limit: 9)
            try expect(found == [submitted], "it is among the submitted")
            try expect(
                try await store.submitted(for: 1, routes: ["r0"], leaving: [submitted.id], limit: 9).isEmpty, "or left")
            try expect(try await store.endFinished(at: start).isEmpty, "and is not over")
            var planned = campaign("c", priority: .bulk)
            (planned.id, planned.state, planned.message) = (submitted.id, .active, [7])
            planned.options.keeps = .seconds(5)
            planned.expiresAt = start.addingTimeInterval(60)
            let slice = SliceRow(id: SliceRow.ID(campaign: 0, part: 0, number: 0), notBefore: start, outcomes: [.open])
            func plan(_ campaign: Campaign, _ targets: [UInt8]?) async throws -> [Bool] {
                try await store.plan([PreparedCampaign(campaign: campaign, slices: targets.map { [(slice, $0)] } ?? [])]
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
            try expect(try await store.prune(at: start.addingTimeInterval(5), limit: 9) == 1, "and goes after its time")
            let kept = try await store.create(campaign("d"))
            try expect(!kept.isNew && kept.campaign.state == .removed, "but for its name")
            let left = try await stored(store, "e")
            try expect(try await plan(left, nil) == [false], "no other is planned")
        },
        StoreCheck("the urgent and the oldest of what is submitted come first, some at once") { store in
            for (name, priority) in [("a", 2), ("b", 1), ("c", 0), ("d", 1)] {
                var one = campaign(CampaignName(name), parts: 0)
                one.options.priority = CampaignOptions.Priority(rawValue: priority) ?? .normal
                one.state = .submitted
                _ = try await store.create(one)
            }
            let first = try await store.submitted(for: 1, routes: [], leaving: [], limit: 3).map(\.name.rawValue)
            try expect(first == ["c", "b", "d"], "they are \(first)")
        },
        StoreCheck("campaigns are read page by page, newest first, by their states") { store in
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
        StoreCheck("what came out of the queue comes back, for whatever reason it left") { store in
            // Leased while it is paused, late, delayed, without ready slices: then it is out of the queue.
            let campaign = try await stored(store, slices: 2, parts: 1)
            _ = try await store.move(campaign.id, from: [.active], to: .paused, at: start)
            try expect(try await lease(store).isEmpty, "a paused campaign")
            _ = try await store.move(campaign.id, from: [.paused], to: .active, at: start)
            let first = try await lease(store, 1)
            try expect(first.count == 1, "resumed")
            try await store.pauseParts(of: campaign.id, [0], for: "x")
            try expect(try await lease(store).isEmpty, "a paused part")
            try await store.pauseParts(of: campaign.id, [0], for: nil)
            let second = try await lease(store)
            try expect(second.count == 1, "resumed")
            try expect(try await lease(store).isEmpty, "nothing is left")
            var slice = first[0].slice
            (slice.state, slice.notBefore) = (.ready, start.addingTimeInterval(20))
            var other = second[0].slice
            (other.state, other.notBefore) = (.ready, start.addingTimeInterval(10))
            _ = try await store.apply([SliceChange(slice, from: [.leased]), SliceChange(other, from: [.leased])])
            try expect(try await lease(store, after: 9).isEmpty, "not yet")
            let early = try await lease(store, after: 10).map(\.slice.id)
            try expect(early == [other.id], "the one that is due: \(early)")
            try expect(try await lease(store, after: 19).isEmpty, "not yet")
            try await store.delayPart(of: campaign.id, 0, until: start.addingTimeInterval(40))
            try await store.delayPart(of: campaign.id, 0, until: start.addingTimeInterval(30))
            try expect(try await lease(store, after: 39).isEmpty, "a pause does not shorten a longer one")
            try expect(try await lease(store, after: 40).map(\.slice.id) == [slice.id], "the other one")
        },
        StoreCheck("a lease finds what is behind hundreds of parts that have nothing") { store in
            for number in 0..<300 {
                let paused = try await stored(store, CampaignName("p\(number)"), slices: 1)
                _ = try await store.move(paused.id, from: [.active], to: .paused, at: start)
            }
            let last = try await stored(store, "last", slices: 1)
            var found = try await lease(store, 16)
            if found.isEmpty { found = try await lease(store, 16) }
            try expect(found.map(\.slice.id.campaign) == [last.id], "it is \(found.map(\.slice.id))")
        },
        StoreCheck("what is paused, late, or of another route is not leased") { store in
            let paused = try await stored(store, "paused")
            _ = try await store.move(paused.id, from: [.active], to: .paused, at: start)
            let part = try await stored(store, "part", parts: 2)
            try await store.pauseParts(of: part.id, [0], for: "a reason")
            let delayed = try await stored(store, "delayed", slices: 1)
            try await store.delayPart(of: delayed.id, 0, until: start.addingTimeInterval(5))
            let leased = try await lease(store)
            try expect(
                leased.map(\.slice.id.campaign) == [part.id, part.id] && leased.allSatisfy { $0.slice.id.part == 1 },
                "only the other part: \(leased.map(\.slice.id))")
            let reasons = try await store.campaigns(.named("part"))[0].parts.map(\.pausedFor)
            try expect(reasons == ["a reason", nil], "the reason is kept")
            let other = OutboxLease(worker: 1, routes: ["elsewhere"], limit: 9, now: start.addingTimeInterval(9))
            try expect(try await store.lease(other).isEmpty, "another route")
            try await store.pauseParts(of: part.id, [0, 1], for: nil)
            let later = try await lease(store, after: 5).map(\.slice.id.campaign)
            try expect(Set(later) == [part.id, delayed.id], "resumed, and in time")
        },
        StoreCheck("a change needs the epoch, the state and the owner that it expects") { store in
            try await stored(store, slices: 1)
            let slice = try await lease(store)[0].slice
            func change(_ edit: (inout SliceChange) -> Void) async throws -> Bool {
                var next = slice
                next.state = .sending
                var change = SliceChange(next, from: [.leased], owner: 1)
                edit(&change)
                return try await store.apply([change])[0]
            }
            try expect(!(try await change { $0.slice.epoch = 0 }), "an old epoch")
            try expect(!(try await change { $0.from = [.ready, .sending, .done] }), "another state")
            try expect(!(try await change { $0.owner = 2 }), "another owner")
            try expect(!(try await change { $0.slice.id.number = 9 }), "no such slice")
            try expect(try await change { _ in }, "as expected")
            try expect(!(try await change { _ in }), "and not twice")
        },
        StoreCheck("a slice is read as it was written") { store in
            let campaign = try await stored(store, slices: 1)
            var slice = try await lease(store)[0].slice
            slice.state = .sending
            slice.crashes = 2
            slice.attempts = 3
            slice.generation = 4
            slice.key = "k\u{E4}y"
            slice.keyUntil = start.addingTimeInterval(3_600)
            slice.keyUsedAt = start.addingTimeInterval(1.5)
            slice.keyUptime = SliceRow.Uptime(boot: "5-b", elapsed: .milliseconds(1_500))
            slice.mayHaveActed = true
            slice.marked = 2
            slice.resent = 1
            slice.outcomes = [.accepted, SliceRow.Outcome(rawValue: 0x82), .unknown]
            slice.notes = [123, 0, 125]
            var change = SliceChange(slice, from: [.leased])
            change.targets = .replace([9, 0, 9])
            _ = try await store.apply([change])
            let read = try await store.slices(of: campaign.id, with: [.unknown], after: nil, limit: 10)
            try expect(read.map(\.slice) == [slice], "it is \(read)")
            try expect(read.map(\.targets) == [[9, 0, 9]], "with the targets that are left")
            (slice.key, slice.keyUntil, slice.keyUsedAt, slice.notes) = (nil, nil, nil, nil)
            slice.keyUptime = nil
            slice.outcomes = [.accepted, .accepted, .accepted]
            _ = try await store.apply([SliceChange(slice, from: [.sending])])
            try await store.release(1)
            let again = try await store.orphans(of: 99)
            try expect(again == [slice], "it is \(again)")
        },
        StoreCheck("a change is refused once campaign or part is paused or over") { store in
            let campaign = try await stored(store, slices: 1, parts: 2)
            let leased = try await lease(store).map(\.slice)
            func mark(_ part: Int, at time: TimeInterval = 0) async throws -> Bool {
                var change = SliceChange(leased[part], from: [.leased])
                change.ifActive = start.addingTimeInterval(time)
                return try await store.apply([change])[0]
            }
            try await store.pauseParts(of: campaign.id, [0], for: "x")
            try expect(!(try await mark(0)), "a paused part")
            try expect(try await mark(1), "the other part")
            try await store.pauseParts(of: campaign.id, [0], for: nil)
            try expect(try await mark(0), "resumed")
            _ = try await store.move(campaign.id, from: [.active], to: .paused, at: start)
            try expect(!(try await mark(1)), "a paused campaign")
            _ = try await store.move(campaign.id, from: [.paused], to: .active, at: start)
            try expect(try await mark(1), "resumed")
            _ = try await store.move(campaign.id, from: [.active], to: .cancelled, at: start)
            try expect(!(try await mark(1)), "a cancelled campaign")
        },
        StoreCheck("a change is refused once the campaign's time is up") { store in
            try await stored(store, slices: 1, expiry: .seconds(100))
            let slice = try await lease(store).map(\.slice)[0]
            func mark(at time: TimeInterval) async throws -> Bool {
                var change = SliceChange(slice, from: [.leased])
                change.ifActive = start.addingTimeInterval(time)
                return try await store.apply([change])[0]
            }
            try expect(try await mark(at: 99), "in time")
            try expect(!(try await mark(at: 101)), "late")
        },
        StoreCheck("a change can pause or delay its part, in one with the slice") { store in
            try await stored(store, slices: 3)
            let leased = try await lease(store, 2).map(\.slice)
            var refused = SliceChange(leased[0], from: [.done])
            refused.pausesPart = "never"
            _ = try await store.apply([refused])
            try expect(try await store.campaigns(.named("c"))[0].parts[0].pausedFor == nil, "not by a refused change")
            var ready = leased[0]
            ready.state = .ready
            var change = SliceChange(ready, from: [.leased])
            change.pausesPart = "wrong key"
            _ = try await store.apply([change])
            try expect(try await store.campaigns(.named("c"))[0].parts[0].pausedFor == "wrong key", "paused")
            ready = leased[1]
            ready.state = .ready
            change = SliceChange(ready, from: [.leased])
            change.delaysPart = start.addingTimeInterval(7)
            _ = try await store.apply([change])
            try await store.pauseParts(of: ready.id.campaign, [0], for: nil)
            try expect(try await lease(store, after: 6).isEmpty, "delayed")
            try expect(try await lease(store, after: 7).count == 3, "and over")
        },
        StoreCheck("one worker has the claim, until it gives it back") { store in
            try expect(try await store.claim(1), "the first")
            try expect(try await store.claim(1), "which has it already")
            try expect(!(try await store.claim(2)), "not the second")
            try await store.release(2)
            try expect(!(try await store.claim(2)), "nor by giving back what it has not")
            try expect(try await store.renew(1), "the first is there")
            try expect(!(try await store.renew(2)), "the second is not")
            try await store.release(1)
            try expect(try await store.claim(2), "then the second")
            try await store.release(2)
        },
        StoreCheck("orphans are what other workers had") { store in
            try await stored(store, slices: 3)
            let other = try await lease(store, 2, worker: 7).map(\.slice)
            try await store.release(7)
            _ = try await lease(store, 1, worker: 8)
            var trying = other[1]
            trying.state = .sending
            _ = try await store.apply([SliceChange(trying, from: [.leased])])
            let left = try await store.orphans(of: 8)
            try expect(left == [other[0], trying], "they are \(left)")
            let held = try await store.leased(by: 7)
            try expect(held == left, "and what worker 7 holds is \(held)")
        },
        StoreCheck("a key from before the clock was set back is leased at once") { store in
            try await stored(store, slices: 2)
            let leased = try await lease(store, 2).map(\.slice)
            let changes = leased.map { slice in
                var slice = slice
                (slice.state, slice.notBefore, slice.key) = (.ready, start.addingTimeInterval(500), "k")
                slice.keyUsedAt = start.addingTimeInterval(slice.id.number == 0 ? 59 : 61)
                return SliceChange(slice, from: [.leased])
            }
            _ = try await store.apply(changes)
            let again = try await lease(store).map(\.slice.id.number)
            try expect(again == [1], "they are \(again)")
        },
        StoreCheck("recovered are leased alone on request") { store in
            try await stored(store, slices: 3)
            var slice = try await lease(store, 2)[1].slice
            (slice.state, slice.crashes) = (.ready, 1)
            _ = try await store.apply([SliceChange(slice, from: [.leased])])
            var request = OutboxLease(worker: 1, routes: ["r0"], limit: 9, now: start)
            request.wantsRecovered = true
            let recovered = try await store.lease(request).map(\.slice.id.number)
            try expect(recovered == [1], "they are \(recovered)")
            slice.epoch += 1
            _ = try await store.apply([SliceChange(slice, from: [.leased])])
            let others = try await lease(store).map(\.slice.id.number)
            try expect(others == [2], "and the others are \(others)")
        },
        StoreCheck("quarantined slices come back when a person resumes") { store in
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
        StoreCheck("counts and open targets are those of the slices") { store in
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
        StoreCheck("what waits is that of the campaigns that have not ended") { store in
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
            // Two of each slice that is done are open, and so is what that campaign did not count.
            try expect(backlog.unknown == 1 && backlog.open == 4 * 6 - 1, "\(backlog.open), \(backlog.unknown)")
            try expect(try await store.backlog(needy: 9).needy.map(\.name) == ["paused", "held"], "all of them")
        },
        StoreCheck("slices are read by outcome, page by page") { store in
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
        StoreCheck("campaigns that have not ended are read alone") { store in
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
        StoreCheck("slices that wait, but not for their first try, are read") { store in
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
            // These do not: one is on its way, one is done, one was given back unsent, and nobody had the last.
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
        StoreCheck("what a change adds is there with it, once, and only if it is made") { store in
            let campaign = try await stored(store, slices: 1, parts: 2)
            let leased = try await lease(store, 1)[0].slice
            func addition(_ byte: UInt8, from state: SliceRow.State) -> SliceChange {
                var done = leased
                done.state = .done
                done.outcomes = [.accepted, .moved, .moved]
                var change = SliceChange(done, from: [state])
                let id = SliceRow.ID(campaign: campaign.id, part: 1, number: 0)
                change.adds = [(SliceRow(id: id, notBefore: .distantPast, outcomes: [.open, .open]), [byte])]
                return change
            }
            let made = try await store.apply([
                addition(1, from: .ready), addition(2, from: .leased), addition(3, from: .leased),
            ])
            try expect(made == [false, true, false], "made where the row was as expected: \(made)")
            let counts = try await store.counts(of: campaign.id)
            // The other part has a slice of three.
            try expect(counts.targets == [.accepted: 1, .moved: 2, .open: 5], "counted: \(counts.targets)")
            let part = try await store.counts(of: campaign.id, part: 0)
            try expect(
                part.targets == [.accepted: 1, .moved: 2] && part.slices == [.done: 1], "of a part: \(part.targets)")
            let added = try await lease(store).sorted { $0.slice.id < $1.slice.id }
            try expect(
                added.map(\.slice.id.part) == [1, 1] && added.map(\.slice.id.number) == [0, 1],
                "with the next number: \(added.map(\.slice.id))")
            try expect(added[1].targets == [2], "by the first change that was made")
            try expect(added[1].slice.outcomes == [.open, .open], "as it was given")
        },
        StoreCheck("of campaigns that are more urgent only, if that is wanted") { store in
            try await stored(store, "bulk", priority: .bulk)
            let normal = try await stored(store, "normal", slices: 1)
            _ = try await store.claim(1)
            func lease(_ priority: CampaignOptions.Priority) async throws -> [Int64] {
                var request = OutboxLease(worker: 1, routes: ["r0"], limit: 9, now: start)
                request.moreUrgentThan = priority
                return try await store.lease(request).map(\.slice.id.campaign)
            }
            try expect(try await lease(.normal).isEmpty, "nothing is urgent")
            try expect(try await lease(.bulk) == [normal.id], "than a bulk campaign")
        },
        StoreCheck("of parts with other ways only, if that is wanted") { store in
            var routed = campaign("c", parts: 2)
            routed.parts[1].patience = .milliseconds(1_500)
            routed = try await store.create(routed).campaign
            for part in 0..<2 {
                let id = SliceRow.ID(campaign: routed.id, part: part, number: part)
                _ = try await store.add([(SliceRow(id: id, notBefore: start, outcomes: [.open]), [1])], to: routed.id)
            }
            _ = try await store.activate(routed.id)
            let kept = try await store.campaigns(.named("c"))[0].parts.map(\.patience)
            try expect(kept == [nil, .milliseconds(1_500)], "the patience is kept: \(kept)")
            _ = try await store.claim(1)
            var request = OutboxLease(worker: 1, routes: ["r0", "r1"], limit: 9, now: start)
            request.wantsOtherWays = true
            let leased = try await store.lease(request)
            try expect(leased.map(\.slice.id.part) == [1], "leased: \(leased.map(\.slice.id.part))")
        },
        StoreCheck("a campaign ends when its slices are done, or when its time is up and nothing is on its way") {
            store in
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
        StoreCheck("a state is left only from where it may be") { store in
            let campaign = try await stored(store)
            try expect(try await store.move(campaign.id, from: [.active], to: .cancelled, at: start), "cancelled")
            try expect(
                !(try await store.move(campaign.id, from: [.active, .paused], to: .active, at: start)), "and stays so")
            let ended = try await store.campaigns(.named("c"))[0]
            try expect(ended.state == .cancelled && ended.endedAt == start, "with its end")
        },
        StoreCheck("what ended is removed after its time, a few slices at once") { store in
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
                name.first?.state == .removed && name.first?.message == [] && name.first?.parts == [], "but its name")
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
