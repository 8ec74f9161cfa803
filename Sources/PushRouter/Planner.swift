import FoundationEssentials
import PushClient
import PushCore

/// Makes the choices of plans from bindings, and finds what is wrong with them.
///
/// A campaign plans millions, so the bindings stay in one list, and numbers stand for them.
struct Planner {
    /// What the recipients are a list of.
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
    private struct Entry {
        let route: Int
        /// What its route and its target have as a keyed hash of 64 bits.
        let place: Int
        /// The next binding of the same installation.
        var next: Int?
    }

    /// One installation; a binding without one stands alone.
    private struct Unit {
        let first: Int
        var last: Int
        var isDropped = false
    }

    private let router: PushRouter
    private let clients: [PushClient]
    /// The installations and devices of earlier plans of one send; nil if this is the only plan.
    private var earlier: KnownHashes?
    private var bindings: [Binding] = []
    private var entries: [Entry] = []
    private var units: [Unit] = []
    private var numbers: [InstallationID: Int] = [:]
    private var alone: [Int: [Int]] = [:]
    private var problems: [RoutePlan.Problem] = []

    /// - Parameter isFirstOfMany: what one plan has, later ones leave out.
    init(_ router: PushRouter, isFirstOfMany: Bool = false) {
        self.router = router
        clients = router.ranks.names.compactMap { router.routes[$0] }
        earlier = isFirstOfMany ? KnownHashes() : nil
    }

    /// Adds bindings.
    mutating func add(_ found: [Binding]) {
        for binding in found { add(binding) }
    }

    /// Adds bindings in the order of the recipients, without those that nobody asked for; each recipient is asked for once.
    /// - Returns: the recipients without a binding.
    mutating func add(_ found: [Binding], of asked: [Asked]) -> [Asked] {
        var isReached = [Bool](repeating: false, count: asked.count)
        // Most stores answer in the order of the question.
        var (cursor, count) = (0, 0)
        for binding in found {
            while cursor < asked.count, !asked[cursor].isOwner(of: binding) { cursor += 1 }
            guard cursor < asked.count else { break }
            isReached[cursor] = true
            count += 1
        }
        if count == found.count {
            add(found)
        } else {
            let ranks = Dictionary(uniqueKeysWithValues: asked.enumerated().map { ($1, $0) })
            var ranked: [(rank: Int, index: Int)] = []
            for (index, binding) in found.enumerated() {
                let rank = ranks[.user(binding.user)] ?? binding.installation.flatMap { ranks[.installation($0)] }
                if let rank { ranked.append((rank, index)) }
            }
            isReached = [Bool](repeating: false, count: asked.count)
            for (rank, index) in ranked.sorted(by: <) {
                isReached[rank] = true
                add(found[index])
            }
        }
        return asked.indices.filter { !isReached[$0] }.map { asked[$0] }
    }

    private mutating func add(_ binding: Binding) {
        guard let route = router.ranks.number(of: binding.route) else {
            return note(Self.unknownRoute(binding.route, router.routes.keys, for: .send), of: binding)
        }
        if let error = clients[route].refusal(of: binding.target) { return note(error, of: binding) }
        if binding.installation != nil, TargetKind(of: binding.target) != .device {
            return note(Self.sharedTarget, of: binding)
        }
        var hasher = Hasher()
        hasher.combine(route)
        hasher.combine(clients[route].canonical(binding.target))
        let index = bindings.count
        bindings.append(binding)
        entries.append(Entry(route: route, place: hasher.finalize()))
        guard let unit = unit(of: index) else {
            units.append(Unit(first: index, last: index))
            return
        }
        entries[units[unit].last].next = index
        units[unit].last = index
    }

    /// The unit that a new binding belongs to; nil for one of its own, which is noted.
    private mutating func unit(of index: Int) -> Int? {
        guard let installation = bindings[index].installation else {
            // The same binding again is no second unit.
            let place = entries[index].place
            let known = alone[place]?.first { isOneDevice(units[$0].first, index) }
            if known == nil { alone[place, default: []].append(units.count) }
            return known
        }
        if let last = units.indices.last, bindings[units[last].first].installation == installation { return last }
        if let known = numbers[installation] { return known }
        numbers[installation] = units.count
        return nil
    }

    private func isOneDevice(_ left: Int, _ right: Int) -> Bool {
        guard entries[left].route == entries[right].route else { return false }
        let client = clients[entries[left].route]
        return client.canonical(bindings[left].target) == client.canonical(bindings[right].target)
    }

    private mutating func note(_ error: PushError, of binding: Binding) {
        problems.append(RoutePlan.Problem(route: binding.route, binding: binding, error: error))
    }

    // MARK: Choices

    /// Puts the choices into a plan, and forgets the bindings.
    mutating func finish(_ plan: inout RoutePlan) {
        leaveOutShared()
        leaveOutEarlier()
        plan.problems += problems
        // The plan takes them over.
        let bindings = bindings
        self.bindings = []
        plan.choices = RouteChoices(of: bindings, count: units.count)
        var ways: [RouteRanks.Way] = []
        for unit in units where !unit.isDropped {
            ways.removeAll(keepingCapacity: true)
            for index in members(of: unit) { ways.append(RouteRanks.Way(index: index, route: entries[index].route)) }
            router.ranks.rank(&ways, of: bindings)
            plan.choices.append(ways)
        }
        entries.removeAll(keepingCapacity: true)
        units.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        (alone, problems) = ([:], [])
    }

    private func members(of unit: Unit) -> some Sequence<Int> {
        sequence(first: unit.first) { entries[$0].next }
    }

    /// Of installations with one device, all but the one with the newest binding are left out as a whole: it is the same
    /// phone, and their other bindings would bring it the message again.
    private mutating func leaveOutShared() {
        var owners: [Int: Int] = Dictionary(minimumCapacity: entries.count)
        var sharing: Set<Int> = []
        for unit in units.indices {
            for index in members(of: units[unit]) {
                guard let owner = owners.updateValue(unit, forKey: entries[index].place), owner != unit else {
                    continue
                }
                sharing.formUnion([owner, unit])
            }
        }
        guard !sharing.isEmpty else { return }
        var kept: [Int: Int] = [:]
        for unit in sharing.sorted(by: isNewer) {
            let shared = members(of: units[unit]).first { index in
                kept[entries[index].place].map { isOneDevice($0, index) } ?? false
            }
            if let shared {
                units[unit].isDropped = true
                noteShared(bindings[shared])
            } else {
                for index in members(of: units[unit]) { kept[entries[index].place] = index }
            }
        }
    }

    /// By the newest binding, then by the place in the list.
    private func isNewer(_ left: Int, _ right: Int) -> Bool {
        let dates = (newest(of: units[left]), newest(of: units[right]))
        return dates.0 == dates.1 ? left < right : dates.0 > dates.1
    }

    private func newest(of unit: Unit) -> Date { members(of: unit).map { bindings[$0].boundAt }.max() ?? .distantPast }

    /// Leaves out installations that an earlier plan has, and those with a device that one has.
    private mutating func leaveOutEarlier() {
        guard var known = earlier.take() else { return }
        for number in units.indices where !units[number].isDropped {
            let unit = units[number]
            let name = bindings[unit.first].installation.map(\.hashValue)
            if let name, !known.insert(name) {
                units[number].isDropped = true
            } else if let shared = members(of: unit).first(where: { known.contains(entries[$0].place) }) {
                units[number].isDropped = true
                if name != nil { noteShared(bindings[shared]) }
            } else {
                for index in members(of: unit) { _ = known.insert(entries[index].place) }
            }
        }
        earlier = known
    }

    private mutating func noteShared(_ binding: Binding) {
        note(
            PushError(
                .invalidArgument,
                "another installation has the same target; keep the one that was reported last, and retire the other's "
                    + "bindings", operation: .send), of: binding)
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

/// Hashes of 64 bits, in parts, so that of the memory of millions a small part is copied at a time as they grow.
private struct KnownHashes {
    private static let count = 64

    private var parts = [Set<Int>](repeating: [], count: count)

    func contains(_ hash: Int) -> Bool { parts[Self.part(of: hash)].contains(hash) }

    /// - Returns: whether it is new.
    mutating func insert(_ hash: Int) -> Bool { parts[Self.part(of: hash)].insert(hash).inserted }

    private static func part(of hash: Int) -> Int { hash & (count - 1) }
}
