import FoundationEssentials
import PushAdapter
import PushClient
import PushRouter
import PushSimulation
import PushSimulationTesting
import PushWebhooks

/// Apps that are removed, and the receipts that say so. The vendor accepts messages to their devices all the same.
extension RouterWorld {
    struct Removal: Sendable {
        var start: Duration
        var person: Int
        var vendor: Int
        /// After this time, the app is back, with the same id, and reports it; nil if it stays away.
        var length: Duration?
    }

    /// One removal for each of some people. Their phones get no new token.
    static func removals(
        _ people: [[(vendor: Int, isAlive: Bool)]], at vendors: [Vendor], within pace: Int,
        using random: inout SplitMix
    ) -> [Removal] {
        people.enumerated().compactMap { person, ways in
            let way = ways.first { $0.isAlive && vendors[$0.vendor].hasReceipts }
            guard let way, random.chance(0.4) else { return nil }
            let length = random.chance(0.5) ? random.duration(0...20_000) : nil
            return Removal(
                start: random.duration(0...pace), person: person, vendor: way.vendor, length: length)
        }
    }

    func removal(of person: Int, at vendor: Int) -> Removal? {
        removals.first { $0.person == person && $0.vendor == vendor }
    }

    /// Removes an app, and puts it back.
    func carryOut(
        _ removal: Removal, _ site: Site, _ store: MemoryBindingStore, _ simulation: Simulation
    ) async {
        guard let vendor = site.simulator as? any ReceiptSimulator else { return }
        let device = site.vendor.device(removal.person).id
        await simulation.sleep(removal.start)
        simulation.tell("--- person \(removal.person) removes the app of \(site.vendor)")
        await vendor.setGone(true, device, at: simulation.clock.date)
        guard let length = removal.length else { return }
        await simulation.sleep(length)
        simulation.tell("--- person \(removal.person) has the app of \(site.vendor) again")
        await vendor.setGone(false, device, at: simulation.clock.date)
        await store.bind(binding(removal.person, at: removal.vendor, isAlive: true, simulation.clock.date))
    }
}

/// The process of a backend that takes receipts, beside the one that sends. They share the bindings.
final class ReceiptDesks: Sendable {
    private struct State {
        var isOpen = true
        var desks: [ReceiptDesk] = []
        var failure: (any Error)?
    }

    private let state = Locked(State())
    private let process: SimulatedProcess

    init(_ sites: [Site], _ store: MemoryBindingStore, policy: RoutingPolicy, _ network: Network) {
        process = network.simulation.process("webhooks") { [state] process in
            do {
                var routes: [RouteName: PushClient] = [:]
                for site in sites { routes[site.vendor.route] = try network.client(of: site, in: process) }
                let router = try PushRouter(routes: routes, bindings: store, policy: policy, clock: process.clock)
                let desks = try sites.compactMap { try ReceiptDesk($0, router, network) }
                state.withLock { $0.desks = desks }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for desk in desks { group.addTask { try await desk.serve { state.withLock(\.isOpen) } } }
                    try await group.waitForAll()
                }
                for client in routes.values { await client.shutdown() }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    /// Ends the process. Throws if a receipt was not taken as it should be.
    func close() async throws -> [ReceiptDesk] {
        state.withLock { $0.isOpen = false }
        await process.untilEnd()
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return state.withLock { $0.desks }
    }
}

/// Where a vendor's receipts arrive. Some of them are late, come twice, or are lost.
struct ReceiptDesk: Sendable {
    let site: Site
    let vendor: any ReceiptSimulator
    let receiver: any WebhookReceiver
    let router: PushRouter
    let network: Network
    /// The devices that receipts called dead, with the date, where the router was not halted.
    private let dead = Locked<[(device: DeviceID, since: Date)]>([])

    /// Nil for a vendor without such receipts.
    init?(_ site: Site, _ router: PushRouter, _ network: Network) throws {
        guard let vendor = site.simulator as? any ReceiptSimulator, let receiver = try site.vendor.makeReceiver()
        else { return nil }
        (self.site, self.vendor, self.receiver, self.router) = (site, vendor, receiver, router)
        self.network = network
    }

    private var simulation: Simulation { network.simulation }

    /// Takes receipts until the world ends.
    func serve(while isOpen: @Sendable () -> Bool) async throws {
        while isOpen() {
            await simulation.sleep(.seconds(0.1 + simulation.random.fraction() * 2))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for callback in await vendor.takeCallbacks(.max, at: simulation.clock.date) {
                    group.addTask { try await bring(callback) }
                }
                try await group.waitForAll()
            }
        }
    }

    private func bring(_ callback: OutgoingCallback) async throws {
        let call = WebhookCall(headers: callback.headers, body: callback.body)
        for _ in 0..<(happens(0.2) ? 2 : 1) {
            if happens(0.5) { await simulation.sleep(.seconds(simulation.random.fraction() * 30)) }
            let answer = happens(network.badness / 3) ? nil : SimulatedResponse(status: try await receive(call))
            await vendor.noteAnswer(answer, to: callback, at: simulation.clock.date)
        }
    }

    private func receive(_ call: WebhookCall) async throws -> Int {
        let now = simulation.clock.date
        let events: [WebhookEvent]
        do { events = try await receiver.receive(call, at: now).events } catch {
            try require(error == .replayed, "\(site.vendor)'s receipt is refused: \(error.message)")
            return error.status
        }
        let report = try await router.prune(events, of: site.vendor.route, receivedAt: now)
        simulation.tell("receipts of \(site.vendor): \(events.map { "\($0)" }), pruned \(report)")
        guard report.halted.isEmpty else { return 200 }
        for event in events {
            guard case .dead(let since) = event.verdict, let device = event.device else { continue }
            let date = since ?? event.date ?? now
            dead.withLock { $0.append((device, date)) }
        }
        return 200
    }

    private func happens(_ probability: Double) -> Bool { simulation.random.fraction() < probability }

    /// Whoever a receipt called dead has no binding from before its date.
    func check(_ bindings: [Binding]) throws {
        for (device, since) in dead.withLock({ $0 }) {
            let left = bindings.first {
                $0.route == site.vendor.route && $0.target == .device(device) && $0.boundAt <= since
            }
            try require(left == nil, "a receipt called the device of \(String(describing: left)) dead at \(since)")
        }
    }
}
