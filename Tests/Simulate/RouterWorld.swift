import FoundationEssentials
import PushAdapter
import PushClient
import PushRouter
import PushSimulation
import PushSimulationTesting

/// People whose installations have bindings at two or three vendors, behind one router.
struct RouterWorld: World {
    static let name = "router"

    struct Send: Sendable {
        var start: Duration
        /// The numbers of the people.
        var people: Range<Int>
        var deadline: Duration?
        var cancelledAfter: Duration?
    }

    var vendors: [Vendor]
    /// For each person, the vendors of the bindings, and whether each vendor knows the device.
    var people: [[(vendor: Int, isAlive: Bool)]]
    var sends: [Send]
    var storms: [(start: Duration, length: Duration)]
    /// Phones that get another token, which their app reports. The vendor delivers to the old one too.
    var renewals: [(time: Duration, person: Int, vendor: Int)]
    var removals: [Removal]
    /// Vendors that do not respond for some time.
    var outages: [(vendor: Int, start: Duration, length: Duration)]
    var patience: Duration
    /// A migration and its start.
    var migration: (time: Duration, stage: RouteMigration.Stage)?
    /// Whether the router prunes after each report.
    var prunes: Bool
    var badness: Double

    init(drawnWith random: inout SplitMix) {
        let vendors = Array(Vendor.all.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random)))
        self.vendors = vendors
        people = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            let first = Int.random(in: 0..<vendors.count, using: &random)
            return vendors.indices.filter { $0 == first || random.chance(0.7) }.map { ($0, !random.chance(0.15)) }
        }
        let count = people.count
        // Close together, so that they overlap.
        let pace = [100, 1_000, 5_000].randomElement(using: &random) ?? 100
        sends = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let first = Int.random(in: 0..<count, using: &random)
            var send = Send(
                start: random.duration(0...pace), people: first..<Int.random(in: first + 1...count, using: &random))
            if random.chance(0.25) { send.deadline = random.duration(100...15_000) }
            if random.chance(0.15) { send.cancelledAfter = random.duration(0...2_000) }
            return send
        }
        storms = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (random.duration(0...6_000), random.duration(200...20_000))
        }
        outages = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            (
                Int.random(in: 0..<vendors.count, using: &random), random.duration(0...4_000),
                random.duration(500...40_000)
            )
        }
        renewals = (0..<(random.chance(0.4) ? Int.random(in: 1...4, using: &random) : 0)).map { _ in
            (
                random.duration(0...pace), Int.random(in: 0..<count, using: &random),
                Int.random(in: 0..<vendors.count, using: &random)
            )
        }
        removals = Self.removals(people, at: vendors, within: pace, using: &random)
        patience = random.duration(0...5_000)
        if random.chance(0.4) {
            let stage: RouteMigration.Stage =
                random.chance(0.5)
                ? .percent(Double.random(in: 0...100, using: &random)) : .drain(since: Simulation.start)
            migration = (random.duration(0...pace), stage)
        }
        prunes = random.chance(0.5)
        badness = Double.random(in: 0.05...0.6, using: &random)
    }

    var description: String {
        """
        \(vendors), patience \(patience), migration \(String(describing: migration)), losses \(badness)
        \(people.map { "\($0)" }.joined(separator: "\n"))
        \(sends.map { "\($0)" }.joined(separator: "\n"))
        storms \(storms), outages \(outages), new tokens \(renewals)
        removed apps \(removals)
        """
    }

    var smaller: [RouterWorld] {
        var worlds: [RouterWorld] = []
        func add(_ edit: (inout RouterWorld) -> Void) {
            var world = self
            edit(&world)
            worlds.append(world)
        }
        for fewer in sends.withoutOne { add { $0.sends = fewer } }
        for fewer in storms.withoutOne { add { $0.storms = fewer } }
        for fewer in outages.withoutOne { add { $0.outages = fewer } }
        for fewer in renewals.withoutOne { add { $0.renewals = fewer } }
        for fewer in removals.withoutOne { add { $0.removals = fewer } }
        for index in sends.indices where sends[index].people.count > 1 {
            let people = sends[index].people
            add { $0.sends[index].people = people.dropLast(people.count / 2) }
            add { $0.sends[index].people = people.dropFirst(people.count / 2) }
        }
        if migration != nil { add { $0.migration = nil } }
        return worlds
    }

    /// The numbers of the devices with a person's old token and new token. Each vendor knows both.
    private static func devices(of person: Int) -> [Int] { [person, 50 + person] }

    func binding(_ person: Int, at vendor: Int, isAlive: Bool, _ date: Date) -> Binding {
        binding(person, at: vendor, isAlive ? person : 100 + person, date)
    }

    private func binding(_ person: Int, at vendor: Int, _ number: Int, _ date: Date) -> Binding {
        let device = vendors[vendor].device(number)
        return Binding(
            user: UserID("user-\(person)"), installation: InstallationID("phone-\(person)"),
            route: vendors[vendor].route, target: .device(DeviceID(device.id)),
            platform: device.platform, boundAt: date)
    }

    func play(_ simulation: Simulation) async throws {
        let sites = vendors.map { vendor in
            Site(vendor, devices: people.indices.flatMap(Self.devices).map(vendor.device), simulation)
        }
        let network = Network(simulation, badness: badness)
        let bindings = people.enumerated().flatMap { person, ways in
            ways.map {
                binding(
                    person, at: $0.vendor, isAlive: $0.isAlive, Simulation.start.addingTimeInterval(-86_400))
            }
        }
        let reports = Locked<[Int: [RouterReport]]>([:])
        let store = MemoryBindingStore(bindings)
        let program = simulation.process("program") { process in
            var routes: [RouteName: PushClient] = [:]
            for site in sites {
                routes[site.vendor.route] = try network.client(
                    of: site, in: process, restrict: { $0.shortenLists(to: 4) })
            }
            var policy = RoutingPolicy(order: self.vendors.map(\.route))
            policy.failover = .whenNotApplied(patience: self.patience)
            policy.preflight = .whatCanBeSent
            var routers = [try PushRouter(routes: routes, bindings: store, policy: policy, clock: process.clock)]
            if let migration = self.migration {
                policy.migrations = [
                    RouteMigration(
                        "move", from: self.vendors[0].route, to: self.vendors[1].route,
                        migration.stage)
                ]
                routers.append(try PushRouter(routes: routes, bindings: store, policy: policy, clock: process.clock))
            }
            await withTaskGroup(of: Void.self) { group in
                for one in self.renewals where self.removal(of: one.person, at: one.vendor) == nil {
                    group.addTask {
                        await simulation.sleep(one.time)
                        await store.bind(
                            self.binding(
                                one.person, at: one.vendor, Self.devices(of: one.person)[1], process.clock.date))
                    }
                }
                for (number, send) in self.sends.enumerated() {
                    group.addTask { [routers] in
                        await simulation.sleep(send.start)
                        let hasBegun = self.migration.map { $0.time <= send.start } ?? false
                        let router = hasBegun ? routers[routers.count - 1] : routers[0]
                        await self.carryOut(send, number, router, simulation, reports)
                    }
                }
            }
            for client in routes.values { await client.shutdown() }
        }
        let receipts = ReceiptDesks(sites, store, policy: RoutingPolicy(order: vendors.map(\.route)), network)
        await withTaskGroup(of: Void.self) { group in
            for removal in removals {
                group.addTask { await carryOut(removal, sites[removal.vendor], store, simulation) }
            }
            for storm in storms {
                group.addTask {
                    await simulation.sleep(storm.start)
                    await network.storm(for: storm.length)
                }
            }
            for outage in outages {
                group.addTask {
                    await simulation.sleep(outage.start)
                    simulation.tell("--- \(sites[outage.vendor].vendor) gives no answer")
                    sites[outage.vendor].host.faults.add(.silence, times: .max)
                    await simulation.sleep(outage.length)
                    sites[outage.vendor].host.faults.removeAll()
                }
            }
        }
        await program.untilEnd()
        try await network.untilStill()
        let desks = try await receipts.close()
        try await check(reports.withLock { $0 }, sites)
        // Pruning may remove only bindings that a vendor reported as gone.
        let kept = await store.bindings(of: people.indices.map { UserID("user-\($0)") })
        for desk in desks { try desk.check(kept) }
        for (person, ways) in people.enumerated() {
            for way in ways where way.isAlive || isRenewed(person, at: way.vendor) {
                if let removal = removal(of: person, at: way.vendor), removal.length == nil { continue }
                let device = Self.devices(of: person)[isRenewed(person, at: way.vendor) ? 1 : 0]
                let binding = binding(person, at: way.vendor, device, Simulation.start)
                let isKept = kept.contains { $0.target == binding.target && $0.route == binding.route }
                try require(isKept, "the binding \(binding) of a phone that is there was pruned")
            }
        }
    }

    private func isRenewed(_ person: Int, at vendor: Int) -> Bool {
        removal(of: person, at: vendor) == nil
            && renewals.contains { $0.person == person && $0.vendor == vendor }
    }

    private func carryOut(
        _ send: Send, _ number: Int, _ router: PushRouter, _ simulation: Simulation,
        _ reports: Locked<[Int: [RouterReport]]>
    ) async {
        var users = send.people.map { UserID("user-\($0)") }
        for round in 1...2 where !users.isEmpty {
            let list = users
            let call = Task { () async throws -> RouterReport in
                let message = Message(notification: Notification(body: "Call \(number)"))
                return try await router.send(
                    try await router.plan(message, to: .users(list)), deadline: send.deadline)
            }
            if let time = send.cancelledAfter, round == 1 {
                Task {
                    await simulation.sleep(time)
                    call.cancel()
                }
            }
            guard let report = try? await call.value else { return }
            simulation.tell("call \(number): \(report)")
            reports.withLock { $0[number, default: []].append(report) }
            if prunes { _ = try? await router.prune(report) }
            users = report.retryable().map(\.user)
        }
    }

    private func check(_ reports: [Int: [RouterReport]], _ sites: [Site]) async throws {
        for (number, rounds) in reports.sorted(by: { $0.key < $1.key }) {
            var told: [UserID: [RouterReport.Outcome]] = [:]
            for outcome in rounds.flatMap(\.outcomes) { told[outcome.chosen.user, default: []].append(outcome) }
            for (user, outcomes) in told.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard let person = Int(user.rawValue.dropFirst(5)) else { continue }
                var counts: [Int] = []
                for site in sites {
                    var count = 0
                    for device in Self.devices(of: person).map(site.vendor.device) {
                        count += await site.deliveries(to: device.id, of: "Call \(number)")
                    }
                    counts.append(count)
                }
                let attempts = outcomes.flatMap(\.attempts)
                let what =
                    "call \(number), person \(person) got \(counts): "
                    + attempts.map { "\($0.binding.route.rawValue) \($0.status)" }.joined(separator: ", ")
                try require(counts.reduce(0, +) <= 1, what)
                let isDead = { (way: RouterReport.Attempt) in
                    people[person].contains { $0.vendor == self.number(of: way) && !$0.isAlive }
                }
                for (index, attempt) in attempts.enumerated() {
                    guard let vendor = self.number(of: attempt) else { throw Violation("\(what): an unknown route") }
                    if attempt.status == .accepted {
                        let mayBeNobody =
                            isDead(attempt) && !vendors[vendor].namesUnknownDevices
                            || removal(of: person, at: vendor) != nil
                        try require(counts[vendor] == 1 || mayBeNobody, what)
                    }
                    let mayHaveActed = [.accepted, .unknown].contains(attempt.status)
                    let goesOn =
                        index + 1 < attempts.count && attempts[index + 1].binding.route != attempt.binding.route
                    try require(!(mayHaveActed && goesOn), "\(what): it went on")
                }
                let isNobody = attempts.allSatisfy { ![.accepted, .unknown].contains($0.status) }
                if isNobody { try require(counts.allSatisfy { $0 == 0 }, what) }
            }
        }
    }

    private func number(of way: RouterReport.Attempt) -> Int? {
        vendors.firstIndex { $0.route == way.binding.route }
    }
}
