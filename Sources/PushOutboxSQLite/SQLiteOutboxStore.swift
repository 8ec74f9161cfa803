#if SQLite
    public import FoundationEssentials
    public import GRDB
    import Glibc
    public import PushAdapter
    public import PushOutbox
    import PushSQLite

    /// Stores campaigns in an SQLite file, for a backend on one machine.
    ///
    /// ```swift
    /// let store = try SQLiteOutboxStore(path: "/var/lib/shop/outbox.db")
    /// let outbox = PushOutbox(store, routes: ["jpush": jpush])
    /// ```
    ///
    /// Every process may enqueue, watch and operate, but only one works at a time. A change is on the disk when its
    /// call returns, so it survives a power cut. The kernel frees a worker's claim when its process ends, even by a
    /// crash.
    ///
    /// The file must be on a local disk. The files `-wal`, `-shm` and `-lock` beside it belong to it. Never delete
    /// `-lock` while a program uses the store. A file from a backup lacks the latest marks, so a worker would repeat
    /// the sends after it. Cancel its campaigns before a worker starts.
    ///
    /// Methods throw GRDB's `DatabaseError` if the file cannot be read or written, or if another program locks it for
    /// five seconds. They throw `CancellationError` if their task is cancelled. These errors hold no id.
    public final class SQLiteOutboxStore: OutboxStore {
        let pool: DatabasePool
        let identity: FileIdentity
        let locks: ProcessLocks
        private let path: String
        private let reserve: Int

        /// Opens the file, or creates it for its owner only (mode 0600).
        ///
        /// With `sharing`, the file may be your application's own database, so that ``enqueue(_:in:)`` joins its
        /// transactions. The store then adds its tables, whose names begin with `outbox_`, on connections of its own.
        /// It keeps the file in WAL mode, as GRDB's pools do.
        ///
        /// Refuses with `misconfigured`:
        ///
        /// - a path that is empty, begins with `:` or `file:`, or has a null character, and one whose directory does
        ///   not exist;
        /// - a network file system;
        /// - a file that is not a database, another program's database unless it is shared, and a file of a newer
        ///   version of this library;
        /// - an empty file that is not shared;
        /// - a missing file whose `-wal` is there, or whose `-lock` another program holds;
        /// - a file, or a `-lock` beside it, that cannot be created or opened.
        ///
        /// Refuses with `busy` a file that another program locks, and a full disk. A file refused for its contents
        /// stays unchanged. Blocks the thread for some milliseconds, or for some seconds if the file is locked or
        /// empty.
        /// - Parameters:
        ///   - path: the file.
        ///   - isShared: whether your application has its own tables in the file.
        ///   - reserve: bytes of the disk that stay free for marks and pruning. An enqueue that would use them is
        ///     refused with `busy` and leaves nothing in the file.
        public init(
            path: String, sharing isShared: Bool = false, reserve: Int = 32 << 20
        ) throws(PushError) {
            (self.path, self.reserve) = (path, reserve)
            try ProcessLocks.checkDisk(of: path)
            try ProcessLocks.checkNobody(has: path)
            (pool, identity, locks) = try SQLiteFile(
                path: path, contents: "outbox", table: "outbox_campaign", versions: OutboxTables.versions,
                isShared: isShared, canShrink: true
            ) { _ in "PRAGMA cache_size = -8192" }.open { () throws(PushError) in try ProcessLocks(beside: path) }
        }

        /// Closes the file after the running calls, then frees the claim of its worker and its loading campaigns. Later
        /// calls throw `stopped`, which ends workers. Throws `invalidState` if a connection does not close.
        public func close() throws(PushError) {
            locks.close()
            do { try pool.close() } catch {
                throw PushError(.invalidState, "the file of the outbox does not close", underlying: error)
            }
            locks.freeAll()
        }

        // MARK: Enqueuing

        /// Stores a campaign within your own transaction on the file of this store, so both are committed or neither
        /// is. Workers find the campaign after the commit.
        ///
        /// If the name exists with the same message, options and routes, this changes nothing. Refuses with
        /// `invalidArgument` a name that another campaign has. Refuses with `invalidState` a connection without a
        /// transaction or on another file, and a name that another call is loading. Refuses with `busy` a campaign that
        /// would use the reserve of the disk, and with `stopped` a closed store. Throws GRDB's errors if the file cannot
        /// be read or written.
        public func enqueue(_ prepared: PreparedCampaign, in db: Database) throws {
            try locks.checkOpen()
            guard db.isInsideTransaction else {
                throw PushError(.invalidState, "the campaign is kept in a transaction of yours; begin one")
            }
            let file = try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
            guard let real = file.flatMap(ProcessLocks.realPath(of:)), real == ProcessLocks.realPath(of: path) else {
                throw PushError(
                    .invalidState, "the transaction is on another file than the outbox; open the store on that file")
            }
            let tables = OutboxTables(db)
            let campaign = prepared.campaign
            if let old = try tables.campaigns(.named(campaign.name)).first {
                return try prepared.check(isLike: old)
            }
            try checkRoom(for: [prepared])
            let id = try tables.insert(campaign)
            try tables.insert(prepared.slices, of: id)
            try tables.begin(id)
        }

        public func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
            try check()
            try checkRoom(for: campaign.message.count)
            return try await writeWithoutTransaction { [locks] db in
                var (kept, isNew) = (campaign, false)
                do {
                    try db.inTransaction {
                        let tables = OutboxTables(db)
                        if let old = try tables.campaigns(.named(campaign.name)).first {
                            kept = old
                            guard old.state == .loading, !locks.isHeld(.loader(old.id)) else { return .commit }
                            try tables.remove(old.id)
                        }
                        kept = campaign
                        kept.id = try tables.insert(campaign)
                        // Locks the campaign before another process can see it.
                        guard try locks.hold(.loader(kept.id)) else {
                            throw PushError(.busy, "the campaign is locked by another process", retry: .backoff)
                        }
                        isNew = true
                        return .commit
                    }
                } catch {
                    // The next campaign reuses the number of one that was not committed. No other call of this store
                    // runs yet.
                    if isNew { locks.free(.loader(kept.id)) }
                    throw error
                }
                return (kept, isNew)
            }
        }

        public func add(_ slices: [(slice: SliceRow, targets: [UInt8])], to campaign: Int64) async throws -> Bool {
            try checkRoom(for: Self.size(of: slices))
            let start = ContinuousClock.now
            let isAdded = try await write { db in
                let tables = OutboxTables(db)
                guard try tables.state(of: campaign) == .loading else { return false }
                try tables.insert(slices, of: campaign)
                return true
            }
            // Lets a worker of another process have its turn. Without the pause, this process would take the file each
            // time.
            if locks.isHeldElsewhere(.worker) {
                try await Task.sleep(for: max(.milliseconds(2), ContinuousClock.now - start))
            }
            return isAdded
        }

        /// The approximate size of rows in the file.
        private static func size(of slices: [(slice: SliceRow, targets: [UInt8])]) -> Int {
            slices.reduce(0) { $0 + $1.targets.count + $1.slice.packedOutcomes.count + 256 }
        }

        private func checkRoom(for prepared: [PreparedCampaign]) throws(PushError) {
            try checkRoom(for: prepared.reduce(0) { $0 + $1.campaign.message.count + Self.size(of: $1.slices) })
        }

        /// Refuses data that the disk has no room for beside the reserve, once in the log and once in the file.
        private func checkRoom(for bytes: Int) throws(PushError) {
            var disk = statvfs()
            guard statvfs(path, &disk) == 0 else { return }
            let free = Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize)
            guard free - reserve < 2 * bytes else { return }
            throw PushError(
                .busy,
                """
                the disk of the outbox has \(free >> 20) MiB left, of which \(reserve >> 20) MiB stay for notes and pruning; \
                nothing was kept, free some space
                """, retry: .backoff)
        }

        public func submitted(
            for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int
        ) async throws -> [Campaign] {
            try await read { try OutboxTables($0).submitted(leaving: left, limit: limit) }
        }

        public func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
            try checkRoom(for: planned)
            return try await write { db in
                try planned.map { try OutboxTables(db).plan($0.campaign, $0.slices) }
            }
        }

        public func activate(_ campaign: Int64) async throws -> Bool {
            try check()
            let isMoved = try await write { db in
                try OutboxTables(db).move(campaign, from: [.loading], to: .active, at: nil)
            }
            locks.free(.loader(campaign))
            return isMoved
        }

        public func abandon(_ campaign: Int64) async throws {
            // If the removal fails, for example on a full disk, the freed lock marks the campaign as gone.
            defer { locks.free(.loader(campaign)) }
            try await write { db in
                let tables = OutboxTables(db)
                if try tables.state(of: campaign) == .loading { try tables.remove(campaign) }
            }
        }

        public func openTargets() async throws -> Int { try await read { try OutboxTables($0).openTargets() } }

        // MARK: Watching and operating

        public func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
            try await read { try OutboxTables($0).campaigns(which) }
        }

        public func backlog(needy limit: Int) async throws -> OutboxBacklog {
            try await read { try OutboxTables($0).backlog(needy: limit) }
        }

        public func counts(of campaign: Int64, part: Int?) async throws -> OutboxCounts {
            try await read { try OutboxTables($0).counts(of: campaign, part: part) }
        }

        public func slices(
            of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
        ) async throws -> [(slice: SliceRow, targets: [UInt8])] {
            try await read {
                try OutboxTables($0).slices(of: campaign, with: outcomes, after: after, limit: limit)
            }
        }

        public func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) async throws -> [SliceRow] {
            try await read { try OutboxTables($0).waiting(of: campaign, after: after, limit: limit) }
        }

        public func move(
            _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
        ) async throws -> Bool {
            try await write { db in
                try OutboxTables(db).move(campaign, from: states, to: state, at: state.isEnded ? date : nil)
            }
        }

        public func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) async throws {
            try await write { db in
                let tables = OutboxTables(db)
                for part in parts { try tables.pause(campaign, part, for: reason) }
            }
        }

        public func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws {
            try await write { try OutboxTables($0).delay(campaign, part, until: date) }
        }

        // MARK: Working

        public func claim(_ worker: Int64) async throws -> Bool { try locks.claim(worker) }

        public func renew(_ worker: Int64) async throws -> Bool {
            try check()
            return try locks.isClaimed(by: worker)
        }

        public func release(_ worker: Int64) async throws { locks.release(worker) }

        public func orphans(of worker: Int64) async throws -> [SliceRow] {
            try await read { try OutboxTables($0).orphans(of: worker) }
        }

        public func leased(by worker: Int64?) async throws -> [SliceRow] {
            try await read { try OutboxTables($0).leased(by: worker) }
        }

        public func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
            try check()
            return try await write { try OutboxTables($0).lease(request) }
        }

        /// Refuses to record anything in a file that was moved, because no other process would find it.
        public func apply(_ changes: [SliceChange]) async throws -> [Bool] {
            try check()
            return try await write { db in
                let tables = OutboxTables(db)
                return try changes.map { try tables.apply($0) }
            }
        }
    }
#endif
