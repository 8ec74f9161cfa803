import Glibc
package import PushAdapter
import PushIO

/// A server over raw sockets that follows its script byte by byte, to test failures between a client and a vendor. It
/// knows no vendor and shares nothing with the simulators.
///
/// It runs one thread per connection, on a free loopback port. `stop()` ends all of them.
package final class HostileServer: Sendable {
    /// The protocol below HTTP.
    package enum Security: Sendable {
        case plain
        /// TLS with this certificate and key in PEM form. ALPN chooses one of these protocols; an empty list means no
        /// ALPN.
        case tls(certificate: String, key: String, protocols: [String], options: TLSOptions = TLSOptions())
    }

    package typealias Script = @Sendable (HostileConnection) -> Void

    package let port: Int
    private let listener: Int32
    private let context: TLSContext?
    private let script: Script
    private let state = Locked(State())

    private struct State {
        var isStopping = false
        var accepted = 0
        var open: Set<Int32> = []
        var threads = 0
    }

    /// - Parameter receiveBuffer: the bytes that the system buffers before the script reads; nil for the system's
    ///   default.
    package init(
        _ security: Security = .plain, receiveBuffer: Int32? = nil, _ script: @escaping Script
    ) throws(PushError) {
        self.script = script
        switch security {
        case .plain: context = nil
        case .tls(let certificate, let key, let protocols, let options):
            context = try TLSContext(certificate: certificate, key: key, protocols: protocols, options: options)
        }
        signal(SIGPIPE, SIG_IGN)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer {
            setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length)
                getsockname(descriptor, pointer, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        guard listen(descriptor, 512) == 0 else {
            throw PushError(.invalidState, "no port to listen on (error \(errno))")
        }
        start { self.accept() }
    }

    /// The number of connections accepted so far.
    package var connections: Int { state.withLock { $0.accepted } }

    /// Ends all connections. Returns when the last thread has ended.
    package func stop() {
        // This needs the lock: a closing connection takes it before its descriptor number can be reused.
        state.withLock { state in
            state.isStopping = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
        while state.withLock({ $0.threads }) > 0 { usleep(1_000) }
        close(listener)
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            let isStopping = state.withLock { state in
                if descriptor >= 0, !state.isStopping {
                    state.open.insert(descriptor)
                    state.accepted += 1
                }
                return state.isStopping
            }
            if isStopping {
                if descriptor >= 0 { close(descriptor) }
                return
            }
            guard descriptor >= 0 else { continue }
            start { self.serve(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32) {
        let connection = HostileConnection(descriptor) { self.state.withLock { _ = $0.open.remove(descriptor) } }
        if context.map({ connection.startTLS($0) }) ?? true {
            script(connection)
        } else {
            // Waits so that the client reads the alert. Closing with unread bytes would reset the connection.
            connection.wait(milliseconds: 2_000)
        }
        connection.close()
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        let counted: @Sendable () -> Void = {
            body()
            self.state.withLock { $0.threads -= 1 }
        }
        state.withLock { $0.threads += 1 }
        if let thread = try? startThread(counted) { pthread_detach(thread) } else { counted() }
    }
}
