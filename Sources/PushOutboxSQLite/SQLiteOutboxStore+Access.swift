#if SQLite
    import GRDB
    import PushAdapter
    import PushOutbox
    import PushSQLite

    /// The only way to the connections: a closed store refuses every call.
    extension SQLiteOutboxStore {
        /// Refuses with `stopped` a closed store, and a file that was moved.
        func check() throws(PushError) {
            do throws(PushError) { try identity.check() } catch {
                // SQLite removes the log of a file that it closes.
                try locks.checkOpen()
                throw error
            }
            try locks.checkOpen()
        }

        /// Runs a body of a call. Refuses with `stopped` once the store was closed.
        private func perform<Value>(_ call: (DatabasePool) async throws -> Value) async throws -> Value {
            try locks.checkOpen()
            do { return try await call(pool) } catch {
                // GRDB has its own error for a call that came while the file was being closed.
                try locks.checkOpen()
                throw error
            }
        }

        func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
            try await perform { try await $0.read(body) }
        }

        func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
            try await perform { try await $0.write(body) }
        }

        func writeWithoutTransaction<Value: Sendable>(
            _ body: @escaping @Sendable (Database) throws -> Value
        ) async throws -> Value {
            try await perform { try await $0.writeWithoutTransaction(body) }
        }
    }
#endif
