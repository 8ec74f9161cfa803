import FoundationEssentials
import PushClient
import PushCore

/// Makes the choices of plans from bindings, and finds what is wrong with them.
struct Planner {
    /// What the recipients are a list of.
    enum Asked: Hashable {
        case user(UserID)
        case installation(InstallationID)
    }

    /// One installation; a binding without one stands alone.
    private enum Unit: Hashable {
        case installation(InstallationID)
        case alone(Place)
    }

    /// One device at one route.
    private struct Place: Hashable {
        let route: RouteName
        let target: Target
    }

    private let router: PushRouter
    /// Installations and devices of earlier plans of one send, by a keyed hash of 64 bits; nil if this is the only plan.
    private var earlier: Set<Int>?
    private var units: [Unit: Int] = [:]
    private var bindings: [[Binding]] = []
    private var problems: [RoutePlan.Problem] = []

    /// - Parameter isFirstOfMany: what one plan has, later ones leave out.
    init(_ router: PushRouter, isFirstOfMany: Bool = false) {
        self.router = router
        earlier = isFirstOfMany ? [] : nil
    }

    private func place(of binding: Binding) -> Place {
        let target = router.routes[binding.route]?.canonical(binding.target) ?? binding.target
        return Place(route: binding.route, target: target)
    }

    private func unit(of binding: Binding) -> Unit {
        binding.installation.map(Unit.installation) ?? .alone(place(of: binding))
    }

    /// Adds bindings, in the order of the recipients where there is one; leaves out those that nobody asked for.
    mutating func add(_ found: [Binding], of asked: [Asked]? = nil) {
        for binding in asked.map({ Self.sorted(found, $0) }) ?? found {
            if let error = refusal(of: binding) {
                problems.append(RoutePlan.Problem(route: binding.route, binding: binding, error: error))
                continue
            }
            let unit = unit(of: binding)
            if let index = units[unit] {
                bindings[index].append(binding)
            } else {
                units[unit] = bindings.count
                bindings.append([binding])
            }
        }
    }

    /// Puts the choices into a plan, and forgets the bindings.
    mutating func finish(_ plan: inout RoutePlan) {
        var isDropped = leaveOutShared()
        leaveOutEarlier(&isDropped)
        plan.problems += problems
        plan.choices.reserveCapacity(bindings.count)
        for (index, members) in bindings.enumerated() where !isDropped[index] {
            var ranked = router.ranks.ranked(members)
            let first = ranked.removeFirst()
            plan.choices.append(RoutePlan.Choice(binding: first, others: ranked))
        }
        (units, bindings, problems) = ([:], [], [])
    }

    private func refusal(of binding: Binding) -> PushError? {
        guard let client = router.routes[binding.route] else {
            return Self.unknownRoute(binding.route, router.routes.keys, for: .send)
        }
        return client.refusal(of: binding.target)
    }

    /// Of two installations with one device, the one whose newest binding is older is left out as a whole: it is the same
    /// phone, and its other bindings would bring it the message again.
    private mutating func leaveOutShared() -> [Bool] {
        var isDropped = [Bool](repeating: false, count: bindings.count)
        var owners: [Place: Int] = Dictionary(minimumCapacity: 2 * bindings.count)
        for (index, members) in bindings.enumerated() {
            for binding in members where !isDropped[index] {
                let place = place(of: binding)
                guard let owner = owners.updateValue(index, forKey: place), owner != index, !isDropped[owner] else {
                    continue
                }
                let (loser, winner) = isOlder(index, than: owner) ? (index, owner) : (owner, index)
                owners[place] = winner
                isDropped[loser] = true
                if let lost = bindings[loser].first(where: { self.place(of: $0) == place }) { noteShared(lost) }
            }
        }
        return isDropped
    }

    private func isOlder(_ index: Int, than other: Int) -> Bool {
        let dates = [index, other].map { bindings[$0].lazy.map(\.boundAt).max() ?? .distantPast }
        return dates[0] <= dates[1]
    }

    /// Leaves out installations that an earlier plan has, and those with a device that one has.
    private mutating func leaveOutEarlier(_ isDropped: inout [Bool]) {
        guard earlier != nil else { return }
        var new: [Int] = []
        for (index, members) in bindings.enumerated() where !isDropped[index] {
            if earlier?.contains(unit(of: members[0]).hashValue) ?? false {
                isDropped[index] = true
            } else if let shared = members.first(where: { earlier?.contains(place(of: $0).hashValue) ?? false }) {
                isDropped[index] = true
                noteShared(shared)
            } else {
                new.append(unit(of: members[0]).hashValue)
                new += members.lazy.map { place(of: $0).hashValue }
            }
        }
        earlier?.formUnion(new)
    }

    private mutating func noteShared(_ binding: Binding) {
        problems.append(
            RoutePlan.Problem(
                route: binding.route, binding: binding,
                error: PushError(
                    .invalidArgument,
                    "another installation has the same target; keep the one that was reported last, and retire the other's "
                        + "bindings", operation: .send)))
    }

    /// In the order of the recipients; a list that comes so is not sorted.
    private static func sorted(_ found: [Binding], _ asked: [Asked]) -> [Binding] {
        let ranks = Dictionary(asked.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var ranked: [(rank: Int, binding: Binding)] = []
        ranked.reserveCapacity(found.count)
        var isSorted = true
        for binding in found {
            guard
                let rank = ranks[.user(binding.user)] ?? binding.installation.flatMap({ ranks[.installation($0)] })
            else { continue }
            if let last = ranked.last, last.rank > rank { isSorted = false }
            ranked.append((rank, binding))
        }
        guard !isSorted else { return ranked.map(\.binding) }
        return ranked.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.binding)
    }

    static func unknownRoute(
        _ name: RouteName, _ routes: some Collection<RouteName>, for operation: Feature
    ) -> PushError {
        PushError(
            .misconfigured,
            "the router has no route \(Redaction.quoted(name.rawValue)); " + RouteName.known(routes),
            operation: operation)
    }
}
