#if SQLite
    import FoundationEssentials
    import GRDB
    import PushCore
    import PushRouter

    /// The one table, and how a binding stands in it.
    enum Schema {
        /// By user, so that a lookup reads one place of the file. An account without a type has the least number, because nulls are
        /// never equal. Dates are the seconds of `Date`, exactly.
        static let migrator: DatabaseMigrator = {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("bindings-1") { database in
                try database.execute(
                    sql: """
                        CREATE TABLE binding (
                            user TEXT NOT NULL, route TEXT NOT NULL, kind INTEGER NOT NULL, target TEXT NOT NULL,
                            accountType INTEGER NOT NULL, installation TEXT, platform TEXT, boundAt REAL NOT NULL,
                            acceptedAt REAL, PRIMARY KEY (user, route, kind, target, accountType)
                        ) WITHOUT ROWID, STRICT;
                        CREATE UNIQUE INDEX bindingTarget ON binding (target, route, kind, accountType);
                        CREATE UNIQUE INDEX bindingInstallation ON binding (installation, route)
                            WHERE installation IS NOT NULL;
                        """)
            }
            return migrator
        }()

        /// In the order of the table.
        static let columns = "user, route, kind, target, accountType, installation, platform, boundAt, acceptedAt"
        static let isTarget = "target = ? AND route = ? AND kind = ? AND accountType = ?"

        /// The values of `isTarget`.
        static func place(of binding: Binding) -> StatementArguments {
            let (kind, text, type) = parts(of: binding.target)
            return [text, binding.route.rawValue, kind, type]
        }

        /// Whether the file can have it: GRDB ends a text at its first zero byte.
        static func isStorable(_ binding: Binding) -> Bool {
            let texts =
                [binding.user.rawValue, binding.installation?.rawValue, binding.route.rawValue, binding.target.text]
                + [binding.platform?.rawValue]
            return !texts.contains { $0?.utf8.contains(0) ?? false }
        }

        static func parts(of target: Target) -> (kind: Int, text: String, accountType: Int) {
            switch target {
            case .device(let id): (0, id.rawValue, Int.min)
            case .alias(let alias): (1, alias.rawValue, Int.min)
            case .account(let account): (2, account.name, account.type ?? .min)
            }
        }

        static func target(_ kind: Int, _ text: String, _ accountType: Int) -> Target? {
            switch kind {
            case 0: .device(DeviceID(text))
            case 1: .alias(Alias(text))
            case 2: .account(Account(name: text, type: accountType == .min ? nil : accountType))
            default: nil
            }
        }
    }

    /// The statements of a transaction that binds.
    struct Writer {
        private let kept: Statement
        private let removeOthers: Statement
        private let insert: Statement
        private let remove: Statement

        init(_ database: Database) throws {
            kept = try database.cachedStatement(
                sql: "SELECT acceptedAt FROM binding WHERE \(Schema.isTarget) AND installation IS ?")
            remove = try database.cachedStatement(sql: "DELETE FROM binding WHERE \(Schema.isTarget)")
            removeOthers = try database.cachedStatement(sql: "DELETE FROM binding WHERE installation = ? AND route = ?")
            insert = try database.cachedStatement(
                sql: "INSERT INTO binding (\(Schema.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        }

        func bind(_ binding: Binding) throws {
            guard Schema.isStorable(binding) else {
                throw PushError(
                    .invalidArgument, "a binding has a text with a zero byte, which the file cannot keep: \(binding)")
            }
            let place = Schema.place(of: binding)
            let installation = binding.installation?.rawValue
            let acceptedAt = try Double.fetchOne(kept, arguments: place + [installation])
            try remove.execute(arguments: place)
            if let installation { try removeOthers.execute(arguments: [installation, binding.route.rawValue]) }
            let (kind, text, type) = Schema.parts(of: binding.target)
            try insert.execute(arguments: [
                binding.user.rawValue, binding.route.rawValue, kind, text, type, installation,
                binding.platform?.rawValue, binding.boundAt.timeIntervalSinceReferenceDate,
                binding.acceptedAt?.timeIntervalSinceReferenceDate ?? acceptedAt,
            ])
        }
    }
#endif
