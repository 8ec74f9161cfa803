#if PostgreSQL
    import CPq
    import Glibc
    import PushAdapter

    /// Opens sessions and explains failures. Never repeats libpq's own words: they may quote parts of a string whose
    /// password is in the wrong place.
    enum PostgresLogin {
        /// The names of error fields. The header defines them as character macros.
        static let (code, primary) = (Int32(UInt8(ascii: "C")), Int32(UInt8(ascii: "M")))

        static func open(_ connection: Secret) throws(PushError) -> OpaquePointer {
            guard let text = copy(connection) else {
                throw PushError(.misconfigured, "the connection string of PostgreSQL has a NUL byte")
            }
            defer {
                explicit_bzero(text, strlen(text))
                free(text)
            }
            guard let options = PQconninfoParse(text, nil) else {
                throw PushError(
                    .misconfigured,
                    "the connection string of PostgreSQL cannot be read; write postgresql://user@host/database")
            }
            defer { PQconninfoFree(options) }
            if let time = value(of: "connect_timeout", in: options), !(1...3600).contains(Int(time) ?? 0) {
                throw PushError(
                    .misconfigured,
                    "connect_timeout of PostgreSQL is a number of seconds from 1 to 3600; with zero, a silent server "
                        + "would hold up the process for ever")
            }
            // The connection string can override `before`, but not `after`.
            let before = [
                ("connect_timeout", "10"), ("fallback_application_name", "pushbridge"), ("keepalives_idle", "10"),
                ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "20000"),
            ]
            let after = [("target_session_attrs", "read-write"), ("client_encoding", "UTF8")]
            let names = (before.map(\.0) + ["dbname"] + after.map(\.0)).map { strdup($0) }
            let values = before.map { strdup($0.1) } + [text] + after.map { strdup($0.1) }
            defer { for copy in names + values where copy != text { free(copy) } }
            let handle = PQconnectdbParams(
                names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
            guard let handle else { throw PushError(.invalidState, "libpq has no memory for a connection") }
            guard PQstatus(handle) == CONNECTION_OK else {
                defer { PQfinish(handle) }
                throw refusal(String(cString: PQerrorMessage(handle)))
            }
            return handle
        }

        /// What a connection string says about a setting; nil if nothing.
        private static func value(of name: String, in options: UnsafePointer<PQconninfoOption>) -> String? {
            var option = options
            while let keyword = option.pointee.keyword {
                if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
                option += 1
            }
            return nil
        }

        /// Copies the string for C. The caller frees it. Nil if it has a NUL byte.
        private static func copy(_ connection: Secret) -> UnsafeMutablePointer<CChar>? {
            connection.withBytes { bytes in
                guard !bytes.contains(0), let copy = malloc(bytes.count + 1) else { return nil }
                let text = UnsafeMutableRawBufferPointer(start: copy, count: bytes.count + 1)
                text.copyBytes(from: bytes)
                text[bytes.count] = 0
                return copy.assumingMemoryBound(to: CChar.self)
            }
        }

        /// Words in messages of libpq or the server, and their meaning.
        private static let reasons: [(words: String, kind: PushError.Kind, reason: String)] = [
            ("authentication failed", .unauthorized, "the server does not accept the user or the password"),
            ("no password supplied", .unauthorized, "the server wants a password"),
            ("no pg_hba.conf entry", .unauthorized, "the server lets no one in from here as this user"),
            ("read-only", .transport, "the server only reads: a standby perhaps"),
            ("hot standby", .transport, "the server only reads: a standby perhaps"),
            ("too many", .busy, "the server has too many connections"),
            ("remaining connection slots", .busy, "the server has too many connections"),
            ("timeout expired", .transport, "the server did not answer in time"),
            ("translate host name", .transport, "the name of the host is not known"),
            ("Connection refused", .transport, "no server listens there"),
            ("No such file", .transport, "no server listens there"),
            // The server's own state: it starts, stops, recovers, or takes no connections yet.
            ("the database system is", .transport, "the server is starting or stopping"),
            ("database", .misconfigured, "the server has no such database, or it is closed to the user"),
            ("role", .unauthorized, "the server has no such user"),
            ("certificate", .misconfigured, "TLS fails; check sslmode and sslrootcert"),
            ("SSL", .misconfigured, "TLS fails; check sslmode and sslrootcert"),
        ]

        static func refusal(_ message: String) -> PushError {
            let known = reasons.first { message.contains($0.words) }
            let reason = known?.reason ?? "psql says why, with the same connection string"
            let kind = known?.kind ?? .transport
            return PushError(
                kind, "PostgreSQL cannot be reached: \(reason)",
                retry: kind == .transport || kind == .busy ? .backoff : .never)
        }
    }
#endif
