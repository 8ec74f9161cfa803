package import FoundationEssentials
package import PushAdapter
package import PushCrypto
import PushSimulation

/// The service accounts of all projects, and the tokens that they signed: JWT with PS256, without an exchange.
package struct Keyring: Sendable {
    /// The service account of a project.
    package struct Account: Sendable {
        /// The id of the project.
        package var project: String
        /// `sub_account` of the key file, the issuer of tokens.
        package var issuer: String
        /// By `key_id`.
        package var keys: [String: VerifyingKey]

        /// The account of a project.
        package init(project: String, issuer: String, keys: [String: VerifyingKey]) {
            (self.project, self.issuer, self.keys) = (project, issuer, keys)
        }

        /// A new account with this RSA key, and the key file that the console offers.
        package static func generate(
            project: String, with key: SigningKey
        ) throws(PushError) -> (account: Account, keyFile: [String: JSONValue]) {
            let key = try key.signing(with: .ps256)
            let (id, issuer) = (SimulatorRandom.uuid().replacing("-", with: ""), "sub-\(project)")
            let pem = key.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
            let account = Account(project: project, issuer: issuer, keys: [id: try key.verifyingKey])
            let server = "https://oauth-login.cloud.huawei.com/oauth2/v3"
            let file: [String: JSONValue] = [
                "project_id": .string(project), "key_id": .string(id), "private_key": .string(pem),
                "sub_account": .string(issuer), "auth_uri": .string(server + "/authorize"),
                "token_uri": .string(audience), "auth_provider_cert_uri": .string(server + "/certs"),
                "client_cert_uri": .string(server + "/x509?client_id=" + issuer),
            ]
            return (account, file)
        }
    }

    private static let audience = "https://oauth-login.cloud.huawei.com/oauth2/v3/token"
    private static let longestLife = 86_400.0
    /// Digests of the tokens that were good, and of those that are refused although they are not yet over.
    private var seen: Set<[UInt8]> = []
    private var ended: Set<[UInt8]> = []

    /// No tokens yet.
    package init() {}

    /// Ends every token so far early.
    package mutating func endTokens() {
        ended.formUnion(seen)
        seen = []
    }

    /// The project whose account signed a token.
    /// - Parameter skew: the seconds by which a caller's clock may be ahead or behind.
    package mutating func project(
        of text: String, among accounts: [Account], skew: Double, at now: Date
    ) throws(Refusal) -> String {
        guard let token = ServiceToken(text), token.claims["aud"] == .string(Self.audience),
            let account = accounts.first(where: { token.isSigned(by: $0) }),
            let start = token.claims["iat"]?.intValue.map({ Double($0) }),
            let end = token.claims["exp"]?.intValue.map({ Double($0) }), start <= now.timeIntervalSince1970 + skew
        else { throw .unauthorized }
        let digest = Digests.sha256(Array(text.utf8))
        guard end > now.timeIntervalSince1970 - skew, !ended.contains(digest) else { throw .expired }
        guard end - start <= Self.longestLife else { throw .longLived }
        seen.insert(digest)
        return account.project
    }
}

/// A JWT in its three parts.
private struct ServiceToken {
    let header: JSONValue
    let claims: JSONValue
    let signed: [UInt8]
    let signature: [UInt8]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        (self.header, self.claims, self.signature) = (header, claims, signature)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    func isSigned(by account: Keyring.Account) -> Bool {
        guard header["alg"] == "PS256", header["typ"].map({ $0 == "JWT" }) ?? true,
            claims["iss"] == .string(account.issuer), let id = header["kid"]?.stringValue,
            let key = try? account.keys[id]?.verifying(.ps256)
        else { return false }
        return key.accepts(signature, of: signed)
    }

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes), case .object = value
        else { return nil }
        return value
    }
}
