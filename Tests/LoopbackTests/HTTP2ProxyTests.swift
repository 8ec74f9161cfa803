import Foundation
import HostileServer
import PushAdapter
import PushCrypto
import PushHTTP2
import Testing

/// Proxies, friendly and hostile, in front of a server.
@Suite("HTTP/2 transport, proxies", .timeLimit(.minutes(5)))
struct HTTP2ProxyTests {
    /// Runs a server behind a proxy. The script decides how the proxy handles each `CONNECT`.
    private func with(
        credentials: String = "", settings: HTTP2Configuration = .patient(),
        _ script: @escaping @Sendable (_ connection: HostileConnection, _ head: HostileConnection.Request) -> Void,
        _ body: (HostileWire) async throws -> Void
    ) async throws {
        let proxy = try HostileServer { connection in
            if let head = connection.head() { script(connection, head) }
        }
        defer { proxy.stop() }
        var settings = settings
        settings.proxy = Secret("http://\(credentials)127.0.0.1:\(proxy.port)")
        try await HostileWire.run(settings) { http2, _ in
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await body(wire)
        }
    }

    /// The port in a `CONNECT`.
    private static func port(_ head: HostileConnection.Request) -> Int {
        head.target.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    // MARK: Success

    /// The responses with which a proxy opens the tunnel.
    private static let openings = [
        "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 200 \r\n\r\n",
        "HTTP/1.1 200 OK\r\nVia: 1.1 proxy\r\nX-Long: \(String(repeating: "a", count: 8_000))\r\n\r\n",
    ]

    @Test("requests go through a proxy, which learns the server's name and nothing else", arguments: Self.openings)
    func works(opening: String) async throws {
        let heads = Locked<[HostileConnection.Request]>([])
        try await with { connection, head in
            heads.withLock { $0.append(head) }
            connection.write(opening)
            connection.tunnel(to: Self.port(head))
        } _: { (wire) async throws in
            var request = wire.request()
            request.headers[.authorization] = "Basic abc"
            try await wire.echo(request)
            try await wire.echoes(20)
            let all = heads.withLock { $0 }
            let head = try #require(all.first)
            #expect(all.count == 1 && head.method == "CONNECT")
            #expect(head.target == "localhost:\(wire.server.port)" && head.header("host") == head.target)
            #expect(head.header("proxy-authorization") == nil && head.header("authorization") == nil)
        }
    }

    @Test(
        "a proxy gets its credentials, and the server does not",
        arguments: [("user:hunter2", "user:hunter2"), ("us%40er:p%3Ass%2F", "us@er:p:ss/"), ("user:", "user:")])
    func credentials(written: String, meant: String) async throws {
        let heads = Locked<[HostileConnection.Request]>([])
        try await with(credentials: written + "@") { connection, head in
            heads.withLock { $0.append(head) }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.tunnel(to: Self.port(head))
        } _: { (wire) async throws in
            try await wire.echo()
            let basic = "Basic " + Data(meant.utf8).base64EncodedString()
            #expect(heads.withLock { $0.map { $0.header("proxy-authorization") } } == [basic])
            #expect(wire.journal.heads.allSatisfy { $0.request.header("proxy-authorization") == nil })
        }
    }

    @Test("a proxy may write its response one byte at a time")
    func byteByByte() async throws {
        try await with { connection, head in
            for byte in "HTTP/1.1 200 OK\r\nVia: 1.1 proxy\r\n\r\n".utf8 { connection.write([byte]) }
            connection.tunnel(to: Self.port(head))
        } _: { (wire) async throws in
            try await wire.echo()
        }
    }

    // MARK: Failure

    /// A proxy's response that refuses the tunnel.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// Whether the proxy closes then, or waits for the client.
        var isEnd = false
    }

    private static let refusals: [Refusal] = [
        Refusal(
            testDescription: "407",
            text: "HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"),
        Refusal(testDescription: "403 with a page", text: "HTTP/1.1 403 x\r\nContent-Length: 5\r\n\r\nsorry"),
        Refusal(testDescription: "502", text: "HTTP/1.1 502 x\r\nContent-Length: 0\r\n\r\n", isEnd: true),
        Refusal(testDescription: "a redirect", text: "HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\n\r\n"),
        Refusal(testDescription: "an interim response and an end", text: "HTTP/1.1 100 x\r\n\r\n", isEnd: true),
        Refusal(testDescription: "no status", text: "HTTP/1.1 OK\r\n\r\n"),
        Refusal(testDescription: "HTTP/2", text: "HTTP/2 200 OK\r\n\r\n"),
        Refusal(testDescription: "another protocol", text: "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
        Refusal(testDescription: "noise", text: "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", isEnd: true),
        Refusal(testDescription: "an end", text: "", isEnd: true),
        Refusal(testDescription: "an end within the header", text: "HTTP/1.1 200 OK\r\nVia: x\r\n", isEnd: true),
        Refusal(testDescription: "silence", text: ""),
        Refusal(testDescription: "silence within the header", text: "HTTP/1.1 200 OK\r\nVia: x\r\n"),
        Refusal(
            testDescription: "a header of 64 kilobytes",
            text: "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "a", count: 64 << 10))\r\n\r\n"),
    ]

    @Test("when a proxy opens no way, it gets no byte more, and nothing was applied", arguments: Self.refusals)
    func eachRefusal(refusal: Refusal) async throws {
        let more = Locked<[UInt8]>([])
        let settings = HTTP2Configuration.patient { $0.connectTimeout = .seconds(2) }
        try await with(credentials: "user:hunter2@", settings: settings) { connection, _ in
            connection.write(refusal.text)
            while !refusal.isEnd, let bytes = connection.read() { more.withLock { $0 += bytes } }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(seconds: 10))
            #expect(error?.effect == .notApplied)
            let text = "\(String(describing: error)) \(error?.message ?? "")"
            #expect(!text.contains("hunter2") && !text.contains("dXNlcjpodW50ZXIy"))
            await wire.transport.shutdown()
            #expect(wire.server.connections == 0)
            #expect(more.withLock { $0.isEmpty })
        }
    }

    @Test(
        "a way that leads nowhere: the proxy gets the beginning of a handshake, and nothing was applied",
        arguments: ["", "sorry", "HTTP/1.1 200 OK\r\n\r\n", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}"], [false, true])
    func nowhere(text: String, isEnd: Bool) async throws {
        let more = Locked<[UInt8]>([])
        let settings = HTTP2Configuration.patient { $0.connectTimeout = .seconds(2) }
        try await with(settings: settings) { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\n\r\n\(text)")
            while !isEnd, let bytes = connection.read() { more.withLock { $0 += bytes } }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(.post, "/secret-path", seconds: 10))
            #expect(error?.effect == .notApplied)
            await wire.transport.shutdown()
            #expect(wire.server.connections == 0)
            let bytes = more.withLock { $0 }
            // At most a handshake record. It names the host but does not contain the request.
            #expect(bytes.isEmpty || bytes.starts(with: [22, 3]))
            #expect(bytes.firstRange(of: Array("secret-path".utf8)) == nil)
        }
    }

    @Test("a proxy that cannot be reached is no way")
    func unreachable() async throws {
        let closed = SilentPort(isListening: false)
        try await HostileWire.run(.patient { $0.proxy = Secret("http://127.0.0.1:\(closed.port)") }) { http2, _ in
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(seconds: 5))
            #expect(error?.kind == .transport && error?.effect == .notApplied)
            #expect(wire.server.connections == 0)
        }
    }

    @Test("a proxy has no certificate: the server behind it must have the right one")
    func otherServer() async throws {
        let certificate = try SelfSignedCertificate()
        let arrived = Locked(0)
        let other = try HostileServer(
            .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"])
        ) { connection in
            if connection.read() != nil { arrived.withLock { $0 += 1 } }
        }
        defer { other.stop() }
        let port = other.port
        try await with { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.tunnel(to: port)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.effect == .notApplied && error?.retry == .never)
            #expect(error?.message.contains("not trusted") == true)
            #expect(arrived.withLock { $0 } == 0)
        }
    }
}
