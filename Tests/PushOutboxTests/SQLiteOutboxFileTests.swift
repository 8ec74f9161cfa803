import Foundation
import GRDB
import PushAdapter
import PushOutbox
import PushOutboxSQLite
import PushSimulation
import PushStoreConformance
import TestSupport
import Testing

@Suite("The file of an outbox, when things go wrong")
struct SQLiteOutboxFileTests {
    @Test("a cancelled enqueue leaves nothing, and the name is free at once", .timeLimit(.minutes(20)))
    func cancelledEnqueue() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            let outbox = PushOutbox(store, routes: ["a": OutboxWorld(.none).client()])
            let (devices, feed) = AsyncStream.makeStream(of: DeviceID.self)
            feed.yield("phone-1")
            let enqueuing = Task {
                try await outbox.enqueue(OutboxWorld.message, to: [.devices(devices, at: "a")], as: "sale")
            }
            try await until { try await !store.campaigns(.all).isEmpty }
            enqueuing.cancel()
            let result = await enqueuing.result
            #expect(throws: PushError.self) { try result.get() }
            #expect(try await outbox.campaigns().isEmpty)
            try await outbox.enqueue(
                OutboxWorld.message, to: [.audience(.devices(["phone-1"]), at: "a")], as: "sale")
            #expect(try await outbox.progress(now: "sale").open == 1)
        }
    }

    @Test("a campaign whose creation failed keeps no lock", .timeLimit(.minutes(20)))
    func failedCreation() async throws {
        try await withFile { path in
            let (first, second) = (try SQLiteOutboxStore(path: path), try SQLiteOutboxStore(path: path))
            for round in 0..<150 {
                let name = CampaignName("c\(round)")
                let creating = Task { try await first.create(OutboxStoreCheck.campaign(name)) }
                try await Task.sleep(for: .microseconds(round * 13))
                creating.cancel()
                // The numbers of campaigns that were not created are used again, so a leftover lock would block the
                // next one.
                guard case .failure = await creating.result else { continue }
                let next = try await second.create(OutboxStoreCheck.campaign(name))
                #expect(next.isNew)
                try await second.abandon(next.campaign.id)
            }
        }
    }

    @Test("a store that was closed frees its claim and its campaigns, also while something refers to it")
    func closed() async throws {
        try await withFile { path in
            let (first, second) = (try SQLiteOutboxStore(path: path), try SQLiteOutboxStore(path: path))
            #expect(try await first.claim(1))
            let left = try await first.create(OutboxStoreCheck.campaign("c")).campaign
            try first.close()
            #expect(try await second.claim(2))
            let anew = try await second.create(OutboxStoreCheck.campaign("c"))
            #expect(anew.isNew && anew.campaign.id != left.id)
            await #expect(throws: (any Error).self) { try await first.create(OutboxStoreCheck.campaign("d")) }
        }
    }

    @Test("a file has one worker, by whichever path it was opened")
    func otherPaths() async throws {
        try await withFile { path in
            let first = try SQLiteOutboxStore(path: path)
            let link = path + "-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            let second = try SQLiteOutboxStore(path: link)
            #expect(try await first.claim(1))
            #expect(try await !second.claim(2))
        }
    }

    @Test("columns that a later version adds do not disturb a worker of this one", arguments: OutboxStoreCheck.all)
    func laterColumns(_ check: OutboxStoreCheck) async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await Self.addColumns(path)
            try await check.run(store)
            try store.close()
        }
    }

    private static func addColumns(_ path: String) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { file in
            for table in ["campaign", "part", "slice", "payload", "ended"] {
                try file.execute(sql: "ALTER TABLE outbox_\(table) ADD COLUMN added_later INTEGER NOT NULL DEFAULT 7")
            }
        }
        try queue.close()
    }

    @Test(
        "who opened the file before a later version added columns, and who opened it after, work beside each other",
        arguments: [false, true])
    func besideLaterColumns(isWorkerOlder: Bool) async throws {
        try await withFile { path in
            let older = try SQLiteOutboxStore(path: path)
            try await Self.addColumns(path)
            let newer = try SQLiteOutboxStore(path: path)
            let (worker, caller) = isWorkerOlder ? (older, newer) : (newer, older)
            let campaign = try await OutboxStoreCheck.stored(caller, slices: 20)
            let (slices, ended) = try await OutboxStoreCheck.work(worker, worker: 1)
            #expect(Set(slices).count == 20 && slices.count == 20 && ended == 1)
            #expect(try await caller.counts(of: campaign.id).slices == [.done: 20])
            try older.close()
            try newer.close()
        }
    }

    @Test("another program's database is not written to")
    func untouched() async throws {
        try await withFile { path in
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA auto_vacuum = FULL; CREATE TABLE orders (x)")
            }
            try queue.close()
            let before = try Data(contentsOf: URL(filePath: path))
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
        }
    }

    @Test("a file of a newer version is refused")
    func newer() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            _ = try await store.number(
                "INSERT INTO grdb_migrations (identifier) VALUES ('outbox_campaign-v9') RETURNING 1")
            try store.close()
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured)
            #expect(error?.message.contains("newer version") == true)
        }
    }

    @Test("texts and targets with NUL bytes come back after a restart, byte by byte")
    func zeros() async throws {
        try await withFile { path in
            var store = try SQLiteOutboxStore(path: path)
            var campaign = OutboxStoreCheck.campaign("a\u{0}b")
            campaign.message = [0, 1, 0]
            campaign = try await store.create(campaign).campaign
            let id = SliceRow.ID(campaign: campaign.id, part: 0, number: 0)
            let slice = SliceRow(id: id, notBefore: OutboxStoreCheck.start, outcomes: [.open])
            #expect(try await store.add([(slice, [0, 0, 7, 0])], to: campaign.id))
            #expect(try await store.activate(campaign.id))
            try await store.pauseParts(of: campaign.id, [0], for: "c\u{0}d")
            try store.close()
            store = try SQLiteOutboxStore(path: path)
            #expect(try await store.campaigns(.named("a")).isEmpty)
            let read = try #require(try await store.campaigns(.named("a\u{0}b")).first)
            #expect(read.message == [0, 1, 0] && read.parts[0].pausedFor == "c\u{0}d")
            try await store.pauseParts(of: campaign.id, [0], for: nil)
            let leased = try await OutboxStoreCheck.lease(store)
            #expect(leased.map(\.targets) == [[0, 0, 7, 0]])
        }
    }

    @Test("no step of the worker reads all that the file keeps")
    func plans() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            for hot in SQLiteOutboxStore.Hot.allCases {
                let plan = try await store.plan(of: hot)
                Self.check(plan, of: hot)
            }
        }
    }

    private static func check(_ plan: [String], of hot: SQLiteOutboxStore.Hot) {
        let index = indexes[hot] ?? "none"
        let isIndexed = plan.contains { $0.contains("INDEX \(index)") }
        // Workers hold few slices. A query must not scan or sort a whole table.
        let isScanned = plan.contains {
            $0.hasPrefix("SCAN") && !$0.contains("outbox_slice_quarantined") && !$0.contains("outbox_slice_recovered")
                && !$0.contains("CONSTANT ROW") && !$0.contains("SCAN (subquery")
        }
        let isSorted = plan.contains { $0.contains("TEMP B-TREE") } && hot != .orphans
        #expect(isIndexed && !isScanned && !isSorted, "\(hot): \(plan)")
    }

    private static let indexes: [SQLiteOutboxStore.Hot: String] = [
        .wake: "outbox_part_waits (wakes_at<?)", .queue: "outbox_part_queue (route=?)",
        .ready: "outbox_slice_ready (campaign=? AND part=? AND not_before<?)",
        .settle: "outbox_slice_ready (campaign=? AND part=?)", .recovered: "outbox_slice_recovered",
        .unwait: "outbox_slice_keyed (key_used_at>?)", .orphans: "outbox_slice_quarantined",
        .late: "outbox_campaign_expiry (expires_at<?)", .end: "outbox_slice_open (campaign=?)",
        .prune: "outbox_campaign_ended (<expr><?)",
    ]

    @Test("an enqueue leaves room on the disk for notes and pruning, and is refused before it writes")
    func reserve() async throws {
        try await withFile { path in
            let world = OutboxWorld(.none, devices: 200)
            let roomy = try SQLiteOutboxStore(path: path)
            try await world.enqueue(world.outbox(over: roomy))
            let prepared = try await world.outbox(over: roomy).prepare(
                OutboxWorld.message, to: [world.everyone], as: "third")
            try roomy.close()
            var disk = statvfs()
            #expect(statvfs(path, &disk) == 0)
            let free = Int(disk.f_bavail) * Int(disk.f_frsize)
            // The disk has less space left than the store must keep free.
            let store = try SQLiteOutboxStore(path: path, reserve: free * 2)
            let outbox = world.outbox(over: store)
            let pages = try await store.number("PRAGMA page_count")
            let file = try DatabaseQueue(path: path)
            for enqueue: @Sendable () async throws -> Void in [
                { try await world.enqueue(outbox, as: "second") },
                { try await file.write { try store.enqueue(prepared, in: $0) } },
            ] {
                let error = await #expect(throws: PushError.self) { try await enqueue() }
                #expect(error?.kind == .busy && error?.message.contains("stay for notes and pruning") == true)
            }
            try file.close()
            #expect(try await store.number("PRAGMA page_count") == pages)
            #expect(try await outbox.campaigns(in: Set(Campaign.State.allCases)).map(\.name) == ["sale"])
            // Campaigns already in the store are sent, and are pruned when their time has come.
            #expect(try await world.finish(outbox))
            #expect(await world.deliveries.allSatisfy { $0 == 1 })
            world.clock.advance(by: .seconds(15 * 86_400))
            #expect(try await outbox.prune() > 0)
        }
    }

    @Test("a number that cannot be counted on is refused by the table, and the highest one stops nothing")
    func highestNumbers() async throws {
        try await withFile { path in
            let world = OutboxWorld(.none, devices: 10)
            let store = try SQLiteOutboxStore(path: path)
            let outbox = world.outbox(over: store)
            try await world.enqueue(outbox)
            for column in ["part", "number", "epoch", "crashes", "attempts", "generation", "resent", "open", "unknown"]
            {
                await #expect(throws: (any Error).self, "\(column)") {
                    _ = try await store.number("UPDATE outbox_slice SET \(column) = 9223372036854775807")
                }
            }
            for column in ["epoch", "crashes", "attempts", "generation", "resent"] {
                _ = try await store.number("UPDATE outbox_slice SET \(column) = 2000000000 WHERE number = 0")
            }
            #expect(try await world.finish(outbox))
            #expect(await world.deliveries.allSatisfy { $0 == 1 })
        }
    }

    @Test("what was removed is given back to the disk")
    func shrinking() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            let campaign = try await store.create(OutboxStoreCheck.campaign("c")).campaign
            for number in 0..<500 {
                let id = SliceRow.ID(campaign: campaign.id, part: 0, number: number)
                let slice = SliceRow(id: id, notBefore: OutboxStoreCheck.start, outcomes: [.open])
                _ = try await store.add([(slice, [UInt8](repeating: 7, count: 20_000))], to: campaign.id)
            }
            try await store.abandon(campaign.id)
            let full = try #require(try await store.number("PRAGMA page_count"))
            let old = try await OutboxStoreCheck.stored(store, "old", slices: 200, parts: 3)
            _ = try await store.move(old.id, from: [.active], to: .cancelled, at: OutboxStoreCheck.start)
            while try await store.prune(at: OutboxStoreCheck.start.addingTimeInterval(1e9), limit: 100) > 0 {}
            let left = try #require(try await store.number("PRAGMA page_count"))
            #expect(full > 2_400 && left < full / 10, "\(full) pages, then \(left)")
        }
    }
}
