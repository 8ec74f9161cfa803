import NIOCore
import NIOWebSocket
import PushAdapter

/// An open WebSocket.
package struct WebSocketConnection: Sendable {
    /// The messages from the other side; ends with the connection.
    package let texts: AsyncStream<String>
    private let channel: any Channel

    init(texts: AsyncStream<String>, channel: any Channel) {
        self.texts = texts
        self.channel = channel
    }

    /// Sends a message. Returns when it is written; throws if the connection is closed.
    package func send(_ text: String) async throws {
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
        try await channel.writeAndFlush(frame)
    }

    /// Says why, and closes the connection. A number above 4000 has a meaning of the protocol.
    package func close(number: UInt16) { close(WebSocketErrorCode(codeNumber: Int(number))) }

    func close(_ reason: WebSocketErrorCode) { channel.closeWebSocket(reason) }
}

extension Channel {
    /// Sends a close frame, and closes the connection after it.
    func closeWebSocket(_ reason: WebSocketErrorCode) {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: reason)
        let written = writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
        written.whenComplete { _ in self.close(promise: nil) }
    }
}
