import CNGHTTP2
import PushAdapter
import PushIO

/// One request on a connection, and the part of its response that has arrived. Belongs to the I/O thread.
final class HTTP2Stream {
    /// Why this library ends a stream, not the server.
    enum Breach {
        case longBody, longHeader, earlySuccess, unreadableFile
        /// All unfinished responses together were too long, and this was the longest.
        case longTogether
    }

    let call: Transfer
    /// Keeps the stream until it ends.
    let connection: HTTP2Connection
    var source: BodySource
    /// Its place in the connection's list.
    var index = 0
    var id: Int32 = 0
    /// nghttp2 may write the request: from here on, every byte may have left.
    var wasSent = false
    /// Bytes that the connection had written with the last one of the body; nil while there is more.
    var lastByte: Int?
    var breach: Breach?
    var isResetByServer = false

    /// Of the last header; interim ones come first.
    private(set) var status = 0
    private var headers = HTTPFields()
    private var headerBytes = 0
    private var body: [UInt8] = []
    /// The final header is complete; the fields that follow are trailers.
    private var hasHeader = false
    /// The server sent a header for this stream, so it did not refuse it unread.
    var wasHeard = false

    init(_ call: Transfer, _ source: BodySource, _ connection: HTTP2Connection) {
        self.call = call
        self.connection = connection
        self.source = source
    }

    /// Bytes of the response that are kept.
    var held: Int { headerBytes + body.count }

    /// Frees the part that has arrived; returns its number of bytes.
    func forget() -> Int {
        defer { (headers, headerBytes, body) = (HTTPFields(), 0, []) }
        return held
    }

    /// Takes one field of a header. False if there are too many.
    func receive(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ names: HeaderNames, limit: Int
    ) -> Bool {
        // Each field counts 32 bytes more, as in the limit that the client announced to the server (RFC 9113, 6.5.2).
        headerBytes += name.count + value.count + 32
        guard headerBytes <= limit else {
            breach = .longHeader
            return false
        }
        guard !hasHeader else { return true }
        if name.first == 0x3A {
            status = Int(String(decoding: value, as: UTF8.self)) ?? 0
            headers = HTTPFields()
        } else if let name = names.name(name[...]) {
            headers.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    /// Records the end of a header, which may be an interim one.
    func endHeader() {
        if status >= 200 { hasHeader = true }
    }

    /// Takes bytes of the body. False if there are too many.
    func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        guard body.count + bytes.count <= limit else {
            breach = .longBody
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// The response, once it is complete.
    func response(on connection: Int) -> WireResponse {
        var response = WireResponse(status: status, headers: headers, body: body)
        response.connection = connection
        return response
    }

    /// The error of a stream that ended without a whole response.
    func error(_ code: UInt32) -> PushError {
        switch breach {
        case .longBody: return malformed("the response body is too long; see maxResponseBytes")
        case .longHeader: return malformed("the response header is too long; see maxHeaderBytes")
        case .longTogether:
            return malformed("the unfinished responses are too long together; see maxUnfinishedBytes")
        case .earlySuccess: return malformed("the server accepted the request before it had all of it")
        case .unreadableFile:
            return .transport(
                "a file of the request cannot be read", kind: .invalidArgument, retry: .never, wasSent: wasSent)
        case nil: break
        }
        guard wasSent else {
            return .transport("the connection took no more requests", retry: .after(.zero), wasSent: false)
        }
        // A server that had begun to respond contradicts itself.
        if code == NGHTTP2_REFUSED_STREAM.rawValue, !wasHeard {
            return PushError(
                .transport, "the server refused the request before it processed it\(connection.goodbye)",
                retry: .after(.zero))
        }
        // nghttp2 ends a stream that breaks a rule, for example with a body of the wrong length.
        guard isResetByServer else { return malformed("the response breaks the rules of HTTP/2") }
        let name = String(cString: nghttp2_http2_strerror(code))
        return .transport("the server ended the request with \(name)", wasSent: wasSent)
    }

    private func malformed(_ text: String) -> PushError { .transport(text, kind: .malformedResponse, wasSent: wasSent) }
}
