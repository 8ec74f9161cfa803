#if PostgreSQL
    import PushAdapter
    @testable import PushPostgres
    import Testing

    @Suite("Refused connections to PostgreSQL")
    struct PostgresLoginTests {
        @Test(
            "the server's and libpq's words say whether to try again",
            arguments: [
                ("FATAL:  the database system is starting up", .transport),
                ("FATAL:  the database system is shutting down", .transport),
                ("FATAL:  the database system is in recovery mode", .transport),
                ("FATAL:  the database system is not yet accepting connections", .transport),
                ("FATAL:  the database system is not accepting connections", .transport),
                ("FATAL:  sorry, too many clients already", .busy),
                ("connection to server on socket failed: No such file or directory", .transport),
                (#"FATAL:  database "shop" does not exist"#, .misconfigured),
                (#"FATAL:  database "shop" is not currently accepting connections"#, .misconfigured),
                (#"FATAL:  role "shop" does not exist"#, .unauthorized),
                (#"FATAL:  password authentication failed for user "shop""#, .unauthorized),
            ] as [(String, PushError.Kind)])
        func refusals(words: String, kind: PushError.Kind) {
            let error = PostgresLogin.refusal(words)
            #expect(error.kind == kind)
            #expect(error.retry == ([.transport, .busy].contains(kind) ? .backoff : .never))
            #expect(!"\(error)".contains("shop"))
        }

        @Test(
            "a time to connect that is too long, endless or no number is refused",
            arguments: [
                ("1", false), ("3600", false), ("0", true), ("-1", true), ("", true), ("ten", true), ("3601", true),
                ("99999999999", true),
            ])
        func timeToConnect(time: String, isRefused: Bool) {
            do throws(PushError) {
                // No server listens on this port.
                _ = try PostgresLogin.open(Secret("postgresql://127.0.0.1:1/shop?connect_timeout=" + time))
                Issue.record("connected")
            } catch {
                #expect(error.kind == (isRefused ? .misconfigured : .transport), "\(error)")
                #expect("\(error)".contains("connect_timeout") == isRefused, "\(error)")
            }
        }
    }
#endif
