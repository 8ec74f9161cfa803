import NIOCore
import NIOPosix

/// The client's end of a WebSocket, which can break every rule. It shares no code with the server.
struct WebSocketClient {
    /// A frame from the server.
    struct Frame: Equatable {
        let opcode: UInt8
        let payload: [UInt8]

        static func text(_ text: String) -> Frame { Frame(opcode: 1, payload: Array(text.utf8)) }
        static func close(_ code: Int) -> Frame { Frame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xFF)]) }
    }

    private let channel: any Channel
    private var parts: AsyncStream<ByteBuffer>.Iterator
    private var unread = ByteBuffer()

    /// Connects, and sends nothing.
    init(port: Int) async throws {
        let (parts, arrivals) = AsyncStream.makeStream(of: ByteBuffer.self)
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Inbox(arrivals))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        self.parts = parts.makeAsyncIterator()
    }

    /// Connects and asks for a WebSocket; nil if the server refuses.
    static func open(port: Int, _ request: String? = nil) async throws -> WebSocketClient? {
        var client = try await WebSocketClient(port: port)
        // The server may have closed already.
        try? await client.send(text: request ?? handshake(port: port))
        // From RFC 6455, section 1.3, as the key of the request.
        guard await client.head().contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") else { return nil }
        return client
    }

    /// A request for a WebSocket.
    static func handshake(port: Int) -> String {
        """
        GET / HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        \r\n
        """
    }

    // MARK: Sending

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    func send(text: String) async throws { try await send(Array(text.utf8)) }

    /// A frame as clients send it, with a mask of zeros.
    static func frame(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) -> [UInt8] {
        header(opcode, length: payload.count, isFinal: isFinal) + [0, 0, 0, 0] + payload
    }

    static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

    /// The start of a frame, up to its length, which is below 65,536.
    static func header(_ opcode: UInt8, length: Int, isFinal: Bool = true) -> [UInt8] {
        let first = opcode | (isFinal ? 0x80 : 0)
        return length < 126 ? [first, 0x80 | UInt8(length)] : [first, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]
    }

    /// Leaves all that arrives from now on to the system.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

    func close() async throws { try await channel.close() }

    // MARK: Receiving

    /// The head of a response; what there was of it if the server closes.
    mutating func head() async -> String {
        var text = ""
        while !text.hasSuffix("\r\n\r\n"), let byte = await bytes(1)?.first {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }

    /// The next frame; nil if the server closes.
    mutating func frame() async -> Frame? {
        guard let start = await bytes(2) else { return nil }
        var length = Int(start[1])
        if length > 125 {
            guard let long = await bytes(length == 126 ? 2 : 8) else { return nil }
            length = long.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = await bytes(length) else { return nil }
        return Frame(opcode: start[0] & 0x0F, payload: payload)
    }

    /// All frames until the server closes.
    mutating func frames() async -> [Frame] {
        var frames: [Frame] = []
        while let frame = await frame() { frames.append(frame) }
        return frames
    }

    private mutating func bytes(_ count: Int) async -> [UInt8]? {
        while unread.readableBytes < count {
            guard var part = await parts.next() else { return nil }
            unread.writeBuffer(&part)
        }
        return unread.readBytes(length: count)
    }
}

/// Passes on what arrives, until the server closes.
private final class Inbox: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let arrivals: AsyncStream<ByteBuffer>.Continuation

    init(_ arrivals: AsyncStream<ByteBuffer>.Continuation) { self.arrivals = arrivals }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { arrivals.yield(unwrapInboundIn(data)) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    func handlerRemoved(context: ChannelHandlerContext) { arrivals.finish() }
}
