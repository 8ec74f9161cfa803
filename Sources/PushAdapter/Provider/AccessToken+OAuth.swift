import FoundationEssentials
package import PushCore

extension AccessToken {
    /// Reads the answer of an OAuth 2.0 token endpoint (RFC 6749, section 5.1). Some servers write the life as a text.
    package init(oauth response: WireResponse) throws(PushError) {
        let reply = try response.json()
        guard let token = reply["access_token"]?.stringValue, !token.isEmpty,
            let life = reply["expires_in"]?.identifier.flatMap(Double.init), (1...1e9).contains(life)
        else {
            throw PushError(unreadable: "the response has no access token, or no life of it")
        }
        let now = response.receivedAt
        self.init(Secret(token), mintedAt: now, expiresAt: now.addingTimeInterval(life))
    }
}

extension Exchange<AccessToken> {
    /// A request to an OAuth 2.0 token endpoint.
    package init(oauth request: WireRequest) {
        self.init(.mintToken, request, credential: .none, idempotency: .idempotent, decode: AccessToken.init(oauth:))
    }
}

extension WireBody {
    /// Exchanges an app's secret for a token (RFC 6749, section 4.4).
    package static func clientCredentials(_ id: String, _ secret: Secret) -> WireBody {
        let text = secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let form =
            "grant_type=client_credentials&client_id=\(PercentEncoding.encode(id))"
            + "&client_secret=\(PercentEncoding.encode(text))"
        return .bytes(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
    }
}
