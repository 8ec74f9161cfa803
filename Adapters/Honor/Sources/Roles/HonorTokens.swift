import FoundationEssentials
import PushAdapter

/// The request for an access token.
enum HonorTokens {
    /// `POST /auth/token`: exchanges the Client Secret for a token of an hour.
    static func exchange(_ clientID: String, _ secret: Secret) -> Exchange<AccessToken> {
        let text = secret.withBytes { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }
        let id = PercentEncoding.encode(clientID)
        let form = "grant_type=client_credentials&client_id=\(id)&client_secret=\(text)"
        let body = WireBody.bytes(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
        return Exchange(
            .mintToken, WireRequest(.post, .honorAccounts, path: ["auth", "token"], body: body), credential: .none,
            idempotency: .idempotent, decode: token)
    }

    private static func token(in response: WireResponse) throws(PushError) -> AccessToken {
        let reply = try response.json()
        guard let token = reply["access_token"]?.stringValue, !token.isEmpty,
            let life = reply["expires_in"]?.identifier.flatMap(Double.init), (1...1e9).contains(life)
        else {
            throw PushError(
                .malformedResponse, "the response has no access token, or no life of it", retry: .backoff,
                effect: .unknown)
        }
        let now = response.receivedAt
        return AccessToken(Secret(token), mintedAt: now, expiresAt: now.addingTimeInterval(life))
    }
}
