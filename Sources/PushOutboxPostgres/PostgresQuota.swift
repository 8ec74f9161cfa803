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
        /// The midnight at which the calendar day began.
        private static let midnight = "(floor((\(now) + $3) / 86400) * 86400 - $3)"
        /// The units in a row that are left of the calendar day.
        private static let left = "(CASE WHEN q.refilled_at < \(midnight) THEN $4 ELSE q.tokens END)"

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration {
            if case .day(let day) = quota.window { return try await take(count, from: bucket, quota, of: day) }
            let seconds = try await change(
                """
                INSERT INTO outbox_quota AS q (scope, bucket, tokens, refilled_at) VALUES ($1, $2, $3 - $5, \(Self.now))
                ON CONFLICT (scope, bucket) DO UPDATE SET tokens = \(Self.tokens) - $5, refilled_at = \(Self.now)
                RETURNING GREATEST(0, -q.tokens / $4, q.paused_until - \(Self.now))
                """, rate(bucket, quota) + [.number(Double(count))])
            return Self.wait(seconds, atLeast: 0)
        }

        /// Takes all units or none. Returns the time until midnight, or until the end of a pause, if too few are left.
        private func take(
            _ count: Int, from bucket: QuotaBucket, _ quota: Quota, of day: CalendarDay
        ) async throws -> Duration {
            let kept = units(bucket, quota, of: day)
            let row = kept + [.number(Double(count))]
            return try await connection.transaction { session in
                try session.run("SET LOCAL synchronous_commit = off")
                // A row for the bucket, with no units taken.
                try session.run(
                    """
                    INSERT INTO outbox_quota (scope, bucket, tokens, refilled_at) VALUES ($1, $2, $4, \(Self.midnight))
                    ON CONFLICT (scope, bucket) DO NOTHING
                    """, kept)
                var isTaken = false
                try session.run(
                    """
                    UPDATE outbox_quota q SET tokens = \(Self.left) - $5, refilled_at = \(Self.midnight)
                    WHERE (scope, bucket) = ($1, $2) AND \(Self.left) >= $5 AND q.paused_until <= \(Self.now) RETURNING 0
                    """, row
                ) { _ in isTaken = true }
                guard !isTaken else { return .zero }
                var wait = 0.0
                try session.run(
                    """
                    SELECT CASE WHEN \(Self.left) >= $5 THEN q.paused_until ELSE
                    GREATEST(q.paused_until, \(Self.midnight) + 86400) END - \(Self.now)
                    FROM outbox_quota q WHERE (scope, bucket) = ($1, $2)
                    """, row
                ) { wait = $0.number(0) }
                return Self.wait(wait, atLeast: 1)
            }
        }

        func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) async throws {
            let said: [Argument] = [.number(Double(remaining)), .number(pause.bounded.seconds)]
            if case .day(let day) = quota.window {
                try await lower("$4", Self.left, at: Self.midnight, units(bucket, quota, of: day) + said)
            } else {
                try await lower("$3", Self.tokens, at: Self.now, rate(bucket, quota) + said)
            }
        }

        /// Lowers a row. The size, the remainder and its moment are SQL expressions.
        private func lower(
            _ size: String, _ left: String, at moment: String, _ row: [Argument]
        ) async throws {
            _ = try await change(
                """
                INSERT INTO outbox_quota AS q (scope, bucket, tokens, refilled_at, paused_until)
                VALUES ($1, $2, LEAST(\(size), $5), \(moment), \(Self.now) + $6)
                ON CONFLICT (scope, bucket) DO UPDATE SET tokens = LEAST($5, \(left)), refilled_at = \(moment),
                    paused_until = GREATEST(q.paused_until, \(Self.now) + $6)
                RETURNING q.tokens
                """, row)
        }

        /// Which row, and the size and speed of its bucket.
        private func rate(_ bucket: QuotaBucket, _ quota: Quota) -> [Argument] {
            let capacity = Double(max(1, quota.limit))
            return row(bucket, capacity, capacity / max(0.001, quota.seconds))
        }

        /// Which row, when its day begins, and the units of a day.
        private func units(_ bucket: QuotaBucket, _ quota: Quota, of day: CalendarDay) -> [Argument] {
            row(bucket, day.utcOffset.seconds, Double(quota.limit))
        }

        private func row(_ bucket: QuotaBucket, _ third: Double, _ fourth: Double) -> [Argument] {
            [.text(scope), .text(bucket.rawValue), .number(third), .number(fourth)]
        }

        /// Bounded, because other programs can write the row.
        private static func wait(_ seconds: Double, atLeast least: Double) -> Duration {
            .seconds(min(max(least, seconds), 1e9))
        }

        private func change(_ sql: String, _ row: [Argument]) async throws -> Double {
            try await connection.transaction { session in
                try session.run("SET LOCAL synchronous_commit = off")
                var answer = 0.0
                try session.run(sql, row) { answer = $0.number(0) }
                return answer
            }
        }
    }
#endif
