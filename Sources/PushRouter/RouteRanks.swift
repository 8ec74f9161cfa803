import PushCore

/// The policy's order of an installation's bindings, with the ranks looked up once.
struct RouteRanks: Sendable {
    private let general: [RouteName: Int]
    private let special: [Platform: [RouteName: Int]]
    private let moves: [RouteMigration]

    init(_ policy: RoutingPolicy) {
        general = Self.ranks(policy.order)
        special = policy.orders.mapValues(Self.ranks)
        moves = policy.migrations.filter(\.stage.moves)
    }

    private static func ranks(_ order: [RouteName]) -> [RouteName: Int] {
        Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The bindings of one installation, the best first; of those at one route, the newest alone.
    func ranked(_ bindings: [Binding]) -> [Binding] {
        guard bindings.count > 1 else { return bindings }
        var rest = bindings.map { ($0, rank($0)) }.sorted(by: precedes).map(\.0)
        if Set(rest.map(\.route)).count < rest.count {
            var routes: Set<RouteName> = []
            rest = rest.filter { routes.insert($0.route).inserted }
        }
        guard !moves.isEmpty else { return rest }
        var ranked: [Binding] = []
        while let first = rest.first {
            let index = end(of: first, in: rest)
            ranked.append(rest.remove(at: index))
        }
        return ranked
    }

    private func rank(_ binding: Binding) -> Int {
        (binding.platform.flatMap { special[$0] } ?? general)[binding.route] ?? .max
    }

    /// By rank, then the newest, then by name, so that the store's order never matters.
    private func precedes(_ left: (Binding, Int), _ right: (Binding, Int)) -> Bool {
        if left.1 != right.1 { return left.1 < right.1 }
        if left.0.boundAt != right.0.boundAt { return left.0.boundAt > right.0.boundAt }
        if left.0.route != right.0.route { return left.0.route < right.0.route }
        return left.0.target.text < right.0.target.text
    }

    /// Where the migrations lead from a binding. They have no circles, so each step comes closer to an end.
    private func end(of first: Binding, in rest: [Binding]) -> Int {
        let installation = first.installation?.rawValue ?? first.target.text
        var index = 0
        for _ in moves {
            let route = rest[index].route
            let next = rest.indices.first { other in
                moves.contains { move in
                    guard let isMoved = move.moves(installation) else { return false }
                    let (loser, winner) = isMoved ? (move.from, move.to) : (move.to, move.from)
                    return loser == route && winner == rest[other].route
                }
            }
            guard let next else { break }
            index = next
        }
        return index
    }
}
