#if SQLite
    import FoundationEssentials
    import GRDB
    import PushAdapter
    import PushRouter
    import PushSQLite

    /// The changes and counts of the table, in the caller's transaction.
    struct BindingTable {
        /// `Target.storedKind` defines the kinds. Dates are seconds since 2001-01-01 00:00 UTC, as in `Date`, so they
        /// come back unchanged to the bit.
        static let schema = """
            CREATE TABLE IF NOT EXISTS bindings (
                id INTEGER PRIMARY KEY,
                user TEXT NOT NULL, route TEXT NOT NULL,
                kind INTEGER NOT NULL, target TEXT NOT NULL, account_type INTEGER NOT NULL,
                installation TEXT, platform TEXT, bound_at REAL NOT NULL, accepted_at REAL
            );
            CREATE UNIQUE INDEX IF NOT EXISTS bindings_target ON bindings (target, route, kind, account_type);
            CREATE UNIQUE INDEX IF NOT EXISTS bindings_installation ON bindings (installation, route)
                WHERE installation IS NOT NULL;
            CREATE INDEX IF NOT EXISTS bindings_alone ON bindings (route, installation) WHERE installation IS NULL;
            """

        private static let isTarget = "target = ? AND route = ? AND kind = ? AND account_type = ?"

        private let db: Database

        init(_ db: Database) { self.db = db }

        // MARK: Binding

        /// The stored binding with the same route and target.
        private struct Old {
            let id: Int64
            let isOfSameUser: Bool
            /// Also nil if the binding belongs to another installation.
            let acceptedAt: Date?
        }

        func bind(_ binding: Binding) throws {
            let old = try find(binding)
            let installation = binding.installation?.rawValue
            if let installation {
                try run(
                    "DELETE FROM bindings WHERE installation = ? AND (route = ? OR user <> ?) AND id <> ?",
                    [
                        .text(installation), .text(binding.route.rawValue), .text(binding.user.rawValue),
                        .integer(old?.id ?? -1),
                    ])
            }
            let changing: [Argument] = [
                .text(installation), .text(binding.platform?.rawValue), .date(binding.boundAt),
                .date(binding.acceptedAt ?? old?.acceptedAt),
            ]
            if let old, old.isOfSameUser {
                try run(
                    "UPDATE bindings SET installation = ?, platform = ?, bound_at = ?, accepted_at = ? WHERE id = ?",
                    changing, [.integer(old.id)])
                return
            }
            if let old { try run("DELETE FROM bindings WHERE id = ?", [.integer(old.id)]) }
            try run(
                """
                INSERT INTO bindings
                (id, user, target, route, kind, account_type, installation, platform, bound_at, accepted_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [.integer(try freeID(for: binding)), .text(binding.user.rawValue)], Self.place(of: binding.way),
                changing)
        }

        private func find(_ binding: Binding) throws -> Old? {
            let query = try Query(
                "SELECT id, user = ?, installation IS ?, accepted_at FROM bindings WHERE \(Self.isTarget)", in: db)
            var old: Old?
            let whose: [Argument] = [.text(binding.user.rawValue), .text(binding.installation?.rawValue)]
            try query.run(whose + Self.place(of: binding.way)) {
                old = Old(
                    id: query.integer(0), isOfSameUser: query.integer(1) != 0,
                    acceptedAt: query.integer(2) != 0 ? query.date(3) : nil)
            }
            return old
        }

        private func freeID(for binding: Binding) throws -> Int64 {
            let query = try Query("SELECT 1 FROM bindings WHERE id = ?", in: db)
            let first = BindingPlace.first(of: binding.user)
            let preferred = BindingPlace.preferred(for: binding.target.text)
            for step in 0..<BindingPlace.count {
                let id = first + (preferred + step) % BindingPlace.count
                var isTaken = false
                try query.run([.integer(id)]) { isTaken = true }
                if !isTaken { return id }
            }
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "a user has too many bindings")
        }

        /// The bindings of these routes and targets.
        func bindings(at ways: [RoutedTarget.Way]) throws -> [Binding] {
            let query = try Query(
                "SELECT user, installation, platform, bound_at, accepted_at FROM bindings WHERE \(Self.isTarget)",
                in: db)
            var found: [Binding] = []
            for way in Set(ways) {
                try query.run(Self.place(of: way)) {
                    found.append(
                        Binding(
                            user: UserID(query.text(0) ?? ""), installation: query.text(1).map { InstallationID($0) },
                            route: way.route, target: way.target, platform: query.text(2).map { Platform($0) },
                            boundAt: query.date(3) ?? .distantPast, acceptedAt: query.date(4)))
                }
            }
            return found
        }

        // MARK: Other changes

        /// - Returns: the number of removed bindings, one or none.
        func retire(_ retirement: Retirement) throws -> Int {
            try run(
                "DELETE FROM bindings WHERE \(Self.isTarget) AND bound_at <= ?",
                Self.place(of: retirement.way), [.date(retirement.unlessBoundAfter)])
            return db.changesCount
        }

        func noteAccepted(_ way: RoutedTarget.Way, at date: Date) throws {
            try run(
                "UPDATE bindings SET accepted_at = ? WHERE \(Self.isTarget) AND accepted_at IS NULL",
                [.date(date)], Self.place(of: way))
        }

        // MARK: Counts

        func coverage(of from: RouteName, and to: RouteName) throws -> RouteCoverage {
            let query = try Query(
                """
                WITH ways (old, new) AS (
                    SELECT max(route = ?1), max(route = ?2) FROM bindings
                    WHERE installation IS NOT NULL GROUP BY installation
                    UNION ALL
                    SELECT route = ?1, route = ?2 FROM bindings WHERE installation IS NULL AND route IN (?1, ?2)
                )
                SELECT sum(old AND NOT new), sum(old AND new), sum(new AND NOT old) FROM ways
                """, in: db)
            var coverage = RouteCoverage(onlyFrom: 0, both: 0, onlyTo: 0)
            try query.run([.text(from.rawValue), .text(to.rawValue)]) {
                // Without rows, the sums are null, and null reads as 0.
                coverage = RouteCoverage(
                    onlyFrom: Int(query.integer(0)), both: Int(query.integer(1)), onlyTo: Int(query.integer(2)))
            }
            return coverage
        }

        // MARK: Arguments

        private func run(_ sql: String, _ arguments: [Argument]...) throws {
            try Query(sql, in: db).run(Array(arguments.joined()))
        }

        /// The values of `isTarget`.
        private static func place(of way: RoutedTarget.Way) -> [Argument] {
            [
                .text(way.target.text), .text(way.route.rawValue), .integer(way.target.storedKind),
                .integer(way.target.storedType),
            ]
        }
    }
#endif
