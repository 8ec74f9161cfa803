import Foundation
import GRDB
import PushAdapter
import PushOutbox
import PushOutboxSQLite
import Testing

@Suite("An outbox in the application's own file")
struct SharedFileTests {
    private struct RolledBack: Error {}

    private func withShop(
        _ body: (OutboxWorld, PushOutbox, SQLiteOutboxStore, DatabasePool) async throws -> Void
    ) async throws {
        try await withFile { path in
            let shop = try DatabasePool(path: path)
            var migrator = DatabaseMigrator()
            // Any program may have chosen this name.
            migrator.registerMigration("v1") { try $0.execute(sql: "CREATE TABLE orders (number INTEGER, state TEXT)") }
            try migrator.migrate(shop)
            let error = #expect(throws: PushError.self) { try SQLiteOutboxStore(path: path) }
            #expect(error?.kind == .misconfigured)
            let store = try SQLiteOutboxStore(path: path, sharing: true)
            let world = OutboxWorld(.vendor, devices: 4)
            let outbox = PushOutbox(store, routes: ["a": world.client()], clock: world.clock)
            try await body(world, outbox, store, shop)
            // The application's migrations still work, and a second store opens the file.
            migrator.registerMigration("v2") { try $0.execute(sql: "CREATE TABLE customers (name TEXT)") }
            try migrator.migrate(shop)
            _ = try SQLiteOutboxStore(path: path, sharing: true)
        }
    }

    private func prepare(
        _ world: OutboxWorld, _ outbox: PushOutbox, _ text: String = "Hello"
    ) async throws -> PreparedCampaign {
        try await outbox.prepare(
            Message(notification: Notification(body: text)), to: [.audience(.devices(world.devices), at: "a")],
            as: "order-1-shipped")
    }

    @Test("a campaign is kept with the caller's transaction, or not at all")
    func transaction() async throws {
        try await withShop { world, outbox, store, shop in
            let shipped = try await prepare(world, outbox)
            await #expect(throws: RolledBack.self) {
                try await shop.write { db in
                    try db.execute(sql: "INSERT INTO orders VALUES (1, 'shipped')")
                    try store.enqueue(shipped, in: db)
                    throw RolledBack()
                }
            }
            #expect(try await outbox.campaigns().isEmpty)
            try await shop.write { db in
                try db.execute(sql: "INSERT INTO orders VALUES (1, 'shipped')")
                try store.enqueue(shipped, in: db)
            }
            // The same campaign enqueued again is one campaign.
            let again = try await prepare(world, outbox)
            try await shop.write { try store.enqueue(again, in: $0) }
            #expect(try await world.finish(outbox, "order-1-shipped"))
            #expect(await world.deliveries == [1, 1, 1, 1])
            let orders = try await shop.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM orders") }
            #expect(orders == 1)
        }
    }

    @Test("another message under a name, another file, and no transaction are refused")
    func refusals() async throws {
        try await withShop { world, outbox, store, shop in
            let shipped = try await prepare(world, outbox)
            try await shop.write { try store.enqueue(shipped, in: $0) }
            let other = try await prepare(world, outbox, "Something else")
            func kind(_ enqueue: () async throws -> Void) async -> PushError.Kind? {
                do { try await enqueue() } catch { return (error as? PushError)?.kind }
                return nil
            }
            #expect(await kind { try await shop.write { try store.enqueue(other, in: $0) } } == .invalidArgument)
            #expect(
                await kind { try await shop.writeWithoutTransaction { try store.enqueue(other, in: $0) } }
                    == .invalidState)
            let elsewhere = try DatabaseQueue()
            #expect(await kind { try await elsewhere.write { try store.enqueue(other, in: $0) } } == .invalidState)
            #expect(await kind { _ = try await outbox.prepare(Message(), to: [], as: "order-2") } == .invalidArgument)
            #expect(try await outbox.progress(now: "order-1-shipped").open == 4)
        }
    }
}
