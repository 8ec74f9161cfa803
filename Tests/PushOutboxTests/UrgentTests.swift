import FoundationEssentials
import PushAdapter
import PushClient
import PushMemory
import PushOutbox
import PushSimulation
import TestSupport
import Testing

@Suite("Campaigns beside each other, where each target has a request of its own")
struct UrgentTests {
    /// Responds to requests with the usual message one by one, when the test releases them.
    private struct Gate: HTTPTransport {
        let inner: InProcessTransport
        let allowed = Locked(0)
        private let arrived = Locked(0)

        init(_ inner: InProcessTransport) { self.inner = inner }

        var concurrency: Int? { inner.concurrency }
        var waiting: Int { arrived.withLock { $0 } }

        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            if case .bytes(let bytes, _) = request.body, String(decoding: bytes, as: UTF8.self).contains("Hello") {
                let place = arrived.withLock { arrived in
                    arrived += 1
                    return arrived
                }
                await until { !allowed.withLock { $0 < place } }
            }
            return try await inner.send(request)
        }

        func shutdown() async { await inner.shutdown() }
    }

    /// A client with this many concurrent requests.
    private static func client(_ world: OutboxWorld, _ gate: Gate, atOnce: Int) -> PushClient {
        var provider = MemoryProvider(key: Secret("right"), makesKeys: false)
        provider.capabilities.callerKeys = [:]
        provider.capabilities.concurrency = atOnce
        provider.capabilities.quotas = [:]
        provider.capabilities.limits[.devicesPerSend] = Limit(1, .count, .split, source: "test")
        var configuration = ClientConfiguration()
        configuration.clock = world.clock
        configuration.deadline = .seconds(1e6)
        configuration.attemptTimeout = .seconds(1e6)
        return PushClient(provider, transport: gate, configuration: configuration)
    }

    @Test("campaigns of one target fill the window as a long list does")
    func window() async throws {
        let world = OutboxWorld(.noneSingly, devices: 100)
        let gate = Gate(InProcessTransport(world.host))
        let client = Self.client(world, gate, atOnce: 32)
        let outbox = world.outbox(client: client)
        for (number, device) in world.devices.enumerated() {
            try await outbox.enqueue(
                OutboxWorld.message, to: [.audience(.devices([device]), at: "a")], as: CampaignName("order-\(number)"))
        }
        let worker = Task { try await outbox.run() }
        // Until the vendor's first response, only one slice is sent.
        await until { gate.waiting == 1 }
        gate.allowed.withLock { $0 = 1 }
        await until { gate.waiting >= 1 + 32 }
        gate.allowed.withLock { $0 = .max }
        await until { (try? await outbox.backlog().oldest) == .some(nil) }
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
        worker.cancel()
        try await worker.value
        await client.shutdown()
    }

    @Test("an urgent one does not wait for the end of a slice of a bulk one")
    func urgent() async throws {
        let world = OutboxWorld(.noneSingly, devices: 500)
        let gate = Gate(InProcessTransport(world.host))
        let client = Self.client(world, gate, atOnce: 10)
        let outbox = world.outbox(client: client)
        try await world.enqueue(outbox) { $0.priority = .bulk }
        let worker = Task { try await outbox.run() }
        await until { gate.waiting > 0 }
        var options = CampaignOptions()
        options.priority = .urgent
        try await outbox.enqueue(
            Message(notification: Notification(body: "Code")), to: [.audience(.devices([world.devices[499]]), at: "a")],
            as: "code", options: options)
        var rounds = 0
        while await world.deliveries(of: "Code").reduce(0, +) == 0, rounds < 400 {
            rounds += 1
            gate.allowed.withLock { $0 += 1 }
            let before = world.clock.elapsed
            await until { world.clock.elapsed > before + .seconds(1) }
            // The worker may get less of the processor than the clock.
            await until { await world.deliveries.reduce(0, +) >= rounds }
        }
        #expect(rounds < 60, "\(rounds) of 500 requests came first")
        gate.allowed.withLock { $0 = .max }
        await until { (try? await outbox.progress(now: "sale").state) == .finished }
        #expect(await world.deliveries == Array(repeating: 1, count: 500))
        worker.cancel()
        try await worker.value
        await client.shutdown()
    }
}
