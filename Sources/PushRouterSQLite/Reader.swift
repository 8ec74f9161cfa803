#if SQLite
    import FoundationEssentials
    import GRDB
    import GRDBSQLite
    import PushCore
    import PushRouter

    /// Reads bindings column by column: a campaign reads millions, and a row of GRDB costs several times as much.
    struct Reader {
        private let statement: OpaquePointer
        private var lastRoute: RouteName = ""
        private var lastPlatform: Platform?

        /// The bindings of all rows that match a condition with one of the keys.
        static func bindings(_ database: Database, where condition: String, _ keys: [String]) throws -> [Binding] {
            let sql = "SELECT \(Schema.columns) FROM binding WHERE \(condition)"
            let statement = try database.cachedStatement(sql: sql)
            var reader = Reader(statement: statement.sqliteStatement)
            var found: [Binding] = []
            found.reserveCapacity(2 * keys.count)
            for key in keys { try reader.read(key, into: &found) }
            return found
        }

        private init(statement: OpaquePointer) { self.statement = statement }

        private mutating func read(_ key: String, into found: inout [Binding]) throws {
            // With a byte after its end, so that an empty text has an address too.
            try key.utf8CString.withUnsafeBufferPointer { bytes in
                defer {
                    sqlite3_reset(statement)
                    sqlite3_clear_bindings(statement)
                }
                // The bytes stay where they are until the statement is reset.
                try check(sqlite3_bind_text(statement, 1, bytes.baseAddress, Int32(bytes.count - 1), nil))
                while true {
                    switch sqlite3_step(statement) {
                    case SQLITE_ROW: if let binding = row() { found.append(binding) }
                    case SQLITE_DONE: return
                    case let code: try check(code)
                    }
                }
            }
        }

        private func check(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }

        private mutating func row() -> Binding? {
            guard let target = Schema.target(integer(2), text(3) ?? "", integer(4)) else { return nil }
            // Most rows repeat them.
            if !isText(1, lastRoute.rawValue) { lastRoute = RouteName(text(1) ?? "") }
            if sqlite3_column_type(statement, 6) == SQLITE_NULL {
                lastPlatform = nil
            } else if !isText(6, lastPlatform?.rawValue) {
                lastPlatform = text(6).map { Platform($0) }
            }
            return Binding(
                user: UserID(text(0) ?? ""), installation: text(5).map { InstallationID($0) }, route: lastRoute,
                target: target,
                platform: lastPlatform,
                boundAt: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 7)),
                acceptedAt: sqlite3_column_type(statement, 8) == SQLITE_NULL
                    ? nil : Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 8)))
        }

        private func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

        /// The bytes of a text in the column, valid until the next step; nil for null.
        private func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
            guard let start = sqlite3_column_text(statement, column) else { return nil }
            return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        }

        private func text(_ column: Int32) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

        private func isText(_ column: Int32, _ known: String?) -> Bool {
            guard let known, let bytes = bytes(column) else { return false }
            return bytes.elementsEqual(known.utf8)
        }
    }
#endif
