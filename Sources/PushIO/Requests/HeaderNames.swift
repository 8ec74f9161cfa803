package import PushAdapter

/// Caches the names of header fields in responses. A server sends the same few names again and again. Checking and
/// folding each of them anew would cost more than the rest of reading a response.
///
/// Belongs to the I/O thread.
package final class HeaderNames {
    /// More names than any vendor's server has; further names are not cached.
    private static let most = 64
    private var known: [(bytes: [UInt8], name: HTTPField.Name)] = []

    package init() {}

    /// Nil for bytes that are not a field name.
    package func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> HTTPField.Name? {
        if let match = known.first(where: { $0.bytes.count == bytes.count && $0.bytes.elementsEqual(bytes) }) {
            return match.name
        }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        if known.count < Self.most { known.append((Array(bytes), name)) }
        return name
    }
}
