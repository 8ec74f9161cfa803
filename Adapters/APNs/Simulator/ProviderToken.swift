import FoundationEssentials
import PushAdapter
import PushCrypto

/// A provider token: the claims that a client's key signed, with the time of issue.
struct ProviderToken {
    let keyID: String
    let teamID: String
    /// Seconds since 1970.
    let issued: Double
    /// The SHA-256 digest of the whole token. It identifies the token.
    let digest: [UInt8]
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Nil if the text lacks a part that Apple needs. Other fields and claims are allowed.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Self.bytes(parts[2]), header["alg"] == "ES256",
            let keyID = header["kid"]?.stringValue, let teamID = claims["iss"]?.stringValue,
            let issued = claims["iat"].flatMap(Self.seconds)
        else { return nil }
        self.keyID = keyID
        self.teamID = teamID
        self.issued = issued
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        digest = Self.digest(of: text)
    }

    static func digest(of text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }

    func isSigned(by key: VerifyingKey) -> Bool { key.algorithm == .es256 && key.accepts(signature, of: signed) }

    // MARK: Reading

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = bytes(part), let value = try? JSONValue(parsing: bytes), case .object = value else {
            return nil
        }
        return value
    }

    /// Accepts the padding that some clients add, although the format omits it.
    private static func bytes(_ part: Substring) -> [UInt8]? {
        var text = part
        while text.last == "=" { text.removeLast() }
        return text.isEmpty ? nil : Base64URL.decode(text)
    }

    /// Accepts a fraction or a text, which some clients write.
    private static func seconds(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let number): Double(number.description)
        case .string(let text) where text.utf8.allSatisfy({ Rules.isDigit($0) || $0 == 0x2E }): Double(text)
        default: nil
        }
    }
}
