#if PostgreSQL
    public import FoundationEssentials
    public import PushClient
    public import PushOutbox
    import PushPostgres

    /// Calls of workers, maintenance, quotas, and queries of tests.
    extension PostgresOutboxStore {
        /// Always true, because several workers share the slices.
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

        /// Removes workers whose life is over, except during the first `workerLife` of a connection.
        public func orphans(of worker: Int64) async throws -> [SliceRow] {
            try await work.transaction { [workerLife] in
                try OutboxTables($0).orphans(of: worker, life: workerLife)
            }
        }

        public func leased(by worker: Int64?) async throws -> [SliceRow] {
            try await work.transaction(.read) { try OutboxTables($0).leased(by: worker) }
        }

        /// Leases nothing to a worker that the store counts as dead.
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

        // MARK: Maintenance

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

        /// Returns a quota that all processes with the same scope share. As the scope, use for example the vendor and
        /// the name of the app key. Set it as `sharedQuota` of their clients, even of clients that send without an
        /// outbox. Costs about a statement for each second that a client sends. The statement waits for no disk, so a
        /// crash of the server may forget the latest use.
        public func sharedQuota(_ scope: String) -> any SharedQuota {
            PostgresQuota(connection: watch, scope: scope)
        }

        // MARK: For tests

        /// A setting of the session that changes slices.
        package func setting(_ name: String) async throws -> String? {
            try await work.transaction { session in
                var value: String?
                try session.run("SELECT current_setting($1)", [.name(name)]) { value = $0.text(0) }
                return value
            }
        }

        /// The server's query plan for leasing a part's slices.
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
