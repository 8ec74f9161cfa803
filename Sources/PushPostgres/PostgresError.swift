#if PostgreSQL
    package import PushAdapter

    /// A refusal of a statement by the server or libpq. Holds no parameter and nothing of the connection string.
    package struct PostgresError: Error, CustomStringConvertible {
        /// The server's code; nil if the connection was lost.
        package let code: String?
        /// The server's message, which names tables and columns.
        package let message: String
        /// Whether the transaction certainly had no effect and may succeed if it runs again.
        package var isWorthRepeating: Bool

        package init(code: String?, message: String) {
            (self.code, self.message) = (code, message)
            // A conflict or a deadlock with another transaction.
            isWorthRepeating = code == "40001" || code == "40P01"
        }

        package var description: String { code.map { "\(message) (\($0))" } ?? message }

        /// The error as a `PushError`.
        package var refusal: PushError {
            switch code {
            case nil:
                PushError(
                    .transport, "the connection to PostgreSQL was lost; what was changed last may be kept or not",
                    retry: .backoff, underlying: self)
            case "55P03":
                PushError(
                    .busy, "another session of PostgreSQL locks what is needed", retry: .backoff, underlying: self)
            case "57014": PushError(.timeout, "PostgreSQL took too long", retry: .backoff, underlying: self)
            case "42501":
                PushError(
                    .misconfigured, "the role may not do that in PostgreSQL; grant it the schema", underlying: self)
            case "53100":
                PushError(
                    .busy, "the disk of PostgreSQL is full; free some space", retry: .backoff, underlying: self)
            // The value does not fit the column, or breaks a rule of the table.
            case let code? where code.hasPrefix("22") || code.hasPrefix("23"):
                PushError(.invalidArgument, "PostgreSQL cannot store a value: \(self)", underlying: self)
            default: PushError(.invalidState, "PostgreSQL refused: \(self)", retry: .backoff, underlying: self)
            }
        }
    }
#endif
