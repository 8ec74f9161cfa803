package import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import PushAdapter
package import PushCrypto

/// Runs a web server on 127.0.0.1 while something else runs, and always stops it afterwards.
package struct LoopbackServer: Sendable {
    /// The server, for errors.
    private let name: String
    /// 0 for any free port.
    private let port: Int
    /// For HTTPS with HTTP/1.1 and HTTP/2; nil for plain HTTP/1.1.
    private let certificate: SelfSignedCertificate?
    /// Further connections are closed at once.
    package var mostConnections = Int.max
    /// A connection of plain HTTP that was silent for longer is closed; nil if it may stay.
    package var idleTimeout: Duration?

    package init(_ name: String, port: Int, certificate: SelfSignedCertificate? = nil) {
        (self.name, self.port, self.certificate) = (name, port, certificate)
    }

    /// Returns what `body` returns. Throws `invalidState` if the server cannot get the port.
    /// - Parameters:
    ///   - responder: answers the requests.
    ///   - stopping: ends the responses that would not end on their own, when the server stops.
    ///   - body: runs while the server runs; gets the port.
    package func run<Responder: HTTPResponder, Result: Sendable>(
        _ responder: Responder, stopping: @escaping @Sendable () -> Void = {},
        _ body: @Sendable (_ port: Int) async throws -> Result
    ) async throws -> Result where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
        let connections = OpenConnections(most: mostConnections)
        let application = Application(
            responder: responder,
            server: try builder(connections),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { channel in portFound.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() })
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let server = Task {
            defer {
                portFound.finish()
                ended.finish()
            }
            try await application.run()
        }
        // In its own task, so that it finishes even if the caller was cancelled.
        func stop() async {
            let end = Task {
                connections.close()
                stopping()
                await connections.drain(upTo: .seconds(2))
                connections.breakAll()
                // Under load, the server may take a while to handle a connection that it accepted.
                await connections.settle(upTo: .seconds(30))
                await connections.drain(upTo: .milliseconds(500))
                server.cancel()
                // The web server never ends while a request has an unread body, even on a broken connection.
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { for await _ in ends {} }
                    group.addTask { try? await Task.sleep(for: .seconds(5)) }
                    await group.next()
                    group.cancelAll()
                }
            }
            await end.value
        }
        guard let port = await ports.first(where: { _ in true }) else {
            await stop()
            try Task.checkCancellation()
            throw PushError(
                .invalidState, "\(name) cannot listen on port \(port) of this machine; is the port in use?")
        }
        return try await ending(by: await stop()) { try await body(port) }
    }

    private func builder(_ connections: OpenConnections) throws -> HTTPServerBuilder {
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ContinueHandler(), ClosingHandler()],
            idleTimeout: idleTimeout.map { TimeAmount($0) })
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
