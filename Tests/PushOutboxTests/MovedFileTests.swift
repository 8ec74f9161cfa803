import Foundation
import PushAdapter
import PushOutbox
import PushOutboxSQLite
import PushSQLite
import PushSimulation
import PushSimulationTesting
import PushStoreConformance
import TestSupport
import Testing

/// SQLite keeps using its open file. After the file is moved, it writes to a file that no other process finds.
@Suite("The file of an outbox, when it is moved")
struct MovedFileTests {
    private static func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    private static func kind(_ body: () async throws -> Void) async -> PushError.Kind? {
        do { try await body() } catch { return (error as? PushError)?.kind }
        return nil
    }

    /// The damage to the file while a worker uses it, or only to its log.
    enum Harm: CaseIterable, Sendable {
        case moved, removed, replaced, movedWithAll, logRemoved, logMoved, lockRemoved

        func happen(to path: String) throws {
            let files = FileManager.default
            switch self {
            case .moved: try MovedFileTests.move(path, path + "-away")
            case .removed: try files.removeItem(atPath: path)
            case .replaced:
                try MovedFileTests.move(path, path + "-away")
                try files.copyItem(atPath: path + "-away", toPath: path)
            case .movedWithAll:
                for name in ["", "-wal", "-shm", "-lock"] {
                    try MovedFileTests.move(path + name, path + "-away" + name)
                }
            case .logRemoved: try files.removeItem(atPath: path + "-wal")
            case .logMoved: try MovedFileTests.move(path + "-wal", path + "-away")
            case .lockRemoved: try files.removeItem(atPath: path + "-lock")
            }
        }
    }

    @Test("nothing is noted, leased or kept any more, and the worker has no claim", arguments: Harm.allCases)
    func noticed(_ harm: Harm) async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await OutboxStoreCheck.stored(store)
            let leased = try await OutboxStoreCheck.lease(store)
            try harm.happen(to: path)
            #expect(await Self.kind { _ = try await store.renew(1) } == .stopped)
            // Only workers use the lock.
            guard harm != .lockRemoved else { return }
            var slice = leased[0].slice
            slice.state = .sending
            let change = SliceChange(slice, from: [.leased])
            #expect(await Self.kind { _ = try await store.apply([change]) } == .stopped)
            #expect(await Self.kind { _ = try await OutboxStoreCheck.lease(store) } == .stopped)
            #expect(await Self.kind { _ = try await store.create(OutboxStoreCheck.campaign("d")) } == .stopped)
        }
    }

    @Test("a worker ends with the reason and sends nothing more", arguments: [false, true])
    func worker(isWhole: Bool) async throws {
        try await withFile { path in
            let world = OutboxWorld(.none)
            let store = try SQLiteOutboxStore(path: path)
            let outbox = world.outbox(over: store)
            try await world.enqueue(outbox)
            try (isWhole ? Harm.movedWithAll : .moved).happen(to: path)
            let error = await #expect(throws: PushError.self) { try await outbox.run() }
            #expect(error?.kind == .stopped && error?.message.contains("replaced") == true)
            #expect(await world.deliveries.allSatisfy { $0 == 0 })
        }
    }

    @Test("a worker ends although what it knows of an answer can be written nowhere; the next one calls it unknown")
    func answer() async throws {
        try await withFile { path in
            let world = OutboxWorld(.none, devices: 3)
            let store = try SQLiteOutboxStore(path: path)
            let client = world.client(whileAnswering: { try? Harm.moved.happen(to: path) })
            let outbox = world.outbox(client: client, over: store)
            try await world.enqueue(outbox)
            let error = await #expect(throws: PushError.self) { try await outbox.run() }
            #expect(error?.kind == .stopped)
            try Self.move(path + "-away", path)
            try store.close()
            let next = world.outbox(over: try SQLiteOutboxStore(path: path))
            #expect(try await world.finish(next))
            #expect(await world.deliveries == [1, 1, 1])
            #expect(try await next.progress(now: "sale").unknown == 3)
        }
    }

    @Test("no file is created in the place of one that was moved away, and nothing is lost when it is back")
    func movedBack() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await OutboxStoreCheck.stored(store)
            var slice = try await OutboxStoreCheck.lease(store, 1)[0].slice
            slice.state = .sending
            #expect(try await store.apply([SliceChange(slice, from: [.leased])]) == [true])
            try Self.move(path, path + "-away")
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured)
            // Connections for reading, which SQLite opens late, would create it too.
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try? await store.campaigns(.all) } }
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            try Self.move(path + "-away", path)
            let again = try SQLiteOutboxStore(path: path)
            #expect(try await again.leased(by: 1) == [slice])
        }
    }

    @Test("no file is created while a program works on one that was moved away with its log")
    func movedWithLog() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            #expect(try await store.claim(1))
            for name in ["", "-wal", "-shm"] { try Self.move(path + name, path + "-away" + name) }
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured && error?.message.contains("a program works on it") == true)
            #expect(!FileManager.default.fileExists(atPath: path))
            try store.close()
            _ = try SQLiteOutboxStore(path: path)
        }
    }

    @Test("a lock file that root creates belongs to the owner of the database", .enabled(if: geteuid() == 0))
    func owner() async throws {
        try await withFile { path in
            try SQLiteOutboxStore(path: path).close()
            try FileManager.default.removeItem(atPath: path + "-lock")
            for name in ["", "-wal", "-shm"] { _ = chown(path + name, 65_534, 65_534) }
            _ = try SQLiteOutboxStore(path: path)
            var file = stat()
            #expect(stat(path + "-lock", &file) == 0 && file.st_uid == 65_534 && file.st_gid == 65_534)
        }
    }

    @Test("a log without its file, and an empty file, are no new outbox")
    func remains() async throws {
        try await withFile { path in
            try Data([1]).write(to: URL(filePath: path + "-wal"))
            var error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured && error?.message.contains("-wal") == true)
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.removeItem(atPath: path + "-wal")
            try Data().write(to: URL(filePath: path))
            error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured && error?.message.contains("is empty") == true)
            try FileManager.default.removeItem(atPath: path)
            _ = try SQLiteOutboxStore(path: path)
        }
    }

    /// The size of a file; nil if there is none.
    private static func size(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
    }

    @Test("a path through a file is refused with the reason")
    func place() async throws {
        try await withFile { path in
            try Data().write(to: URL(filePath: path))
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path + "/outbox.db") }
            #expect(error?.message.contains("cannot be created: Not a directory") == true, "\(error as Any)")
        }
    }

    @Test("a process that is killed while it creates the file leaves no empty one, and the next one goes on")
    func creation() async throws {
        try await withFile { path in
            let sizes = Locked<[Int?]>([])
            // SQLite asks for the settings whenever it opens the file, also under another name.
            let file = SQLiteFile(
                path: path, contents: "notes", table: "note", versions: ["CREATE TABLE note (text TEXT)"]
            ) { _ in
                sizes.withLock { $0.append(Self.size(of: path)) }
                return ""
            }
            // Ends before the table is created.
            #expect(throws: PushError.self) {
                try file.open { () throws(PushError) in throw PushError(.invalidState, "no lock") }
            }
            #expect(sizes.withLock { $0.contains(nil) && !$0.contains(0) })
            _ = try file.open()
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.contains("-new-") }, "\(names)")
        }
    }

    @Test("a new file of a store that does not open is not left behind empty")
    func lock() async throws {
        try await withFile { path in
            try FileManager.default.createDirectory(atPath: path + "-lock", withIntermediateDirectories: false)
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured && error?.message.contains("-lock") == true)
            #expect(Self.size(of: path) != 0)
            try FileManager.default.removeItem(atPath: path + "-lock")
            _ = try SQLiteOutboxStore(path: path)
        }
    }
}
