import FoundationEssentials
import PushAdapter
import PushClient

/// Makes plans from bindings and finds problems.
///
/// A campaign plans millions of bindings, so they stay in one list, and numbers stand for them.
struct Planner {
    /// A recipient.
    enum Asked: Hashable {
        case user(UserID)
        case installation(InstallationID)

        func isOwner(of binding: Binding) -> Bool {
            switch self {
            case .user(let user): binding.user == user
            case .installation(let installation): binding.installation == installation
            }
        }
    }

    /// A binding that can be used.
    private struct Candidate {
        /// The binding.
        let number: Int
        let route: Int
        /// A keyed hash of route and target, 64 bits.
        let targetHash: Int
        /// The next binding of the same installation.
        var next: Int?
    }

    /// One installation; a binding without one stands alone.
    private struct Group {
        let first: Int
        var last: Int
        /// The hash of the installation, or of the target of one that stands alone.
        let hash: Int
        /// Another group with that hash.
        let nextWithSameHash: Int?
        var isDropped = false
    }

    private let router: PushRouter
    private let clients: [PushClient]
    /// The installations and devices of earlier plans; nil if this is the only plan.
    private var earlier: HashSet64?
    private var bindings = BindingPages()
    private var candidates: [Candidate] = []
    private var groups: [Group] = []
    /// The groups by their hashes.
    private var known: [Int: Int] = [:]
    /// The units by their places.
    private var owners: [Int: Int] = [:]
    private var problems: [RoutePlan.Problem] = []

    /// - Parameter isFirstOfMany: whether later plans follow, which leave out the installations and devices of earlier
    ///   ones.
    init(_ router: PushRouter, isFirstOfMany: Bool = false) {
        self.router = router
        clients = router.ranks.names.compactMap { router.routes[$0] }
        earlier = isFirstOfMany ? HashSet64() : nil
    }

    mutating func add(_ found: [Binding]) { for number in bindings.append(found) { add(number) } }

    /// Adds bindings in the order of the recipients and drops bindings of others. Each recipient must be in `asked`
    /// once.
    /// - Returns: the recipients without a binding.
    mutating func add(_ found: [Binding], of asked: [Asked]) -> [Asked] {
        var isReached = [Bool](repeating: false, count: asked.count)
        // Most stores answer in the order of the request.
        var (cursor, count) = (0, 0)
        for index in found.indices {
            while cursor < asked.count, !asked[cursor].isOwner(of: found[index]) { cursor += 1 }
            guard cursor < asked.count else { break }
            isReached[cursor] = true
            count += 1
        }
        let numbers = bindings.append(found)
        if count == found.count {
            for number in numbers { add(number) }
        } else {
            let ranks = Dictionary(uniqueKeysWithValues: asked.enumerated().map { ($1, $0) })
            var ranked: [(rank: Int, number: Int)] = []
            for (binding, number) in zip(found, numbers) {
                let rank = ranks[.user(binding.user)] ?? binding.installation.flatMap { ranks[.installation($0)] }
                if let rank { ranked.append((rank, number)) }
            }
            isReached = [Bool](repeating: false, count: asked.count)
            for (rank, number) in ranked.sorted(by: <) {
                isReached[rank] = true
                add(number)
            }
        }
        return asked.indices.filter { !isReached[$0] }.map { asked[$0] }
    }

    private mutating func add(_ number: Int) {
        guard let route = router.ranks.number(of: bindings.route(of: number)) else {
            return note(Self.unknownRoute(bindings.route(of: number), router.routes.keys, for: .send), of: number)
        }
        let target = bindings.target(of: number)
        if let error = clients[route].refusal(of: target) { return note(error, of: number) }
        let installation = bindings.installation(of: number)
        if installation != nil, TargetKind(of: target) != .device { return note(Self.sharedTarget, of: number) }
        var hasher = Hasher()
        hasher.combine(route)
        hasher.combine(clients[route].canonical(target))
        let index = candidates.count
        candidates.append(Candidate(number: number, route: route, targetHash: hasher.finalize()))
        // Bindings of one installation mostly come one after the other.
        if let installation, let last = groups.last,
            bindings.installation(of: candidates[last.first].number) == installation
        {
            return join(index, groups.count - 1)
        }
        let hash = installation.map { $0.hashValue } ?? candidates[index].targetHash
        let nextWithSameHash = known.updateValue(groups.count, forKey: hash)
        var group = nextWithSameHash
        while let other = group, !isOneGroup(candidates[groups[other].first], candidates[index]) {
            group = groups[other].nextWithSameHash
        }
        if let group {
            known[hash] = nextWithSameHash
            join(index, group)
        } else {
            groups.append(Group(first: index, last: index, hash: hash, nextWithSameHash: nextWithSameHash))
        }
    }

    private mutating func join(_ index: Int, _ group: Int) {
        candidates[groups[group].last].next = index
        groups[group].last = index
    }

    private func isOneGroup(_ left: Candidate, _ right: Candidate) -> Bool {
        let names = (bindings.installation(of: left.number), bindings.installation(of: right.number))
        return names.0 == nil && names.1 == nil ? isOneDevice(left, right) : names.0 == names.1
    }

    private func isOneDevice(_ left: Candidate, _ right: Candidate) -> Bool {
        guard left.targetHash == right.targetHash, left.route == right.route else { return false }
        let client = clients[left.route]
        return client.canonical(bindings.target(of: left.number)) == client.canonical(bindings.target(of: right.number))
    }

    private mutating func note(_ error: PushError, of number: Int) {
        let binding = bindings[number]
        problems.append(RoutePlan.Problem(route: binding.route, binding: binding, error: error))
    }

    // MARK: Choices

    /// Puts the choices into a plan and forgets the bindings.
    mutating func finish(_ plan: inout RoutePlan) {
        leaveOutShared()
        leaveOutEarlier()
        plan.problems += problems
        plan.choices = RouteChoices(of: bindings, count: groups.count)
        var ways: [RouteRanks.Way] = []
        for group in groups where !group.isDropped {
            ways.removeAll(keepingCapacity: true)
            var next: Int? = group.first
            while let index = next {
                ways.append(RouteRanks.Way(index: candidates[index].number, route: candidates[index].route))
                next = candidates[index].next
            }
            router.ranks.rank(&ways, of: bindings)
            plan.choices.append(ways)
        }
        bindings = BindingPages()
        candidates.removeAll(keepingCapacity: true)
        groups.removeAll(keepingCapacity: true)
        known.removeAll(keepingCapacity: true)
        problems = []
    }

    /// The candidates of a group.
    private func members(of group: Int) -> some Sequence<Candidate> {
        sequence(state: groups[group].first as Int?) { [candidates] next in
            guard let index = next else { return nil as Candidate? }
            next = candidates[index].next
            return candidates[index]
        }
    }

    /// If installations share a device, leaves out all but the one with the newest binding. They are the same phone, so
    /// their other bindings would deliver the message again.
    private mutating func leaveOutShared() {
        var sharing: Set<Int> = []
        for group in groups.indices {
            var next: Int? = groups[group].first
            while let index = next {
                if let owner = owners.updateValue(group, forKey: candidates[index].targetHash), owner != group {
                    sharing.formUnion([owner, group])
                }
                next = candidates[index].next
            }
        }
        owners.removeAll(keepingCapacity: true)
        guard !sharing.isEmpty else { return }
        var kept: [Int: Candidate] = [:]
        for group in sharing.sorted(by: isNewer) {
            let shared = members(of: group).first { candidate in
                kept[candidate.targetHash].map { isOneDevice($0, candidate) } ?? false
            }
            if let shared {
                groups[group].isDropped = true
                noteShared(shared)
            } else {
                for candidate in members(of: group) { kept[candidate.targetHash] = candidate }
            }
        }
    }

    /// Orders by the newest binding, then by the place in the list.
    private func isNewer(_ left: Int, _ right: Int) -> Bool {
        let dates = (newest(of: left), newest(of: right))
        return dates.0 == dates.1 ? left < right : dates.0 > dates.1
    }

    private func newest(of group: Int) -> Date {
        members(of: group).map { bindings.boundAt($0.number) }.max() ?? .distantPast
    }

    /// Leaves out installations of earlier plans, and installations that share a device with one of them.
    private mutating func leaveOutEarlier() {
        guard var known = earlier.take() else { return }
        for number in groups.indices where !groups[number].isDropped {
            let group = groups[number]
            let isNamed = bindings.installation(of: candidates[group.first].number) != nil
            if isNamed, !known.insert(group.hash) {
                groups[number].isDropped = true
                continue
            }
            var next: Int? = group.first
            while let index = next, !known.contains(candidates[index].targetHash) { next = candidates[index].next }
            if let shared = next {
                groups[number].isDropped = true
                if isNamed { noteShared(candidates[shared]) }
                continue
            }
            next = group.first
            while let index = next {
                _ = known.insert(candidates[index].targetHash)
                next = candidates[index].next
            }
        }
        earlier = known
    }

    private mutating func noteShared(_ candidate: Candidate) {
        note(
            PushError(
                .invalidArgument,
                "another installation has the same target; keep the one that was reported last, and retire the other's "
                    + "bindings", operation: .send), of: candidate.number)
    }

    private static let sharedTarget = PushError(
        .invalidArgument,
        "an alias or an account reaches all devices that have it, so it is no way to one installation; bind the device, or "
            + "leave out the installation", operation: .send)

    static func unknownRoute(
        _ name: RouteName, _ routes: some Collection<RouteName>, for operation: Feature
    ) -> PushError {
        PushError(
            .misconfigured,
            "the router has no route \(Redaction.quoted(name.rawValue)); " + RouteName.known(routes),
            operation: operation)
    }
}
