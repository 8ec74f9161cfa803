import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// One run of a world with an outbox.
final class OutboxPlay: Sendable {
    private struct State {
        var processes: [Int: SimulatedProcess] = [:]
        /// Ends each machine's worker gracefully, as SIGTERM does.
        var stops: [Int: @Sendable () -> Void] = [:]
        var clocks: [Int: Duration] = [:]
        /// How often each machine has made each call to its store.
        var calls: [Int: [OutboxCall: Int]] = [:]
        /// Machines that are stopped until others have taken over and then written this often.
        var stopped: [Int: (process: SimulatedProcess, isReplaced: Bool, writes: Int)] = [:]
        /// The time until which all machines are off.
        var darkUntil: Duration?
        /// Whether workers are no longer restarted.
        var isOver = false
    }

    let world: OutboxWorld
    let simulation: Simulation
    private let engine: Engine
    let sites: [Site]
    private let network: Network
    /// The requests of each campaign.
    let wire = Locked<[Int: Wire]>([:])
    /// The number of each target's phone, for each campaign; nil for a malformed id.
    let lists: [[Int?]]
    private let state = Locked(State())

    init(_ world: OutboxWorld, _ simulation: Simulation) {
        (self.world, self.simulation) = (world, simulation)
        engine = world.isInFile ? .file(SimulatedFile(simulation)) : .server(SimulatedDatabase(simulation))
        network = Network(simulation, badness: world.badness) {
            [wire, texts = world.sales.indices.map(Self.text)] event in
            for (sale, text) in texts.enumerated() where event.request.contains("\"\(text)\"") {
                wire.withLock { $0[sale, default: Wire()].note(event, at: simulation.clock.elapsed) }
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

    /// With two vendors, the first does not know all phones.
    static func isKnown(_ phone: Int, at route: Int, _ world: OutboxWorld) -> Bool {
        phone < (world.sales.map(\.targets).max() ?? 0) && (world.vendors.count == 1 || route > 0 || phone % 5 != 3)
    }

    func id(_ phone: Int?, at route: Int) -> String {
        phone.map { world.vendors[route].device($0).id } ?? "not an id"
    }

    func target(_ phone: Int?, at route: Int = 0) -> Target { .device(DeviceID(id(phone, at: route))) }

    /// The trip at a machine's next call, if there is one.
    func trip(_ machine: Int, _ call: OutboxCall) -> OutboxWorld.Trip? {
        let (number, awake) = state.withLock { state -> (Int, [SimulatedProcess]) in
            if state.isOver { return (0, []) }
            state.calls[machine, default: [:]][call, default: 0] += 1
            var awake: [SimulatedProcess] = []
            for (other, one) in state.stopped.sorted(by: { $0.key < $1.key })
            where call == .apply && other != machine && one.isReplaced {
                state.stopped[other] = one.writes > 1 ? (one.process, true, one.writes - 1) : nil
                if one.writes == 1 { awake.append(one.process) }
            }
            return (state.calls[machine]?[call] ?? 0, awake)
        }
        for process in awake {
            simulation.tell("--- \(process.name) goes on")
            process.resume()
        }
        return world.trips.first { $0.machine == machine && $0.call == call && $0.number == number }
    }

    /// Notes that a worker has found another worker's orphaned slices.
    func noteOrphans(by machine: Int) {
        state.withLock { state in
            for other in state.stopped.keys where other != machine { state.stopped[other]?.isReplaced = true }
        }
    }

    /// Stops a worker at a call.
    func stop(_ process: SimulatedProcess, on machine: Int, _ stop: OutboxWorld.Trip.Stop) {
        switch stop {
        case .forever: process.kill()
        case .time(let time):
            process.pause()
            process.leave { [simulation] in
                await simulation.sleep(time)
                process.resume()
            }
        case .takeover(let writes):
            process.pause()
            state.withLock { $0.stopped[machine] = (process, false, writes) }
        }
    }

    private static let routes: [RouteName] = ["a", "b"]

    // MARK: Participants

    func outbox(in process: SimulatedProcess, machine: Int) async throws -> PushOutbox {
        var settings = OutboxSettings()
        settings.random = simulation.random
        settings.poll = world.poll
        settings.onEvent = { [simulation] event in simulation.tell("\(process.name): \(event)") }
        var clients: [RouteName: PushClient] = [:]
        for (route, site) in zip(Self.routes, sites) {
            clients[route] = try network.client(
                of: site, in: process,
                restrict: {
                    $0.shortenLists(to: world.targetsPerRequest)
                    $0.concurrency = world.concurrency
                })
        }
        return PushOutbox(
            Tripwires(base: try await engine.store(of: process), machine: machine, process: process, play: self),
            routes: clients, settings: settings, clock: process.clock,
            boot: "machine-\(machine)")
    }

    /// Starts a worker on a machine. Some time after it has ended, starts another one.
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

    func name(_ sale: Int) -> CampaignName { CampaignName("sale-\(sale)") }
    static func text(_ sale: Int) -> String { "Sale \(sale) of this week" }

    /// Enqueues a campaign, and retries until a process has confirmed it.
    private func enqueue(_ number: Int) async {
        let sale = world.sales[number]
        await simulation.sleep(sale.start)
        await done("caller \(number)") { process in
            let outbox = try await self.outbox(in: process, machine: 100 + number)
            if sale.isSubmitted { return try await self.submit(number, process) }
            let part = sale.isRouted ? self.routed(number) : self.list(number)
            try await outbox.enqueue(
                Message(notification: Notification(body: Self.text(number))), to: [part], as: self.name(number),
                options: sale.options)
        }
    }

    private func list(_ sale: Int) -> CampaignPart {
        let ids = lists[sale].map { DeviceID(id($0, at: 0)) }
        return .audience(.devices(ids), at: "a", notBefore: world.sales[sale].notBefore.map(Self.date))
    }

    /// The world's date at a time since the start of the run.
    static func date(_ time: Duration) -> Date { Simulation.start.addingTimeInterval(time / .seconds(1)) }

    private func routed(_ sale: Int) -> CampaignPart {
        let targets = AsyncStream<RoutedTarget> { feed in
            for phone in lists[sale] {
                feed.yield(
                    RoutedTarget(.init(target(phone, at: 0), at: "a"), or: .init(target(phone, at: 1), at: "b")))
            }
            feed.finish()
        }
        return .routed(
            targets, over: ["a", "b"], patience: .seconds(2), notBefore: world.sales[sale].notBefore.map(Self.date))
    }

    /// Stores a campaign as the database function `outbox_enqueue` does.
    private func submit(_ number: Int, _ process: SimulatedProcess) async throws {
        let sale = world.sales[number]
        let ids = lists[number].map { "\"\(id($0, at: 0))\"" }.joined(separator: ",")
        let expiry = sale.options.expiry.map { ", \"expiry\": \($0 / .seconds(1))" } ?? ""
        let date = sale.notBefore.map { ", \"notBefore\": \(Self.date($0).timeIntervalSince1970)" } ?? ""
        let json = """
            {"name": "\(name(number))", "message": {"notification": {"body": "\(Self.text(number))"}},
             "priority": "\(sale.options.priority)", "afterUnknown": "\(sale.options.afterUnknown.rawValue)"\(expiry),
             "to": [{"at": "a", "audience": {"devices": [\(ids)]}\(date)}]}
            """
        var campaign = Campaign(
            name: name(number), digest: "json", message: Array(json.utf8), options: CampaignOptions(),
            seed: simulation.random.hex(bits: 128),
            createdAt: process.clock.date, parts: [])
        campaign.state = .submitted
        _ = try await engine.store(of: process).create(campaign)
    }

    /// Runs a body in a process. Starts more processes until one has completed it.
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
                } catch let error as PushError where error.retry == .never {
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

    // MARK: Incidents

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

    /// After the faults, everything ends within some hours if an operator resumes the campaigns that wait for a person.
    private func finish() async throws {
        let (left, stopped) = state.withLock { state in
            state.isOver = true
            return (Array(state.processes.values), state.stopped.sorted { $0.key < $1.key }.map(\.value.process))
        }
        for process in stopped { process.resume() }
        simulation.tell("--- calm")
        let leads = world.machines.map(\.skew) + world.incidents.compactMap(\.kind.lead)
        let longest = leads.map { max($0, .zero - $0) }.max() ?? .zero
        if longest > .zero {
            // Dates from a clock that was ahead, or work in flight when the clock was set back, may wait this long.
            for process in left { process.kill() }
            await simulation.sleep(longest)
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
        // The workers write down what they still had on its way: a cancelled campaign has ended at once.
        try await network.untilStill()
        await simulation.sleep(.seconds(2))
        for process in left { process.kill() }
    }

    /// The campaign may end meanwhile.
    private static func resume(_ name: CampaignName, _ outbox: PushOutbox) async throws {
        do { try await outbox.resume(name) } catch let error where error.kind == .invalidState {}
    }
}

/// A store whose process stops at certain calls.
private struct Tripwires: ForwardingOutboxStore {
    let base: any OutboxStore
    let machine: Int
    let process: SimulatedProcess
    let play: OutboxPlay

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        guard let trip = play.trip(machine, call) else { return try await body(base) }
        if !trip.isAfter { await stop(trip) }
        let value = try await body(base)
        if trip.isAfter { await stop(trip) }
        return value
    }

    func orphans(of worker: Int64) async throws -> [SliceRow] {
        let found = try await forward(.orphans) { try await $0.orphans(of: worker) }
        if !found.isEmpty { play.noteOrphans(by: machine) }
        return found
    }

    private func stop(_ trip: OutboxWorld.Trip) async {
        play.simulation.tell("--- \(process.name) stops \(trip.isAfter ? "after" : "before") \(trip.call)")
        play.stop(process, on: machine, trip.stop)
        await process.pass()
    }
}

/// The requests of a campaign, as seen by the network.
struct Wire: Sendable {
    /// When the first and the last request left.
    var first: Duration?
    var last = Duration.zero
    /// The number of requests with an unknown outcome.
    var unanswered = 0

    mutating func note(_ event: SimulatedLink.Event, at now: Duration) {
        switch event {
        case .left: (first, last) = (first ?? now, now)
        case .ended(_, .success(let response)): if response.status >= 500 { unanswered += 1 }
        case .ended(_, .failure(let error)): if error.effect != .notApplied { unanswered += 1 }
        }
    }
}

extension SimulatedLink.Event {
    fileprivate var request: TransportRequest {
        switch self {
        case .left(let request), .ended(let request, _): request
        }
    }
}

extension TransportRequest {
    /// Whether the body contains a text.
    func contains(_ text: String) -> Bool {
        guard case .bytes(let bytes, _) = body else { return false }
        return bytes.contains(Array(text.utf8))
    }
}
