#if PostgreSQL
    import Glibc
    import PushOutbox
    import PushPostgres

    /// Workers and their lives, which only the server's clock measures.
    extension OutboxTables {
        private static let host: String = {
            var name = [CChar](repeating: 0, count: 256)
            guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }()

        private func life(_ duration: Duration) -> Argument {
            .integer(Int64(duration / .milliseconds(1)))
        }

        func claim(_ worker: Int64, for life: Duration) throws {
            try session.run(
                """
                INSERT INTO outbox_worker
                VALUES ($1, $2, clock_timestamp(), clock_timestamp() + $3 * interval '1 millisecond')
                ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
                """, [.integer(worker), .name(Self.host), self.life(life)])
        }

        func renew(_ worker: Int64, for life: Duration) throws -> Bool {
            try session.run(
                """
                UPDATE outbox_worker SET alive_until = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = $1
                """, [.integer(worker), self.life(life)]) > 0
        }

        func release(_ worker: Int64) throws {
            try session.run("DELETE FROM outbox_worker WHERE id = $1", [.integer(worker)])
        }

        func workers() throws -> Int {
            var count = 0
            try session.run("SELECT count(*) FROM outbox_worker WHERE alive_until > clock_timestamp()") {
                count = Int($0.integer(0))
            }
            return count
        }

        /// Whether a worker's row is there; it stays during this transaction. Does not wait for `renew`.
        func isClaimed(by worker: Int64) throws -> Bool {
            try session.run("SELECT 1 FROM outbox_worker WHERE id = $1 FOR KEY SHARE", [.integer(worker)]) > 0
        }

        static let orphaned = held(
            "s.owner <> $1 AND NOT EXISTS (SELECT 1 FROM outbox_worker w WHERE w.id = s.owner)")

        /// Forgets workers whose life is over, unless this session is younger than a life: after an outage of the server, all
        /// of them get the time to renew theirs.
        func orphans(of worker: Int64, life: Duration) throws -> [Slice] {
            if ContinuousClock.now - session.start >= life {
                try session.run(
                    """
                    DELETE FROM outbox_worker WHERE id IN (
                        SELECT id FROM outbox_worker WHERE alive_until < clock_timestamp() AND id <> $1
                        FOR UPDATE SKIP LOCKED)
                    """, [.integer(worker)])
            }
            return try slices(Self.orphaned, worker)
        }

        func held(by worker: Int64) throws -> [Slice] { try slices(Self.held("s.owner = $1"), worker) }
    }
#endif
