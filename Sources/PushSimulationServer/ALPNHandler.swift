import NIOCore
import NIOSSL
import NIOTLS
import PushAdapter
import PushSimulation

/// Admits clients that speak HTTP/2: by ALPN, or without it by the preface. Closes the connection of any other client.
///
/// Keeps a client's bytes until the handlers behind it are there.
final class ALPNHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let done: EventLoopPromise<SimulatedConnection>
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    private var awaitsPreface = false
    private var isOpen = false

    /// - Parameter done: gets the connection, or an error if it is gone before.
    init(_ done: EventLoopPromise<SimulatedConnection>) { self.done = done }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        done.fail(ChannelError.ioOnClosedChannel)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let name)? = event as? TLSUserEvent {
            switch name {
            case "h2"?: greet(context)
            case nil: awaitsPreface = true
            default: context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        guard awaitsPreface else { return }
        let all = held.readableBytesView
        if all.starts(with: Self.preface) {
            greet(context)
        } else if !Self.preface.starts(with: all) {
            context.close(promise: nil)
        }
    }

    private func greet(_ context: ChannelHandlerContext) {
        awaitsPreface = false
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        done.succeed(.next(certificate: try? certificate?.toDERBytes()))
    }

    /// Passes on the kept bytes, because the handlers behind it are there.
    func open() {
        isOpen = true
        guard let context, held.readableBytes > 0 else { return }
        let bytes = held
        held.clear()
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
    }
}
