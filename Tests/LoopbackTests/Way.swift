import Foundation
import HostileServer
import PushAdapter
import PushCrypto
import Testing

/// A path to a server, with a flaw.
enum Way: Sendable {
    case address(String)
    /// A closed port.
    case closed
    /// A port that accepts connections and sends nothing.
    case silent
    /// A server without TLS. It answers the first bytes with a text, or ends the connection.
    case plain(String)
    /// A server with TLS.
    case tls(@Sendable (inout Server) -> Void)
    case unknownProxy
    case closedProxy
    /// A proxy's response to CONNECT, and whether it then closes the connection.
    case proxy(String, isEnd: Bool = false)
    /// A working proxy with a server behind it.
    case tunnel(@Sendable (inout Server) -> Void)

    /// A server's certificate and protocol; by default without a flaw.
    struct Server: Sendable {
        var names = ["localhost", "127.0.0.1"]
        var subject = "PushBridge test"
        var start: Duration = .seconds(-3_600)
        var lifetime: Duration = .seconds(3_600)
        var isTrusted = true
        var isPinned = true
        var protocols = ["h2", "http/1.1"]
        var options = TLSOptions()
    }
}

/// The start of a path, and the transport that uses it.
struct Place: Sendable {
    let transport: any CarrierTransport
    let origin: String
    private let arrivals: Locked<Int>

    init(transport: any CarrierTransport, origin: String, _ arrivals: Locked<Int> = Locked(0)) {
        self.transport = transport
        self.origin = origin
        self.arrivals = arrivals
    }

    /// The number of connections that brought a request to the server.
    var arrived: Int { arrivals.withLock { $0 } }

    func failure(sourceLocation: SourceLocation = #_sourceLocation) async -> PushError? {
        let request = TransportRequest(
            method: .post, url: origin + "/x", body: .json([0x7B, 0x7D]), timeout: .seconds(180))
        return await #expect(throws: PushError.self, sourceLocation: sourceLocation) {
            try await transport.send(request)
        }
    }
}

extension Way {
    typealias Body = (Place) async throws -> Void

    func run(_ carrier: Carrier, _ body: Body) async throws {
        var settings = CarrierSettings.with { $0.connectTimeout = .seconds(150) }
        switch self {
        case .address(let origin): try await Self.go(carrier, settings, to: origin, body)
        case .closed:
            let port = SilentPort(isListening: false)
            try await Self.go(carrier, settings, to: "https://127.0.0.1:\(port.port)", body)
        case .silent:
            let port = SilentPort()
            settings.connectTimeout = .milliseconds(300)
            try await Self.go(carrier, settings, to: "https://127.0.0.1:\(port.port)", body)
        case .plain(let text):
            let server = try HostileServer { connection in
                guard connection.read() != nil, !text.isEmpty else { return }
                connection.write(text)
                _ = connection.read()
            }
            defer { server.stop() }
            try await Self.go(carrier, settings, to: "https://127.0.0.1:\(server.port)", body)
        case .tls(let edit): try await Self.run(carrier, settings, edit, body)
        case .unknownProxy:
            settings.proxy = Secret("http://nowhere.invalid:3128")
            try await Self.go(carrier, settings, to: "https://127.0.0.1:1", body)
        case .closedProxy:
            let port = SilentPort(isListening: false)
            settings.proxy = Secret("http://127.0.0.1:\(port.port)")
            try await Self.go(carrier, settings, to: "https://127.0.0.1:1", body)
        case .proxy(let text, let isEnd):
            let proxy = try HostileServer { connection in
                guard connection.head() != nil else { return }
                connection.write(text)
                if !isEnd { _ = connection.read() }
            }
            defer { proxy.stop() }
            settings.proxy = Secret("http://user:hunter2@127.0.0.1:\(proxy.port)")
            try await Self.go(carrier, settings, to: "https://127.0.0.1:1", body)
        case .tunnel(let edit):
            let proxy = try HostileServer { connection in
                guard let head = connection.head() else { return }
                connection.write("HTTP/1.1 200 OK\r\n\r\n")
                connection.tunnel(to: head.target.split(separator: ":").last.flatMap { Int($0) } ?? 0)
            }
            defer { proxy.stop() }
            settings.proxy = Secret("http://127.0.0.1:\(proxy.port)")
            try await Self.run(carrier, settings, edit, body)
        }
    }

    private static func go(
        _ carrier: Carrier, _ settings: CarrierSettings, to origin: String, _ body: Body
    ) async throws {
        let transport = try carrier.makeTransport(settings)
        try await body(Place(transport: transport, origin: origin))
        await transport.shutdown()
    }

    /// Runs a server with TLS.
    private static func run(
        _ carrier: Carrier, _ settings: CarrierSettings, _ edit: (inout Server) -> Void, _ body: Body
    ) async throws {
        var facts = Server()
        edit(&facts)
        let certificate = try SelfSignedCertificate(
            names: facts.names, subject: facts.subject, start: facts.start, lifetime: facts.lifetime)
        let authority = facts.isTrusted ? certificate : try SelfSignedCertificate(subject: "another authority")
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).pem")
        try Data(authority.certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var settings = settings
        settings.caFile = file.path
        if !facts.isPinned {
            settings.pinnedPublicKey = HostileServer.pin(ofPEM: try SelfSignedCertificate().certificate)
        }
        let arrivals = Locked(0)
        let server = try HostileServer(
            .tls(
                certificate: certificate.certificate, key: certificate.privateKey, protocols: facts.protocols,
                options: facts.options)
        ) { connection in
            if connection.read() != nil { arrivals.withLock { $0 += 1 } }
        }
        defer { server.stop() }
        let transport = try carrier.makeTransport(settings)
        try await body(Place(transport: transport, origin: "https://localhost:\(server.port)", arrivals))
        await transport.shutdown()
    }
}
