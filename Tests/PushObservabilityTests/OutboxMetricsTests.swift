import FoundationEssentials
import InMemoryTracing
import JPushSimulator
import MetricsTestKit
import PushAdapter
import PushClient
import PushJPush
import PushObservability
import PushOutbox
import PushOutboxObservability
import PushSimulation
import Testing
import Tracing

@Suite("Metrics and spans of an outbox")
struct OutboxMetricsTests {
    private static let key = "0123456789abcdef01234567"
    private static let right = "simulator0simulator0only"
    private static let device = "190e35f7e0a1b2c3d4e"

    @Test(
        "what an outbox does is counted by route and outcome, and what waits is a gauge; calls are in the span of their try"
    )
    func campaign() async throws {
        let (factory, clock, tracer) = (TestMetrics(), VirtualClock(), InMemoryTracer())
        let host = SimulatorHost(
            JPushSimulator(appKey: Self.key, masterSecret: Self.right, devices: [VirtualDevice(Self.device, .android)]),
            clock: clock)
        func outbox(_ secret: String) throws -> PushOutbox {
            var configuration = ClientConfiguration()
            configuration.clock = clock
            configuration.layers = [TracingLayer(tracer: tracer)]
            let client = PushClient(
                try JPush(
                    appKey: Self.key, masterSecret: Secret(secret),
                    dataCenter: JPush.dataCenter(at: InProcessTransport.origin)),
                transport: InProcessTransport(host), configuration: configuration)
            var settings = OutboxSettings()
            settings.onEvent = OutboxMetrics(factory: factory).record
            settings.aroundAttempt = OutboxTracing(tracer: tracer).aroundAttempt
            return PushOutbox(store, routes: ["shop": client], settings: settings, clock: clock)
        }
        let store = MemoryOutboxStore()
        func total(_ label: String, _ dimensions: (String, String)...) -> Int64 {
            factory.counterTotal(label: label, dimensions: dimensions)
        }
        let wrong = try outbox("another0another0another0")
        let ids = [Self.device, "190e35f7e0a1b2c3d4f"].map { DeviceID($0) }
        try await wrong.enqueue(
            Message(notification: Notification(body: "private")), to: [.audience(.devices(ids), at: "shop")],
            as: "private-name")
        try await wrong.runUntilIdle()
        #expect(total(Vocabulary.outboxStops, (Vocabulary.cause, "paused"), (Vocabulary.route, "shop")) == 1)
        clock.advance(by: .seconds(100))
        try await OutboxMetrics(factory: factory).observe(wrong, at: clock.date)
        func gauge(_ label: String) throws -> Double { try factory.expectGauge(label, []).lastValue ?? .nan }
        #expect(try gauge(Vocabulary.outboxWaiting) == 2 && gauge(Vocabulary.outboxNeedy) == 1)
        #expect(try gauge(Vocabulary.outboxAge) == 100 && gauge(Vocabulary.outboxUnknown) == 0)
        let corrected = try outbox(Self.right)
        try await corrected.resume("private-name")
        try await corrected.runUntilIdle()
        for (outcome, count) in [("accepted", Int64(1)), ("invalid", 1)] {
            #expect(
                total(Vocabulary.outboxTargets, (Vocabulary.route, "shop"), (Vocabulary.outcome, outcome)) == count)
        }
        for state in ["enqueued", "finished"] {
            #expect(total(Vocabulary.outboxCampaigns, (Vocabulary.state, state)) == 1)
        }
        #expect(total(Vocabulary.outboxLeases, (Vocabulary.route, "shop")) >= 2)
        try await OutboxMetrics(factory: factory).observe(corrected, at: clock.date)
        #expect(try gauge(Vocabulary.outboxWaiting) == 0)
        let attempts = tracer.finishedSpans.filter { $0.operationName == "push outbox slice" }
        let sends = tracer.finishedSpans.filter { $0.operationName == "push send" }
        #expect(!sends.isEmpty && sends.allSatisfy { send in attempts.contains { $0.spanID == send.parentSpanID } })
        #expect(attempts.first?.attributes.get(Vocabulary.route) == .string("shop"))
        #expect(attempts.first?.attributes.get(Vocabulary.slice) == .int64(0))
        let written =
            factory.counters.map { "\($0.label) \($0.dimensions)" }.joined()
            + attempts.map { "\($0.operationName) \($0.attributes)" }.joined()
        #expect(!written.contains("private") && !written.contains(Self.device))
    }
}
