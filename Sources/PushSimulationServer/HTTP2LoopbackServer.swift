import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import PushAdapter
import PushCrypto
import PushSimulation

/// Serves an HTTP/2 simulator on 127.0.0.1 while something else runs, and always stops afterwards.
struct HTTP2LoopbackServer: Sendable {
    /// A connection whose client has not been greeted yet.
    private struct Caller: Sendable {
        let channel: any Channel
        let greeted: EventLoopFuture<SimulatedConnection>
    }

    private let simulator: any HTTP2Simulator
    private let host: SimulatorHost
    private let tls: NIOSSLContext
    private let connections = OpenConnections()

    private init(_ simulator: any HTTP2Simulator, of host: SimulatorHost, _ certificate: SelfSignedCertificate) throws {
        self.simulator = simulator
        self.host = host
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKey.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        // The server asks clients for a certificate, and they may have none.
        configuration.certificateVerification = .optionalVerification
        configuration.trustRoots = .certificates([])
        tls = try NIOSSLContext(configuration: configuration)
    }

    /// Returns what `body` returns. Throws `invalidState` if the server cannot get the port.
    /// - Parameters:
    ///   - simulator: the simulator of the host.
    ///   - host: answers the requests.
    ///   - certificate: the server's.
    ///   - port: 0 for any free port.
    ///   - body: runs while the server runs; gets the port.
    static func run<Result: Sendable>(
        _ simulator: any HTTP2Simulator, of host: SimulatorHost, certificate: SelfSignedCertificate, port: Int,
        _ body: @Sendable (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let server = try HTTP2LoopbackServer(simulator, of: host, certificate)
        let (callers, calls) = AsyncStream.makeStream(of: Caller.self)
        let listener = try await server.listen(port, calls)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            await server.serve(callers)
            ended.finish()
        }
        // In its own task, so that it finishes even if the caller was cancelled.
        func stop() async {
            let end = Task {
                server.connections.close()
                try? await listener.close()
                calls.finish()
                await server.connections.drain(upTo: .seconds(2))
                server.connections.breakAll()
                await server.connections.drain(upTo: .milliseconds(500))
                serving.cancel()
                // A simulator may take its time for a response.
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { for await _ in ends {} }
                    group.addTask { try? await Task.sleep(for: .seconds(5)) }
                    await group.next()
                    group.cancelAll()
                }
            }
            await end.value
        }
        return try await ending(by: await stop()) { try await body(listener.localAddress?.port ?? port) }
    }

    private func listen(_ port: Int, _ calls: AsyncStream<Caller>.Continuation) async throws(PushError) -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel, calls) }
            }
        do {
            return try await bootstrap.bind(host: "127.0.0.1", port: port).get()
        } catch {
            throw PushError(
                .invalidState, "the simulator cannot listen on port \(port) of this machine; is the port in use?",
                underlying: error)
        }
    }

    private func accept(_ channel: any Channel, _ calls: AsyncStream<Caller>.Continuation) throws {
        guard connections.add(channel) else { throw OpenConnections.Closing() }
        connections.begin(channel)
        channel.closeFuture.whenComplete { [connections] _ in connections.remove(channel) }
        let greeted = channel.eventLoop.makePromise(of: SimulatedConnection.self)
        do {
            let handler = NIOSSLServerHandler(
                context: tls, customVerificationCallback: { _, verdict in verdict.succeed(.certificateVerified) })
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.pipeline.syncOperations.addHandler(SignalWriter())
            try channel.pipeline.syncOperations.addHandler(ALPNHandler(greeted))
        } catch {
            greeted.fail(error)
            throw error
        }
        calls.yield(Caller(channel: channel, greeted: greeted.futureResult))
    }

    private func serve(_ callers: AsyncStream<Caller>) async {
        await withDiscardingTaskGroup { group in
            for await caller in callers { group.addTask { await serve(caller) } }
        }
    }

    /// Serves a connection until it ends.
    private func serve(_ caller: Caller) async {
        guard let connection = try? await caller.greeted.get() else { return }
        let signals = await simulator.opened(connection, at: host.clock.date)
        let session = HTTP2Session(connection, on: caller.channel, of: host)
        if let frames = try? await session.begin(signals) {
            await withDiscardingTaskGroup { group in
                for await frame in frames {
                    guard let request = await session.take(frame) else { continue }
                    group.addTask { await session.answer(request, on: frame.streamID) }
                }
                group.cancelAll()
            }
        }
        await simulator.closed(connection)
    }
}
