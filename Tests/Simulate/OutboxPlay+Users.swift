import FoundationEssentials
import PushAdapter
import PushOutbox
import PushRouter
import PushSimulation
import PushSimulationTesting

/// Campaigns to users. A router finds their phones in their bindings, and removes those that a report calls dead.
extension OutboxPlay {
    /// A person has one phone, which both vendors have been told of; one of them may not know it.
    private static func user(_ phone: Int) -> UserID { UserID("user-\(phone)") }

    private func binding(_ phone: Int, at route: Int) -> Binding {
        Binding(
            user: Self.user(phone), installation: InstallationID("phone-\(phone)"), route: Self.routes[route],
            target: .device(DeviceID(id(phone, at: route))),
            platform: world.vendors[route].device(phone).platform,
            boundAt: Simulation.start.addingTimeInterval(-86_400))
    }

    /// The phones of all campaigns to users.
    private var boundPhones: [Int] {
        let lists = zip(world.sales, lists).filter(\.0.isToUsers).map(\.1)
        return Set(lists.joined().compactMap { $0 }).sorted()
    }

    func bind() async {
        for phone in boundPhones { for route in sites.indices { await bindings.bind(binding(phone, at: route)) } }
    }

    private func router(in process: SimulatedProcess) throws -> PushRouter {
        var policy = RoutingPolicy(order: Self.routes)
        policy.failover = .whenNotApplied(patience: Self.patience)
        return try PushRouter(
            routes: try clients(in: process), bindings: bindings, policy: policy, clock: process.clock)
    }

    func toUsers(_ sale: Int, in process: SimulatedProcess) throws -> CampaignPart {
        let users = AsyncStream<UserID> { feed in
            for phone in lists[sale] { if let phone { feed.yield(Self.user(phone)) } }
            feed.finish()
        }
        let targets = try router(in: process).targets(Self.message(sale), to: users)
        return .routed(targets, over: targets.routes, patience: targets.patience, notBefore: notBefore(sale))
    }

    /// Pruning by the reports removes no binding of a phone that its vendor knows.
    func checkBindings(_ outbox: PushOutbox, in process: SimulatedProcess) async throws {
        guard !boundPhones.isEmpty else { return }
        let router = try router(in: process)
        for sale in world.sales.indices where world.sales[sale].isToUsers {
            let pruned = try await router.prune(try await outbox.report(of: name(sale)))
            simulation.tell("pruned after sale \(sale): \(pruned)")
        }
        let kept = Set(await bindings.bindings(of: boundPhones.map(Self.user)).map(\.way))
        for phone in boundPhones {
            for route in sites.indices where Self.isKnown(phone, at: route, world) {
                let binding = binding(phone, at: route)
                try require(kept.contains(binding.way), "the binding \(binding) of a phone that is there was pruned")
            }
        }
    }
}
