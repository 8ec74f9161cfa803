import PushAdapter

/// The request for an access token.
enum HuaweiTokens {
    /// `POST /oauth2/v3/token`: exchanges the app's secret for a token of an hour.
    static func exchange(_ clientID: String, _ secret: Secret) -> Exchange<AccessToken> {
        var exchange = Exchange(
            oauth: WireRequest(.post, .huaweiOAuth, path: ["token"], body: .clientCredentials(clientID, secret)))
        exchange.charges = [QuotaCharge(.huaweiTokens)]
        return exchange
    }
}
