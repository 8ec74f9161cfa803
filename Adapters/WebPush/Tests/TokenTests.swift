import FoundationEssentials
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push tokens")
struct TokenTests {
    private let origin = "https://fcm.googleapis.com"

    private func token(_ webPush: WebPush, at moment: Date = Ferry.now) throws -> AccessToken {
        let minting = try #require(webPush.roles.tokens)
        guard case .made(let token) = try minting.mint(.origin(origin, key: Ferry.keyID), moment) else {
            throw PushError(.invalidState, "the adapter asks the network for a token")
        }
        return token
    }

    /// The header field of a request.
    private func field(_ webPush: WebPush, at moment: Date = Ferry.now) throws -> String {
        let request = try webPush.exchange(.shown, to: Ferry.google).request
        let fields = try webPush.authorizer.authorize(
            request, as: .origin(origin, key: Ferry.keyID), with: token(webPush, at: moment), at: moment)
        #expect(fields.map(\.name) == [.authorization] && fields.first?.indexingStrategy == .disallow)
        return try #require(fields[.authorization])
    }

    @Test("the header field has the token and the key, and the key signed origin, end and contact")
    func claims() throws {
        let field = try field(Ferry.webPush(), at: Ferry.now.addingTimeInterval(0.9))
        let pattern = try #require(field.wholeMatch(of: #/vapid t=([^,]+), k=(.+)/#))
        #expect(pattern.2 == Ferry.point)
        let parts = pattern.1.split(separator: ".")
        try #require(parts.count == 3)
        let header = try JSONValue(parsing: #require(Base64URL.decode(parts[0])))
        let claims = try JSONValue(parsing: #require(Base64URL.decode(parts[1])))
        #expect(header == ["typ": "JWT", "alg": "ES256"])
        #expect(claims == ["aud": .string(origin), "exp": 1_795_793_200, "sub": .string(Ferry.subject)])
        let signature = try #require(Base64URL.decode(parts[2]))
        let point = try P256PublicKey(#require(Base64URL.decode(Ferry.point)), named: "the key")
        #expect(try VerifyingKey(point).accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("a token lasts 12 hours, is renewed after six, and never within one")
    func life() throws {
        let webPush = try Ferry.webPush()
        let token = try token(webPush, at: Ferry.now.addingTimeInterval(0.9))
        #expect(token.mintedAt == Ferry.now.addingTimeInterval(0.9))
        #expect(token.expiresAt == Ferry.now.addingTimeInterval(43_200))
        #expect(webPush.roles.tokens?.renewalMargin == .seconds(21_600))
        #expect(webPush.roles.tokens?.minimumInterval == .seconds(3600))
    }

    private static let refused: [CredentialScope] = [
        .app, .group, .account, .none, .origin("https://fcm.googleapis.com", key: "0000000000000000"),
    ]

    @Test("there are no tokens for other scopes and keys", arguments: refused)
    func scopes(scope: CredentialScope) throws {
        let webPush = try Ferry.webPush()
        let minting = try #require(webPush.roles.tokens)
        let error = expectThrows(.error(.misconfigured)) { try minting.mint(scope, Ferry.now) }
        #expect(error?.message.contains("googleapis") == false)
    }

    @Test("a request without a token, or of another scope, is not signed")
    func unsigned() throws {
        let webPush = try Ferry.webPush()
        let request = try webPush.exchange(.shown).request
        let token = try token(webPush)
        expectThrows(.error(.misconfigured)) {
            try webPush.authorizer.authorize(
                request, as: .origin(origin, key: Ferry.keyID), with: nil, at: Ferry.now)
        }
        expectThrows(.error(.misconfigured)) {
            try webPush.authorizer.authorize(request, as: .app, with: token, at: Ferry.now)
        }
    }
}
