#if PostgreSQL
    import Foundation
    import PushCore
    import PushOutboxPostgres
    import PushPostgres

    /// A server of the tests' own, in a temporary folder, behind a socket in it. A shell keeps it, and ends it when this process
    /// ends, however it ends: then the shell reads the end of its input.
    final class PostgresServer: Sendable {
        struct Failure: Error, CustomStringConvertible { let description: String }

        /// One for all tests that leave it as it is.
        private static let common = Task { try await PostgresServer() }
        static func shared() async throws -> PostgresServer { try await common.value }

        /// Where its socket is.
        let folder: String
        private let shell = Process()
        private let (input, output) = (Pipe(), Pipe())

        private static let script = """
            trap '' INT TERM HUP
            run() {
                if [ "$(id -u)" = 0 ]; then
                    setpriv --reuid postgres --regid postgres --clear-groups "$@" </dev/null >>"$folder/log" 2>&1
                else
                    "$@" </dev/null >>"$folder/log" 2>&1
                fi
            }
            chmod 711 "$parent"
            mkdir -m 700 "$folder" && : >"$folder/log"
            if [ "$(id -u)" = 0 ]; then chown -R postgres:postgres "$folder"; fi
            cd "$folder"
            bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
            data="$folder/data"
            run "$bin/initdb" -D "$data" -U push --auth=trust --encoding=UTF8 --locale=C --no-sync &&
                printf 'local all locked scram-sha-256\\nlocal all all trust\\n' >"$data/pg_hba.conf" &&
                run "$bin/pg_ctl" -D "$data" -w -t 30 -o "-c listen_addresses= -c unix_socket_directories=$folder \
            -c shared_buffers=16MB $options" start && echo ready || { tail -n 20 "$folder/log"; echo failed; }
            while read -r command; do
                run "$bin/pg_ctl" -D "$data" -w -t 30 -m immediate restart && echo ready || echo failed
            done
            run "$bin/pg_ctl" -D "$data" -m immediate stop
            rm -rf "$parent"
            """

        /// Starts a server with these options, and waits until it answers.
        init(options: String = "") async throws {
            // Short, because the path of a socket may have 107 bytes.
            let parent = "/tmp/pushbridge-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: false)
            folder = parent + "/pg"
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", Self.script]
            let environment = ["parent": parent, "folder": folder, "options": options]
            shell.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            (shell.standardInput, shell.standardOutput) = (input, output)
            try shell.run()
            try await answer()
        }

        deinit { try? input.fileHandleForWriting.close() }

        /// Ends the server at once, as a power cut does, and starts it again.
        func restart() async throws {
            try input.fileHandleForWriting.write(contentsOf: Data("restart\n".utf8))
            try await answer()
        }

        private func answer() async throws {
            let text = await withCheckedContinuation { place in
                Thread.detachNewThread { [output] in
                    var text = ""
                    while !text.hasSuffix("ready\n"), !text.hasSuffix("failed\n"),
                        case let data = output.fileHandleForReading.availableData, !data.isEmpty
                    { text += String(decoding: data, as: UTF8.self) }
                    place.resume(returning: text)
                }
            }
            guard text.hasSuffix("ready\n") else {
                throw Failure(description: "no server of PostgreSQL: install the package postgresql. \(text)")
            }
        }
    }

    /// A schema of one test.
    struct PostgresPlace: Sendable {
        let server: PostgresServer
        /// Also what its sessions are called.
        let schema = "t" + UUID().uuidString.prefix(12).lowercased().replacing("-", with: "")
        private let administrator: PostgresConnection

        init(on server: PostgresServer? = nil) async throws {
            if let server { self.server = server } else { self.server = try await .shared() }
            administrator = try PostgresConnection(
                Secret("host=\(self.server.folder) user=push dbname=postgres application_name=a\(schema)"),
                settings: "SET search_path TO \"\(schema)\"")
        }

        var connection: String {
            "host=\(server.folder) user=push dbname=postgres application_name=\(schema)"
        }

        func store(life: Duration = .seconds(30)) async throws -> PostgresOutboxStore {
            try await PostgresOutboxStore(connection, schema: schema, workerLife: life)
        }

        /// Runs a statement, and returns the first number of its last row, or how many rows it has.
        @discardableResult
        func run(_ sql: String) async throws -> Int {
            try await administrator.transaction { session in
                var number: Int?
                let count = try session.run(sql) { number = Int($0.integer(0)) }
                return number ?? count
            }
        }

        /// Runs a statement with a text, as another program would, and undoes it if the body throws afterwards.
        func run(_ sql: String, _ parameter: String, _ body: @escaping @Sendable () throws -> Void = {}) async throws {
            try await administrator.transaction { session in
                try session.run(sql, [.name(parameter)])
                try body()
            }
        }

        /// Holds the rows of all campaigns for some seconds; returns as soon as they are held.
        func holdCampaigns(_ seconds: Int) async throws -> Task<Void, any Error> {
            let holding = Task {
                _ = try await run(
                    """
                    WITH held AS MATERIALIZED (SELECT 1 FROM outbox_campaign FOR UPDATE)
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

        /// Ends all sessions of the test's stores; returns how many.
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

    /// Runs a body with a schema of its own.
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

    /// Waits until something holds, at most a minute.
    func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try await holds() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
#endif
