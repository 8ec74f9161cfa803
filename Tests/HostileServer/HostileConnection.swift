import COpenSSL
import Glibc

/// One connection of a hostile server. Only its own thread uses it.
package final class HostileConnection {
    /// An HTTP/1.1 request as received.
    package struct Request: Sendable {
        package var method: String
        package var target: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]

        package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    let descriptor: Int32
    private let onClose: () -> Void
    private var ssl: OpaquePointer?
    private var isClosed = false
    /// Bytes that were read but not used yet.
    var buffer: [UInt8] = []
    /// The number of requests read.
    package private(set) var requests = 0

    init(_ descriptor: Int32, onClose: @escaping () -> Void) {
        self.descriptor = descriptor
        self.onClose = onClose
        var time = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    func startTLS(_ context: TLSContext) -> Bool {
        guard let ssl = SSL_new(context.pointer) else { return false }
        self.ssl = ssl
        SSL_set_fd(ssl, descriptor)
        return SSL_accept(ssl) == 1
    }

    /// The protocol that ALPN chose, such as `h2`.
    package var chosenProtocol: String {
        guard let ssl else { return "" }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    // MARK: Reading

    /// Reads the next bytes. Nil at the end, after 20 seconds of silence, and after a failure.
    package func read() -> [UInt8]? {
        if !buffer.isEmpty {
            defer { buffer = [] }
            return buffer
        }
        guard !isClosed else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes { bytes in
            ssl.map { Int(SSL_read($0, bytes.baseAddress, Int32(bytes.count))) }
                ?? recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Reads exactly this many bytes, or returns nil.
    package func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = read() else { return nil }
            bytes += more
        }
        buffer = Array(bytes[count...])
        return Array(bytes[..<count])
    }

    /// Reads the head of the next request, without its body.
    package func head() -> Request? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = bytes.firstRange(of: end) {
                buffer = Array(bytes[range.upperBound...])
                requests += 1
                return Self.parse(bytes[..<range.lowerBound])
            }
            guard bytes.count < 1 << 20, let more = read() else { return nil }
            bytes += more
        }
    }

    /// Reads the next request with its body.
    package func request() -> Request? {
        guard var request = head(), finish(&request) else { return nil }
        return request
    }

    /// Reads the body that belongs to a head.
    package func finish(_ request: inout Request) -> Bool {
        let length = request.header("content-length").flatMap { Int($0) } ?? 0
        guard length > 0 else { return true }
        guard let body = read(length) else { return false }
        request.body = body
        return true
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) -> Request {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (
                name: (parts.first ?? "").lowercased(),
                value: String((parts.count > 1 ? parts[1] : "").drop { $0 == " " })
            )
        }
        return Request(
            method: String(words.first ?? ""), target: words.count > 1 ? String(words[1]) : "", headers: headers,
            body: [])
    }

    // MARK: Writing

    /// Writes bytes. Returns whether the system took all of them.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty, !isClosed {
            let count = rest.withUnsafeBytes { bytes in
                ssl.map { Int(SSL_write($0, bytes.baseAddress, Int32(clamping: bytes.count))) }
                    ?? send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return !isClosed
    }

    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// An HTTP/1.1 response with a content length.
    package static func answer(_ status: Int, _ body: String, headers: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)".utf8)
    }

    // MARK: The end

    /// Waits until the other side closes, for at most this time. Leaves incoming bytes unread.
    package func wait(milliseconds: Int) {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN) | Self.hangUp, revents: 0)
        let end = Self.now + milliseconds
        while case let left = end - Self.now, left > 0, !isClosed {
            guard poll(&poller, 1, Int32(left)) > 0 else { return }
            if poller.revents & (Self.hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0 { return }
            // There are bytes to read; they stay unread.
            usleep(2_000)
        }
    }

    /// POLLRDHUP, which Swift does not import: the other side has closed its half.
    private static let hangUp: Int16 = 0x2000

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Closes the connection normally: written bytes arrive.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        if let ssl {
            SSL_shutdown(ssl)
            SSL_free(ssl)
        }
        ssl = nil
        onClose()
        Glibc.close(descriptor)
    }

    /// Resets the connection: written bytes may be lost, and the other side sees an error.
    package func reset() {
        guard !isClosed else { return }
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        isClosed = true
        if let ssl { SSL_free(ssl) }
        ssl = nil
        onClose()
        Glibc.close(descriptor)
    }
}
