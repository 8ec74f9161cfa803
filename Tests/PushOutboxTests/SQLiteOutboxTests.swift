import Foundation
import GRDB
import PushAdapter
import PushOutbox
import PushStoreConformance
import TestSupport
import Testing

@testable import PushOutboxSQLite

@Suite("An outbox in a file")
struct SQLiteOutboxTests {
    @Test("two programs exclude each other as workers, and the end of one frees its claim")
    func claims() async throws {
        try await withFile { path in
            var first: SQLiteOutboxStore? = try SQLiteOutboxStore(path: path)
            let second = try SQLiteOutboxStore(path: path)
            #expect(try await first?.claim(1) == true)
            #expect(try await !second.claim(2))
            // An ending process closes its files without releasing anything.
            try first?.close()
            first = nil
            #expect(try await second.claim(2))
        }
    }

    @Test("a worker whose store is closed ends with the reason, and its claim is free", .timeLimit(.minutes(20)))
    func closed() async throws {
        try await withFile { path in
            let world = OutboxWorld(.none, devices: 1)
            let store = try SQLiteOutboxStore(path: path)
            let events = Locked<[OutboxEvent]>([])
            let outbox = world.outbox(over: store) { $0.onEvent = { event in events.withLock { $0.append(event) } } }
            let running = Task { try await outbox.run() }
            await until { events.withLock { $0.contains(.started) } }
            try store.close()
            for run in [running, Task { try await outbox.run() }] {
                let error = await #expect(throws: PushError.self) { try await run.value }
                #expect(error?.kind == .stopped && error?.message.contains("closed") == true)
            }
            #expect(try await SQLiteOutboxStore(path: path).claim(7))
        }
    }

    @Test("a campaign whose loader has ended is begun anew, and one that is being loaded is not")
    func loaders() async throws {
        try await withFile { path in
            var first: SQLiteOutboxStore? = try SQLiteOutboxStore(path: path)
            let second = try SQLiteOutboxStore(path: path)
            let created = try await #require(first).create(OutboxStoreCheck.campaign("c")).campaign
            let other = try await second.create(OutboxStoreCheck.campaign("c"))
            #expect(!other.isNew && other.campaign.id == created.id)
            #expect(try await second.prune(at: OutboxStoreCheck.start, limit: 10) == 0)
            try first?.close()
            first = nil
            let anew = try await second.create(OutboxStoreCheck.campaign("c"))
            #expect(anew.isNew && anew.campaign.id != created.id)
        }
    }

    @Test("what a dead loader left is removed with the rest")
    func abandoned() async throws {
        try await withFile { path in
            var first: SQLiteOutboxStore? = try SQLiteOutboxStore(path: path)
            _ = try await first?.create(OutboxStoreCheck.campaign("c"))
            try first?.close()
            first = nil
            let second = try SQLiteOutboxStore(path: path)
            #expect(try await second.prune(at: OutboxStoreCheck.start, limit: 10) == 1)
            #expect(try await second.campaigns(.all).isEmpty)
        }
    }

    @Test("a commit is on the disk, the files are their owner's, and the file can shrink")
    func durability() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await OutboxStoreCheck.stored(store)
            #expect(try await store.number("PRAGMA synchronous") == 2)
            #expect(try await store.number("PRAGMA auto_vacuum") == 2)
            for name in [path, path + "-lock"] {
                let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            // A program started by this one does not inherit the lock.
            let lock = try #require(
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                        .hasSuffix(path + "-lock") == true
                })
            #expect(fcntl(lock, F_GETFD) & FD_CLOEXEC != 0)
            try store.close()
            let again = try SQLiteOutboxStore(path: path)
            #expect(try await again.campaigns(.all).map(\.name) == ["c"])
            #expect(try await again.openTargets() == 6)
        }
    }

    @Test("a lease reads ready slices by their index, whatever stands in front of them")
    func index() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            for number in 0..<20 {
                let paused = try await OutboxStoreCheck.stored(store, CampaignName("paused-\(number)"), slices: 200)
                _ = try await store.move(paused.id, from: [.active], to: .paused, at: OutboxStoreCheck.start)
            }
            try await OutboxStoreCheck.stored(store, "last", slices: 3)
            let leased = try await OutboxStoreCheck.lease(store, 16)
            #expect(leased.count == 3)
        }
    }

    @Test("a full disk refuses a campaign as a whole, and takes it when there is room")
    func fullDisk() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            let pages = try #require(try await store.number("PRAGMA page_count"))
            _ = try await store.number("PRAGMA max_page_count = \(pages + 20)")
            let outbox = PushOutbox(store, routes: ["a": OutboxWorld(.none).client()])
            let devices = (0..<20_000).map { DeviceID("phone-\($0)") }
            func enqueue() async throws(PushError) {
                try await outbox.enqueue(
                    OutboxWorld.message, to: [.audience(.devices(devices), at: "a")], as: "sale")
            }
            let error = await #expect(throws: PushError.self) { try await enqueue() }
            #expect(error?.kind == .invalidState)
            #expect((error?.underlying as? DatabaseError)?.resultCode == .SQLITE_FULL)
            #expect(try await outbox.campaigns().isEmpty)
            _ = try await store.number("PRAGMA max_page_count = 1000000")
            try await enqueue()
            #expect(try await outbox.progress(now: "sale").open == 20_000)
        }
    }

    @Test(
        "when the disk becomes full under a worker, what it cannot note is not sent; when there is room, all is, once")
    func fullDiskWhileSending() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            let world = OutboxWorld(.vendor, devices: 900)
            let failures = Locked<[String]>([])
            let outbox = world.outbox(over: store) { settings in
                settings.onEvent = { event in
                    if case .storeFailed(let reason) = event { failures.withLock { $0.append(reason) } }
                }
            }
            try await world.enqueue(outbox)
            // A note makes a row longer, which eventually needs a new page.
            _ = try await store.number("PRAGMA max_page_count = 1")
            // The worker ends if it can return its slices. Otherwise it waits for space.
            let worker = Task { try await outbox.runUntilIdle() }
            await until { failures.withLock { $0.contains { $0.contains("full") } } }
            #expect(await world.deliveries.contains(0))
            _ = try await store.number("PRAGMA max_page_count = 1000000")
            try await worker.value
            #expect(try await world.finish(outbox))
            #expect(await world.deliveries.allSatisfy { $0 == 1 })
            #expect(try await outbox.progress(now: "sale").accepted == 900)
            try store.close()
        }
    }

    @Test(
        "a file on a network file system is refused, by the kernel's word for it",
        arguments: [
            "nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph", "virtiofs", "lustre", "beegfs", "gpfs", "vboxsf",
        ])
    func network(_ system: String) async throws {
        try await withFile { path in
            let real = try String(contentsOf: URL(filePath: "/proc/self/mountinfo"), encoding: .utf8)
            func mounts(as system: String) -> String { real.replacing(#/ - \S+ /#, with: " - \(system) ") }
            try ProcessLocks.checkDisk(of: path, mounts: mounts(as: "ext4"))
            let error = #expect(throws: PushError.self) {
                try ProcessLocks.checkDisk(of: path, mounts: mounts(as: system))
            }
            #expect(error?.kind == .misconfigured && error?.message.contains("use a local disk") == true)
        }
    }

    @Test("a lock file that was deleted ends its worker, and no other starts")
    func deletedLock() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            #expect(try await store.claim(1))
            #expect(try await store.renew(1))
            try FileManager.default.removeItem(atPath: path + "-lock")
            var error = await #expect(throws: PushError.self) { try await store.renew(1) }
            #expect(error?.kind == .stopped)
            try await store.release(1)
            error = await #expect(throws: PushError.self) { try await store.claim(2) }
            #expect(error?.kind == .stopped)
        }
    }

    @Test("the process that works is known to another store, also while it loads a campaign")
    func workersProcess() async throws {
        try await withFile { path in
            let (store, other) = (try SQLiteOutboxStore(path: path), try SQLiteOutboxStore(path: path))
            #expect(try await other.facts().workers.isEmpty)
            // The kernel makes one lock of both.
            let loading = try await store.create(OutboxStoreCheck.campaign("c")).campaign
            #expect(loading.id == 1)
            #expect(try await other.facts().workers.isEmpty)
            #expect(try await store.claim(1))
            for one in [store, other] { #expect(try await one.facts().workers.map(\.process) == [getpid()]) }
            try await store.abandon(loading.id)
            #expect(try await other.facts().workers.map(\.process) == [getpid()])
            try await store.release(1)
            #expect(try await other.facts().workers.isEmpty)
        }
    }

    @Test("what is no file of an outbox is refused, and stays as it was")
    func foreignFiles() async throws {
        try await withFile { path in
            try Data("no database at all, but a text that is long enough".utf8).write(to: URL(filePath: path))
            #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(throws: PushError.self) { try SQLiteOutboxStore(path: ":memory:") }
            #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path + "/nowhere/outbox.db") }
            let other = path + "-other"
            let queue = try DatabaseQueue(path: other)
            try await queue.write { try $0.execute(sql: "CREATE TABLE bindings (x)") }
            try queue.close()
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: other) }
            #expect(error?.message.contains("another program's database") == true)
        }
    }
}
