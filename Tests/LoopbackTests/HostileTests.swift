import Foundation
import HostileServer
import PushAdapter
import PushClient
import PushCrypto
import PushCurl
import PushJPush
import PushSimulation
import PushSimulationServer
import TestSupport
import Testing

/// libcurl against servers that break the rules of HTTP, byte by byte.
@Suite("libcurl transport, hostile servers")
struct HostileTests {
    /// A hostile server, a transport that trusts it, and the transport's requests.
    struct Setup: Sendable {
        let server: HostileServer
        let transport: CurlTransport
        let origin: String

        func request(_ method: HTTPRequest.Method = .post, body: String = "{}", seconds: Int = 60) -> TransportRequest {
            TransportRequest(
                method: method, url: origin + "/x", body: method == .post ? .json(Array(body.utf8)) : .none,
                timeout: .seconds(seconds))
        }

        func failure(_ request: TransportRequest) async -> PushError? {
            await #expect(throws: PushError.self) { try await transport.send(request) }
        }

        func text(_ request: TransportRequest) async throws -> String {
            String(decoding: try await transport.send(request).body, as: UTF8.self)
        }
    }

    private static let certificate = try? SelfSignedCertificate()

    func with(
        tls: Bool = false, protocols: [String] = ["http/1.1"], settings: CurlConfiguration = CurlConfiguration(),
        _ script: @escaping HostileServer.Script, _ body: (Setup) async throws -> Void
    ) async throws {
        let certificate = try #require(Self.certificate)
        let server = try HostileServer(
            tls
                ? .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: protocols)
                : .plain,
            script)
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).pem")
        try Data(certificate.certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var settings = settings
        settings.caFile = file.path
        let transport = try CurlTransport(settings)
        let origin = "\(tls ? "https" : "http")://localhost:\(server.port)"
        try await body(Setup(server: server, transport: transport, origin: origin))
        await transport.shutdown()
    }

    // MARK: Nothing is sent twice

    @Test(
        "a request on a kept connection that resets after reading it is sent once, and its effect is unknown",
        arguments: [HTTPRequest.Method.post, .delete, .get], [true, false])
    func noRepetition(method: HTTPRequest.Method, tls: Bool) async throws {
        let arrived = Locked(0)
        try await with(tls: tls) { connection in
            while connection.request() != nil {
                arrived.withLock { $0 += 1 }
                guard connection.requests == 1 else { return connection.reset() }
                connection.write(HostileConnection.answer(200, "ok"))
            }
        } _: { (setup) async throws in
            for number in 1...5 {
                #expect(try await setup.text(setup.request(method)) == "ok")
                let error = await setup.failure(setup.request(method))
                #expect(error?.effect == .unknown && error?.retry == .backoff)
                #expect(arrived.withLock { $0 } == number * 2)
            }
        }
    }

    @Test("a message that arrived before its connection was reset is unknown after a 429, and not offered again")
    func lostThenThrottled() async throws {
        let messages = Locked(0)
        try await with { connection in
            while let request = connection.request() {
                if request.target.contains("/cid") {
                    connection.write(HostileConnection.answer(200, #"{"cidlist":["a","b","c","d"]}"#))
                    continue
                }
                let number = messages.withLock { count in
                    count += 1
                    return count
                }
                switch number {
                case 1: connection.write(HostileConnection.answer(200, #"{"sendno":"0","msg_id":"1"}"#))
                case 2: return connection.reset()
                default:
                    connection.write(
                        HostileConnection.answer(
                            429, #"{"error":{"code":2002,"message":"m"}}"#, headers: "Retry-After: 60\r\n"))
                }
            }
        } _: { (setup) async throws in
            let jpush = try JPush(
                appKey: "0123456789abcdef01234567", masterSecret: Secret("0123456789abcdef01234567"),
                dataCenter: JPush.dataCenter(at: setup.origin))
            let client = PushClient(jpush, transport: setup.transport)
            let message = Message(custom: CustomMessage(content: "c"))
            _ = try await client.send(message, to: .devices(["r1"]))
            let error = await #expect(throws: PushError.self) {
                try await client.send(message, to: .devices(["r2"]))
            }
            #expect(messages.withLock { $0 } == 3)
            #expect(error?.effect == .unknown)
            #expect(error?.report?.exceptions.map(\.status) == [.unknown])
            #expect(error?.report?.retryable().isEmpty == true)
        }
    }

    @Test("a connection that the server closes behind an answer costs no later request")
    func closedBehind() async throws {
        let closed = Gate()
        try await with { connection in
            guard connection.request() != nil else { return }
            connection.write(HostileConnection.answer(200, "ok"))
            connection.close()
            closed.open(1)
        } _: { (setup) async throws in
            var lost = 0
            for _ in 0..<50 {
                do throws(PushError) {
                    _ = try await setup.transport.send(setup.request())
                } catch {
                    // The request met the closing connection: it was not sent, or its outcome is unknown.
                    lost += 1
                }
                closed.wait()
            }
            #expect(lost == 0)
        }
    }

    // MARK: No answer of another request

    @Test(
        "an answer that nobody asked for is not taken for the next one's", arguments: [true, false],
        [
            "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nstale", "HTTP/1.1 400 x\r\nContent-Length: 5\r\n\r\nstale",
            "\r\n",
        ])
    func staleAnswer(tls: Bool, stale: String) async throws {
        let second = Locked(false)
        try await with(tls: tls) { connection in
            while let request = connection.request() {
                let body = String(decoding: request.body, as: UTF8.self)
                guard body == "1" else {
                    connection.write(HostileConnection.answer(200, body))
                    continue
                }
                // The header goes out alone, so that libcurl reads no further than the response.
                connection.write("HTTP/1.1 200 x\r\nContent-Length: 1\r\n\r\n")
                while !second.withLock({ $0 }) {}
                connection.write("1\(stale)")
            }
        } _: { (setup) async throws in
            let first = Task { try await setup.transport.send(setup.request(body: "1")) }
            for _ in 0..<1_000 { await Task.yield() }
            second.withLock { $0 = true }
            if case .success(let answer) = await first.result { #expect(answer.body == Array("1".utf8)) }
            for number in 2...4 { #expect(try await setup.text(setup.request(body: "\(number)")) == "\(number)") }
        }
    }

    @Test("an answer that comes late, on a connection that waits for its next use, is dropped with the connection")
    func lateAnswer() async throws {
        let stale = Locked(false)
        try await with { connection in
            while let request = connection.request() {
                connection.write(HostileConnection.answer(200, String(decoding: request.body, as: UTF8.self)))
                if connection.requests == 1, request.body == Array("1".utf8) {
                    connection.write(HostileConnection.answer(200, "stale"))
                    stale.withLock { $0 = true }
                }
            }
        } _: { (setup) async throws in
            _ = try? await setup.text(setup.request(body: "1"))
            await until { stale.withLock { $0 } }
            #expect(try await setup.text(setup.request(body: "2")) == "2")
            #expect(setup.server.connections == 2)
        }
    }

    @Test("bytes behind an answer make it unknown whose answer it is")
    func leftovers() async throws {
        try await with { connection in
            while connection.request() != nil {
                connection.write(HostileConnection.answer(200, "ok") + HostileConnection.answer(200, "more"))
            }
        } _: { (setup) async throws in
            let error = await setup.failure(setup.request())
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }

    @Test("over TLS, bytes behind an answer end its connection, whether libcurl shows them or not")
    func encryptedLeftovers() async throws {
        try await with(tls: true) { connection in
            while connection.request() != nil {
                connection.write(HostileConnection.answer(200, "ok") + HostileConnection.answer(200, "more"))
            }
        } _: { (setup) async throws in
            for number in 1...5 {
                do throws(PushError) {
                    #expect(try await setup.transport.send(setup.request()).body == Array("ok".utf8))
                } catch {
                    #expect(error.kind == .malformedResponse && error.effect == .unknown)
                }
                #expect(setup.server.connections == number)
            }
        }
    }

    @Test("an answer before the body is out is unknown and ends the connection; an interim one is none")
    func earlyAnswer() async throws {
        let body = String(repeating: "x", count: 16 << 20)
        try await with { connection in
            while var request = connection.head() {
                connection.write("HTTP/1.1 100 x\r\n\r\nHTTP/1.1 103 x\r\n\r\n")
                if request.header("x-early") != nil { connection.write(HostileConnection.answer(200, "early")) }
                guard connection.finish(&request) else { return }
                connection.write(HostileConnection.answer(200, "\(request.body.count)"))
            }
        } _: { (setup) async throws in
            #expect(try await setup.text(setup.request(body: body)) == "\(16 << 20)")
            var early = setup.request(body: body)
            early.headers[try #require(HTTPField.Name("X-Early"))] = "1"
            let error = await setup.failure(early)
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            #expect(try await setup.text(setup.request()) == "2")
            #expect(setup.server.connections == 2)
        }
    }

    @Test(
        "what is no answer of HTTP/1.1 is unknown, and never an invalid argument",
        arguments: [
            "HTTP/2 200\r\nContent-Length: 2\r\n\r\nok", "HTTP/2 200 \r\nContent-Length: 2\r\n\r\nok",
            "HTTP/3 200\r\nContent-Length: 2\r\n\r\nok", "SSH-2.0-OpenSSH_9.2\r\n", "ok", "{\"msg_id\":1}\r\n\r\n",
            "HTTP/1.1 101 x\r\nUpgrade: x\r\n\r\n{}", "HTTP/1.1 200 x\r\nContent-Le",
            "HTTP/1.1 200 x\r\nContent-Length: 0\r\n",
            "HTTP/1.1 200", "",
        ])
    func noAnswer(text: String) async throws {
        try await with { connection in
            guard connection.request() != nil else { return }
            connection.write(text)
        } _: { (setup) async throws in
            let error = await setup.failure(setup.request())
            #expect(error?.effect == .unknown)
            #expect(error?.kind == .malformedResponse || error?.kind == .transport)
        }
    }

    @Test(
        "an answer that says how long it is, or ends with its connection, is an answer",
        arguments: [
            "HTTP/1.0 200 x\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.0 200 x\r\n\r\nok", "HTTP/1.1 200 x\r\n\r\nok",
            "HTTP/1.1 200 x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
            "HTTP/1.1 200 x\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 x\r\nContent-Length: 2\r\n\r\nok",
        ], [true, false])
    func plainAnswer(text: String, tls: Bool) async throws {
        // A reusable connection stays open, because a request must not meet its end.
        let hasLength = text.contains("Content-Length") || text.contains("chunked")
        let isKept = text.hasPrefix("HTTP/1.1") && hasLength && !text.contains("close")
        try await with(tls: tls) { connection in
            while connection.request() != nil, connection.write(text), isKept {}
        } _: { (setup) async throws in
            for _ in 0..<3 {
                let answer = try await setup.text(setup.request())
                #expect(answer == "ok")
            }
        }
    }

    @Test("a flood of interim answers ends at the limit of the header")
    func interimFlood() async throws {
        try await with { connection in
            guard connection.request() != nil else { return }
            while connection.write("HTTP/1.1 103 x\r\nLink: a\r\n\r\n") {}
        } _: { (setup) async throws in
            let error = await setup.failure(setup.request())
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }

    // MARK: HTTP/2

    @Test("three thousand requests by default, to a server that offers HTTP/2 as well, lose no answer")
    func defaultVersion() async throws {
        let resets = Locked(0)
        try await with(tls: true, protocols: ["h2", "http/1.1"]) { connection in
            if connection.chosenProtocol == "h2", let http2 = HostileHTTP2(connection) {
                while let request = http2.request() { http2.answer(request.stream, 200, [0x7B, 0x7D], ending: .alone) }
                resets.withLock { $0 += http2.resets.count }
            } else {
                while connection.request() != nil { connection.write(HostileConnection.answer(200, "{}")) }
            }
        } _: { (setup) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        for _ in 0..<100 {
                            let answer = try await setup.transport.send(setup.request())
                            #expect(answer.status == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
            await setup.transport.shutdown()
            #expect(resets.withLock { $0 } == 0)
        }
    }

    @Test("three thousand requests by default to the simulators' own server lose no answer")
    func ownServer() async throws {
        try await Wire.run { wire in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        for _ in 0..<100 {
                            let answer = try await wire.transport.send(wire.request())
                            #expect(answer.status == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(wire.host.journal.count == 3_000)
        }
    }

    // MARK: Trust

    @Test(
        "a CA file takes the place of the system's authorities, and is not one more",
        .enabled("a view of the file system of its own") {
            try await Program.run("/usr/bin/unshare", ["-rm", "true"]).status == 0
        }, arguments: [false, true])
    func onlyTheFile(hasFile: Bool) async throws {
        let certificate = try #require(Self.certificate)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // In that process, this is the system's folder of authorities. It trusts the server.
        let other = try SelfSignedCertificate(subject: "another authority")
        try Data(other.certificate.utf8).write(to: folder.appending(path: "ca-certificates.crt"))
        let name = try #require(HostileServer.authorityName(ofPEM: certificate.certificate))
        try Data(certificate.certificate.utf8).write(to: folder.appending(path: name))
        try await with(tls: true) { connection in
            while connection.request() != nil {
                connection.write(HostileConnection.answer(200, #"{"tags":["vip"],"alias":null,"mobile":null}"#))
            }
        } _: { (setup) async throws in
            var environment = [
                "PUSHBRIDGE_VENDOR": "jpush", "PUSHBRIDGE_JPUSH_APP_KEY": "0123456789abcdef01234567",
                "PUSHBRIDGE_JPUSH_MASTER_SECRET": "simulator0simulator0only", "PUSHBRIDGE_JPUSH_ORIGIN": setup.origin,
            ]
            if hasFile { environment["PUSHBRIDGE_CA_FILE"] = folder.appending(path: "ca-certificates.crt").path }
            let program = Program.folder.appending(path: "pushctl").path
            let result = try await Program.run(
                "/usr/bin/unshare",
                [
                    "-rm", "sh", "-c",
                    "mount --bind '\(folder.path)' /etc/ssl/certs && exec '\(program)' tags get 190e35f7e0a1b2c3d4e",
                ], environment: environment)
            #expect(hasFile ? result.status == 2 : result.output == "vip\n", "\(result)")
            #expect(!hasFile || result.errors.contains("not trusted"))
        }
    }
}
