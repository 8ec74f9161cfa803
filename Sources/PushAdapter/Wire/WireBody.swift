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

extension WireBody {
    /// Its bytes as a text for people, with `***` in place of secrets, also of those in JSON or in a form; nil for a
    /// body without bytes or with several parts.
    package func text(masking secrets: [Secret]) -> String? {
        guard case .bytes(let bytes, _) = self else { return nil }
        let plain = secrets.filter { !$0.isEmpty }.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
        let inJSON = plain.map(Self.inJSON)
        let forms = plain + inJSON + inJSON.map(Self.inJSON) + (plain + inJSON).map { PercentEncoding.encode($0) }
        // The longer ones first: one of them may contain another.
        return Set(forms).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
            .reduce(String(decoding: bytes, as: UTF8.self)) { $0.replacing($1, with: "***") }
    }

    private static func inJSON(_ text: String) -> String {
        String(decoding: JSONWriter.bytes(of: .string(text)).dropFirst().dropLast(), as: UTF8.self)
    }
}
