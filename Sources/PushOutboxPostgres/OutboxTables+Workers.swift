#if PostgreSQL
    import FoundationEssentials
    import Glibc
    import PushAdapter
    import PushOutbox
    import PushPostgres

    /// Workers and their lives, measured by the server's clock only.
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
                INSERT INTO outbox_worker (id, host, started_at, alive_until)
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

        /// The server's identifier and the timeline of its log. They differ after a backup was restored or a standby
        /// took over.
        static let history = """
            (SELECT system_identifier::text FROM pg_control_system()) || ' '
                || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
            """

        /// Pauses active campaigns, once, if the server's history differs from the stored one, because marks may be
        /// lost.
        func pauseIfRestored() throws {
            guard !session.isTrusted else { return }
            let isOther =
                try session.run("UPDATE outbox_server SET history = \(Self.history) WHERE history <> \(Self.history)")
                > 0
            guard isOther else {
                session.isTrusted = true
                return
            }
            try session.run(
                "UPDATE outbox_campaign SET state = \(CampaignSQL.paused), reason = $1 WHERE state = \(CampaignSQL.active)",
                [
                    .text(
                        """
                        the database was put back, or a standby took over, and may lack what was sent last; cancel the campaign, \
                        or resume it if nothing is lost
                        """)
                ])
        }

        /// Whether a worker has its row. Keeps the row during this transaction. Does not wait for `renew`.
        func isClaimed(by worker: Int64) throws -> Bool {
            try session.run("SELECT 1 FROM outbox_worker WHERE id = $1 FOR KEY SHARE", [.integer(worker)]) > 0
        }

        static let orphaned = taken(
            "s.owner <> $1 AND NOT EXISTS (SELECT 1 FROM outbox_worker w WHERE w.id = s.owner)")

        /// Removes workers whose life is over. Skips that while this session is younger than a life: after an outage of
        /// the server, all workers get the time to renew.
        func orphans(of worker: Int64, life: Duration) throws -> [SliceRow] {
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

        func facts() throws -> OutboxFacts {
            var facts = OutboxFacts(engine: "PostgreSQL")
            try session.run(
                "SELECT 'PostgreSQL ' || current_setting('server_version'), (SELECT max(version) FROM outbox_schema)"
            ) { (facts.engine, facts.version) = ($0.text(0) ?? "", Int($0.integer(1))) }
            try session.run(
                """
                SELECT name, setting FROM pg_settings
                WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')
                """
            ) { facts.durability[$0.text(0) ?? ""] = $0.text(1) }
            try session.run(
                """
                SELECT id, host, extract(epoch FROM alive_until - clock_timestamp())::float8 FROM outbox_worker
                ORDER BY host, id
                """
            ) { row in
                facts.workers.append(
                    .init(id: row.integer(0), host: row.text(1) ?? "", remaining: .seconds(row.number(2))))
            }
            try session.run(
                """
                SELECT relname::text, pg_total_relation_size(oid) FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                """
            ) { facts.sizes[$0.text(0) ?? ""] = Int($0.integer(1)) }
            return facts
        }

        func leased(by worker: Int64?) throws -> [SliceRow] {
            try slices(Self.taken(worker == nil ? "TRUE" : "s.owner = $1"), worker)
        }
    }
#endif
