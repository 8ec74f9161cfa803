import PushAdapter

/// The request for an access token.
enum HonorTokens {
    /// `POST /auth/token`: exchanges the Client Secret for a token of an hour.
    static func exchange(_ clientID: String, _ secret: Secret) -> Exchange<AccessToken> {
        Exchange(
            oauth: WireRequest(
                .post, .honorAccounts, path: ["auth", "token"], body: .clientCredentials(clientID, secret)))
    }
}
