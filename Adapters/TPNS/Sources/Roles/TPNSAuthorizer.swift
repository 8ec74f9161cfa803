import FoundationEssentials
import PushAdapter
import PushCrypto

/// Signs each request, or sends the secret key with HTTP Basic.
///
/// The signature is the Base64 of the hexadecimal text of `HMAC-SHA256(secret key, time + AccessId + body)`.
struct TPNSAuthorizer: Authorizer {
    private let accessID: String
    private let secretKey: Secret
    private let basic: Secret
    private let authentication: TPNS.Authentication

    init(accessID: UInt32, secretKey: Secret, _ authentication: TPNS.Authentication) throws(PushError) {
        guard !secretKey.isEmpty else {
            throw PushError(.misconfigured, "the TPNS secret key is empty; copy it from the console")
        }
        self.accessID = String(accessID)
        self.secretKey = secretKey
        self.authentication = authentication
        basic = Secret.basic(self.accessID, secretKey)
    }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app else {
            throw PushError(.misconfigured, "TPNS has credentials for apps only, not for a \(scope.name)")
        }
        switch (authentication, request.body) {
        case (.basic, _), (_, .multipart): return HTTPFields([basic.field(.authorization)])
        case (.signature, .none): return sign([], at: now)
        case (.signature, .bytes(let body, _)): return sign(body, at: now)
        }
    }

    private func sign(_ body: [UInt8], at now: Date) -> HTTPFields {
        let time = String(Int(now.timeIntervalSince1970))
        let code = Digests.hmacSHA256(Array(time.utf8) + Array(accessID.utf8) + body, key: secretKey)
        let signature = Data(Digests.hex(code).utf8).base64EncodedString()
        return HTTPFields([
            HTTPField(name: Header.accessID, value: accessID), HTTPField(name: Header.timeStamp, value: time),
            Secret(signature).field(Header.sign),
        ])
    }

    private enum Header {
        static let accessID = name("AccessId")
        static let timeStamp = name("TimeStamp")
        static let sign = name("Sign")

        /// Creates a field name. These names consist of letters only, so they are always valid.
        private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }
    }
}
