import PushAdapter

/// Orders an installation's bindings by the policy. Looks ranks up once and uses numbers for routes, because a campaign
/// ranks millions of bindings.
struct RouteRanks: Sendable {
    /// The numbers of a binding and of its route.
    struct Way {
        var index: Int
        var route: Int
    }

    private struct Move {
        let from: Int
        let to: Int
        let migration: RouteMigration
    }

    /// The routes, in the order of their numbers.
    let names: [RouteName]
    private let general: [Int]
    private let special: [Platform: [Int]]
    private let moves: [Move]

    init(_ policy: RoutingPolicy, _ routes: some Collection<RouteName>) {
        let names = routes.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        func ranks(_ order: [RouteName]) -> [Int] { names.map { order.firstIndex(of: $0) ?? .max } }
        self.names = names
        general = ranks(policy.order)
        special = policy.orders.mapValues(ranks)
        moves = policy.migrations.filter(\.stage.moves).compactMap { migration in
            guard let from = numbers[migration.from], let to = numbers[migration.to] else { return nil }
            return Move(from: from, to: to, migration: migration)
        }
    }

    func number(of route: RouteName) -> Int? { names.firstIndex(of: route) }

    /// Sorts the bindings of one installation, the best first. Of several at one route, keeps only the newest.
    func rank(_ ways: inout [Way], of bindings: BindingPages) {
        guard ways.count > 1 else { return }
        // There are few, so an insertion sort is the fastest.
        for end in ways.indices.dropFirst() {
            var place = end
            while place > 0, precedes(ways[place], ways[place - 1], bindings) {
                ways.swapAt(place, place - 1)
                place -= 1
            }
        }
        var kept = 0
        for way in ways where !ways[..<kept].contains(where: { $0.route == way.route }) {
            ways[kept] = way
            kept += 1
        }
        ways.removeSubrange(kept...)
        guard !moves.isEmpty, kept > 1 else { return }
        let first = ways[0].index
        let steps = steps(ways, bindings.installation(of: first)?.rawValue ?? bindings.target(of: first).text)
        guard !steps.isEmpty else { return }
        for place in ways.indices {
            let end = end(of: place, in: ways, steps)
            let way = ways.remove(at: end)
            ways.insert(way, at: place)
        }
    }

    private func rank(_ way: Way, _ bindings: BindingPages) -> Int {
        guard !special.isEmpty, let platform = bindings.platform(of: way.index), let ranks = special[platform] else {
            return general[way.route]
        }
        return ranks[way.route]
    }

    /// Orders by rank, then the newest first, then by name, so that the store's order never matters.
    private func precedes(_ left: Way, _ right: Way, _ bindings: BindingPages) -> Bool {
        let ranks = (rank(left, bindings), rank(right, bindings))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        let dates = (bindings.boundAt(left.index), bindings.boundAt(right.index))
        if dates.0 != dates.1 { return dates.0 > dates.1 }
        if left.route != right.route { return left.route < right.route }
        return bindings.target(of: left.index).text < bindings.target(of: right.index).text
    }

    /// For each migration between the installation's routes, the route that it leaves and the route that it takes
    /// instead.
    private func steps(_ ways: [Way], _ name: String) -> [(loser: Int, winner: Int)] {
        func has(_ route: Int) -> Bool { ways.contains { $0.route == route } }
        func isMoved(_ move: Move) -> Bool {
            move.migration.moves(name) ?? false
        }
        return moves.compactMap { move in
            guard has(move.from) else { return nil }
            guard isMoved(move) else { return has(move.to) ? (move.to, move.from) : nil }
            // An installation without a binding at the next route may have one at a later route.
            var end = move.to
            while !has(end) {
                guard let next = moves.first(where: { $0.from == end }), isMoved(next) else { return nil }
                end = next.to
            }
            return (move.from, end)
        }
    }

    /// The best place that migrations lead to from this place. They form no circles, so each step comes closer to the
    /// end.
    private func end(of place: Int, in ways: [Way], _ steps: [(loser: Int, winner: Int)]) -> Int {
        var index = place
        for _ in steps {
            let route = ways[index].route
            let next = (place..<ways.count).first { other in
                steps.contains { $0.loser == route && $0.winner == ways[other].route }
            }
            guard let next else { break }
            index = next
        }
        return index
    }
}
