#if SQLite
    public import FoundationEssentials
    import GRDB
    public import PushOutbox
    import PushSQLite

    /// Maintenance, facts, and queries of tests.
    extension SQLiteOutboxStore {
        public func endFinished(at date: Date) async throws -> [Campaign] {
            try await write { try OutboxTables($0).endFinished(at: date) }
        }

        public func prune(at date: Date, limit: Int) async throws -> Int {
            let count = try await write { [locks] db in
                try OutboxTables(db).prune(at: date, limit: limit) { !locks.isHeld(.loader($0)) }
            }
            if count > 0 {
                // Frees a bounded part, so that no other call waits long.
                try await writeWithoutTransaction { try $0.execute(sql: "PRAGMA incremental_vacuum(500)") }
            }
            return count
        }

        public func facts() async throws -> OutboxFacts {
            let workers = locks.isHeld(.worker) ? [locks.holder(of: .worker)] : []
            return try await writeWithoutTransaction { db in
                func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
                let engine = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
                var facts = OutboxFacts(engine: "SQLite \(engine)")
                let levels = ["OFF", "NORMAL", "FULL", "EXTRA"]
                facts.durability["synchronous"] = levels[min(3, try number("PRAGMA synchronous"))]
                facts.durability["journal_mode"] = try String.fetchOne(db, sql: "PRAGMA journal_mode")
                facts.workers = workers.map { .init(host: "this machine", process: $0, remaining: nil) }
                let page = try number("PRAGMA page_size")
                facts.sizes = [
                    "file": try number("PRAGMA page_count") * page, "free": try number("PRAGMA freelist_count") * page,
                ]
                return facts
            }
        }

        /// Runs a statement that returns one number; for tests.
        package func number(_ sql: String) async throws -> Int? {
            try await write { try Int.fetchOne($0, sql: sql) }
        }

        /// Statements whose speed must not depend on the size of the file.
        package enum Hot: String, Sendable, CaseIterable {
            case wake, queue, ready, settle, recovered, unwait, orphans, late, end, prune
        }

        /// SQLite's query plan of one of them; for tests.
        package func plan(of hot: Hot) async throws -> [String] {
            let sql =
                switch hot {
                case .wake: OutboxTables.wake
                case .queue: OutboxTables.queue("")
                case .ready: OutboxTables.readySlices
                case .settle: OutboxTables.settle
                case .recovered: OutboxTables.recovered
                case .unwait: OutboxTables.unwait
                case .orphans: OutboxTables.orphans
                case .late: OutboxTables.late
                case .end: OutboxTables.isOpen
                case .prune: OutboxTables.oldest
                }
            return try await read { db in
                var lines: [String] = []
                let query = try Query("EXPLAIN QUERY PLAN " + sql, in: db)
                try query.run { lines.append(query.text(3) ?? "") }
                return lines
            }
        }
    }
#endif
