import FoundationEssentials
import PushAdapter
import PushCrypto

/// The requests for access tokens.
enum FCMTokens {
    /// The narrowest scope that allows sends and topic changes. Reports need a wider one.
    private static func scope(_ scope: CredentialScope) -> String {
        "https://www.googleapis.com/auth/" + (scope == .account ? "cloud-platform" : "firebase.messaging")
    }
    /// Google checks this audience, whichever address gets the request.
    private static let audience = "https://oauth2.googleapis.com/token"

    /// Exchanges a signed assertion for a token. RS256 always signs the same text in the same way, so describing the
    /// request has no side effect.
    static func exchange(
        for account: ServiceAccount, _ scope: CredentialScope, at now: Date
    ) throws(PushError) -> Exchange<AccessToken> {
        let seconds = Int(now.timeIntervalSince1970)
        let assertion = try WebToken.signed(
            [
                "iss": .string(account.email), "scope": .string(Self.scope(scope)), "aud": .string(audience),
                "iat": JSONValue(integerLiteral: seconds), "exp": JSONValue(integerLiteral: seconds + 3600),
            ], header: ["typ": "JWT", "kid": .string(account.keyID)], by: account.key)
        let grant = PercentEncoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
        let body = WireBody.bytes(
            Array("grant_type=\(grant)&assertion=".utf8) + assertion.withBytes { Array($0) },
            contentType: "application/x-www-form-urlencoded")
        return Exchange(oauth: WireRequest(.post, .fcmOAuth, path: ["token"], body: body))
    }

    /// Asks the machine's metadata server for a token.
    static func metadata(of account: String) -> Exchange<AccessToken> {
        var headers = HTTPFields()
        if let flavor = HTTPField.Name("Metadata-Flavor") { headers[flavor] = "Google" }
        return Exchange(
            oauth: WireRequest(
                .get, .fcmMetadata, path: ["instance", "service-accounts", .value(account), "token"],
                headers: headers))
    }
}

/// Sends the access token as a bearer token.
struct FCMAuthorizer: Authorizer {
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard [.app, .account].contains(scope), let token else {
            throw PushError(.misconfigured, "FCM has no credentials for a \(scope.name)")
        }
        return token.bearer
    }
}
