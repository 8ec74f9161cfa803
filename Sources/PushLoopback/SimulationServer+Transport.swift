public import PushAdapter
import PushCurl
import PushHTTP2
public import PushSimulation
public import PushSimulationServer

extension SimulationServer {
    /// Runs a server over TLS and gives `body` its origin and a transport that trusts it; shuts both down afterwards.
    ///
    /// The transport is an `HTTP2Transport` for an `HTTP2Simulator`, else a `CurlTransport` that lets a transfer be silent
    /// for five minutes, because a busy machine is slow. The client's `attemptTimeout` limits each attempt.
    public static func withTransport<Output: Sendable>(
        to host: SimulatorHost, _ body: @Sendable (_ origin: String, any HTTPTransport) async throws -> Output
    ) async throws -> Output {
        try await withServer(host) { server in
            let transport: any HTTPTransport
            if host.http2Simulator != nil {
                var configuration = HTTP2Configuration()
                configuration.caFile = server.caFile
                transport = try HTTP2Transport(configuration)
            } else {
                var configuration = CurlConfiguration()
                configuration.caFile = server.caFile
                configuration.stallTimeout = .seconds(300)
                transport = try CurlTransport(configuration)
            }
            return try await ending(by: await transport.shutdown()) {
                try await body(server.origin, transport)
            }
        }
    }
}
