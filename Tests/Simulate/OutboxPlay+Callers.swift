import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// Workers, and callers with their campaigns.
extension OutboxPlay {
    static let routes: [RouteName] = ["a", "b"]
    /// How long a target waits for its first route.
    static let patience = Duration.seconds(2)

    func outbox(in process: SimulatedProcess, machine: Int) async throws -> PushOutbox {
        var settings = OutboxSettings()
        settings.random = simulation.random
        settings.poll = world.poll
        settings.onEvent = { [simulation] event in simulation.tell("\(process.name): \(event)") }
        return PushOutbox(
            Tripwires(base: try await engine.store(of: process), machine: machine, process: process, play: self),
            routes: try clients(in: process), settings: settings, clock: process.clock,
            boot: "machine-\(machine)")
    }

    func clients(in process: SimulatedProcess) throws -> [RouteName: PushClient] {
        var clients: [RouteName: PushClient] = [:]
        for (route, site) in zip(Self.routes, sites) {
            clients[route] = try network.client(
                of: site, in: process,
                restrict: {
                    $0.shortenLists(to: world.targetsPerRequest)
                    $0.concurrency = world.concurrency
                    guard let quota = world.quota else { return }
                    $0.quotas = $0.quotas.mapValues { _ in quota }
                }, configure: { $0.sharedQuota = world.quota == nil ? nil : SimulatedQuota(bank, process) })
        }
        return clients
    }

    /// Starts a worker on a machine. Some time after it has ended, starts another one.
    func employ(_ machine: Int) {
        Task {
            var number = 0
            while !state.withLock(\.isOver) {
                if let end = state.withLock({ $0.darkUntil }), end > simulation.clock.elapsed {
                    await simulation.sleep(end - simulation.clock.elapsed)
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
    static func message(_ sale: Int) -> Message { Message(notification: Notification(body: text(sale))) }

    /// Enqueues a campaign, and retries until a process has confirmed it.
    func enqueue(_ number: Int) async {
        let sale = world.sales[number]
        await simulation.sleep(sale.start)
        await done("caller \(number)") { process in
            let outbox = try await self.outbox(in: process, machine: 100 + number)
            if sale.isSubmitted { return try await self.submit(number, process) }
            let part =
                if sale.isToUsers {
                    try self.toUsers(number, in: process)
                } else if sale.isRouted { self.routed(number) } else { self.list(number) }
            try await outbox.enqueue(
                Self.message(number), to: [part], as: self.name(number), options: sale.options)
        }
    }

    private func list(_ sale: Int) -> CampaignPart {
        let targets = lists[sale].map { target($0, of: sale) }
        return .audience(Audience(targets) ?? .devices([]), at: "a", notBefore: notBefore(sale))
    }

    func notBefore(_ sale: Int) -> Date? { world.sales[sale].notBefore.map(Self.date) }

    /// The world's date at a time since the start of the run.
    static func date(_ time: Duration) -> Date { Simulation.start.addingTimeInterval(time / .seconds(1)) }

    private func routed(_ sale: Int) -> CampaignPart {
        let targets = AsyncStream<RoutedTarget> { feed in
            for phone in lists[sale] {
                feed.yield(
                    RoutedTarget(
                        .init(target(phone, at: 0, of: sale), at: "a"),
                        or: .init(target(phone, at: 1, of: sale), at: "b")))
            }
            feed.finish()
        }
        return .routed(targets, over: Self.routes, patience: Self.patience, notBefore: notBefore(sale))
    }

    /// Stores a campaign as the database function `outbox_enqueue` does.
    private func submit(_ number: Int, _ process: SimulatedProcess) async throws {
        let sale = world.sales[number]
        // The id of a browser is a JSON text itself.
        let list = JSONValue.array(lists[number].map { .string(id($0, at: 0)) })
        let ids = String(decoding: JSONWriter.bytes(of: list), as: UTF8.self)
        let expiry = sale.options.expiry.map { ", \"expiry\": \($0 / .seconds(1))" } ?? ""
        let date = sale.notBefore.map { ", \"notBefore\": \(Self.date($0).timeIntervalSince1970)" } ?? ""
        let json = """
            {"name": "\(name(number))", "message": {"notification": {"body": "\(Self.text(number))"}},
             "priority": "\(sale.options.priority)", "afterUnknown": "\(sale.options.afterUnknown.rawValue)"\(expiry),
             "to": [{"at": "a", "audience": {"devices": \(ids)}\(date)}]}
            """
        var campaign = Campaign(
            name: name(number), digest: "json", message: Array(json.utf8), options: CampaignOptions(),
            seed: simulation.random.hex(bits: 128),
            createdAt: process.clock.date, parts: [])
        campaign.state = .submitted
        _ = try await engine.store(of: process).create(campaign)
    }

    /// The app gives the phones their aliases before the run.
    func setAliases() async {
        guard world.sales.contains(where: \.isByAlias) else { return }
        await done("app") { process in
            let client = try self.network.client(of: self.sites[0], in: process)
            for phone in 0..<self.phones where Self.isKnown(phone, at: 0, self.world) {
                try await client.setAlias(Self.alias(phone), of: DeviceID(self.id(phone, at: 0)))
            }
        }
    }
}
