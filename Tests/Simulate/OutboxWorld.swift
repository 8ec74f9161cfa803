import FoundationEssentials
import PushClient
import PushCore
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// Workers on several machines that share an outbox, with callers, a vendor and an operator; all of them may fail.
struct OutboxWorld: World {
    static let name = "outbox"

    struct Sale: Sendable {
        var targets: Int
        /// Besides them: phones that no vendor knows, ids of a wrong form, and repeated ones.
        var unknown = 0
        var malformed = 0
        var repeated = 0
        var start: Duration
        var options = CampaignOptions()
        /// Enqueued as JSON, as other programs do.
        var isSubmitted = false
        /// Each phone has a second way, at the other vendor.
        var isRouted = false
    }

    struct Machine: Sendable {
        var skew: Duration
    }

    /// What happens, and when.
    struct Incident: Sendable {
        enum Kind: Sendable {
            case kill(Int)
            case pause(Int, Duration)
            case setClock(Int, Duration)
            case network(Duration)
            case database(Duration)
            case pauseSale(Int)
            case resumeSale(Int)
            case cancelSale(Int)
            case resendSale(Int)
            case stop(Int)
            /// All machines are off for a long time.
            case blackout(Duration)
            /// A vendor gives no answer.
            case silence(Int, Duration)
        }

        var time: Duration
        var kind: Kind
    }

    /// Whether the outbox is in a file, with one worker at a time, or on a server.
    var isInFile = false
    /// One, or two of which the second is another way.
    var vendors: [Vendor]
    var targetsPerRequest: Int
    var poll: Duration
    var sales: [Sale]
    var machines: [Machine]
    var incidents: [Incident]
    /// How bad a bad network is: the probability of each loss.
    var badness: Double

    init(drawnWith random: inout SplitMix) {
        vendors = Array(Vendor.allCases.shuffled(using: &random).prefix(random.chance(0.4) ? 2 : 1))
        targetsPerRequest = Int.random(in: 1...6, using: &random)
        poll = [.milliseconds(250), .seconds(1), .seconds(2)].randomElement(using: &random) ?? .seconds(1)
        machines = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let isSkewed = random.chance(0.4)
            return Machine(skew: isSkewed ? .seconds(Int.random(in: -4000...4000, using: &random)) : .zero)
        }
        sales = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            var sale = Sale(targets: Int.random(in: 1...24, using: &random), start: random.duration(0...20_000))
            if random.chance(0.3) { sale.unknown = Int.random(in: 1...4, using: &random) }
            if random.chance(0.2) { sale.malformed = 1 }
            if random.chance(0.2) { sale.repeated = Int.random(in: 1...3, using: &random) }
            sale.options.priority = CampaignOptions.Priority.allCases.randomElement(using: &random) ?? .normal
            if random.chance(0.25) { sale.options.afterUnknown = .resend }
            if random.chance(0.15) { sale.options.expiry = random.duration(1_000...120_000) }
            if vendors.count > 1 { sale.isRouted = random.chance(0.7) }
            if sale.isRouted {
                (sale.malformed, sale.repeated) = (0, 0)
            } else {
                sale.isSubmitted = random.chance(0.25)
            }
            sales.append(sale)
        }
        badness = Double.random(in: 0.02...0.4, using: &random)
        incidents = []
        for _ in 0..<(random.chance(0.15) ? 0 : Int.random(in: 1...8, using: &random)) {
            let (machine, sale) = (
                Int.random(in: 0..<machines.count, using: &random), Int.random(in: 0..<sales.count, using: &random)
            )
            let kinds: [Incident.Kind] = [
                .kill(machine), .kill(machine), .kill(machine), .stop(machine),
                .pause(machine, random.duration(1_000...90_000)),
                .setClock(machine, .seconds(Int.random(in: -200_000...200_000, using: &random))),
                .network(random.duration(500...30_000)), .network(random.duration(500...30_000)),
                .database(random.duration(500...30_000)),
                .pauseSale(sale), .resumeSale(sale), .cancelSale(sale), .resendSale(sale),
                .silence(Int.random(in: 0..<vendors.count, using: &random), random.duration(500...60_000)),
                .blackout(.seconds(random.chance(0.5) ? Int.random(in: 5...90, using: &random) : 100_000)),
            ]
            guard let kind = kinds.randomElement(using: &random) else { continue }
            // Most happens while something is sent.
            let time = random.duration([0...400, 0...4_000, 0...60_000].randomElement(using: &random) ?? 0...400)
            incidents.append(Incident(time: time + sales[sale].start, kind: kind))
        }
    }

    var description: String {
        let sales = sales.map { sale in
            "\(sale.targets) targets at \(sale.start), \(sale.options.priority)"
                + (sale.unknown > 0 ? ", \(sale.unknown) unknown" : "")
                + (sale.malformed > 0 ? ", one malformed" : "")
                + (sale.repeated > 0 ? ", \(sale.repeated) repeated" : "")
                + (sale.options.afterUnknown == .resend ? ", resends" : "")
                + (sale.options.expiry.map { ", ends after \($0)" } ?? "") + (sale.isSubmitted ? ", JSON" : "")
                + (sale.isRouted ? ", two ways" : "")
        }
        return """
            \(vendors), up to \(targetsPerRequest) targets a request, \(machines.count) machines \(machines.map(\.skew)), \
            losses \(badness)
            \(sales.joined(separator: "\n"))
            \(incidents.map { "\($0.time) \($0.kind)" }.joined(separator: "\n"))
            """
    }

    var smaller: [OutboxWorld] {
        var worlds: [OutboxWorld] = []
        func add(_ edit: (inout OutboxWorld) -> Void) {
            var world = self
            edit(&world)
            worlds.append(world)
        }
        for fewer in incidents.withoutOne { add { $0.incidents = fewer } }
        if sales.count > 1 { add { $0.sales.removeLast() } }
        if vendors.count > 1, !sales.contains(where: \.isRouted) { add { $0.vendors.removeLast() } }
        if machines.count > 1 { add { $0.machines.removeLast() } }
        for index in sales.indices {
            if sales[index].targets > 1 { add { $0.sales[index].targets /= 2 } }
            if sales[index].unknown > 0 { add { $0.sales[index].unknown = 0 } }
            if sales[index].malformed > 0 { add { $0.sales[index].malformed = 0 } }
            if sales[index].repeated > 0 { add { $0.sales[index].repeated = 0 } }
            if sales[index].isRouted { add { $0.sales[index].isRouted = false } }
            if sales[index].isSubmitted { add { $0.sales[index].isSubmitted = false } }
        }
        for index in machines.indices where machines[index].skew != .zero { add { $0.machines[index].skew = .zero } }
        return worlds
    }

    func play(_ simulation: Simulation) async throws {
        let play = OutboxPlay(self, simulation)
        try await play.run()
    }
}

/// One run of a world with an outbox.
private final class OutboxPlay: Sendable {
    private struct State {
        var processes: [Int: SimulatedProcess] = [:]
        /// What lets each machine's worker end by itself, as after SIGTERM.
        var stops: [Int: @Sendable () -> Void] = [:]
        var clocks: [Int: Duration] = [:]
        /// Until when all machines are off.
        var darkUntil: Duration?
        /// Whether no worker is started again.
        var isOver = false
    }

    private let world: OutboxWorld
    private let simulation: Simulation
    private let engine: Engine
    private let sites: [Site]
    private let network: Network
    /// When requests of each campaign left.
    private let departures = Locked<[Int: [Duration]]>([:])
    /// For each campaign, the number of each target's phone; nil for an id of a wrong form.
    private let lists: [[Int?]]
    private let state = Locked(State())

    init(_ world: OutboxWorld, _ simulation: Simulation) {
        (self.world, self.simulation) = (world, simulation)
        engine = world.isInFile ? .file(SimulatedFile(simulation)) : .server(SimulatedDatabase(simulation))
        network = Network(simulation, badness: world.badness) {
            [departures, texts = world.sales.indices.map(Self.text)] request in
            guard case .bytes(let bytes, _) = request.body else { return }
            for (sale, text) in texts.enumerated() where bytes.contains(Array("\"\(text)\"".utf8)) {
                departures.withLock { $0[sale, default: []].append(simulation.clock.elapsed) }
            }
        }
        let phones = world.sales.map(\.targets).max() ?? 0
        sites = world.vendors.enumerated().map { route, vendor in
            let known = (0..<phones).filter { Self.isKnown($0, at: route, world) }
            return Site(vendor, devices: known.map(vendor.device), simulation)
        }
        lists = world.sales.map { sale in
            var numbers = (0..<sale.targets + sale.unknown).map { Int?.some($0 < sale.targets ? $0 : phones + $0) }
            if sale.malformed > 0 { numbers.insert(nil, at: numbers.count / 2) }
            return numbers + numbers.prefix(sale.repeated)
        }
    }

    /// Where there are two vendors, the first one does not know all phones.
    private static func isKnown(_ phone: Int, at route: Int, _ world: OutboxWorld) -> Bool {
        phone < (world.sales.map(\.targets).max() ?? 0) && (world.vendors.count == 1 || route > 0 || phone % 5 != 3)
    }

    private func id(_ phone: Int?, at route: Int) -> String {
        phone.map { world.vendors[route].device($0).id } ?? "not an id"
    }

    private func target(_ phone: Int?, at route: Int = 0) -> Target { .device(DeviceID(id(phone, at: route))) }

    private static let routes: [RouteName] = ["a", "b"]

    // MARK: Who takes part

    private func outbox(in process: SimulatedProcess, machine: Int) async throws -> PushOutbox {
        var settings = OutboxSettings()
        settings.random = simulation.random
        settings.poll = world.poll
        settings.onEvent = { [simulation] event in simulation.tell("\(process.name): \(event)") }
        var clients: [RouteName: PushClient] = [:]
        for (route, site) in zip(Self.routes, sites) {
            clients[route] = try network.client(of: site, in: process, targetsPerRequest: world.targetsPerRequest)
        }
        return PushOutbox(
            try await engine.store(of: process), routes: clients, settings: settings, clock: process.clock,
            boot: "machine-\(machine)")
    }

    /// Starts a worker on a machine, and another one some time after it ended.
    private func employ(_ machine: Int) {
        Task {
            var number = 0
            while !state.withLock(\.isOver) {
                if let end = state.withLock({ $0.darkUntil }) {
                    await simulation.sleep(end - simulation.clock.elapsed)
                    state.withLock { $0.darkUntil = nil }
                    continue
                }
                number += 1
                let skew = state.withLock { $0.clocks[machine] } ?? world.machines[machine].skew
                let process = simulation.process("worker \(machine).\(number)", skew: skew) { process in
                    let outbox = try await self.outbox(in: process, machine: machine)
                    let worker = Task { try await outbox.run() }
                    self.state.withLock { $0.stops[machine] = { worker.cancel() } }
                    try await worker.value
                }
                state.withLock { $0.processes[machine] = process }
                await process.untilEnd()
                simulation.tell("\(process.name) has ended")
                await simulation.sleep(.seconds(simulation.random.fraction() * 5))
            }
        }
    }

    private func name(_ sale: Int) -> CampaignName { CampaignName("sale-\(sale)") }
    private static func text(_ sale: Int) -> String { "Sale \(sale) of this week" }

    /// Enqueues a campaign, and again until somebody says that it is kept.
    private func enqueue(_ number: Int) async {
        let sale = world.sales[number]
        await simulation.sleep(sale.start)
        await done("caller \(number)") { process in
            let outbox = try await self.outbox(in: process, machine: 100 + number)
            if sale.isSubmitted { return try await self.submit(number, process) }
            let leg = sale.isRouted ? self.routed(number) : self.list(number)
            try await outbox.enqueue(
                Message(notification: Notification(body: Self.text(number))), to: [leg], as: self.name(number),
                options: sale.options)
        }
    }

    private func list(_ sale: Int) -> CampaignLeg {
        let ids = lists[sale].map { DeviceID(id($0, at: 0)) }
        return .audience(.devices(ids), at: "a")
    }

    private func routed(_ sale: Int) -> CampaignLeg {
        let targets = AsyncStream<RoutedTarget> { feed in
            for phone in lists[sale] {
                feed.yield(
                    RoutedTarget(.init(target(phone, at: 0), at: "a"), or: .init(target(phone, at: 1), at: "b")))
            }
            feed.finish()
        }
        return .routed(targets, over: ["a", "b"], patience: .seconds(2))
    }

    /// Keeps a campaign as the function `outbox_enqueue` of a database does.
    private func submit(_ number: Int, _ process: SimulatedProcess) async throws {
        let sale = world.sales[number]
        let ids = lists[number].map { "\"\(id($0, at: 0))\"" }.joined(separator: ",")
        let expiry = sale.options.expiry.map { ", \"expiry\": \($0 / .seconds(1))" } ?? ""
        let json = """
            {"name": "\(name(number))", "message": {"notification": {"body": "\(Self.text(number))"}},
             "priority": "\(sale.options.priority)", "afterUnknown": "\(sale.options.afterUnknown.rawValue)"\(expiry),
             "to": [{"at": "a", "audience": {"devices": [\(ids)]}}]}
            """
        var campaign = Campaign(
            name: name(number), digest: "json", message: Array(json.utf8), options: CampaignOptions(),
            seed: simulation.random.hex(bits: 128),
            createdAt: process.clock.date, legs: [])
        campaign.state = .submitted
        _ = try await engine.store(of: process).create(campaign)
    }

    /// Has a process do something, and others until one has done it.
    private func done(
        _ name: String, retries: Bool = true, _ body: @escaping @Sendable (SimulatedProcess) async throws -> Void
    ) async {
        for attempt in 1...100 {
            let isDone = Locked(false)
            let process = simulation.process(attempt == 1 ? name : "\(name), again") { [simulation] process in
                do {
                    try await body(process)
                    simulation.tell("\(name) is done")
                    isDone.withLock { $0 = true }
                } catch let error as PushError where !error.retry.isWorthwhile {
                    simulation.tell("\(name) is refused: \(error)")
                    isDone.withLock { $0 = true }
                }
            }
            await process.untilEnd()
            if isDone.withLock({ $0 }) || !retries { return }
            await simulation.sleep(.seconds(1))
        }
    }

    private func operate(_ what: String, _ body: @escaping @Sendable (PushOutbox) async throws -> Void) async {
        await done("operator: \(what)", retries: false) { process in
            try await body(try await self.outbox(in: process, machine: 200))
        }
    }

    // MARK: What happens

    private func happen(_ incident: OutboxWorld.Incident) async {
        await simulation.sleep(incident.time)
        guard !state.withLock(\.isOver) else { return }
        simulation.tell("--- \(incident.kind)")
        let process = { [state] (machine: Int) in state.withLock { $0.processes[machine] } }
        switch incident.kind {
        case .kill(let machine): process(machine)?.kill()
        case .pause(let machine, let time):
            let stopped = process(machine)
            stopped?.pause()
            await simulation.sleep(time)
            stopped?.resume()
        case .setClock(let machine, let lead):
            state.withLock { $0.clocks[machine] = lead }
            process(machine)?.clock.set(ahead: lead)
        case .network(let time): await network.storm(for: time)
        case .database(let time):
            var weather = SimulatedDatabase.Weather()
            (weather.lostStatements, weather.lostAnswers, weather.delays) = (
                world.badness / 2, world.badness / 2, world.badness / 4
            )
            engine.setWeather(weather)
            await simulation.sleep(time)
            engine.setWeather(SimulatedDatabase.Weather())
        case .pauseSale(let sale): await operate("pause \(sale)") { try await $0.pause(self.name(sale)) }
        case .resumeSale(let sale): await operate("resume \(sale)") { try await $0.resume(self.name(sale)) }
        case .cancelSale(let sale): await operate("cancel \(sale)") { try await $0.cancel(self.name(sale)) }
        case .resendSale(let sale):
            await operate("resend \(sale)") { try await $0.resendUnknown(self.name(sale)) }
        case .silence(let route, let time):
            sites[route].host.faults.add(.silence, times: .max)
            await simulation.sleep(time)
            sites[route].host.faults.removeAll()
        case .blackout(let time):
            state.withLock { $0.darkUntil = simulation.clock.elapsed + time }
            for machine in world.machines.indices { process(machine)?.kill() }
        case .stop(let machine): state.withLock { $0.stops[machine] }?()
        }
    }

    // MARK: The run

    func run() async throws {
        for machine in world.machines.indices { employ(machine) }
        await withTaskGroup(of: Void.self) { group in
            for sale in world.sales.indices { group.addTask { await self.enqueue(sale) } }
            for incident in world.incidents { group.addTask { await self.happen(incident) } }
        }
        try await finish()
        try await check()
        engine.remove()
    }

    /// After the faults, everything ends within some hours, if somebody resumes what waits for a person.
    private func finish() async throws {
        let left = state.withLock { state in
            state.isOver = true
            return Array(state.processes.values)
        }
        simulation.tell("--- calm")
        let ahead = left.map(\.clock.ahead).max() ?? .zero
        if world.isInFile, ahead > .zero {
            // Waits that were written by a clock that was ahead last until then.
            for process in left { process.kill() }
            await simulation.sleep(ahead)
        }
        for process in left { process.clock.set(ahead: .zero) }
        let last = simulation.process("operator") { process in
            let outbox = try await self.outbox(in: process, machine: 300)
            let worker = Task { try await outbox.run() }
            for round in 0..<400 {
                var isEnded = true
                for campaign in try await outbox.campaigns() where !campaign.state.isEnded {
                    isEnded = false
                    if campaign.state != .submitted { try await Self.resume(campaign.name, outbox) }
                }
                if isEnded { break }
                try await process.clock.sleep(for: round < 20 ? .seconds(3) : .seconds(60))
            }
            worker.cancel()
            try await worker.value
        }
        await last.untilEnd()
        for process in left { process.kill() }
        try await network.untilStill()
    }

    /// It may end meanwhile.
    private static func resume(_ name: CampaignName, _ outbox: PushOutbox) async throws {
        do { try await outbox.resume(name) } catch let error where error.kind == .invalidState {}
    }

    // MARK: What must hold

    private func check() async throws {
        let result = Locked<Result<Void, any Error>>(.success(()))
        let auditor = simulation.process("auditor") { process in
            do {
                let outbox = try await self.outbox(in: process, machine: 400)
                for sale in self.world.sales.indices { try await self.check(sale, outbox) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        await auditor.untilEnd()
        try result.withLock { $0 }.get()
    }

    private func check(_ number: Int, _ outbox: PushOutbox) async throws {
        let (sale, targets) = (world.sales[number], lists[number])
        let report = try await outbox.report(of: name(number))
        let progress = report.progress
        try require(progress.state.isEnded, "sale \(number) does not end: \(progress)")
        if progress.state == .refused { throw Violation("sale \(number) is refused: \(report.campaign.reason ?? "")") }
        try require(
            progress.total == targets.count || progress.state == .cancelled && progress.total == 0,
            "sale \(number) has \(progress.total) of \(targets.count) targets: \(progress)")
        var statuses = [TargetStatus?](repeating: progress.total == 0 ? .notAttempted : nil, count: targets.count)
        for try await exception in report.exceptions {
            let position = exception.position
            let isMeant = sites.indices.contains { target(targets[position], at: $0) == exception.target }
            try require(isMeant, "sale \(number) names another target")
            if exception.wentOnAt == nil { statuses[position] = exception.status }
        }
        var (seen, twice): (Set<Int?>, Int) = ([], 0)
        for (position, phone) in targets.enumerated() {
            var counts: [Int] = []
            for (route, site) in sites.enumerated() {
                counts.append(await site.deliveries(to: id(phone, at: route), of: Self.text(number)))
            }
            let (status, count) = (statuses[position], counts.reduce(0, +))
            let who = "sale \(number), target \(position) (\(String(describing: status))) got \(counts)"
            guard seen.insert(phone).inserted else {
                if case .duplicate? = status { continue }
                try require(status == .notAttempted && progress.total == 0, "\(who), and is a duplicate")
                continue
            }
            twice += max(0, count - 1)
            switch status {
            case nil: try require(count >= 1 || mayBeNobody(phone, sale), who)
            case .unknown: break
            case .invalid, .malformed, .suspect, .rejected, .notAttempted: try require(count == 0, who)
            case .duplicate: throw Violation("\(who), and is the first of its kind")
            default: throw Violation("\(who): what is that?")
            }
        }
        try checkDepartures(number, report.campaign)
        try require(twice <= progress.resent, "sale \(number): \(twice) more than once, \(progress.resent) resent")
        let mayResend =
            sale.options.afterUnknown == .resend || world.incidents.contains { $0.kind.isResend(of: number) }
        try require(progress.resent == 0 || mayResend, "sale \(number): \(progress.resent) resent without being asked")
        guard world.incidents.isEmpty, progress.state == .finished else { return }
        // Nothing happened, so everybody knows everything.
        for (phone, status) in zip(targets, statuses) {
            try require(status != .unknown, "sale \(number): \(phone ?? -1) is unknown, and nothing happened")
            guard let phone, phone < sale.targets, Self.isKnown(phone, at: sale.isRouted ? 1 : 0, world) else {
                continue
            }
            if case .duplicate? = status { continue }
            // What only does not fit stays where it is.
            if status == .suspect, !Self.isKnown(phone, at: 0, world) { continue }
            try require(status == nil, "sale \(number): \(phone) is \(status ?? .accepted), and nothing happened")
        }
    }

    /// Nothing leaves once the campaign is cancelled or its time is up, but for what was noted before.
    private func checkDepartures(_ number: Int, _ campaign: Campaign) throws {
        let hasOddClock = world.machines.contains { $0.skew != .zero } || world.incidents.contains { $0.kind.setsClock }
        let end: Date? =
            switch campaign.state {
            case .cancelled: campaign.endedAt
            case .expired: campaign.expiresAt
            default: nil
            }
        guard let end, !world.isInFile || !hasOddClock else { return }
        // A mark counts for 20 seconds; where nobody is held up, a request leaves at once. Dates are shifted by whole seconds.
        let patience: Double = world.incidents.contains(where: { $0.kind.holdsUp }) ? 21 : 2
        let last = departures.withLock { $0[number]?.max() }.map { SimulatedClock.date(at: $0) } ?? .distantPast
        try require(
            last.timeIntervalSince(end) <= patience,
            "sale \(number) is \(campaign.state) at \(end), and a request of it left at \(last)")
    }

    /// Whether a vendor accepts a message to a phone that it does not know.
    private func mayBeNobody(_ phone: Int?, _ sale: OutboxWorld.Sale) -> Bool {
        guard let phone else { return false }
        return world.vendors.indices.contains { route in
            !Self.isKnown(phone, at: route, world) && !world.vendors[route].namesUnknownDevices
        }
    }
}

extension OutboxWorld.Incident.Kind {
    fileprivate var setsClock: Bool { if case .setClock = self { true } else { false } }
    fileprivate var holdsUp: Bool {
        switch self {
        case .pause, .database: true
        default: false
        }
    }
    fileprivate func isResend(of sale: Int) -> Bool { if case .resendSale(sale) = self { true } else { false } }
}

extension PushError.Retry {
    /// Whether the same call may succeed later.
    fileprivate var isWorthwhile: Bool { self != .never }
}
