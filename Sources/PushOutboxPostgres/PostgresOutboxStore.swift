#if PostgreSQL
    public import FoundationEssentials
    public import PushAdapter
    public import PushOutbox
    import PushPostgres

    /// Stores campaigns in PostgreSQL, for a backend on several machines.
    ///
    /// ```swift
    /// try await PostgresOutboxStore.migrate(database)     // once, or at each deployment
    /// let store = try await PostgresOutboxStore(database)
    /// let outbox = PushOutbox(store, routes: ["jpush": jpush])
    /// ```
    ///
    /// Every process may enqueue, watch, operate and work. Workers share the slices: each leases slices that no other
    /// worker has. A worker renews its life every few seconds. When its life is over on the server's clock, the others
    /// take over its work. A change is on the server's disk when its call returns. A process that enqueues holds a lock
    /// during its session. If the session ends, its loading campaign counts as gone.
    ///
    /// All stored times are on the server's clock. The store converts them to and from a process's own clock by a
    /// difference in whole seconds, which each transaction measures. So machines whose clocks disagree can share a
    /// store.
    ///
    /// Uses up to three connections. They need their own sessions: connect to the server, or to a pooler that pools
    /// sessions, not transactions. Give the password in the string or in the file `~/.pgpass`; no error holds it.
    ///
    /// A restored backup, or a standby that took over without the latest commits, lacks marks, so a worker would repeat
    /// the sends after it. The server's timeline or identifier shows this. Then the first worker pauses all active
    /// campaigns with a reason, and a person cancels or resumes them. A copy of a server's files leaves no such trace.
    ///
    /// Methods throw `transport` if the connection is lost or the server cannot be reached. A server that sends nothing
    /// for 75 seconds counts as lost. The call may have had its effect, and the next call connects again. They throw
    /// `busy` if another session holds a lock for five seconds or the server's disk is full. They throw `timeout` after
    /// a minute, `invalidArgument` for a value that the tables cannot hold, and `invalidState` for other refusals of the
    /// server. The store retries conflicts with other transactions. No error holds an id. Cancelling the task does not
    /// cancel a running call.
    public final class PostgresOutboxStore: OutboxStore {
        /// `work` leases and changes slices, `load` enqueues and holds the loaders' locks, `watch` watches and
        /// operates.
        let (work, load, watch): (PostgresConnection, PostgresConnection, PostgresConnection)
        let workerLife: Duration
        let pausesAfterRestore: Bool
        let clock: ServerClock
        let schema: OutboxSchema

        /// How far the server's clock is ahead of this machine's.
        public var lead: Duration? { .seconds(clock.lead) }

        /// Creates the tables in a schema of their own, or brings them up to date, in one transaction. Changes nothing
        /// if they are up to date. Several processes may call it at the same moment.
        ///
        /// Refuses the same as opening does. Also refuses with `misconfigured` a role that may not create tables, and
        /// tables of a newer version of this library. A role for workers needs fewer rights: see "Operate the outbox".
        /// - Parameters:
        ///   - connection: a URI or `key=value` pairs, as libpq takes them.
        ///   - schema: the schema of the tables.
        public static func migrate(_ connection: String, schema: String = "pushbridge") async throws(PushError) {
            let schema = try OutboxSchema(schema)
            // A step has several statements, each of which may take a minute.
            let session = try PostgresConnection(
                Secret(connection), settings: schema.settings, longestSilence: .seconds(600), check: OutboxSchema.check)
            defer { session.close() }
            try await session.transaction { try schema.migrate($0) }
        }

        /// Connects to a store with tables from ``migrate(_:schema:)``. Changes nothing.
        ///
        /// Refuses with `misconfigured` a string that cannot be read, and a schema without tables or with tables of
        /// another version. Also refuses a server before PostgreSQL 13, and one that may lose commits at a power cut
        /// (`fsync` or `full_page_writes` is off). Refuses with `unauthorized` a user or password that the server does
        /// not accept. Refuses with `transport` a server that is unreachable or read-only, and with `invalidArgument` a
        /// life below a millisecond.
        ///
        /// - Parameters:
        ///   - connection: a URI or `key=value` pairs, as libpq takes them. Unless the string says otherwise,
        ///     connecting takes at most 10 seconds a host, and the server shows the name `pushbridge`.
        ///   - schema: the schema of the tables. One database can hold several outboxes.
        ///   - workerLife: how long a worker counts as alive without a renewal. All processes must give the same value.
        ///   - pausesAfterRestore: whether to pause active campaigns if the server's timeline or identifier has
        ///     changed. False is safe only if no standby can lack a commit, as with synchronous replication.
        public convenience init(
            _ connection: String, schema: String = "pushbridge", workerLife: Duration = .seconds(30),
            pausesAfterRestore: Bool = true
        ) async throws(PushError) {
            try await self.init(
                connection, schema: schema, workerLife: workerLife, pausesAfterRestore: pausesAfterRestore,
                clock: { .now })
        }

        package init(
            _ connection: String, schema: String, workerLife: Duration, pausesAfterRestore: Bool = true,
            clock: @escaping @Sendable () -> Date
        ) async throws(PushError) {
            guard workerLife >= .milliseconds(1) else {
                throw PushError(.invalidArgument, "the life of a worker is at least a millisecond")
            }
            let schema = try OutboxSchema(schema)
            let (secret, clock) = (Secret(connection), ServerClock(clock))
            func connect() throws(PushError) -> PostgresConnection {
                try PostgresConnection(secret, settings: schema.settings, clock: clock) { session in
                    try OutboxSchema.check(session)
                    try schema.checkVersion(session)
                }
            }
            (work, load, watch) = (try connect(), try connect(), try connect())
            (self.workerLife, self.schema, self.pausesAfterRestore) = (workerLife.bounded, schema, pausesAfterRestore)
            self.clock = clock
            try await work.transaction(.read) { _ in }
        }

        /// The SQL that creates the schema and its tables, for teams that run migrations by hand. Refuses an invalid
        /// schema name with `misconfigured`.
        public static func migration(schema: String = "pushbridge") throws(PushError) -> String {
            try OutboxSchema(schema).script
        }

        /// Ends the sessions and their loading campaigns after the running calls. Later calls throw `stopped`.
        public func close() { for connection in [work, load, watch] { connection.close() } }

        // MARK: Enqueuing

        public func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
            try await load.transaction { session in
                let tables = OutboxTables(session)
                // Others may take or free the name between two statements.
                for _ in 0..<10 {
                    if let old = try tables.campaigns(.named(campaign.name), locks: true).first {
                        guard old.state == .loading, try tables.isGone(old.id) else { return (old, false) }
                        try tables.remove(old.id)
                    }
                    guard let id = try tables.insert(campaign) else { continue }
                    // Locks the campaign before another process can see it. A number that is not committed is never
                    // used again.
                    try tables.hold(id)
                    var kept = campaign
                    kept.id = id
                    return (kept, true)
                }
                throw PushError(.busy, "others enqueue campaigns of this name", retry: .backoff)
            }
        }

        public func add(_ slices: [(slice: SliceRow, targets: [UInt8])], to campaign: Int64) async throws -> Bool {
            try await load.transaction(.plannedOnce) { session in
                let tables = OutboxTables(session)
                guard session.locks.contains(campaign), try tables.state(of: campaign) == .loading else { return false }
                try tables.insert(slices)
                return true
            }
        }

        public func submitted(
            for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int
        ) async throws -> [Campaign] {
            try await watch.transaction {
                try OutboxTables($0).submitted(for: worker, routes: routes, leaving: left, limit: limit)
            }
        }

        public func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
            try await watch.transaction { try OutboxTables($0).plan(planned) }
        }

        public func activate(_ campaign: Int64) async throws -> Bool {
            let isMoved = try await load.transaction { session in
                guard session.locks.contains(campaign) else { return false }
                return try OutboxTables(session).move(campaign, from: [.loading], to: .active, at: nil)
            }
            await free(campaign)
            return isMoved
        }

        public func abandon(_ campaign: Int64) async throws {
            do {
                try await load.transaction { session in
                    let tables = OutboxTables(session)
                    if try tables.state(of: campaign) == .loading { try tables.remove(campaign) }
                }
            } catch {
                // If the removal fails, the freed lock marks the campaign as gone.
                await free(campaign)
                throw error
            }
            await free(campaign)
        }

        /// If this fails, the session has ended, which frees the lock too.
        private func free(_ campaign: Int64) async {
            do { try await load.transaction { try OutboxTables($0).free(campaign) } } catch {}
        }

        public func openTargets() async throws -> Int {
            try await watch.transaction(.read) { try OutboxTables($0).openTargets() }
        }

        // MARK: Watching and operating

        public func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
            try await watch.transaction(.read) { try OutboxTables($0).campaigns(which) }
        }

        public func backlog(needy limit: Int) async throws -> OutboxBacklog {
            try await watch.transaction(.read) { try OutboxTables($0).backlog(needy: limit) }
        }

        public func counts(of campaign: Int64, part: Int?) async throws -> OutboxCounts {
            try await watch.transaction(.read) { try OutboxTables($0).counts(of: campaign, part: part) }
        }

        public func slices(
            of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
        ) async throws -> [(slice: SliceRow, targets: [UInt8])] {
            try await watch.transaction(.read) {
                try OutboxTables($0).slices(of: campaign, with: outcomes, after: after, limit: limit)
            }
        }

        public func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) async throws -> [SliceRow] {
            try await watch.transaction(.read) {
                try OutboxTables($0).waiting(of: campaign, after: after, limit: limit)
            }
        }

        public func move(
            _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
        ) async throws -> Bool {
            try await watch.transaction {
                try OutboxTables($0).move(campaign, from: states, to: state, at: state.isEnded ? date : nil)
            }
        }

        public func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) async throws {
            try await watch.transaction { session in
                let tables = OutboxTables(session)
                try tables.lock(campaign)
                for part in parts.sorted() { try tables.pause(campaign, part, for: reason) }
            }
        }

        public func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws {
            try await watch.transaction { try OutboxTables($0).delay(campaign, part, until: date) }
        }
    }
#endif
