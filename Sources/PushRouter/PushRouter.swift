public import PushAdapter
public import PushClient

/// Sends one message over several vendors: it chooses one binding of each installation and reports the outcome of each.
///
/// ```swift
/// let router = try PushRouter(
///     routes: ["jpush": jpush, "apns": apns], bindings: store, policy: RoutingPolicy(order: ["apns", "jpush"]))
/// let plan = try await router.plan(message, to: .users(["u-1", "u-2"]))
/// let report = try await router.send(plan)
/// try await router.prune(report)
/// ```
///
/// A route is a named client, because one vendor may have an app for each platform. The caller owns the clients and
/// shuts them down.
public final class PushRouter: Sendable {
    /// The clients by name.
    public let routes: [RouteName: PushClient]
    /// The store of bindings.
    public let bindings: any BindingStore
    /// The rules that choose a binding.
    public let policy: RoutingPolicy
    let clock: any PushClock
    let circuits: [RouteName: CircuitBreaker]
    /// Routes whose vendor accepted a message to a device, which proves their credentials.
    let proven = Locked<Set<RouteName>>([])
    /// By route: the devices that its vendor's events of the last day called dead or showed alive.
    let tallies: Locked<[RouteName: DeviceTally]>
    let ranks: RouteRanks

    /// The most items in a list for a store.
    static let pageSize = 1_000

    /// Refuses with `misconfigured` an empty list of routes, and a policy that names unknown routes, has a circle or
    /// has an invalid number.
    public init(
        routes: [RouteName: PushClient], bindings: any BindingStore, policy: RoutingPolicy = RoutingPolicy(),
        clock: any PushClock = SystemClock()
    ) throws(PushError) {
        guard !routes.isEmpty else { throw PushError(.misconfigured, "a router needs at least one route") }
        try policy.check(Set(routes.keys))
        self.routes = routes
        self.bindings = bindings
        self.policy = policy
        self.clock = clock
        circuits = Dictionary(
            uniqueKeysWithValues: routes.keys.map { route in
                let circuit = CircuitBreaker(
                    route, failures: policy.circuit.failures, pause: policy.circuit.pause, clock: clock)
                return (route, circuit)
            })
        tallies = Locked(routes.mapValues { _ in DeviceTally() })
        ranks = RouteRanks(policy, routes.keys)
    }

    /// Shuts down the client of each route; see `PushClient.shutdown(draining:)`. A send that waits for a throttled
    /// vendor ends, and reports `stopped`.
    public func shutdownClients() async {
        for client in routes.values { await client.shutdown() }
    }

    /// Asks the store, in pages of ``pageSize`` items.
    func load<Item: Sendable>(
        _ items: [Item], for operation: Feature = .send,
        _ read: (any BindingStore, [Item]) async throws -> [Binding]
    ) async throws(PushError) -> [Binding] {
        var found: [Binding] = []
        for page in items.pages(of: Self.pageSize) {
            do {
                found += try await read(bindings, page)
            } catch {
                throw Self.unreadable(error, for: operation)
            }
        }
        return found
    }

    static func unreadable(_ error: any Error, for operation: Feature?) -> PushError {
        guard !(error is CancellationError) else {
            return PushError(.cancelled, "cancelled while the bindings were read", operation: operation)
        }
        return PushError(.invalidState, "the bindings cannot be read", operation: operation, underlying: error)
    }
}
