#if SQLite
    import GRDB
    import Glibc
    import PushCore

    /// Creates, checks and opens the file of a store.
    struct BindingFile {
        let path: String

        /// For programs that create one file at the same moment. SQLite's own timeout does not cover that.
        private static let patience = Duration.seconds(5)

        func open() throws(PushError) -> DatabasePool {
            try create()
            let end = ContinuousClock.now + Self.patience
            while true {
                do {
                    try check()
                    return try openPool()
                } catch {
                    let code = (error as? DatabaseError)?.resultCode
                    // GRDB looks for its table twice, and the other program may create it in between.
                    let passing: [ResultCode] = [.SQLITE_BUSY, .SQLITE_CONSTRAINT, .SQLITE_ERROR]
                    guard let code, passing.contains(code), ContinuousClock.now < end else { throw refusal(error) }
                }
                usleep(20_000)
            }
        }

        /// Creates an empty file for its owner, if there is none. Never opens the file: the `close` would release the
        /// locks that other connections of this process hold on it (SQLite, "How To Corrupt", 2.2).
        private func create() throws(PushError) {
            guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:"), !path.utf8.contains(0) else {
                throw PushError(
                    .misconfigured,
                    "\(Redaction.quoted(path)) is no path of a file; a store needs one, such as ./bindings.db")
            }
            guard mknod(path, S_IFREG | 0o600, 0) != 0 else { return }
            let code = errno
            guard code != EEXIST else { return }
            let reason = code == ENOENT ? "its directory does not exist" : String(cString: strerror(code))
            throw PushError(.misconfigured, "the file of the bindings \"\(path)\" cannot be created: \(reason)")
        }

        /// Refuses what is no file of a store, before anything changes it.
        private func check() throws {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            let migrator = migrator
            try queue.read { db in
                let applied = try migrator.appliedIdentifiers(db)
                let tables = try String.fetchSet(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                    .filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("grdb_") }
                guard tables.isEmpty || (tables.contains("bindings") && applied.contains("v1")) else {
                    throw PushError(
                        .misconfigured,
                        "\"\(path)\" is another program's database; give the bindings a file of their own")
                }
                guard applied.isSubset(of: migrator.migrations) else {
                    throw PushError(
                        .misconfigured,
                        "\"\(path)\" was written by a newer version of this library; update it, or use another file")
                }
            }
        }

        private func openPool() throws -> DatabasePool {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try migrator.migrate(pool)
            // Last, because the pool sets NORMAL: with that, a power failure undoes the latest changes.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            return pool
        }

        private var configuration: Configuration {
            var configuration = Configuration()
            configuration.label = "PushRouterSQLite"
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 2
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in
                // The inner pages of a million users take 2 MiB, and stay only if the outer ones, which hardly ever repeat,
                // do not push them out between two uses.
                let kibibytes = db.configuration.readonly ? 8_192 : 16_384
                try db.execute(
                    sql: """
                        PRAGMA cache_size = -\(kibibytes);
                        PRAGMA mmap_size = 0;
                        PRAGMA journal_size_limit = 67108864;
                        """)
            }
            return configuration
        }

        private var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("v1") { try $0.execute(sql: BindingTable.schema) }
            return migrator
        }

        private func refusal(_ error: any Error) -> PushError {
            if let error = error as? PushError { return error }
            let failure = error as? DatabaseError
            if failure?.resultCode == ResultCode.SQLITE_NOTADB {
                return PushError(
                    .misconfigured, "\"\(path)\" is not a database; give the bindings another file", underlying: error)
            }
            if failure?.resultCode == ResultCode.SQLITE_BUSY {
                return PushError(
                    .busy, "another program locks the file of the bindings \"\(path)\"", retry: .backoff,
                    underlying: error)
            }
            let reason = failure?.message ?? "unknown reason"
            return PushError(
                .misconfigured, "the file of the bindings \"\(path)\" cannot be opened: \(reason)", underlying: error)
        }
    }
#endif
