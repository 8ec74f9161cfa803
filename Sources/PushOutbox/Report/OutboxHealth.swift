public import FoundationEssentials
import PushAdapter

/// What a probe asks of a process with an outbox.
public struct OutboxHealth: Sendable, Hashable {
    /// Why the store did not answer; nil if it did.
    public var storeFailure: String?
    /// The workers that have a claim, in this process and in others. 1 for a store that allows one worker, 0 if the store
    /// did not answer.
    public var workers = 0
    /// Whether a worker of this process has a claim. In a store with one worker, the others stand by.
    public var isWorking = false
    /// When a vendor last accepted something from this process; nil for never.
    public var lastAccepted: Date?
    /// The routes of this process, by name.
    public var routes: [Route] = []

    /// A route of a process.
    public struct Route: Sendable, Hashable {
        /// The name of its client.
        public var name: RouteName
        /// Until this moment the process sends nothing there, because requests failed in a row. Nil while it sends.
        public var restsUntil: Date?

        /// A route that rests, or that does not.
        public init(_ name: RouteName, restsUntil: Date? = nil) {
            (self.name, self.restsUntil) = (name, restsUntil)
        }
    }

    /// Routes where this process sends nothing for a moment, because requests failed in a row.
    public var restingRoutes: [RouteName] { routes.filter { $0.restsUntil != nil }.map(\.name) }
    /// Whether the process can take campaigns: its store answers.
    public var isReady: Bool { storeFailure == nil }

    /// A store that answered, and nothing else.
    public init() {}
}

extension PushOutbox {
    /// Returns what a probe asks, within some milliseconds if the store answers and within five seconds if it does not.
    /// Never throws: a store that does not answer is a result. Reads one campaign and the claims of workers.
    ///
    /// A process without work has accepted nothing, so `lastAccepted` alone is no reason to restart it.
    public func health() async -> OutboxHealth {
        var health = OutboxHealth()
        (health.isWorking, health.lastAccepted) = condition.withLock { $0 }
        let now = clock.date
        health.routes = routes.keys.sorted().map { route in
            OutboxHealth.Route(
                route, restsUntil: circuit(of: route).rest.map { now.addingTimeInterval($0.seconds) })
        }
        do throws(PushError) { health.workers = try await countWorkers(within: .seconds(5)) } catch {
            health.storeFailure = error.reason
        }
        return health
    }

    /// Returns the number of workers, or throws if the store does not answer in time. The question then goes on.
    private func countWorkers(within limit: Duration) async throws(PushError) -> Int {
        let (answers, place) = AsyncStream<Result<Int, PushError>>.makeStream()
        let asking = Task {
            do throws(PushError) { place.yield(.success(try await countWorkers())) } catch {
                place.yield(.failure(error))
            }
        }
        let waiting = Task { [clock] in
            guard (try? await clock.expire(after: limit)) != nil else { return }
            place.yield(.failure(PushError(.timeout, "the store did not answer in time", retry: .backoff)))
        }
        defer { for task in [asking, waiting] { task.cancel() } }
        for await answer in answers { return try answer.get() }
        throw PushError(.cancelled, "the task was cancelled while the store was asked")
    }

    private func countWorkers() async throws(PushError) -> Int {
        // In some stores, the number of workers is not asked of the engine.
        _ = try await campaigns(limit: 1)
        return try await stored { try await $0.workers() }
    }
}
