import Foundation
import PushAdapter
import PushHTTP2
import PushSimulation
import PushSimulationServer
import Testing

/// An HTTP/2 server with a test's responses. Records its connections and requests.
final class RecordingSimulator: HTTP2Simulator {
    /// The response to a request, by the request's number from 1.
    typealias Answer = @Sendable (SimulatedRequest, _ number: Int) async -> SimulatedResponse

    struct Record: Sendable {
        var opened: [SimulatedConnection] = []
        var closed: [SimulatedConnection] = []
        var requests: [SimulatedRequest] = []
        var running = 0
        var mostRunning = 0

        var paths: [String] { requests.map(\.path) }
    }

    let vendor = "recorder"
    private let first: [ConnectionSignal]
    private let answer: Answer
    private let state = Locked(Record())

    /// - Parameter first: the signals for a new connection.
    init(first: [ConnectionSignal] = [], _ answer: @escaping Answer = { _, _ in SimulatedResponse(status: 200) }) {
        self.first = first
        self.answer = answer
    }

    var record: Record { state.withLock { $0 } }

    /// Resets the maximum of concurrent requests.
    func forgetMost() { state.withLock { $0.mostRunning = $0.running } }

    func opened(_ connection: SimulatedConnection, at now: Date) async -> [ConnectionSignal] {
        state.withLock { $0.opened.append(connection) }
        return first
    }

    func closed(_ connection: SimulatedConnection) async { state.withLock { $0.closed.append(connection) } }

    func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        let number = state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            return state.requests.count
        }
        let response = await answer(request, number)
        state.withLock { $0.running -= 1 }
        return response
    }

    func addresses(at origin: String) -> [String: String] { ["origin": origin] }
    func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse { SimulatedResponse(status: 429) }
    func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse { SimulatedResponse(status: status) }
}

/// Holds the responses of a simulator until the test releases them, for at most a minute.
final class Latch: Sendable {
    private let isOpen = Locked(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() async {
        for _ in 0..<12_000 where !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
    }
}

/// A recording simulator behind its server, and a transport that trusts it.
struct RecordedWire: Sendable {
    let simulator: RecordingSimulator
    let host: SimulatorHost
    let server: SimulationServer
    let transport: HTTP2Transport

    /// By default, the transport opens one connection at a time.
    static func run(
        _ simulator: RecordingSimulator, _ settings: HTTP2Configuration = .patient { $0.maxConnections = 1 },
        _ body: @Sendable (RecordedWire) async throws -> Void
    ) async throws {
        let host = SimulatorHost(simulator)
        try await SimulationServer.withServer(host) { server in
            var settings = settings
            settings.caFile = server.caFile
            let transport = try HTTP2Transport(settings)
            let wire = RecordedWire(simulator: simulator, host: host, server: server, transport: transport)
            let result: Result<Void, any Error>
            do { result = .success(try await body(wire)) } catch { result = .failure(error) }
            await transport.shutdown()
            try result.get()
        }
    }

    /// A POST with the body, or a GET without one.
    func request(_ path: String = "/x", _ body: [UInt8]? = nil, timeout: Duration = .seconds(60)) -> TransportRequest {
        TransportRequest(
            method: body == nil ? .get : .post, url: server.origin + path, body: body.map { .json($0) } ?? .none,
            timeout: timeout)
    }

    /// The outcome of a request.
    enum Outcome: Hashable {
        case answered(Int)
        case failed(PushError.Effect)
    }

    /// Sends requests at once. Returns the outcome of each by its path.
    func send(_ paths: [String]) async -> [String: Outcome] {
        await withTaskGroup(of: (path: String, outcome: Outcome).self) { group in
            for path in paths { group.addTask { (path, await outcome(of: path)) } }
            return await group.reduce(into: [String: Outcome]()) { $0[$1.path] = $1.outcome }
        }
    }

    func outcome(of path: String) async -> Outcome {
        do throws(PushError) {
            return .answered(try await transport.send(request(path, Array("{}".utf8))).status)
        } catch {
            return .failed(error.effect)
        }
    }

    /// Sends a request that must fail.
    func failure(_ path: String, timeout: Duration = .seconds(60)) async -> PushError? {
        await #expect(throws: PushError.self) { try await transport.send(request(path, timeout: timeout)) }
    }
}
