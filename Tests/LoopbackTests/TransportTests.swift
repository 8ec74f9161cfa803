import Foundation
import PushAdapter
import PushCrypto
import PushCurl
import PushHTTP2
import PushSimulation
import PushSimulationServer
import TestSupport
import Testing

/// The behavior of both transports, libcurl over HTTP/1.1 and HTTP/2, and their justified differences.
@Suite("Transports")
struct TransportTests {
    private func failure(_ wire: Wire, _ request: TransportRequest) async -> PushError? {
        await #expect(throws: PushError.self) { try await wire.transport.send(request) }
    }

    // MARK: Requests

    @Test("method, path, query, headers and body arrive as they are", arguments: Carrier.allCases)
    func asIs(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            let name = try #require(HTTPField.Name("X-Tést".replacingOccurrences(of: "é", with: "e")))
            let text = try await wire.text(
                wire.request(
                    .put, "/a/%2E%2E/../b%2Fc?q=%20&r", body: .json(Array("{\"a\":1}".utf8)), headers: [name: "v, w"]))
            #expect(text.hasPrefix("PUT /a/%2E%2E/../b%2Fc?q=%20&r\n"))
            #expect(text.lowercased().contains("x-test: v, w"))
            #expect(text.lowercased().contains("content-type: application/json"))
            #expect(text.lowercased().contains("user-agent: pushbridge"))
            #expect(text.hasSuffix("\n\n{\"a\":1}"))
        }
    }

    @Test("a handle that is used again carries nothing over from the request before", arguments: Carrier.allCases)
    func reuse(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 1 }) { wire in
            _ = try await wire.text(
                wire.request(.post, body: .json(Array("long body".utf8)), headers: [.accept: "a/b"]))
            let get = try await wire.text(wire.request(.get))
            #expect(get.hasPrefix("GET"))
            #expect(get.hasSuffix("\n\n"))
            #expect(!get.lowercased().contains("content-type") && !get.contains("a/b"))
            let delete = try await wire.text(wire.request(.delete))
            #expect(delete.hasPrefix("DELETE"))
            let post = try await wire.text(wire.request(.post))
            #expect(post.hasPrefix("POST"))
            let head = try await wire.transport.send(wire.request(.head))
            #expect(head.status == 200 && head.body.isEmpty)
            let again = try await wire.text(wire.request(.post, body: .json(Array("more".utf8))))
            #expect(again.hasSuffix("\n\nmore"))
        }
    }

    @Test("a body of two megabytes arrives whole", arguments: Carrier.allCases)
    func longBody(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxResponseBytes = 4 << 20 }) { wire in
            let body = (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let response = try await wire.transport.send(
                wire.request(
                    .post, body: .bytes(body, contentType: "x/y"), timeout: .seconds(30)))
            #expect(response.body.suffix(body.count) == body[...])
        }
    }

    @Test("no content type, no field", arguments: Carrier.allCases)
    func noContentType(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            let body = WireBody.bytes(Array("x".utf8), contentType: "")
            let text = try await wire.text(wire.request(.post, body: body))
            #expect(!text.lowercased().contains("content-type"))
            #expect(text.hasSuffix("\n\nx"))
        }
    }

    @Test("multipart bodies carry bytes and files", arguments: Carrier.allCases)
    func multipart(carrier: Carrier) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await Wire.run(carrier) { wire in
            let parts = [
                WirePart("ttl", .bytes(Array("720".utf8))),
                WirePart("filename", .file(file.path), fileName: "ids.txt", contentType: "text/plain"),
            ]
            let text = try await wire.text(wire.request(.post, body: .multipart(parts)))
            #expect(text.contains("name=\"ttl\"") && text.contains("720"))
            #expect(text.contains("filename=\"ids.txt\"") && text.contains("from a file"))
            let missing = await failure(
                wire, wire.request(.post, body: .multipart([WirePart("f", .file("/nowhere/x"))])))
            #expect(missing?.kind == .invalidArgument)
            #expect(missing?.effect == .notApplied)
        }
    }

    @Test("a file of a megabyte arrives whole between the other parts", arguments: Carrier.allCases)
    func longFile(carrier: Carrier) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).bin")
        let content = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        try Data(content).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await Wire.run(carrier, settings: .with { $0.maxResponseBytes = 4 << 20 }) { wire in
            let parts = [
                WirePart("before", .bytes(Array("720".utf8))), WirePart("file", .file(file.path)),
                WirePart("after", .bytes(Array("last".utf8))),
            ]
            let response = try await wire.transport.send(wire.request(.post, body: .multipart(parts)))
            let body = Data(response.body)
            let found = try #require(body.range(of: Data(content)))
            let (before, after) = (body[..<found.lowerBound], body[found.upperBound...])
            #expect(before.range(of: Data("name=\"before\"".utf8)) != nil)
            #expect(after.starts(with: Data("\r\n--".utf8)))
            #expect(after.range(of: Data("last\r\n--".utf8)) != nil)
        }
    }

    @Test(
        "fields about a connection of HTTP/1.1, and the length, which is the transport's own, are refused by HTTP/2",
        arguments: [
            "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade", "TE", "content-length",
        ])
    func foreignFields(name: String) async throws {
        try await Wire.run(.http2) { wire in
            let field = try #require(HTTPField.Name(name))
            let error = await failure(wire, wire.request(.post, body: .json([0x7B, 0x7D]), headers: [field: "1"]))
            #expect(error?.kind == .invalidArgument)
            #expect(error?.effect == .notApplied)
            #expect(wire.host.journal.count == 0)
        }
    }

    @Test("a request for a service that speaks HTTP/2 only goes over HTTP/2, or nowhere", arguments: Carrier.allCases)
    func onlyHTTP2(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            var request = wire.request()
            request.requiresHTTP2 = true
            if carrier == .http2 {
                let status = try await wire.transport.send(request).status
                #expect(status == 200)
            } else {
                let error = await failure(wire, request)
                #expect(error?.kind == .misconfigured)
                #expect(error?.effect == .notApplied)
            }
            #expect(wire.host.journal.count == (carrier == .http2 ? 1 : 0))
        }
    }

    // MARK: Refused requests

    @Test(
        "an address that would split a request or leave this machine in the clear is refused before a byte",
        arguments: [
            "https://localhost/a b", "https://localhost/a\r\nX: y", "https://localhost/\u{0}", "https://localhost/é",
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost@example.com/", "ftp://localhost/",
            "file:///etc/passwd", "https://user:pass@localhost/", "", "nonsense", "https://", "https:///localhost/",
        ], Carrier.allCases)
    func addresses(url: String, carrier: Carrier) async throws {
        let transport = try carrier.makeTransport()
        let error = await #expect(throws: PushError.self) {
            try await transport.send(TransportRequest(method: .get, url: url, timeout: .seconds(5)))
        }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.effect == .notApplied)
        await transport.shutdown()
    }

    @Test("HTTP/2 has no plain HTTP, not even to this machine")
    func plainHTTP2() async throws {
        try await SimulationServer.withServer(SimulatorHost(EchoSimulator()), security: .plain) { server in
            let transport = try HTTP2Transport()
            let error = await #expect(throws: PushError.self) {
                try await transport.send(
                    TransportRequest(method: .get, url: server.origin + "/x", timeout: .seconds(5)))
            }
            #expect(error?.kind == .invalidArgument)
            #expect(error?.effect == .notApplied)
            await transport.shutdown()
        }
    }

    @Test("plain HTTP leaves this machine only for hosts that libcurl's configuration names")
    func plainHosts() async throws {
        let transport = try CurlTransport(.with { $0.plainHosts = ["plain.invalid"] })
        func kind(_ url: String) async -> PushError.Kind? {
            let error = await #expect(throws: PushError.self) {
                try await transport.send(TransportRequest(method: .get, url: url, timeout: .seconds(5)))
            }
            return error?.kind
        }
        // The address passes the check. The request then fails because the host does not exist.
        #expect(await kind("http://plain.invalid/") == .transport)
        for url in ["http://other.invalid/", "http://plain.invalid.example.com/", "http://x.plain.invalid/"] {
            #expect(await kind(url) == .invalidArgument)
        }
        await transport.shutdown()
    }

    @Test(
        "an address is not let through because its beginning was",
        arguments: [(Carrier.curl, SimulationServer.Security.plain), (.curl, .tls), (.http2, .tls)])
    func similarAddresses(carrier: Carrier, security: SimulationServer.Security) async throws {
        try await Wire.run(carrier, security: security) { wire in
            _ = try await wire.text(wire.request())
            let origin = wire.server.origin
            let scheme = security == .plain ? "http" : "https"
            let port = origin.split(separator: ":").last ?? ""
            for url in [
                // Libraries disagree about where the host is after more than two slashes.
                "\(scheme):///127.0.0.1:\(port)/x", "\(scheme):///localhost:\(port)/x", "\(scheme)://///example.com/",
                "\(scheme)://127.0.0.1:\(port)@example.com/", "\(origin)@example.com/x", "\(origin).example.com/x",
                "\(origin)\\@example.com/", "\(scheme):///example.com/", "http://example.com/\(origin)/",
                "\(origin.uppercased().dropLast())x/",
            ] {
                var request = wire.request()
                request.url = url
                #expect(await failure(wire, request)?.kind == .invalidArgument, "\(url)")
            }
            _ = try await wire.text(wire.request(.get, "/y"))
            #expect(wire.host.journal.count == 2)
        }
    }

    @Test(
        "line breaks in what becomes a header line are refused",
        arguments: ["a\r\nX: y", "a\nb", "a\u{0}b"], Carrier.allCases)
    func headerLines(text: String, carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            for body in [
                WireBody.bytes([], contentType: text), .multipart([WirePart(text, .bytes([]))]),
                .multipart([WirePart("a", .bytes([]), fileName: text)]),
            ] {
                #expect(await failure(wire, wire.request(.post, body: body))?.kind == .invalidArgument)
            }
            // The type of a header value makes it harmless, so it cannot split a request.
            let headers: HTTPFields = [.accept: text]
            let answer = try? await wire.text(wire.request(headers: headers))
            #expect(answer?.contains("\nX: y") != true)
            #expect(wire.host.journal.count <= 1)
        }
    }

    // MARK: Responses

    @Test("redirects are never followed", arguments: [301, 302, 307, 308], Carrier.allCases)
    func redirects(status: Int, carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            wire.host.faults.add(
                .answer(SimulatedResponse(status: status, headers: [.location: wire.server.origin + "/y"])))
            let answer = try await wire.transport.send(wire.request())
            #expect(answer.status == status)
            #expect(wire.host.journal.count == 1)
        }
    }

    @Test(
        "an answer's body or header beyond the limit is refused, its effect unknown",
        arguments: [true, false], Carrier.allCases)
    func tooLong(isBody: Bool, carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            if isBody {
                wire.host.faults.add(.oversize(bytes: 1 << 20))
            } else {
                let name = try #require(HTTPField.Name("X-Long"))
                let headers = HTTPFields(
                    (0..<20).map { _ in HTTPField(name: name, value: String(repeating: "x", count: 4000)) })
                wire.host.faults.add(.answer(SimulatedResponse(status: 200, headers: headers)))
            }
            let error = await failure(wire, wire.request())
            #expect(error?.kind == .malformedResponse)
            #expect(error?.effect == .unknown)
            // The transport works as before.
            #expect(try await wire.transport.send(wire.request()).status == 200)
        }
    }

    @Test(
        "an answer that breaks off has an unknown effect",
        arguments: [Fault.truncated, .hangUp(afterBytes: 5), .hangUp(afterBytes: 0), .actedThenLost],
        Carrier.allCases)
    func brokenAnswers(fault: Fault, carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            wire.host.faults.add(fault)
            let error = await failure(wire, wire.request(.post, body: .json([0x7B, 0x7D])))
            #expect(error?.kind == .transport)
            #expect(error?.effect == .unknown)
            #expect(wire.host.journal.count == 1)
        }
    }

    @Test(
        "a kept connection that closes without an answer does not make a transport send the request again",
        arguments: [HTTPRequest.Method.post, .delete], Carrier.allCases)
    func noSilentRepetition(method: HTTPRequest.Method, carrier: Carrier) async throws {
        try await Wire.run(carrier, security: carrier == .curl ? .plain : .tls) { wire in
            let body: WireBody = method == .post ? .json(Array("{}".utf8)) : .none
            for _ in 0..<5 {
                _ = try await wire.transport.send(wire.request(method, body: body))
                wire.host.journal.removeAll()
                wire.host.faults.add(.actedThenLost)
                let error = await failure(wire, wire.request(method, body: body))
                #expect(error?.effect == .unknown)
                #expect(wire.host.journal.count == 1)
            }
        }
    }

    @Test("a slow drip is read to its end", arguments: Carrier.allCases)
    func drip(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            wire.host.faults.add(.drip(.microseconds(100)))
            let text = try await wire.text(wire.request(timeout: .seconds(30)))
            #expect(text.hasPrefix("GET /x"))
        }
    }

    @Test("an answer later than the time-out has an unknown effect, silence too", arguments: Carrier.allCases)
    func timeouts(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            for fault in [Fault.silence, .actedThenLate(.seconds(60))] {
                // The connection is open, so the timeout applies to the response.
                _ = try await wire.transport.send(wire.request())
                wire.host.faults.add(fault)
                let error = await failure(wire, wire.request(timeout: .seconds(2)))
                #expect(error?.kind == .timeout)
                #expect(error?.effect == .unknown)
                #expect(error?.retry == .backoff)
            }
        }
    }

    // MARK: Before the first byte

    @Test("a closed port, a silent handshake, an unknown host: nothing was applied", arguments: Carrier.allCases)
    func notApplied(carrier: Carrier) async throws {
        let closed = SilentPort(isListening: false)
        let silent = SilentPort()
        let transport = try carrier.makeTransport()
        // A program that may choose another vendor must be able to tell this from a late response.
        for url in [
            "https://127.0.0.1:\(closed.port)/", "https://127.0.0.1:\(silent.port)/", "https://nowhere.invalid/",
        ] {
            let error = await #expect(throws: PushError.self) {
                try await transport.send(
                    TransportRequest(
                        method: .post, url: url, body: .json([0x7B, 0x7D]), timeout: .milliseconds(500)))
            }
            #expect(error?.effect == .notApplied, "\(url)")
            #expect(error?.retry == .backoff, "\(url)")
            #expect(error?.kind == .transport, "\(url)")
        }
        await transport.shutdown()
    }

    @Test(
        "a certificate that the system does not trust, and another key than the pinned one, are refused before a byte",
        arguments: Carrier.allCases)
    func trust(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            for (word, configure) in [
                ("not trusted", { $0.caFile = nil }),
                ("pinned", { $0.pinnedPublicKey = Self.otherPin }),
            ] as [(String, (inout CarrierSettings) -> Void)] {
                var settings = CarrierSettings()
                settings.caFile = wire.server.caFile
                configure(&settings)
                let transport = try carrier.makeTransport(settings)
                let error = await #expect(throws: PushError.self) { try await transport.send(wire.request()) }
                #expect(error?.kind == .transport)
                #expect(error?.effect == .notApplied)
                #expect(error?.retry == .never)
                #expect(error?.message.contains(word) == true)
                await transport.shutdown()
            }
            #expect(wire.host.journal.count == 0)
        }
    }

    @Test("the server's key may be one of several that are pinned", arguments: Carrier.allCases)
    func pinned(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            let file = try #require(wire.server.caFile)
            var settings = CarrierSettings()
            settings.caFile = file
            let pin = try Self.pin(ofPEM: String(contentsOfFile: file, encoding: .utf8))
            settings.pinnedPublicKey = "\(Self.otherPin);\(pin)"
            let transport = try carrier.makeTransport(settings)
            #expect(try await transport.send(wire.request()).status == 200)
            await transport.shutdown()
        }
    }

    private static let otherPin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    /// The pin of a certificate's P-256 key: 91 bytes, of which the first 27 are always the same.
    private static func pin(ofPEM text: String) throws -> String {
        let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let certificate = Array(try #require(Data(base64Encoded: base64)))
        let beginning: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let start = try #require(certificate.indices.first { certificate[$0...].starts(with: beginning) })
        let digest = Digests.sha256(Array(certificate[start...].prefix(91)))
        return "sha256//\(Data(digest).base64EncodedString())"
    }

    @Test("settings that cannot work are refused at the start", arguments: Carrier.allCases)
    func settings(carrier: Carrier) {
        for settings in [
            CarrierSettings.with { $0.caFile = "/nowhere/ca.pem" }, .with { $0.userAgent = "a\r\nX: y" },
            .with { $0.pinnedPublicKey = "" }, .with { $0.pinnedPublicKey = "sha256//AAAA" },
            .with { $0.pinnedPublicKey = "AAAA" }, .with { $0.pinnedPublicKey = Self.otherPin + ";x" },
        ] {
            let error = #expect(throws: PushError.self) { try carrier.makeTransport(settings) }
            #expect(error?.kind == .misconfigured)
        }
    }

    @Test(
        "a CA file may begin with a byte-order mark; one in DER is named, with the command", arguments: Carrier.allCases
    )
    func authorityFiles(carrier: Carrier) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        try await Wire.run(carrier) { wire in
            let pem = try String(contentsOfFile: #require(wire.server.caFile), encoding: .utf8)
            let settings = CarrierSettings.with { $0.caFile = file.path }
            try Data(("\u{FEFF}" + pem).utf8).write(to: file)
            let transport = try carrier.makeTransport(settings)
            #expect(try await transport.send(wire.request()).status == 200)
            await transport.shutdown()
            let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
            try #require(Data(base64Encoded: base64)).write(to: file)
            let error = #expect(throws: PushError.self) { try carrier.makeTransport(settings) }
            #expect(error?.kind == .misconfigured && error?.message.contains("openssl x509 -inform DER") == true)
        }
    }

    @Test("over HTTP/2, a proxy and a client certificate that cannot work are refused at the start too")
    func http2Settings() throws {
        let one = try SelfSignedCertificate()
        let other = try SelfSignedCertificate()
        for edit in [
            { $0.proxy = Secret("proxy:3128") },
            { $0.proxy = Secret("https://proxy:3128") }, { $0.proxy = Secret("http://") },
            { $0.clientCertificate = ClientCertificate(chain: "x", key: Secret(one.privateKey)) },
            { $0.clientCertificate = ClientCertificate(chain: one.certificate, key: Secret("x")) },
            { $0.clientCertificate = ClientCertificate(chain: one.certificate, key: Secret(other.privateKey)) },
        ] as [(inout HTTP2Configuration) -> Void] {
            var settings = HTTP2Configuration()
            edit(&settings)
            let error = #expect(throws: PushError.self) { try HTTP2Transport(settings) }
            #expect(error?.kind == .misconfigured)
            #expect(error?.message.contains("PRIVATE KEY") == false)
        }
        var settings = HTTP2Configuration()
        settings.clientCertificate = ClientCertificate(chain: one.certificate, key: Secret(one.privateKey))
        _ = try HTTP2Transport(settings)
    }

    @Test("a configuration prints and dumps nothing of a proxy's credentials, nor of a client's key")
    func secrecy() {
        let curl = CurlConfiguration.with { $0.proxy = Secret("http://user:hunter2hunter2@proxy:3128") }
        var http2 = HTTP2Configuration()
        http2.proxy = Secret("http://user:hunter2hunter2@proxy:3128")
        http2.clientCertificate = ClientCertificate(chain: "chain", key: Secret("hunter2hunter2"))
        for settings in [curl, http2] as [Any] {
            var dumped = ""
            dump(settings, to: &dumped)
            #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("hunter2"))
        }
    }

    @Test("proxy variables of the environment are not read")
    func environment() async {
        // Runs in its own process, because all tests share the environment.
        await #expect(processExitsWith: .success) {
            setenv("https_proxy", "http://127.0.0.1:9", 1)
            setenv("all_proxy", "http://127.0.0.1:9", 1)
            for carrier in Carrier.allCases {
                try await Wire.run(carrier) { wire in
                    guard try await wire.transport.send(wire.request()).status == 200 else { fatalError("no answer") }
                }
            }
        }
    }

    @Test("a configured proxy is used", arguments: Carrier.allCases)
    func proxy(carrier: Carrier) async throws {
        let closed = SilentPort(isListening: false)
        let settings = CarrierSettings.with { $0.proxy = Secret("http://127.0.0.1:\(closed.port)") }
        try await Wire.run(carrier, settings: settings) { wire in
            let error = await failure(wire, wire.request())
            #expect(error?.kind == .transport)
            #expect(error?.effect == .notApplied)
            // Unencrypted requests must not go through the proxy.
            let plain = TransportRequest(
                method: .get, url: "http://localhost:1/", timeout: .seconds(5))
            #expect(await failure(wire, plain)?.kind == .invalidArgument)
        }
    }

    // MARK: Many at once

    @Test(
        "no more requests are in flight than configured, and all are answered",
        arguments: Carrier.allCases)
    func backPressure(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 4 }) { wire in
            #expect(wire.transport.concurrency == 4)
            wire.echo.isHolding.withLock { $0 = true }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<60 { group.addTask { try await wire.transport.send(wire.request()).status } }
                await until { wire.echo.running.withLock { $0.now } == 4 }
                wire.echo.isHolding.withLock { $0 = false }
                for try await status in group { #expect(status == 200) }
            }
            #expect(wire.echo.running.withLock { $0.most } == 4)
        }
    }

    @Test("settings beyond all measure trap nowhere", arguments: Carrier.allCases)
    func hugeSettings(carrier: Carrier) async throws {
        let settings = CarrierSettings.with {
            ($0.maxInFlight, $0.maxResponseBytes, $0.maxHeaderBytes) = (.max, .max, .max)
            $0.durations = .seconds(Int64.max)
        }
        try await Wire.run(carrier, settings: settings) { wire in
            let answer = try await wire.transport.send(wire.request())
            #expect(answer.status == 200)
            wire.echo.isHolding.withLock { $0 = true }
            #expect(await failure(wire, wire.request(timeout: .milliseconds(100)))?.kind == .timeout)
            wire.echo.isHolding.withLock { $0 = false }
        }
    }

    @Test("everyone who waits for a place is answered in time, whoever stands before them", arguments: Carrier.allCases)
    func waitingBehindOthers(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .holdable) { wire in
            wire.echo.isHolding.withLock { $0 = true }
            let first = Task { try await wire.transport.send(wire.request(timeout: .seconds(300))) }
            await until { wire.echo.running.withLock { $0.now } != 0 }
            let isPatientDone = Locked(false)
            let patient = Task {
                defer { isPatientDone.withLock { $0 = true } }
                return try await wire.transport.send(wire.request(timeout: .seconds(Int64.max)))
            }
            for _ in 0..<10 { await Task.yield() }
            let error = await failure(wire, wire.request(timeout: .milliseconds(100)))
            #expect(error?.kind == .timeout)
            // The request before it has not ended yet.
            #expect(!isPatientDone.withLock { $0 })
            wire.echo.isHolding.withLock { $0 = false }
            let answers = [try await first.value.status, try await patient.value.status]
            #expect(answers == [200, 200])
        }
    }

    @Test(
        "a caller who waits for a place longer than its time-out learns that nothing was sent",
        arguments: Carrier.allCases)
    func waitingTimeout(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .holdable) { wire in
            wire.echo.isHolding.withLock { $0 = true }
            let first = Task { try await wire.transport.send(wire.request(timeout: .seconds(300))) }
            await until { wire.echo.running.withLock { $0.now } != 0 }
            let error = await failure(wire, wire.request(timeout: .milliseconds(200)))
            #expect(error?.kind == .timeout)
            #expect(error?.effect == .notApplied)
            wire.echo.isHolding.withLock { $0 = false }
            let answer = try await first.value
            #expect(answer.status == 200)
        }
    }

    // MARK: Cancellation and shutdown

    @Test("cancelling ends a request at once, whether it waits, runs or has not begun", arguments: Carrier.allCases)
    func cancellation(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 1 }) { wire in
            wire.host.faults.add(.silence)
            let running = Task { try await wire.transport.send(wire.request(timeout: .seconds(50))) }
            await until { wire.host.journal.count != 0 }
            let waiting = Task { try await wire.transport.send(wire.request(timeout: .seconds(50))) }
            let early = Task {
                await untilCancelled()
                return try await wire.transport.send(wire.request(timeout: .seconds(50)))
            }
            for task in [early, waiting, running] { task.cancel() }
            for (task, effect) in [(early, PushError.Effect.notApplied), (waiting, .notApplied), (running, .unknown)] {
                let error = await #expect(throws: PushError.self) { try await task.value }
                #expect(error?.kind == .cancelled)
                #expect(error?.effect == effect)
            }
            #expect(wire.host.journal.count == 1)
        }
    }

    // MARK: The executor

    @Test(
        "tasks that prefer the transport's executor run on its thread, and elsewhere after a shutdown",
        arguments: Carrier.allCases)
    func executor(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 8 }) { wire in
            @Sendable func thread() -> UInt { UInt(bitPattern: pthread_self().hashValue) }
            let threads = try await withThrowingTaskGroup(of: UInt.self) { group in
                for number in 0..<100 {
                    group.addTask(executorPreference: wire.transport.executor) {
                        let before = thread()
                        let text = try await wire.text(wire.request(.get, "/\(number)"))
                        #expect(text.hasPrefix("GET /\(number)?"))
                        #expect(thread() == before)
                        return before
                    }
                }
                return try await group.reduce(into: Set<UInt>()) { $0.insert($1) }
            }
            #expect(threads.count == 1)
            #expect(!threads.contains(thread()))

            wire.host.faults.add(.silence, times: 1)
            let pending = Task(executorPreference: wire.transport.executor) {
                await failure(wire, wire.request(timeout: .seconds(50)))?.kind
            }
            await until { wire.host.journal.count >= 101 }
            await wire.transport.shutdown()
            #expect(await pending.value == .cancelled)
            let late = Task(executorPreference: wire.transport.executor) {
                await failure(wire, wire.request())?.kind == .stopped ? thread() : 0
            }
            #expect(!threads.contains(await late.value))
            #expect(await late.value != 0)
        }
    }

    @Test("a shutdown from a task on the transport's own thread ends", arguments: Carrier.allCases)
    func shutdownFromWithin(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            await withTaskExecutorPreference(wire.transport.executor) {
                _ = try? await wire.text(wire.request())
                await wire.transport.shutdown()
            }
            #expect(await failure(wire, wire.request())?.kind == .stopped)
        }
    }

    @Test("cancelled tasks on the transport's own thread are answered", arguments: Carrier.allCases)
    func cancelledOnExecutor(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 2 }) { wire in
            // This includes tasks that take the place of a cancelled one before they are cancelled themselves.
            wire.host.faults.add(.silence, times: 6)
            let tasks = (0..<6).map { _ in
                Task(executorPreference: wire.transport.executor) {
                    await failure(wire, wire.request(timeout: .seconds(50)))?.kind
                }
            }
            await until { wire.host.journal.count >= 2 }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value == .cancelled) }
        }
    }

    @Test("shutdown answers everyone, and a call after it is refused", arguments: Carrier.allCases)
    func shutdown(carrier: Carrier) async throws {
        try await Wire.run(carrier, settings: .with { $0.maxInFlight = 2 }) { wire in
            wire.host.faults.add(.silence, times: 2)
            let tasks = (0..<10).map { _ in Task { try await wire.transport.send(wire.request(timeout: .seconds(50))) }
            }
            await until { wire.host.journal.count >= 2 }
            await wire.transport.shutdown()
            for task in tasks {
                let error = await #expect(throws: PushError.self) { try await task.value }
                #expect(error?.kind == .cancelled || error?.kind == .stopped)
            }
            #expect(await failure(wire, wire.request())?.kind == .stopped)
            await wire.transport.shutdown()
            for _ in 0..<50 {
                let transport = try carrier.makeTransport()
                async let first: Void = transport.shutdown()
                async let second: Void = transport.shutdown()
                _ = await (first, second)
            }
        }
    }

    @Test("transports that come and go leave no descriptor and no thread behind")
    func noLeaks() async throws {
        // Runs in its own process, so that no other test opens descriptors.
        await #expect(processExitsWith: .success) {
            @Sendable func count(_ folder: String) -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
            }
            for carrier in Carrier.allCases {
                try await Wire.run(carrier) { wire in
                    func useTransports(_ number: Int) async throws {
                        for _ in 0..<number {
                            var settings = CarrierSettings()
                            settings.caFile = wire.server.caFile
                            let transport = try carrier.makeTransport(settings)
                            _ = try await transport.send(wire.request())
                            await transport.shutdown()
                        }
                    }
                    try await useTransports(3)
                    let before = (files: count("/proc/self/fd"), threads: count("/proc/self/task"))
                    try await useTransports(30)
                    // The server and detached threads end shortly after their clients.
                    let end = ContinuousClock.now + .seconds(120)
                    while count("/proc/self/fd") > before.files + 4 || count("/proc/self/task") > before.threads + 4 {
                        guard ContinuousClock.now < end else { fatalError("\(carrier) left something behind") }
                        await Task.yield()
                    }
                }
            }
        }
    }

    @Test("a transport that nobody shuts down ends with its last reference", arguments: Carrier.allCases)
    func released(carrier: Carrier) async throws {
        try await Wire.run(carrier) { wire in
            weak var reference: (any CarrierTransport)?
            do {
                var settings = CarrierSettings()
                settings.caFile = wire.server.caFile
                let transport = try carrier.makeTransport(settings)
                reference = transport
                _ = try await transport.send(wire.request())
            }
            #expect(reference == nil)
        }
    }

    // MARK: The connections of HTTP/2

    @Test("requests of one group share a connection, and no other group's")
    func groups() async throws {
        try await Wire.run(.http2) { wire in
            var numbers: [String?: Set<Int>] = [:]
            for group in ["a", "b", nil, "b", "a", nil] as [String?] {
                var request = wire.request()
                request.connectionGroup = group
                let number = try #require(try await wire.transport.send(request).connection)
                numbers[group, default: []].insert(number)
            }
            #expect(numbers.values.allSatisfy { $0.count == 1 })
            #expect(Set(numbers.values).count == 3)
        }
    }

    @Test("a retired connection finishes what it carries and takes nothing new")
    func retired() async throws {
        try await Wire.run(.http2) { wire in
            let transport = try #require(wire.transport as? HTTP2Transport)
            let old = try #require(try await transport.send(wire.request()).connection)
            wire.echo.isHolding.withLock { $0 = true }
            let running = Task { try await transport.send(wire.request(timeout: .seconds(300))).connection }
            await until { wire.echo.running.withLock { $0.now } == 1 }
            transport.retire(old)
            let next = Task { try await transport.send(wire.request(timeout: .seconds(300))).connection }
            await until { wire.echo.running.withLock { $0.now } == 2 }
            wire.echo.isHolding.withLock { $0 = false }
            let connections = [try await running.value, try await next.value]
            #expect(connections[0] == old)
            #expect(connections[1] != nil && connections[1] != old)
            #expect(wire.host.journal.count == 3)
        }
    }
}
