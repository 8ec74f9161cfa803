import FoundationEssentials
import PushAdapter
import PushCrypto

/// The request for an access token.
enum OPPOTokens {
    private static let life: TimeInterval = 86_400

    /// Tokens for a day, each renewed an hour before its end.
    static func minting(_ appKey: String, _ secret: Secret) -> TokenMinting {
        TokenMinting(renewalMargin: .seconds(3600)) { (_, now) throws(PushError) in
            .fetched(by: exchange(appKey, secret, at: now))
        }
    }

    /// `POST /auth`: a token for the digest of key, time and secret.
    private static func exchange(_ appKey: String, _ secret: Secret, at now: Date) -> Exchange<AccessToken> {
        let time = String(Int(exactly: (now.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0)
        let digest = secret.withBytes { Digests.sha256(Array((appKey + time).utf8) + Array($0)) }
        var form = FormBody()
        form.add("app_key", appKey)
        form.add("timestamp", time)
        form.add("sign", Digests.hex(digest))
        return Exchange(
            .mintToken, WireRequest(.post, .oppo, path: ["auth"], body: form.body), credential: .none,
            idempotency: .idempotent, decode: token)
    }

    /// A token that the vendor made earlier has less than a day left.
    private static func token(_ response: WireResponse) throws(PushError) -> AccessToken {
        let data = try OPPOReply.accepted(response).data
        guard let token = data?["auth_token"]?.stringValue, !token.isEmpty else {
            throw PushError(unreadable: "the response has no access token")
        }
        let now = response.receivedAt
        let made = data?["create_time"]?.identifier.flatMap(Double.init).map { $0 / 1000 }
        let age = made.map { now.timeIntervalSince1970 - $0 } ?? 0
        // A time that cannot be right, such as one of a clock that is ahead, says nothing.
        let rest = (0..<life).contains(age) ? life - age : life
        return AccessToken(Secret(token), mintedAt: now, expiresAt: now.addingTimeInterval(rest))
    }
}

/// `auth_token: TOKEN`. The vendor's page of today has a field of the form in its place; running clients have the header
/// field, as older pages do.
struct OPPOAuthorizer: Authorizer {
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, let token, let name = HTTPField.Name("auth_token") else {
            throw PushError(.misconfigured, "OPPO has no credentials for a \(scope.name)")
        }
        return HTTPFields([token.value.field(name)])
    }
}
