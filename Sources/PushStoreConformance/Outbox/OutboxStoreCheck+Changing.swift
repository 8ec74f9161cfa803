import FoundationEssentials
import PushCore
import PushOutbox

extension OutboxStoreCheck {
    /// Changes of slices, each made whole or not at all.
    static var changing: [OutboxStoreCheck] {
        [
            OutboxStoreCheck("a change needs the epoch, the state and the owner that it expects") { store in
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
            OutboxStoreCheck("a slice is read as it was written") { store in
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
            OutboxStoreCheck("the dates of a key that was used stay as long as the row has it") { store in
                try await stored(store, slices: 1)
                guard var slice = try await lease(store).first?.slice else {
                    return try expect(false, "a slice is leased")
                }
                (slice.key, slice.keyUntil) = ("k", start.addingTimeInterval(7_200))
                slice.keyUsedAt = start
                slice.state = .sending
                try expect(try await store.apply([SliceChange(slice, from: [.leased])]) == [true], "the key is noted")
                var later = slice
                (later.keyUntil, later.keyUsedAt) = (start.addingTimeInterval(90_000), start.addingTimeInterval(86_400))
                try expect(try await store.apply([SliceChange(later, from: [.sending])]) == [true], "a change is made")
                let kept = try await store.leased(by: 1)
                try expect(
                    kept.map(\.keyUsedAt) == [slice.keyUsedAt] && kept.map(\.keyUntil) == [slice.keyUntil], "they stay")
                later.key = "other"
                try expect(try await store.apply([SliceChange(later, from: [.sending])]) == [true], "another key comes")
                let new = try await store.leased(by: 1)
                try expect(
                    new.map(\.keyUsedAt) == [later.keyUsedAt] && new.map(\.keyUntil) == [later.keyUntil],
                    "with its dates")
            },
            OutboxStoreCheck("a change is refused once campaign or part is paused or over") { store in
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
            OutboxStoreCheck("a change of a seen row is refused once the row has another mark or outcome") { store in
                try await stored(store, slices: 1)
                var slice = try await lease(store).map(\.slice)[0]
                (slice.state, slice.marked) = (.sending, 1)
                try expect(try await store.apply([SliceChange(slice, from: [.leased])]) == [true], "the first mark")
                func recover(_ seen: SliceRow) async throws -> Bool {
                    var recovered = seen
                    recovered.state = .ready
                    var change = SliceChange(recovered, from: [.sending], owner: seen.owner)
                    change.seen = seen
                    return try await store.apply([change])[0]
                }
                let first = try await store.leased(by: 1)[0]
                slice.marked = 2
                try expect(try await store.apply([SliceChange(slice, from: [.sending])]) == [true], "another mark")
                try expect(!(try await recover(first)), "the mark was seen before the other one")
                let second = try await store.leased(by: 1)[0]
                slice.outcomes[0] = .accepted
                try expect(try await store.apply([SliceChange(slice, from: [.sending])]) == [true], "an outcome")
                try expect(!(try await recover(second)), "the outcomes were seen before the other one")
                try expect(try await recover(try await store.leased(by: 1)[0]), "the row as it is")
            },
            OutboxStoreCheck("a change is refused once the campaign's time is up") { store in
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
            OutboxStoreCheck("a change can pause or delay its part, in one with the slice") { store in
                try await stored(store, slices: 3)
                let leased = try await lease(store, 2).map(\.slice)
                var refused = SliceChange(leased[0], from: [.done])
                refused.pausesPart = "never"
                _ = try await store.apply([refused])
                try expect(
                    try await store.campaigns(.named("c"))[0].parts[0].pausedFor == nil, "not by a refused change")
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
            OutboxStoreCheck("what a change adds is there with it, once, and only if it is made") { store in
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
                    part.targets == [.accepted: 1, .moved: 2] && part.slices == [.done: 1], "of a part: \(part.targets)"
                )
                let added = try await lease(store).sorted { $0.slice.id < $1.slice.id }
                try expect(
                    added.map(\.slice.id.part) == [1, 1] && added.map(\.slice.id.number) == [0, 1],
                    "with the next number: \(added.map(\.slice.id))")
                try expect(added[1].targets == [2], "by the first change that was made")
                try expect(added[1].slice.outcomes == [.open, .open], "as it was given")
            },
        ]
    }
}
