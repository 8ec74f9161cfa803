import FoundationEssentials
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// The connections that simulators see, and connection faults, without a socket.
@Suite("In-process transport", .timeLimit(.minutes(20)))
struct InProcessTests {
    private enum Event: Sendable, Hashable {
        case opened(Int)
        case request(String, over: Int?)
        case closed(Int)
    }

    /// Responds to everything with 200 and records the events.
    private final class Recorder: HTTP2Simulator {
        let vendor = "recorder"
        private let first: [ConnectionSignal]
        private let record = Locked<[Event]>([])
        private let gate = AsyncStream.makeStream(of: Void.self)

        init(first: [ConnectionSignal] = []) { self.first = first }

        var events: [Event] { record.withLock { $0 } }
        /// The closed connections, in order.
        var closings: [Int] {
            events.compactMap { event -> Int? in if case .closed(let id) = event { id } else { nil } }
        }
        /// The paths of the requests, in order.
        var paths: [String] {
            events.compactMap { event -> String? in if case .request(let path, _) = event { path } else { nil } }
        }

        /// Lets the request to `/held` end.
        func release() { gate.continuation.finish() }

        func opened(_ connection: SimulatedConnection, at now: Date) async -> [ConnectionSignal] {
            for _ in 0..<20 { await Task.yield() }
            record.withLock { $0.append(.opened(connection.id)) }
            return first
        }

        func closed(_ connection: SimulatedConnection) async { record.withLock { $0.append(.closed(connection.id)) } }

        func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
            record.withLock { $0.append(.request(request.path, over: request.connection?.id)) }
            var response = SimulatedResponse(status: 200)
            switch request.path {
            case "/held": for await _ in gate.stream {}
            case "/leave": response.signals = [.streamLimit(1), .goAway(Array("bye".utf8))]
            default: break
            }
            return response
        }

        func addresses(at origin: String) -> [String: String] { [:] }
        func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse { .init(status: 429) }
        func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse { .init(status: status) }
    }

    /// A simulator that ignores connections.
    private struct Plain: VendorSimulator {
        let vendor = "plain"
        func addresses(at origin: String) -> [String: String] { [:] }
        func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
            SimulatedResponse(status: request.connection == nil ? 200 : 500)
        }
        func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse { .init(status: 429) }
        func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse { .init(status: status) }
    }

    private static func call(_ path: String = "/x", group: String? = nil) -> TransportRequest {
        var request = TransportRequest(method: .get, url: InProcessTransport.origin + path, timeout: .seconds(5))
        request.connectionGroup = group
        return request
    }

    @Test("requests of one group share a connection, no other group's, and the simulator knows it before them")
    func groups() async throws {
        let recorder = Recorder()
        let transport = InProcessTransport(SimulatorHost(recorder))
        let names: [String?] = ["a", "b", nil, "a", "b", nil, "a"]
        let numbers = try await withThrowingTaskGroup(of: (name: String?, number: Int?).self) { group in
            for name in names {
                group.addTask { try await (name, transport.send(Self.call(group: name)).connection) }
            }
            return try await group.reduce(into: [String?: Set<Int?>]()) { $0[$1.name, default: []].insert($1.number) }
        }
        #expect(numbers.count == 3)
        #expect(numbers.values.allSatisfy { $0.count == 1 && !$0.contains(nil) })
        #expect(Set(numbers.values).count == 3)
        var known: Set<Int?> = []
        for event in recorder.events {
            switch event {
            case .opened(let id): #expect(known.insert(id).inserted)
            case .request(_, let id): #expect(known.contains(id))
            case .closed: Issue.record("nothing ends a connection")
            }
        }
        #expect(known.count == 3)
    }

    @Test("a retired connection gets no further request, and is closed when its last one has ended")
    func retired() async throws {
        let recorder = Recorder()
        let transport = InProcessTransport(SimulatorHost(recorder))
        let warm = try await transport.send(Self.call()).connection
        let first = try #require(warm)
        let held = Task { try await transport.send(Self.call("/held")).connection }
        await until { recorder.paths.contains("/held") }
        transport.retire(first)
        // No connection has this number.
        transport.retire(-1)
        let next = try await transport.send(Self.call()).connection
        let second = try #require(next)
        #expect(second != first)
        #expect(recorder.closings.isEmpty)
        recorder.release()
        let number = try await held.value
        #expect(number == first)
        #expect(recorder.closings == [first])
        transport.retire(second)
        await transport.shutdown()
        #expect(recorder.closings == [first, second])
    }

    @Test("a GOAWAY comes with its response; the next request has another connection")
    func goAwaySignal() async throws {
        let recorder = Recorder()
        let transport = InProcessTransport(SimulatorHost(recorder))
        let response = try await transport.send(Self.call("/leave"))
        let first = try #require(response.connection)
        #expect(response.status == 200)
        #expect(recorder.closings == [first])
        let second = try await transport.send(Self.call()).connection
        #expect(second != nil && second != first)
    }

    @Test("a simulator that takes leave at once gets no request, and the request was not applied")
    func goAwayFirst() async throws {
        let recorder = Recorder(first: [.streamLimit(1), .goAway([])])
        let transport = InProcessTransport(SimulatorHost(recorder))
        for count in 1...2 {
            let error = await #expect(throws: PushError.self) { try await transport.send(Self.call()) }
            #expect(error?.kind == .transport && error?.effect == .notApplied && error?.retry == .after(.zero))
            #expect(recorder.closings.count == count)
        }
        #expect(recorder.paths.isEmpty)
    }

    @Test("which fault ends the connection, and what it says of the request")
    func faults() async throws {
        let cases: [(fault: Fault, endsConnection: Bool, effect: PushError.Effect?)] = [
            (.refusedStream, false, .notApplied), (.goAway, true, .notApplied), (.actedThenLost, true, .unknown),
            (.truncated, true, .unknown), (.throttle(reset: nil), false, nil),
        ]
        for (fault, endsConnection, effect) in cases {
            let recorder = Recorder()
            let host = SimulatorHost(recorder)
            let transport = InProcessTransport(host)
            let first = try await transport.send(Self.call("/first")).connection
            host.faults.add(fault)
            if let effect {
                let error = await #expect(throws: PushError.self) { try await transport.send(Self.call("/faulty")) }
                #expect(error?.kind == .transport && error?.effect == effect, "\(fault)")
                let retry = effect == .notApplied ? PushError.Retry.after(.zero) : .backoff
                #expect(error?.retry == retry, "\(fault)")
            } else {
                let status = try await transport.send(Self.call("/faulty")).status
                #expect(status == 429)
            }
            #expect(recorder.paths.contains("/faulty") == (effect == .unknown), "\(fault)")
            #expect(recorder.closings.isEmpty != endsConnection, "\(fault)")
            let next = try await transport.send(Self.call("/next")).connection
            #expect((next != first) == endsConnection, "\(fault)")
        }
    }

    @Test("a shutdown closes every connection; a later request has a new one")
    func shutdown() async throws {
        let recorder = Recorder()
        let transport = InProcessTransport(SimulatorHost(recorder))
        var numbers: [Int] = []
        for group in ["a", "b"] {
            let number = try await transport.send(Self.call(group: group)).connection
            numbers.append(try #require(number))
        }
        await transport.shutdown()
        #expect(recorder.closings.sorted() == numbers)
        let later = try await transport.send(Self.call(group: "a")).connection
        #expect(later != nil && !numbers.contains(later ?? 0))
    }

    @Test("other simulators get no connection; over HTTP/1.1 as well, such a fault applies nothing")
    func otherSimulators() async throws {
        let host = SimulatorHost(Plain())
        let transport = InProcessTransport(host)
        let response = try await transport.send(Self.call(group: "a"))
        #expect(response.status == 200)
        #expect(response.connection == nil)
        transport.retire(1)
        for fault in [Fault.refusedStream, .goAway] {
            host.faults.add(fault)
            let error = await #expect(throws: PushError.self) { try await transport.send(Self.call()) }
            #expect(error?.kind == .transport && error?.effect == .notApplied && error?.retry == .after(.zero))
            let entry = try #require(host.journal.entries.last)
            #expect(entry.fault == fault && entry.response == nil && entry.status == nil)
        }
        await transport.shutdown()
    }

    @Test("every kind of fault is found by its name, and says it again")
    func names() {
        for kind in FaultKind.all {
            let words = FaultKind.named(kind.name)?.fault().words
            #expect(words?.split(separator: "=").first.map(String.init) == kind.name)
        }
        #expect(FaultKind.named("refuse")?.fault() == .refusedStream)
        #expect(FaultKind.named("goaway")?.fault() == .goAway)
    }

    @Test("faults of HTTP/2 fit a simulator that speaks nothing else, and no other")
    func fittingFaults() throws {
        let all = FaultKind.all.map(\.name)
        #expect(SimulatorHost(Recorder()).faultKinds.map(\.name) == all)
        let host = SimulatorHost(Plain())
        #expect(host.faultKinds.map(\.name) == all.filter { $0 != "refuse" && $0 != "goaway" })
        for kind in FaultKind.all {
            #expect((host.misfit(of: kind) == nil) == !kind.needsHTTP2)
        }
        let refuse = try #require(FaultKind.named("refuse"))
        #expect(host.misfit(of: refuse)?.hasPrefix("refuse is a fault of HTTP/2, and plain does not") == true)
    }
}
