import FoundationEssentials
import PushAdapter
import PushCrypto
import PushWebhooks

/// Exchanges the app's secret for access tokens. Several tokens are valid at once.
struct VivoTokens: Sendable {
    let appID: Int
    let appKey: String
    let secret: Secret

    /// A day from the request on: the answer has no time. The client renews the token after half of it.
    private static let life = 86_400

    var minting: TokenMinting {
        TokenMinting(renewalMargin: .seconds(Self.life / 2)) { (_, now) throws(PushError) in
            .fetched(by: try exchange(at: now))
        }
    }

    /// `POST /message/auth`. The vendor's clock may differ by ten minutes.
    private func exchange(at now: Date) throws(PushError) -> Exchange<AccessToken> {
        let time = Int((now.timeIntervalSince1970 * 1000).rounded(.down))
        let body: JSONValue = [
            "appId": JSONValue(integerLiteral: appID), "appKey": .string(appKey),
            "timestamp": JSONValue(integerLiteral: time), "sign": .string(try signature(at: time)),
        ]
        return Exchange(
            .mintToken,
            WireRequest(.post, .vivo, path: ["message", "auth"], body: .vivo(JSONWriter.bytes(of: body))),
            credential: .none, idempotency: .idempotent
        ) { (response) throws(PushError) in
            guard let token = try VivoReply.accepted(response)["authToken"]?.stringValue,
                !token.isEmpty, Secret(token).isVisible
            else {
                throw PushError(unreadable: "the response has no access token")
            }
            return AccessToken(
                Secret(token), mintedAt: now, expiresAt: now.addingTimeInterval(TimeInterval(Self.life)))
        }
    }

    private func signature(at time: Int) throws(PushError) -> String {
        let text = Array("\(appID)\(appKey)\(time)".utf8)
        return Digests.hex(try Digests.md5(secret.withBytes { text + Array($0) }))
    }
}

/// Sends a token in the vendor's own header field.
struct VivoAuthorizer: Authorizer {
    private static let name = HTTPField.Name("authToken")

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, let token, let name = Self.name else {
            throw PushError(.misconfigured, "vivo has no credentials for a \(scope.name)")
        }
        return HTTPFields([token.value.field(name)])
    }
}
