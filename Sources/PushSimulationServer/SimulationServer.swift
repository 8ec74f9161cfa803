import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
public import PushCore
import PushCrypto
import PushCurl
public import PushSimulation

/// Serves a simulator to real sockets on this machine: HTTPS with HTTP/1.1 and HTTP/2, or plain HTTP/1.1.
///
/// It listens on 127.0.0.1 only, by default on any free port, with a certificate created at the start.
public struct SimulationServer: Sendable {
    /// Whether connections are encrypted.
    public enum Security: Sendable {
        /// HTTPS, with HTTP/1.1 and HTTP/2.
        case tls
        /// HTTP/1.1 without encryption.
        case plain
    }

    /// `https://localhost:41234`.
    public let origin: String
    /// The PEM file that clients trust; nil for plain HTTP. The file is deleted when the server stops.
    public let caFile: String?

    /// Runs a server while `body` runs, and always stops it afterwards.
    ///
    /// Throws `invalidState` if it cannot get a port or create a certificate.
    /// - Parameters:
    ///   - host: the simulator.
    ///   - security: TLS, or none.
    ///   - port: 0 for any free port.
    ///   - body: what runs while the server does.
    public static func withServer<Result: Sendable>(
        _ host: SimulatorHost, security: Security = .tls, port: Int = 0,
        _ body: @Sendable (SimulationServer) async throws -> Result
    ) async throws -> Result {
        try await withServers([host], security: security, port: port) { servers in try await body(servers[0]) }
    }

    /// Runs a server for each host, each on its own port, with one certificate: the data centers of a vendor.
    ///
    /// Throws `invalidState` if it cannot get a port or create a certificate.
    /// - Parameters:
    ///   - hosts: the simulators.
    ///   - security: TLS, or none.
    ///   - port: the port of the first server, the others follow; 0 for any free ports.
    ///   - body: what runs while the servers do; gets the servers in the order of the hosts.
    public static func withServers<Result: Sendable>(
        _ hosts: [SimulatorHost], security: Security = .tls, port: Int = 0,
        _ body: @Sendable ([SimulationServer]) async throws -> Result
    ) async throws -> Result {
        let certificate = security == .tls ? try SelfSignedCertificate() : nil
        let caFile = try certificate.map { try TemporaryFile($0.certificate) }
        defer { caFile?.remove() }
        return try await serve(hosts[...], certificate, caFile?.path, port: port, [], body)
    }

    /// Runs the servers one inside the other.
    private static func serve<Result: Sendable>(
        _ hosts: ArraySlice<SimulatorHost>, _ certificate: SelfSignedCertificate?, _ caFile: String?, port: Int,
        _ running: [SimulationServer], _ body: @Sendable ([SimulationServer]) async throws -> Result
    ) async throws -> Result {
        guard let host = hosts.first else { return try await body(running) }
        return try await serve(host, certificate, caFile, port: port) { server in
            try await serve(
                hosts.dropFirst(), certificate, caFile, port: port == 0 ? 0 : port + 1, running + [server], body)
        }
    }

    private static func serve<Result: Sendable>(
        _ host: SimulatorHost, _ certificate: SelfSignedCertificate?, _ caFile: String?, port: Int,
        _ body: @Sendable (SimulationServer) async throws -> Result
    ) async throws -> Result {
        let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
        let connections = OpenConnections()
        let application = Application(
            responder: SimulatorResponder(host: host),
            server: try builder(certificate, connections),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { channel in portFound.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() })
        let server = Task {
            defer { portFound.finish() }
            try await application.run()
        }
        // In its own task, so that it finishes even if the caller was cancelled.
        func stop() async {
            let stopping = Task {
                connections.close()
                await connections.drain(upTo: .seconds(2))
                connections.breakAll()
                // Under load, the server may take a while to handle a connection that it accepted.
                await connections.settle(upTo: .seconds(30))
                await connections.drain(upTo: .milliseconds(500))
                server.cancel()
                _ = await server.result
            }
            await stopping.value
        }
        guard let port = await ports.first(where: { _ in true }) else {
            await stop()
            try Task.checkCancellation()
            throw PushError(
                .invalidState, "the simulator cannot listen on port \(port) of this machine; is the port in use?")
        }
        let origin = "\(certificate == nil ? "http" : "https")://localhost:\(port)"
        do {
            let result = try await body(SimulationServer(origin: origin, caFile: caFile))
            await stop()
            return result
        } catch {
            await stop()
            throw error
        }
    }

    /// Runs a server over TLS and gives `body` its origin and a transport that trusts it; shuts both down afterwards.
    public static func withTransport(
        to host: SimulatorHost, _ body: @Sendable (_ origin: String, any HTTPTransport) async throws -> Void
    ) async throws {
        try await withServer(host) { server in
            var configuration = CurlConfiguration()
            configuration.caFile = server.caFile
            let transport = try CurlTransport(configuration)
            let result: Result<Void, any Error>
            do { result = .success(try await body(server.origin, transport)) } catch { result = .failure(error) }
            await transport.shutdown()
            try result.get()
        }
    }

    private static func builder(
        _ certificate: SelfSignedCertificate?, _ connections: OpenConnections
    ) throws -> HTTPServerBuilder {
        let http1 = HTTP1Channel.Configuration(additionalChannelHandlers: [ContinueHandler()])
        guard let certificate else {
            return HTTPServerBuilder { responder in
                TrackedChannel(base: HTTP1Channel(responder: responder, configuration: http1), connections: connections)
            }
        }
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKey.utf8), format: .pem)
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        return HTTPServerBuilder { responder in
            let upgrade = try HTTP2UpgradeChannel(
                tlsConfiguration: tls, configuration: HTTP2ChannelConfiguration(streamConfiguration: http1),
                responder: responder)
            return TrackedChannel(base: upgrade, connections: connections)
        }
    }
}
