import NIOCore
import NIOHTTPTypes
import PushAdapter

/// Closes a connection after a response that asks for it. The web server does so only if the request asks.
final class ClosingHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var closes = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): closes = head.headerFields[.connection]?.lowercased() == "close"
        case .end where closes:
            let written = promise ?? context.eventLoop.makePromise()
            let channel = context.channel
            // Only its own half: a client that still writes would lose the response.
            written.futureResult.whenSuccess { channel.close(mode: .output, promise: nil) }
            return context.write(data, promise: written)
        case .body, .end: break
        }
        context.write(data, promise: promise)
    }
}
