import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Who sends: a token, and the key that signed it (RFC 8292).
struct VAPID: Sendable {
    let key: P256PublicKey
    let claims: JSONValue
    /// The SHA-256 digest of the field with both.
    let digest: [UInt8]

    /// The credentials in a request. Their signature fits, and their claims are unchecked.
    init(_ request: SimulatedRequest, _ profile: WebPushProfile) throws(WebPushRefusal) {
        let parts = try Parts(request, profile)
        guard let bytes = profile.keyBytes(parts.key),
            let key = try? P256PublicKey(bytes, named: "k"), let verifier = try? VerifyingKey(key)
        else { throw profile.refusal(.badKey) }
        guard let token = SimulatedWebToken(parts.token), token.header["alg"] == "ES256",
            verifier.accepts(token.signature, of: token.signed)
        else { throw profile.refusal(.badToken) }
        self.key = key
        claims = token.claims
        digest = Self.digest(of: request)
    }

    static func digest(of request: SimulatedRequest) -> [UInt8] {
        Digests.sha256(Array("\(request.headers[.authorization] ?? "") \(request.value("crypto-key") ?? "")".utf8))
    }

    /// Checks the claims.
    func check(_ profile: WebPushProfile, isOrigin: (String) -> Bool, at now: Date) throws(WebPushRefusal) {
        try profile.refuse(.badAudience, if: !isOrigin(claims["aud"]?.stringValue ?? ""))
        let end = claims["exp"].flatMap(Self.seconds) ?? 0
        let rest = end - now.timeIntervalSince1970
        try profile.refuse(.expired, if: rest <= 0)
        try profile.refuse(.longLife, if: rest > profile.tokenLife)
        try profile.refuse(.badSubject, if: !Self.isContact(claims["sub"]?.stringValue ?? ""))
    }

    private static func seconds(_ value: JSONValue) -> Double? {
        if case .number(let number) = value { Double(number.description) } else { nil }
    }

    /// Domains that are no contact. Senders saw the first two, `.invalid` and `.devhost` refused; the others are
    /// reserved too.
    private static let reserved: Set<Substring> = [
        "localhost", "local", "invalid", "devhost", "test", "example", "internal",
    ]

    /// Whether `sub` is an address of mail or of the web, at a domain that can be real.
    private static func isContact(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x3C && $0 != 0x3E }) else { return false }
        let domain: Substring
        if text.hasPrefix("mailto:"), let sign = text.lastIndex(of: "@") {
            domain = text[text.index(after: sign)...].prefix { $0 != "?" }
        } else if text.hasPrefix("https://") {
            domain = text.dropFirst(8).prefix { !"/?#:".contains($0) }
        } else {
            return false
        }
        let labels = domain.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last else { return false }
        return labels.count > 1 && !labels.contains("") && !reserved.contains(last)
    }

    /// The field's token and key, as text.
    private struct Parts {
        let token: String
        let key: String

        init(_ request: SimulatedRequest, _ profile: WebPushProfile) throws(WebPushRefusal) {
            let field = request.headers[.authorization] ?? ""
            guard !field.isEmpty else { throw profile.refusal(.noAuthorization) }
            let scheme = field.prefix { $0 != " " }
            guard profile.schemes.contains(scheme.lowercased()) else { throw profile.refusal(.badScheme) }
            let rest = String(field.dropFirst(scheme.count).replacing(" ", with: ""))
            let isOld = scheme.lowercased() != "vapid"
            let token = isOld ? rest : Self.parameter("t", of: rest, separator: ",")
            let key =
                isOld
                ? Self.parameter("p256ecdsa", of: request.value("crypto-key") ?? "", separator: ";")
                : Self.parameter("k", of: rest, separator: ",")
            guard let token, !token.isEmpty else { throw profile.refusal(.badScheme) }
            guard let key else { throw profile.refusal(.badKey) }
            (self.token, self.key) = (token, key)
        }

        private static func parameter(_ name: String, of text: String, separator: Character) -> String? {
            text.replacing(" ", with: "").split(separator: separator).lazy
                .first { $0.hasPrefix(name + "=") }
                .map { String($0.dropFirst(name.count + 1)) }
        }
    }
}

extension WebPushProfile {
    /// The bytes of a key that a sender or a browser wrote as Base64.
    fileprivate func keyBytes(_ text: String) -> [UInt8]? {
        guard takesPlainBase64 else { return Base64URL.decode(text) }
        return Base64URL.decodeAny(text)
    }
}

extension Base64URL {
    /// The bytes of a text in either alphabet, with or without padding.
    static func decodeAny(_ text: String) -> [UInt8]? {
        var text = text.replacing("+", with: "-").replacing("/", with: "_")
        while text.last == "=" { text.removeLast() }
        return decode(text)
    }
}

extension SimulatedRequest {
    /// The value of a header field by its name; nil if it is missing.
    func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    /// The values of a field that may be given several times, in one line or in several.
    func values(_ name: String) -> [String] {
        guard let name = HTTPField.Name(name) else { return [] }
        return headers[values: name].flatMap { line in
            line.split(separator: ",").map { String($0.replacing(" ", with: "")) }
        }
    }
}
