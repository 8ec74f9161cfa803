#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushPostgres

    extension OutboxTables {
        private static let all = SliceRow.columns.map(\.name)
        private static let payload =
            "outbox_payload p ON p.campaign = s.campaign AND p.part = s.part AND p.number = s.number"

        private static func parameters(_ numbers: Range<Int>) -> String {
            numbers.map { "$\($0 + 1)" }.joined(separator: ", ")
        }

        // MARK: Rows

        func insert(_ rows: [(slice: SliceRow, targets: [UInt8])]) throws {
            let slices = rows.map(\.slice)
            try session.run(Self.insertion, values(of: slices))
            try session.run(
                """
                INSERT INTO outbox_payload (campaign, part, number, targets)
                SELECT * FROM unnest(\(Self.parameters(0..<4)))
                """, places(of: slices) + [.texts(rows.map(\.targets))])
        }

        /// Names the columns: one that a later version adds with `ALTER TABLE` stands last, and is not this version's.
        private static let insertion = """
            INSERT INTO outbox_slice (\(all.joined(separator: ", ")))
            SELECT * FROM unnest(\(parameters(0..<all.count)))
            """

        private func places(of slices: [SliceRow]) -> [Argument] {
            [
                .integers(slices.map(\.id.campaign)), .integers(slices.map { Int64($0.id.part) }),
                .integers(slices.map { Int64($0.id.number) }),
            ]
        }

        /// An array for each column, in their order.
        private func values(of slices: [SliceRow]) -> [Argument] {
            let counts = slices.map(\.counts)
            return SliceRow.columns.map { column in
                switch column.value {
                case .integer(let value): .integers(slices.map(value))
                case .date(let value): .dates(slices.map(value))
                case .text(let value): .texts(slices.map { value($0).map { Array($0.utf8) } })
                case .bytes(let value): .texts(slices.map(value))
                case .count(let outcome): .integers(counts.map { Int64($0[outcome] ?? 0) })
                }
            }
        }

        // MARK: Reading

        func openTargets() throws -> Int {
            var sum = 0
            try session.run(
                """
                SELECT SUM(s.open + s.again) FROM outbox_campaign c JOIN outbox_slice s ON s.campaign = c.id
                WHERE c.\(CampaignSQL.isLive) AND s.state <> \(SliceSQL.done)
                """
            ) { sum = Int($0.integer(0)) }
            return sum
        }

        func backlog(needy limit: Int) throws -> OutboxBacklog {
            try OutboxBacklog(needy: limit) { (sql, row) in
                try session.run(sql) { try row($0) }
            } campaigns: {
                try campaigns(.numbered($0))
            }
        }

        func counts(of campaign: Int64, part: Int?) throws -> OutboxCounts {
            var counts = OutboxCounts()
            try session.run(
                """
                SELECT \(OutboxCounts.columns) FROM outbox_slice WHERE campaign = $1 AND part BETWEEN $2 AND $3 GROUP BY state
                """, [.integer(campaign), .integer(Int64(part ?? 0)), .integer(Int64(part ?? Int(Int32.max)))]
            ) { counts.add($0) }
            return counts
        }

        func slices(
            of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
        ) throws -> [(slice: SliceRow, targets: [UInt8])] {
            guard let condition = SliceRow.condition(for: outcomes) else { return [] }
            var found: [(slice: SliceRow, targets: [UInt8])] = []
            try session.run(
                """
                SELECT \(SliceRow.read), p.targets FROM outbox_slice s JOIN \(Self.payload)
                WHERE s.campaign = $1 AND (s.part, s.number) > ($2, $3) AND \(condition)
                ORDER BY s.part, s.number LIMIT $4
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
            try session.run(
                """
                SELECT \(SliceRow.read) FROM outbox_slice s
                WHERE s.campaign = $1 AND (s.part, s.number) > ($2, $3) AND \(SliceRow.isWaiting)
                ORDER BY s.part, s.number LIMIT $4
                """,
                [
                    .integer(campaign), .integer(Int64(after?.part ?? -1)), .integer(Int64(after?.number ?? -1)),
                    .integer(Int64(limit)),
                ]
            ) { found.append(SliceRow($0)) }
            return found
        }

        /// Reads the few slices that workers hold.
        static func taken(_ condition: String) -> String {
            """
            SELECT \(SliceRow.read) FROM outbox_slice s WHERE \(SliceSQL.hasWorker("s.")) AND \(condition)
            ORDER BY s.campaign, s.part, s.number
            """
        }

        func slices(_ sql: String, _ worker: Int64?) throws -> [SliceRow] {
            var found: [SliceRow] = []
            try session.run(sql, worker.map { [.integer($0)] } ?? []) { found.append(SliceRow($0)) }
            return found
        }

        // MARK: Changing

        private static let assignments = all.dropFirst(3).map { column in
            let kept = "CASE WHEN s.key IS NOT DISTINCT FROM n.key AND s.key_used_at IS NOT NULL THEN s.\(column) ELSE"
            return "\(column) = " + (SliceRow.keptColumns.contains(column) ? "\(kept) n.\(column) END" : "n.\(column)")
        }.joined(separator: ", ")

        /// All changes of a statement that do not depend on each other. One after the other means the same.
        private static let change = """
            UPDATE outbox_slice s SET \(assignments)
            FROM unnest(\(parameters(0..<all.count + 5)))
                AS n(\(all.joined(separator: ", ")), from_states, by_owner, active_at, seen_marked, seen_outcomes)
            WHERE s.campaign = n.campaign AND s.part = n.part AND s.number = n.number AND s.epoch = n.epoch
                AND (1 << s.state) & n.from_states <> 0 AND (n.by_owner IS NULL OR s.owner = n.by_owner)
                AND (n.active_at IS NULL OR EXISTS (
                    SELECT 1 FROM outbox_campaign c JOIN outbox_part l ON l.campaign = c.id AND l.number = n.part
                    WHERE c.id = n.campaign AND c.state = \(CampaignSQL.active) AND (c.expires_at IS NULL OR c.expires_at > n.active_at)
                        AND l.paused_for IS NULL))
                AND (n.seen_marked IS NULL OR (s.marked = n.seen_marked AND s.outcomes = n.seen_outcomes))
            RETURNING s.campaign, s.part, s.number
            """

        func apply(_ changes: [SliceChange]) throws -> [Bool] {
            // Makes sure that nothing is marked as sent after a pause, a cancellation or an end is committed.
            let bound = Set(changes.filter { $0.ifActive != nil || $0.from.contains(.done) }.map(\.slice.id.campaign))
            if !bound.isEmpty {
                try session.run(
                    "SELECT 1 FROM outbox_campaign WHERE id = ANY($1) ORDER BY id FOR SHARE",
                    [.integers(bound.sorted())])
            }
            var made: [Bool] = []
            while made.count < changes.count {
                let group = Self.group(changes[made.count...])
                made += try change(group)
            }
            return made
        }

        /// The first changes that fit one statement: each of a different slice, and none after one that pauses a part.
        private static func group(_ changes: ArraySlice<SliceChange>) -> [SliceChange] {
            var group: [SliceChange] = []
            var ids: Set<SliceRow.ID> = []
            for change in changes {
                guard ids.insert(change.slice.id).inserted else { break }
                group.append(change)
                if change.pausesPart != nil { break }
            }
            return group
        }

        private func change(_ group: [SliceChange]) throws -> [Bool] {
            var made: Set<SliceRow.ID> = []
            try session.run(
                Self.change,
                values(of: group.map(\.slice)) + [
                    .integers(group.map { Self.mask($0.from.map(\.rawValue)) }), .integers(group.map(\.owner)),
                    .dates(group.map(\.ifActive)), .integers(group.map { $0.seen.map { Int64($0.marked) } }),
                    .texts(group.map { $0.seen?.packedOutcomes }),
                ]
            ) { row in
                made.insert(
                    SliceRow.ID(campaign: row.integer(0), part: Int(row.integer(1)), number: Int(row.integer(2))))
            }
            let changed = group.filter { made.contains($0.slice.id) }
            try replaceTargets(changed)
            try add(changed.flatMap(\.adds))
            try queue(changed.filter { $0.slice.state == .ready }.map(\.slice) + changed.flatMap(\.adds).map(\.slice))
            try noteEnded(Set(changed.filter { $0.slice.state == .done }.map(\.slice.id.campaign)))
            for change in changed {
                let id = change.slice.id
                if let reason = change.pausesPart { try pause(id.campaign, id.part, for: reason) }
                if let date = change.delaysPart { try delay(id.campaign, id.part, until: date) }
            }
            return group.map { made.contains($0.slice.id) }
        }

        /// Queues the parts of ready slices so that a lease finds them when the slices are due.
        private func queue(_ slices: [SliceRow]) throws {
            var due: [SliceRow.ID: Date] = [:]
            for slice in slices {
                let part = SliceRow.ID(campaign: slice.id.campaign, part: slice.id.part, number: 0)
                due[part] = min(due[part] ?? slice.notBefore, slice.notBefore)
            }
            guard !due.isEmpty else { return }
            let parts = due.sorted { $0.key < $1.key }
            try session.run(
                """
                UPDATE outbox_part l SET wakes_at = CASE l.queued WHEN 2 THEN LEAST(l.wakes_at, n.due) ELSE n.due END,
                    queued = CASE l.queued WHEN 1 THEN 1 ELSE 2 END
                FROM unnest($1, $2, $3) AS n (campaign, part, due) WHERE l.campaign = n.campaign AND l.number = n.part
                """,
                [
                    .integers(parts.map(\.key.campaign)), .integers(parts.map { Int64($0.key.part) }),
                    .dates(parts.map(\.value)),
                ])
        }

        /// Adds slices with the next numbers of their parts. Locks the parts, so that no other transaction adds to them
        /// meanwhile.
        private func add(_ rows: [(slice: SliceRow, targets: [UInt8])]) throws {
            guard !rows.isEmpty else { return }
            var numbered: [(slice: SliceRow, targets: [UInt8])] = []
            let parts = Dictionary(grouping: rows) {
                SliceRow.ID(campaign: $0.slice.id.campaign, part: $0.slice.id.part, number: 0)
            }
            for (part, rows) in parts.sorted(by: { $0.key < $1.key }) {
                let place: [Argument] = [.integer(part.campaign), .integer(Int64(part.part))]
                try session.run(
                    "SELECT 1 FROM outbox_part WHERE campaign = $1 AND number = $2 FOR NO KEY UPDATE", place)
                var next = 0
                try session.run(
                    "SELECT COALESCE(MAX(number), -1) + 1 FROM outbox_slice WHERE campaign = $1 AND part = $2", place
                ) { next = Int($0.integer(0)) }
                for (index, row) in rows.enumerated() {
                    var row = row
                    row.slice.id.number = next + index
                    numbered.append(row)
                }
            }
            try insert(numbered)
        }

        private func replaceTargets(_ changes: [SliceChange]) throws {
            let replaced = changes.compactMap { change -> (slice: SliceRow, targets: [UInt8])? in
                guard case .replace(let targets) = change.targets else { return nil }
                return (change.slice, targets)
            }
            guard !replaced.isEmpty else { return }
            try session.run(
                """
                UPDATE outbox_payload p SET targets = n.targets
                FROM unnest(\(Self.parameters(0..<4))) AS n(campaign, part, number, targets)
                WHERE p.campaign = n.campaign AND p.part = n.part AND p.number = n.number
                """, places(of: replaced.map(\.slice)) + [.texts(replaced.map(\.targets))])
        }
    }
#endif
