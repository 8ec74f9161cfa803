#if PostgreSQL
    public import FoundationEssentials
    public import PushAdapter
    public import PushClient
    public import PushOutbox
    import PushPostgres

    /// Campaigns in PostgreSQL, for a backend on several machines.
    ///
    /// ```swift
    /// try await PostgresOutboxStore.migrate(database)     // once, or at each deployment
    /// let store = try await PostgresOutboxStore(database)
    /// let outbox = PushOutbox(store, routes: ["jpush": jpush])
    /// ```
    ///
    /// Every process may enqueue, watch, operate and work. Workers share the slices: each leases what no other has. A worker
    /// renews its life every few seconds. When the life is over, on the server's clock, the others take what it had. A
    /// change is on the server's disk when its call returns. A process that enqueues holds a lock as long as its session lasts;
    /// if the session ends, its loading campaign counts as gone.
    ///
    /// All times are the server's: what a process gives on its own clock is kept on the server's, and read back on its own, by the
    /// difference in whole seconds that each transaction finds. So machines whose clocks disagree share a store.
    ///
    /// Uses up to three connections. They need sessions of their own: connect to the server, or to a pooler that pools
    /// sessions, not transactions. Set the password in the string, or in the file `~/.pgpass`; no error holds it.
    ///
    /// A database that was put back from a backup, or a standby that took over without the latest commits, has lost marks, so
    /// what was sent after that would be sent again. The server's timeline or identifier tells: then the first worker pauses
    /// all active campaigns with a reason, and a person cancels or resumes them. A copy of the files of a server does not tell.
    ///
    /// The methods throw `transport` if the connection is lost or the server cannot be reached. The call may have had its
    /// effect, and the next call connects again. They throw `busy` if another session holds a lock for five seconds, or if
    /// the server's disk is full, `timeout` after a minute, and `invalidState` for what else the server refuses. Conflicts
    /// with other transactions are retried. No error holds an id. A running call is not cancelled with its task.
    public final class PostgresOutboxStore: OutboxStore {
        /// Leases and changes; loads, and holds the locks of loaders; watches and operates.
        private let (work, load, watch): (PostgresConnection, PostgresConnection, PostgresConnection)
        private let workerLife: Duration
        private let pausesAfterRestore: Bool
        let clock: ServerClock
        let schema: OutboxSchema

        /// How far the server's clock is ahead of this machine's.
        public var lead: Duration? { .seconds(clock.lead) }

        /// Creates the tables in a schema of their own, or brings them up to date, in one transaction; changes nothing if they are.
        /// Several processes may call it at the same moment.
        ///
        /// Refuses what opening refuses, and with `misconfigured` a role that may not create tables, and tables of a newer version of
        /// this library. A role that only works needs fewer rights: see "Operate the outbox".
        /// - Parameters:
        ///   - connection: a URI or `key=value` pairs, as libpq takes them.
        ///   - schema: where the tables are to be.
        public static func migrate(_ connection: String, schema: String = "pushbridge") async throws(PushError) {
            let schema = try OutboxSchema(schema)
            let session = try PostgresConnection(
                Secret(connection), settings: schema.settings, check: OutboxSchema.check)
            defer { session.close() }
            try await session.transaction { try schema.migrate($0) }
        }

        /// Connects to a store whose tables ``migrate(_:schema:)`` has made. Changes nothing.
        ///
        /// Refuses with `misconfigured` a string that cannot be read, a schema without tables or with those of another version of
        /// this library, a server before PostgreSQL 13, and one that may lose commits at a power cut (`fsync` or
        /// `full_page_writes` is off); with `unauthorized` a user or password that the server does not accept; with
        /// `transport` a server that cannot be reached, or that only reads; with `invalidArgument` a life that is not positive.
        ///
        /// - Parameters:
        ///   - connection: a URI or `key=value` pairs, as libpq takes them. Unless the string says otherwise, connecting takes at
        ///     most 10 seconds a host, and the server shows the name `pushbridge`.
        ///   - schema: where the tables are. One database can hold several outboxes.
        ///   - workerLife: after this time without a sign of life a worker counts as ended. All processes give the same.
        ///   - pausesAfterRestore: whether active campaigns are paused when the server has another timeline or identifier than before.
        ///     False is safe only if no standby can lack a commit, as with synchronous replication.
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
            (self.workerLife, self.schema, self.pausesAfterRestore) = (workerLife, schema, pausesAfterRestore)
            self.clock = clock
            try await work.transaction(.read) { _ in }
        }

        /// The SQL that creates the schema and its tables, for teams that run migrations by hand. Refuses what is no name of a
        /// schema with `misconfigured`.
        public static func migration(schema: String = "pushbridge") throws(PushError) -> String {
            try OutboxSchema(schema).script
        }

        /// Ends the sessions after the running calls, and with them the loading campaigns; later calls throw `stopped`.
        public func close() { for connection in [work, load, watch] { connection.close() } }

        // MARK: Enqueuing

        public func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
            try await load.transaction { session in
                let tables = OutboxTables(session)
                // Others may take the name, or free it, between two statements.
                for _ in 0..<10 {
                    if let old = try tables.campaigns(.named(campaign.name), locks: true).first {
                        guard old.state == .loading, try tables.isGone(old.id) else { return (old, false) }
                        try tables.remove(old.id)
                    }
                    guard let id = try tables.insert(campaign) else { continue }
                    // Before another process can see the campaign. No number is used again if this is not committed.
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
                // If it stays, it counts as gone.
                await free(campaign)
                throw error
            }
            await free(campaign)
        }

        /// If that fails, the session has ended, and with it the lock.
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

        // MARK: Working

        /// Always true: several workers share the slices.
        public func claim(_ worker: Int64) async throws -> Bool {
            try await work.transaction { [workerLife] in try OutboxTables($0).claim(worker, for: workerLife) }
            return true
        }

        public func renew(_ worker: Int64) async throws -> Bool {
            try await work.transaction { [workerLife] in try OutboxTables($0).renew(worker, for: workerLife) }
        }

        public func release(_ worker: Int64) async throws {
            try await work.transaction { try OutboxTables($0).release(worker) }
        }

        public func workers() async throws -> Int {
            try await work.transaction(.read) { try OutboxTables($0).workers() }
        }

        /// Forgets workers whose life is over, but not in the first `workerLife` of a connection.
        public func orphans(of worker: Int64) async throws -> [SliceRow] {
            try await work.transaction { [workerLife] in
                try OutboxTables($0).orphans(of: worker, life: workerLife)
            }
        }

        public func leased(by worker: Int64) async throws -> [SliceRow] {
            try await work.transaction(.read) { try OutboxTables($0).leased(by: worker) }
        }

        /// Leases nothing to a worker that the store counts as gone.
        public func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
            try await work.transaction { [pausesAfterRestore] session in
                let tables = OutboxTables(session)
                if pausesAfterRestore { try tables.pauseIfRestored() }
                return try tables.lease(request)
            }
        }

        public func apply(_ changes: [SliceChange]) async throws -> [Bool] {
            try await work.transaction(.plannedOnce) { try OutboxTables($0).apply(changes) }
        }

        // MARK: Keeping

        public func endFinished(at date: Date) async throws -> [Campaign] {
            try await work.transaction { try OutboxTables($0).endFinished(at: date) }
        }

        public func prune(at date: Date, limit: Int) async throws -> Int {
            try await work.transaction { try OutboxTables($0).prune(at: date, limit: limit) }
        }

        public func facts() async throws -> OutboxFacts {
            try await work.transaction(.read) { try OutboxTables($0).facts() }
        }

        // MARK: Quotas

        /// Quotas that all processes share that give the same scope, such as the vendor and the app key's name. Set it as
        /// `sharedQuota` of their clients, also of those that send without an outbox. Costs a statement for about each second
        /// of a client's use, which waits for no disk: a crash of the server may forget what was taken lately.
        public func sharedQuota(_ scope: String) -> any SharedQuota {
            PostgresQuota(connection: watch, scope: scope)
        }

        // MARK: For tests

        /// What a setting is in the session that changes slices.
        package func setting(_ name: String) async throws -> String? {
            try await work.transaction { session in
                var value: String?
                try session.run("SELECT current_setting($1)", [.name(name)]) { value = $0.text(0) }
                return value
            }
        }

        /// How the server runs the lease of a part's slices.
        package func plan(ofLeasing campaign: Int64) async throws -> [String] {
            try await work.transaction { session in
                var lines: [String] = []
                try session.run(
                    "EXPLAIN " + OutboxTables.take,
                    [.integers([campaign]), .integers([0]), .date(.now), .integer(16), .integer(1)]
                ) { lines.append($0.text(0) ?? "") }
                return lines
            }
        }
    }
#endif
