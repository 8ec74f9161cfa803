import CNGHTTP2
import PushAdapter
import PushIO

/// Writes the headers of requests, one after the other, into memory that it keeps. Belongs to the I/O thread.
struct HeaderBlock {
    private struct Field {
        var name: Range<Int>
        var value: Range<Int>
        var flags: UInt8
    }

    private let userAgent: String
    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    private var vectors: [nghttp2_nv] = []

    init(userAgent: String) { self.userAgent = userAgent }

    /// More than servers accept, and less than nghttp2 would write.
    private static let longest = 48 << 10

    /// Lends the fields of a request, in the order in which they are sent. Throws `invalidArgument` if they are too long.
    mutating func withFields<Result>(
        of call: Transfer, _ source: BodySource, _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result
    ) throws(PushError) -> Result {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        let request = call.request
        var hasAgent = false
        append(":method", request.method.rawValue)
        append(":scheme", "https")
        append(":authority", call.origin.authority)
        append(":path", request.url, from: call.origin.text.utf8.count)
        for field in request.headers {
            append(field.name.canonicalName, field.value, isSecret: field.indexingStrategy == .disallow)
            hasAgent = hasAgent || field.name == .userAgent
        }
        if !hasAgent { append("user-agent", userAgent) }
        if let count = source.count {
            if !source.contentType.isEmpty { append("content-type", source.contentType) }
            append("content-length", String(count))
        } else if ![.get, .head, .delete].contains(request.method) {
            append("content-length", "0")
        }
        guard bytes.count <= Self.longest else {
            throw PushError(.invalidArgument, "the request's address and header have more than \(Self.longest) bytes")
        }
        return bytes.withUnsafeMutableBufferPointer { bytes in
            vectors.removeAll(keepingCapacity: true)
            guard let base = bytes.baseAddress else { return body(nil, 0) }
            for field in fields {
                vectors.append(
                    nghttp2_nv(
                        name: base + field.name.lowerBound, value: base + field.value.lowerBound,
                        namelen: field.name.count, valuelen: field.value.count, flags: field.flags))
            }
            return vectors.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }

    /// - Parameter start: where in the text the value begins; the value of a path begins with a slash.
    private mutating func append(_ name: String, _ text: String, from start: Int? = nil, isSecret: Bool = false) {
        let first = bytes.count
        append(name, from: 0)
        let middle = bytes.count
        if let start, text.utf8.count == start || text.utf8.dropFirst(start).first != 0x2F { bytes.append(0x2F) }
        append(text, from: start ?? 0)
        fields.append(
            Field(
                name: first..<middle, value: middle..<bytes.count,
                flags: UInt8((isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE).rawValue)))
    }

    private mutating func append(_ text: String, from start: Int) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start...])) }
    }
}
