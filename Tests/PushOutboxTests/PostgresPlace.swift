#if PostgreSQL
    import Foundation
    import PostgresServer
    import PushAdapter
    import PushOutboxPostgres
    import PushPostgres

    /// A schema for one test.
    struct PostgresPlace: Sendable {
        let server: PostgresServer
        /// The schema's name, and the name of its sessions.
        let schema = "t" + UUID().uuidString.prefix(12).lowercased().replacing("-", with: "")
        private let administrator: PostgresConnection

        init(on server: PostgresServer? = nil) async throws {
            if let server { self.server = server } else { self.server = try await .shared() }
            administrator = try PostgresConnection(
                Secret("host=\(self.server.folder) user=push dbname=postgres application_name=a\(schema)"),
                settings: "SET search_path TO \"\(schema)\"", longestSilence: .seconds(300))
        }

        var connection: String {
            "host=\(server.folder) user=push dbname=postgres application_name=\(schema)"
        }

        func migrate() async throws { try await PostgresOutboxStore.migrate(connection, schema: schema) }

        /// A store in the schema. Creates missing tables.
        /// - Parameter clock: the machine's clock.
        func store(
            life: Duration = .seconds(30), clock: @escaping @Sendable () -> Date = { .now }
        ) async throws -> PostgresOutboxStore {
            try await migrate()
            return try await PostgresOutboxStore(connection, schema: schema, workerLife: life, clock: clock)
        }

        /// Opens a store on existing tables, and closes it.
        func reopen() async throws { try await PostgresOutboxStore(connection, schema: schema).close() }

        /// Runs a statement. Returns the first number of its last row, or the number of rows.
        @discardableResult
        func run(_ sql: String) async throws -> Int {
            try await administrator.transaction { session in
                var number: Int?
                let count = try session.run(sql) { number = Int($0.integer(0)) }
                return number ?? count
            }
        }

        /// Runs a statement with a text, as another program would. Rolls it back if the body throws.
        func run(_ sql: String, _ parameter: String, _ body: @escaping @Sendable () throws -> Void = {}) async throws {
            try await administrator.transaction { session in
                try session.run(sql, [.name(parameter)])
                try body()
            }
        }

        /// Runs a statement in a transaction that stays open for some seconds. Returns as soon as the statement has
        /// run.
        func hold(_ statement: String, for seconds: Int) async throws -> Task<Void, any Error> {
            let holding = Task {
                _ = try await run(
                    """
                    WITH held AS MATERIALIZED (\(statement))
                    SELECT count(pg_sleep(\(seconds))) FROM held
                    """)
            }
            let other = try await PostgresPlace(on: server)
            let isHeld = try await eventually {
                try await other.run(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE wait_event = 'PgSleep' AND application_name = 'a\(schema)'
                    """) > 0
            }
            guard isHeld else { throw PostgresServer.Failure(description: "nothing is held") }
            return holding
        }

        /// Ends the transaction of `hold`, which then fails.
        func endHolding() async throws {
            try await PostgresPlace(on: server).run(
                """
                SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE wait_event = 'PgSleep' AND application_name = 'a\(schema)'
                """)
        }

        /// Runs a script with its own transaction.
        func run(script: String) async throws {
            let file = URL(filePath: "/tmp/\(schema).sql")
            try script.write(to: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: file) }
            let psql = try ChildProcess(
                "/usr/bin/env",
                [
                    "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-U", "push", "-d", "postgres",
                    "-f", file.path,
                ])
            guard await psql.end() == 0 else { throw PostgresServer.Failure(description: "psql refused it") }
        }

        /// A connection with another role.
        func session(of role: String) throws -> PostgresConnection {
            try PostgresConnection(
                Secret("host=\(server.folder) user=\(role) dbname=postgres"), settings: "SELECT 1")
        }

        /// Lets a time of the workers' lives pass at once.
        func age(_ time: String) async throws {
            try await run("UPDATE outbox_worker SET alive_until = alive_until - interval '\(time)'")
        }

        /// Ends all sessions of the test's stores. Returns their number.
        @discardableResult
        func endSessions() async throws -> Int {
            try await run(
                """
                WITH ended AS MATERIALIZED (
                    SELECT pg_terminate_backend(pid, 5000) AS is_ended FROM pg_stat_activity
                    WHERE application_name = '\(schema)')
                SELECT count(*) FROM ended WHERE is_ended
                """)
        }

        func remove() async throws {
            try await run("DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE")
            administrator.close()
        }
    }

    /// Runs a body with its own schema.
    func withPostgres(
        on server: PostgresServer? = nil, _ body: (PostgresPlace) async throws -> Void
    ) async throws {
        let place = try await PostgresPlace(on: server)
        do { try await body(place) } catch {
            try? await place.remove()
            throw error
        }
        try await place.remove()
    }

    /// Waits until a condition holds, for at most two minutes.
    func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if try await holds() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
#endif
