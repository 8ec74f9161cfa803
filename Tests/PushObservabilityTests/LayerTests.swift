import CoreMetrics
import FoundationEssentials
import InMemoryLogging
import InMemoryTracing
import Instrumentation
import JPushSimulator
import Logging
import MetricsTestKit
import PushAdapter
import PushClient
import PushJPush
import PushObservability
import PushSimulation
import Testing
import Tracing

@Suite("Logs, metrics and traces")
struct LayerTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "plantedsecretplantedsecr"
    private static let device: DeviceID = "190e35f7e0a1b2c3d4e"
    private static let text = "a text that nobody may log"

    /// A client with all three layers over the simulator, and their output.
    private struct Watched {
        let logs = InMemoryLogHandler()
        let metrics = TestMetrics()
        let tracer = InMemoryTracer()
        let host: SimulatorHost
        let client: PushClient

        init(failuresAt level: Logger.Level? = nil) throws {
            let simulator = JPushSimulator(
                appKey: key, masterSecret: secret, devices: [VirtualDevice(device.rawValue, .android)])
            let clock = VirtualClock()
            host = SimulatorHost(simulator, clock: clock)
            var logger = Logger(label: "test") { [logs] _ in
                var handler = logs
                handler.logLevel = .trace
                return handler
            }
            logger.logLevel = .trace
            var configuration = ClientConfiguration()
            configuration.clock = clock
            let logging = level.map { LoggingLayer(logger, failuresAt: $0) } ?? LoggingLayer(logger)
            configuration.layers = [logging, MetricsLayer(factory: metrics), TracingLayer(tracer: tracer)]
            client = PushClient(
                try JPush(
                    appKey: key, masterSecret: Secret(secret),
                    dataCenter: JPush.dataCenter(at: InProcessTransport.origin)),
                transport: InProcessTransport(host), configuration: configuration)
        }

        /// Runs successes, refusals on both sides, a throttle, a lost response and an unreadable one.
        func live() async throws {
            let message = Message(
                notification: Notification(title: text, body: text), custom: CustomMessage(content: text))
            _ = try await client.updateTags(.add(["privatetag"]), of: device)
            try await client.setAlias("private_alias_4711", of: device)
            host.faults.add(.throttle(reset: 3), path: "/v3/push")
            host.faults.add(.actedThenLost, path: "/v3/push")
            _ = try await client.send(message, to: .devices([device]))
            _ = try? await client.send(message, to: .devices([device, "1f0e35f7e0a1b2c3dff"]))
            _ = try? await client.send(message, to: .tagged(anyOf: ["nobodyhasit"]))
            _ = try? await client.updateTags(.add(["private tag"]), of: device)
            host.faults.add(.html(status: 502), times: 3)
            _ = try? await client.readTags(of: device)
        }
    }

    private func texts(_ attributes: SpanAttributes) -> [String] {
        var texts: [String] = []
        let collect: (String, SpanAttribute) -> Void = { texts.append("\($0) \($1)") }
        attributes.forEach(collect)
        return texts
    }

    @Test("nothing that is planted shows up: secret, device, alias, tag, text")
    func secrecy() async throws {
        let watched = try Watched()
        try await watched.live()
        var written = watched.logs.entries.map { "\($0.message) \($0.metadata)" }
        written += watched.metrics.counters.map { "\($0.label) \($0.dimensions)" }
        written += watched.metrics.timers.map { "\($0.label) \($0.dimensions)" }
        for span in watched.tracer.finishedSpans {
            written.append(span.operationName)
            written += texts(span.attributes)
            for event in span.events {
                written.append(event.name)
                written += texts(event.attributes)
            }
        }
        #expect(written.count > 50)
        for planted in [Self.secret, "190e35f7e0a1b2c3d4e", "1f0e35f7e0a1b2c3dff", "private", "nobodyhasit", Self.text]
        {
            #expect(!written.contains { $0.contains(planted) }, "\(planted)")
        }
    }

    @Test("one counter, one timer and one span for each call, with its outcome")
    func outcomes() async throws {
        let watched = try Watched()
        try await watched.live()
        func calls(_ operation: String, _ outcome: String, code: String = "none") -> Int64 {
            watched.metrics.counterTotal(
                label: Vocabulary.calls,
                dimensions: [
                    (Vocabulary.provider, "jpush"), (Vocabulary.operation, operation), (Vocabulary.outcome, outcome),
                    (Vocabulary.vendorCode, code),
                ])
        }
        #expect(calls("tags.add", "ok") == 1)
        #expect(calls("tags.add", "invalidArgument") == 1)
        #expect(calls("send", "ok") == 1)
        #expect(calls("send", "invalidArgument", code: "1003") == 1)
        #expect(calls("send", "noTarget", code: "1011") == 1)
        #expect(calls("tags.read", "server") == 1)
        #expect(calls("keys.mint", "ok") == 1)
        #expect(watched.tracer.finishedSpans.count == 8)
        #expect(watched.metrics.counterTotal(label: Vocabulary.retries) == 4)
        #expect(watched.metrics.counterTotal(label: Vocabulary.attempts) == 11)
    }

    @Test("attempts, answers and retries are events of the call's span")
    func spanEvents() async throws {
        let watched = try Watched()
        try await watched.live()
        let send = try #require(watched.tracer.finishedSpans.first { $0.operationName == "push send" })
        #expect(
            send.events.map(\.name) == [
                "push.attempt", "push.answer", "push.retry", "push.attempt", "push.retry", "push.attempt",
                "push.answer",
            ])
        let failed = try #require(watched.tracer.finishedSpans.first { $0.operationName == "push tags.read" })
        #expect(failed.status?.code == .error)
        #expect(failed.status?.message == "server")
    }

    /// A network that is down.
    private struct DeadTransport: HTTPTransport {
        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            throw PushError(.transport, "no connection for 190e35f7e0a1b2c3d4e; nothing was sent", retry: .backoff)
        }
        func shutdown() async {}
    }

    @Test("a network that fails is a warning with the host, the attempts and a reason without ids")
    func outage() async throws {
        let logs = InMemoryLogHandler()
        var configuration = ClientConfiguration()
        configuration.clock = VirtualClock()
        configuration.layers = [LoggingLayer(Logger(label: "test") { _ in logs }, failuresAt: .warning)]
        let client = PushClient(
            try JPush(appKey: Self.key, masterSecret: Secret(Self.secret)), transport: DeadTransport(),
            configuration: configuration)
        _ = try? await client.readTags(of: Self.device)
        let line = try #require(logs.entries.last)
        #expect(line.level == .warning)
        #expect(line.metadata[Vocabulary.host] == .string("device.jpush.cn"))
        #expect(line.metadata[Vocabulary.attemptCount] == .stringConvertible(3))
        #expect(line.metadata[Vocabulary.reason] == .string("no connection for …; nothing was sent"))
        #expect(line.metadata[Vocabulary.effect] == .string("notApplied"))
    }

    @Test("a send is logged with the ids of its messages, accepted or refused with one")
    func messageIDs() async throws {
        let watched = try Watched()
        let message = Message(custom: CustomMessage(content: Self.text))
        let report = try await watched.client.send(message, to: .devices([Self.device]))
        let done = try #require(
            watched.logs.entries.last { $0.metadata[Vocabulary.operation] == .string("send") && $0.level == .debug })
        #expect(done.metadata[Vocabulary.messageIDs] == .array(report.messageIDs.map { .string($0.rawValue) }))
        _ = try? await watched.client.send(message, to: .aliases(["nobody"]))
        let refused = try #require(watched.logs.entries.last)
        #expect(refused.level == .info && refused.metadata[Vocabulary.messageIDs] != nil)
    }

    @Test("calls are counted with the vendor's code; a server that makes codes up gets no more than 64")
    func codes() async throws {
        let metrics = TestMetrics()
        let simulator = JPushSimulator(appKey: Self.key, masterSecret: Self.secret, devices: [])
        let host = SimulatorHost(simulator)
        var configuration = ClientConfiguration()
        configuration.retry = .none
        configuration.layers = [MetricsLayer(factory: metrics)]
        let client = PushClient(
            try JPush(
                appKey: Self.key, masterSecret: Secret(Self.secret),
                dataCenter: JPush.dataCenter(at: InProcessTransport.origin)),
            transport: InProcessTransport(host), configuration: configuration)
        for code in 90_000..<90_100 {
            host.faults.add(.answer(.json(["error": ["code": .number(Decimal(code)), "message": "m"]], status: 400)))
            _ = try? await client.readTags(of: Self.device)
        }
        func calls(_ code: String) -> Int64 {
            metrics.counterTotal(
                label: Vocabulary.calls,
                dimensions: [
                    (Vocabulary.provider, "jpush"), (Vocabulary.operation, "tags.read"),
                    (Vocabulary.outcome, "unknown"), (Vocabulary.vendorCode, code),
                ])
        }
        #expect(calls("90000") == 1 && calls("90063") == 1 && calls("90064") == 0 && calls("other") == 36)
    }

    @Test(
        "failures have the level that the program chooses, information by default",
        arguments: [nil, Logger.Level.error])
    func levels(chosen: Logger.Level?) async throws {
        let watched = try Watched(failuresAt: chosen)
        try await watched.live()
        func level(_ outcome: String, _ operation: String) -> Logger.Level? {
            watched.logs.entries.first {
                $0.metadata[Vocabulary.outcome] == .string(outcome)
                    && $0.metadata[Vocabulary.operation] == .string(operation)
            }?.level
        }
        #expect(level("ok", "send") == .debug)
        #expect(level("invalidArgument", "tags.add") == .info)
        #expect(level("invalidArgument", "send") == chosen ?? .info)
        #expect(level("server", "tags.read") == chosen ?? .info)
    }

    @Test("without a logger of its own, the layer writes to the logger of the task")
    func taskLogger() async throws {
        let logs = InMemoryLogHandler()
        var configuration = ClientConfiguration()
        configuration.layers = [LoggingLayer()]
        let simulator = JPushSimulator(appKey: Self.key, masterSecret: Self.secret, devices: [])
        let client = PushClient(
            try JPush(
                appKey: Self.key, masterSecret: Secret(Self.secret),
                dataCenter: JPush.dataCenter(at: InProcessTransport.origin)),
            transport: InProcessTransport(SimulatorHost(simulator)), configuration: configuration)
        await withLogger(Logger(label: "request") { _ in logs }) { _ in
            _ = try? await client.readTags(of: Self.device)
        }
        let line = try #require(logs.entries.last)
        #expect(line.level <= .info && line.metadata[Vocabulary.operation] == .string("tags.read"))
    }
}
