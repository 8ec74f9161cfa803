#if PostgreSQL
    import CPq
    package import FoundationEssentials
    import Glibc
    import PushAdapter

    /// A session of a server, on the thread of its connection.
    package final class PostgresSession {
        private let handle: OpaquePointer
        private let wait: PostgresWait
        /// The names of the statements that the server has prepared, by their SQL.
        private var prepared: [String: String] = [:]
        /// When the session began.
        package let start = ContinuousClock.now
        /// The locks that the owner holds until the session ends.
        package var locks: Set<Int64> = []
        /// Whether the owner has checked the server's history.
        package var isTrusted = false
        private let clock: ServerClock
        /// How many seconds the server's clock is ahead during the transaction.
        private var lead: TimeInterval = 0

        init(_ connection: Secret, _ settings: String, _ clock: ServerClock, longestSilence: Duration) throws {
            self.clock = clock
            handle = try PostgresLogin.open(connection)
            wait = PostgresWait(handle, longestSilence)
            // Drops notices, which libpq would print to standard error.
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            try run(script: settings)
        }

        deinit { PQfinish(handle) }

        /// Whether a statement got no answer. libpq may notice the lost connection only later, or not at all.
        private var hasNoAnswer = false
        /// Whether the server was silent for too long.
        private var isSilent = false

        var isLost: Bool { hasNoAnswer || PQstatus(handle) != CONNECTION_OK }
        /// The server's version, such as 150018.
        package var version: Int { Int(PQserverVersion(handle)) }

        /// Runs statements without parameters. Returns the server's name for the last one, such as `COMMIT`.
        @discardableResult
        package func run(script: String) throws -> String {
            let result = wait.result(sent: PQsendQuery(handle, script))
            defer { PQclear(result) }
            try check(result)
            return result.map { String(cString: PQcmdStatus($0)) } ?? ""
        }

        /// Runs a statement and calls `row` for each row. The server keeps the statement prepared. Returns the number
        /// of rows that it changed or read.
        @discardableResult
        package func run(_ sql: String, _ arguments: [Argument] = [], _ row: (PostgresRow) throws -> Void = { _ in })
            throws -> Int
        {
            let name = try prepare(sql, arguments)
            let result = execute(name, arguments)
            defer { PQclear(result) }
            try check(result)
            guard let result else { return 0 }
            for index in 0..<PQntuples(result) { try row(PostgresRow(result: result, index: index, lead: lead)) }
            return Int(String(cString: PQcmdTuples(result))) ?? 0
        }

        /// Runs a body in a transaction. It is worth repeating after a conflict that the server undid, and after a
        /// connection lost before the first statement, but not after a long silence: the next session may get no answer
        /// either. If a commit gets no answer, the effect is unknown.
        func transaction<Value>(_ begin: String, _ body: (PostgresSession) throws -> Value) throws -> Value {
            do { try self.begin(begin) } catch var error as PostgresError {
                error.isWorthRepeating = error.isWorthRepeating || isLost && !isSilent
                throw error
            }
            do {
                let value = try body(self)
                // The server answers ROLLBACK if a statement failed and the body hid its error.
                guard try run(script: "COMMIT") == "COMMIT" else {
                    throw PostgresError(code: "25P02", message: "the transaction was undone")
                }
                return value
            } catch {
                if !isLost, PQtransactionStatus(handle) != PQTRANS_IDLE { try run(script: "ROLLBACK") }
                throw error
            }
        }

        /// Begins a transaction and asks for the server's time in the same message.
        private func begin(_ script: String) throws {
            let script = script + "; SELECT extract(epoch FROM clock_timestamp())::float8"
            let result = wait.result(sent: PQsendQuery(handle, script))
            defer { PQclear(result) }
            try check(result)
            guard let text = PQgetvalue(result, 0, 0), let seconds = Double(String(cString: text)) else { return }
            lead = clock.note(Date(timeIntervalSince1970: seconds))
        }

        private func prepare(_ sql: String, _ arguments: [Argument]) throws -> String {
            if let name = prepared[sql] { return name }
            let name = "s\(prepared.count)"
            let types = arguments.map(\.type)
            let result = wait.result(sent: PQsendPrepare(handle, name, sql, Int32(types.count), types))
            defer { PQclear(result) }
            try check(result)
            prepared[sql] = name
            return name
        }

        private func execute(_ name: String, _ arguments: [Argument]) -> OpaquePointer? {
            // All values in one buffer. It is never empty, so that an empty value has an address too.
            var bytes: [UInt8] = [0]
            var places: [Range<Int>?] = []
            for argument in arguments {
                let start = bytes.count
                places.append(argument.write(to: &bytes, lead: lead) ? start..<bytes.count : nil)
            }
            let lengths = places.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: arguments.count)
            return bytes.withUnsafeBytes { bytes in
                let values = places.map { place in
                    place.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
                }
                // libpq copies the values.
                return wait.result(
                    sent: PQsendQueryPrepared(handle, name, Int32(arguments.count), values, lengths, formats, 1))
            }
        }

        private func check(_ result: OpaquePointer?) throws {
            let status = PQresultStatus(result)
            guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return }
            guard !isLost, let result, let code = PQresultErrorField(result, PostgresLogin.code) else {
                isSilent = !isLost && result == nil
                hasNoAnswer = true
                throw PostgresError(
                    code: nil, message: isSilent ? "the server did not answer in time" : "the connection was lost")
            }
            let message = PQresultErrorField(result, PostgresLogin.primary).map { String(cString: $0) }
            throw PostgresError(code: String(cString: code), message: message ?? "no message")
        }
    }

    /// A row of an answer, in the server's binary format. Valid only during the call that received it.
    package struct PostgresRow {
        fileprivate let result: OpaquePointer
        fileprivate let index: Int32
        fileprivate let lead: TimeInterval

        /// A value's bytes; nil for null.
        private func value(_ column: Int32) -> UnsafeRawBufferPointer? {
            guard PQgetisnull(result, index, column) == 0 else { return nil }
            return UnsafeRawBufferPointer(
                start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
        }

        /// An integer of any width, or a boolean; 0 for null.
        package func integer(_ column: Int32) -> Int64 {
            guard let bytes = value(column), let first = bytes.first else { return 0 }
            return bytes.dropFirst().reduce(bytes.count > 1 ? Int64(Int8(bitPattern: first)) : Int64(first)) {
                $0 << 8 | Int64($1)
            }
        }

        package func number(_ column: Int32) -> Double { Double(bitPattern: UInt64(bitPattern: integer(column))) }

        /// Nil for null.
        package func seconds(_ column: Int32) -> Double? { value(column).map { _ in number(column) } }

        /// On this machine's clock; nil for null.
        package func date(_ column: Int32) -> Date? {
            seconds(column).map { Date(timeIntervalSinceReferenceDate: $0 - lead) }
        }

        package func text(_ column: Int32) -> String? { value(column).map { String(decoding: $0, as: UTF8.self) } }

        package func blob(_ column: Int32) -> [UInt8]? { value(column).map { Array($0) } }
    }
#endif
