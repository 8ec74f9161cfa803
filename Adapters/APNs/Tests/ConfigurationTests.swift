import Foundation
import PushAPNs
import PushCore
import PushCrypto
import Testing

@Suite("APNs settings")
struct ConfigurationTests {
    private typealias Values = [String: ProviderSettings.Value]

    private func make(_ values: Values) throws(PushError) -> APNs {
        try APNs(ProviderSettings(values), dataCenter: APNs.dataCenters.standard)
    }

    private static func pem() throws -> Secret { try Shop.signingKey().privateKey }

    private static let app: Values = [
        "topic": .text(Shop.topic), "keyID": .text("K7EXAMPLE9"), "teamID": .text("T3AMEXAMP1"),
    ]

    // MARK: Settings

    @Test("the key may be a text or a file, or the connection has a certificate; the rest has defaults")
    func sources() throws {
        let pem = try Self.pem()
        let path = FileManager.default.temporaryDirectory.appending(path: "apns-\(UUID().uuidString).p8")
        defer { try? FileManager.default.removeItem(at: path) }
        try pem.withBytes { Data($0) }.write(to: path)
        for source: Values in [["key": .secret(pem)], ["keyFile": .text(path.path)]] {
            let apns = try make(Self.app.merging(source) { $1 })
            #expect(apns.topic == Shop.topic && apns.roles.tokens != nil && !apns.acceptsDuplicates)
            #expect(apns.environment == .production && apns.broadcastHost == .ordinary)
        }
        let certified = try make([
            "topic": .text(Shop.topic), "certificate": .flag(true), "environment": .text("development"),
            "broadcastHost": .text("dedicated"), "acceptsDuplicates": .flag(true),
        ])
        #expect(certified.roles.tokens == nil && certified.environment == .development)
        #expect(certified.broadcastHost == .dedicated && certified.acceptsDuplicates)
    }

    @Test("no credentials, several, and incomplete ones are refused")
    func refusals() throws {
        let secret = ProviderSettings.Value.secret(try Self.pem())
        let topic = Self.app.filter { $0.key == "topic" }
        let cases: [Values] = [
            Self.app, topic.merging(["key": secret]) { $1 }, topic.merging(["certificate": .flag(false)]) { $1 },
            Self.app.merging(["key": secret, "keyFile": .text("/x")]) { $1 },
            Self.app.merging(["key": secret, "certificate": .flag(true)]) { $1 },
            Self.app.merging(["keyFile": .text("/nowhere/x.p8")]) { $1 },
            Self.app.filter { $0.key != "topic" }.merging(["key": secret]) { $1 },
        ]
        for values in cases {
            let error = #expect(throws: PushError.self) { try make(values) }
            #expect(error?.kind == .misconfigured, "\(values.keys.sorted())")
        }
    }

    @Test("a configuration can set everything that it lists, and names the app by its topic")
    func table() {
        let names = APNs.settings.map(\.name)
        #expect(Set(names).count == names.count && names.contains(APNs.keySetting) && APNs.keySetting == "topic")
        #expect(APNs.settings.filter(\.isRequired).map(\.name) == ["topic"])
        #expect(APNs.settings.allSatisfy { !$0.summary.isEmpty })
    }

    // MARK: Keys and topics

    @Test(
        "ids that are not ten letters and digits are refused by name",
        arguments: [
            ("K7EXAMPLE", "T3AMEXAMP1", "keyID"), ("K7EXAMPLE9", "T3AMEXAMP12", "teamID"),
            ("K7EXAMPL-9", "T3AMEXAMP1", "keyID"), ("K7EXAMPLE9", "", "teamID"),
        ])
    func ids(keyID: String, teamID: String, word: String) throws {
        let error = #expect(throws: PushError.self) { try Shop.key(keyID: keyID, teamID: teamID) }
        #expect(error?.kind == .misconfigured && error?.message.contains(word) == true)
    }

    @Test("what is no elliptic key is refused, and nothing of it is repeated")
    func keys() throws {
        let rsa = try SigningKey.generate(.rs256).privateKey
        let broken = Secret("-----BEGIN PRIVATE KEY-----\nMIIsesame\n-----END PRIVATE KEY-----")
        for pem in [rsa, broken, Secret("")] {
            let error = #expect(throws: PushError.self) {
                try APNsKey(pem: pem, keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
            }
            #expect(error?.kind == .misconfigured && error?.message.contains("sesame") == false)
        }
        let missing = #expect(throws: PushError.self) {
            try APNsKey(path: "/nowhere/key.p8", keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
        }
        #expect(missing?.message.contains("/nowhere/key.p8") == true)
    }

    @Test(
        "a topic is a bundle id without the suffix of a push type",
        arguments: [
            "", "a b", "com/example", "com.example.shop.push-type.liveactivity", "com.example.shop.voip-ptt",
            "com.example.shop.pushkit.fileprovider", "..",
        ])
    func topics(topic: String) throws {
        let key = try Shop.key()
        let signed = #expect(throws: PushError.self) { try APNs(key, topic: topic) }
        let certified = #expect(throws: PushError.self) { try APNs(certificateFor: topic) }
        #expect(signed?.kind == .misconfigured && certified?.kind == .misconfigured)
    }

    @Test("the adapter prints nothing of its key")
    func secrecy() throws {
        let apns = try Shop.apns()
        var text = try "\(Shop.key())" + String(reflecting: apns)
        dump(apns, to: &text)
        dump(try Shop.key(), to: &text)
        let lines = try Self.pem().withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
        let secrets = lines.filter { !$0.contains("-----") }
        #expect(!secrets.isEmpty && !secrets.contains { text.contains($0) })
        #expect(text.contains("K7EXAMPLE9"))
    }

    // MARK: Provider tokens

    @Test("a provider token names key, team and moment, and the key signs it")
    func token() throws {
        let now = Shop.now.addingTimeInterval(0.9)
        let apns = try Shop.apns()
        let minting = try #require(apns.roles.tokens)
        guard case .made(let token) = try minting.mint(.app, now) else {
            Issue.record("the adapter asks the network for a token")
            return
        }
        let text = token.value.withBytes { String(decoding: $0, as: UTF8.self) }
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let header = try JSONValue(parsing: #require(Base64URL.decode(parts[0])))
        let claims = try JSONValue(parsing: #require(Base64URL.decode(parts[1])))
        #expect(header["alg"] == "ES256" && header["kid"] == "K7EXAMPLE9")
        #expect(claims == ["iss": "T3AMEXAMP1", "iat": 1_795_165_200])
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(signature.count == 64)
        let verifying = try Shop.signingKey().verifyingKey
        #expect(verifying.accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))

        #expect(token.expiresAt == Shop.now.addingTimeInterval(55 * 60))
        #expect(minting.renewalMargin == .seconds(300) && minting.minimumInterval == .seconds(1200))
        let request = WireRequest(.post, "apns")
        let fields = try apns.authorizer.authorize(request, as: .app, with: token, at: now)
        #expect(fields.map(\.value) == ["bearer \(text)"] && fields.first?.name == .authorization)
        #expect(fields.first?.indexingStrategy == .disallow)
    }

    @Test("only calls of the app are signed, and only with what the client has")
    func scopes() throws {
        let request = WireRequest(.post, "apns")
        let token = AccessToken(
            Secret("t"), mintedAt: Shop.now, expiresAt: Shop.now.addingTimeInterval(60), scheme: "bearer")
        let signed = try Shop.apns().authorizer
        let certified = try APNs(certificateFor: Shop.topic).authorizer
        #expect(try certified.authorize(request, as: .app, with: nil, at: Shop.now).isEmpty)
        #expect(throws: PushError.self) { try signed.authorize(request, as: .app, with: nil, at: Shop.now) }
        for scope in [CredentialScope.group, .account] {
            let error = #expect(throws: PushError.self) {
                try signed.authorize(request, as: scope, with: token, at: Shop.now)
            }
            #expect(error?.kind == .misconfigured)
            #expect(throws: PushError.self) {
                try certified.authorize(request, as: scope, with: nil, at: Shop.now)
            }
        }
    }

    @Test("connections belong to one key of one team")
    func groups() throws {
        func group(_ keyID: String, _ teamID: String) throws -> String? {
            let apns = try APNs(Shop.key(keyID: keyID, teamID: teamID), topic: Shop.topic)
            return apns.authorizer.connectionGroup(for: .app)
        }
        #expect(try group("K7EXAMPLE9", "T3AMEXAMP1") == "T3AMEXAMP1/K7EXAMPLE9")
        #expect(try group("K8EXAMPLE8", "T3AMEXAMP1") == "T3AMEXAMP1/K8EXAMPLE8")
        let certified = try APNs(certificateFor: Shop.topic).authorizer
        #expect(certified.connectionGroup(for: .app) == nil)
    }

    // MARK: Hosts

    @Test("every service speaks HTTP/2 only, has an address, and keeps that at another origin")
    func hosts() throws {
        for center in APNs.dataCenters.all {
            #expect(Set(center.services.keys) == center.http2Services && !center.services.isEmpty)
            #expect(center.services.values.allSatisfy { $0.hasPrefix("https://") && !$0.hasSuffix("/") })
            let moved = center.moved(to: "https://localhost:8443")
            #expect(moved.http2Services == center.http2Services)
            #expect(moved.services.values.allSatisfy { $0.hasPrefix("https://localhost:8443") })
        }
        let other = try APNs.dataCenters.named("apple-2197")
        #expect(try other.address(of: "apns") == "https://api.push.apple.com:2197")
        #expect(try other.address(of: "apns.sandbox") == "https://api.sandbox.push.apple.com:2197")
    }
}
