#if SQLite
    import FoundationEssentials
    import GRDB
    import PushCore
    import PushOutbox
    import PushSQLite

    extension OutboxTables {
        private static let columns = Slice.columns.map { "s.\($0)" }.joined(separator: ", ")

        // MARK: Statements whose plans are tested

        static let openLegs = """
            SELECT l.campaign, l.number FROM outbox_campaign c JOIN outbox_leg l ON l.campaign = c.id
            WHERE c.state < 3 AND c.state = 1 AND (c.expires_at IS NULL OR c.expires_at > ?1)
                AND l.route IN (SELECT value FROM json_each(?2)) AND l.paused_for IS NULL AND l.not_before <= ?1
                AND (?3 = 0 OR l.patience IS NOT NULL)
            ORDER BY c.priority * ?4, l.leased_at, l.campaign, l.number
            """
        /// After all parts of campaigns that have not ended; the others have no turn.
        static let noteTurn = """
            UPDATE outbox_leg SET leased_at = 1 + (
                SELECT MAX(l.leased_at) FROM outbox_campaign c JOIN outbox_leg l ON l.campaign = c.id WHERE c.state < 3)
            WHERE campaign = ? AND number = ?
            """
        static let readySlices = """
            SELECT \(columns), p.targets FROM outbox_slice s INDEXED BY outbox_slice_ready
            JOIN outbox_payload p ON p.campaign = s.campaign AND p.leg = s.leg AND p.number = s.number
            WHERE s.campaign = ?1 AND s.leg = ?2 AND s.state = 0 AND (s.not_before <= ?3 OR s.key_used_at > ?6)
                AND (s.deaths > 0) = ?4
            ORDER BY s.number LIMIT ?5
            """
        static let orphans = held("!=")
        static let held = held("=")

        /// Sorts the few that are held: in the order of the table, SQLite would read all that the file keeps.
        private static func held(_ comparison: String) -> String {
            """
            SELECT \(columns) FROM outbox_slice s INDEXED BY outbox_slice_held
            WHERE s.state IN (1, 2, 4) AND s.state != 4 AND s.owner \(comparison) ?
            ORDER BY s.campaign, s.leg, s.number
            """
        }

        // MARK: Rows

        func insert(_ rows: [(slice: Slice, targets: [UInt8])], of campaign: Int64) throws {
            for (slice, targets) in rows {
                var slice = slice
                slice.id.campaign = campaign
                try insert(slice, targets)
            }
        }

        private func insert(_ slice: Slice, _ targets: [UInt8]) throws {
            let values = values(of: slice)
            let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
            try run("INSERT INTO outbox_slice VALUES (\(places))", values)
            try run(
                "INSERT INTO outbox_payload VALUES (?, ?, ?, ?)", place(of: slice.id) + [.bytes(targets)])
        }

        private func place(of id: Slice.ID) -> [Argument] {
            [.integer(id.campaign), .integer(Int64(id.leg)), .integer(Int64(id.number))]
        }

        /// The values of all columns, in the order of the table.
        private func values(of slice: Slice) -> [Argument] {
            let counts = slice.counts
            let numbers: [Argument] = [
                slice.epoch, Int(slice.owner), slice.deaths, slice.tries, slice.generation,
            ].map { .integer(Int64($0)) }
            return place(of: slice.id)
                + [.integer(Int64(slice.state.rawValue)), .date(slice.notBefore)] + numbers
                + [
                    .text(slice.key), .date(slice.keyUntil), .date(slice.keyUsedAt),
                    .integer(slice.mayHaveActed ? 1 : 0), .integer(Int64(slice.marked)), .integer(Int64(slice.resent)),
                    .integer(Int64(slice.outcomes.count)), .bytes(slice.packedOutcomes), .bytes(slice.notes),
                ]
                + Slice.counted.map { .integer(Int64(counts[$0.outcome] ?? 0)) }
        }

        // MARK: Reading

        func openTargets() throws -> Int {
            var sum = 0
            try run(
                """
                SELECT SUM(s.open + s.again) FROM outbox_campaign c JOIN outbox_slice s ON s.campaign = c.id
                WHERE c.state < 3 AND s.state != 3
                """, []
            ) { sum = Int($0.integer(0)) }
            return sum
        }

        func counts(of campaign: Int64, leg: Int?) throws -> OutboxCounts {
            var counts = OutboxCounts()
            try run(
                """
                SELECT \(OutboxCounts.columns) FROM outbox_slice WHERE campaign = ? AND leg BETWEEN ? AND ? GROUP BY state
                """, [.integer(campaign), .integer(Int64(leg ?? 0)), .integer(Int64(leg ?? Int(Int32.max)))]
            ) { counts.add($0) }
            return counts
        }

        func slices(
            of campaign: Int64, with outcomes: Set<Slice.Outcome>, after: Slice.ID?, limit: Int
        ) throws -> [(slice: Slice, targets: [UInt8])] {
            guard let condition = Slice.condition(for: outcomes) else { return [] }
            var found: [(slice: Slice, targets: [UInt8])] = []
            try run(
                """
                SELECT \(Self.columns), p.targets FROM outbox_slice s
                JOIN outbox_payload p ON p.campaign = s.campaign AND p.leg = s.leg AND p.number = s.number
                WHERE s.campaign = ?1 AND (s.leg, s.number) > (?2, ?3) AND \(condition)
                ORDER BY s.leg, s.number LIMIT ?4
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
            try run(
                """
                SELECT \(Self.columns) FROM outbox_slice s
                WHERE s.campaign = ?1 AND (s.leg, s.number) > (?2, ?3) AND \(Slice.isWaiting)
                ORDER BY s.leg, s.number LIMIT ?4
                """,
                [
                    .integer(campaign), .integer(Int64(after?.leg ?? -1)), .integer(Int64(after?.number ?? -1)),
                    .integer(Int64(limit)),
                ]
            ) { found.append(Slice($0)) }
            return found
        }

        func orphans(of worker: Int64) throws -> [Slice] { try held(Self.orphans, worker) }

        func held(by worker: Int64) throws -> [Slice] { try held(Self.held, worker) }

        private func held(_ sql: String, _ worker: Int64) throws -> [Slice] {
            var found: [Slice] = []
            try run(sql, [.integer(worker)]) { found.append(Slice($0)) }
            return found
        }

        // MARK: Changing

        func lease(_ request: OutboxLease) throws -> [(slice: Slice, targets: [UInt8])] {
            let routes = String(decoding: try JSONEncoder().encode(request.routes), as: UTF8.self)
            var legs: [(campaign: Int64, leg: Int64)] = []
            try run(
                Self.openLegs,
                [
                    .date(request.now), .text(routes), .integer(request.wantsOtherWays ? 1 : 0),
                    .integer(request.wantsOldest ? 0 : 1),
                ]
            ) {
                legs.append(($0.integer(0), $0.integer(1)))
            }
            var leased: [(slice: Slice, targets: [UInt8])] = []
            for leg in legs where leased.count < request.limit {
                let ready = try ready(leg, request, limit: request.limit - leased.count)
                guard !ready.isEmpty else { continue }
                leased += ready
                try run(Self.noteTurn, [.integer(leg.campaign), .integer(leg.leg)])
            }
            for index in leased.indices {
                leased[index].slice.state = .leased
                leased[index].slice.epoch += 1
                leased[index].slice.owner = request.worker
                try run(
                    """
                    UPDATE outbox_slice SET state = 1, epoch = epoch + 1, owner = ?4
                    WHERE campaign = ?1 AND leg = ?2 AND number = ?3
                    """, place(of: leased[index].slice.id) + [.integer(request.worker)])
            }
            return leased
        }

        private func ready(
            _ leg: (campaign: Int64, leg: Int64), _ request: OutboxLease, limit: Int
        ) throws -> [(slice: Slice, targets: [UInt8])] {
            var found: [(slice: Slice, targets: [UInt8])] = []
            try run(
                Self.readySlices,
                [
                    .integer(leg.campaign), .integer(leg.leg), .date(request.now),
                    .integer(request.wantsSurvivors ? 1 : 0), .integer(Int64(limit)), .date(request.keysAfter),
                ]
            ) { found.append((Slice($0), $0.blob(19) ?? [])) }
            return found
        }

        func apply(_ change: SliceChange) throws -> Bool {
            let assignments = [
                "state = ?4", "not_before = ?5", "epoch = ?6", "owner = ?7", "deaths = ?8", "tries = ?9",
                "generation = ?10", "key = ?11", "key_until = ?12", "key_used_at = ?13", "may_have_acted = ?14",
                "marked = ?15", "resent = ?16", "targets = ?17", "outcomes = ?18", "notes = ?19",
            ]
            let counters = Slice.counted.enumerated().map { "\($1.column) = ?\(20 + $0)" }
            let next = 20 + counters.count
            try run(
                """
                UPDATE outbox_slice SET \((assignments + counters).joined(separator: ", "))
                WHERE campaign = ?1 AND leg = ?2 AND number = ?3 AND epoch = ?6 AND (1 << state) & ?\(next) != 0
                    AND (?\(next + 1) IS NULL OR owner = ?\(next + 1))
                    AND (?\(next + 2) IS NULL OR EXISTS (
                        SELECT 1 FROM outbox_campaign c JOIN outbox_leg l ON l.campaign = c.id AND l.number = ?2
                        WHERE c.id = ?1 AND c.state = 1 AND (c.expires_at IS NULL OR c.expires_at > ?\(next + 2))
                            AND l.paused_for IS NULL))
                """,
                values(of: change.slice)
                    + [
                        .integer(Self.mask(change.from.map(\.rawValue))),
                        change.owner.map { .integer($0) } ?? .text(nil), .date(change.ifActive),
                    ])
            guard db.changesCount > 0 else { return false }
            let id = change.slice.id
            if case .replace(let targets) = change.targets {
                try run(
                    "UPDATE outbox_payload SET targets = ?4 WHERE campaign = ?1 AND leg = ?2 AND number = ?3",
                    place(of: id) + [.bytes(targets)])
            }
            for (slice, targets) in change.adds {
                var slice = slice
                try run(
                    "SELECT IFNULL(MAX(number), -1) + 1 FROM outbox_slice WHERE campaign = ?1 AND leg = ?2",
                    Array(place(of: slice.id).prefix(2))
                ) { slice.id.number = Int($0.integer(0)) }
                try insert(slice, targets)
            }
            if let reason = change.pausesLeg { try pause(id.campaign, id.leg, for: reason) }
            if let date = change.delaysLeg { try delay(id.campaign, id.leg, until: date) }
            return true
        }
    }
#endif
