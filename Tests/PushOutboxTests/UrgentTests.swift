import FoundationEssentials
import PushClient
import PushCore
import PushOutbox
import PushSimulation
import TestSupport
import Testing

@Suite("An urgent message behind a bulk campaign")
struct UrgentTests {
    /// Answers requests of the bulk campaign one by one, as they are let go on.
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
                while allowed.withLock({ $0 < place }) { await Task.yield() }
            }
            return try await inner.send(request)
        }

        func shutdown() async { await inner.shutdown() }
    }

    @Test("it does not wait for the end of a slice, where each target has a request of its own")
    func urgent() async throws {
        let world = OutboxWorld(.noneSingly, devices: 500)
        let gate = Gate(InProcessTransport(world.host))
        var provider = MemoryProvider(key: Secret("right"), makesKeys: false)
        provider.capabilities.callerKeys = [:]
        provider.capabilities.concurrency = 10
        provider.capabilities.quotas = [:]
        provider.capabilities.limits[.devicesPerSend] = Limit(1, .count, .split, source: "test")
        var configuration = ClientConfiguration()
        configuration.clock = world.clock
        configuration.deadline = .seconds(1e6)
        configuration.attemptTimeout = .seconds(1e6)
        let client = PushClient(provider, transport: gate, configuration: configuration)
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
