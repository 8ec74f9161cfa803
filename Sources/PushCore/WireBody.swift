/// The body of a request.
public enum WireBody: Sendable, Hashable {
    case none
    case bytes([UInt8], contentType: String)
    case multipart([WirePart])

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
