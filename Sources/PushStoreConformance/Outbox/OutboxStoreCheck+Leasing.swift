import FoundationEssentials
import PushCore
import PushOutbox

extension OutboxStoreCheck {
    /// Which slices a worker gets, and in which order.
    static var leasing: [OutboxStoreCheck] {
        [
            OutboxStoreCheck("a slice is leased once, by order, with its targets") { store in
                try await stored(store, slices: 5)
                let first = try await lease(store, 3)
                let second = try await lease(store, 3, worker: 2)
                try expect(first.map(\.slice.id.number) == [0, 1, 2], "the first three")
                try expect(second.map(\.slice.id.number) == [3, 4], "then the others")
                try expect(first.map(\.targets) == [[0, 0, 255], [1, 0, 255], [2, 0, 255]], "with their targets")
                try expect(
                    first.allSatisfy { $0.slice.state == .leased && $0.slice.owner == 1 }, "as leased by its worker")
                try expect(first.allSatisfy { $0.slice.epoch == 1 }, "with a new epoch")
                try expect(try await lease(store).isEmpty, "no third time")
            },
            OutboxStoreCheck("a slice waits for its time") { store in
                try await stored(store, slices: 1)
                var slice = try await lease(store)[0].slice
                (slice.state, slice.notBefore) = (.ready, start.addingTimeInterval(10))
                try expect(try await store.apply([SliceChange(slice, from: [.leased])]) == [true], "given back")
                try expect(try await lease(store, after: 9.9).isEmpty, "not yet")
                try expect(try await lease(store, after: 10).count == 1, "now")
            },
            OutboxStoreCheck("the urgent goes first, and campaigns of one priority take turns") { store in
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
            OutboxStoreCheck("the part that has waited longest goes first, if that is wanted") { store in
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
            OutboxStoreCheck("what came out of the queue comes back, for whatever reason it left") { store in
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
            OutboxStoreCheck("a lease finds what is behind hundreds of parts that have nothing") { store in
                for number in 0..<300 {
                    let paused = try await stored(store, CampaignName("p\(number)"), slices: 1)
                    _ = try await store.move(paused.id, from: [.active], to: .paused, at: start)
                }
                let last = try await stored(store, "last", slices: 1)
                var found = try await lease(store, 16)
                if found.isEmpty { found = try await lease(store, 16) }
                try expect(found.map(\.slice.id.campaign) == [last.id], "it is \(found.map(\.slice.id))")
            },
            OutboxStoreCheck("what is paused, late, or of another route is not leased") { store in
                let paused = try await stored(store, "paused")
                _ = try await store.move(paused.id, from: [.active], to: .paused, at: start)
                let part = try await stored(store, "part", parts: 2)
                try await store.pauseParts(of: part.id, [0], for: "a reason")
                let delayed = try await stored(store, "delayed", slices: 1)
                try await store.delayPart(of: delayed.id, 0, until: start.addingTimeInterval(5))
                let leased = try await lease(store)
                try expect(
                    leased.map(\.slice.id.campaign) == [part.id, part.id]
                        && leased.allSatisfy { $0.slice.id.part == 1 },
                    "only the other part: \(leased.map(\.slice.id))")
                let reasons = try await store.campaigns(.named("part"))[0].parts.map(\.pausedFor)
                try expect(reasons == ["a reason", nil], "the reason is kept")
                let other = OutboxLease(worker: 1, routes: ["elsewhere"], limit: 9, now: start.addingTimeInterval(9))
                try expect(try await store.lease(other).isEmpty, "another route")
                try await store.pauseParts(of: part.id, [0, 1], for: nil)
                let later = try await lease(store, after: 5).map(\.slice.id.campaign)
                try expect(Set(later) == [part.id, delayed.id], "resumed, and in time")
            },
            OutboxStoreCheck("a key from before the clock was set back is leased at once") { store in
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
            OutboxStoreCheck("recovered are leased alone on request") { store in
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
            OutboxStoreCheck("of campaigns that are more urgent only, if that is wanted") { store in
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
            OutboxStoreCheck("of parts with other ways only, if that is wanted") { store in
                var routed = campaign("c", parts: 2)
                routed.parts[1].patience = .milliseconds(1_500)
                routed = try await store.create(routed).campaign
                for part in 0..<2 {
                    let id = SliceRow.ID(campaign: routed.id, part: part, number: part)
                    _ = try await store.add(
                        [(SliceRow(id: id, notBefore: start, outcomes: [.open]), [1])], to: routed.id)
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
            OutboxStoreCheck("one worker has the claim, until it gives it back") { store in
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
            OutboxStoreCheck("orphans are what other workers had") { store in
                try await stored(store, slices: 3)
                let other = try await lease(store, 2, worker: 7).map(\.slice)
                try await store.release(7)
                let own = try await lease(store, 1, worker: 8).map(\.slice)
                var trying = other[1]
                trying.state = .sending
                _ = try await store.apply([SliceChange(trying, from: [.leased])])
                let left = try await store.orphans(of: 8)
                try expect(left == [other[0], trying], "they are \(left)")
                let held = try await store.leased(by: 7)
                try expect(held == left, "and what worker 7 holds is \(held)")
                let all = try await store.leased(by: nil)
                try expect(all == (left + own).sorted { $0.id < $1.id }, "and what both hold is \(all)")
            },
        ]
    }
}
