import CNGHTTP2
import COpenSSL
import PushAdapter
import PushIO

/// The bytes between the session and the network.
extension HTTP2Connection {
    /// Bytes to encrypt at once, and how often to read and to write in a turn, so that one connection does not keep the
    /// thread.
    private static let mostWritten = 64 << 10
    private static let mostRounds = 16

    /// Reads the bytes that the network has.
    func receive() {
        guard let buffer = engine.readBuffer.baseAddress, session != nil else { return }
        engine.noteChange(self)
        noise.forget(engine.now)
        for _ in 0..<Self.mostRounds {
            ERR_clear_error()
            let count = SSL_read(link.ssl, buffer, Int32(engine.readBuffer.count))
            guard count > 0 else {
                switch SSL_get_error(link.ssl, count) {
                case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
                case SSL_ERROR_ZERO_RETURN: return close("the server closed the connection\(goodbye)")
                default: return broke()
                }
            }
            lastHeard = engine.now
            noise.noteBytes(Int(count))
            let used = nghttp2_session_mem_recv(session, buffer, Int(count))
            guard used == Int(count), !noise.isFlood else {
                return close(
                    noise.isFlood ? "the server floods the connection" : "the server breaks the rules of HTTP/2",
                    .malformedResponse)
            }
            guard SSL_has_pending(link.ssl) != 0 else { return }
        }
        engine.noteAgain(self)
    }

    /// Ends the connection after a failure of OpenSSL, which may be the alert with which a server refuses a client
    /// certificate.
    private func broke() {
        let code = ERR_peek_error()
        let words = ERR_reason_error_string(code).map { ": \(String(cString: $0))" } ?? ""
        close(
            "the connection broke\(goodbye)\(words)", failure: ConnectionFailure(certificateAlert: code, .server))
    }

    /// Writes the bytes that wait, and ends a connection that is over.
    func flush() {
        isChanged = false
        guard session != nil else { return }
        guard output.send(to: socket) else { return breakOff() }
        var (isOver, rounds) = (false, 0)
        while !isOver, output.isEmpty, rounds < Self.mostRounds {
            rounds += 1
            engine.writeBuffer.removeAll(keepingCapacity: true)
            writeStart = written
            while engine.writeBuffer.count < Self.mostWritten {
                var data: UnsafePointer<UInt8>?
                let count = nghttp2_session_mem_send(session, &data)
                guard count >= 0 else { return close("the connection broke") }
                guard count > 0 else {
                    isOver = true
                    break
                }
                engine.writeBuffer.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
            }
            written += engine.writeBuffer.count
            guard engine.writeBuffer.isEmpty || encrypt(), output.send(to: socket) else { return breakOff() }
        }
        if isBlocked == output.isEmpty {
            isBlocked.toggle()
            // It takes requests again.
            if !isBlocked { engine.noteNews() }
            engine.watch(socket, isNew: false, forRoom: isBlocked)
        }
        guard !isBlocked else { return }
        guard isOver else { return engine.noteAgain(self) }
        if nghttp2_session_want_read(session) == 0, nghttp2_session_want_write(session) == 0 {
            close(
                isRetiring ? "the server closed the connection\(goodbye)" : "the server breaks the rules of HTTP/2",
                isRetiring ? .transport : .malformedResponse)
        } else if isRetiring, streams.isEmpty {
            sayGoodbye()
        }
    }

    func encrypt() -> Bool {
        ERR_clear_error()
        return SSL_write(link.ssl, engine.writeBuffer, Int32(engine.writeBuffer.count)) == engine.writeBuffer.count
    }
}
