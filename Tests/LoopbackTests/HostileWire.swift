import Foundation
import HostileServer
import PushAdapter
import PushCrypto
import PushHTTP2
import Testing

/// A hostile HTTP/2 server, a transport that trusts it, and the server's log.
struct HostileWire: Sendable {
    let server: HostileServer
    let transport: HTTP2Transport
    let origin: String
    let journal: HTTP2Journal
    private let requests = Locked(0)

    typealias Script = @Sendable (_ http2: HostileHTTP2, _ connection: Int) -> Void

    static let certificate = try? SelfSignedCertificate()

    /// Runs a script for each connection, numbered from 1. Whatever the test is about, at the end the client must have
    /// broken no rule and sent no request twice.
    static func run(
        _ settings: HTTP2Configuration = .patient(), greeting: HostileHTTP2.Settings = [(.window, 0x7FFF_FFFF)],
        window: Int = 0x3FFF_FFFF, _ script: @escaping Script, _ body: (HostileWire) async throws -> Void
    ) async throws {
        let journal = HTTP2Journal()
        let accepted = Locked(0)
        try await raw(settings, journal: journal) { connection in
            let number = accepted.withLock { count in
                count += 1
                return count
            }
            let http2 = HostileHTTP2(
                connection, settings: greeting, window: window, journal: journal, number: number)
            if let http2 { script(http2, number) }
        } _: { (wire) async throws in
            try await body(wire)
        }
    }

    /// Runs the script for the very first request, and echoes all others.
    static func runOnce(
        _ settings: HTTP2Configuration = .patient(), greeting: HostileHTTP2.Settings = [(.window, 0x7FFF_FFFF)],
        window: Int = 0x3FFF_FFFF,
        _ script: @escaping @Sendable (_ http2: HostileHTTP2, _ request: HostileHTTP2.Request) -> Void,
        _ body: (HostileWire) async throws -> Void
    ) async throws {
        let isFirst = Locked(true)
        try await run(settings, greeting: greeting, window: window) { http2, _ in
            while let request = http2.request() {
                let isHere = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isHere { script(http2, request) } else { http2.echo(request) }
            }
        } _: { (wire) async throws in
            try await body(wire)
        }
    }

    /// Runs a script that handles everything below HTTP/2 itself.
    ///
    /// - Parameters:
    ///   - security: the server's security; by default a good certificate and HTTP/2.
    ///   - authority: the certificate that the transport trusts, in PEM form; by default the good one.
    static func raw(
        _ settings: HTTP2Configuration = .patient(), security: HostileServer.Security? = nil,
        authority: String? = nil, host: String = "localhost", journal: HTTP2Journal = HTTP2Journal(),
        _ script: @escaping HostileServer.Script, _ body: (HostileWire) async throws -> Void
    ) async throws {
        let certificate = try #require(Self.certificate)
        let standard = HostileServer.Security.tls(
            certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"])
        let server = try HostileServer(security ?? standard, script)
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).pem")
        try Data((authority ?? certificate.certificate).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var settings = settings
        settings.caFile = file.path
        let transport = try HTTP2Transport(settings)
        try await body(
            HostileWire(
                server: server, transport: transport, origin: "https://\(host):\(server.port)", journal: journal))
        await transport.shutdown()
        #expect(journal.violations.isEmpty, "\(journal.violations)")
        #expect(Set(journal.paths).count == journal.paths.count, "a request was sent twice")
    }

    /// A request with its own path.
    func request(
        _ method: HTTPRequest.Method = .post, _ path: String? = nil, body: String = "{}", seconds: Int = 15,
        group: String? = nil
    ) -> TransportRequest {
        let number = requests.withLock { count in
            count += 1
            return count
        }
        var request = TransportRequest(
            method: method, url: origin + (path ?? "/\(number)"),
            body: method == .post ? .json(Array(body.utf8)) : .none, timeout: .seconds(seconds))
        request.connectionGroup = group
        return request
    }

    func failure(
        _ request: TransportRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> PushError? {
        await #expect(throws: PushError.self, sourceLocation: sourceLocation) { try await transport.send(request) }
    }

    func text(_ request: TransportRequest) async throws -> String {
        String(decoding: try await transport.send(request).body, as: UTF8.self)
    }

    /// Sends a request and expects its own path in the response. Returns the number of the connection.
    @discardableResult
    func echo(
        _ request: TransportRequest? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(PushError) -> Int? {
        let request = request ?? self.request()
        let response = try await transport.send(request)
        let path = String(request.url.dropFirst(origin.count))
        #expect(response.status == 200, sourceLocation: sourceLocation)
        #expect(String(decoding: response.body, as: UTF8.self) == path, sourceLocation: sourceLocation)
        return response.connection
    }

    /// Sends this many requests at once.
    func echoes(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try await echo() } }
            try await group.waitForAll()
        }
    }

    /// Sends this many requests at once. Returns the outcome of each; nil is a response.
    func outcomes(_ count: Int) async -> [PushError?] {
        await withTaskGroup(of: PushError?.self) { group in
            for _ in 0..<count {
                group.addTask { () async -> PushError? in
                    do throws(PushError) {
                        try await echo()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var outcomes: [PushError?] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }
}

extension HTTP2Configuration {
    /// Timeouts that a busy machine does not reach, with a change.
    static func patient(_ edit: (inout HTTP2Configuration) -> Void = { _ in }) -> HTTP2Configuration {
        var settings = HTTP2Configuration()
        settings.connectTimeout = .seconds(30)
        settings.pingInterval = .seconds(120)
        settings.pingTimeout = .seconds(30)
        edit(&settings)
        return settings
    }
}
