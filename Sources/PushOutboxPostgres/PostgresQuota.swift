#if PostgreSQL
    import PushAdapter
    import PushClient
    import PushPostgres

    /// A shared quota with a row for each bucket: a token bucket on the server's clock. Tokens are below zero while
    /// requests wait.
    struct PostgresQuota: SharedQuota {
        let connection: PostgresConnection
        let scope: String

        private static let now = "extract(epoch FROM clock_timestamp())::float8"
        /// The tokens in a row now.
        private static let tokens = "LEAST($3, q.tokens + GREATEST(0, \(now) - q.refilled_at) * $4)"

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration {
            let seconds = try await change(
                """
                INSERT INTO outbox_quota AS q (scope, bucket, tokens, refilled_at) VALUES ($1, $2, $3 - $5, \(Self.now))
                ON CONFLICT (scope, bucket) DO UPDATE SET tokens = \(Self.tokens) - $5, refilled_at = \(Self.now)
                RETURNING GREATEST(0, -q.tokens / $4, q.paused_until - \(Self.now))
                """, bucket, quota, [.number(Double(count))])
            return .seconds(seconds)
        }

        func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) async throws {
            _ = try await change(
                """
                INSERT INTO outbox_quota AS q (scope, bucket, tokens, refilled_at, paused_until)
                VALUES ($1, $2, LEAST($3, $5), \(Self.now), \(Self.now) + $6)
                ON CONFLICT (scope, bucket) DO UPDATE SET
                    tokens = LEAST($5, \(Self.tokens)), refilled_at = \(Self.now),
                    paused_until = GREATEST(q.paused_until, \(Self.now) + $6)
                RETURNING $4
                """, bucket, quota, [.number(Double(remaining)), .number(pause.seconds)])
        }

        private func change(
            _ sql: String, _ bucket: QuotaBucket, _ quota: Quota, _ more: [Argument]
        ) async throws -> Double {
            let capacity = Double(max(1, quota.limit))
            return try await connection.transaction { [scope] session in
                try session.run("SET LOCAL synchronous_commit = off")
                var answer = 0.0
                try session.run(
                    sql,
                    [
                        .text(scope), .text(bucket.rawValue), .number(capacity),
                        .number(capacity / max(0.001, quota.window.seconds)),
                    ] + more
                ) { answer = $0.number(0) }
                return answer
            }
        }
    }
#endif
