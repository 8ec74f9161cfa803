#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushPostgres

    // Which slices a worker gets.
    extension OutboxTables {
        /// Parts at a route with slices to lease, by priority and turn. The condition may limit them to one priority.
        static func queue(_ condition: String) -> String {
            """
            SELECT l.campaign, l.number, l.priority, l.turn, l.not_before,
                (l.paused_for IS NULL AND c.state = \(CampaignSQL.active) AND (c.expires_at IS NULL OR c.expires_at > $2))::int::bigint
            FROM outbox_part l JOIN outbox_campaign c ON c.id = l.campaign
            WHERE l.queued = 1 AND l.route = $1 \(condition) ORDER BY l.priority, l.turn LIMIT $3
            """
        }
        static let wake = """
            UPDATE outbox_part SET queued = 1 WHERE (campaign, number) IN (
                SELECT campaign, number FROM outbox_part WHERE queued = 2 AND wakes_at <= $1
                ORDER BY wakes_at LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED)
            """
        /// Makes slices due whose key has an unknown age, because the clock was set back since. Waiting would not help
        /// them.
        private static let unwait = """
            WITH old AS (
                UPDATE outbox_slice SET not_before = $2 WHERE state = \(SliceSQL.ready) AND key_used_at > $1 AND not_before > $2
                RETURNING campaign, part)
            UPDATE outbox_part l SET queued = 1 FROM old o WHERE l.campaign = o.campaign AND l.number = o.part
            """
        /// Takes slices of some parts in order. Skips slices that another worker takes at the same moment.
        static let take = """
            WITH ready AS MATERIALIZED (
                SELECT r.campaign, r.part, r.number, one.place
                FROM unnest($1, $2) WITH ORDINALITY AS one (campaign, part, place)
                CROSS JOIN LATERAL (
                    SELECT campaign, part, number FROM outbox_slice s
                    WHERE s.campaign = one.campaign AND s.part = one.part AND s.state = \(SliceSQL.ready) AND s.crashes = 0
                        AND s.not_before <= $3
                    ORDER BY s.not_before, s.number LIMIT $4 FOR UPDATE SKIP LOCKED) r
                LIMIT $4)
            \(lease("ready"))
            """
        private static let takeRecovered = """
            WITH recovered AS MATERIALIZED (
                SELECT s.campaign, s.part, s.number FROM outbox_slice s
                JOIN outbox_part l ON l.campaign = s.campaign AND l.number = s.part
                JOIN outbox_campaign c ON c.id = s.campaign
                WHERE s.state = \(SliceSQL.ready) AND s.crashes > 0 AND s.not_before <= $2 AND l.route = ANY($1) AND l.paused_for IS NULL
                    AND l.not_before <= $2 AND c.state = \(CampaignSQL.active) AND (c.expires_at IS NULL OR c.expires_at > $2)
                LIMIT $3 FOR UPDATE OF s SKIP LOCKED)
            \(lease("recovered", worker: 4))
            """

        private static func lease(_ rows: String, worker: Int = 5) -> String {
            """
            UPDATE outbox_slice s SET state = \(SliceSQL.leased), epoch = \(SliceRow.nextEpoch), owner = $\(worker)
            FROM \(rows) r JOIN outbox_payload p ON p.campaign = r.campaign AND p.part = r.part AND p.number = r.number
            WHERE s.campaign = r.campaign AND s.part = r.part AND s.number = r.number
            RETURNING \(SliceRow.read), p.targets
            """
        }

        /// Gives parts their turn, and queues them, lets them wait until their next slice is due, or takes them out of
        /// the queue. The previous statement has locked the parts, so this one sees every slice that others have made
        /// ready.
        private static let settle = """
            UPDATE outbox_part l SET queued = CASE WHEN n.due IS NULL THEN 0 WHEN n.due <= $3 THEN 1 ELSE 2 END,
                wakes_at = n.due, turn = CASE WHEN n.is_served <> 0 THEN nextval('outbox_turn') ELSE l.turn END
            FROM (
                SELECT one.campaign, one.part, one.is_served, (
                    SELECT s.not_before FROM outbox_slice s
                    WHERE s.campaign = one.campaign AND s.part = one.part AND s.state = \(SliceSQL.ready) AND s.crashes = 0
                    ORDER BY s.not_before LIMIT 1) AS due
                FROM unnest($1, $2, $4) AS one (campaign, part, is_served)) n
            WHERE l.campaign = n.campaign AND l.number = n.part
            """

        func lease(_ request: OutboxLease) throws -> [(slice: SliceRow, targets: [UInt8])] {
            guard try isClaimed(by: request.worker) else { return [] }
            let routes = Argument.texts(request.routes.map { Array($0.rawValue.utf8) })
            if request.wantsRecovered {
                return try read(
                    Self.takeRecovered,
                    [routes, .date(request.now), .integer(Int64(request.limit)), .integer(request.worker)])
            }
            try session.run(Self.unwait, [.date(request.keysAfter), .date(request.now)])
            try session.run(Self.wake, [.date(request.now)])
            var leased: [(slice: SliceRow, targets: [UInt8])] = []
            // Parts without due slices leave the queue, so each round sees other parts.
            for round in 0..<OutboxQueue.mostRounds where leased.count < request.limit {
                let parts = try queue(request, limit: OutboxQueue.parts(request.limit, round: round))
                guard !parts.isEmpty else { break }
                leased += try lease(parts, request, limit: request.limit - leased.count)
            }
            return leased
        }

        /// The first parts in the queue, by turn.
        private func queue(_ request: OutboxLease, limit: Int) throws -> [OutboxQueue.Part] {
            var parts: [OutboxQueue.Part] = []
            var condition = request.wantsOtherWays ? "AND l.patience IS NOT NULL" : ""
            if let priority = request.moreUrgentThan { condition += " AND l.priority < \(priority.rawValue)" }
            let priorities = request.wantsOldest ? CampaignOptions.Priority.allCases.map(\.rawValue) : [nil]
            for route in request.routes {
                for priority in priorities {
                    try session.run(
                        Self.queue(condition + (priority.map { " AND l.priority = \($0)" } ?? "")),
                        [.text(route.rawValue), .date(request.now), .integer(Int64(limit))]
                    ) { parts.append(OutboxQueue.Part($0)) }
                }
            }
            return OutboxQueue.inTurn(parts, request, limit: limit)
        }

        private func lease(
            _ parts: [OutboxQueue.Part], _ request: OutboxLease, limit: Int
        ) throws -> [(slice: SliceRow, targets: [UInt8])] {
            let open = parts.filter { $0.isOpen && $0.notBefore <= request.now }
            var taken: [(slice: SliceRow, targets: [UInt8])] = []
            if !open.isEmpty {
                taken = try read(
                    Self.take,
                    [
                        .integers(open.map(\.campaign)), .integers(open.map(\.number)), .date(request.now),
                        .integer(Int64(limit)), .integer(request.worker),
                    ])
                let places = Dictionary(
                    open.enumerated().map { (SliceRow.ID(campaign: $1.campaign, part: Int($1.number), number: 0), $0) },
                    uniquingKeysWith: { first, _ in first })
                func order(_ row: (slice: SliceRow, targets: [UInt8])) -> (Int, Date, Int) {
                    let id = row.slice.id
                    let place = places[SliceRow.ID(campaign: id.campaign, part: id.part, number: 0)] ?? 0
                    return (place, row.slice.notBefore, id.number)
                }
                taken.sort { order($0) < order($1) }
            }
            let served = Set(taken.map { [$0.slice.id.campaign, Int64($0.slice.id.part)] })
            // The lease did not look at parts behind the last one that it took from.
            let last = open.lastIndex { served.contains([$0.campaign, $0.number]) } ?? 0
            try settle(taken.count < limit ? open : Array(open.prefix(last + 1)), served, at: request.now)
            try leaveQueue(parts.filter { !$0.isOpen || $0.notBefore > request.now }, at: request.now)
            return taken
        }

        /// Locks parts. Skips parts that another worker has locked, because that worker does the same.
        private func locked(_ parts: [OutboxQueue.Part]) throws -> [OutboxQueue.Part] {
            guard !parts.isEmpty else { return [] }
            var locked: Set<[Int64]> = []
            try session.run(
                """
                SELECT l.campaign, l.number FROM outbox_part l JOIN unnest($1, $2) AS one (campaign, part)
                    ON l.campaign = one.campaign AND l.number = one.part
                FOR NO KEY UPDATE OF l SKIP LOCKED
                """, [.integers(parts.map(\.campaign)), .integers(parts.map(\.number))]
            ) { locked.insert([$0.integer(0), $0.integer(1)]) }
            return parts.filter { locked.contains([$0.campaign, $0.number]) }
        }

        private func settle(_ parts: [OutboxQueue.Part], _ served: Set<[Int64]>, at now: Date) throws {
            let parts = try locked(parts)
            guard !parts.isEmpty else { return }
            try session.run(
                Self.settle,
                [
                    .integers(parts.map(\.campaign)), .integers(parts.map(\.number)), .date(now),
                    .integers(parts.map { served.contains([$0.campaign, $0.number]) ? 1 : 0 }),
                ])
        }

        /// Takes parts out of the queue. Resuming a part or its campaign puts it back. The lock makes sure that this
        /// sees a resume.
        private func leaveQueue(_ parts: [OutboxQueue.Part], at now: Date) throws {
            let parts = try locked(parts)
            guard !parts.isEmpty else { return }
            try session.run(
                """
                UPDATE outbox_part l SET wakes_at = l.not_before, queued = CASE
                    WHEN l.paused_for IS NOT NULL OR c.state <> \(CampaignSQL.active) OR c.expires_at <= $3 THEN 0
                    WHEN l.not_before > $3 THEN 2 ELSE l.queued END
                FROM unnest($1, $2) AS one (campaign, part) JOIN outbox_campaign c ON c.id = one.campaign
                WHERE l.campaign = one.campaign AND l.number = one.part
                """,
                [.integers(parts.map(\.campaign)), .integers(parts.map(\.number)), .date(now)])
        }

        private func read(_ sql: String, _ arguments: [Argument]) throws -> [(slice: SliceRow, targets: [UInt8])] {
            var rows: [(slice: SliceRow, targets: [UInt8])] = []
            try session.run(sql, arguments) { rows.append((SliceRow($0), $0.blob(SliceRow.payloadColumn) ?? [])) }
            return rows
        }
    }
#endif
