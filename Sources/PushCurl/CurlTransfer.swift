import CLibcurl
import COpenSSL
import PushAdapter
import PushIO

/// One request that libcurl has. Belongs to the I/O thread.
final class CurlTransfer {
    /// Why this library, not libcurl, ends the transfer. The vendor may have acted on a request that has begun to
    /// leave.
    enum Breach {
        case longBody
        case longHeader
        /// libcurl was about to resend the request, because the connection closed.
        case repetition
        /// A kept connection had bytes that belong to no request. Nothing was sent on it.
        case staleConnection
        /// A kept connection leads to an address that the request must not reach. Nothing was sent on it.
        case privateConnection
        case earlyAnswer
        case foreignStatusLine
        case leftoverBytes
        case brokenHeader
        case lookups
        /// The connection on which it should have left is gone. Nothing was sent.
        case noConnection
        /// It was too long ago that its caller let it leave.
        case oldPermission

        /// Whether the request can go on over another connection.
        var isOfConnection: Bool {
            [.staleConnection, .privateConnection, .noConnection, .oldPermission].contains(self)
        }
    }

    /// How far libcurl goes with it.
    enum Pass: Equatable {
        /// To a new connection, which libcurl then keeps: it gets nothing of the request.
        case connecting
        /// Over a connection that is there, or a new one if it may connect.
        case sending(mayConnect: Bool, isFresh: Bool)
    }

    let call: Transfer
    unowned let engine: CurlEngine
    let easy: UnsafeMutableRawPointer
    let pass: Pass
    /// Connections that were opened for the request alone, this one included.
    let connections: Int
    var headerList: UnsafeMutablePointer<curl_slist>?
    var mime: OpaquePointer?
    var headers = HTTPFields()
    var headerBytes = 0
    var body: [UInt8] = []
    var breach: Breach?
    /// The connection that the request left on; nil before.
    private(set) var socket: CurlSockets.Socket?
    private var isPlain = false
    /// HTTP/1.0, whose responses end their connection.
    private var isOld = false
    /// The header of the last response is complete: its empty line has arrived.
    private(set) var hasHeader = false
    /// libcurl may write the request. From here on, every byte may have left: libcurl's counter misses bytes after a
    /// first write that took nothing.
    private(set) var wasSent = false
    var isLookingUp = false
    /// Whether libcurl was about to connect to an address that the request must not reach, and whether to another one.
    private var (hasRefusedAddress, hasTriedAddress) = (false, false)

    init(
        _ call: Transfer, _ easy: UnsafeMutableRawPointer, _ pass: Pass, connections: Int, _ engine: CurlEngine
    ) {
        (self.call, self.easy, self.pass, self.connections) = (call, easy, pass, connections)
        self.engine = engine
    }

    var onlyConnects: Bool { pass == .connecting }

    /// Whether the request must not reach any address that the host has.
    var hasNoPublicAddress: Bool { hasRefusedAddress && !hasTriedAddress }

    /// Adds a header line; nil stops libcurl from sending its own field.
    func appendHeader(_ name: String, _ value: String?) {
        let line =
            switch value {
            case nil: "\(name):"
            case "": "\(name);"
            case let value?: "\(name): \(value)"
            }
        headerList = curl_slist_append(headerList, line)
    }

    /// Whether the server sent more than its response: then the response may belong to another request.
    ///
    /// libcurl closes a connection on which it read more than a response of a stated length, and leaves unread bytes on
    /// the socket. Over TLS these may be a message of the protocol itself; `begin` then does not reuse the connection.
    /// A server that answers libcurl's goodbye at once looks like one that closed first, so over TLS not every such
    /// response is found. If another request has begun on the connection, the bytes may be its response.
    var hasLeftovers: Bool {
        guard let socket, engine.sockets.isLast(self, on: socket) else { return false }
        return switch engine.sockets.fate(of: socket) {
        case .open: isPlain && CurlSockets.news(socket) == .bytes && !saysClosing
        case .closedHere: !saysClosing
        case .closedAfterTheOtherSide: false
        }
    }

    // MARK: Called by libcurl, on the I/O thread

    /// Runs before each request that libcurl writes: the first time, and again when libcurl resends one on its own.
    func begin(at address: UnsafePointer<CChar>?, local: Int32, remote: Int32) -> Int32 {
        guard !wasSent else {
            breach = .repetition
            return CURL_PREREQFUNC_ABORT
        }
        let ssl = pb_get_openssl(easy).map { OpaquePointer($0) }
        isPlain = ssl == nil
        socket = engine.sockets.socket(local: local, remote: remote)
        guard mayReach(address.flatMap { NetworkAddress(text: $0) }) else {
            breach = .privateConnection
            return CURL_PREREQFUNC_ABORT
        }
        var opened = 0
        pb_get_long(easy, CURLINFO_NUM_CONNECTS, &opened)
        // A new connection may hold bytes of the handshake.
        guard opened > 0 || isQuiet(ssl) else {
            breach = .staleConnection
            return CURL_PREREQFUNC_ABORT
        }
        guard onlyConnects || call.mayLeave(.now) else {
            breach = .oldPermission
            return CURL_PREREQFUNC_ABORT
        }
        socket.map { engine.sockets.use($0, for: self) }
        if onlyConnects {
            // libcurl ends the transfer here. It would not keep a connection that was made with this option from the
            // start.
            pb_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
        } else {
            wasSent = true
        }
        return CURL_PREREQFUNC_OK
    }

    /// Whether a kept connection has nothing to read: no stray bytes and no end.
    private func isQuiet(_ ssl: OpaquePointer?) -> Bool {
        guard let socket, engine.sockets.isQuiet(socket) else { return false }
        return engine.sockets.isUnused(socket) || ssl.map { SSL_has_pending($0) == 0 } ?? true
    }

    /// Whether libcurl may open a connection for it. It may not do so to resend the request, as it does on its own when
    /// a kept connection closes without a response.
    func mayConnect() -> Bool {
        guard !wasSent else {
            breach = .repetition
            return false
        }
        guard case .sending(mayConnect: false, _) = pass else { return true }
        breach = .noConnection
        return false
    }

    /// Whether libcurl may connect to an address of the host. It tries the others if not.
    func mayConnect(to address: NetworkAddress?) -> Bool {
        guard mayConnect() else { return false }
        let isAllowed = mayReach(address)
        if isAllowed { hasTriedAddress = true } else { hasRefusedAddress = true }
        return isAllowed
    }

    private func mayReach(_ address: @autoclosure () -> NetworkAddress?) -> Bool {
        !engine.mustBePublic(call) || address()?.isPublic ?? false
    }

    /// Runs before a lookup of the host's name; 0 allows it.
    func beginLookup() -> Int32 {
        guard mayConnect() else { return 1 }
        guard engine.lookups.mayStart(call.request.host) else {
            breach = .lookups
            return 1
        }
        isLookingUp = true
        return 0
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= engine.configuration.maxResponseBytes else {
            breach = .longBody
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= engine.configuration.maxHeaderBytes else {
            breach = .longHeader
            return 0
        }
        if bytes.starts(with: "HTTP/".utf8) {
            // An interim response such as 100 came before.
            headers = HTTPFields()
            hasHeader = false
            isOld = bytes.starts(with: "HTTP/1.0".utf8)
            breach = fault(inStatusLine: bytes)
            if breach != nil { return 0 }
        } else if bytes.first == 0x0D || bytes.first == 0x0A {
            hasHeader = true
        } else if let colon = bytes.firstIndex(of: 0x3A), let name = engine.headerNames.name(bytes[..<colon]) {
            let value = bytes[(colon + 1)...].prefix { $0 != 0x0D && $0 != 0x0A }.drop { $0 == 0x20 || $0 == 0x09 }
            headers.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return bytes.count
    }

    // MARK: Responses that cannot be this request's

    private func fault(inStatusLine line: UnsafeRawBufferPointer) -> Breach? {
        guard line.starts(with: "HTTP/1.".utf8), let space = line.firstIndex(of: 0x20) else {
            return .foreignStatusLine
        }
        let code = line[space...].dropFirst().prefix(3)
        // No request asks for another protocol.
        if code.elementsEqual("101".utf8) { return .foreignStatusLine }
        return code.first == 0x31 || isBodyOut ? nil : .earlyAnswer
    }

    /// Whether libcurl has handed the whole body to the network.
    private var isBodyOut: Bool {
        var (sent, length) = (0 as curl_off_t, 0 as curl_off_t)
        pb_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &sent)
        pb_get_offset(easy, CURLINFO_CONTENT_LENGTH_UPLOAD_T, &length)
        return sent >= length
    }

    /// Whether the connection had to close after the response: the server said so, or closing ends the response.
    private var saysClosing: Bool {
        if isOld { return true }
        if headers[values: .connection].contains(where: { $0.lowercased().contains("close") }) { return true }
        return headers[.contentLength] == nil && headers[.transferEncoding]?.lowercased().contains("chunked") != true
    }
}
