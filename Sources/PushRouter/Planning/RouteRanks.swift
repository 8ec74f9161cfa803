import PushAdapter

/// The policy's order of an installation's bindings, with the ranks looked up once. Routes are numbers here: a campaign ranks
/// millions.
struct RouteRanks: Sendable {
    /// The number of a binding, and that of its route.
    struct Way {
        var index: Int
        var route: Int
    }

    private struct Move {
        let from: Int
        let to: Int
        let migration: RouteMigration
    }

    /// The routes by number.
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

    /// Sorts the bindings of one installation, the best first; of those at one route, keeps the newest alone.
    func rank(_ ways: inout [Way], of bindings: BindingPages) {
        guard ways.count > 1 else { return }
        // Few, so the plainest way is the fastest.
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

    /// By rank, then the newest, then by name, so that the store's order never matters.
    private func precedes(_ left: Way, _ right: Way, _ bindings: BindingPages) -> Bool {
        let ranks = (rank(left, bindings), rank(right, bindings))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        let dates = (bindings.boundAt(left.index), bindings.boundAt(right.index))
        if dates.0 != dates.1 { return dates.0 > dates.1 }
        if left.route != right.route { return left.route < right.route }
        return bindings.target(of: left.index).text < bindings.target(of: right.index).text
    }

    /// For the migrations between routes of an installation, from which to which they lead it.
    private func steps(_ ways: [Way], _ name: String) -> [(loser: Int, winner: Int)] {
        func has(_ route: Int) -> Bool { ways.contains { $0.route == route } }
        func isMoved(_ move: Move) -> Bool {
            move.migration.moves(name) ?? false
        }
        return moves.compactMap { move in
            guard has(move.from) else { return nil }
            guard isMoved(move) else { return has(move.to) ? (move.to, move.from) : nil }
            // Who has no binding at the next route may have one at those after it.
            var end = move.to
            while !has(end) {
                guard let next = moves.first(where: { $0.from == end }), isMoved(next) else { return nil }
                end = next.to
            }
            return (move.from, end)
        }
    }

    /// Where the migrations lead from a place. They have no circles, so each step comes closer to an end.
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
