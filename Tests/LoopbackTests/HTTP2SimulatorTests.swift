import Foundation
import PushAdapter
import PushCrypto
import PushHTTP2
import PushLoopback
import PushSimulation
import PushSimulationServer
import TestSupport
import Testing

/// The server for simulators that speak only HTTP/2 and observe connections.
@Suite("HTTP/2 simulators over sockets", .timeLimit(.minutes(5)))
struct HTTP2SimulatorTests {
    private static func paths(_ count: Int) -> [String] { (1...count).map { "/\($0)" } }

    private static func answer(_ signals: [ConnectionSignal] = [], _ text: String = "") -> SimulatedResponse {
        var response = SimulatedResponse(status: 200, body: Array(text.utf8))
        response.signals = signals
        return response
    }

    // MARK: Limits

    @Test("the first SETTINGS have the simulator's limit; a higher one is there with the response that brings it")
    func raisedLimit() async throws {
        let latch = Latch()
        let newest = Locked(0)
        let early = Locked(0)
        let simulator = RecordingSimulator(first: [.streamLimit(1)]) { _, number in
            newest.withLock { $0 = max($0, number) }
            guard number == 1 else {
                await latch.wait()
                return Self.answer()
            }
            // Gives other requests time to arrive.
            try? await Task.sleep(for: .milliseconds(200))
            let count = newest.withLock { $0 }
            early.withLock { $0 = count }
            return Self.answer([.streamLimit(5)])
        }
        try await RecordedWire.run(simulator) { wire in
            let sending = Task { await wire.send(Self.paths(12)) }
            await until { simulator.record.running == 5 }
            try await Task.sleep(for: .milliseconds(200))
            latch.open()
            let outcomes = await sending.value
            #expect(outcomes.count == 12)
            #expect(outcomes.values.allSatisfy { $0 == .answered(200) })
            #expect(early.withLock { $0 } == 1)
            #expect(simulator.record.mostRunning == 5)
            #expect(simulator.record.opened.count == 1)
        }
    }

    @Test("a lower limit holds for the requests after the response that brings it")
    func loweredLimit() async throws {
        let latch = Latch()
        let simulator = RecordingSimulator(first: [.streamLimit(8)]) { request, number in
            if request.path == "/lower" { return Self.answer([.streamLimit(2)]) }
            if number <= 8 { await latch.wait() } else { try? await Task.sleep(for: .milliseconds(20)) }
            return Self.answer()
        }
        try await RecordedWire.run(simulator) { wire in
            let sending = Task { await wire.send(Self.paths(8)) }
            await until { simulator.record.running == 8 }
            latch.open()
            var outcomes = await sending.value
            #expect(outcomes.values.allSatisfy { $0 == .answered(200) })
            let lower = await wire.outcome(of: "/lower")
            #expect(lower == .answered(200))
            simulator.forgetMost()
            outcomes = await wire.send(Self.paths(10))
            #expect(outcomes.count == 10)
            #expect(outcomes.values.allSatisfy { $0 == .answered(200) })
            #expect(simulator.record.mostRunning == 2)
        }
    }

    // MARK: GOAWAY and refusals

    @Test("GOAWAY divides the requests in flight: what the simulator saw is answered, the rest was not applied")
    func goAwaySignal() async throws {
        let simulator = RecordingSimulator { _, number in
            Self.answer(number.isMultiple(of: 40) ? [.goAway(Array("enough".utf8))] : [])
        }
        try await RecordedWire.run(simulator) { wire in
            let outcomes = await wire.send(Self.paths(400))
            let record = simulator.record
            let answered = outcomes.filter { $0.value == .answered(200) }
            #expect(outcomes.count == 400)
            #expect(outcomes.values.allSatisfy { $0 == .answered(200) || $0 == .failed(.notApplied) })
            #expect(answered.keys.sorted() == record.paths.sorted())
            #expect(answered.count >= 40)
            #expect(record.opened.count >= 2)
            #expect(Set(record.opened.map(\.id)).count == record.opened.count)
            await until { simulator.record.closed.count >= record.opened.count - 1 }
        }
        await until { simulator.record.closed.count == simulator.record.opened.count }
    }

    @Test("GOAWAY in place of an answer: the request was not applied, earlier ones are answered")
    func goAwayFault() async throws {
        let latch = Latch()
        let simulator = RecordingSimulator { request, _ in
            if request.path.hasPrefix("/held") { await latch.wait() }
            return Self.answer()
        }
        try await RecordedWire.run(simulator) { wire in
            let sending = Task { await wire.send(["/held1", "/held2"]) }
            await until { simulator.record.running == 2 }
            wire.host.faults.add(.goAway, path: "/leave")
            let error = await wire.failure("/leave")
            #expect(error?.kind == .transport && error?.effect == .notApplied && error?.retry == .after(.zero))
            let entry = try #require(wire.host.journal.entries(path: "/leave").first)
            #expect(entry.fault == .goAway && entry.response == nil && entry.status == nil)
            let next = await wire.outcome(of: "/next")
            #expect(next == .answered(200))
            let record = simulator.record
            #expect(record.opened.count == 2 && record.closed.isEmpty)
            latch.open()
            let outcomes = await sending.value
            #expect(outcomes.count == 2 && outcomes.values.allSatisfy { $0 == .answered(200) })
            await until { !simulator.record.closed.isEmpty }
            #expect(simulator.record.closed == [record.opened[0]])
            #expect(simulator.record.paths.sorted() == ["/held1", "/held2", "/next"])
        }
    }

    @Test("a refused stream was not applied, and its connection goes on")
    func refusedStream() async throws {
        let simulator = RecordingSimulator()
        try await RecordedWire.run(simulator) { wire in
            let before = try await wire.transport.send(wire.request("/before")).connection
            wire.host.faults.add(.refusedStream)
            let error = await wire.failure("/refused")
            #expect(error?.kind == .transport && error?.effect == .notApplied && error?.retry == .after(.zero))
            let after = try await wire.transport.send(wire.request("/after")).connection
            #expect(before != nil && before == after)
            #expect(simulator.record.paths == ["/before", "/after"])
        }
    }

    // MARK: Other faults

    @Test("an answer that a fault replaces or delays arrives whole")
    func answers() async throws {
        let simulator = RecordingSimulator { _, _ in Self.answer([], "a body of some bytes") }
        try await RecordedWire.run(simulator) { wire in
            let faults: [(fault: Fault, status: Int)] = [
                (.throttle(reset: 1), 429), (.serverError(status: 503), 503), (.html(status: 502), 502),
                (.answer(SimulatedResponse(status: 418)), 418), (.actedThenLate(.milliseconds(50)), 200),
                (.drip(.milliseconds(1)), 200), (.oversize(bytes: 100), 200),
            ]
            for (fault, status) in faults {
                wire.host.faults.add(fault)
                let response = try await wire.transport.send(wire.request())
                #expect(response.status == status, "\(fault)")
                if status == 200 {
                    #expect(response.body.starts(with: "a body of some bytes".utf8), "\(fault)")
                    #expect(response.body.count == (fault == .oversize(bytes: 100) ? 120 : 20), "\(fault)")
                }
            }
            #expect(simulator.record.opened.count == 1)
        }
    }

    @Test("what became of an answer that breaks off, is too long or never comes, is unknown")
    func brokenAnswers() async throws {
        let simulator = RecordingSimulator { _, _ in Self.answer([], "a body of some bytes") }
        try await RecordedWire.run(simulator) { wire in
            let faults: [(fault: Fault, kind: PushError.Kind)] = [
                (.truncated, .transport), (.hangUp(afterBytes: 5), .transport), (.hangUp(afterBytes: 0), .transport),
                (.actedThenLost, .transport), (.oversize(bytes: 2 << 20), .malformedResponse), (.silence, .timeout),
                (.actedThenLate(.seconds(20)), .timeout),
            ]
            for (fault, kind) in faults {
                // The connection is open, so the timeout applies to the response.
                _ = try await wire.transport.send(wire.request("/first"))
                wire.host.faults.add(fault)
                let error = await wire.failure("/broken", timeout: kind == .timeout ? .seconds(1) : .seconds(60))
                #expect(error?.kind == kind && error?.effect == .unknown, "\(fault)")
            }
            #expect(simulator.record.paths.count { $0 == "/broken" } == 6)
        }
    }

    // MARK: Requests and responses

    @Test("address, duplicates of header fields and the answer's fields arrive as they are")
    func fields() async throws {
        let reply = try #require(HTTPField.Name("X-Reply"))
        let simulator = RecordingSimulator { _, _ in
            SimulatedResponse(status: 200, headers: [reply: "Yes"], body: [1, 2, 3])
        }
        try await RecordedWire.run(simulator) { wire in
            let name = try #require(HTTPField.Name("X-Twice"))
            var request = wire.request("/a%2Fb//c?q=%20&r", Array("{}".utf8))
            for value in ["1", "2"] { request.headers.append(HTTPField(name: name, value: value)) }
            let response = try await wire.transport.send(request)
            #expect(response.headers[reply] == "Yes")
            #expect(response.body == [1, 2, 3])
            let seen = try #require(simulator.record.requests.first)
            #expect(seen.method == .post && seen.host == "localhost")
            #expect(seen.path == "/a%2Fb//c" && seen.query == "q=%20&r")
            #expect(seen.headers[values: name] == ["1", "2"])
            #expect(seen.headers[.contentType] == "application/json")
            #expect(seen.body == Array("{}".utf8))
            #expect(seen.connection == simulator.record.opened.first)
            let head = try await wire.transport.send(
                TransportRequest(method: .head, url: wire.server.origin + "/x", timeout: .seconds(60)))
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test("a body of megabytes arrives whole, and of more than 16 not at all")
    func bodies() async throws {
        let simulator = RecordingSimulator { request, _ in SimulatedResponse(status: 200, body: request.body) }
        let settings = HTTP2Configuration.patient {
            $0.maxConnections = 1
            $0.maxResponseBytes = 4 << 20
        }
        try await RecordedWire.run(simulator, settings) { wire in
            let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
            let response = try await wire.transport.send(wire.request("/whole", body))
            #expect(response.body == body)
            let long = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
            let error = await #expect(throws: PushError.self) {
                try await wire.transport.send(wire.request("/long", long))
            }
            #expect(error?.kind == .transport)
            let after = await wire.outcome(of: "/after")
            #expect(after == .answered(200))
            #expect(simulator.record.paths == ["/whole", "/after"])
            #expect(simulator.record.opened.count == 1)
        }
    }

    // MARK: Client certificates

    @Test("a simulator sees the certificate of a client, or that it has none")
    func certificates() async throws {
        let own = try SelfSignedCertificate(names: ["client.example"], subject: "a client")
        for certificate in [own, nil] as [SelfSignedCertificate?] {
            let simulator = RecordingSimulator()
            let settings = HTTP2Configuration.patient { settings in
                settings.clientCertificate = certificate.map {
                    ClientCertificate(chain: $0.certificate, key: Secret($0.privateKey))
                }
            }
            try await RecordedWire.run(simulator, settings) { wire in
                let outcome = await wire.outcome(of: "/x")
                #expect(outcome == .answered(200))
            }
            let base64 = certificate?.certificate.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
            let expected = base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            #expect((expected == nil) == (certificate == nil))
            #expect(simulator.record.opened.count == 1)
            #expect(simulator.record.opened.first?.certificate == expected)
            #expect(simulator.record.requests.first?.connection?.certificate == expected)
        }
    }

    @Test("a client over HTTP/1.1 gets no answer, and the simulator sees nothing; curl is served over HTTP/2")
    func otherClients() async throws {
        let simulator = RecordingSimulator()
        try await RecordedWire.run(simulator) { wire in
            var settings = CarrierSettings()
            settings.caFile = wire.server.caFile
            let old = try Carrier.curl.makeTransport(settings)
            await #expect(throws: PushError.self) { try await old.send(wire.request()) }
            await old.shutdown()
            #expect(simulator.record.opened.isEmpty && simulator.record.requests.isEmpty)
            #expect(wire.host.journal.count == 0)
            let ca = try #require(wire.server.caFile)
            let curl = try await Program.run(
                "/usr/bin/curl",
                ["-sS", "--http2", "--max-time", "10", "--cacert", ca, "-o", "/dev/null", "-w", "%{http_code}"]
                    + [wire.server.origin + "/current"])
            #expect(curl.output == "200" && simulator.record.paths == ["/current"])
        }
    }

    @Test("plain HTTP and a port that is taken are refused")
    func refusals() async throws {
        let plain = await #expect(throws: (any Error).self) {
            try await SimulationServer.withServer(SimulatorHost(RecordingSimulator()), security: .plain) { _ in }
        }
        #expect((plain as? PushError)?.kind == .invalidArgument)
        let port = SilentPort()
        let taken = await #expect(throws: (any Error).self) {
            try await SimulationServer.withServer(SimulatorHost(RecordingSimulator()), port: port.port) { _ in }
        }
        #expect((taken as? PushError)?.kind == .invalidState)
        #expect((taken as? PushError)?.message.contains("\(port.port)") == true)
    }

    // MARK: Server and transport

    @Test("the server stops although streams are open and handshakes are not over, and ends its connections")
    func stopping() async throws {
        let latch = Latch()
        let simulator = RecordingSimulator { _, _ in
            await latch.wait()
            return Self.answer()
        }
        let (transport, held, silent) = try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
            var settings = HTTP2Configuration.patient()
            settings.caFile = server.caFile
            let transport = try HTTP2Transport(settings)
            let request = TransportRequest(method: .get, url: server.origin + "/x", timeout: .seconds(60))
            let held = Task { try await transport.send(request) }
            await until { simulator.record.running == 1 }
            let port = try #require(server.origin.split(separator: ":").last.flatMap { UInt16($0) })
            return (transport, held, SilentClient(port: port))
        }
        let error = await #expect(throws: PushError.self) { try await held.value }
        #expect(error?.effect == .unknown)
        #expect(silent.isEnded)
        await until { simulator.record.closed.count == 1 }
        latch.open()
        await transport.shutdown()
    }

    @Test("the kit's transport to such a simulator speaks HTTP/2; servers of both kinds run side by side")
    func kit() async throws {
        let simulator = RecordingSimulator()
        try await SimulationServer.withTransport(to: SimulatorHost(simulator)) { origin, transport in
            let response = try await transport.send(
                TransportRequest(method: .get, url: origin + "/x", timeout: .seconds(60)))
            #expect(response.status == 200 && response.connection != nil)
        }
        #expect(simulator.record.paths == ["/x"])
        let hosts = [SimulatorHost(EchoSimulator()), SimulatorHost(simulator)]
        try await SimulationServer.withServers(hosts) { servers in
            var settings = CarrierSettings()
            settings.caFile = servers[0].caFile
            let transport = try Carrier.http2.makeTransport(settings)
            for server in servers {
                let status = try await transport.send(
                    TransportRequest(method: .get, url: server.origin + "/y", timeout: .seconds(60))
                ).status
                #expect(status == 200)
            }
            await transport.shutdown()
        }
        #expect(simulator.record.paths == ["/x", "/y"])
        #expect(hosts[0].journal.entries(path: "/y").count == 1)
    }
}
