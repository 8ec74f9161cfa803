#if SQLite
    import Dispatch
    import Foundation
    package import GRDB
    import Glibc
    package import PushAdapter

    /// Creates, checks and opens the file of a store.
    package struct SQLiteFile {
        private let path: String
        /// The word for the contents in refusals, such as `bindings`.
        private let contents: String
        /// The table that distinguishes the file from another program's database.
        private let table: String
        /// The SQL of each version of the schema, oldest first.
        private let versions: [String]
        /// Whether the file may have tables of another program.
        private let isShared: Bool
        /// Whether the file can return the pages of removed rows to the disk. Takes effect when the file is created.
        private let canShrink: Bool
        /// Returns the settings of a connection; the argument says whether it only reads.
        private let settings: @Sendable (Bool) -> String

        package init(
            path: String, contents: String, table: String, versions: [String], isShared: Bool = false,
            canShrink: Bool = false, settings: @escaping @Sendable (Bool) -> String
        ) {
            (self.path, self.contents, self.table, self.versions) = (path, contents, table, versions)
            (self.isShared, self.canShrink, self.settings) = (isShared, canShrink, settings)
        }

        /// How long to wait while other programs create the tables. SQLite's own timeout does not cover that.
        private static let patience = Duration.seconds(5)

        /// Opens the file. Also returns its identity, so that the store notices a file that takes its place.
        package func open() throws(PushError) -> (pool: DatabasePool, identity: FileIdentity) {
            let opened = try open {}
            return (opened.pool, opened.identity)
        }

        /// Opens the file, and what the store needs beside it: after the file is checked, and before it is changed.
        package func open<Beside>(
            beside make: () throws(PushError) -> Beside
        ) throws(PushError) -> (pool: DatabasePool, identity: FileIdentity, beside: Beside) {
            try create()
            let end = ContinuousClock.now + Self.patience
            while true {
                do {
                    guard isShared || hasContents else { throw emptyFile }
                    try check()
                    let beside = try make()
                    return (try openPool(), FileIdentity(of: path), beside)
                } catch {
                    let code = (error as? DatabaseError)?.resultCode
                    // GRDB looks for its table twice, and another program may create it in between.
                    let passing: [ResultCode] = [.SQLITE_BUSY, .SQLITE_CONSTRAINT, .SQLITE_ERROR]
                    guard let code, passing.contains(code), ContinuousClock.now < end else { throw refusal(error) }
                }
                usleep(20_000)
            }
        }

        private var hasContents: Bool {
            var facts = stat()
            return stat(path, &facts) == 0 && facts.st_size > 0
        }

        private var emptyFile: PushError {
            PushError(
                .misconfigured,
                "the file of the \(contents) \(Redaction.quoted(path)) is empty, so what it kept is lost, or another program "
                    + "created it; put the right one back, or remove it to begin anew")
        }

        /// Creates the file for its owner if none exists. It gets its first page under another name, so that a killed
        /// process leaves no empty file, which looks like one whose contents are lost. Never opens an existing file: the
        /// `close` would release the locks that other connections of this process hold on it (SQLite, "How To Corrupt",
        /// 2.2). Creates no file beside the log of a missing one: SQLite would remove the log with the latest changes.
        private func create() throws(PushError) {
            guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:"), !path.utf8.contains(0) else {
                throw PushError(
                    .misconfigured,
                    "\(Redaction.quoted(path)) is no path of a file; a store needs one, such as ./\(contents).db")
            }
            var facts = stat()
            if stat(path, &facts) == 0 { return }
            guard errno == ENOENT else { throw creationFailure(errno) }
            if lstat(path + "-wal", &facts) == 0 {
                throw PushError(
                    .misconfigured,
                    "the file of the \(contents) \(Redaction.quoted(path)) is gone, and its -wal is there: it was moved or removed "
                        + "while a program used it; put it back, or remove the -wal to begin anew")
            }
            let new = "\(path)-new-\(UUID().uuidString)"
            guard mknod(new, S_IFREG | 0o600, 0) == 0 else { throw creationFailure(errno) }
            defer { for name in [new, new + "-journal"] { unlink(name) } }
            do {
                let queue = try DatabaseQueue(path: new, configuration: configuration)
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 0") }
                try queue.close()
            } catch {
                throw refusal(error)
            }
            // Another program may have created it first.
            guard link(new, path) == 0 || errno == EEXIST else { throw creationFailure(errno) }
        }

        private func creationFailure(_ code: Int32) -> PushError {
            let reason = code == ENOENT ? "its directory does not exist" : String(cString: strerror(code))
            return PushError(.misconfigured, "the file of the \(contents) \"\(path)\" cannot be created: \(reason)")
        }

        /// Refuses a file that is not a store, before anything changes it.
        private func check() throws {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            let migrator = migrator
            try queue.read { db in
                // In a shared file, the other program may have its own migrations.
                let applied = try migrator.appliedIdentifiers(db)
                    .filter { !isShared || $0.hasPrefix("\(table)-") }
                let tables = try String.fetchSet(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                    .filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("grdb_") }
                let isOurs = tables.contains(table) && applied.contains("\(table)-v1")
                guard tables.isEmpty || isOurs || (isShared && !tables.contains(table)) else {
                    throw PushError(
                        .misconfigured,
                        "\"\(path)\" is another program's database; give the \(contents) a file of their own")
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
            // Comes last, because the pool sets NORMAL, and with that a power failure would undo the latest changes.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try openReaders(of: pool)
            return pool
        }

        /// Opens all connections now. If the file were moved, one that opened later would create another file. They need
        /// threads of their own: on a machine with one processor, Dispatch would run one after the other.
        private func openReaders(of pool: DatabasePool) throws {
            let arrived = Locked(0)
            let failure = Locked<(any Error)?>(nil)
            let all = DispatchGroup()
            for _ in 0..<Self.readers {
                all.enter()
                Thread.detachNewThread {
                    do {
                        try pool.read { db in
                            _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
                            arrived.withLock { $0 += 1 }
                            // Each reader keeps its connection until all have one.
                            let end = ContinuousClock.now + Self.patience
                            while arrived.withLock({ $0 < Self.readers }), ContinuousClock.now < end { usleep(100) }
                        }
                    } catch {
                        failure.withLock { $0 = error }
                        arrived.withLock { $0 += 1 }
                    }
                    all.leave()
                }
            }
            all.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }

        private static let readers = 2

        private var configuration: Configuration {
            var configuration = Configuration()
            configuration.label = table
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = Self.readers
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { [canShrink, settings] db in
                let isReader = db.configuration.readonly
                try db.execute(
                    sql: "PRAGMA mmap_size = 0; PRAGMA journal_size_limit = 67108864; " + settings(isReader))
                // Must come before the first table. In a file with tables it would be a write, even into another
                // program's file.
                if canShrink, !isReader, try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
                    try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                }
            }
            return configuration
        }

        private var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            for (index, sql) in versions.enumerated() {
                migrator.registerMigration("\(table)-v\(index + 1)") { try $0.execute(sql: sql) }
            }
            return migrator
        }

        /// Whether a failure means that the disk is full. SQLite may report an input or output error if the file `-shm`
        /// does not get its 32 KiB.
        private func isDiskFull(_ failure: DatabaseError?) -> Bool {
            if failure?.resultCode == .SQLITE_FULL { return true }
            guard failure?.resultCode == .SQLITE_IOERR || failure?.resultCode == .SQLITE_CANTOPEN else { return false }
            var disk = statvfs()
            let folder = URL(filePath: path).deletingLastPathComponent().path
            guard statvfs(folder, &disk) == 0, disk.f_blocks > 0 else { return false }
            return disk.f_bavail < 65_536 / max(1, disk.f_frsize)
        }

        private func refusal(_ error: any Error) -> PushError {
            if let error = error as? PushError { return error }
            let failure = error as? DatabaseError
            if failure?.resultCode == ResultCode.SQLITE_NOTADB {
                return PushError(
                    .misconfigured, "\"\(path)\" is not a database; give the \(contents) another file",
                    underlying: error)
            }
            if failure?.resultCode == ResultCode.SQLITE_BUSY {
                return PushError(
                    .busy, "another program locks the file of the \(contents) \"\(path)\"", retry: .backoff,
                    underlying: error)
            }
            if isDiskFull(failure) {
                return PushError(
                    .busy,
                    "the file of the \(contents) \"\(path)\" cannot be opened: the disk is full; free some space",
                    retry: .backoff, underlying: error)
            }
            let reason = failure?.message ?? "unknown reason"
            return PushError(
                .misconfigured, "the file of the \(contents) \"\(path)\" cannot be opened: \(reason)", underlying: error
            )
        }
    }
#endif
