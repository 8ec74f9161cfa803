/// Facts about a store's engine, for operators.
public struct OutboxFacts: Sendable, Hashable {
    /// A worker with a claim.
    public struct Worker: Sendable, Hashable {
        /// The number that the slices in its hands have as their owner; nil if the store does not know it. Such a store
        /// has one worker.
        public var id: Int64?
        /// Its machine.
        public var host: String
        /// Its process number; nil if the store does not know it.
        public var process: Int32?
        /// How long the claim lasts without a renewal. Below zero, the next worker counts this one as dead. Nil if the
        /// claim lasts as long as the process.
        public var remaining: Duration?

        /// A worker on a machine.
        public init(id: Int64? = nil, host: String, process: Int32? = nil, remaining: Duration?) {
            (self.id, self.host, self.process, self.remaining) = (id, host, process, remaining)
        }

        /// Whether it has not renewed its claim in time. The next worker counts it as dead.
        public var isLate: Bool { remaining.map { $0 < .zero } ?? false }
    }

    /// The engine and its version, such as `SQLite 3.40.1`.
    public var engine: String
    /// The version of the store's tables, from 1.
    public var version = 1
    /// The settings that decide whether a power cut loses a commit.
    public var durability: [String: String] = [:]
    /// The workers that have a claim.
    public var workers: [Worker] = []
    /// The sizes of the store's contents, in bytes.
    public var sizes: [String: Int] = [:]

    /// Facts with nothing but the engine.
    public init(engine: String) { self.engine = engine }
}
