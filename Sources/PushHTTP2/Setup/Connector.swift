import COpenSSL
import Glibc
import PushAdapter
import PushIO

/// Opens a connection: name, TCP, proxy, TLS. It blocks, on a thread of its own, so the I/O thread never waits for a name
/// server or a signature.
struct Connector: Sendable {
    let tls: TLSClient
    let proxy: Proxy?
    let origin: Origin
    /// Whether it connects to public addresses only.
    let mustBePublic: Bool
    let deadline: ContinuousClock.Instant
    /// Raised when the transport ends.
    let stop: Signal

    /// The next address gets its turn if the one before has not answered within this time, as RFC 8305 recommends.
    private static let headStart: Duration = .milliseconds(250)
    /// More addresses than any host needs.
    private static let mostAddresses = 16
    /// The longest response of a proxy.
    private static let longestHead = 16 << 10

    /// Starts a thread, which ends by itself; a name server that does not answer keeps it longer than the deadline.
    func start(_ deliver: @escaping @Sendable (Result<Link, PushError>) -> Void) {
        do throws(PushError) {
            let thread = try startThread {
                // A server that closes while OpenSSL writes must not end the process.
                var pipe = sigset_t()
                sigemptyset(&pipe)
                sigaddset(&pipe, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &pipe, nil)
                do throws(PushError) { deliver(.success(try open())) } catch { deliver(.failure(error)) }
                // Errors of OpenSSL belong to a thread, and so does the memory that it keeps for them.
                OPENSSL_thread_stop()
            }
            pthread_detach(thread)
        } catch {
            deliver(.failure(error))
        }
    }

    private func open() throws(PushError) -> Link {
        let socket = try connect(to: proxy?.host ?? origin.host, proxy?.port ?? origin.port)
        do throws(PushError) {
            if let proxy { try tunnel(through: proxy, socket) }
            guard let ssl = tls.connection(over: socket, to: origin.host) else {
                throw PushError(.invalidState, "OpenSSL has no memory for a connection")
            }
            do throws(PushError) {
                try shakeHands(ssl, socket)
                return Link(socket: socket, ssl: ssl)
            } catch {
                SSL_free(ssl)
                throw error
            }
        } catch {
            close(socket)
            throw error
        }
    }

    // MARK: TCP

    /// The peer that the connection goes to.
    private var firstPeer: ConnectionFailure.Peer { proxy == nil ? .server : .proxy }

    private func connect(to host: String, _ port: UInt16) throws(PushError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0, let list else {
            throw ConnectionFailure.unknownName(firstPeer).error()
        }
        defer { freeaddrinfo(list) }
        let allowed = Self.alternating(list).filter(mayReach)
        guard !allowed.isEmpty else { throw ConnectionFailure.notPublic(host: host).error() }
        var waiting = allowed.prefix(Self.mostAddresses)
        var open: [Int32] = []
        var lastError: Int32 = 0
        defer { for socket in open { close(socket) } }
        while true {
            guard .now < deadline else { throw Self.late }
            if !waiting.isEmpty {
                let address = waiting.removeFirst()
                if let socket = Self.startConnecting(address.pointee) { open.append(socket) } else { lastError = errno }
            }
            guard !open.isEmpty else {
                if !waiting.isEmpty { continue }
                throw ConnectionFailure(systemError: lastError, firstPeer).error()
            }
            let end = waiting.isEmpty ? deadline : min(deadline, .now + Self.headStart)
            for socket in try wait(open, for: Int16(POLLOUT), until: end) {
                open.removeAll { $0 == socket }
                lastError = Self.connectError(socket)
                if lastError == 0 { return socket }
                close(socket)
            }
        }
    }

    /// The addresses in the system's order, the families in turn.
    private static func alternating(_ list: UnsafeMutablePointer<addrinfo>) -> [UnsafeMutablePointer<addrinfo>] {
        let all = Array(sequence(first: list, next: { $0.pointee.ai_next }))
        let (first, second) = (
            all.filter { $0.pointee.ai_family == list.pointee.ai_family },
            all.filter { $0.pointee.ai_family != list.pointee.ai_family }
        )
        return (0..<max(first.count, second.count)).flatMap { index in
            [first, second].compactMap { index < $0.count ? $0[index] : nil }
        }
    }

    private func mayReach(_ address: UnsafeMutablePointer<addrinfo>) -> Bool {
        !mustBePublic || address.pointee.ai_addr.flatMap { NetworkAddress($0)?.isPublic } ?? false
    }

    private static func startConnecting(_ address: addrinfo) -> Int32? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(address.ai_family, kind, address.ai_protocol)
        guard socket >= 0 else { return nil }
        for (level, option) in [(Int32(IPPROTO_TCP), TCP_NODELAY), (SOL_SOCKET, SO_KEEPALIVE)] {
            var on: Int32 = 1
            setsockopt(socket, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        guard Glibc.connect(socket, address.ai_addr, address.ai_addrlen) != 0, errno != EINPROGRESS else {
            return socket
        }
        let error = errno
        close(socket)
        errno = error
        return nil
    }

    private static func connectError(_ socket: Int32) -> Int32 {
        var (error, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length)
        return error
    }

    /// The sockets that are ready; none at the end of the time. Throws if the transport ends.
    private func wait(
        _ sockets: [Int32], for events: Int16, until end: ContinuousClock.Instant
    ) throws(PushError) -> [Int32] {
        var list = sockets.map { pollfd(fd: $0, events: events, revents: 0) }
        list.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0))
        poll(&list, nfds_t(list.count), Int32(clamping: (end - .now).wholeMilliseconds + 1))
        guard list.removeLast().revents == 0 else { throw .cancelled(wasSent: false) }
        return list.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Waits for a socket. Throws at the deadline.
    private func wait(_ socket: Int32, for events: Int32) throws(PushError) {
        repeat {
            guard .now < deadline else { throw Self.late }
        } while try wait([socket], for: Int16(events), until: deadline).isEmpty
    }

    private static var late: PushError { ConnectionFailure.late.error() }

    // MARK: Proxy and TLS

    private func tunnel(through proxy: Proxy, _ socket: Int32) throws(PushError) {
        var request = proxy.request(for: origin)[...]
        while !request.isEmpty {
            try wait(socket, for: POLLOUT)
            let count = request.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 || errno == EAGAIN else { throw Self.proxyClosed }
            request = request.dropFirst(max(0, count))
        }
        var head: [UInt8] = []
        // One byte at a time, because the bytes after the head belong to TLS.
        while !head.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, 0)
            if count < 0, errno == EAGAIN {
                try wait(socket, for: POLLIN)
                continue
            }
            guard count > 0 else { throw Self.proxyClosed }
            head.append(byte)
            guard head.count < Self.longestHead else { throw Self.proxyClosed }
        }
        if let refusal = Proxy.refusal(in: head) { throw refusal.error() }
    }

    private static var proxyClosed: PushError { ConnectionFailure.noProxyResponse.error() }

    private func shakeHands(_ ssl: OpaquePointer, _ socket: Int32) throws(PushError) {
        while true {
            ERR_clear_error()
            let code = SSL_connect(ssl)
            guard code != 1 else { break }
            switch SSL_get_error(ssl, code) {
            case SSL_ERROR_WANT_READ: try wait(socket, for: POLLIN)
            case SSL_ERROR_WANT_WRITE: try wait(socket, for: POLLOUT)
            default:
                let verdict = SSL_get_verify_result(ssl)
                guard verdict == X509_V_OK else { throw ConnectionFailure(verdict: verdict, .server).error() }
                throw ConnectionFailure(handshakeError: ERR_peek_error(), .server, wanted: .http2).error()
            }
        }
        if let refusal = tls.refusal(of: ssl) { throw refusal.error() }
    }
}
