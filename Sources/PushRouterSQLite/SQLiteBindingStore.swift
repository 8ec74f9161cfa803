#if SQLite
    public import FoundationEssentials
    import GRDB
    public import PushAdapter
    public import PushRouter
    import PushSQLite

    /// Stores bindings in an SQLite file, for a backend on one machine. Several processes can share the file.
    ///
    /// ```swift
    /// let store = try SQLiteBindingStore(path: "/var/lib/shop/bindings.db")
    /// try await store.bind(binding)
    /// let router = try PushRouter(routes: routes, bindings: store)
    /// ```
    ///
    /// A change is on the disk when its call returns. Two reads run at once, and no read waits for a change. Texts are
    /// equal if their bytes are equal. The caches of one store take at most 32 MiB.
    ///
    /// The file must be on a local disk: network file systems do not keep SQLite's locks. The files `-wal` and `-shm`
    /// beside it belong to it. To copy an open store, use `VACUUM INTO`.
    ///
    /// Methods throw GRDB's `DatabaseError` if the file cannot be read or written, or if another program locks it for
    /// five seconds. They throw `CancellationError` if their task is cancelled. These errors hold no id.
    public final class SQLiteBindingStore: BindingStore {
        private let pool: DatabasePool
        private let identity: FileIdentity

        /// Opens the file, or creates it for its owner only (mode 0600).
        ///
        /// Refuses with `misconfigured`:
        ///
        /// - a path that is empty, begins with `:` or `file:`, or has a null character, and one whose directory does
        ///   not exist;
        /// - a file that is not a database, another program's database, and a file of a newer version of this library;
        /// - an empty file, and a missing one whose `-wal` is there;
        /// - a file that cannot be created or opened.
        ///
        /// Refuses with `busy` a file that another program locks, and a full disk. A file refused for its contents
        /// stays unchanged. Blocks the thread for some milliseconds, or for some seconds if the file is locked or
        /// empty.
        public init(path: String) throws(PushError) {
            (pool, identity) = try SQLiteFile(
                path: path, contents: "bindings", table: "bindings", versions: [BindingTable.schema]
            ) { isReader in
                // The inner pages of a million users take 2 MiB. They stay in the cache only if it also has room for
                // outer pages, which are hardly ever used twice.
                "PRAGMA cache_size = -\(isReader ? 8_192 : 16_384)"
            }.open()
        }

        /// Closes the file after the running calls. Later calls throw. Without this call, the file closes with the last
        /// reference to the store. Throws `invalidState` if a connection does not close.
        public func close() throws(PushError) {
            do { try pool.close() } catch {
                throw PushError(.invalidState, "the file of the bindings does not close", underlying: error)
            }
        }

        /// Returns the bindings of these users. Reads about one page of the file for each user.
        public func bindings(of users: [UserID]) async throws -> [Binding] {
            try await pool.read { try BindingLookup.find(.users(users), in: $0) }
        }

        /// Returns the bindings of these installations. Reads two or more pages of the file for each installation.
        public func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] {
            try await pool.read { try BindingLookup.find(.installations(installations), in: $0) }
        }

        /// Returns the bindings of these routes and targets. Reads about two pages of the file for each.
        public func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding] {
            try await pool.read { try BindingTable($0).bindings(at: ways) }
        }

        /// Stores a binding, as `BindingStore` says. Costs one transaction; to import many bindings, pass them as a
        /// list.
        public func bind(_ binding: Binding) async throws { try await bind([binding]) }

        /// Stores all these bindings or none, in order: a later one replaces an earlier one. Refuses with `stopped`,
        /// like every change, if the file was moved, removed or replaced while it was open.
        ///
        /// Costs one transaction, during which no other call can write. Import some thousand bindings at a time.
        public func bind(_ bindings: [Binding]) async throws {
            guard !bindings.isEmpty else { return }
            try identity.check()
            try await pool.write { db in
                let table = BindingTable(db)
                for binding in bindings { try table.bind(binding) }
            }
        }

        /// Removes bindings, as `BindingStore` says, in one transaction.
        public func retire(_ retirements: [Retirement]) async throws -> Int {
            guard !retirements.isEmpty else { return 0 }
            try identity.check()
            return try await pool.write { db -> Int in
                let table = BindingTable(db)
                var count = 0
                for retirement in retirements { count += try table.retire(retirement) }
                return count
            }
        }

        /// Records the first accepted message, as `BindingStore` says, in one transaction.
        public func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws {
            guard !ways.isEmpty else { return }
            try identity.check()
            try await pool.write { db in
                let table = BindingTable(db)
                for way in ways { try table.noteAccepted(way, at: date) }
            }
        }

        /// Counts installations, as `BindingStore` says. Reads the index of all installations, which takes about a
        /// second for a million.
        public func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage {
            try await pool.read { try BindingTable($0).coverage(of: from, and: to) }
        }

        func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
            try await pool.read(body)
        }

        /// SQLite's level of durability: 2 if a change is on the disk when its call returns; for tests.
        package func durability() async throws -> Int? {
            try await pool.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }

        /// Marks the file as one of a newer version; for tests.
        package func pretendNewer() async throws {
            try await pool.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v0')") }
        }
    }
#endif
