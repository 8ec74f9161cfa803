#if SQLite
    import FoundationEssentials
    import GRDB
    import PushAdapter
    import PushOutbox
    import PushSQLite

    extension OutboxTables {
        // MARK: Statements whose plans are tested

        /// Parts at a route with slices to lease, by priority and turn. The condition may limit them to one priority.
        static func queue(_ condition: String) -> String {
            """
            SELECT l.campaign, l.number, l.priority, l.turn, l.not_before, l.paused_for IS NULL AND c.state = \(CampaignSQL.active)
                    AND (c.expires_at IS NULL OR c.expires_at > ?2)
            FROM outbox_part l CROSS JOIN outbox_campaign c ON c.id = l.campaign
            WHERE l.queued = 1 AND l.route = ?1 \(condition) ORDER BY l.priority, l.turn LIMIT ?3
            """
        }
        static let wake = """
            UPDATE outbox_part SET queued = 1 WHERE (campaign, number) IN (
                SELECT campaign, number FROM outbox_part WHERE queued = 2 AND wakes_at <= ?1 ORDER BY wakes_at LIMIT 1000)
            """
        /// Makes slices due whose key has an unknown age, because the clock was set back since. Waiting would not help
        /// them.
        static let unwait = """
            UPDATE outbox_slice SET not_before = ?2 WHERE state = \(SliceSQL.ready) AND key_used_at IS NOT NULL AND key_used_at > ?1
                AND not_before > ?2 RETURNING campaign, part
            """
        static let readySlices = """
            SELECT \(SliceRow.read), p.targets FROM outbox_slice s INDEXED BY outbox_slice_ready
            JOIN outbox_payload p ON p.campaign = s.campaign AND p.part = s.part AND p.number = s.number
            WHERE s.campaign = ?1 AND s.part = ?2 AND s.state = \(SliceSQL.ready) AND s.crashes = 0 AND s.not_before <= ?3
            ORDER BY s.not_before, s.number LIMIT ?4
            """
        static let recovered = """
            SELECT \(SliceRow.read), p.targets FROM outbox_slice s INDEXED BY outbox_slice_recovered
            CROSS JOIN outbox_part l ON l.campaign = s.campaign AND l.number = s.part
            CROSS JOIN outbox_campaign c ON c.id = s.campaign
            CROSS JOIN outbox_payload p ON p.campaign = s.campaign AND p.part = s.part AND p.number = s.number
            WHERE s.state = \(SliceSQL.ready) AND s.crashes > 0 AND s.not_before <= ?2 AND l.route = ?1 AND l.paused_for IS NULL
                AND l.not_before <= ?2 AND c.state = \(CampaignSQL.active) AND (c.expires_at IS NULL OR c.expires_at > ?2) LIMIT ?3
            """
        /// Gives a part its turn, and queues it, lets it wait until its next slice is due, or takes it out of the
        /// queue.
        static let settle = """
            UPDATE outbox_part SET (turn, wakes_at, queued) = (
                SELECT ?4, due, CASE WHEN due IS NULL THEN 0 WHEN due <= ?3 THEN 1 ELSE 2 END FROM (
                    SELECT MIN(not_before) AS due FROM outbox_slice INDEXED BY outbox_slice_ready
                    WHERE campaign = ?1 AND part = ?2 AND state = \(SliceSQL.ready) AND crashes = 0))
            WHERE campaign = ?1 AND number = ?2
            """
        static let orphans = taken("s.owner != ?")
        static let leased = taken("s.owner = ?")
        static let held = taken("TRUE")

        /// Sorts the few slices that workers hold. In the order of the table, SQLite would read the whole file.
        private static func taken(_ condition: String) -> String {
            """
            SELECT \(SliceRow.read) FROM outbox_slice s INDEXED BY outbox_slice_quarantined
            WHERE \(SliceSQL.hasWorker("s.")) AND \(condition)
            ORDER BY s.campaign, s.part, s.number
            """
        }

        // MARK: Rows

        func insert(_ rows: [(slice: SliceRow, targets: [UInt8])], of campaign: Int64) throws {
            for (slice, targets) in rows {
                var slice = slice
                slice.id.campaign = campaign
                try insert(slice, targets)
            }
        }

        /// Names the columns: one that a later version adds with `ALTER TABLE` stands last, and is not this version's.
        private static let insertion = """
            INSERT INTO outbox_slice (\(SliceRow.columns.map(\.name).joined(separator: ", ")))
            VALUES (\(Array(repeating: "?", count: SliceRow.columns.count).joined(separator: ", ")))
            """

        private func insert(_ slice: SliceRow, _ targets: [UInt8]) throws {
            try run(Self.insertion, values(of: slice))
            try run(
                "INSERT INTO outbox_payload (campaign, part, number, targets) VALUES (?, ?, ?, ?)",
                place(of: slice.id) + [.bytes(targets)])
        }

        func place(of id: SliceRow.ID) -> [Argument] {
            [.integer(id.campaign), .integer(Int64(id.part)), .integer(Int64(id.number))]
        }

        /// The values of all columns, in their order.
        private func values(of slice: SliceRow) -> [Argument] {
            let counts = slice.counts
            return SliceRow.columns.map { column in
                switch column.value {
                case .integer(let value): .integer(value(slice))
                case .date(let value): .date(value(slice))
                case .text(let value): .text(value(slice))
                case .bytes(let value): .bytes(value(slice))
                case .count(let outcome): .integer(Int64(counts[outcome] ?? 0))
                }
            }
        }

        // MARK: Reading

        func openTargets() throws -> Int {
            var sum = 0
            try run(
                """
                SELECT SUM(s.open + s.again) FROM outbox_campaign c
                CROSS JOIN outbox_slice s INDEXED BY outbox_slice_open ON s.campaign = c.id
                WHERE c.\(CampaignSQL.isLive) AND s.state <> \(SliceSQL.done)
                """, []
            ) { sum = Int($0.integer(0)) }
            return sum
        }

        func backlog(needy limit: Int) throws -> OutboxBacklog {
            try OutboxBacklog(needy: limit) { (sql, row) in
                try run(sql, []) { try row($0) }
            } campaigns: {
                try campaigns(.numbered($0))
            }
        }

        func counts(of campaign: Int64, part: Int?) throws -> OutboxCounts {
            var counts = OutboxCounts()
            try run(
                """
                SELECT \(OutboxCounts.columns) FROM outbox_slice WHERE campaign = ? AND part BETWEEN ? AND ? GROUP BY state
                """, [.integer(campaign), .integer(Int64(part ?? 0)), .integer(Int64(part ?? Int(Int32.max)))]
            ) { counts.add($0) }
            return counts
        }

        func slices(
            of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
        ) throws -> [(slice: SliceRow, targets: [UInt8])] {
            guard let condition = SliceRow.condition(for: outcomes) else { return [] }
            var found: [(slice: SliceRow, targets: [UInt8])] = []
            try run(
                """
                SELECT \(SliceRow.read), p.targets FROM outbox_slice s
                JOIN outbox_payload p ON p.campaign = s.campaign AND p.part = s.part AND p.number = s.number
                WHERE s.campaign = ?1 AND (s.part, s.number) > (?2, ?3) AND \(condition)
                ORDER BY s.part, s.number LIMIT ?4
                """,
                [
                    .integer(campaign), .integer(Int64(after?.part ?? -1)), .integer(Int64(after?.number ?? -1)),
                    .integer(Int64(limit)),
                ]
            ) { found.append((SliceRow($0), $0.blob(SliceRow.payloadColumn) ?? [])) }
            return found
        }

        func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) throws -> [SliceRow] {
            var found: [SliceRow] = []
            try run(
                """
                SELECT \(SliceRow.read) FROM outbox_slice s
                WHERE s.campaign = ?1 AND (s.part, s.number) > (?2, ?3) AND \(SliceRow.isWaiting)
                ORDER BY s.part, s.number LIMIT ?4
                """,
                [
                    .integer(campaign), .integer(Int64(after?.part ?? -1)), .integer(Int64(after?.number ?? -1)),
                    .integer(Int64(limit)),
                ]
            ) { found.append(SliceRow($0)) }
            return found
        }

        func orphans(of worker: Int64) throws -> [SliceRow] { try taken(Self.orphans, worker) }

        func leased(by worker: Int64?) throws -> [SliceRow] {
            try taken(worker == nil ? Self.held : Self.leased, worker)
        }

        private func taken(_ sql: String, _ worker: Int64?) throws -> [SliceRow] {
            var found: [SliceRow] = []
            try run(sql, worker.map { [.integer($0)] } ?? []) { found.append(SliceRow($0)) }
            return found
        }

        // MARK: Changing

        private static let assignments = SliceRow.columns.map(\.name).dropFirst(3).map { column in
            let kept = "CASE WHEN key IS \(place("key")) AND key_used_at IS NOT NULL THEN \(column) ELSE"
            return "\(column) = "
                + (SliceRow.keptColumns.contains(column) ? "\(kept) \(place(column)) END" : place(column))
        }.joined(separator: ", ")

        /// The place of a column's value among those of a row.
        private static func place(_ column: String) -> String {
            "?\((SliceRow.columns.firstIndex { $0.name == column } ?? -1) + 1)"
        }

        func apply(_ change: SliceChange) throws -> Bool {
            let next = SliceRow.columns.count + 1
            try run(
                """
                UPDATE outbox_slice SET \(Self.assignments)
                WHERE campaign = ?1 AND part = ?2 AND number = ?3 AND epoch = \(Self.place("epoch"))
                    AND (1 << state) & ?\(next) != 0 AND (?\(next + 1) IS NULL OR owner = ?\(next + 1))
                    AND (?\(next + 2) IS NULL OR EXISTS (
                        SELECT 1 FROM outbox_campaign c JOIN outbox_part l ON l.campaign = c.id AND l.number = ?2
                        WHERE c.id = ?1 AND c.state = \(CampaignSQL.active)
                            AND (c.expires_at IS NULL OR c.expires_at > ?\(next + 2)) AND l.paused_for IS NULL))
                    AND (?\(next + 3) IS NULL OR (marked = ?\(next + 3) AND outcomes = ?\(next + 4)))
                """,
                values(of: change.slice)
                    + [
                        .integer(Self.mask(change.from.map(\.rawValue))),
                        change.owner.map { .integer($0) } ?? .text(nil), .date(change.ifActive),
                        change.seen.map { .integer(Int64($0.marked)) } ?? .text(nil),
                        .bytes(change.seen?.packedOutcomes),
                    ])
            guard db.changesCount > 0 else { return false }
            let id = change.slice.id
            if case .replace(let targets) = change.targets {
                try run(
                    "UPDATE outbox_payload SET targets = ?4 WHERE campaign = ?1 AND part = ?2 AND number = ?3",
                    place(of: id) + [.bytes(targets)])
            }
            for (slice, targets) in change.adds {
                var slice = slice
                try run(
                    "SELECT IFNULL(MAX(number), -1) + 1 FROM outbox_slice WHERE campaign = ?1 AND part = ?2",
                    Array(place(of: slice.id).prefix(2))
                ) { slice.id.number = Int($0.integer(0)) }
                try insert(slice, targets)
                try queue(slice)
            }
            if change.slice.state == .ready { try queue(change.slice) }
            if change.slice.state == .done {
                try run("INSERT OR IGNORE INTO outbox_ended (campaign) VALUES (?)", [.integer(id.campaign)])
            }
            if let reason = change.pausesPart { try pause(id.campaign, id.part, for: reason) }
            if let date = change.delaysPart { try delay(id.campaign, id.part, until: date) }
            return true
        }

        /// Queues the part of a ready slice so that a lease finds it when the slice is due.
        private func queue(_ slice: SliceRow) throws {
            try run(
                """
                UPDATE outbox_part SET
                    wakes_at = CASE queued WHEN 2 THEN MIN(wakes_at, ?3) ELSE ?3 END,
                    queued = CASE queued WHEN 1 THEN 1 ELSE 2 END
                WHERE campaign = ?1 AND number = ?2
                """, Array(place(of: slice.id).prefix(2)) + [.date(slice.notBefore)])
        }
    }
#endif
