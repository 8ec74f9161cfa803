public import PushAdapter
import PushClient

extension PushRouter {
    /// Chooses a binding for each installation and asks every client whether its vendor would take the message. Costs
    /// no request.
    ///
    /// The plan's `problems` list bindings with an unknown route, targets that the vendor cannot have, installations
    /// with one target, and messages that a vendor refuses. Throws if the store fails. Refuses an empty list with
    /// `invalidArgument`, and a broadcast that could reach a phone twice with `unsupported`. Holds the whole plan in
    /// memory. For more than some ten thousand users, read `plans` page by page.
    public func plan(_ message: Message, to recipients: Recipients) async throws(PushError) -> RoutePlan {
        var plan = RoutePlan(message)
        var planner = Planner(self)
        switch recipients {
        case .broadcast(let audience, let names):
            try addBroadcast(of: audience, at: names, to: &plan)
            return plan
        case .users(let users):
            try Self.checkCount(users.count, "users")
            let users = users.withoutRepetitions
            let found = try await load(users) { try await $0.bindings(of: $1) }
            plan.unreachable.note(planner.add(found, of: users.map(Planner.Asked.user)))
        case .installations(let installations):
            try Self.checkCount(installations.count, "installations")
            let installations = installations.withoutRepetitions
            let found = try await load(installations) { try await $0.bindings(ofInstallations: $1) }
            plan.unreachable.note(planner.add(found, of: installations.map(Planner.Asked.installation)))
        case .bindings(let bindings):
            try Self.checkCount(bindings.count, "bindings")
            planner.add(bindings)
        }
        planner.finish(&plan)
        addShares(to: &plan)
        return plan
    }

    /// Explains the first request to each kind of target at each route.
    func addShares(to plan: inout RoutePlan) {
        var counts = [Int](repeating: 0, count: ranks.names.count)
        var firsts = [[TargetKind: Int]](repeating: [:], count: ranks.names.count)
        for choice in plan.choices.indices {
            let (route, kind) = plan.choices.routeAndKind(of: choice)
            guard let number = ranks.number(of: route) else { continue }
            counts[number] += 1
            if firsts[number][kind] == nil { firsts[number][kind] = choice }
        }
        for (number, route) in ranks.names.enumerated() where counts[number] > 0 {
            let explanations = TargetKind.allCases.compactMap { kind in
                firsts[number][kind].flatMap { explanation(of: plan.message, to: plan.choices.binding($0, 0)) }
            }
            plan.add(RoutePlan.Share(route: route, count: counts[number], explanations: explanations))
        }
    }

    func explanation(of message: Message, to binding: Binding) -> Explanation? {
        Audience([binding.target]).flatMap { routes[binding.route]?.explain(message, to: $0) }
    }

    private static func checkCount(_ count: Int, _ what: String) throws(PushError) {
        guard count > 0 else { throw PushError(.invalidArgument, "the list of \(what) is empty", operation: .send) }
    }

    /// Adds a broadcast to one route, or to routes that share no platform.
    private func addBroadcast(
        of audience: Audience, at names: [RouteName], to plan: inout RoutePlan
    ) throws(PushError) {
        guard audience.targets == nil else {
            throw PushError(
                .invalidArgument, "a list of targets is no broadcast; bind the targets and send to the bindings",
                operation: .send)
        }
        guard !names.isEmpty, Set(names).count == names.count else {
            throw PushError(.invalidArgument, "a broadcast needs routes, each of them once", operation: .send)
        }
        var seen: Set<Platform> = []
        for name in names.sorted() {
            guard let client = routes[name] else { throw Planner.unknownRoute(name, routes.keys, for: .send) }
            var message = plan.message
            if names.count > 1 {
                guard let platforms = policy.platforms[name], !platforms.isEmpty, seen.isDisjoint(with: platforms)
                else {
                    throw PushError(
                        .unsupported,
                        "a broadcast over several routes could reach a phone twice; declare platforms in the policy for each "
                            + "of them, none at two routes (\(Redaction.quoted(name.rawValue)))", operation: .send)
                }
                seen.formUnion(platforms)
                let wanted = message.platforms?.intersection(platforms) ?? platforms
                if wanted.isEmpty { continue }
                if client.capabilities.fields.contains(.platforms) { message.platforms = wanted }
            }
            plan.broadcasts[name] = (message, audience)
            plan.add(RoutePlan.Share(route: name, count: 0, explanations: [client.explain(message, to: audience)]))
        }
        guard !plan.broadcasts.isEmpty else {
            throw PushError(
                .noTarget, "none of the routes has a platform of the message; nothing was sent", operation: .send)
        }
    }
}

/// The kinds of targets. A request has targets of one kind.
enum TargetKind: CaseIterable {
    case device, alias, account

    init(of target: Target) {
        self =
            switch target {
            case .device: .device
            case .alias: .alias
            case .account: .account
            }
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in the order of their first places.
    var withoutRepetitions: Self {
        var seen = Set<Element>(minimumCapacity: count)
        return filter { seen.insert($0).inserted }
    }
}
