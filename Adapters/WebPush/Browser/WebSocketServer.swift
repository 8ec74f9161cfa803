import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import PushAdapter

/// Serves WebSockets on 127.0.0.1 while something else runs, and always stops afterwards.
///
/// It takes text messages only, and only from programs: a page that a browser shows may not connect.
package struct WebSocketServer: Sendable {
    /// Connections at a time. Further ones are closed.
    package static let mostConnections = 16
    /// Bytes of a message.
    package static let longestMessage = 16 << 10
    /// Messages of a connection that wait for `serve`. A client that sends one more is closed.
    package static let mostWaiting = 64
    /// Frames of a message.
    package static let mostFragments = 64
    /// Bytes that wait for a client to read them.
    static let unread = ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 19, high: 1 << 20)

    private let channels = OpenChannels(limit: Self.mostConnections)
    private let handshakeTime: Duration
    private let arrivals: AsyncStream<WebSocketConnection>.Continuation

    /// Returns what `body` returns. Throws `invalidState` if the server cannot get the port.
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - handshakeTime: the time from the connection to the end of the handshake.
    ///   - serve: serves a connection. The connection closes when it returns. It should return when `texts` ends.
    ///   - body: runs while the server runs; gets the port.
    package static func run<Result: Sendable>(
        port: Int = 0, handshakeTime: Duration = .seconds(5),
        serve: @escaping @Sendable (WebSocketConnection) async -> Void,
        _ body: @Sendable (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let (connections, arrivals) = AsyncStream.makeStream(
            of: WebSocketConnection.self, bufferingPolicy: .bufferingOldest(mostConnections))
        let server = WebSocketServer(handshakeTime: handshakeTime, arrivals: arrivals)
        let listener = try await server.listen(port)
        async let serving: Void = serveAll(connections, serve)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(listener.localAddress?.port ?? port))
        } catch {
            result = .failure(error)
        }
        try? await listener.close()
        server.channels.closeAll()
        arrivals.finish()
        await serving
        return try result.get()
    }

    private static func serveAll(
        _ connections: AsyncStream<WebSocketConnection>,
        _ serve: @escaping @Sendable (WebSocketConnection) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for await connection in connections {
                group.addTask {
                    await serve(connection)
                    connection.close(code: 1000)
                }
            }
        }
    }

    private func listen(_ port: Int) async throws(PushError) -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: Self.unread)
            .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try accept(channel) } }
        do {
            return try await bootstrap.bind(host: "127.0.0.1", port: port).get()
        } catch {
            throw PushError(
                .invalidState,
                "the push service of the browser cannot listen on port \(port) of this machine; is the port in use?",
                underlying: error)
        }
    }

    /// Lets a connection ask for the upgrade. Closes one that asks for anything else, or takes too long.
    private func accept(_ channel: any Channel) throws {
        guard channels.admit(channel) else { throw ChannelError.ioOnClosedChannel }
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(handshakeTime)) { channel.close(promise: nil) }
        let upgrader = NIOTypedWebSocketServerUpgrader(
            maxFrameSize: Self.longestMessage,
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeSucceededFuture(WebSocketHandshake.response(to: head, on: channel.localAddress))
            },
            upgradePipelineHandler: { [arrivals] channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    deadline.cancel()
                    try Self.open(channel, arrivals)
                }
            })
        let configuration = NIOTypedHTTPServerUpgradeConfiguration(
            upgraders: [upgrader], notUpgradingCompletionHandler: { channel in channel.close() })
        _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: configuration))
    }

    private static func open(
        _ channel: any Channel, _ arrivals: AsyncStream<WebSocketConnection>.Continuation
    ) throws {
        let (texts, received) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(mostWaiting))
        try channel.pipeline.syncOperations.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: mostFragments,
                maxAccumulatedFrameSize: longestMessage))
        try channel.pipeline.syncOperations.addHandler(TextFrameHandler(received))
        arrivals.yield(WebSocketConnection(texts: texts, channel: channel))
    }
}
