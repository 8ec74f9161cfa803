import FoundationEssentials
public import PushAdapter

/// Chooses the binding that a message takes, and the reaction if the vendor did not take it.
public struct RoutingPolicy: Sendable, Hashable {
    /// Whether a message tries an installation's next binding after the first one certainly did not get it.
    public enum Failover: Sendable, Hashable {
        /// Never tries another binding.
        case never
        /// Tries one other binding. If a throttled vendor accepts retries within this time, waits for it instead.
        case whenNotApplied(patience: Duration)
    }

    /// How a send reacts if a vendor would refuse the message or a binding cannot be used.
    public enum Preflight: String, Sendable, Hashable, CaseIterable {
        /// Sends nothing at all, and throws the reason.
        case allOrNothing
        /// Sends the message where it can, and reports the rest.
        case whatCanBeSent
    }

    /// Routes, the best first. Unlisted routes come last, the newest binding first.
    public var order: [RouteName]
    /// Orders for single platforms, where they differ.
    public var orders: [Platform: [RouteName]] = [:]
    /// The migrations in progress.
    public var migrations: [RouteMigration] = []
    /// Whether messages try a second binding; never by default.
    public var failover = Failover.never
    /// The reaction to problems; all or nothing by default.
    public var preflight = Preflight.allOrNothing
    /// The platforms of a route that serves only these. A broadcast may go to several routes only if no two of them
    /// share a platform. Otherwise a phone could be at both, which the router cannot know.
    public var platforms: [RouteName: Set<Platform>] = [:]
    /// When pruning suspects the credentials instead of the targets.
    public var pruning = PruningGuard()
    /// When sends skip a route that does not answer.
    public var circuit = CircuitPolicy()

    /// Creates a policy with an order of routes, without failover and migrations.
    public init(order: [RouteName] = []) { self.order = order }
}

/// Stops pruning when too many targets seem dead at once.
public struct PruningGuard: Sendable, Hashable {
    /// The largest share of a route's answers that may report dead targets.
    public var maximumShare = 0.2
    /// With fewer answers than this, the share does not count.
    public var minimumTargets = 10

    /// A share of a fifth, from ten answers on.
    public init() {}
}

/// A circuit breaker: skips a route after several unanswered requests in a row. Where targets bring their own hosts, as
/// with Web Push, it skips the targets at the host that gives no answer.
public struct CircuitPolicy: Sendable, Hashable {
    /// Unanswered requests in a row that open it. Requests that run at the same time count as one.
    public var failures = 3
    /// How long sends skip the route before they use it again.
    public var pause: Duration = .seconds(30)

    /// Three failures, 30 seconds.
    public init() {}
}

extension RoutingPolicy {
    /// The drains that lead from one route to another: the start of the last one, and the longest time that they keep
    /// an old binding. Nil if drains do not lead there. A route has one successor, and there are no circles.
    func drain(from old: RouteName, to new: RouteName) -> (since: Date, keepsOldFor: Duration)? {
        guard let step = migrations.first(where: { $0.from == old && $0.drainedSince != nil }),
            let since = step.drainedSince
        else { return nil }
        if step.to == new { return (since, step.keepsOldFor) }
        return drain(from: step.to, to: new).map { (max(since, $0.since), max(step.keepsOldFor, $0.keepsOldFor)) }
    }

    /// Refuses with `misconfigured` a policy that does not fit these routes.
    func check(_ routes: Set<RouteName>) throws(PushError) {
        let named = order + orders.values.flatMap { $0 } + migrations.flatMap { [$0.from, $0.to] } + platforms.keys
        if let name = named.first(where: { !routes.contains($0) }) {
            throw PushError(
                .misconfigured,
                "the policy names the route \(Redaction.quoted(name.rawValue)), which the router does not have; "
                    + RouteName.known(routes))
        }
        for list in [order] + orders.values where Set(list).count != list.count {
            throw PushError(.misconfigured, "an order of the policy has a route twice")
        }
        try checkMigrations()
        if case .whenNotApplied(let patience) = failover, patience < .zero {
            throw PushError(.misconfigured, "the patience of the failover is below zero")
        }
        guard circuit.failures > 0, circuit.pause >= .zero else {
            throw PushError(.misconfigured, "a circuit needs at least one failure, and a pause that is not below zero")
        }
        guard (0...1).contains(pruning.maximumShare), pruning.minimumTargets >= 0 else {
            throw PushError(
                .misconfigured, "the guard of pruning needs a share from 0 to 1, and a number of targets from 0")
        }
    }

    private func checkMigrations() throws(PushError) {
        for migration in migrations { try migration.check() }
        guard Set(migrations.map(\.name)).count == migrations.count else {
            throw PushError(.misconfigured, "two migrations have one name")
        }
        let moves = migrations.filter(\.stage.moves)
        let successors = Dictionary(moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
        guard successors.count == moves.count else {
            throw PushError(.misconfigured, "two migrations start at one route; a route has one successor")
        }
        for migration in moves {
            var route: RouteName? = migration.to
            for _ in moves where route != migration.from { route = route.flatMap { successors[$0] } }
            guard route != migration.from else {
                throw PushError(
                    .misconfigured,
                    "the migration \(Redaction.quoted(migration.name)) is part of a circle: who follows it comes back")
            }
        }
    }
}

extension RouteName {
    /// A list of routes for error messages.
    static func known(_ routes: some Collection<RouteName>) -> String {
        "it has " + routes.sorted().map { Redaction.quoted($0.rawValue) }.joined(separator: ", ")
    }
}
