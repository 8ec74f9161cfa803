import Dispatch
import PushAdapter
import PushClient
import PushSimulation
import Testing

/// The executor on which a client makes its requests.
@Suite("The transport's executor")
struct ExecutorTests {
    /// Runs jobs on its own queue, as a transport does on its thread.
    private final class OwnExecutor: TaskExecutor {
        private static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "own")

        init() { queue.setSpecific(key: Self.key, value: true) }

        /// Whether the caller runs on that queue, whatever its task prefers.
        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Records for each request whether it is made on the transport's executor.
    private final class OwnTransport: HTTPTransport {
        let own = OwnExecutor()
        private let places = Locked<[Bool]>([])
        private let body: [UInt8]?

        init(answering body: [UInt8]? = nil) { self.body = body }

        var executor: (any TaskExecutor)? { own }
        var isOwn: [Bool] { places.withLock { $0 } }

        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            places.withLock { $0.append(OwnExecutor.isCurrent) }
            if let body { return WireResponse(status: 200, body: body) }
            return try Result.ok.get()
        }

        func shutdown() async {}
    }

    private struct PassingLayer: CallLayer {
        func intercept<Output: Sendable>(
            _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
        ) async throws(PushError) -> Output { try await next(call) }
    }

    @Test(
        "requests are made on the transport's executor, unless layers of the caller's would run there",
        arguments: [false, true])
    func requests(hasLayer: Bool) async throws {
        let transport = OwnTransport()
        let client = makeClient(transport) { if hasLayer { $0.layers = [PassingLayer()] } }
        let message = Message(custom: CustomMessage(content: "c"))
        _ = try await client.send(message, to: .devices(["1"]))
        _ = try await client.send(message, to: .everyone)
        _ = try await client.send(message, to: .devices(["1", "2", "3", "4", "5"]))
        try await client.run(Acme().call(.idempotent))
        #expect(!OwnExecutor.isCurrent)
        #expect(transport.isOwn == Array(repeating: !hasLayer, count: 5))
    }

    @Test("a long response is decoded elsewhere, so that it holds up no other request", arguments: [100, 20_000])
    func decoding(size: Int) async throws {
        let places = Locked<[Bool]>([])
        let exchange = Exchange<Void>("test.read", WireRequest(.get, "api", path: ["call"]), idempotency: .idempotent) {
            _ throws(PushError) in places.withLock { $0.append(OwnExecutor.isCurrent) }
        }
        let client = makeClient(OwnTransport(answering: Array(repeating: 0x20, count: size)))
        try await client.run(exchange)
        #expect(places.withLock { $0 } == [size < 16_384])
    }

    @Test("what the caller gave, such as the callback for slices, runs where the caller is")
    func callbacks() async throws {
        let transport = OwnTransport()
        let places = Locked<[Bool]>([])
        var options = SendOptions()
        options.onSlice = { _ in places.withLock { $0.append(OwnExecutor.isCurrent) } }
        let message = Message(custom: CustomMessage(content: "c"))
        let client = makeClient(transport)
        _ = try await client.send(message, to: .devices(["1"]), options: options)
        #expect(!OwnExecutor.isCurrent)
        _ = try await client.send(message, to: .devices(["1", "2", "3", "4"]), options: options)
        #expect(!OwnExecutor.isCurrent)
        #expect(places.withLock { $0 } == [false, false, false])
    }
}
