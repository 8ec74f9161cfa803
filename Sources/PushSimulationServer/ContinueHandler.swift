import NIOCore
import NIOHTTPTypes
import PushAdapter

/// Sends `100 Continue` to clients that wait for it before they send a body.
///
/// The web server leaves that to its users; the vendor's own libraries expect it.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.headerFields[.expect]?.lowercased() == "100-continue" {
            let interim = HTTPResponse(status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
        }
        context.fireChannelRead(data)
    }
}
