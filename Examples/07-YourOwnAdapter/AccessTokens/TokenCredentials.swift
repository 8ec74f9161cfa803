import FoundationEssentials
import PushAdapter

/// How requests are signed: `POST /token` exchanges the key for an access token, which is a header field of every other
/// call.
struct PigeonCredentials: Authorizer {
    let key: Secret

    /// What the vendor says about the key and its tokens. `afterRenewal` makes the client fetch another token, once.
    static let errors: [VendorErrorRow] = [
        .refused(10, .unauthorized, "the key is wrong; copy it from the loft", PigeonErrors.page),
        VendorErrorRow(
            code: 11, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied,
            advice: "the access token has expired, or is unknown", source: PigeonErrors.page),
    ]

    /// The client fetches a token before the first call, uses it for all calls, and fetches the next five minutes before
    /// it expires.
    var tokens: TokenMinting? {
        TokenMinting(renewalMargin: .seconds(300)) { (_, _) throws(PushError) in .fetched(by: exchange) }
    }

    /// `POST /token`: the key is in the body, so no authorizer signs this request.
    private var exchange: Exchange<AccessToken> {
        let form = key.withBytes { "key=" + PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }
        let body = WireBody.bytes(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
        return Exchange(
            .mintToken, WireRequest(.post, .pigeon, path: ["token"], body: body), credential: .none,
            idempotency: .idempotent
        ) { (response) throws(PushError) in
            let token = try response.json(Token.self)
            guard !token.token.isEmpty, (1...1e9).contains(token.seconds) else {
                throw PushError(
                    .malformedResponse, "the response has no access token, or no life of it", retry: .backoff,
                    effect: .unknown)
            }
            return AccessToken(
                Secret(token.token), mintedAt: response.receivedAt,
                expiresAt: response.receivedAt.addingTimeInterval(token.seconds))
        }
    }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, let token else {
            throw PushError(.misconfigured, "Pigeon has only tokens of an app, none for a \(scope.name)")
        }
        return token.bearer
    }

    private struct Token: Decodable {
        var token: String
        var seconds: Double
    }
}
