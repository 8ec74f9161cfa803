#if SQLite
    import FoundationEssentials
    import GRDB
    import PushAdapter
    import PushOutbox
    import PushSQLite

    /// The tables of campaigns and parts, within one transaction. An extension has the tables of slices.
    struct OutboxTables {
        let db: Database

        init(_ db: Database) { self.db = db }

        /// Campaign numbers are never reused, because locks are named after them. The targets stand in a table beside
        /// the row that changes at each attempt: inside it, each change would write them again. Partial indexes cover
        /// only unfinished rows.
        private static let first = """
            CREATE TABLE outbox_campaign (
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
                state INTEGER NOT NULL, message BLOB NOT NULL, options BLOB NOT NULL, priority INTEGER NOT NULL,
                seed TEXT NOT NULL, created_at REAL NOT NULL, expires_at REAL, ended_at REAL, keeps REAL NOT NULL, reason TEXT,
                CHECK (state BETWEEN 0 AND 8 AND priority BETWEEN 0 AND 2 AND keeps >= 0)
            ) STRICT;
            CREATE INDEX outbox_campaign_state ON outbox_campaign (state, id);
            CREATE INDEX outbox_campaign_reason ON outbox_campaign (id) WHERE reason IS NOT NULL AND state IN (0, 1, 2, 8);
            CREATE INDEX outbox_campaign_expiry ON outbox_campaign (expires_at) WHERE state IN (1, 2);
            CREATE INDEX outbox_campaign_submitted ON outbox_campaign (priority, id) WHERE state = 8;
            CREATE INDEX outbox_campaign_ended ON outbox_campaign (ended_at + keeps) WHERE ended_at IS NOT NULL;
            CREATE TABLE outbox_part (
                campaign INTEGER NOT NULL, number INTEGER NOT NULL, route TEXT NOT NULL, audience BLOB,
                not_before REAL NOT NULL, paused_for TEXT, patience REAL, priority INTEGER NOT NULL,
                turn INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0, wakes_at REAL,
                PRIMARY KEY (campaign, number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX outbox_part_queue ON outbox_part (route, priority, turn) WHERE queued = 1;
            CREATE INDEX outbox_part_routed ON outbox_part (route, priority, turn) WHERE queued = 1 AND patience IS NOT NULL;
            CREATE INDEX outbox_part_waits ON outbox_part (wakes_at) WHERE queued = 2;
            CREATE INDEX outbox_part_paused ON outbox_part (campaign) WHERE paused_for IS NOT NULL;
            CREATE TABLE outbox_turn (last INTEGER NOT NULL) STRICT;
            INSERT INTO outbox_turn VALUES (0);
            CREATE TABLE outbox_ended (campaign INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE outbox_slice (
                campaign INTEGER NOT NULL, part INTEGER NOT NULL, number INTEGER NOT NULL, state INTEGER NOT NULL,
                not_before REAL NOT NULL, epoch INTEGER NOT NULL, owner INTEGER NOT NULL, crashes INTEGER NOT NULL,
                attempts INTEGER NOT NULL, generation INTEGER NOT NULL, key TEXT, key_until REAL, key_used_at REAL,
                may_have_acted INTEGER NOT NULL, marked INTEGER NOT NULL, resent INTEGER NOT NULL,
                targets INTEGER NOT NULL, outcomes BLOB NOT NULL, notes BLOB, key_uptime TEXT,
                open INTEGER NOT NULL, again INTEGER NOT NULL, accepted INTEGER NOT NULL, invalid INTEGER NOT NULL, suspect INTEGER NOT NULL,
                rejected INTEGER NOT NULL, later INTEGER NOT NULL, unknown INTEGER NOT NULL, repeated INTEGER NOT NULL,
                moved INTEGER NOT NULL, malformed INTEGER NOT NULL,
                PRIMARY KEY (campaign, part, number),
                CHECK (state BETWEEN 0 AND 4 AND MIN(part, number, epoch, crashes, attempts, generation, resent) >= 0
                    AND MAX(part, number, epoch, crashes, attempts, generation, resent) <= 2000000000),
                CHECK (MIN(open, again, accepted, invalid, suspect, rejected, later, unknown, repeated, moved, malformed) >= 0
                    AND MAX(open, again, accepted, invalid, suspect, rejected, later, unknown, repeated, moved,
                        malformed) <= targets),
                CHECK (targets BETWEEN 0 AND 100000 AND length(outcomes) IN (1, targets) AND marked BETWEEN 0 AND targets)
            ) STRICT;
            CREATE INDEX outbox_slice_ready ON outbox_slice (campaign, part, not_before, number) WHERE state = 0 AND crashes = 0;
            CREATE INDEX outbox_slice_recovered ON outbox_slice (campaign, part, number) WHERE state = 0 AND crashes > 0;
            CREATE INDEX outbox_slice_keyed ON outbox_slice (key_used_at) WHERE state = 0 AND key_used_at IS NOT NULL;
            CREATE INDEX outbox_slice_open ON outbox_slice (campaign, open, again) WHERE state != 3;
            CREATE INDEX outbox_slice_quarantined ON outbox_slice (campaign) WHERE state IN (1, 2, 4);
            CREATE TABLE outbox_payload (
                campaign INTEGER NOT NULL, part INTEGER NOT NULL, number INTEGER NOT NULL, targets BLOB NOT NULL,
                PRIMARY KEY (campaign, part, number)
            ) STRICT, WITHOUT ROWID;
            """
        /// The SQL of each version, oldest first.
        static let versions = [first]

        func run(_ sql: String, _ arguments: [Argument], _ row: (Query) throws -> Void = { _ in }) throws {
            let query = try Query(sql, in: db)
            try query.run(arguments) { try row(query) }
        }

        // MARK: Campaigns

        /// Returns the number.
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
                    .seconds(campaign.options.keeps.seconds),
                ])
            let id = db.lastInsertedRowID
            try insertParts(of: campaign, id)
            return id
        }

        func submitted(leaving left: [Int64], limit: Int) throws -> [Campaign] {
            var found: [Campaign] = []
            try run(
                """
                SELECT \(Campaign.columns) FROM outbox_campaign INDEXED BY outbox_campaign_submitted
                WHERE state = \(CampaignSQL.submitted) AND id NOT IN (SELECT value FROM json_each(?1)) ORDER BY priority, id LIMIT ?2
                """, [.text("\(left)"), .integer(Int64(limit))]
            ) { found.append(Campaign($0)) }
            return found
        }

        /// Replaces a submitted campaign by its plan and adds its slices; false if it is no longer submitted.
        func plan(_ campaign: Campaign, _ slices: [(slice: SliceRow, targets: [UInt8])]) throws -> Bool {
            try run(
                """
                UPDATE outbox_campaign SET state = ?2, message = ?3, options = ?4, priority = ?5, expires_at = ?6, ended_at = ?7,
                    keeps = ?8, reason = ?9 WHERE id = ?1 AND state = \(CampaignSQL.submitted)
                """,
                [
                    .integer(campaign.id), .integer(Int64(campaign.state.rawValue)), .bytes(campaign.message),
                    .bytes(Array(try JSONEncoder().encode(campaign.options))),
                    .integer(Int64(campaign.options.priority.rawValue)), .date(campaign.expiresAt),
                    .date(campaign.endedAt), .seconds(campaign.options.keeps.seconds), .text(campaign.reason),
                ])
            guard db.changesCount > 0 else { return false }
            try insertParts(of: campaign, campaign.id)
            try insert(slices, of: campaign.id)
            if campaign.state == .active { try begin(campaign.id) }
            return true
        }

        private func insertParts(of campaign: Campaign, _ id: Int64) throws {
            for part in campaign.parts {
                try run(
                    """
                    INSERT INTO outbox_part (campaign, number, route, audience, not_before, paused_for, patience, priority)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .integer(id), .integer(Int64(part.number)), .text(part.route.rawValue), .bytes(part.audience),
                        .date(part.notBefore), .text(part.pausedFor), .seconds(part.patience?.seconds),
                        .integer(Int64(campaign.options.priority.rawValue)),
                    ])
            }
        }

        func campaigns(_ which: CampaignSelection) throws -> [Campaign] {
            var found: [Campaign] = []
            func read(_ condition: String, _ arguments: [Argument]) throws {
                try run(
                    "SELECT \(Campaign.columns) FROM outbox_campaign \(condition) ORDER BY id DESC LIMIT ?3", arguments
                ) { found.append(Campaign($0)) }
            }
            switch which {
            case .page(let states, let last, let limit):
                // Reads each state by its index. With one query, the order would make SQLite read the whole file.
                for state in states {
                    try read(
                        "INDEXED BY outbox_campaign_state WHERE state = ?1 AND id < ?2",
                        [.integer(Int64(state.rawValue)), .integer(last ?? .max), .integer(Int64(limit))])
                }
                found = Array(found.sorted { $0.id > $1.id }.prefix(limit))
            case .named(let name): try read("WHERE name = ?1", [.text(name.rawValue), .integer(0), .integer(1)])
            case .numbered(let ids):
                for id in ids.sorted(by: >) {
                    try read("WHERE id = ?1", [.integer(id), .integer(0), .integer(1)])
                }
            }
            for index in found.indices { found[index].parts = try parts(of: found[index].id) }
            return found
        }

        private func parts(of campaign: Int64) throws -> [Campaign.Part] {
            var parts: [Campaign.Part] = []
            try run(
                "SELECT \(Campaign.Part.columns) FROM outbox_part WHERE campaign = ? ORDER BY number",
                [.integer(campaign)]
            ) { parts.append(Campaign.Part($0)) }
            return parts
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
            guard db.changesCount > 0 else { return false }
            if state == .active { try begin(campaign) }
            return true
        }

        /// Queues the parts of an active campaign, and lets workers check whether it is already done.
        func begin(_ campaign: Int64) throws {
            try run(
                "UPDATE outbox_part SET queued = 1, turn = ?2 WHERE campaign = ?1",
                [.integer(campaign), .integer(try nextTurn())])
            try run("INSERT OR IGNORE INTO outbox_ended (campaign) VALUES (?)", [.integer(campaign)])
        }

        /// A part takes a new turn at each lease, so that parts of one priority take turns.
        func nextTurn() throws -> Int64 {
            var turn: Int64 = 0
            try run("UPDATE outbox_turn SET last = last + 1 RETURNING last", []) { turn = $0.integer(0) }
            return turn
        }

        func pause(_ campaign: Int64, _ part: Int, for reason: String?) throws {
            let place: [Argument] = [.integer(campaign), .integer(Int64(part))]
            try run(
                "UPDATE outbox_part SET paused_for = ?3 WHERE campaign = ?1 AND number = ?2", place + [.text(reason)])
            guard reason == nil else { return }
            try run(
                """
                UPDATE outbox_slice SET state = \(SliceSQL.ready), crashes = 0
                WHERE campaign = ?1 AND part = ?2 AND \(SliceSQL.isQuarantined())
                """, place)
            try run("UPDATE outbox_part SET queued = 1 WHERE campaign = ?1 AND number = ?2", place)
        }

        func delay(_ campaign: Int64, _ part: Int, until date: Date) throws {
            try run(
                "UPDATE outbox_part SET not_before = MAX(not_before, ?) WHERE campaign = ? AND number = ?",
                [.date(date), .integer(campaign), .integer(Int64(part))])
        }

        /// Removes everything of a campaign that ended, except its row.
        func keepName(of campaign: Int64) throws {
            guard var row = try campaigns(.numbered([campaign])).first else { return }
            row.state = .removed
            try removeRows(of: campaign)
            try run(
                "UPDATE outbox_campaign SET state = ?2, message = x'', keeps = ?3 WHERE id = ?1",
                [.integer(campaign), .integer(Int64(row.state.rawValue)), .seconds(row.keptFor.seconds)])
        }

        func remove(_ campaign: Int64) throws {
            try removeRows(of: campaign)
            try run("DELETE FROM outbox_campaign WHERE id = ?", [.integer(campaign)])
        }

        private func removeRows(of campaign: Int64) throws {
            for table in ["outbox_payload", "outbox_slice", "outbox_part"] {
                try run("DELETE FROM \(table) WHERE campaign = ?", [.integer(campaign)])
            }
        }

        /// A bit for each state.
        static func mask(_ states: [Int]) -> Int64 { states.reduce(0) { $0 | 1 << Int64($1) } }
    }

    extension Query: StoredRow {}
#endif
