#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushClient
    import PushOutbox
    import PushOutboxPostgres
    import PushStoreConformance
    import Testing

    @Suite("The outbox's store on PostgreSQL", .timeLimit(.minutes(20)))
    struct PostgresLoopbackTests {
        /// Here several work at once.
        private static let checks = OutboxStoreCheck.all.filter { $0.description != BrokenStore.Rule.claim.rawValue }

        @Test("in a schema", arguments: checks)
        func schema(_ check: OutboxStoreCheck) async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                try await check.run(store)
            }
        }

        @Test("a closed store ends its workers")
        func closed() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                try await OutboxStoreCheck.closing { store.close() }.run(store)
            }
        }

        @Test("a life beyond all measure traps nowhere")
        func hugeLife() async throws {
            try await withPostgres { place in
                let store = try await place.store(life: .seconds(Int64.max))
                defer { store.close() }
                #expect(try await store.claim(1))
                #expect(try await store.renew(1))
                #expect(try await store.workers() == 1)
            }
        }

        @Test("columns that a later version adds do not disturb a worker of this one", arguments: checks)
        func laterColumns(_ check: OutboxStoreCheck) async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                try await Self.addColumns(place)
                try await check.run(store)
            }
        }

        private static func addColumns(_ place: PostgresPlace) async throws {
            for table in ["campaign", "part", "slice", "payload", "ended", "worker"] {
                _ = try await place.run("ALTER TABLE outbox_\(table) ADD COLUMN added_later INT NOT NULL DEFAULT 7")
            }
        }

        @Test(
            "two workers share a campaign, and none has a slice of the other; one of them reports the end",
            arguments: [false, true])
        func twoWorkers(hasLaterColumns: Bool) async throws {
            try await withPostgres { place in
                let first = try await place.store()
                if hasLaterColumns { try await Self.addColumns(place) }
                let stores = [first, try await place.store()]
                defer { for store in stores { store.close() } }
                try await OutboxStoreCheck.stored(stores[0], slices: 300, parts: 2)
                let results = try await withThrowingTaskGroup { group in
                    for (index, store) in stores.enumerated() {
                        group.addTask { try await OutboxStoreCheck.work(store, worker: Int64(index + 1)) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let slices = results.flatMap(\.slices)
                #expect(slices.count == 600 && Set(slices).count == 600)
                #expect(results.map(\.ended).reduce(0, +) == 1)
                let campaign = try #require(try await stores[0].campaigns(.all).first)
                let counts = try await stores[1].counts(of: campaign.id)
                #expect(campaign.state == .finished && counts.slices == [.done: 600])
            }
        }

        @Test("what two workers add to one part at the same time gets numbers of its own")
        func added() async throws {
            try await withPostgres { place in
                let stores = [try await place.store(), try await place.store()]
                defer { for store in stores { store.close() } }
                let campaign = try await OutboxStoreCheck.stored(stores[0], slices: 200, parts: 2)
                let leased = try await OutboxStoreCheck.lease(stores[0], 200).map(\.slice)
                #expect(Set(leased.map(\.id.part)) == [0])
                try await withThrowingTaskGroup(of: [Bool].self) { group in
                    for (index, store) in stores.enumerated() {
                        let own = leased.filter { $0.id.number % 2 == index }
                        group.addTask {
                            var made: [Bool] = []
                            for slice in own {
                                var change = SliceChange(slice, from: [.leased])
                                change.slice.state = .done
                                change.slice.outcomes = [.accepted, .accepted, .moved]
                                let id = SliceRow.ID(campaign: campaign.id, part: 1, number: 0)
                                change.adds = [(SliceRow(id: id, notBefore: .distantPast, outcomes: [.open]), [1])]
                                made += try await store.apply([change])
                            }
                            return made
                        }
                    }
                    for try await made in group { #expect(made == Array(repeating: true, count: 100)) }
                }
                let counts = try await stores[0].counts(of: campaign.id, part: 1)
                #expect(counts.slices == [.ready: 400] && counts.targets == [.open: 800])
            }
        }

        @Test("a shared quota", arguments: SharedQuotaCheck.all)
        func sharedQuota(_ check: SharedQuotaCheck) async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                try await check.run(store.sharedQuota("app"))
            }
        }

        @Test("processes share a quota: what one takes, the others have not, and a pause is everybody's")
        func quota() async throws {
            try await withPostgres { place in
                let stores = [try await place.store(), try await place.store()]
                defer { for store in stores { store.close() } }
                let quota = Quota(100, per: .seconds(100), source: "test")
                let shared = stores.map { $0.sharedQuota("app") }
                let start = ContinuousClock.now
                let waits = try await withThrowingTaskGroup(of: [Duration].self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            var waits: [Duration] = []
                            for _ in 0..<25 { waits.append(try await shared[number % 2].take(1, from: "push", quota)) }
                            return waits
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                // One place per second comes back while this runs.
                let granted = waits.count { $0 == .zero }
                let elapsed = (ContinuousClock.now - start) / .seconds(1)
                #expect(granted >= 100 && Double(granted) <= 101 + elapsed)
                let longest = try #require(waits.max())
                #expect(longest / .seconds(1) > 98 - elapsed && longest <= .seconds(100))
                // Another app's quota and another quota are full.
                #expect(try await stores[0].sharedQuota("other").take(100, from: "push", quota) == .zero)
                #expect(try await shared[0].take(100, from: "read", quota) == .zero)
                try await shared[0].correct("read", quota, remaining: 0, pausedFor: .seconds(500))
                let paused = try await shared[1].take(1, from: "read", quota)
                #expect(paused > .seconds(400) && paused <= .seconds(500))
                // The vendor's numbers can lower the quota but never raise it.
                try await shared[0].correct("new", quota, remaining: 3, pausedFor: .zero)
                try await shared[1].correct("new", quota, remaining: 50, pausedFor: .zero)
                #expect(try await shared[1].take(3, from: "new", quota) == .zero)
                #expect(try await shared[1].take(1, from: "new", quota) > .zero)
            }
        }

        @Test("a quota of a calendar day gives all units or none, to all processes together")
        func quotaOfDay() async throws {
            try await withPostgres { place in
                let stores = [try await place.store(), try await place.store()]
                defer { for store in stores { store.close() } }
                let shared = stores.map { $0.sharedQuota("app") }
                // Midnight is twelve hours away, so it does not pass during the test.
                let second = Int(Date().timeIntervalSince1970) % 86_400
                let day = CalendarDay(utcOffset: .seconds(43_200 - second))
                let quota = Quota(10, a: day, source: "test")
                #expect(try await shared[0].take(11, from: "push", quota) > .seconds(43_000))
                #expect(try await shared[0].take(7, from: "push", quota) == .zero)
                let wait = try await shared[1].take(4, from: "push", quota)
                #expect(wait > .seconds(43_000) && wait <= .seconds(43_200))
                #expect(try await shared[1].take(3, from: "push", quota) == .zero)
                #expect(try await shared[0].take(1, from: "push", quota) > .seconds(43_000))
                // Twelve hours later on the vendor's calendar, it is the next day.
                let tomorrow = Quota(10, a: CalendarDay(utcOffset: .seconds(86_400 - second)), source: "test")
                #expect(try await shared[0].take(10, from: "push", tomorrow) == .zero)
                try await shared[0].correct("read", quota, remaining: 0, pausedFor: .seconds(500))
                #expect(try await shared[1].take(1, from: "read", quota) > .seconds(43_000))
            }
        }

        @Test("a worker whose life is over is gone: its slices are recovered once, and it changes nothing any more")
        func lostLife() async throws {
            try await withPostgres { place in
                let (late, first) = (try await place.store(), try await place.store(life: .milliseconds(300)))
                let dying = try await place.store(life: .milliseconds(1))
                defer { for store in [late, first, dying] { store.close() } }
                try await OutboxStoreCheck.stored(dying, slices: 3)
                #expect(try await dying.claim(1))
                var slices = try await OutboxStoreCheck.lease(dying, 2).map(\.slice)
                slices[0].state = .sending
                let mark = SliceChange(slices[0], from: [.leased], owner: 1)
                #expect(try await dying.apply([mark]) == [true])
                // A connection younger than a worker's life declares no worker dead.
                #expect(try await late.orphans(of: 3).isEmpty)
                #expect(try await dying.renew(1))
                var found: [SliceRow] = []
                #expect(
                    try await eventually {
                        found = try await first.orphans(of: 2)
                        return !found.isEmpty
                    })
                #expect(found == slices)
                #expect(try await late.orphans(of: 3) == slices)
                #expect(try await !dying.renew(1))
                #expect(try await dying.lease(Self.request(1)).isEmpty)
                let recovery = found.map { slice in
                    var ready = slice
                    (ready.state, ready.owner) = (.ready, 0)
                    return SliceChange(ready, from: [slice.state])
                }
                #expect(try await first.apply(recovery) == [true, true])
                #expect(try await late.apply(recovery) == [false, false])
                slices[0].state = .done
                let answer = SliceChange(slices[0], from: [.leased, .sending], owner: 1)
                #expect(try await dying.apply([answer]) == [false])
                #expect(try await OutboxStoreCheck.lease(late, worker: 3).count == 3)
                #expect(try await late.apply(recovery) == [false, false])
            }
        }

        private static func request(_ worker: Int64) -> OutboxLease {
            OutboxLease(worker: worker, routes: ["r0"], limit: 100, now: OutboxStoreCheck.start)
        }

        @Test("a worker that renews its life, or has not claimed one, is not gone, or leases nothing")
        func renewed() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                // Its sessions are soon older than a life, so it counts others as gone.
                let other = try await place.store(life: .milliseconds(1))
                defer { for store in [store, other] { store.close() } }
                try await OutboxStoreCheck.stored(store)
                #expect(try await other.lease(Self.request(9)).isEmpty)
                #expect(try await store.claim(1))
                #expect(try await other.claim(2))
                _ = try await store.lease(Self.request(1))
                for _ in 0..<5 {
                    try await place.age("25 s")
                    #expect(try await store.renew(1))
                    #expect(try await other.orphans(of: 2).isEmpty)
                }
                #expect(try await store.leased(by: 1).count == 2)
                try await store.release(1)
                #expect(try await other.orphans(of: 2).count == 2)
            }
        }

        @Test("a worker that is being forgotten at that moment leases nothing")
        func forgotten() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                try await OutboxStoreCheck.stored(store)
                #expect(try await store.claim(1))
                // Like another worker whose commit takes a moment.
                let sweep = try await place.hold("DELETE FROM outbox_worker RETURNING 1", for: 1)
                #expect(try await store.lease(Self.request(1)).isEmpty)
                try await sweep.value
                #expect(try await store.leased(by: 1).isEmpty)
            }
        }

        @Test("changes of one call see what those before them did")
        func groups() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                try await OutboxStoreCheck.stored(store, slices: 3)
                let leased = try await OutboxStoreCheck.lease(store).map(\.slice)
                func change(_ slice: SliceRow, from: SliceRow.State, to state: SliceRow.State) -> SliceChange {
                    var slice = slice
                    slice.state = state
                    var change = SliceChange(slice, from: [from], owner: 1)
                    if state == .sending { change.ifActive = OutboxStoreCheck.start }
                    return change
                }
                var pausing = change(leased[1], from: .leased, to: .ready)
                pausing.pausesPart = "wrong key"
                let made = try await store.apply([
                    change(leased[0], from: .leased, to: .sending), change(leased[0], from: .leased, to: .ready),
                    change(leased[0], from: .sending, to: .done), pausing,
                    change(leased[2], from: .leased, to: .sending), change(leased[2], from: .leased, to: .ready),
                ])
                #expect(made == [true, false, true, true, false, true])
                #expect(try await store.apply([]).isEmpty)
            }
        }

        @Test("texts with NUL bytes come back byte by byte")
        func zeros() async throws {
            try await withPostgres { place in
                let (first, second) = (try await place.store(), try await place.store())
                defer { for store in [first, second] { store.close() } }
                var campaign = OutboxStoreCheck.campaign("a\u{0}b")
                campaign.message = [0, 1, 0]
                campaign = try await first.create(campaign).campaign
                let id = SliceRow.ID(campaign: campaign.id, part: 0, number: 0)
                let slice = SliceRow(id: id, notBefore: OutboxStoreCheck.start, outcomes: [.open])
                #expect(try await first.add([(slice, [0, 0, 7, 0])], to: campaign.id))
                #expect(try await first.activate(campaign.id))
                try await first.pauseParts(of: campaign.id, [0], for: "c\u{0}d")
                #expect(try await second.campaigns(.named("a")).isEmpty)
                let read = try #require(try await second.campaigns(.named("a\u{0}b")).first)
                #expect(read.message == [0, 1, 0] && read.parts[0].pausedFor == "c\u{0}d")
                try await second.pauseParts(of: campaign.id, [0], for: nil)
                #expect(try await OutboxStoreCheck.lease(second).map(\.targets) == [[0, 0, 7, 0]])
            }
        }

        @Test("a lease reads the index of what is ready, with 20 paused campaigns in front")
        func plans() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                for number in 0..<20 {
                    let paused = try await OutboxStoreCheck.stored(store, CampaignName("c\(number)"), slices: 200)
                    _ = try await store.move(paused.id, from: [.active], to: .paused, at: OutboxStoreCheck.start)
                }
                let campaign = try await OutboxStoreCheck.stored(store, "last", slices: 200)
                for _ in 0..<2 {
                    let plan = try await store.plan(ofLeasing: campaign.id)
                    #expect(plan.contains { $0.contains("outbox_slice_ready") }, "\(plan)")
                    #expect(!plan.contains { $0.contains("Seq Scan") || $0.contains("Sort") }, "\(plan)")
                    try await place.run("ANALYZE outbox_slice")
                }
                #expect(try await OutboxStoreCheck.lease(store).allSatisfy { $0.slice.id.campaign == campaign.id })
            }
        }
    }
#endif
