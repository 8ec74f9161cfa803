import PushAdapter
import PushCrypto
public import PushSimulation

/// Serves a simulator to real sockets on this machine: HTTPS with HTTP/1.1 and HTTP/2, or plain HTTP/1.1.
///
/// It listens on 127.0.0.1 only, by default on any free port, with a certificate created at the start. An
/// `HTTP2Simulator` is served over HTTPS with HTTP/2 only; its clients may show a certificate, and any will do.
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
    /// Throws `invalidState` if it cannot get a port or create a certificate, and `invalidArgument` for an
    /// `HTTP2Simulator` without TLS.
    /// - Parameters:
    ///   - host: the simulator.
    ///   - security: TLS, or none.
    ///   - port: 0 for any free port.
    ///   - body: runs while the server runs.
    public static func withServer<Result: Sendable>(
        _ host: SimulatorHost, security: Security = .tls, port: Int = 0,
        _ body: @Sendable (SimulationServer) async throws -> Result
    ) async throws -> Result {
        try await withServers([host], security: security, port: port) { servers in try await body(servers[0]) }
    }

    /// Runs a server for each host, each on its own port, with one certificate: the data centers of a vendor.
    ///
    /// Throws `invalidState` if it cannot get a port or create a certificate, and `invalidArgument` for an
    /// `HTTP2Simulator` without TLS.
    /// - Parameters:
    ///   - hosts: the simulators.
    ///   - security: TLS, or none.
    ///   - port: the port of the first server, the others follow; 0 for any free ports.
    ///   - body: runs while the servers run; gets the servers in the order of the hosts.
    public static func withServers<Result: Sendable>(
        _ hosts: [SimulatorHost], security: Security = .tls, port: Int = 0,
        _ body: @Sendable ([SimulationServer]) async throws -> Result
    ) async throws -> Result {
        if security == .plain, let host = hosts.first(where: { $0.http2Simulator != nil }) {
            throw PushError(
                .invalidArgument, "the simulator of \(host.simulator.vendor) speaks HTTP/2 only; serve it with TLS")
        }
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
        if let simulator = host.http2Simulator, let certificate {
            return try await HTTP2LoopbackServer.run(
                simulator, of: host, certificate: certificate, port: port
            ) { port in
                try await body(SimulationServer(origin: "https://localhost:\(port)", caFile: caFile))
            }
        }
        let server = LoopbackServer("the simulator", port: port, certificate: certificate)
        return try await server.run(SimulatorResponder(host: host)) { port in
            let origin = "\(certificate == nil ? "http" : "https")://localhost:\(port)"
            return try await body(SimulationServer(origin: origin, caFile: caFile))
        }
    }
}
