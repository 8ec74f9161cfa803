import CLibcurl
import PushCore

/// One request on its way.
///
/// `@unchecked`: `isCancelled` and `continuation` are guarded by the engine's inbox until the transfer is handed over;
/// everything else belongs to the I/O thread.
final class CurlTransfer: @unchecked Sendable {
    typealias Answer = Result<WireResponse, PushError>

    enum Overflow {
        case body
        case headers
    }

    let request: TransportRequest
    /// When its time is over, a century from now at the most.
    let end: ContinuousClock.Instant

    // Guarded by the inbox.
    var isCancelled = false
    var continuation: CheckedContinuation<Answer, Never>?

    // The I/O thread's.
    var easy: UnsafeMutableRawPointer?
    var headerList: UnsafeMutablePointer<curl_slist>?
    var mime: OpaquePointer?
    var sentBytes = 0
    var headers = HTTPFields()
    var headerNames: HeaderNames?
    var headerBytes = 0
    var body: [UInt8] = []
    var maxBody = 0
    var maxHeaders = 0
    var overflow: Overflow?

    init(_ request: TransportRequest) {
        self.request = request
        end = ContinuousClock.now + min(request.timeout, .seconds(3_000_000_000))
    }

    /// Adds a line of the header; nil keeps libcurl from sending a field of its own.
    func appendHeader(_ name: String, _ value: String?) {
        let line =
            switch value {
            case nil: "\(name):"
            case "": "\(name);"
            case let value?: "\(name): \(value)"
            }
        headerList = curl_slist_append(headerList, line)
    }

    // MARK: Called by libcurl, on the I/O thread

    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= maxBody else {
            overflow = .body
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= maxHeaders else {
            overflow = .headers
            return 0
        }
        if bytes.starts(with: "HTTP/".utf8) {
            // An interim answer such as 100 came before.
            headers = HTTPFields()
        } else if let colon = bytes.firstIndex(of: 0x3A), let name = headerNames?.name(bytes[..<colon]) {
            let value = bytes[(colon + 1)...].prefix { $0 != 0x0D && $0 != 0x0A }.drop { $0 == 0x20 || $0 == 0x09 }
            headers.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return bytes.count
    }

    /// Hands out the next part of a body that cannot be taken back. Asked for more than there is, libcurl is beginning
    /// again without having said so: that ends the request.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard case .bytes(let bytes, _) = request.body else { return 0 }
        guard sentBytes < bytes.count else { return Int(CURL_READFUNC_ABORT) }
        let count = min(buffer.count, bytes.count - sentBytes)
        bytes.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sentBytes..<sentBytes + count]))
        }
        sentBytes += count
        return count
    }
}
