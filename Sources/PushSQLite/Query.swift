#if SQLite
    package import FoundationEssentials
    package import GRDB
    import GRDBSQLite

    /// A value for a `?` of a statement.
    package enum Argument {
        case text(String?)
        case bytes([UInt8]?)
        case integer(Int64)
        case seconds(Double?)
        case date(Date?)
    }

    /// A prepared statement, cached by its connection and run with SQLite's own calls.
    ///
    /// GRDB would end a text at its first NUL byte, and its errors would hold the arguments, including tokens. Reading
    /// columns without GRDB's rows is several times as fast.
    package struct Query {
        private let statement: Statement
        private let handle: SQLiteStatement

        package init(_ sql: String, in db: Database) throws {
            statement = try db.cachedStatement(sql: sql)
            handle = statement.sqliteStatement
        }

        /// Runs the statement and calls `row` at each row. A `?` without an argument is null.
        package func run(_ arguments: [Argument] = [], _ row: () throws -> Void = {}) throws {
            // All texts in one buffer. It is never empty, so that an empty text has an address too.
            var texts: [UInt8] = [0]
            for argument in arguments {
                switch argument {
                case .text(let text?): texts.append(contentsOf: text.utf8)
                case .bytes(let bytes?): texts.append(contentsOf: bytes)
                default: break
                }
            }
            try texts.withUnsafeBytes { bytes in
                // SQLite reads the texts in place, so it must forget them before the buffer goes.
                defer {
                    sqlite3_reset(handle)
                    sqlite3_clear_bindings(handle)
                }
                try bind(arguments, bytes)
                while try step() { try row() }
            }
        }

        private func bind(_ arguments: [Argument], _ bytes: UnsafeRawBufferPointer) throws {
            var offset = 1
            for (position, argument) in arguments.enumerated() {
                let index = Int32(position + 1)
                switch argument {
                case .integer(let number): try check(sqlite3_bind_int64(handle, index, number))
                case .date(let date?):
                    try check(sqlite3_bind_double(handle, index, date.timeIntervalSinceReferenceDate))
                case .seconds(let seconds?): try check(sqlite3_bind_double(handle, index, seconds))
                case .text(let text?):
                    let count = text.utf8.count
                    let start = bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
                    try check(
                        sqlite3_bind_text64(handle, index, start, UInt64(count), nil, UInt8(SQLITE_UTF8)))
                    offset += count
                case .bytes(let blob?):
                    let start = bytes.baseAddress?.advanced(by: offset)
                    try check(sqlite3_bind_blob64(handle, index, start, UInt64(blob.count), nil))
                    offset += blob.count
                case .text(nil), .bytes(nil), .seconds(nil), .date(nil): break
                }
            }
        }

        private func step() throws -> Bool {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: return true
            case SQLITE_DONE: return false
            case let code: throw failure(code)
            }
        }

        private func check(_ code: Int32) throws { guard code == SQLITE_OK else { throw failure(code) } }

        /// Holds no values: SQLite's message names only tables and columns.
        private func failure(_ code: Int32) -> any Error {
            let code = ResultCode(rawValue: code)
            // Only a cancelled task interrupts a statement.
            if code.primaryResultCode == .SQLITE_INTERRUPT { return CancellationError() }
            return DatabaseError(resultCode: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
        }

        // MARK: Columns of a row

        package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        /// Nil for null.
        package func seconds(_ column: Int32) -> Double? {
            guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
            return sqlite3_column_double(handle, column)
        }

        /// Nil for null.
        package func date(_ column: Int32) -> Date? {
            seconds(column).map { Date(timeIntervalSinceReferenceDate: $0) }
        }

        package func text(_ column: Int32) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

        /// A text's bytes, which last until the next row; nil for null.
        package func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
            guard let start = sqlite3_column_text(handle, column) else { return nil }
            return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        }

        /// A blob; nil for null.
        package func blob(_ column: Int32) -> [UInt8]? {
            guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
            let start = sqlite3_column_blob(handle, column)
            return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
        }
    }
#endif
