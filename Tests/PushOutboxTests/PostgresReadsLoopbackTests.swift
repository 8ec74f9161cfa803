#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushOutboxPostgres
    import PushStoreConformance
    import Testing

    /// Counts the rows and entries of indexes that the server reads for a call of the store.
    @Suite("What a worker reads on PostgreSQL", .timeLimit(.minutes(20)))
    struct PostgresReadsLoopbackTests {
        private struct Call: Sendable {
            typealias Body = @Sendable (_ store: PostgresOutboxStore, _ worker: Int64) async throws -> Void

            let name: String
            let body: Body

            init(_ name: String, _ body: @escaping Body) { (self.name, self.body) = (name, body) }
        }

        private static let start = OutboxStoreCheck.start

        private static func lease(
            _ name: String, _ edit: @escaping @Sendable (inout OutboxLease) -> Void = { _ in }
        ) -> Call {
            Call("a lease \(name)") { store, worker in
                var request = OutboxLease(worker: worker, routes: ["r0", "r1"], limit: 16, now: start)
                edit(&request)
                _ = try await store.lease(request)
            }
        }

        /// The calls of a worker, and those about one campaign or a page of them.
        private static let calls: [Call] = [
            lease("of sixteen slices"), lease("of one") { $0.limit = 1 }, lease("by age") { $0.wantsOldest = true },
            lease("with other ways") { $0.wantsOtherWays = true },
            lease("of what is more urgent") { $0.moreUrgentThan = .normal },
            lease("of recovered slices") { $0.wantsRecovered = true },
            Call("finished slices, and the ends of their campaigns") { store, worker in
                let request = OutboxLease(worker: worker, routes: ["r0"], limit: 4, now: start)
                let changes = try await store.lease(request).map { leased in
                    var slice = leased.slice
                    (slice.state, slice.outcomes) = (.done, [.accepted, .accepted, .accepted])
                    return SliceChange(slice, from: [.leased], owner: worker)
                }
                #expect(try await store.apply(changes) == [true, true, true, true])
                #expect(try await store.endFinished(at: start).count == 4)
            },
            Call("slices of dead workers") { store, worker in _ = try await store.orphans(of: worker) },
            Call("slices of a worker") { store, worker in _ = try await store.leased(by: worker) },
            Call("a renewal") { store, worker in _ = try await store.renew(worker) },
            Call("no end") { store, _ in _ = try await store.endFinished(at: start) },
            Call("pruning") { store, _ in _ = try await store.prune(at: start, limit: 100) },
            Call("campaigns to plan") { store, worker in
                _ = try await store.submitted(for: worker, routes: ["r0"], leaving: [], limit: 16)
            },
            Call("a page") { store, _ in
                let page = try await store.campaigns(.page([.active, .paused], before: nil, limit: 20))
                #expect(page.count == 20)
            },
            Call("one campaign") { store, _ in
                let id = try #require(try await store.campaigns(.named("active")).first).id
                _ = try await store.counts(of: id, part: nil)
                _ = try await store.waiting(of: id, after: nil, limit: 10)
                try await store.pauseParts(of: id, [0], for: "a test")
                try await store.pauseParts(of: id, [0], for: nil)
                try await store.delayPart(of: id, 0, until: start)
                #expect(try await store.move(id, from: [.active], to: .cancelled, at: start))
            },
        ]

        @Test("a call reads no more rows when a thousand campaigns wait than when forty do")
        func reads() async throws {
            let few = try await Self.rowsRead(waiting: 40)
            let many = try await Self.rowsRead(waiting: 1_000)
            for (index, call) in Self.calls.enumerated() {
                #expect(
                    few[index] > 0 && many[index] <= few[index] * 5 / 4 + 20,
                    "\(call.name): \(few[index]), \(many[index])")
            }
        }

        /// The rows that each call reads in a database with this number of campaigns of each sort: active, paused, due
        /// later, and finished.
        private static func rowsRead(waiting count: Int) async throws -> [Int] {
            var rows: [Int] = []
            try await withPostgres { place in
                let store = try await place.store()
                for name in ["active", "paused", "later", "finished"] as [CampaignName] {
                    try await OutboxStoreCheck.stored(store, name, slices: 1)
                }
                let campaigns = try await store.campaigns(.page(Set(Campaign.State.allCases), before: nil, limit: 4))
                for campaign in campaigns {
                    switch campaign.name {
                    case "paused": _ = try await store.move(campaign.id, from: [.active], to: .paused, at: start)
                    case "later":
                        try await store.delayPart(of: campaign.id, 0, until: start.addingTimeInterval(86_400))
                    case "finished":
                        _ = try await store.move(campaign.id, from: [.active], to: .finished, at: start)
                    default: break
                    }
                }
                store.close()
                try await place.run(script: copies(of: campaigns.map(\.id), count, in: place.schema))
                for (number, call) in calls.enumerated() {
                    let before = try await read(at: place)
                    let store = try await place.store()
                    let worker = Int64(number + 1)
                    #expect(try await store.claim(worker))
                    try await call.body(store, worker)
                    store.close()
                    rows.append(try await read(at: place) - before)
                }
            }
            return rows
        }

        /// Copies the rows of campaigns under other numbers and names.
        private static func copies(of campaigns: [Int64], _ count: Int, in schema: String) -> String {
            let ids = campaigns.map(String.init).joined(separator: ", ")
            func copy(_ table: String, _ column: String, _ others: String = "") -> String {
                """
                INSERT INTO \(table) OVERRIDING SYSTEM VALUE
                    SELECT (jsonb_populate_record(t, jsonb_build_object('\(column)', 1000 + t.\(column) * 100000 + n\(others)))).*
                    FROM \(table) t, generate_series(1, \(count - 1)) n WHERE t.\(column) IN (\(ids));

                """
            }
            return """
                SET search_path TO "\(schema)";
                \(copy("outbox_campaign", "id", ", 'name', '\\x' || encode(t.name || n::text::bytea, 'hex')"))
                \(copy("outbox_part", "campaign"))\(copy("outbox_slice", "campaign"))\(copy("outbox_payload", "campaign"))
                ANALYZE outbox_campaign, outbox_part, outbox_slice, outbox_payload;
                """
        }

        /// The rows and entries of indexes that were read so far. A session reports its own at its end.
        private static func read(at place: PostgresPlace) async throws -> Int {
            let isQuiet = try await eventually {
                try await place.run(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(place.schema)'") == 0
            }
            #expect(isQuiet)
            return try await place.run(
                """
                SELECT (SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables
                        WHERE schemaname = '\(place.schema)')
                    + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = '\(place.schema)')
                """)
        }
    }
#endif
