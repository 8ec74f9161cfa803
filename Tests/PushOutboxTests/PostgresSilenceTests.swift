#if PostgreSQL
    import Foundation
    import PostgresServer
    import PushAdapter
    import PushPostgres
    import Testing

    @Suite("A server of PostgreSQL that hangs", .timeLimit(.minutes(20)))
    struct PostgresSilenceLoopbackTests {
        /// When the server process of a session hangs.
        enum Moment: CaseIterable {
            case begin, statement, upload, commit, rollback
        }

        private struct Refused: Error {}

        /// The server process of a session. Goes on at the end of the test.
        private final class Backend: Sendable {
            private let id = Locked<pid_t?>(nil)

            var isStopped: Bool { id.withLock { $0 != nil } }

            static func id(_ session: PostgresSession) throws -> pid_t {
                var found: pid_t = 0
                try session.run("SELECT pg_backend_pid()") { found = pid_t(truncatingIfNeeded: $0.integer(0)) }
                return found
            }

            func stop(_ id: pid_t) {
                #expect(id > 1 && kill(id, SIGSTOP) == 0)
                self.id.withLock { $0 = id }
            }

            deinit { if let id = id.withLock({ $0 }) { kill(id, SIGCONT) } }
        }

        /// Makes a call whose server process hangs from a moment on.
        private func call(
            _ connection: PostgresConnection, hangingAt moment: Moment, _ backend: Backend
        ) async throws(PushError) {
            if moment == .begin { backend.stop(try await connection.transaction { try Backend.id($0) }) }
            try await connection.transaction { session in
                if moment != .begin { backend.stop(try Backend.id(session)) }
                switch moment {
                case .begin, .commit: break
                case .statement: try session.run("SELECT 1")
                case .upload: try session.run("SELECT $1", [.bytes(Array(repeating: 1, count: 1 << 25))])
                case .rollback: throw Refused()
                }
            }
        }

        @Test("fails a call as a lost connection does, and the next call works", arguments: Moment.allCases)
        func hangs(_ moment: Moment) async throws {
            try await withPostgres { place in
                let connection = try PostgresConnection(
                    Secret(place.connection), settings: "SELECT 1", longestSilence: .seconds(2))
                defer { connection.close() }
                let backend = Backend()
                var error: PushError?
                // On a busy machine, the call may fail before the server process is stopped.
                while !backend.isStopped {
                    do throws(PushError) { try await call(connection, hangingAt: moment, backend) } catch let failure {
                        error = failure
                    }
                }
                #expect(error?.kind == .transport && error?.retry == .backoff)
                let isBack = try await eventually {
                    (try? await connection.transaction { try $0.run("SELECT 1") }) == 1
                }
                #expect(isBack)
                withExtendedLifetime(backend) {}
            }
        }
    }
#endif
