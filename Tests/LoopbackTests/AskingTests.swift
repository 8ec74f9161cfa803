import HostileServer
import PushAdapter
import PushCurl
import PushHTTP2
import PushSimulation
import TestSupport
import Testing

/// The transport asks its caller before a request leaves. Programs that note each request write their note at that
/// point.
@Suite("A caller is asked before its request leaves", .timeLimit(.minutes(5)))
struct AskingTests {
    /// A question that counts how often it is asked. The asking task waits until the test answers.
    private final class Question: Sendable {
        private struct State {
            var count = 0
            var isAnswered: Bool
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Locked<State>

        init(isAnswered: Bool = false) { state = Locked(State(isAnswered: isAnswered)) }

        var count: Int { state.withLock { $0.count } }

        func ask() async {
            await withCheckedContinuation { place in
                let isAnswered = state.withLock { state in
                    state.count += 1
                    if !state.isAnswered { state.waiting.append(place) }
                    return state.isAnswered
                }
                if isAnswered { place.resume() }
            }
        }

        func answer() {
            let waiting = state.withLock { state in
                state.isAnswered = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for place in waiting { place.resume() }
        }
    }

    private static func outcome(
        _ transport: any HTTPTransport, _ request: TransportRequest, _ question: Question
    ) async -> PushError? {
        do throws(PushError) {
            _ = try await transport.send(request) { await question.ask() }
            return nil
        } catch {
            return error
        }
    }

    // MARK: The time of the question

    @Test("not while it waits for a server that accepts connections and says nothing", arguments: Carrier.allCases)
    func silentPort(carrier: Carrier) async throws {
        let port = SilentPort()
        let transport = try carrier.makeTransport(.with { $0.connectTimeout = .milliseconds(300) })
        let question = Question(isAnswered: true)
        let request = TransportRequest(
            method: .post, url: "https://127.0.0.1:\(port.port)/x", body: .json([0x7B, 0x7D]), timeout: .seconds(60))
        let errors = await withTaskGroup(of: PushError?.self) { group in
            for _ in 0..<20 { group.addTask { await Self.outcome(transport, request, question) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await transport.shutdown()
        #expect(errors.count == 20 && errors.allSatisfy { $0?.effect == .notApplied && $0?.kind == .transport })
        #expect(question.count == 0)
    }

    @Test("once for each request, before a byte of it has arrived", arguments: Carrier.allCases)
    func inOrder(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            let seen = Locked<[Int]>([])
            for _ in 0..<20 {
                _ = try await wire.transport.send(wire.request(.post, body: .json([0x7B, 0x7D]))) {
                    let count = wire.host.journal.count
                    seen.withLock { $0.append(count) }
                }
            }
            #expect(seen.withLock { $0 } == Array(0..<20))
            #expect(wire.host.journal.count == 20)
        }
    }

    @Test("a kept connection serves one request after another, asked or not", arguments: [false, true])
    func oneConnection(isPlain: Bool) async throws {
        try await HostileTests().with(tls: !isPlain) { connection in
            while connection.request() != nil { connection.write(HostileConnection.answer(200, "ok")) }
        } _: { (setup) async throws in
            for number in 0..<20 {
                if number.isMultiple(of: 3) {
                    #expect(try await setup.text(setup.request()) == "ok")
                } else {
                    // The question takes as long as a note. Meanwhile the server's tickets arrive.
                    _ = try await setup.transport.send(setup.request()) { await Task.yield() }
                }
            }
            #expect(setup.server.connections == 1)
        }
    }

    @Test("those that are asked at once each have a connection of their own, up to the limit")
    func atOnce() async throws {
        let question = Question()
        try await HostileTests().with(tls: true, settings: .with { $0.maxInFlight = 5 }) { connection in
            while connection.request() != nil { connection.write(HostileConnection.answer(200, "ok")) }
        } _: { (setup) async throws in
            await withTaskGroup(of: PushError?.self) { group in
                for _ in 0..<30 {
                    group.addTask { await Self.outcome(setup.transport, setup.request(), question) }
                }
                await until { question.count == 5 }
                #expect(setup.server.connections == 5)
                question.answer()
                for await error in group { #expect(error == nil) }
            }
            #expect(setup.server.connections == 5 && question.count == 30)
        }
    }

    @Test("not before a stream is free: of twenty requests over a connection with one stream, one is asked for")
    func oneStream() async throws {
        let (gate, question) = (Gate(), Question(isAnswered: true))
        try await HostileWire.run(
            .patient { $0.maxConnections = 1 }, greeting: [(.streams, 1), (.window, 0x7FFF_FFFF)]
        ) { http2, _ in
            while let request = http2.request() {
                gate.wait()
                http2.echo(request)
            }
        } _: { (wire) async throws in
            await withTaskGroup(of: PushError?.self) { group in
                for _ in 0..<20 {
                    group.addTask { await Self.outcome(wire.transport, wire.request(), question) }
                }
                await until { wire.journal.heads.count == 1 }
                #expect(question.count == 1)
                for count in 2...20 {
                    gate.open(1)
                    await until { wire.journal.heads.count == count }
                    #expect(question.count == count)
                }
                gate.open()
                for await error in group { #expect(error == nil) }
            }
        }
    }

    @Test("a request whose response is lost is asked for once, sent once, and unknown", arguments: Carrier.allCases)
    func lostResponse(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            let question = Question(isAnswered: true)
            // Once on a connection opened for the request, and once on a kept connection.
            for count in [1, 3] {
                wire.host.faults.add(.actedThenLost)
                let error = await Self.outcome(
                    wire.transport, wire.request(.post, body: .json([0x7B, 0x7D])), question)
                #expect(error?.effect == .unknown && error?.kind == .transport)
                #expect(question.count == count && wire.host.journal.count == count)
                _ = try await wire.transport.send(wire.request()) { await question.ask() }
            }
        }
    }

    // MARK: The caller's answer

    @Test("its refusal comes back, nothing was sent, and the next request goes", arguments: Carrier.allCases)
    func refused(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 1 }) { wire in
            for _ in 0..<3 {
                let error = await #expect(throws: PushError.self) {
                    try await wire.transport.send(wire.request()) { () async throws(PushError) in
                        throw PushError(.busy, "no note")
                    }
                }
                #expect(error?.kind == .busy && error?.message == "no note")
                #expect(wire.host.journal.count == 0)
            }
            _ = try await wire.transport.send(wire.request()) {}
            #expect(wire.host.journal.count == 1)
        }
    }

    @Test("while it thinks, no thread waits, and other requests go", arguments: Carrier.allCases, [false, true])
    func others(carrier: Carrier, onThread: Bool) async throws {
        try await Wire.run(carrier) { wire in
            let question = Question()
            let executor = onThread ? wire.transport.executor : nil
            let held = Task(executorPreference: executor) {
                await Self.outcome(wire.transport, wire.request(), question)
            }
            await until { question.count == 1 }
            _ = try await wire.text(wire.request())
            _ = try await wire.transport.send(wire.request()) {}
            #expect(wire.host.journal.count == 2)
            question.answer()
            #expect(await held.value == nil)
            #expect(wire.host.journal.count == 3)
        }
    }

    @Test("a task that is cancelled while its caller is asked leaves its place", arguments: Carrier.allCases)
    func cancelled(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 1 }) { wire in
            let question = Question()
            let task = Task { await Self.outcome(wire.transport, wire.request(), question) }
            await until { question.count == 1 }
            task.cancel()
            // This request takes the free place while the other caller is still being asked.
            _ = try await wire.text(wire.request())
            question.answer()
            let error = await task.value
            #expect(error?.kind == .cancelled && error?.effect == .notApplied)
            #expect(wire.host.journal.count == 1)
        }
    }

    @Test("a caller that thinks for longer than its word counts is asked once more, and the request leaves once")
    func askedAgain() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for carrier in Carrier.allCases {
                group.addTask {
                    try await Wire.run(carrier) { wire in
                        let count = Locked(0)
                        _ = try await wire.transport.send(wire.request(timeout: .seconds(60))) {
                            let number = count.withLock { count in
                                count += 1
                                return count
                            }
                            if number == 1 { try? await Task.sleep(for: TransportRequest.longestLeave) }
                        }
                        #expect(count.withLock { $0 } == 2 && wire.host.journal.count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a caller that thinks for longer than its request may take gets a timeout", arguments: Carrier.allCases)
    func tooLong(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 1 }) { wire in
            let question = Question()
            let request = wire.request(timeout: .milliseconds(500))
            let task = Task { await Self.outcome(wire.transport, request, question) }
            // The first request makes room for the second.
            _ = try await wire.text(wire.request())
            question.answer()
            let error = await task.value
            #expect(error == nil || error?.kind == .timeout && error?.effect == .notApplied)
            #expect(wire.host.journal.count == (error == nil ? 2 : 1))
        }
    }

    @Test("a shutdown while it is asked is answered, and nothing is sent", arguments: Carrier.allCases)
    func shutdown(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            let question = Question()
            let task = Task { await Self.outcome(wire.transport, wire.request(), question) }
            await until { question.count == 1 }
            await wire.transport.shutdown()
            question.answer()
            let error = await task.value
            #expect(error?.kind == .cancelled && error?.effect == .notApplied)
            #expect(wire.host.journal.count == 0)
        }
    }

    // MARK: A connection that goes meanwhile

    @Test("if the connection ends while it is asked, the request leaves over another one, once")
    func lostConnection() async throws {
        let (gate, isReset, question) = (Gate(), Gate(), Question())
        try await HostileWire.run { http2, number in
            if number == 1 {
                http2.settle()
                gate.wait()
                http2.connection.reset()
                return isReset.open()
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let task = Task { await Self.outcome(wire.transport, wire.request(), question) }
            await until { question.count == 1 }
            gate.open()
            isReset.wait()
            // Another request shows that the transport has noticed the end.
            #expect(try await wire.echo(wire.request()) == 2)
            question.answer()
            #expect(await task.value == nil)
            #expect(wire.journal.heads.count == 2)
        }
    }

    @Test("if libcurl's connection ends while it is asked, the request leaves over another one, once")
    func lostCurlConnection() async throws {
        let (gate, question, arrived) = (Gate(), Question(), Locked(0))
        let (isClosed, isFirst) = (Gate(), Locked(true))
        try await HostileTests().with(tls: true) { connection in
            if gate.wait(),
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            {
                connection.close()
                return isClosed.open()
            }
            while connection.request() != nil {
                arrived.withLock { $0 += 1 }
                connection.write(HostileConnection.answer(200, "ok"))
            }
        } _: { (setup) async throws in
            let task = Task { await Self.outcome(setup.transport, setup.request(seconds: 60), question) }
            await until { question.count == 1 }
            gate.open()
            isClosed.wait()
            question.answer()
            #expect(await task.value == nil)
            #expect(arrived.withLock { $0 } == 1 && setup.server.connections == 2)
        }
    }

    @Test("a server that closes each connection at once gets few of them, and nothing was sent")
    func closing() async throws {
        try await HostileTests().with(tls: true) {
            $0.close()
        } _: { (setup) async throws in
            let question = Question(isAnswered: true)
            let error = await Self.outcome(setup.transport, setup.request(seconds: 60), question)
            #expect(error?.kind == .transport && setup.server.connections <= 4)
        }
    }
}
