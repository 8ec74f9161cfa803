import PushAdapter
import PushCrypto

/// The assertion that a service account signs to get an access token.
struct Assertion {
    let header: JSONValue
    let claims: JSONValue
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil if the text does not have three parts.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    var scopes: Set<String> {
        Set((claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init))
    }

    /// Whether one of the keys made the signature: the key that the header names, or any if it names none.
    func isSigned(byOneOf keys: [String: VerifyingKey]) -> Bool {
        guard header["alg"] == "RS256", header["typ"].map({ $0 == "JWT" }) ?? true else { return false }
        let candidates =
            if let id = header["kid"]?.stringValue { keys[id].map { [$0] } ?? [] } else { Array(keys.values) }
        return candidates.contains { $0.algorithm == .rs256 && $0.accepts(signature, of: signed) }
    }

    /// Whether its times are close to `now`, in seconds since 1970, and at most an hour apart.
    func isTimely(_ now: Double, skew: Double) -> Bool {
        guard let start = claims["iat"]?.intValue.map({ Double($0) }),
            let end = claims["exp"]?.intValue.map({ Double($0) })
        else { return false }
        return start <= now + skew && end > now - skew && end > start && end - start <= Rules.assertionLife
    }

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes), case .object = value
        else {
            return nil
        }
        return value
    }
}
