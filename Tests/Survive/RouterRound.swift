import FoundationEssentials
import PushAdapter
import PushClient
import PushRouter

/// A few seconds of sends to people whose installations have bindings at several hostile vendors.
final class RouterRound: Sendable {
    private static let callers = _isDebugAssertConfiguration() ? 16 : 32

    /// A vendor as a route.
    private struct Way: Sendable {
        let route: RouteName
        let site: Site
        let client: PushClient
        let claims = Claims()
    }

    private let world: World
    private let ways: [Way]
    private let router: PushRouter
    private let store = MemoryBindingStore()
    private let name: String
    /// The units of each installation, one per vendor.
    private let installations = Locked<[[RouteName: String]]>([])

    init(in world: World) throws {
        self.world = world
        let dice = world.dice
        var ways: [Way] = []
        let (all, first) = (HostileVendor.Kind.allCases, dice.roll(0..<HostileVendor.Kind.allCases.count))
        let kinds = (all[first...] + all[..<first]).filter { _ in dice.happens(60) }
        var chosen = kinds.count > 1 ? kinds : [.fcm, dice.pick([.jpush, .tpns, .apns, .harmony])]
        // A list at a vendor with one target per request fails over more often.
        if !chosen.contains(where: \.hasOneTarget) { chosen.insert(.fcm, at: 0) }
        if dice.happens(70) { chosen = chosen.filter(\.hasOneTarget) + chosen.filter { !$0.hasOneTarget } }
        for kind in chosen.prefix(3) {
            let carrier = kind == .apns ? Carrier.http2 : dice.pick(Carrier.turns)
            let site = try Site(
                HostileVendor(kind, dice, honesty: dice.pick([45, 80])), carrier, certificate: world.certificate)
            let client = try world.clients.client(
                of: kind, at: site.origin, try carrier.transport(trusting: world.caFile), sliceSize: 5,
                Clients.configuration(kind))
            ways.append(Way(route: RouteName(kind.rawValue), site: site, client: client))
        }
        self.ways = ways
        var policy = RoutingPolicy(order: ways.map(\.route))
        policy.failover = .whenNotApplied(patience: .milliseconds(dice.pick([0, 300])))
        policy.preflight = .whatCanBeSent
        policy.circuit.pause = .milliseconds(300)
        router = try PushRouter(
            routes: Dictionary(uniqueKeysWithValues: ways.map { ($0.route, $0.client) }), bindings: store,
            policy: policy)
        name = "a router over " + ways.map { "\($0.route.rawValue) by \($0.site.carrier.text)" }.joined(separator: ", ")
    }

    func run(for time: Duration) async {
        let end = ContinuousClock.now + time
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.callers {
                group.addTask { while ContinuousClock.now < end { await self.call() } }
            }
        }
        for way in ways {
            await way.client.shutdown()
            way.site.stop()
        }
        compare()
    }

    private func call() async {
        let dice = world.dice
        var users: [UserID] = []
        for _ in 0..<dice.roll(1...(dice.happens(10) ? 60 : 6)) {
            let id = Unit.next()
            var units: [RouteName: String] = [:]
            for way in ways where units.isEmpty || dice.happens(80) {
                let unit = Unit.next()
                units[way.route] = unit
                await store.bind(
                    Binding(
                        user: UserID(id), installation: InstallationID(id), route: way.route,
                        target: .device(way.site.vendor.kind.device(unit)), boundAt: Date()))
            }
            users.append(UserID(id))
            installations.withLock { $0.append(units) }
        }
        let message = Message.survive("hello", at: ways.map(\.site.vendor.kind))
        for number in 0..<2 {
            do throws(PushError) {
                let (start, stalls) = (ContinuousClock.now, Stalls.total)
                let report = try await router.send(try await router.plan(message, to: .users(users)))
                // The deadlines of a list, of another list at a second vendor, and of a retry of each after a wait.
                let late = ContinuousClock.now - start - (Stalls.total - stalls) - .seconds(17)
                if late > world.slack { world.findings.violate("\(name): a send ended \(late) after its deadlines") }
                world.findings.inspect("\(report) \(report.errors)", "a report of a router")
                note(report, isLast: number == 1)
                users = report.retryable().map(\.user)
            } catch {
                world.findings.inspect("\(error)", "an error of a router")
                world.findings.violate("\(name): a send failed as a whole: \(error)")
                return
            }
            guard !users.isEmpty else { return }
        }
    }

    private func note(_ report: RouterReport, isLast: Bool) {
        let again = Set(report.retryable().map(\.user))
        for outcome in report.outcomes {
            let user = outcome.chosen.user
            for (number, attempt) in outcome.attempts.enumerated() {
                if number > 0, [.accepted, .unknown].contains(outcome.attempts[number - 1].status) {
                    world.findings.violate("\(name): a second try followed \(outcome.attempts[number - 1].status)")
                }
                guard let way = ways.first(where: { $0.route == attempt.binding.route }) else { continue }
                // The router may try the vendor once more. Then the later status counts.
                let isRepeated = outcome.attempts[(number + 1)...].contains { $0.binding == attempt.binding }
                guard !isRepeated else { continue }
                way.claims.note(
                    attempt.status, attempt.binding.target, "routed send",
                    isLast: isLast || !again.contains(user))
            }
        }
        let failedOver = report.failedOver.count
        world.findings.count("routed send", targets: report.outcomes.count)
        world.findings.state.withLock {
            $0.outcomes["installations that went on at another vendor", default: 0] += failedOver
        }
    }

    private func compare() {
        var acted: [RouteName: [String: Int]] = [:]
        for way in ways {
            _ = way.claims.compare(way.site.vendor, world.findings, name)
            acted[way.route] = way.site.vendor.facts.withLock { $0.acted }
        }
        for units in installations.withLock({ $0 }) {
            let counts = units.map { route, unit in acted[route]?[unit] ?? 0 }
            if counts.reduce(0, +) > 1 {
                world.findings.violate("\(name): the installation \(units.values.map { $0.prefix(16) }) got \(counts)")
            }
        }
    }
}
