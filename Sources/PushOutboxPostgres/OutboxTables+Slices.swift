#if PostgreSQL
    import FoundationEssentials
    import PushCore
    import PushOutbox
    import PushPostgres

    extension OutboxTables {
        private static let all = Slice.columns + Slice.counted.map(\.column)
        private static let read = Slice.columns.map { "s.\($0)" }.joined(separator: ", ")
        private static let payload =
            "outbox_payload p ON p.campaign = s.campaign AND p.leg = s.leg AND p.number = s.number"

        private static func parameters(_ numbers: Range<Int>) -> String {
            numbers.map { "$\($0 + 1)" }.joined(separator: ", ")
        }

        // MARK: Rows

        func insert(_ rows: [(slice: Slice, targets: [UInt8])]) throws {
            let slices = rows.map(\.slice)
            try session.run(
                "INSERT INTO outbox_slice SELECT * FROM unnest(\(Self.parameters(0..<Self.all.count)))",
                values(of: slices))
            try session.run(
                "INSERT INTO outbox_payload SELECT * FROM unnest(\(Self.parameters(0..<4)))",
                places(of: slices) + [.texts(rows.map(\.targets))])
        }

        private func places(of slices: [Slice]) -> [Argument] {
            [
                .integers(slices.map(\.id.campaign)), .integers(slices.map { Int64($0.id.leg) }),
                .integers(slices.map { Int64($0.id.number) }),
            ]
        }

        /// An array for each column, in the order of the table.
        private func values(of slices: [Slice]) -> [Argument] {
            func numbers(_ value: (Slice) -> Int) -> Argument { .integers(slices.map { Int64(value($0)) }) }
            let counts = slices.map(\.counts)
            return places(of: slices)
                + [
                    numbers(\.state.rawValue), .dates(slices.map(\.notBefore)), numbers(\.epoch),
                    .integers(slices.map(\.owner)), numbers(\.deaths), numbers(\.tries), numbers(\.generation),
                    .texts(slices.map { $0.key.map { Array($0.utf8) } }), .dates(slices.map(\.keyUntil)),
                    .dates(slices.map(\.keyUsedAt)), numbers { $0.mayHaveActed ? 1 : 0 }, numbers(\.marked),
                    numbers(\.resent), numbers(\.outcomes.count),
                    .texts(slices.map(\.packedOutcomes)),
                    .texts(slices.map(\.notes)),
                ]
                + Slice.counted.map { one in .integers(counts.map { Int64($0[one.outcome] ?? 0) }) }
        }

        // MARK: Reading

        func openTargets() throws -> Int {
            var sum = 0
            try session.run(
                """
                SELECT SUM(s.open + s.again) FROM outbox_campaign c JOIN outbox_slice s ON s.campaign = c.id
                WHERE c.state < 3 AND s.state <> 3
                """
            ) { sum = Int($0.integer(0)) }
            return sum
        }

        func counts(of campaign: Int64, leg: Int?) throws -> OutboxCounts {
            var counts = OutboxCounts()
            try session.run(
                """
                SELECT \(OutboxCounts.columns) FROM outbox_slice WHERE campaign = $1 AND leg BETWEEN $2 AND $3 GROUP BY state
                """, [.integer(campaign), .integer(Int64(leg ?? 0)), .integer(Int64(leg ?? Int(Int32.max)))]
            ) { counts.add($0) }
            return counts
        }

        func slices(
            of campaign: Int64, with outcomes: Set<Slice.Outcome>, after: Slice.ID?, limit: Int
        ) throws -> [(slice: Slice, targets: [UInt8])] {
            guard let condition = Slice.condition(for: outcomes) else { return [] }
            var found: [(slice: Slice, targets: [UInt8])] = []
            try session.run(
                """
                SELECT \(Self.read), p.targets FROM outbox_slice s JOIN \(Self.payload)
                WHERE s.campaign = $1 AND (s.leg, s.number) > ($2, $3) AND \(condition)
                ORDER BY s.leg, s.number LIMIT $4
                """,
                [
                    .integer(campaign), .integer(Int64(after?.leg ?? -1)), .integer(Int64(after?.number ?? -1)),
                    .integer(Int64(limit)),
                ]
            ) { found.append((Slice($0), $0.blob(19) ?? [])) }
            return found
        }

        func waiting(of campaign: Int64, after: Slice.ID?, limit: Int) throws -> [Slice] {
            var found: [Slice] = []
            try session.run(
                """
                SELECT \(Self.read) FROM outbox_slice s
                WHERE s.campaign = $1 AND (s.leg, s.number) > ($2, $3) AND \(Slice.isWaiting)
                ORDER BY s.leg, s.number LIMIT $4
                """,
                [
                    .integer(campaign), .integer(Int64(after?.leg ?? -1)), .integer(Int64(after?.number ?? -1)),
                    .integer(Int64(limit)),
                ]
            ) { found.append(Slice($0)) }
            return found
        }

        /// Reads the few that are held.
        static func held(_ condition: String) -> String {
            """
            SELECT \(read) FROM outbox_slice s WHERE s.state IN (1, 2, 4) AND s.state <> 4 AND \(condition)
            ORDER BY s.campaign, s.leg, s.number
            """
        }

        func slices(_ sql: String, _ worker: Int64) throws -> [Slice] {
            var found: [Slice] = []
            try session.run(sql, [.integer(worker)]) { found.append(Slice($0)) }
            return found
        }

        // MARK: Leasing

        static let openLegs = """
            SELECT l.campaign, l.number FROM outbox_campaign c JOIN outbox_leg l ON l.campaign = c.id
            WHERE c.state < 3 AND c.state = 1 AND (c.expires_at IS NULL OR c.expires_at > $1)
                AND l.route = ANY($2) AND l.paused_for IS NULL AND l.not_before <= $1
                AND ($3 = 0 OR l.patience IS NOT NULL)
            ORDER BY c.priority * $4, l.leased_at, l.campaign, l.number
            """
        /// Passes over what another worker takes at the same moment.
        static let take = """
            WITH ready AS MATERIALIZED (
                SELECT campaign, leg, number FROM outbox_slice
                WHERE campaign = $1 AND leg = $2 AND state = 0 AND (not_before <= $3 OR key_used_at > $7)
                    AND (deaths > 0) = ($4 <> 0)
                ORDER BY number LIMIT $5 FOR UPDATE SKIP LOCKED)
            UPDATE outbox_slice s SET state = 1, epoch = s.epoch + 1, owner = $6
            FROM ready r JOIN outbox_payload p ON p.campaign = r.campaign AND p.leg = r.leg AND p.number = r.number
            WHERE s.campaign = r.campaign AND s.leg = r.leg AND s.number = r.number
            RETURNING \(read), p.targets
            """
        /// If another worker notes the turn of the same part, that is enough.
        static let noteTurn = """
            UPDATE outbox_leg SET leased_at = nextval('outbox_turn') WHERE campaign = $1 AND number = $2 AND EXISTS (
                SELECT 1 FROM outbox_leg WHERE campaign = $1 AND number = $2 FOR NO KEY UPDATE SKIP LOCKED)
            """

        func lease(_ request: OutboxLease) throws -> [(slice: Slice, targets: [UInt8])] {
            guard try isClaimed(by: request.worker) else { return [] }
            var legs: [(campaign: Int64, leg: Int64)] = []
            try session.run(
                Self.openLegs,
                [
                    .date(request.now), .texts(request.routes.map { Array($0.rawValue.utf8) }),
                    .integer(request.wantsOtherWays ? 1 : 0), .integer(request.wantsOldest ? 0 : 1),
                ]
            ) { legs.append(($0.integer(0), $0.integer(1))) }
            var leased: [(slice: Slice, targets: [UInt8])] = []
            for (campaign, leg) in legs where leased.count < request.limit {
                var taken: [(slice: Slice, targets: [UInt8])] = []
                try session.run(
                    Self.take,
                    [
                        .integer(campaign), .integer(leg), .date(request.now),
                        .integer(request.wantsSurvivors ? 1 : 0), .integer(Int64(request.limit - leased.count)),
                        .integer(request.worker), .date(request.keysAfter),
                    ]
                ) { taken.append((Slice($0), $0.blob(19) ?? [])) }
                guard !taken.isEmpty else { continue }
                leased += taken.sorted { $0.slice.id < $1.slice.id }
                try session.run(Self.noteTurn, [.integer(campaign), .integer(leg)])
            }
            return leased
        }

        // MARK: Changing

        /// All changes of a statement that do not depend on each other. One after the other means the same.
        private static let change = """
            UPDATE outbox_slice s SET \(all.dropFirst(3).map { "\($0) = n.\($0)" }.joined(separator: ", "))
            FROM unnest(\(parameters(0..<all.count + 3)))
                AS n(\(all.joined(separator: ", ")), from_states, by_owner, active_at)
            WHERE s.campaign = n.campaign AND s.leg = n.leg AND s.number = n.number AND s.epoch = n.epoch
                AND (1 << s.state) & n.from_states <> 0 AND (n.by_owner IS NULL OR s.owner = n.by_owner)
                AND (n.active_at IS NULL OR EXISTS (
                    SELECT 1 FROM outbox_campaign c JOIN outbox_leg l ON l.campaign = c.id AND l.number = n.leg
                    WHERE c.id = n.campaign AND c.state = 1 AND (c.expires_at IS NULL OR c.expires_at > n.active_at)
                        AND l.paused_for IS NULL))
            RETURNING s.campaign, s.leg, s.number
            """

        func apply(_ changes: [SliceChange]) throws -> [Bool] {
            // So that nothing is noted as sent once a pause, a cancellation or an end is committed.
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

        /// The first changes that one statement can make: each of another slice, and none after one that pauses a part.
        private static func group(_ changes: ArraySlice<SliceChange>) -> [SliceChange] {
            var group: [SliceChange] = []
            var ids: Set<Slice.ID> = []
            for change in changes {
                guard ids.insert(change.slice.id).inserted else { break }
                group.append(change)
                if change.pausesLeg != nil { break }
            }
            return group
        }

        private func change(_ group: [SliceChange]) throws -> [Bool] {
            var made: Set<Slice.ID> = []
            try session.run(
                Self.change,
                values(of: group.map(\.slice)) + [
                    .integers(group.map { Self.mask($0.from.map(\.rawValue)) }), .integers(group.map(\.owner)),
                    .dates(group.map(\.ifActive)),
                ]
            ) { row in
                made.insert(
                    Slice.ID(campaign: row.integer(0), leg: Int(row.integer(1)), number: Int(row.integer(2))))
            }
            let changed = group.filter { made.contains($0.slice.id) }
            try replaceTargets(changed)
            try add(changed.flatMap(\.adds))
            for change in changed {
                let id = change.slice.id
                if let reason = change.pausesLeg { try pause(id.campaign, id.leg, for: reason) }
                if let date = change.delaysLeg { try delay(id.campaign, id.leg, until: date) }
            }
            return group.map { made.contains($0.slice.id) }
        }

        /// Adds slices with the next numbers of their parts, which nobody else adds to during this transaction.
        private func add(_ rows: [(slice: Slice, targets: [UInt8])]) throws {
            guard !rows.isEmpty else { return }
            var numbered: [(slice: Slice, targets: [UInt8])] = []
            let parts = Dictionary(grouping: rows) {
                Slice.ID(campaign: $0.slice.id.campaign, leg: $0.slice.id.leg, number: 0)
            }
            for (part, rows) in parts.sorted(by: { $0.key < $1.key }) {
                let place: [Argument] = [.integer(part.campaign), .integer(Int64(part.leg))]
                try session.run("SELECT 1 FROM outbox_leg WHERE campaign = $1 AND number = $2 FOR NO KEY UPDATE", place)
                var next = 0
                try session.run(
                    "SELECT COALESCE(MAX(number), -1) + 1 FROM outbox_slice WHERE campaign = $1 AND leg = $2", place
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
            let replaced = changes.compactMap { change -> (slice: Slice, targets: [UInt8])? in
                guard case .replace(let targets) = change.targets else { return nil }
                return (change.slice, targets)
            }
            guard !replaced.isEmpty else { return }
            try session.run(
                """
                UPDATE outbox_payload p SET targets = n.targets
                FROM unnest(\(Self.parameters(0..<4))) AS n(campaign, leg, number, targets)
                WHERE p.campaign = n.campaign AND p.leg = n.leg AND p.number = n.number
                """, places(of: replaced.map(\.slice)) + [.texts(replaced.map(\.targets))])
        }
    }
#endif
