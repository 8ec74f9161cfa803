import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushRouter
import PushSimulation
import PushSimulationTesting

/// One run of a world with an outbox.
final class OutboxPlay: Sendable {
    struct State {
        var processes: [Int: SimulatedProcess] = [:]
        /// Ends each machine's worker gracefully, as SIGTERM does.
        var stops: [Int: @Sendable () -> Void] = [:]
        var clocks: [Int: Duration] = [:]
        /// How often each machine has made each step, and under nil how often all of them have.
        var steps: [Int?: [OutboxWorld.Trip.Step: Int]] = [:]
        /// Machines that are stopped until others have taken over and then written this often.
        var stopped: [Int: (process: SimulatedProcess, isReplaced: Bool, writes: Int)] = [:]
        /// The time until which all machines are off.
        var darkUntil: Duration?
        /// Whether workers are no longer restarted.
        var isOver = false
    }

    let world: OutboxWorld
    let simulation: Simulation
    let engine: Engine
    let sites: [Site]
    let network: Network
    /// The requests of each campaign.
    let wire = Locked<[Int: Wire]>([:])
    let phones: Int
    let departures = Departures()
    let bank = SimulatedQuota.Bank()
    /// The number of each target's phone, for each campaign; nil for a malformed id.
    let lists: [[Int?]]
    /// The bindings of the users, which the programs share.
    let bindings = MemoryBindingStore()
    let state = Locked(State())

    init(_ world: OutboxWorld, _ simulation: Simulation) {
        (self.world, self.simulation) = (world, simulation)
        engine = world.isInFile ? .file(SimulatedFile(simulation)) : .server(SimulatedDatabase(simulation))
        network = Network(simulation, badness: world.badness) {
            [wire, departures, vendors = world.vendors, texts = world.sales.indices.map(Self.text)] event in
            let said = Vendor.text(of: event.request, at: vendors)
            if said.contains("Sale ") { departures.note(event, at: simulation.clock.elapsed) }
            for (sale, text) in texts.enumerated() where said.contains(text) {
                wire.withLock { $0[sale, default: Wire()].note(event, at: simulation.clock.elapsed) }
            }
        }
        let phones = world.sales.map(\.targets).max() ?? 0
        self.phones = phones
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

    func target(_ phone: Int?, at route: Int = 0, of sale: Int) -> Target {
        if world.sales[sale].isByAlias, let phone { return .alias(Self.alias(phone)) }
        return .device(DeviceID(id(phone, at: route)))
    }

    static func alias(_ phone: Int) -> Alias { Alias("customer_\(phone)") }

    // MARK: The run

    func run() async throws {
        await setAliases()
        await bind()
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
        if state.withLock({ !$0.stopped.isEmpty }) {
            // Others take over from stopped workers, and send again after a minute.
            await simulation.sleep(.seconds(150))
            let stopped = state.withLock { state in
                defer { state.stopped = [:] }
                return state.stopped.sorted { $0.key < $1.key }.map(\.value.process)
            }
            for process in stopped { process.resume() }
            await simulation.sleep(.seconds(5))
        }
        // The machines work again for a while, perhaps with wrong clocks.
        if let end = state.withLock(\.darkUntil), end > simulation.clock.elapsed {
            await simulation.sleep(end - simulation.clock.elapsed + .seconds(60))
        }
        let left = state.withLock { state in
            state.isOver = true
            return Array(state.processes.values)
        }
        simulation.tell("--- calm")
        let leads = [.zero] + world.machines.map(\.skew) + world.settings
        let longest = (leads.max() ?? .zero) - (leads.min() ?? .zero)
        if longest > .zero {
            // Dates from a clock that was ahead, or work in flight when the clock was set back, may wait this long: as
            // long as the widest setting, from one lead to another.
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
