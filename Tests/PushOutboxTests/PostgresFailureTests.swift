#if PostgreSQL
    import FoundationEssentials
    import PostgresServer
    import PushAdapter
    import PushOutbox
    import PushOutboxPostgres
    import PushStoreConformance
    import Testing

    @Suite("The outbox's store on PostgreSQL, when things go wrong", .timeLimit(.minutes(20)))
    struct PostgresFailureLoopbackTests {
        private static let campaigns = "SELECT 1 FROM outbox_campaign FOR UPDATE"

        @Test("a campaign whose loader's session ends counts as gone")
        func lostLoader() async throws {
            try await withPostgres { place in
                let (first, second) = (try await place.store(), try await place.store())
                defer { for store in [first, second] { store.close() } }
                let left = try await first.create(OutboxStoreCheck.campaign("c")).campaign
                let other = try await first.create(OutboxStoreCheck.campaign("d")).campaign
                #expect(try await !second.create(OutboxStoreCheck.campaign("c")).isNew)
                #expect(try await second.prune(at: OutboxStoreCheck.start, limit: 10) == 0)
                #expect(try await place.endSessions() >= 3)
                let anew = try await second.create(OutboxStoreCheck.campaign("c"))
                #expect(anew.isNew && anew.campaign.id != left.id)
                let id = SliceRow.ID(campaign: other.id, part: 0, number: 0)
                let slice = SliceRow(id: id, notBefore: OutboxStoreCheck.start, outcomes: [.open])
                #expect(try await !first.add([(slice, [1])], to: other.id))
                #expect(try await !first.activate(other.id))
                #expect(try await first.prune(at: OutboxStoreCheck.start, limit: 10) == 1)
                #expect(try await second.campaigns(.all).map(\.id) == [anew.campaign.id])
                #expect(try await second.activate(anew.campaign.id))
            }
        }

        @Test("after the end of all sessions the next call of each kind works")
        func lostSessions() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let campaign = try await OutboxStoreCheck.stored(store)
                #expect(try await store.claim(1))
                #expect(try await place.endSessions() == 2)
                #expect(try await store.campaigns(.all).count == 1)
                #expect(try await store.renew(1))
                #expect(try await OutboxStoreCheck.lease(store).count == 2)
                #expect(try await place.endSessions() == 2)
                #expect(try await store.move(campaign.id, from: [.active], to: .paused, at: OutboxStoreCheck.start))
                #expect(try await store.create(OutboxStoreCheck.campaign("d")).isNew)
                #expect(try await store.leased(by: 1).count == 2)
            }
        }

        @Test("a call fails whose session ends in the middle, and the next one works")
        func lostInBetween() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let campaign = try await OutboxStoreCheck.stored(store)
                let other = try await PostgresPlace(on: place.server)
                let holding = try await place.hold(Self.campaigns, for: 100)
                let moving = Task {
                    try await store.move(campaign.id, from: [.active], to: .paused, at: OutboxStoreCheck.start)
                }
                let isEnded = try await eventually {
                    try await other.run(
                        """
                        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                        WHERE application_name = '\(place.schema)' AND wait_event_type = 'Lock'
                        """) > 0
                }
                #expect(isEnded)
                let error = await #expect(throws: PushError.self) { try await moving.value }
                #expect(error?.kind == .transport && error?.retry == .backoff)
                try await place.endHolding()
                await #expect(throws: PushError.self) { try await holding.value }
                #expect(try await store.move(campaign.id, from: [.active], to: .paused, at: OutboxStoreCheck.start))
            }
        }

        @Test("a date that the tables cannot hold is refused as an argument")
        func beyondRange() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let campaign = try await OutboxStoreCheck.stored(store)
                let end = Date(timeIntervalSinceReferenceDate: 1e13)
                let error = await #expect(throws: PushError.self) {
                    try await store.delayPart(of: campaign.id, 0, until: end)
                }
                #expect(error?.kind == .invalidArgument && error?.retry == .never)
            }
        }

        @Test("a new session refuses tables of another version; where they were right before, a retry may help")
        func migratedMeanwhile() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                _ = try await store.workers()
                let table = "\"\(place.schema)\".outbox_schema"
                try await place.run("INSERT INTO \(table) VALUES (99, now())")
                // The open session does not notice the change.
                _ = try await store.workers()
                try await place.endSessions()
                var error: PushError?
                for _ in 0..<3 where error?.kind != .misconfigured {
                    error = await #expect(throws: PushError.self) { try await store.workers() }
                }
                #expect(error?.kind == .misconfigured && error?.retry == .backoff)
                let other = await #expect(throws: PushError.self) { try await place.reopen() }
                #expect(other?.kind == .misconfigured && other?.retry == .never)
                try await place.run("DELETE FROM \(table) WHERE version = 99")
                _ = try await store.workers()
            }
        }

        @Test("a lock that is held for long is refused as busy")
        func busy() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let campaign = try await OutboxStoreCheck.stored(store)
                // Longer than anybody waits.
                let holding = try await place.hold(Self.campaigns, for: 100)
                let error = await #expect(throws: PushError.self) {
                    try await store.move(campaign.id, from: [.active], to: .paused, at: OutboxStoreCheck.start)
                }
                #expect(error?.kind == .busy)
                try await place.endHolding()
                await #expect(throws: PushError.self) { try await holding.value }
            }
        }

        @Test("an immediate restart of the server loses nothing that was committed")
        func restart() async throws {
            let server = try await PostgresServer()
            try await withPostgres(on: server) { place in
                let store = try await place.store()
                defer { store.close() }
                try await OutboxStoreCheck.stored(store, slices: 2_000)
                let leased = try await OutboxStoreCheck.lease(store, 2_000).map(\.slice)
                let marked = Locked<Set<SliceRow.ID>>([])
                let marking = Task {
                    for slice in leased {
                        var slice = slice
                        slice.state = .sending
                        let change = SliceChange(slice, from: [.leased], owner: 1)
                        if (try? await store.apply([change])) == [true] {
                            marked.withLock { _ = $0.insert(slice.id) }
                        } else {
                            try await Task.sleep(for: .milliseconds(10))
                        }
                    }
                }
                #expect(try await eventually { marked.withLock(\.count) > 100 })
                try await server.restart()
                try await marking.value
                let acknowledged = marked.withLock { $0 }
                let kept = Set(try await store.leased(by: 1).filter { $0.state == .sending }.map(\.id))
                #expect(acknowledged.isSubset(of: kept) && acknowledged.count < 2_000)
                // The outcome of one call is unknown: the call during the server's crash.
                #expect(kept.count - acknowledged.count <= 1)
                #expect(try await store.renew(1))
            }
        }

        @Test("what is active pauses once when the server has another history, unless it is said to lack nothing")
        func restored() async throws {
            let server = try await PostgresServer()
            try await withPostgres(on: server) { place in
                let stores = [try await place.store(), try await place.store()]
                let trusting = try await PostgresOutboxStore(
                    place.connection, schema: place.schema, pausesAfterRestore: false)
                defer { for store in stores + [trusting] { store.close() } }
                let campaign = try await OutboxStoreCheck.stored(stores[0], slices: 40)
                func lease() async throws -> [Int] {
                    var counts: [Int] = []
                    for (index, store) in stores.enumerated() {
                        counts.append(try await OutboxStoreCheck.lease(store, 2, worker: Int64(index + 1)).count)
                    }
                    return counts
                }
                func state() async throws -> (Campaign.State?, String?) {
                    let campaign = try await stores[0].campaigns(.numbered([campaign.id])).first
                    return (campaign?.state, campaign?.reason)
                }
                func recover() async throws {
                    try await server.restart(recovers: true)
                    // The server responds before it accepts changes.
                    let isReady = try await eventually {
                        (try? await place.run("SELECT pg_is_in_recovery()::int")) == 0
                    }
                    #expect(isReady)
                }
                #expect(try await lease() == [2, 2])
                try await server.restart()
                #expect(try await lease() == [2, 2])
                try await recover()
                #expect(try await lease() == [0, 0])
                let paused = try await state()
                #expect(paused.0 == .paused && paused.1?.contains("standby took over") == true)
                #expect(try await stores[1].move(campaign.id, from: [.paused], to: .active, at: OutboxStoreCheck.start))
                #expect(try await lease() == [2, 2])
                let resumed = try await state()
                #expect(resumed.0 == .active && resumed.1 == nil)
                try await recover()
                #expect(try await OutboxStoreCheck.lease(trusting, 2, worker: 3).count == 2)
                #expect(try await lease() == [0, 0])
            }
        }

        @Test("a server that may lose commits is refused", arguments: ["fsync", "full_page_writes"])
        func careless(_ setting: String) async throws {
            let server = try await PostgresServer(options: "-c \(setting)=off")
            let place = try await PostgresPlace(on: server)
            for opening in [place.migrate, { _ = try await PostgresOutboxStore(place.connection) }] {
                let error = await #expect(throws: PushError.self) { try await opening() }
                #expect(error?.kind == .misconfigured && error?.message.contains(setting) == true)
            }
            #expect(try await place.run("SELECT to_regnamespace('\(place.schema)') IS NULL") == 1)
        }

        @Test("a server that only reads, such as a standby, is refused")
        func readOnly() async throws {
            let place = try await PostgresPlace()
            let connection = place.connection + " options='-c default_transaction_read_only=on'"
            for opening in [
                { try await PostgresOutboxStore.migrate(connection, schema: place.schema) },
                { _ = try await PostgresOutboxStore(connection, schema: place.schema) },
            ] {
                let error = await #expect(throws: PushError.self) { try await opening() }
                #expect(error?.kind == .transport)
            }
            #expect(try await place.run("SELECT to_regnamespace('\(place.schema)') IS NULL") == 1)
            try await place.remove()
        }

        @Test("only who is told to creates tables, and tables of another version are refused, and stay as they were")
        func versions() async throws {
            try await withPostgres { place in
                func refusal(_ opening: () async throws -> Void) async -> String {
                    let error = await #expect(throws: PushError.self) { try await opening() }
                    #expect(error?.kind == .misconfigured)
                    return error?.message ?? ""
                }
                func open() async throws {
                    try await PostgresOutboxStore(place.connection, schema: place.schema).close()
                }
                #expect(await refusal(open).contains("has no outbox; run PostgresOutboxStore.migrate"))
                #expect(try await place.run("SELECT to_regnamespace('\(place.schema)') IS NULL") == 1)
                try await place.run("CREATE ROLE \(place.schema) LOGIN")
                let other = place.connection.replacing("user=push", with: "user=\(place.schema)")
                #expect(
                    await refusal { try await PostgresOutboxStore.migrate(other, schema: place.schema) }
                        .contains("the role may not do that"))
                for _ in 0..<2 { try await place.migrate() }
                #expect(try await place.run("SELECT count(*) FROM outbox_schema") == 1)
                try await open()
                #expect(
                    await refusal { _ = try await PostgresOutboxStore(other, schema: place.schema) }
                        .contains("the role may not do that"))
                try await place.run("UPDATE outbox_schema SET version = 0")
                #expect(await refusal(open).contains("has tables of version 0; this library needs 1"))
                try await place.run("UPDATE outbox_schema SET version = 99")
                for opening in [open, place.migrate] { #expect(await refusal(opening).contains("newer version")) }
                #expect(try await place.run("SELECT version FROM outbox_schema") == 99)
            }
        }

        @Test("several processes create the schema at the same moment")
        func together() async throws {
            try await withPostgres { place in
                let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            let store = try await place.store()
                            defer { store.close() }
                            return try await store.create(OutboxStoreCheck.campaign("c")).campaign.id
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(ids.count == 4)
                #expect(try await place.run("SELECT count(*) FROM outbox_campaign") == 1)
            }
        }

        @Test("a process waits while another one creates the schema, for longer than for any other lock")
        func waiting() async throws {
            try await withPostgres { place in
                let lock = "SELECT pg_advisory_xact_lock(hashtextextended('pushbridge schema \(place.schema)', 0))"
                let other = try await place.hold(lock, for: 6)
                try await place.migrate()
                try await other.value
                #expect(try await place.run("SELECT count(*) FROM outbox_schema") == 1)
            }
        }

        @Test("a session that would lose commits is set right, and a stronger one is left")
        func durability() async throws {
            try await withPostgres { place in
                try await place.migrate()
                for (asked, kind) in [("off", 1), ("local", 1), ("remote_apply", 0)] {
                    let store = try await PostgresOutboxStore(
                        place.connection + " options='-c synchronous_commit=\(asked)'", schema: place.schema)
                    #expect(try await store.setting("synchronous_commit") == (kind == 1 ? "on" : asked))
                    store.close()
                }
            }
        }

        @Test("no error holds the password or the string")
        func secrecy() async throws {
            let server = try await PostgresServer.shared()
            let place = try await PostgresPlace(on: server)
            try await place.run("CREATE ROLE locked LOGIN PASSWORD 'right'")
            let secret = "s3cret-Pa55word"
            let strings: [(String, PushError.Kind)] = [
                ("host=\(server.folder) user=locked dbname=postgres password=\(secret)", .unauthorized),
                ("postgresql://locked:\(secret)@/postgres?host=/nonexistent", .transport),
                ("host=\(server.folder) user=push dbname=nowhere password=\(secret)", .misconfigured),
                ("host=\(server.folder) port=\(secret) user=push", .transport),
                ("postgresql://locked:\(secret)@[::1/postgres", .misconfigured),
                ("password=\(secret) \(secret)", .misconfigured),
                ("password=a\u{0}\(secret)", .misconfigured),
            ]
            for (string, kind) in strings {
                let error = await #expect(throws: PushError.self) { try await PostgresOutboxStore(string) }
                #expect(error?.kind == kind, "\(error?.message ?? "")")
                var texts = ""
                if let error { dump(error, to: &texts) }
                texts += "\(String(describing: error)) \(String(reflecting: error))"
                #expect(!texts.contains(secret) && !texts.contains("nonexistent"))
            }
            let store = try await place.store()
            var texts = "\(store)"
            dump(store, to: &texts)
            #expect(!texts.contains("host="))
            store.close()
        }
    }
#endif
