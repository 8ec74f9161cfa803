import FoundationEssentials
public import PushAdapter

/// Which of an installation's bindings a message takes, and what happens when the vendor did not take it.
public struct RoutingPolicy: Sendable, Hashable {
    /// Whether a message goes to an installation's next binding, after the first one certainly did not get it.
    public enum Failover: Sendable, Hashable {
        /// It never does.
        case never
        /// It does, once. A throttled vendor is waited for if it takes the message again within this time.
        case whenNotApplied(patience: Duration)
    }

    /// What a send does if a vendor would refuse the message, or a binding cannot be sent to.
    public enum Preflight: String, Sendable, Hashable, CaseIterable {
        /// It sends nothing at all, and says why.
        case allOrNothing
        /// It sends what can be sent, and reports the rest.
        case whatCanBeSent
    }

    /// Routes, the best first. Those that are not listed come last, the newest binding first.
    public var order: [RouteName]
    /// Routes of one platform, where they differ.
    public var orders: [Platform: [RouteName]] = [:]
    /// Moves under way.
    public var migrations: [RouteMigration] = []
    /// Never, unless set.
    public var failover = Failover.never
    /// All or nothing, unless set.
    public var preflight = Preflight.allOrNothing
    /// The platforms of a route that has no others. A broadcast may go to several routes only if none shares a platform with
    /// another one, because it cannot be known whether a phone is at both.
    public var platforms: [RouteName: Set<Platform>] = [:]
    /// How pruning notices that the key is wrong and not the targets.
    public var pruning = PruningGuard()
    /// Requests in a row without an answer after which sends pass a route over, and for how long.
    public var circuit = CircuitPolicy()

    /// A policy with an order of routes, which never sends twice and moves no installation.
    public init(order: [RouteName] = []) { self.order = order }
}

/// When pruning stops: so many targets at once are not dead by themselves.
public struct PruningGuard: Sendable, Hashable {
    /// The largest share of a route's answers that may say dead.
    public var maximumShare = 0.2
    /// The share of fewer answers says nothing.
    public var minimumTargets = 10

    /// A fifth of ten or more.
    public init() {}
}

/// When a route is passed over.
public struct CircuitPolicy: Sendable, Hashable {
    /// Unanswered requests in a row. Those that run at the same time count as one.
    public var failures = 3
    /// How long the route is passed over; then sends try it again.
    public var pause: Duration = .seconds(30)

    /// Three failures, 30 seconds.
    public init() {}
}

extension RoutingPolicy {
    /// When the last of the drains began that lead from one route to another, and the longest time that they keep an old
    /// binding; nil if they do not lead there. A route has one successor, and there are no circles.
    func drain(from old: RouteName, to new: RouteName) -> (since: Date, keepsOldFor: Duration)? {
        guard let step = migrations.first(where: { $0.from == old && $0.drainedSince != nil }),
            let since = step.drainedSince
        else { return nil }
        if step.to == new { return (since, step.keepsOldFor) }
        return drain(from: step.to, to: new).map { (max(since, $0.since), max(step.keepsOldFor, $0.keepsOldFor)) }
    }

    /// Refuses with `misconfigured` what cannot work with these routes.
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
    /// A list for an error's reader.
    static func known(_ routes: some Collection<RouteName>) -> String {
        "it has " + routes.sorted().map { Redaction.quoted($0.rawValue) }.joined(separator: ", ")
    }
}
