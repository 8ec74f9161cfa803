import FoundationEssentials
import PushAPNs
import PushAdapter
import PushCrypto
import TestSupport
import Testing

@Suite("APNs provider tokens")
struct ProviderTokenTests {
    private let request = WireRequest(.post, "apns")

    private func token(_ apns: APNs, at moment: Date = Shop.now) throws -> AccessToken {
        let minting = try #require(apns.roles.tokens)
        guard case .made(let token) = try minting.mint(.app, moment) else {
            throw PushError(.invalidState, "the adapter asks the network for a token")
        }
        return token
    }

    @Test("a token names key, team and second, and the key signs it; it ends before the vendor's hour")
    func claims() throws {
        let apns = try Shop.apns()
        let moment = Shop.now.addingTimeInterval(0.9)
        let token = try token(apns, at: moment)
        #expect(token.mintedAt == moment && token.expiresAt == Shop.now.addingTimeInterval(3300))
        // It is renewed after 50 minutes, and never within 20.
        #expect(apns.roles.tokens?.renewalMargin == .seconds(300))
        #expect(apns.roles.tokens?.minimumInterval == .seconds(1200))
        let parts = token.value.text.split(separator: ".")
        try #require(parts.count == 3)
        let header = try JSONValue(parsing: #require(Base64URL.decode(parts[0])))
        let claims = try JSONValue(parsing: #require(Base64URL.decode(parts[1])))
        #expect(header["alg"] == "ES256" && header["kid"] == "K7EXAMPLE9")
        #expect(claims == ["iss": "T3AMEXAMP1", "iat": 1_795_165_200])
        let signature = try #require(Base64URL.decode(parts[2]))
        let verifyingKey = try Shop.signingKey().verifyingKey
        #expect(signature.count == 64 && verifyingKey.accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("a token goes as a bearer in lower case, which no header table keeps; a certificate needs none")
    func bearer() throws {
        let apns = try Shop.apns()
        let token = try token(apns)
        let fields = try apns.authorizer.authorize(request, as: .app, with: token, at: Shop.now)
        #expect(fields.map(\.value) == ["bearer " + token.value.text])
        #expect(fields.map(\.name) == [.authorization] && fields.first?.indexingStrategy == .disallow)
        #expect(!"\(token) \(String(reflecting: token))".contains(token.value.text))
        let certified = try APNs(certificateFor: Shop.topic)
        #expect(certified.roles.tokens == nil && certified.authorizer.connectionGroup(for: .app) == nil)
        #expect(try certified.authorizer.authorize(request, as: .app, with: nil, at: Shop.now).isEmpty)
    }

    private static let refused: [(isCertified: Bool, scope: CredentialScope, hasToken: Bool)] =
        [CredentialScope.group, .account].flatMap { [(false, $0, true), (true, $0, false)] }
        + [(false, .app, false), (true, .app, true)]

    @Test("only calls of the app are signed, with a token or a certificate, not both", arguments: refused)
    func scopes(isCertified: Bool, scope: CredentialScope, hasToken: Bool) throws {
        let apns = try isCertified ? APNs(certificateFor: Shop.topic) : Shop.apns()
        let token = hasToken ? try token(Shop.apns()) : nil
        expectThrows(.error(.misconfigured)) {
            try apns.authorizer.authorize(request, as: scope, with: token, at: Shop.now)
        }
    }

    @Test(
        "connections belong to one key of one team",
        arguments: [("K7EXAMPLE9", "T3AMEXAMP1"), ("K8EXAMPLE8", "T3AMEXAMP1"), ("K7EXAMPLE9", "T3AMOTHER2")])
    func groups(keyID: String, teamID: String) throws {
        let apns = try APNs(Shop.key(keyID: keyID, teamID: teamID), topic: Shop.topic)
        #expect(apns.authorizer.connectionGroup(for: .app) == "\(teamID)/\(keyID)")
    }

    @Test("the check of the credentials pushes to a token of no device, and wants to hear that it is bad")
    func probe() throws {
        var apns = try Shop.apns()
        let exchange = try apns.probe()
        #expect(try exchange.request.target() == "/3/device/" + String(repeating: "0", count: 64))
        #expect(exchange.operation == .probeCredentials && exchange.idempotency == .idempotent)
        #expect(exchange.request.service == "apns" && exchange.statusesInPlace == [400])
        #expect(Shop.header("apns-topic", of: exchange.request) == Shop.topic)
        let bad = #"{"reason":"BadDeviceToken"}"#
        #expect(throws: Never.self) { try exchange.decode(WireResponse(400, bad)) }
        exchange.expectUnreadable(
            WireResponse(400, #"{"reason":"BadTopic"}"#), WireResponse(400, ""), WireResponse(200, bad),
            WireResponse(200, "", [("apns-id", "a")]))
        apns.environment = .development
        #expect(try apns.probe().request.service == "apns.sandbox")
        #expect(apns.roles.probe != nil)
    }

    @Test("the check for a certificate for device management pushes what its topic takes")
    func managementProbe() throws {
        let request = try APNs(certificateFor: Shop.management).probe().request
        #expect(Shop.header("apns-topic", of: request) == Shop.management)
        #expect(Shop.header("apns-push-type", of: request) == "mdm")
    }
}
