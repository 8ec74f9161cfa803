import Foundation
import PushAdapter
import PushCurl
import PushSimulation
import PushSimulationServer
import TestSupport
import Testing

/// The curl program, an independent client, against the simulator's server.
@Suite("Habits of other clients")
struct ForeignClientTests {
    private func curl(_ arguments: [String]) async throws -> (output: String, errors: String) {
        let result = try await Program.run("/usr/bin/curl", ["-sS", "-v", "--max-time", "20"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
        return (result.output, result.errors)
    }

    @Test("a client that waits for 100 Continue gets it before it sends the body")
    func expectContinue() async throws {
        for security in [SimulationServer.Security.plain, .tls] {
            try await SimulationServer.withServer(SimulatorHost(EchoSimulator()), security: security) { server in
                let trust = server.caFile.map { ["--cacert", $0] } ?? []
                // Without the response, curl would wait until its own end.
                let answer = try await curl(
                    trust + [
                        "--http1.1", "--expect100-timeout", "100", "-H", "Expect: 100-continue", "-d", "hello",
                        server.origin + "/x",
                    ])
                #expect(answer.errors.contains("100 Continue"))
                #expect(answer.output.hasSuffix("hello"))
            }
        }
    }

    @Test("an offer of h2c on plain HTTP, chunked bodies, and slashes and escapes of every kind")
    func habits() async throws {
        try await SimulationServer.withServer(SimulatorHost(EchoSimulator()), security: .plain) { server in
            let upgrade = try await curl(["--http2", "-d", "hello", server.origin + "/x"])
            #expect(upgrade.output.hasSuffix("hello"))
            let chunked = try await curl(["-H", "Transfer-Encoding: chunked", "-d", "hello", server.origin + "/x"])
            #expect(chunked.output.hasSuffix("hello"))
            let path = try await curl(["--path-as-is", server.origin + "//a//%2e%2e/%E5%ad%97/?q=%20"])
            #expect(path.output.hasPrefix("GET //a//%2e%2e/%E5%ad%97/?q=%20"))
            let loud = try await curl(["-H", "X-LOUD: 1", "-H", "x-quiet: 2", server.origin + "/x"])
            #expect(loud.output.lowercased().contains("x-loud: 1"))
        }
    }

    @Test("HTTP/2 is spoken where it is negotiated")
    func http2() async throws {
        try await SimulationServer.withServer(SimulatorHost(EchoSimulator())) { server in
            let ca = try #require(server.caFile)
            let answer = try await curl(["--cacert", ca, "--http2", server.origin + "/x"])
            #expect(answer.errors.contains("HTTP/2 200"))
        }
    }

    @Test("the server ends with its body, also when that throws, and takes its CA file along")
    func ends() async throws {
        struct Stop: Error {}
        let seen = Seen()
        await #expect(throws: Stop.self) {
            try await SimulationServer.withServer(SimulatorHost(EchoSimulator())) { server in
                await seen.set(server)
                throw Stop()
            }
        }
        let server = try #require(await seen.server)
        #expect(!FileManager.default.fileExists(atPath: server.caFile ?? ""))
        let result = try await Program.run("/usr/bin/curl", ["-sS", "-k", "--max-time", "5", server.origin + "/x"])
        #expect(result.status == 7)
    }

    @Test(
        "the server ends although clients hold connections open, with and without a handshake", .timeLimit(.minutes(5)))
    func endsWithOpenConnections() async throws {
        let clients = try await SimulationServer.withServer(SimulatorHost(EchoSimulator())) { server in
            let port = try #require(server.origin.split(separator: ":").last.flatMap { UInt16($0) })
            var settings = CurlConfiguration()
            settings.caFile = server.caFile
            let transport = try CurlTransport(settings)
            let request = TransportRequest(
                method: .get, url: server.origin + "/x", timeout: .seconds(60))
            #expect(try await transport.send(request).status == 200)
            return (transport, SilentClient(port: port))
        }
        // This includes the client that connected just before the server stopped.
        #expect(clients.1.isEnded)
        await clients.0.shutdown()
    }

    @Test("a port that is taken is refused with a reason")
    func takenPort() async throws {
        let taken = SilentPort()
        let error = await #expect(throws: (any Error).self) {
            try await SimulationServer.withServer(SimulatorHost(EchoSimulator()), port: taken.port) { _ in }
        }
        #expect((error as? PushError)?.kind == .invalidState)
        #expect((error as? PushError)?.message.contains("\(taken.port)") == true)
    }

    private actor Seen {
        var server: SimulationServer?
        func set(_ server: SimulationServer) { self.server = server }
    }
}
