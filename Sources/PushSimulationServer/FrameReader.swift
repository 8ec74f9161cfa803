import NIOCore
import NIOHTTP2

/// Passes the frames of a connection on to its session.
final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let frames: AsyncStream<HTTP2Frame>.Continuation

    init(_ frames: AsyncStream<HTTP2Frame>.Continuation) { self.frames = frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { frames.yield(unwrapInboundIn(data)) }

    /// For a session, a stream that SwiftNIO resets looks like one that the client resets.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let end = event as? StreamClosedEvent, let reason = end.reason {
            frames.yield(HTTP2Frame(streamID: end.streamID, payload: .rstStream(reason)))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { frames.finish() }
}
