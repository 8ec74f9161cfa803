import FoundationEssentials
import HuaweiDialect
import PushAdapter

/// The request for an access token.
enum HuaweiTokens {
    /// `POST /oauth2/v3/token`: exchanges the app's secret for a token of an hour.
    static func exchange(_ clientID: String, _ secret: Secret) -> Exchange<AccessToken> {
        let text = secret.withBytes { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }
        let form = "grant_type=client_credentials&client_id=\(clientID)&client_secret=\(text)"
        let body = WireBody.bytes(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
        return Exchange(
            .mintToken, WireRequest(.post, .huaweiOAuth, path: ["token"], body: body), credential: .none,
            idempotency: .idempotent
        ) { (response) throws(PushError) in
            let reply = try response.json()
            guard let token = reply["access_token"]?.stringValue, !token.isEmpty,
                let life = reply["expires_in"]?.identifier.flatMap(Double.init), (1...1e9).contains(life)
            else {
                throw PushError(unreadable: "the response has no access token, or no life of it")
            }
            let now = response.receivedAt
            return AccessToken(Secret(token), mintedAt: now, expiresAt: now.addingTimeInterval(life))
        }
    }
}
