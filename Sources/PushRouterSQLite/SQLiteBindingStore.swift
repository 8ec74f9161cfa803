#if SQLite
    public import FoundationEssentials
    import GRDB
    import Glibc
    public import PushCore
    public import PushRouter

    /// Bindings in a file: for a backend on one machine, with as many processes as it has.
    ///
    /// The file is in write-ahead mode, and each change is on the disk before its call returns. A user's bindings lie beside each other, so
    /// reading those of a thousand users takes some milliseconds.
    public final class SQLiteBindingStore: BindingStore {
        private let database: DatabasePool

        /// Opens the file, or creates it for its owner only. Refuses with `misconfigured` a folder that does not exist, a file that
        /// is no database of bindings, and one that a newer version of this library wrote.
        public init(path: String) throws(PushError) {
            do {
                try Self.create(path)
                var configuration = Configuration()
                configuration.busyMode = .timeout(5)
                configuration.maximumReaderCount = 3
                configuration.label = "bindings"
                // GRDB's pool opens with NORMAL, which loses the last changes when the power fails.
                configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                database = try DatabasePool(path: path, configuration: configuration)
                guard try database.read(Schema.migrator.hasBeenSuperseded) == false else {
                    throw PushError(.misconfigured, "it was written by a newer version of this library")
                }
                try Schema.migrator.migrate(database)
            } catch {
                let reason =
                    (error as? PushError)?.message ?? (error as? DatabaseError)?.message ?? "it cannot be opened"
                throw PushError(
                    .misconfigured, "the database of bindings \(path): \(reason)", underlying: error)
            }
        }

        /// Marks the file as one of a later version; for tests.
        package func pretendNewer() async throws {
            try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('bindings-2')") }
        }

        /// Ends all its connections; later calls throw.
        public func close() throws { try database.close() }

        public func bindings(of users: [UserID]) async throws -> [Binding] {
            try await database.read { try Reader.bindings($0, where: "user = ?", users.map(\.rawValue)) }
        }

        public func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] {
            try await database.read {
                try Reader.bindings($0, where: "installation = ?", installations.map(\.rawValue))
            }
        }

        public func bind(_ binding: Binding) async throws { try await bind([binding]) }

        /// Keeps bindings as `bind` keeps one, all of them or none; a later one replaces an earlier one. Refuses a text with a zero
        /// byte with `invalidArgument`.
        public func bind(_ bindings: [Binding]) async throws {
            try await database.write { database in
                let writer = try Writer(database)
                for binding in bindings { try writer.bind(binding) }
            }
        }

        public func retire(_ retirements: [Retirement]) async throws -> Int {
            try await database.write { database in
                let statement = try database.cachedStatement(
                    sql: "DELETE FROM binding WHERE \(Schema.isTarget) AND boundAt <= ?")
                let known = retirements.filter { Schema.isStorable($0.binding) }
                return try known.reduce(0) { count, retirement in
                    try statement.execute(
                        arguments: Schema.place(of: retirement.binding)
                            + [retirement.unlessBoundAfter.timeIntervalSinceReferenceDate])
                    return count + database.changesCount
                }
            }
        }

        public func noteAccepted(_ bindings: [Binding], at date: Date) async throws {
            try await database.write { database in
                let statement = try database.cachedStatement(
                    sql: "UPDATE binding SET acceptedAt = ? WHERE acceptedAt IS NULL AND \(Schema.isTarget)")
                for binding in bindings where Schema.isStorable(binding) {
                    try statement.execute(arguments: [date.timeIntervalSinceReferenceDate] + Schema.place(of: binding))
                }
            }
        }

        public func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage {
            try await database.read { database in
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT ifnull(sum(old AND NOT new), 0), ifnull(sum(old AND new), 0), ifnull(sum(new AND NOT old), 0)
                        FROM (
                            SELECT max(route = :from) AS old, max(route = :to) AS new FROM binding
                            WHERE installation IS NOT NULL AND route IN (:from, :to) GROUP BY installation
                            UNION ALL
                            SELECT route = :from, route = :to FROM binding
                            WHERE installation IS NULL AND route IN (:from, :to)
                        )
                        """, arguments: ["from": from.rawValue, "to": to.rawValue])
                return RouteCoverage(onlyFrom: row?[0] ?? 0, both: row?[1] ?? 0, onlyTo: row?[2] ?? 0)
            }
        }

        /// Makes an empty file that only its owner can read; SQLite's own would follow the process's mask.
        private static func create(_ path: String) throws(PushError) {
            let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                throw PushError(.misconfigured, String(cString: strerror(errno)))
            }
            _ = Glibc.close(file)
        }
    }
#endif
