#if SQLite
    import GRDB
    import PushAdapter
    import PushRouter
    import PushSQLite

    /// Finds the bindings of many users or installations.
    ///
    /// One statement finds the bindings of 500 owners, because running a statement costs SQLite as much as a lookup.
    struct BindingLookup {
        /// The owners whose bindings are wanted.
        enum Owners: Sendable {
            case users([UserID])
            case installations([InstallationID])

            var count: Int {
                switch self {
                case .users(let users): users.count
                case .installations(let installations): installations.count
                }
            }
        }

        private static let most = 500
        private static let columns = "route, kind, target, account_type, platform, bound_at, accepted_at"
        private static let byUser = (one: usersSQL(1), most: usersSQL(most))
        private static let byInstallation = (one: installationsSQL(1), most: installationsSQL(most))

        private let owners: Owners
        /// The index of the first owner of the current statement.
        private var start = 0
        private var routes = KnownTexts()
        private var platforms = KnownTexts()
        private var found: [Binding] = []

        static func find(_ owners: Owners, in db: Database) throws -> [Binding] {
            guard owners.count > 0 else { return [] }
            var lookup = BindingLookup(owners)
            let isShort = owners.count <= 16
            let query = try Query(sql(owners, isShort), in: db)
            let size = isShort ? 1 : most
            for start in stride(from: 0, to: owners.count, by: size) {
                lookup.start = start
                try lookup.run(query, upTo: min(start + size, owners.count))
            }
            return lookup.found
        }

        private init(_ owners: Owners) {
            self.owners = owners
            found.reserveCapacity(2 * owners.count)
        }

        private mutating func run(_ query: Query, upTo end: Int) throws {
            var arguments: [Argument] = []
            arguments.reserveCapacity(2 * (end - start))
            switch owners {
            case .users(let users):
                for user in users[start..<end] {
                    arguments.append(.integer(BindingPlace.first(of: user)))
                    arguments.append(.text(user.rawValue))
                }
            case .installations(let installations):
                for installation in installations[start..<end] { arguments.append(.text(installation.rawValue)) }
            }
            try query.run(arguments) {
                let next = try binding(query)
                found.append(next)
            }
        }

        /// The binding of the current row.
        private mutating func binding(_ query: Query) throws -> Binding {
            let number = start + Int(query.integer(0))
            let user: UserID
            let installation: InstallationID?
            switch owners {
            case .users(let users):
                user = users[number]
                installation = query.text(1).map { InstallationID(rawValue: $0) }
            case .installations(let installations):
                user = UserID(rawValue: query.text(1) ?? "")
                installation = installations[number]
            }
            let kind = query.integer(3)
            guard let target = Target(storedKind: kind, text: query.text(4) ?? "", type: query.integer(5)),
                let route = query.bytes(2), let boundAt = query.date(7)
            else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a binding of the kind \(kind) is unreadable")
            }
            return Binding(
                user: user, installation: installation, route: RouteName(rawValue: routes.text(route)), target: target,
                platform: query.bytes(6).map { Platform(rawValue: platforms.text($0)) }, boundAt: boundAt,
                acceptedAt: query.date(8))
        }

        // MARK: Statements

        private static func sql(_ owners: Owners, _ isShort: Bool) -> String {
            switch owners {
            case .users: isShort ? byUser.one : byUser.most
            case .installations: isShort ? byInstallation.one : byInstallation.most
            }
        }

        /// The plus keeps SQLite from building its own index over the names.
        private static func usersSQL(_ count: Int) -> String {
            """
            WITH wanted (number, place, name) AS (VALUES \(list(count, "?, ?")))
            SELECT number, installation, \(columns) FROM wanted CROSS JOIN bindings
            ON id BETWEEN place AND place + \(BindingPlace.count - 1) AND +user = name
            """
        }

        private static func installationsSQL(_ count: Int) -> String {
            """
            WITH wanted (number, name) AS (VALUES \(list(count, "?")))
            SELECT number, user, \(columns) FROM wanted CROSS JOIN bindings ON installation = name
            """
        }

        private static func list(_ count: Int, _ arguments: String) -> String {
            (0..<count).map { "(\($0), \(arguments))" }.joined(separator: ", ")
        }
    }

    /// Texts of earlier rows. They keep one copy of a route's name in memory instead of one for each binding.
    private struct KnownTexts {
        private var texts: [String] = []

        mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
            // Swift stores texts of up to 15 bytes inside the value.
            guard bytes.count > 15 else { return String(decoding: bytes, as: UTF8.self) }
            if let known = texts.first(where: { $0.utf8.elementsEqual(bytes) }) { return known }
            let text = String(decoding: bytes, as: UTF8.self)
            if texts.count < 8 { texts.append(text) }
            return text
        }
    }
#endif
