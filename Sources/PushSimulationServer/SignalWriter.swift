import NIOCore
import NIOHTTP2

/// Writes limits and GOAWAY below SwiftNIO's handler, which is stricter than this server.
///
/// SwiftNIO ends a connection whose client exceeds the limit; this server refuses the stream. After a GOAWAY, SwiftNIO
/// ends the connection at the body of a later request, although the client may not have read the GOAWAY yet.
final class SignalWriter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// An outbound event: GOAWAY without an error.
    struct GoAway: Sendable {
        /// The last stream that is processed.
        var last: HTTP2StreamID
        var debug: [UInt8]
    }

    /// SwiftNIO's limit is higher by this.
    private static let excess = 1 << 30

    /// The setting for SwiftNIO that gives the client this limit.
    static func setting(_ limit: Int) -> HTTP2Setting {
        HTTP2Setting(parameter: .maxConcurrentStreams, value: excess + max(0, min(limit, excess - 1)))
    }

    /// Bytes of a frame that come in further writes.
    private var rest = 0
    private var hasFailed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        let start = bytes.readerIndex
        if rest > 0 {
            rest -= bytes.readableBytes
        } else if let word = bytes.getInteger(at: start, as: UInt32.self) {
            // The first word of a frame is its length and its type.
            rest = 9 + Int(word >> 8) - bytes.readableBytes
            if word & 0xFF == 4 { lowerLimit(in: &bytes) }
            // SwiftNIO's own GOAWAY: the client broke a rule.
            if word & 0xFF == 7 { hasFailed = true }
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }

    /// Changes the limit in a SETTINGS frame to the one that the client gets.
    private func lowerLimit(in bytes: inout ByteBuffer) {
        for index in stride(from: bytes.readerIndex + 9, to: bytes.writerIndex - 5, by: 6) {
            guard bytes.getInteger(at: index, as: UInt16.self) == 3,
                let value = bytes.getInteger(at: index + 2, as: UInt32.self)
            else { continue }
            bytes.setInteger(value & UInt32(Self.excess - 1), at: index + 2)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard hasFailed else { return }
        hasFailed = false
        context.close(promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let farewell = event as? GoAway else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        var frame = ByteBuffer()
        frame.writeInteger(UInt32(8 + farewell.debug.count) << 8 | 7)
        // No flags, and the stream is that of the connection.
        frame.writeBytes([0, 0, 0, 0, 0])
        frame.writeInteger(Int32(farewell.last))
        // NO_ERROR.
        frame.writeInteger(UInt32(0))
        frame.writeBytes(farewell.debug)
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }
}
