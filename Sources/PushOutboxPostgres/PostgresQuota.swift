#if PostgreSQL
    import PushAdapter
    import PushClient
    import PushPostgres

    /// A shared quota with a row for each bucket, on the server's clock. The row is a token bucket, whose tokens are below
    /// zero while requests wait, or has the units that are left of the day that began at `refilled_at`.
    struct PostgresQuota: SharedQuota {
        let connection: PostgresConnection
        let scope: String

        private static let now = "extract(epoch FROM clock_timestamp())::float8"
        /// The tokens in a row now.
        private static let tokens = "LEAST($3, q.tokens + GREATEST(0, \(now) - q.refilled_at) * $4)"

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration {
            if case .day(let day) = quota.window { return try await take(count, from: bucket, quota, of: day) }
            let seconds = try await change(
                """
                INSERT INTO outbox_quota AS q (scope, bucket, tokens, refilled_at) VALUES ($1, $2, $3 - $5, \(Self.now))
                ON CONFLICT (scope, bucket) DO UPDATE SET tokens = \(Self.tokens) - $5, refilled_at = \(Self.now)
                RETURNING GREATEST(0, -q.tokens / $4, q.paused_until - \(Self.now))
                """, bucket, quota, [.number(Double(count))])
            return .seconds(seconds)
        }

        /// Takes all units or none. Returns the time until midnight, or until the end of a pause, if too few are left.
        private func take(
            _ count: Int, from bucket: QuotaBucket, _ quota: Quota, of day: CalendarDay
        ) async throws -> Duration {
            let start = "(floor((\(Self.now) + $3) / 86400) * 86400 - $3)"
            let left = "(CASE WHEN q.refilled_at < \(start) THEN $4 ELSE q.tokens END)"
            let row: [Argument] = [
                .text(scope), .text(bucket.rawValue), .number(day.utcOffset.seconds), .number(Double(quota.limit)),
                .number(Double(count)),
            ]
            return try await connection.transaction { session in
                try session.run("SET LOCAL synchronous_commit = off")
                // A row for the bucket, with no units taken.
                try session.run(
                    """
                    INSERT INTO outbox_quota (scope, bucket, tokens, refilled_at) VALUES ($1, $2, $4, \(start))
                    ON CONFLICT (scope, bucket) DO NOTHING
                    """, Array(row.prefix(4)))
                var isTaken = false
                try session.run(
                    """
                    UPDATE outbox_quota q SET tokens = \(left) - $5, refilled_at = \(start)
                    WHERE (scope, bucket) = ($1, $2) AND \(left) >= $5 AND q.paused_until <= \(Self.now) RETURNING 0
                    """, row
                ) { _ in isTaken = true }
                guard !isTaken else { return .zero }
                var wait = 0.0
                try session.run(
                    """
                    SELECT CASE WHEN \(left) >= $5 THEN q.paused_until ELSE
                    GREATEST(q.paused_until, \(start) + 86400) END - \(Self.now)
                    FROM outbox_quota q WHERE (scope, bucket) = ($1, $2)
                    """, row
                ) { wait = $0.number(0) }
                return .seconds(max(1, wait))
            }
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
                        .number(capacity / max(0.001, quota.seconds)),
                    ] + more
                ) { answer = $0.number(0) }
                return answer
            }
        }
    }
#endif
