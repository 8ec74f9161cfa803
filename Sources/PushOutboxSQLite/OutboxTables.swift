#if SQLite
    import FoundationEssentials
    import GRDB
    import PushCore
    import PushOutbox
    import PushSQLite

    /// The tables of campaigns and their parts; those of slices are in an extension. Within one transaction.
    struct OutboxTables {
        let db: Database

        init(_ db: Database) { self.db = db }

        /// The number of a campaign is never used again, because locks are named after it. What is sent stands beside the
        /// row that changes at each try: inside it, each change would write it again. Indexes know only what is not done.
        static let schema = """
            CREATE TABLE outbox_campaign (
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
                state INTEGER NOT NULL, message BLOB NOT NULL, options BLOB NOT NULL, priority INTEGER NOT NULL,
                seed TEXT NOT NULL, created_at REAL NOT NULL, expires_at REAL, ended_at REAL, keeps REAL NOT NULL, reason TEXT
            ) STRICT;
            CREATE INDEX outbox_campaign_live ON outbox_campaign (state) WHERE state < 3;
            CREATE INDEX outbox_campaign_submitted ON outbox_campaign (state) WHERE state = 8;
            CREATE INDEX outbox_campaign_ended ON outbox_campaign (ended_at + keeps) WHERE ended_at IS NOT NULL;
            CREATE TABLE outbox_leg (
                campaign INTEGER NOT NULL, number INTEGER NOT NULL, route TEXT NOT NULL, audience BLOB,
                not_before REAL NOT NULL, paused_for TEXT, patience REAL, leased_at INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (campaign, number)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE outbox_slice (
                campaign INTEGER NOT NULL, leg INTEGER NOT NULL, number INTEGER NOT NULL, state INTEGER NOT NULL,
                not_before REAL NOT NULL, epoch INTEGER NOT NULL, owner INTEGER NOT NULL, deaths INTEGER NOT NULL,
                tries INTEGER NOT NULL, generation INTEGER NOT NULL, key TEXT, key_until REAL, key_used_at REAL,
                may_have_acted INTEGER NOT NULL, marked INTEGER NOT NULL, resent INTEGER NOT NULL,
                targets INTEGER NOT NULL, outcomes BLOB NOT NULL, notes BLOB,
                open INTEGER NOT NULL, again INTEGER NOT NULL, accepted INTEGER NOT NULL, invalid INTEGER NOT NULL, suspect INTEGER NOT NULL,
                rejected INTEGER NOT NULL, later INTEGER NOT NULL, unknown INTEGER NOT NULL, repeated INTEGER NOT NULL,
                moved INTEGER NOT NULL, malformed INTEGER NOT NULL,
                PRIMARY KEY (campaign, leg, number)
            ) STRICT;
            CREATE INDEX outbox_slice_ready ON outbox_slice (campaign, leg, number) WHERE state = 0;
            CREATE INDEX outbox_slice_held ON outbox_slice (campaign) WHERE state IN (1, 2, 4);
            CREATE TABLE outbox_payload (
                campaign INTEGER NOT NULL, leg INTEGER NOT NULL, number INTEGER NOT NULL, targets BLOB NOT NULL,
                PRIMARY KEY (campaign, leg, number)
            ) STRICT, WITHOUT ROWID;
            """

        func run(_ sql: String, _ arguments: [Argument], _ row: (Query) throws -> Void = { _ in }) throws {
            let query = try Query(sql, in: db)
            try query.run(arguments) { try row(query) }
        }

        // MARK: Campaigns

        /// Returns its number.
        func insert(_ campaign: Campaign) throws -> Int64 {
            let options = try JSONEncoder().encode(campaign.options)
            try run(
                """
                INSERT INTO outbox_campaign (name, digest, state, message, options, priority, seed, created_at, expires_at,
                    ended_at, keeps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(campaign.name.rawValue), .text(campaign.digest), .integer(Int64(campaign.state.rawValue)),
                    .bytes(campaign.message), .bytes(Array(options)),
                    .integer(Int64(campaign.options.priority.rawValue)), .text(campaign.seed),
                    .date(campaign.createdAt), .date(campaign.expiresAt), .date(campaign.endedAt),
                    .seconds(campaign.options.keeps),
                ])
            let id = db.lastInsertedRowID
            try insert(campaign.legs, of: id)
            return id
        }

        /// What a worker made of a submitted campaign; false if it is not submitted any more.
        func plan(_ campaign: Campaign) throws -> Bool {
            try run(
                """
                UPDATE outbox_campaign SET state = ?2, message = ?3, options = ?4, priority = ?5, expires_at = ?6, ended_at = ?7,
                    keeps = ?8, reason = ?9 WHERE id = ?1 AND state = 8
                """,
                [
                    .integer(campaign.id), .integer(Int64(campaign.state.rawValue)), .bytes(campaign.message),
                    .bytes(Array(try JSONEncoder().encode(campaign.options))),
                    .integer(Int64(campaign.options.priority.rawValue)), .date(campaign.expiresAt),
                    .date(campaign.endedAt), .seconds(campaign.options.keeps), .text(campaign.reason),
                ])
            guard db.changesCount > 0 else { return false }
            try insert(campaign.legs, of: campaign.id)
            return true
        }

        private func insert(_ legs: [Campaign.Leg], of id: Int64) throws {
            for leg in legs {
                try run(
                    """
                    INSERT INTO outbox_leg (campaign, number, route, audience, not_before, paused_for, patience)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .integer(id), .integer(Int64(leg.number)), .text(leg.route.rawValue), .bytes(leg.audience),
                        .date(leg.notBefore), .text(leg.pausedFor), leg.patience.map(Argument.seconds) ?? .date(nil),
                    ])
            }
        }

        func campaigns(_ which: CampaignSelection) throws -> [Campaign] {
            var found: [Campaign] = []
            func read(_ condition: String, _ arguments: [Argument]) throws {
                try run("SELECT \(Campaign.columns) FROM outbox_campaign \(condition) ORDER BY id DESC", arguments) {
                    query in
                    found.append(Campaign(query))
                }
            }
            switch which {
            case .all: try read("WHERE state != 6", [])
            case .live:
                // SQLite would read all that the file keeps, because of the order.
                try read("INDEXED BY outbox_campaign_live WHERE state < 3", [])
                try read("WHERE state = 8", [])
                found.sort { $0.id > $1.id }
            case .named(let name): try read("WHERE name = ?", [.text(name.rawValue)])
            case .numbered(let ids):
                for id in ids.sorted(by: >) { try read("WHERE id = ?", [.integer(id)]) }
            case .submitted: try read("WHERE state = 8", [])
            }
            for index in found.indices { found[index].legs = try legs(of: found[index].id) }
            return found
        }

        private func legs(of campaign: Int64) throws -> [Campaign.Leg] {
            var legs: [Campaign.Leg] = []
            try run(
                "SELECT \(Campaign.Leg.columns) FROM outbox_leg WHERE campaign = ? ORDER BY number",
                [.integer(campaign)]
            ) { legs.append(Campaign.Leg($0)) }
            return legs
        }

        func state(of campaign: Int64) throws -> Campaign.State? {
            var state: Campaign.State?
            try run("SELECT state FROM outbox_campaign WHERE id = ?", [.integer(campaign)]) { query in
                state = Campaign.State(rawValue: Int(query.integer(0)))
            }
            return state
        }

        func move(
            _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date?
        ) throws -> Bool {
            try run(
                "UPDATE outbox_campaign SET state = ?, ended_at = ?, reason = NULL WHERE id = ? AND (1 << state) & ? != 0",
                [
                    .integer(Int64(state.rawValue)), .date(date), .integer(campaign),
                    .integer(Self.mask(states.map(\.rawValue))),
                ])
            return db.changesCount > 0
        }

        func pause(_ campaign: Int64, _ leg: Int, for reason: String?) throws {
            let place: [Argument] = [.integer(campaign), .integer(Int64(leg))]
            try run(
                "UPDATE outbox_leg SET paused_for = ?3 WHERE campaign = ?1 AND number = ?2", place + [.text(reason)])
            guard reason == nil else { return }
            try run(
                """
                UPDATE outbox_slice SET state = 0, deaths = 0
                WHERE campaign = ?1 AND leg = ?2 AND state IN (1, 2, 4) AND state = 4
                """, place)
        }

        func delay(_ campaign: Int64, _ leg: Int, until date: Date) throws {
            try run(
                "UPDATE outbox_leg SET not_before = ? WHERE campaign = ? AND number = ?",
                [.date(date), .integer(campaign), .integer(Int64(leg))])
        }

        /// Removes all of a campaign that ended but its row.
        private func keepName(of campaign: Int64) throws {
            guard var row = try campaigns(.numbered([campaign])).first else { return }
            row.state = .removed
            try removeRows(of: campaign)
            try run(
                "UPDATE outbox_campaign SET state = ?2, message = x'', keeps = ?3 WHERE id = ?1",
                [.integer(campaign), .integer(Int64(row.state.rawValue)), .seconds(row.keptFor)])
        }

        func remove(_ campaign: Int64) throws {
            try removeRows(of: campaign)
            try run("DELETE FROM outbox_campaign WHERE id = ?", [.integer(campaign)])
        }

        private func removeRows(of campaign: Int64) throws {
            for table in ["outbox_payload", "outbox_slice", "outbox_leg"] {
                try run("DELETE FROM \(table) WHERE campaign = ?", [.integer(campaign)])
            }
        }

        // MARK: Keeping

        func endFinished(at date: Date) throws -> [Campaign] {
            var ended: [(id: Int64, state: Campaign.State)] = []
            try run(
                """
                SELECT id,
                    EXISTS (SELECT 1 FROM outbox_slice WHERE campaign = id AND state = 0)
                        OR EXISTS (SELECT 1 FROM outbox_slice WHERE campaign = id AND state IN (1, 2, 4)),
                    expires_at <= ?1
                        AND NOT EXISTS (
                            SELECT 1 FROM outbox_slice WHERE campaign = id AND state IN (1, 2, 4) AND state != 4)
                FROM outbox_campaign WHERE state < 3 AND state > 0 ORDER BY id
                """, [.date(date)]
            ) { query in
                if query.integer(1) == 0 {
                    ended.append((query.integer(0), .finished))
                } else if query.integer(2) != 0 {
                    ended.append((query.integer(0), .expired))
                }
            }
            guard !ended.isEmpty else { return [] }
            for one in ended { _ = try move(one.id, from: [.active, .paused], to: one.state, at: date) }
            return try campaigns(.numbered(Set(ended.map(\.id))))
        }

        /// By its index: a month of small campaigns is a million of them, and the worker asks four times a second.
        static let oldest = """
            SELECT id, state FROM outbox_campaign
            WHERE ended_at IS NOT NULL AND ended_at + keeps <= ?1 ORDER BY ended_at + keeps LIMIT 1
            """

        /// - Parameter isGone: whether nobody loads a campaign any more.
        func prune(at date: Date, limit: Int, isGone: (Int64) -> Bool) throws -> Int {
            var old: Int64?
            var hasReport = false
            try run(Self.oldest, [.date(date)]) { query in
                old = query.integer(0)
                hasReport = query.integer(1) != Int64(Campaign.State.removed.rawValue)
            }
            if old == nil {
                try run("SELECT id FROM outbox_campaign WHERE state < 3 AND state = 0", []) { query in
                    if old == nil, isGone(query.integer(0)) { old = query.integer(0) }
                }
            }
            guard let old else { return 0 }
            let arguments: [Argument] = [.integer(old), .integer(Int64(limit))]
            var last: (leg: Int64, number: Int64)?
            var count = 0
            try run(
                "SELECT leg, number FROM outbox_slice WHERE campaign = ?1 ORDER BY leg, number LIMIT ?2", arguments
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
                    "DELETE FROM \(table) WHERE campaign = ?1 AND (leg, number) <= (?2, ?3)",
                    [.integer(old), .integer(last.leg), .integer(last.number)])
            }
            return count
        }

        /// The numbers of states as the bits of one number.
        static func mask(_ states: [Int]) -> Int64 { states.reduce(0) { $0 | 1 << Int64($1) } }
    }

    extension Query: StoredRow {}

    extension Argument {
        /// A time, as the columns keep it.
        fileprivate static func seconds(_ time: Duration) -> Argument {
            .date(Date(timeIntervalSinceReferenceDate: time.seconds))
        }
    }
#endif
