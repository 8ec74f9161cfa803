import FoundationEssentials
import PushAdapter
import PushCrypto

extension WebPush {
    /// The life of a token. A service takes up to 24 hours, and clocks differ.
    private static let life: TimeInterval = 12 * 3600

    /// Tokens for one origin and key (RFC 8292, section 2). They are renewed after six hours, and never within one:
    /// Apple asks for that.
    var tokens: TokenMinting {
        TokenMinting(renewalMargin: .seconds(6 * 3600), minimumInterval: .seconds(3600)) {
            (scope, now) throws(PushError) in
            guard case .origin(let origin, let id) = scope, let key = keys[id] else {
                throw PushError(.misconfigured, "Web Push has no key for the scope \(scope.name)")
            }
            let end = now.timeIntervalSince1970.rounded(.down) + Self.life
            let token = try WebToken.signed(
                ["aud": .string(origin), "exp": JSONValue(integerLiteral: Int(end)), "sub": .string(subject)],
                header: ["typ": "JWT"], by: key.signingKey)
            // The whole value of the header field, which is made once for all requests.
            let proof = token.withBytes { Array("t=".utf8) + $0 + Array(", k=\(key.publicKey)".utf8) }
            return .made(
                AccessToken(
                    Secret(proof), mintedAt: now, expiresAt: Date(timeIntervalSince1970: end), scheme: "vapid"))
        }
    }
}

/// Writes `Authorization: vapid t=…, k=…`, and no other credential.
struct WebPushAuthorizer: Authorizer {
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard case .origin = scope, let token else {
            throw PushError(.misconfigured, "Web Push has no credentials for the scope \(scope.name)")
        }
        return token.bearer
    }
}
