#if SQLite
    import FoundationEssentials
    import GRDB
    import PushAdapter
    import PushOutbox
    import PushSQLite

    // Campaigns that end and go.
    extension OutboxTables {
        /// Looks only at campaigns that have a slice that ended since the last call, or that expired. Looks at some at
        /// once.
        func endFinished(at date: Date) throws -> [Campaign] {
            var candidates: [(id: Int64, isLate: Bool)] = []
            try run("SELECT campaign FROM outbox_ended ORDER BY campaign LIMIT ?", [.integer(Self.mostEnded)]) {
                candidates.append(($0.integer(0), false))
            }
            if let last = candidates.last?.id {
                try run("DELETE FROM outbox_ended WHERE campaign <= ?", [.integer(last)])
            }
            try run(Self.late, [.date(date), .integer(Self.mostEnded)]) { candidates.append(($0.integer(0), true)) }
            var ended: Set<Int64> = []
            for (id, isLate) in candidates where !ended.contains(id) {
                var state: Campaign.State?
                try run(Self.isOpen, [.integer(id)]) { query in
                    if query.integer(0) == 0 {
                        state = .finished
                    } else if isLate, query.integer(1) == 0 {
                        state = .expired
                    }
                }
                guard let state, try move(id, from: [.active, .paused], to: state, at: date) else { continue }
                ended.insert(id)
            }
            return ended.isEmpty ? [] : try campaigns(.numbered(ended))
        }

        private static let mostEnded: Int64 = 500

        static let late = """
            SELECT id FROM outbox_campaign INDEXED BY outbox_campaign_expiry
            WHERE \(CampaignSQL.isBegun) AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2
            """
        /// Whether a campaign has slices that are not done, and whether it has slices in flight.
        static let isOpen = """
            SELECT EXISTS (SELECT 1 FROM outbox_slice WHERE campaign = ?1 AND state <> \(SliceSQL.done)),
                EXISTS (SELECT 1 FROM outbox_slice WHERE campaign = ?1 AND \(SliceSQL.hasWorker()))
            """

        /// Uses an index: a month of small campaigns is a million rows, and the worker asks four times a second.
        static let oldest = """
            SELECT id, state FROM outbox_campaign
            WHERE ended_at IS NOT NULL AND ended_at + keeps <= ?1 ORDER BY ended_at + keeps LIMIT 1
            """

        /// - Parameter isGone: whether no process loads a campaign any more.
        func prune(at date: Date, limit: Int, isGone: (Int64) -> Bool) throws -> Int {
            var sum = 0
            while sum < limit {
                let count = try pruneOne(at: date, limit: limit - sum, isGone: isGone)
                guard count > 0 else { break }
                sum += count
            }
            return sum
        }

        private func pruneOne(at date: Date, limit: Int, isGone: (Int64) -> Bool) throws -> Int {
            var old: Int64?
            var hasReport = false
            try run(Self.oldest, [.date(date)]) { query in
                old = query.integer(0)
                hasReport = query.integer(1) != Int64(Campaign.State.removed.rawValue)
            }
            if old == nil {
                try run("SELECT id FROM outbox_campaign WHERE state = \(CampaignSQL.loading)", []) { query in
                    if old == nil, isGone(query.integer(0)) { old = query.integer(0) }
                }
            }
            guard let old else { return 0 }
            let arguments: [Argument] = [.integer(old), .integer(Int64(limit))]
            var last: (part: Int64, number: Int64)?
            var count = 0
            try run(
                "SELECT part, number FROM outbox_slice WHERE campaign = ?1 ORDER BY part, number LIMIT ?2", arguments
            ) { query in
                last = (query.integer(0), query.integer(1))
                count += 1
            }
            guard let last, count == limit else {
                if hasReport { try keepName(of: old) } else { try remove(old) }
                return max(1, count)
            }
            for table in ["outbox_payload", "outbox_slice"] {
                try run(
                    "DELETE FROM \(table) WHERE campaign = ?1 AND (part, number) <= (?2, ?3)",
                    [.integer(old), .integer(last.part), .integer(last.number)])
            }
            return count
        }
    }
#endif
