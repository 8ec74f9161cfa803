/// The body of a request.
public enum WireBody: Sendable, Hashable {
    /// Nothing.
    case none
    /// These bytes, with this content type.
    case bytes([UInt8], contentType: String)
    /// A form of several parts, as `multipart/form-data`.
    case multipart([WirePart])

    /// Bytes that are already JSON, with the content type `application/json`.
    public static func json(_ bytes: [UInt8]) -> WireBody { .bytes(bytes, contentType: "application/json") }
}

extension WireBody: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none: "no body"
        case .bytes(let bytes, _): "\(bytes.count) bytes"
        case .multipart(let parts): "\(parts.count) parts"
        }
    }
}
