#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushPostgres

    /// The tables of campaigns and parts, within one transaction. Extensions have the tables of slices and workers.
    struct OutboxTables {
        let session: PostgresSession

        init(_ session: PostgresSession) { self.session = session }

        // MARK: Campaigns

        /// Returns the number; nil if the name is taken.
        func insert(_ campaign: Campaign) throws -> Int64? {
            var id: Int64?
            try session.run(
                """
                INSERT INTO outbox_campaign (\(Self.contents), name, digest, seed, created_at)
                SELECT *, $10, $11, $12, $13 FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
                ON CONFLICT (name) DO NOTHING RETURNING id
                """,
                try contents(of: [campaign])
                    + [
                        .text(campaign.name.rawValue), .text(campaign.digest), .text(campaign.seed),
                        .date(campaign.createdAt),
                    ]
            ) { id = $0.integer(0) }
            if let id {
                var kept = campaign
                kept.id = id
                try insertParts(of: [kept])
            }
            return id
        }

        /// After this many bytes of submitted campaigns, a worker plans before it reads more.
        private static let mostSubmittedBytes = 16 << 20

        /// Assigns submitted campaigns to a worker and returns them. Other workers get those that it leaves, or all of
        /// them if it dies.
        func submitted(for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int) throws -> [Campaign] {
            if !left.isEmpty {
                try session.run(
                    "UPDATE outbox_campaign SET planner = 0 WHERE id = ANY($1) AND planner = $2",
                    [.integers(left), .integer(worker)])
            }
            var found: [Campaign] = []
            try session.run(
                """
                WITH due AS (
                    SELECT id, priority, octet_length(message) AS size FROM outbox_campaign c
                    WHERE state = \(CampaignSQL.submitted) AND (routes IS NULL OR routes <@ $2) AND id <> ALL($3)
                        AND (planner IN (0, $1) OR NOT EXISTS (SELECT 1 FROM outbox_worker w WHERE w.id = c.planner))
                    ORDER BY priority, id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
                ), sized AS (
                    SELECT id, sum(size) OVER (ORDER BY priority, id) - size AS bytes_before FROM due
                ), taken AS (
                    UPDATE outbox_campaign SET planner = $1
                    WHERE id IN (SELECT id FROM sized WHERE bytes_before < \(Self.mostSubmittedBytes))
                    RETURNING \(Campaign.columns), priority)
                SELECT \(Campaign.columns) FROM taken ORDER BY priority, id
                """,
                [
                    .integer(worker), .texts(routes.map { Array($0.rawValue.utf8) }), .integers(left),
                    .integer(Int64(limit)),
                ]
            ) { found.append(Campaign($0)) }
            return found
        }

        /// Replaces submitted campaigns by their plans and adds their slices. Returns for each whether it was still
        /// submitted.
        func plan(_ planned: [PreparedCampaign]) throws -> [Bool] {
            let campaigns = planned.map(\.campaign)
            var made: Set<Int64> = []
            try session.run(
                """
                UPDATE outbox_campaign c SET (\(Self.contents)) = (n.\(Self.contents.replacing(", ", with: ", n.")))
                FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS n(\(Self.contents), id)
                WHERE c.id = n.id AND c.state = \(CampaignSQL.submitted) RETURNING c.id
                """, try contents(of: campaigns) + [.integers(campaigns.map(\.id))]
            ) { made.insert($0.integer(0)) }
            let kept = planned.filter { made.contains($0.campaign.id) }
            try insertParts(of: kept.map(\.campaign))
            let rows = kept.flatMap { one in
                one.slices.map { row in
                    var row = row
                    row.slice.id.campaign = one.campaign.id
                    return row
                }
            }
            if !rows.isEmpty { try insert(rows) }
            try begin(kept.map(\.campaign).filter { $0.state == .active }.map(\.id))
            return campaigns.map { made.contains($0.id) }
        }

        /// The columns that a plan changes.
        private static let contents =
            "state, message, options, priority, expires_at, ended_at, keeps, keeps_name, reason"

        /// An array for each of these columns.
        private func contents(of campaigns: [Campaign]) throws -> [Argument] {
            [
                .integers(campaigns.map { Int64($0.state.rawValue) }), .texts(campaigns.map(\.message)),
                .texts(try campaigns.map { Array(try JSONEncoder().encode($0.options)) }),
                .integers(campaigns.map { Int64($0.options.priority.rawValue) }), .dates(campaigns.map(\.expiresAt)),
                .dates(campaigns.map(\.endedAt)), .numbers(campaigns.map(\.options.keeps.seconds)),
                .numbers(campaigns.map(\.options.keepsName.seconds)),
                .texts(campaigns.map { $0.reason.map { Array($0.utf8) } }),
            ]
        }

        private func insertParts(of campaigns: [Campaign]) throws {
            let parts = campaigns.flatMap { campaign in campaign.parts.map { (campaign: campaign, part: $0) } }
            guard !parts.isEmpty else { return }
            try session.run(
                """
                INSERT INTO outbox_part (campaign, number, route, audience, not_before, paused_for, patience, priority)
                SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
                """,
                [
                    .integers(parts.map(\.campaign.id)), .integers(parts.map { Int64($0.part.number) }),
                    .texts(parts.map { Array($0.part.route.rawValue.utf8) }), .texts(parts.map(\.part.audience)),
                    .dates(parts.map(\.part.notBefore)), .texts(parts.map { $0.part.pausedFor.map { Array($0.utf8) } }),
                    .numbers(parts.map { $0.part.patience?.seconds }),
                    .integers(parts.map { Int64($0.campaign.options.priority.rawValue) }),
                ])
        }

        /// - Parameter locks: whether to lock the campaigns for this transaction.
        func campaigns(_ which: CampaignSelection, locks: Bool = false) throws -> [Campaign] {
            var found: [Campaign] = []
            func read(_ condition: String, _ arguments: [Argument]) throws {
                try session.run(
                    """
                    SELECT \(Campaign.columns) FROM outbox_campaign WHERE \(condition)\(locks ? " FOR UPDATE" : "")
                    """, arguments
                ) { found.append(Campaign($0)) }
            }
            switch which {
            case .page(let states, let last, let limit):
                for state in states {
                    try read(
                        "state = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
                        [.integer(Int64(state.rawValue)), .integer(last ?? .max), .integer(Int64(limit))])
                }
                found = Array(found.sorted { $0.id > $1.id }.prefix(limit))
            case .named(let name): try read("name = $1", [.text(name.rawValue)])
            case .numbered(let ids): try read("id = ANY($1) ORDER BY id DESC", [.integers(Array(ids))])
            }
            let parts = try parts(of: found.map(\.id))
            for index in found.indices { found[index].parts = parts[found[index].id] ?? [] }
            return found
        }

        private func parts(of campaigns: [Int64]) throws -> [Int64: [Campaign.Part]] {
            guard !campaigns.isEmpty else { return [:] }
            var parts: [Int64: [Campaign.Part]] = [:]
            try session.run(
                """
                SELECT \(Campaign.Part.columns), campaign FROM outbox_part WHERE campaign = ANY($1)
                ORDER BY campaign, number
                """, [.integers(campaigns)]
            ) { parts[$0.integer(6), default: []].append(Campaign.Part($0)) }
            return parts
        }

        /// A campaign's state. It cannot change during this transaction.
        func state(of campaign: Int64) throws -> Campaign.State? {
            var state: Campaign.State?
            try session.run("SELECT state FROM outbox_campaign WHERE id = $1 FOR SHARE", [.integer(campaign)]) {
                state = Campaign.State(rawValue: Int($0.integer(0)))
            }
            return state
        }

        func move(
            _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date?
        ) throws -> Bool {
            let isMoved =
                try session.run(
                    "UPDATE outbox_campaign SET state = $1, ended_at = $2, reason = NULL WHERE id = $3 AND (1 << state) & $4 <> 0",
                    [
                        .integer(Int64(state.rawValue)), .date(date), .integer(campaign),
                        .integer(Self.mask(states.map(\.rawValue))),
                    ]) > 0
            if isMoved, state == .active { try begin([campaign]) }
            return isMoved
        }

        /// Queues the parts of active campaigns in this order, and lets workers check whether they are already done.
        func begin(_ campaigns: [Int64]) throws {
            guard !campaigns.isEmpty else { return }
            try session.run(
                """
                UPDATE outbox_part l SET queued = 1, turn = n.turn FROM (
                    SELECT k.campaign, k.number, nextval('outbox_turn') AS turn FROM (
                        SELECT o.campaign, o.number
                        FROM unnest($1) WITH ORDINALITY AS c (id, place) JOIN outbox_part o ON o.campaign = c.id
                        ORDER BY c.place, o.number FOR NO KEY UPDATE OF o) k) n
                WHERE l.campaign = n.campaign AND l.number = n.number
                """, [.integers(campaigns)])
            try noteEnded(campaigns)
        }

        /// Lets workers check whether campaigns are done.
        func noteEnded(_ campaigns: some Collection<Int64>) throws {
            guard !campaigns.isEmpty else { return }
            try session.run(
                "INSERT INTO outbox_ended (campaign) SELECT unnest($1)", [.integers(campaigns.map { $0 })])
        }

        func pause(_ campaign: Int64, _ part: Int, for reason: String?) throws {
            let place: [Argument] = [.integer(campaign), .integer(Int64(part))]
            try session.run(
                "UPDATE outbox_part SET paused_for = $3 WHERE campaign = $1 AND number = $2", place + [.text(reason)])
            guard reason == nil else { return }
            try session.run(
                """
                UPDATE outbox_slice SET state = \(SliceSQL.ready), crashes = 0
                WHERE campaign = $1 AND part = $2 AND \(SliceSQL.isQuarantined())
                """, place)
            try session.run("UPDATE outbox_part SET queued = 1 WHERE campaign = $1 AND number = $2", place)
        }

        func delay(_ campaign: Int64, _ part: Int, until date: Date) throws {
            try session.run(
                "UPDATE outbox_part SET not_before = GREATEST(not_before, $3) WHERE campaign = $1 AND number = $2",
                [.integer(campaign), .integer(Int64(part)), .date(date)])
        }

        /// Waits for transactions that rely on the campaign being active. Later ones see the changes of this one.
        func lock(_ campaign: Int64) throws {
            try session.run("SELECT 1 FROM outbox_campaign WHERE id = $1 FOR NO KEY UPDATE", [.integer(campaign)])
        }

        /// A bit for each state.
        static func mask(_ states: [Int]) -> Int64 { states.reduce(0) { $0 | 1 << Int64($1) } }

        // MARK: Loaders

        /// The number of the lock that a campaign's loader holds during its session.
        private static let loader = "hashtextextended('pushbridge ' || current_schema() || ' ' || $1::bigint, 0)"

        /// Makes this session the loader of a campaign.
        func hold(_ campaign: Int64) throws {
            try session.run("SELECT pg_advisory_lock(\(Self.loader))", [.integer(campaign)])
            session.locks.insert(campaign)
        }

        func free(_ campaign: Int64) throws {
            guard session.locks.remove(campaign) != nil else { return }
            try session.run("SELECT pg_advisory_unlock(\(Self.loader))", [.integer(campaign)])
        }

        /// Whether no process loads a campaign any more. Checks its own locks first, because the server would grant
        /// them again.
        func isGone(_ campaign: Int64) throws -> Bool {
            guard !session.locks.contains(campaign) else { return false }
            var isGone = false
            try session.run("SELECT pg_try_advisory_xact_lock(\(Self.loader))", [.integer(campaign)]) {
                isGone = $0.integer(0) != 0
            }
            return isGone
        }
    }

    extension PostgresRow: StoredRow {}
#endif
