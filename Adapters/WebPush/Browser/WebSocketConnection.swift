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

    /// Sends a message after all earlier ones. A client that does not read is closed.
    package func send(_ text: String) {
        guard channel.isWritable else { return channel.close(promise: nil) }
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
        channel.writeAndFlush(frame, promise: nil)
    }

    /// Closes the connection with a code, after all messages that were sent.
    package func close(code: Int) { channel.closeWebSocket(WebSocketErrorCode(codeNumber: code)) }
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
