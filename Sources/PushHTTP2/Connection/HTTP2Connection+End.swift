import CNGHTTP2
import COpenSSL
import PushAdapter
import PushIO

/// How a connection ends: at its own wish, after a failure, or because the server is late.
extension HTTP2Connection {
    /// How long a connection is idle before it is closed, if no more requests are expected there.
    private static let shortIdleTime = Duration.seconds(1)

    func retire() {
        guard !isRetiring else { return }
        isRetiring = true
        // A server that ends a connection before it accepts anything gets no storm of them.
        if isReady, !hasSucceeded { engine.delayOpening(group) }
        engine.noteChange(self)
    }

    /// Closes normally; open requests fail with `cancelled`.
    func sayGoodbye() {
        for stream in streams { engine.answer(stream.call, .failure(.cancelled(wasSent: stream.wasSent))) }
        nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue)
        var data: UnsafePointer<UInt8>?
        engine.writeBuffer.removeAll(keepingCapacity: true)
        while case let count = nghttp2_session_mem_send(session, &data), count > 0 {
            engine.writeBuffer.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
        }
        if engine.writeBuffer.isEmpty || encrypt() {
            SSL_shutdown(link.ssl)
            _ = output.send(to: socket)
        }
        // So its end is not a failure of the server.
        isRetiring = true
        close("the connection was closed")
    }

    /// Ends a connection that accepts no more bytes. The answers to earlier requests may have arrived.
    func breakOff() {
        receive()
        close("the connection broke\(goodbye)")
    }

    /// Ends the connection at once. A known failure of the handshake takes the place of the reason.
    func close(_ reason: String, _ kind: PushError.Kind = .transport, failure: ConnectionFailure? = nil) {
        guard session != nil else { return }
        nghttp2_session_del(session)
        session = nil
        engine.noteEnd(self)
        for stream in streams {
            let wasSent = stream.wasSent
            let error = failure?.error(wasSent: wasSent) ?? .transport(reason, kind: kind, wasSent: wasSent)
            engine.answer(stream.call, .failure(error))
            engine.noteUnfinished(-stream.forget())
        }
        streams = []
        if isReady, !hasSucceeded, !isRetiring { engine.delayOpening(group) }
        if !isReady {
            engine.noteOpened(
                group, failure?.error() ?? .transport("\(reason) before it was ready", kind: kind, wasSent: false))
        }
    }

    /// Checks whether the server is late; returns when to check again.
    func check() -> ContinuousClock.Instant? {
        let (now, settings) = (engine.now, engine.configuration)
        guard isReady else {
            if now >= greetingDeadline { close("the server sent no settings in time") }
            return greetingDeadline
        }
        if let pingSent {
            guard now - pingSent >= settings.pingTimeout else { return pingSent + settings.pingTimeout }
            // The answer may be there, if something kept the thread.
            receive()
            if self.pingSent != nil { close("the server answers no PING") }
            return nil
        }
        if streams.isEmpty {
            let longest = group.isEnding ? min(settings.maxIdleTime, Self.shortIdleTime) : settings.maxIdleTime
            guard now - lastUsed >= longest else { return lastUsed + longest }
            sayGoodbye()
            return nil
        }
        guard now - lastHeard > settings.pingInterval else { return lastHeard + settings.pingInterval }
        ping()
        return nil
    }

    func ping() {
        pingSent = engine.now
        nghttp2_submit_ping(session, 0, nil)
        engine.noteChange(self)
        engine.noteCheck(engine.now + engine.configuration.pingTimeout)
    }
}
