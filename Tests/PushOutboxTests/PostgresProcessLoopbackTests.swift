#if PostgreSQL
    import FoundationEssentials
    import PostgresServer
    import PushAdapter
    import PushClient
    @testable import PushOutbox
    import PushOutboxPostgres
    import PushSimulation
    import PushSimulationTesting
    import PushStoreConformance
    import Testing

    @Suite("Processes that share an outbox on PostgreSQL", .timeLimit(.minutes(20)))
    struct PostgresProcessLoopbackTests {
        private static let life = Duration.milliseconds(800)
        private static let settings = {
            var settings = OutboxSettings()
            (settings.renewal, settings.poll) = (.milliseconds(100), .milliseconds(20))
            settings.slicesInFlight = 4
            return settings
        }()

        /// A vendor whose clock is accurate enough for some minutes.
        private static func world(_ keys: Keys, devices: Int) -> OutboxWorld {
            OutboxWorld(keys, devices: devices, clock: VirtualClock(startingAt: .now))
        }

        private static func outbox(
            _ world: OutboxWorld, _ store: any OutboxStore, _ life: Life? = nil,
            onEvent: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
        ) -> PushOutbox {
            var settings = settings
            settings.onEvent = onEvent
            // An ended process does not wait for requests in flight.
            if life != nil { settings.drain = .zero }
            // The lives of workers use real time.
            let client = world.client(life) { $0.clock = SystemClock() }
            return PushOutbox(
                life.map { MortalStore(base: store, life: $0) } ?? store, routes: ["a": client], settings: settings)
        }

        /// An outbox that counts its store's failures.
        private static func outbox(
            _ world: OutboxWorld, _ store: any OutboxStore, failures: Locked<Int>
        ) -> PushOutbox {
            outbox(world, store) { if case .storeFailed = $0 { failures.withLock { $0 += 1 } } }
        }

        @Test(
            "on a full disk of the server nothing is sent; when there is room, all is, once",
            arguments: [Keys.none, .caller])
        func fullDisk(_ keys: Keys) async throws {
            try await withPostgres { place in
                let world = Self.world(keys, devices: 200)
                let store = try await place.store(life: .seconds(30))
                defer { store.close() }
                let hasSaid = Locked(false)
                let outbox = Self.outbox(world, store) { event in
                    guard case .storeFailed(let reason) = event else { return }
                    if reason.contains("the disk of PostgreSQL is full") { hasSaid.withLock { $0 = true } }
                }
                try await world.enqueue(outbox)
                // Unlike rows, a sequence also counts failed attempts.
                try await place.run("CREATE SEQUENCE tries")
                func refusals() async throws -> Int { try await place.run("SELECT last_value FROM tries") }
                try await place.run(
                    """
                    CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
                        PERFORM nextval('tries');
                        RAISE EXCEPTION 'no space is left' USING ERRCODE = '53100';
                    END $body$
                    """)
                let fill = "CREATE TRIGGER full_disk BEFORE UPDATE ON outbox_slice EXECUTE FUNCTION is_full()"
                let free = "DROP TRIGGER full_disk ON outbox_slice"
                try await place.run(fill)
                let worker = Task { try await outbox.run() }
                #expect(try await eventually { try await refusals() >= 3 })
                #expect(try await eventually { hasSaid.withLock { $0 } })
                #expect(await world.deliveries.allSatisfy { $0 == 0 })
                // This time it happens in the middle of the work.
                try await place.run(free)
                #expect(try await eventually { await world.deliveries.contains(1) })
                try await place.run(fill)
                let before = try await refusals()
                #expect(try await eventually { try await refusals() >= before + 3 })
                let deliveries = await world.deliveries
                try await Task.sleep(for: .milliseconds(300))
                #expect(await world.deliveries == deliveries)
                try await place.run(free)
                #expect(try await eventually { try await outbox.progress(now: "sale").state == .finished })
                worker.cancel()
                try await worker.value
                #expect(await world.deliveries.allSatisfy { $0 == 1 })
                let progress = try await outbox.progress(now: "sale")
                #expect(progress.accepted == 200 && progress.unknown == 0)
            }
        }

        @Test(
            "two workers share a campaign, and what one leaves that dies is found by the other",
            arguments: [Keys.none, .caller, .noneSingly])
        func crashes(_ keys: Keys) async throws {
            try await withPostgres { place in
                let world = Self.world(keys, devices: 300)
                let store = try await place.store(life: Self.life)
                defer { store.close() }
                let steady = Self.outbox(world, store)
                try await world.enqueue(steady)
                var recovered = 0
                for steps in [7, 12, 16, 23, 31] {
                    let own = try await place.store(life: Self.life)
                    defer { own.close() }
                    let life = Life(endingAt: steps, after: steps.isMultiple(of: 2))
                    let process = Task { try await Self.outbox(world, own, life).run() }
                    life.onEnd.withLock { $0 = { process.cancel() } }
                    if life.isOver { process.cancel() }
                    _ = await process.result
                    recovered += life.isOver ? 1 : 0
                }
                let worker = Task { try await steady.run() }
                // On a slow machine, three of these workers may have died with the same slice, so that it is
                // quarantined.
                let isEnded = try await eventually {
                    let progress = try await steady.progress(now: "sale")
                    if progress.slices[.quarantined] != nil { try await steady.resume("sale") }
                    return progress.state == .finished
                }
                worker.cancel()
                try await worker.value
                #expect(isEnded && recovered == 5)
                let progress = try await steady.progress(now: "sale")
                let (deliveries, statuses) = (await world.deliveries, try await world.statuses(steady))
                // With one request per target, a crash may leave a hundred targets unknown.
                let least = keys == .noneSingly ? 1 : 200
                #expect(progress.open == 0 && progress.total == 300 && progress.accepted >= least, "\(progress)")
                for (count, status) in zip(deliveries, statuses) {
                    #expect(status == nil ? count == 1 : status == .unknown && count <= 1)
                }
                if keys == .caller { #expect(progress.unknown == 0) }
            }
        }

        @Test("a slice that ends every worker that has it is quarantined, and the others go on")
        func poison() async throws {
            try await withPostgres { place in
                let world = Self.world(.caller, devices: 12)
                let store = try await place.store(life: Self.life)
                defer { store.close() }
                let person = Self.outbox(world, store)
                try await world.enqueue(person)
                var rounds = 0
                while try await person.progress(now: "sale").slices[.quarantined] == nil {
                    let own = try await place.store(life: Self.life)
                    defer { own.close() }
                    let life = Life(endingAtMessageTo: world.devices[4])
                    let process = Task { try await Self.outbox(world, own, life).run() }
                    life.onEnd.withLock { $0 = { process.cancel() } }
                    if life.isOver { process.cancel() }
                    let isEnded = try await eventually {
                        try await person.progress(now: "sale").slices[.quarantined] != nil || life.isOver
                    }
                    process.cancel()
                    _ = await process.result
                    rounds += 1
                    try #require(isEnded && rounds < 9)
                }
                let worker = Task { try await person.run() }
                let isRest = try await eventually { try await person.progress(now: "sale").accepted == 9 }
                #expect(isRest)
                try await person.resume("sale")
                let isEnded = try await eventually { try await person.progress(now: "sale").state == .finished }
                worker.cancel()
                try await worker.value
                #expect(isEnded)
                #expect(await world.deliveries.allSatisfy { $0 == 1 })
            }
        }

        @Test(
            "runs that end when nothing is left to do now take back what a killed one had",
            arguments: [Keys.none, .caller])
        func untilIdle(_ keys: Keys) async throws {
            try await withPostgres { place in
                let world = Self.world(keys, devices: 12)
                let person = try await place.store(life: Self.life)
                defer { person.close() }
                try await world.enqueue(Self.outbox(world, person))
                let life = Life()
                let killed = try await place.store(life: Self.life)
                let process = Task { try await Self.outbox(world, killed, life).runUntilIdle() }
                life.onEnd.withLock { $0 = { process.cancel() } }
                _ = await process.result
                killed.close()
                #expect(life.isOver)
                let outbox = Self.outbox(world, person)
                // The killed worker keeps its slices until its life is over. Targets that may be resent wait some
                // seconds.
                for _ in 0..<40 where try await outbox.progress(now: "sale").state != .finished {
                    let store = try await place.store(life: Self.life)
                    try await Self.outbox(world, store).runUntilIdle()
                    store.close()
                    try await Task.sleep(for: .milliseconds(300))
                }
                let progress = try await outbox.progress(now: "sale")
                #expect(progress.state == .finished && progress.open == 0)
                #expect(await world.deliveries.allSatisfy { $0 <= 1 })
                #expect(progress.accepted + progress.unknown == 12 && (keys == .none) == (progress.unknown > 0))
            }
        }

        @Test("a run that is counted as gone while it begins carries out its work all the same")
        func goneAtStart() async throws {
            try await withPostgres { place in
                let world = Self.world(.none, devices: 12)
                let inner = try await place.store(life: Self.life)
                defer { inner.close() }
                let store = ForgetfulStore(inner)
                let outbox = Self.outbox(world, store)
                try await world.enqueue(outbox)
                store.during(.orphans) { _ = try? await place.run("DELETE FROM outbox_worker") }
                try await outbox.runUntilIdle()
                #expect(try await outbox.progress(now: "sale").accepted == 12)
                #expect(await world.deliveries.allSatisfy { $0 == 1 })
            }
        }

        @Test("what is on its way when a worker ends stays its own, also for longer than a life")
        func longDrain() async throws {
            try await withPostgres { place in
                let world = Self.world(.none, devices: 3)
                let stores = [try await place.store(), try await place.store(life: Self.life)]
                defer { for store in stores { store.close() } }
                let shift = Shift()
                let client = world.client {
                    $0.clock = SystemClock()
                } whileAnswering: {
                    shift.end()
                    // More than two of its lives pass, while the other worker looks for what is left.
                    await Task {
                        for _ in 0..<3 {
                            await #expect(throws: Never.self) { try await place.age("25 s") }
                            try? await Task.sleep(for: Self.life)
                            // The worker renews its life of 30 seconds.
                            let renewed =
                                "SELECT count(*) FROM outbox_worker WHERE alive_until > clock_timestamp() + interval '20 s'"
                            let isRenewed = try? await eventually { try await place.run(renewed) > 0 }
                            #expect(isRenewed == true)
                        }
                    }.value
                }
                let outbox = PushOutbox(stores[0], routes: ["a": client], settings: Self.settings)
                let recovered = Locked(0)
                let other = Self.outbox(world, stores[1]) { event in
                    if case .recovered = event { recovered.withLock { $0 += 1 } }
                }
                try await world.enqueue(outbox)
                let worker = shift.begin(outbox)
                #expect(try await eventually { await world.deliveries == [1, 1, 1] })
                let standby = Task { try await other.run() }
                try await worker.value
                #expect(try await eventually { try await other.progress(now: "sale").state == .finished })
                standby.cancel()
                try await standby.value
                #expect(try await other.progress(now: "sale").accepted == 3)
                #expect(recovered.withLock { $0 } == 0)
            }
        }

        /// Checks that an outbox reads the times of rows as others wrote them, within fifteen seconds. The wrong
        /// clocks are wrong by more.
        private static func isNear(_ date: Date?, _ other: Date) -> Bool {
            date.map { abs($0.timeIntervalSince(other)) < 15 } ?? false
        }

        @Test(
            "machines whose clocks disagree share a store: all its times are the server's",
            arguments: [-34_646_400.0, 34_646_400, 40])
        func wrongClock(_ wrong: TimeInterval) async throws {
            try await withPostgres { place in
                let world = Self.world(.none, devices: 30)
                let clock = SkewedClock(SystemClock(), lead: wrong)
                let store = try await place.store(life: Self.life) { clock.date }
                let rightStore = try await place.store(life: Self.life)
                defer { for store in [store, rightStore] { store.close() } }
                #expect(store.lead == .seconds(-wrong) && rightStore.lead == .zero)
                // The vendor would refuse a client with a wrong clock.
                let outbox = PushOutbox(
                    store, routes: ["a": world.client { $0.clock = SystemClock() }], settings: Self.settings,
                    clock: clock)
                let right = Self.outbox(world, rightStore)
                // The outbox with the wrong clock prunes neither campaigns nor names.
                try await world.enqueue(right, as: "first")
                let other = Task { try await right.run() }
                #expect(try await eventually { try await right.progress(now: "first").state == .finished })
                #expect(try await outbox.prune() == 0)
                #expect(try await right.campaign("first").state == .finished)
                // Campaigns that it enqueues, in either way, expire and begin at the right times.
                let now = Date.now
                let everyone = world.everyone(from: clock.date.addingTimeInterval(60))
                var options = CampaignOptions()
                options.expiry = .seconds(3_600)
                try await outbox.enqueue(OutboxWorld.message, to: [everyone], as: "second", options: options)
                let prepared = try await outbox.prepare(
                    OutboxWorld.message, to: [everyone], as: "third", options: options)
                let call = try store.statement(enqueuing: prepared)
                try await place.run(call.sql, call.parameter)
                other.cancel()
                try await other.value
                // The JSON function uses the server's date. Only the worker with the wrong clock is running to plan it.
                try await place.run(
                    "SELECT \(place.schema).outbox_enqueue($1)",
                    """
                    {"name": "fourth", "message": {"notification": {"body": "Hello"}}, "expiry": 3600,
                     "to": [{"at": "a", "audience": {"devices": ["\(world.devices[0].rawValue)"]},
                     "notBefore": \(now.addingTimeInterval(60).timeIntervalSince1970)}]}
                    """)
                let worker = Task { try await outbox.run() }
                #expect(try await eventually { try await right.campaign("fourth").state == .active })
                for name: CampaignName in ["second", "third", "fourth"] {
                    let campaign = try await right.campaign(name)
                    #expect(Self.isNear(campaign.createdAt, now), "\(name)")
                    #expect(Self.isNear(campaign.expiresAt, now.addingTimeInterval(3_600)), "\(name)")
                    #expect(Self.isNear(campaign.parts.first?.notBefore, now.addingTimeInterval(60)), "\(name)")
                }
                // It works like any other worker.
                try await world.enqueue(right, as: "fifth")
                #expect(try await eventually { try await right.progress(now: "fifth").state == .finished })
                #expect(Self.isNear(try await right.campaign("fifth").endedAt, .now))
                worker.cancel()
                try await worker.value
                #expect(await world.deliveries.allSatisfy { $0 == 2 })
                // Setting the clock while it works changes nothing either.
                clock.lead.withLock { $0 = 0 }
                #expect(Self.isNear(try await outbox.campaign("second").createdAt, now))
                #expect(store.lead == .zero)
            }
        }

        @Test("two workers at once send each message once")
        func together() async throws {
            try await withPostgres { place in
                let world = Self.world(.none, devices: 600)
                let stores = [try await place.store(life: Self.life), try await place.store(life: Self.life)]
                defer { for store in stores { store.close() } }
                let outboxes = stores.map { Self.outbox(world, $0) }
                try await world.enqueue(outboxes[0])
                let workers = outboxes.map { outbox in Task { try await outbox.run() } }
                let isEnded = try await eventually { try await outboxes[0].progress(now: "sale").state == .finished }
                for worker in workers {
                    worker.cancel()
                    try await worker.value
                }
                #expect(isEnded)
                #expect(await world.deliveries.allSatisfy { $0 == 1 })
                #expect(try await outboxes[1].progress(now: "sale").accepted == 600)
            }
        }

        @Test("calls that race each other and the clock keep every promise", arguments: Keys.allCases)
        func race(_ keys: Keys) async throws {
            try await withPostgres { place in
                let world = Self.world(keys, devices: 30)
                let stores = [try await place.store(life: .seconds(30)), try await place.store(life: .seconds(30))]
                defer { for store in stores { store.close() } }
                let race = Race(
                    world: world, outboxes: stores.map { Self.outbox(world, $0) }, expiry: .milliseconds(150))
                try await race.run(seed: 1)
            }
        }

        @Test("what others get accepted in another part does not speak for a key")
        func doubt() async throws {
            try await withPostgres { place in
                let stores = [try await place.store(), try await place.store()]
                defer { for store in stores { store.close() } }
                let campaign = try await OutboxStoreCheck.stored(stores[0], slices: 2, parts: 2)
                func judge(_ doubt: CredentialCheck) async throws -> CredentialCheck.Verdict {
                    try await doubt.judge(SliceRow.ID(campaign: campaign.id, part: 0, number: 0))
                }
                func accept(part: Int) async throws {
                    let leased = try await OutboxStoreCheck.lease(stores[1], worker: 2).map(\.slice)
                    let changes = leased.map { slice in
                        var slice = slice
                        let isAccepted = slice.id.part == part
                        slice.state = isAccepted ? .done : .ready
                        if isAccepted { slice.outcomes = [.accepted, .accepted, .accepted] }
                        return SliceChange(slice, from: [.leased])
                    }
                    _ = try await stores[1].apply(changes)
                }
                let clock = VirtualClock()
                let doubt = CredentialCheck(PushOutbox(stores[0], routes: [:], clock: clock))
                #expect(try await stores[0].claim(1))
                #expect(try await judge(doubt) == .pausePart)
                #expect(try await stores[1].claim(2))
                #expect(try await judge(doubt) == .leaveRoute)
                #expect(try await judge(doubt) == .hasLeft)
                clock.advance(by: .seconds(60))
                try await accept(part: 0)
                #expect(try await judge(doubt) == .leaveRoute)
                clock.advance(by: .seconds(60))
                try await accept(part: 1)
                #expect(try await judge(doubt) == .pausePart)
            }
        }

        @Test("a worker with an old key leaves the route to another one; if nobody's key is right, the part is paused")
        func oldKey() async throws {
            try await withPostgres { place in
                let world = Self.world(.vendor, devices: 600)
                let stores = [try await place.store(), try await place.store()]
                defer { for store in stores { store.close() } }
                let (left, paused) = (Locked(0), Locked(0))
                func outbox(_ store: any OutboxStore, key: String) -> PushOutbox {
                    var settings = Self.settings
                    settings.credentialDoubt = .seconds(3)
                    settings.onEvent = { event in
                        if case .routeLeft = event { left.withLock { $0 += 1 } }
                        if case .partPaused = event { paused.withLock { $0 += 1 } }
                    }
                    let client = world.client(key: key) { $0.clock = SystemClock() }
                    return PushOutbox(store, routes: ["a": client], settings: settings)
                }
                let (old, new) = (outbox(stores[0], key: "wrong"), outbox(stores[1], key: "right"))
                let oldWorker = Task { try await old.run() }
                var newWorker = Task { try await new.run() }
                #expect(try await eventually { try await stores[1].workers() == 2 })
                try await world.enqueue(new)
                #expect(try await eventually { try await new.progress(now: "sale").state == .finished })
                #expect(try await new.progress(now: "sale").accepted == 600)
                newWorker.cancel()
                try await newWorker.value
                // Now both workers have old keys.
                let other = outbox(stores[1], key: "wrong as well")
                newWorker = Task { try await other.run() }
                #expect(try await eventually { try await stores[1].workers() == 2 })
                let before = left.withLock { $0 }
                try await world.enqueue(new, as: "second")
                #expect(try await eventually { try await !new.progress(now: "second").pausedParts.isEmpty })
                #expect(left.withLock { $0 } > before && paused.withLock { $0 } >= 1)
                for worker in [oldWorker, newWorker] {
                    worker.cancel()
                    try await worker.value
                }
            }
        }

        @Test("a database that is away for longer than a worker may be silent ends no worker")
        func outage() async throws {
            let server = try await PostgresServer()
            try await withPostgres(on: server) { place in
                let world = Self.world(.caller, devices: 300)
                let store = try await place.store(life: Self.life)
                defer { store.close() }
                let failures = Locked(0)
                let outbox = Self.outbox(world, store, failures: failures)
                try await world.enqueue(outbox)
                let worker = Task { try await outbox.run() }
                // While it starts, it would throw.
                #expect(try await eventually { await world.deliveries.contains(1) })
                for _ in 0..<2 {
                    try await server.restart()
                    try await Task.sleep(for: .milliseconds(700))
                }
                // The first call after a restart notices that its session has ended.
                let isEnded = try await eventually {
                    (try? await outbox.progress(now: "sale").state) == .finished
                }
                worker.cancel()
                try await worker.value
                #expect(isEnded && failures.withLock { $0 } > 0)
                #expect(try await outbox.progress(now: "sale").accepted == 300)
                #expect(await world.deliveries.allSatisfy { $0 == 1 })
            }
        }

        @Test(
            "a worker whose sessions are ended again and again goes on, and sends nothing twice",
            arguments: [Keys.none, .vendor, .caller])
        func endedSessions(_ keys: Keys) async throws {
            try await withPostgres { place in
                let world = Self.world(keys, devices: 1_500)
                let store = try await place.store(life: .seconds(30))
                defer { store.close() }
                let failures = Locked(0)
                let outbox = Self.outbox(world, store, failures: failures)
                try await world.enqueue(outbox)
                let worker = Task { try await outbox.run() }
                #expect(try await eventually { await world.deliveries.contains(1) })
                var ended = 0
                while try await place.run("SELECT count(*) FROM outbox_slice WHERE state <> 3") > 0 {
                    ended += try await place.endSessions()
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
                }
                let isEnded = try await eventually {
                    (try? await outbox.progress(now: "sale").state) == .finished
                }
                worker.cancel()
                try await worker.value
                #expect(isEnded && ended > 2 && failures.withLock { $0 } > 0)
                let (deliveries, statuses) = (await world.deliveries, try await world.statuses(outbox))
                for (count, status) in zip(deliveries, statuses) {
                    #expect(status == nil ? count == 1 : status == .unknown && count <= 1)
                }
            }
        }

        @Test("a worker that the database counts as gone begins anew, and sends nothing of what it has lost")
        func countedAsGone() async throws {
            try await withPostgres { place in
                let world = Self.world(.none, devices: 300)
                let store = try await place.store(life: Self.life)
                defer { store.close() }
                let outbox = Self.outbox(world, store)
                try await world.enqueue(outbox)
                let worker = Task { try await outbox.run() }
                for _ in 0..<3 {
                    try await Task.sleep(for: .milliseconds(60))
                    try await place.run("DELETE FROM outbox_worker")
                }
                let isEnded = try await eventually { try await outbox.progress(now: "sale").state == .finished }
                worker.cancel()
                try await worker.value
                #expect(isEnded)
                let (deliveries, statuses) = (await world.deliveries, try await world.statuses(outbox))
                for (count, status) in zip(deliveries, statuses) {
                    #expect(status == nil ? count == 1 : status == .unknown && count <= 1)
                }
                #expect(try await place.run("SELECT count(*) FROM outbox_worker") == 0)
            }
        }
    }
#endif
