#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushPostgres

    // Campaigns that end and go.
    extension OutboxTables {
        func remove(_ campaign: Int64) throws {
            try removeContents(of: campaign)
            try session.run("DELETE FROM outbox_campaign WHERE id = $1", [.integer(campaign)])
        }

        private func removeContents(of campaign: Int64) throws {
            for table in ["outbox_payload", "outbox_slice", "outbox_part"] {
                try session.run("DELETE FROM \(table) WHERE campaign = $1", [.integer(campaign)])
            }
        }

        /// Looks only at campaigns that have a slice that ended since the last call, or that expired. Looks at some at
        /// once.
        func endFinished(at date: Date) throws -> [Campaign] {
            var candidates: Set<Int64> = []
            try session.run(
                """
                DELETE FROM outbox_ended WHERE id IN (
                    SELECT id FROM outbox_ended ORDER BY id LIMIT \(Self.mostEnded) FOR UPDATE SKIP LOCKED)
                RETURNING campaign
                """
            ) { candidates.insert($0.integer(0)) }
            try session.run(
                """
                SELECT id FROM outbox_campaign WHERE \(CampaignSQL.isBegun) AND expires_at <= $1
                ORDER BY expires_at LIMIT \(Self.mostEnded)
                """, [.date(date)]
            ) { candidates.insert($0.integer(0)) }
            guard !candidates.isEmpty else { return [] }
            let ending = try ending(at: date, among: candidates.sorted())
            guard !ending.isEmpty else { return [] }
            // Checks again with the campaigns locked. Skips campaigns that another worker ends, because that worker
            // reports them.
            var locked: [Int64] = []
            try session.run(
                "SELECT id FROM outbox_campaign WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED",
                [.integers(ending.map(\.id))]
            ) { locked.append($0.integer(0)) }
            try noteEnded(Set(ending.map(\.id)).subtracting(locked))
            let ended = try self.ending(at: date, among: locked)
                .filter { try move($0.id, from: [.active, .paused], to: $0.state, at: date) }
            return try campaigns(.numbered(Set(ended.map(\.id))))
        }

        private static let mostEnded = 500

        private func ending(at date: Date, among ids: [Int64]) throws -> [(id: Int64, state: Campaign.State)] {
            var ended: [(id: Int64, state: Campaign.State)] = []
            try session.run(
                """
                SELECT id, EXISTS (SELECT 1 FROM outbox_slice WHERE campaign = id AND state <> \(SliceSQL.done)),
                    expires_at <= $1
                        AND NOT EXISTS (
                            SELECT 1 FROM outbox_slice WHERE campaign = id AND \(SliceSQL.hasWorker()))
                FROM outbox_campaign WHERE \(CampaignSQL.isBegun) AND id = ANY($2) ORDER BY id
                """, [.date(date), .integers(ids)]
            ) { row in
                if row.integer(1) == 0 {
                    ended.append((row.integer(0), .finished))
                } else if row.integer(2) != 0 {
                    ended.append((row.integer(0), .expired))
                }
            }
            return ended
        }

        /// Uses an index: a month of small campaigns is a million rows, and each worker asks four times a second.
        static let oldest = """
            SELECT id, ended_at + keeps_name <= $1 FROM outbox_campaign
            WHERE ended_at IS NOT NULL AND ended_at + keeps <= $1
            ORDER BY ended_at + keeps LIMIT 1 FOR UPDATE SKIP LOCKED
            """

        func prune(at date: Date, limit: Int) throws -> Int {
            var sum = 0
            while sum < limit {
                let count = try pruneOne(at: date, limit: limit - sum)
                guard count > 0 else { break }
                sum += count
            }
            return sum
        }

        private func pruneOne(at date: Date, limit: Int) throws -> Int {
            var old: Int64?
            var keepsName = false
            try session.run(Self.oldest, [.date(date)]) { (old, keepsName) = ($0.integer(0), $0.integer(1) == 0) }
            if old == nil { old = try abandoned() }
            guard let old else { return 0 }
            var count = 0
            try session.run(
                """
                WITH old AS (
                    DELETE FROM outbox_slice WHERE (campaign, part, number) IN (
                        SELECT campaign, part, number FROM outbox_slice WHERE campaign = $1 ORDER BY part, number LIMIT $2)
                    RETURNING campaign, part, number
                ), sent AS (
                    DELETE FROM outbox_payload p USING old o
                    WHERE p.campaign = o.campaign AND p.part = o.part AND p.number = o.number
                ) SELECT count(*) FROM old
                """, [.integer(old), .integer(Int64(limit))]
            ) { count = Int($0.integer(0)) }
            guard count < limit else { return count }
            if keepsName {
                try removeContents(of: old)
                try session.run(
                    "UPDATE outbox_campaign SET state = \(CampaignSQL.removed), message = '', keeps = keeps_name WHERE id = $1",
                    [.integer(old)])
            } else {
                try remove(old)
            }
            return max(1, count)
        }

        /// A loading campaign whose process has ended.
        private func abandoned() throws -> Int64? {
            var loading: [Int64] = []
            try session.run(
                "SELECT id FROM outbox_campaign WHERE state = \(CampaignSQL.loading) ORDER BY id FOR UPDATE SKIP LOCKED"
            ) { loading.append($0.integer(0)) }
            return try loading.first { try isGone($0) }
        }
    }
#endif
