import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// A provider token: the claims that a client's key signed, with the time of issue.
struct ProviderToken {
    let keyID: String
    let teamID: String
    /// Seconds since 1970.
    let issued: Double
    /// The SHA-256 digest of the whole token. It identifies the token.
    let digest: [UInt8]
    private let token: SimulatedWebToken

    /// Nil if the text lacks a part that Apple needs. Other fields and claims are allowed.
    init?(_ text: String) {
        // Some clients add the padding that the format omits.
        guard let token = SimulatedWebToken(text, allowsPadding: true), token.header["alg"] == "ES256",
            let keyID = token.header["kid"]?.stringValue, let teamID = token.claims["iss"]?.stringValue,
            let issued = token.claims["iat"].flatMap(Self.seconds)
        else { return nil }
        self.token = token
        self.keyID = keyID
        self.teamID = teamID
        self.issued = issued
        digest = Self.digest(of: text)
    }

    static func digest(of text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }

    func isSigned(by key: VerifyingKey) -> Bool {
        key.algorithm == .es256 && key.accepts(token.signature, of: token.signed)
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
