#if PostgreSQL
    import FoundationEssentials
    import Glibc
    package import PushAdapter
    import PushIO

    /// A connection to a server: a thread that blocks in libpq, and a queue of calls for it. Connects at the first
    /// call, and again at the next call after a lost connection.
    package final class PostgresConnection: Sendable {
        private typealias Job = @Sendable (PostgresSlot) -> Void

        /// The kinds of transactions.
        package enum Access: String, Sendable {
            case write = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            /// The same, for statements whose best plan never changes. Planning a statement with thirty arrays takes
            /// longer than running it.
            case plannedOnce =
                "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL plan_cache_mode = force_generic_plan"
            /// All statements see the same rows.
            case read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        }

        private let line: JobLine

        /// - Parameters:
        ///   - settings: SQL that runs at the start of each session.
        ///   - clock: learns the server's time.
        ///   - longestSilence: after this time without a byte from the server, the connection counts as lost. Longer
        ///     than the `statement_timeout` of the settings, which a server that hangs does not keep.
        ///   - check: refuses unsuitable sessions.
        package init(
            _ connection: Secret, settings: String, clock: ServerClock = ServerClock(),
            longestSilence: Duration = .seconds(75),
            check: @escaping @Sendable (PostgresSession) throws -> Void = { _ in }
        ) throws(PushError) {
            let line = JobLine()
            self.line = line
            let thread = try startThread {
                let slot = PostgresSlot(check) {
                    try PostgresSession(connection, settings, clock, longestSilence: longestSilence)
                }
                while let job = line.next() { job(slot) }
            }
            pthread_detach(thread)
        }

        deinit { line.close() }

        /// Ends the session after the queued calls. Later calls throw.
        package func close() { line.close() }

        /// Runs a body in a transaction on the thread. Runs it again after a conflict without effect, so it must change
        /// nothing but rows. Throws `transport` if the connection was lost; then the effect is unknown. Ignores
        /// cancellation.
        package func transaction<Value: Sendable>(
            _ access: Access = .write, _ body: @escaping @Sendable (PostgresSession) throws -> Value
        ) async throws(PushError) -> Value {
            let result: Result<Value, PushError> = await withCheckedContinuation { place in
                let isTaken = line.add { slot in
                    place.resume(returning: Result { () throws(PushError) in try slot.perform(access.rawValue, body) })
                }
                if !isTaken {
                    place.resume(returning: .failure(PushError(.stopped, "the connection to PostgreSQL was closed")))
                }
            }
            return try result.get()
        }
    }

    /// The thread's state: the session, if there is one.
    final class PostgresSlot {
        private let connect: () throws -> PostgresSession
        private let check: (PostgresSession) throws -> Void
        private var session: PostgresSession?
        private var hasConnected = false

        /// After this many conflicts the call throws.
        private static let mostTries = 8

        init(
            _ check: @escaping (PostgresSession) throws -> Void, connect: @escaping () throws -> PostgresSession
        ) {
            (self.check, self.connect) = (check, connect)
        }

        func perform<Value>(_ begin: String, _ body: (PostgresSession) throws -> Value) throws(PushError) -> Value {
            do {
                for round in 1..<Self.mostTries {
                    do { return try attempt(begin, body) } catch let error as PostgresError {
                        guard error.isWorthRepeating else { throw error }
                    }
                    // Waits a random time, so that the two transactions do not meet again.
                    usleep(UInt32.random(in: 0...2_000) << UInt32(round))
                }
                return try attempt(begin, body)
            } catch let error as PostgresError {
                throw error.refusal
            } catch let error as PushError {
                throw error
            } catch {
                throw PushError(.malformedResponse, "a row in PostgreSQL cannot be read", underlying: error)
            }
        }

        private func attempt<Value>(_ begin: String, _ body: (PostgresSession) throws -> Value) throws -> Value {
            let session = try self.session ?? open()
            self.session = session
            defer { if session.isLost { self.session = nil } }
            return try session.transaction(begin, body)
        }

        private func open() throws -> PostgresSession {
            do {
                let session = try connect()
                try check(session)
                hasConnected = true
                return session
            } catch var error as PushError where hasConnected && error.kind == .misconfigured {
                // The settings worked before. A server that recovers may not know its databases yet, and a newer
                // program may have migrated.
                error.retry = .backoff
                throw error
            }
        }
    }

    /// Calls that wait for the thread. The semaphore counts them, and the end of the queue as one more.
    ///
    /// `@unchecked`: `Locked` guards the calls, and the semaphore is safe to use from several threads.
    private final class JobLine: @unchecked Sendable {
        typealias Job = @Sendable (PostgresSlot) -> Void

        private let state = Locked((jobs: [Job](), isClosed: false))
        private let count: UnsafeMutablePointer<sem_t>

        init() {
            count = .allocate(capacity: 1)
            sem_init(count, 0, 0)
        }

        deinit {
            sem_destroy(count)
            count.deallocate()
        }

        func add(_ job: @escaping Job) -> Bool {
            let isTaken = state.withLock { state in
                if !state.isClosed { state.jobs.append(job) }
                return !state.isClosed
            }
            if isTaken { sem_post(count) }
            return isTaken
        }

        func close() {
            state.withLock { $0.isClosed = true }
            sem_post(count)
        }

        /// Waits for the next call; nil after the last one.
        func next() -> Job? {
            while sem_wait(count) != 0 {}
            return state.withLock { state in state.jobs.isEmpty ? nil : state.jobs.removeFirst() }
        }
    }
#endif
