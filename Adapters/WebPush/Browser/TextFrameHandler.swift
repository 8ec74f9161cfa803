import NIOCore
import NIOWebSocket
import PushAdapter

/// Passes text messages on, answers pings and goodbyes, and closes a connection that sends anything else.
final class TextFrameHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let texts: AsyncStream<String>.Continuation

    init(_ texts: AsyncStream<String>.Continuation) { self.texts = texts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: take(frame.unmaskedData, context)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .pong: break
        case .connectionClose: context.channel.closeWebSocket(.normalClosure)
        default: context.channel.closeWebSocket(.unacceptableData)
        }
    }

    private func take(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        var data = data
        guard let text = try? data.readUTF8ValidatedString(length: data.readableBytes) else {
            return context.channel.closeWebSocket(.dataInconsistentWithMessage)
        }
        // The other side does not wait for responses.
        if case .dropped = texts.yield(text) { context.channel.closeWebSocket(.policyViolation) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func handlerRemoved(context: ChannelHandlerContext) { texts.finish() }
}
