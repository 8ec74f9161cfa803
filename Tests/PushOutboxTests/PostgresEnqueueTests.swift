#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushOutboxPostgres
    import PushPostgres
    import Testing

    @Suite("Campaigns in the caller's own transaction on PostgreSQL", .timeLimit(.minutes(20)))
    struct PostgresEnqueueLoopbackTests {
        @Test("any program enqueues with JSON in its own transaction, and needs no right but to the schema")
        func submitted() async throws {
            struct RolledBack: Error {}
            try await withPostgres { place in
                // As in a team that runs migrations by hand.
                try await place.run(script: try PostgresOutboxStore.migration(schema: place.schema))
                let owner = try await place.store()
                defer { owner.close() }
                let (shop, worker) = ("shop_\(place.schema)", "worker_\(place.schema)")
                for sql in [
                    "CREATE ROLE \(shop) LOGIN", "GRANT USAGE ON SCHEMA \(place.schema) TO \(shop)",
                    "CREATE ROLE \(worker) LOGIN", "GRANT USAGE ON SCHEMA \(place.schema) TO \(worker)",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(place.schema) TO \(worker)",
                    "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(place.schema) TO \(worker)",
                ] { try await place.run(sql) }
                let world = OutboxWorld(.none, devices: 7)
                let store = try await PostgresOutboxStore(
                    place.connection.replacing("user=push", with: "user=\(worker)"), schema: place.schema)
                defer { store.close() }
                let outbox = world.outbox(over: store)
                func call(_ text: String, to devices: [DeviceID], space: String = "") -> String {
                    let ids = devices.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
                    return """
                        {"name": "order-1", "message": {"notification": {"body": "\(text)"}}, \(space)
                         "to": [{"at": "a", "audience": {"devices": [\(ids)]}}]}
                        """
                }
                let sql = "SELECT \(place.schema).outbox_enqueue($1)"
                let caller = try place.session(of: shop)
                defer { caller.close() }
                func enqueue(_ json: String, _ body: @escaping @Sendable () throws -> Void = {}) async throws {
                    try await caller.transaction { session in
                        // A temporary table cannot make the function write elsewhere.
                        try session.run(script: "CREATE TEMP TABLE outbox_campaign (id INT) ON COMMIT DROP")
                        try session.run(sql, [.name(json)])
                        try body()
                    }
                }
                let shipped = call("Hello", to: world.devices)
                await #expect(throws: PushError.self) { try await enqueue(shipped) { throw RolledBack() } }
                #expect(try await outbox.campaigns().isEmpty)
                try await enqueue(shipped)
                try await enqueue(call("Hello", to: world.devices, space: "   "))
                for (json, code) in [
                    (call("Other", to: world.devices), "23505"), ("{}", "22023"), ("{", "22P02"), ("[]", "22023"),
                ] {
                    let error = await #expect(throws: PushError.self) { try await enqueue(json) }
                    let reason = String(describing: error?.underlying)
                    #expect(reason.contains(code), "\(json): \(reason)")
                }
                await #expect(throws: PushError.self) {
                    try await caller.transaction { _ = try $0.run("SELECT * FROM \(place.schema).outbox_campaign") }
                }
                #expect(try await outbox.progress(now: "order-1").state == .submitted)
                // The name is kept as long as for a campaign that a program enqueues.
                #expect(CampaignOptions().keepsName == .seconds(400 * 86_400))
                #expect(try await place.run("SELECT keeps_name::int8 FROM outbox_campaign") == 400 * 86_400)
                // Two workers plan it at the same time.
                let other = world.outbox(over: owner)
                async let second: Void = other.runUntilIdle()
                try await outbox.runUntilIdle()
                try await second
                #expect(try await world.finish(outbox, "order-1"))
                #expect(await world.deliveries == Array(repeating: 1, count: 7))
                #expect(try await outbox.progress(now: "order-1").total == 7)
                // The same JSON is the same campaign, even after its end.
                try await enqueue(shipped)
                try await outbox.runUntilIdle()
                #expect(await world.deliveries == Array(repeating: 1, count: 7))
            }
        }

        @Test(
            "a name with control characters or of a wrong length, and a part without a route, are refused at once",
            arguments: [
                (#"{"name": null, "to": []}"#, "name"), (#"{"name": "", "to": []}"#, "name"),
                (#"{"name": "a\u001b[2J", "to": []}"#, "name"), (#"{"name": "a\n", "to": []}"#, "name"),
                (#"{"name": "\u007f", "to": []}"#, "name"), (#"{"name": "\u009b2J", "to": []}"#, "name"),
                (#"{"name": "\#(String(repeating: "é", count: 101))", "to": []}"#, "name"),
                (#"{"name": "c", "to": [{"at": "a"}, {"at": null}]}"#, "route"),
                (#"{"name": "c", "to": [{"at": 7}]}"#, "route"), (#"{"name": "c", "to": [{}]}"#, "route"),
                (#"{"name": "c", "to": ["a"]}"#, "route"), (#"{"name": "c", "to": "a"}"#, "route"),
                (#"{"name": "c", "to": []}"# + String(repeating: " ", count: 4 << 20), "bytes of JSON"),
            ])
        func refused(_ json: String, _ what: String) async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let error = await #expect(throws: PushError.self) {
                    try await place.run("SELECT \(place.schema).outbox_enqueue($1)", json)
                }
                let reason = String(describing: error?.underlying)
                #expect(reason.contains("22023") && reason.contains(what), "\(reason)")
                #expect(try await store.campaigns(.page(Campaign.live, before: nil, limit: 1)).isEmpty)
            }
        }

        @Test(
            "names of every other kind are taken", arguments: [String(repeating: "é", count: 100), " ", "特卖 ~ƛ", "Á"])
        func taken(_ name: String) async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                try await place.run(
                    "SELECT \(place.schema).outbox_enqueue($1)", #"{"name": "\#(name)", "to": [{"at": "a"}]}"#)
                #expect(try await store.campaigns(.named(CampaignName(name))).map(\.state) == [.submitted])
            }
        }

        @Test("a name whose campaign is removed at the same moment fails the transaction, which may be tried again")
        func removedMeanwhile() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                // What `outbox_enqueue` calls if the name was taken.
                let error = await #expect(throws: PushError.self) {
                    try await place.run("SELECT \(place.schema).outbox_kept(convert_to($1, 'UTF8'), '')", "gone")
                }
                let reason = String(describing: error?.underlying)
                #expect(reason.contains("40001"), "\(reason)")
            }
        }

        @Test("a worker reads long campaigns in JSON a few at a time, the urgent and old ones first")
        func longOnes() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                #expect(try await store.claim(1))
                let blanks = String(repeating: " ", count: 3 << 20)
                for number in 0..<8 {
                    let priority = number == 7 ? #", "priority": "urgent""# : ""
                    try await place.run(
                        "SELECT \(place.schema).outbox_enqueue($1)",
                        #"{"name": "c\#(number)", "to": [{"at": "a"}]\#(priority)}"# + blanks)
                }
                let names = try await store.submitted(for: 1, routes: ["a"], leaving: [], limit: 100).map(\.name)
                // Six of three MiB are the first that exceed sixteen.
                #expect(names == ["c7", "c0", "c1", "c2", "c3", "c4"])
                // The others are left to other workers.
                #expect(try await store.submitted(for: 2, routes: ["a"], leaving: [], limit: 100).count == 2)
            }
        }

        @Test("who may enqueue may not write rows, and rows that cannot be are refused to who may")
        func rights() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let world = OutboxWorld(.vendor, devices: 3)
                let prepared = try await world.outbox(over: store).prepare(
                    OutboxWorld.message, to: [.audience(.devices(world.devices), at: "a")], as: "order-1")
                let call = try store.statement(enqueuing: prepared)
                let shop = "rows_\(place.schema)"
                for sql in ["CREATE ROLE \(shop) LOGIN", "GRANT USAGE ON SCHEMA \(place.schema) TO \(shop)"] {
                    try await place.run(sql)
                }
                let caller = try place.session(of: shop)
                defer { caller.close() }
                func reason(_ sql: String, _ parameter: String) async -> String {
                    let error = await #expect(throws: PushError.self) {
                        try await caller.transaction { try $0.run(sql, [.name(parameter)]) }
                    }
                    return String(describing: error?.underlying)
                }
                #expect(await reason(call.sql, call.parameter).contains("42501"))
                // "slices" is a key that workers do not know.
                let json = #"{"name": "order-2", "slices": [{"targets": -1}], "message": {}, "to": []}"#
                _ = try await caller.transaction {
                    try $0.run("SELECT \(place.schema).outbox_enqueue($1)", [.name(json)])
                }
                try await place.run(
                    "GRANT EXECUTE ON FUNCTION \(place.schema).outbox_enqueue_prepared(TEXT) TO \(shop)")
                for (right, wrong) in [
                    (#""targets":3"#, #""targets":-1"#), (#""targets":3"#, #""targets":2000000000"#),
                    (#""state":0"#, #""state":77"#), (#""open":3"#, #""open":-3"#), (#""number":0,"#, #""number":-1,"#),
                    (#""priority":1"#, #""priority":9"#), (#""keeps":1209600"#, #""keeps":-1"#),
                ] {
                    #expect(call.parameter.contains(right), "\(right)")
                    #expect(
                        await reason(call.sql, call.parameter.replacing(right, with: wrong)).contains("23514"),
                        "\(wrong)")
                }
                _ = try await caller.transaction { try $0.run(call.sql, [.name(call.parameter)]) }
                let outbox = world.outbox(over: store)
                #expect(try await world.finish(outbox, "order-1"))
                #expect(await world.deliveries == [1, 1, 1])
                #expect(try await outbox.progress(now: "order-2").state == .refused)
            }
        }

        @Test("a campaign is kept with the caller's transaction, or not at all")
        func callersTransaction() async throws {
            struct RolledBack: Error {}
            try await withPostgres { place in
                let store = try await place.store()
                defer { store.close() }
                let world = OutboxWorld(.vendor, devices: 7)
                let outbox = world.outbox(over: store)
                func statement(_ text: String) async throws -> (sql: String, parameter: String) {
                    let devices = world.devices + [world.devices[0], DeviceID("no\u{0}device")]
                    let prepared = try await outbox.prepare(
                        Message(notification: Notification(body: text)),
                        to: [.audience(.devices(devices), at: "a")], as: "order-1-shipped")
                    return try store.statement(enqueuing: prepared)
                }
                let shipped = try await statement("Hello")
                await #expect(throws: PushError.self) {
                    try await place.run(shipped.sql, shipped.parameter) { throw RolledBack() }
                }
                #expect(try await outbox.campaigns().isEmpty)
                try await place.run(shipped.sql, shipped.parameter)
                let again = try await statement("Hello")
                try await place.run(again.sql, again.parameter)
                let other = try await statement("Something else")
                let error = await #expect(throws: PushError.self) {
                    try await place.run(other.sql, other.parameter)
                }
                let reason = String(describing: error?.underlying)
                #expect(reason.contains("23505"), "\(reason)")
                #expect(try await outbox.progress(now: "order-1-shipped").total == 9)
                #expect(try await world.finish(outbox, "order-1-shipped"))
                #expect(await world.deliveries == Array(repeating: 1, count: 7))
                let statuses = try await outbox.progress(now: "order-1-shipped").targets
                #expect(statuses == [.accepted: 7, .duplicate: 1, .malformed: 1])
            }
        }
    }
#endif
