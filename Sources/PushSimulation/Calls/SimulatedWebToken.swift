import FoundationEssentials
public import PushAdapter

/// A signed token in its compact form (RFC 7515), as a client sends it. PushCrypto checks the signature.
public struct SimulatedWebToken: Sendable {
    /// The first part: algorithm and key.
    public let header: JSONValue
    /// The second part: who asks, for whom, and when.
    public let claims: JSONValue
    /// The bytes that were signed.
    public let signed: [UInt8]
    /// The third part.
    public let signature: [UInt8]

    /// Nil if a text does not have three parts, or the first two are no objects.
    /// - Parameters:
    ///   - text: the three parts, joined by dots.
    ///   - allowsPadding: whether a part may end in the padding that the form omits.
    public init?(_ text: String, allowsPadding: Bool = false) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { Self.bytes($0, allowsPadding: allowsPadding) }
        guard parts.count == 3, bytes.count == 3, let header = try? JSONValue(parsing: bytes[0]),
            let claims = try? JSONValue(parsing: bytes[1]), case .object = header, case .object = claims
        else { return nil }
        self.header = header
        self.claims = claims
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        signature = bytes[2]
    }

    private static func bytes(_ part: Substring, allowsPadding: Bool) -> [UInt8]? {
        var part = part
        while allowsPadding, part.last == "=" { part.removeLast() }
        guard !part.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map { Array($0) }
    }
}
