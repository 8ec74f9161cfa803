import Foundation
import PushAPNs
import PushAdapter
import PushCrypto
import TestSupport
import Testing

@Suite("APNs settings")
struct ConfigurationTests {
    private typealias Values = [String: ProviderSettings.Value]

    private func make(_ values: Values) throws(PushError) -> APNs {
        try APNs(ProviderSettings(values), dataCenter: APNs.dataCenters.standard)
    }

    private static func pem() throws -> Secret { try Shop.signingKey().privateKey }

    private static let app: Values = [
        "topic": .text(Shop.topic), "keyID": .text(Shop.keyID), "teamID": .text(Shop.teamID),
    ]

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
            #expect(apns.authorizer.connectionGroup(for: .app) == "T3AMEXAMP1/K7EXAMPLE9")
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
            [:], Self.app, topic.merging(["key": secret]) { $1 }, topic.merging(["certificate": .flag(false)]) { $1 },
            Self.app.merging(["key": secret, "keyFile": .text("/x")]) { $1 },
            Self.app.merging(["key": secret, "certificate": .flag(true)]) { $1 },
            Self.app.merging(["keyFile": .text("/x"), "certificate": .flag(true)]) { $1 },
            Self.app.merging(["keyFile": .text("/nowhere/x.p8")]) { $1 },
            Self.app.filter { $0.key != "topic" }.merging(["key": secret]) { $1 },
            Self.app.filter { $0.key != "keyID" }.merging(["key": secret]) { $1 },
            Self.app.filter { $0.key != "teamID" }.merging(["key": secret]) { $1 },
        ]
        for values in cases { expectThrows(.error(.misconfigured)) { try make(values) } }
        expectThrows(.error(.misconfigured, naming: "/nowhere/x.p8")) {
            try APNsKey(path: "/nowhere/x.p8", keyID: Shop.keyID, teamID: Shop.teamID)
        }
    }

    @Test("a configuration can set everything that it lists, and names the app by its topic")
    func table() {
        let names = APNs.settings.map(\.name)
        #expect(Set(names).count == names.count && APNs.keySetting == "topic")
        #expect(APNs.settings.filter(\.isRequired).map(\.name) == ["topic"])
        #expect(APNs.settings.filter { $0.form == .secret }.map(\.name) == ["key"])
        #expect(APNs.settings.filter(\.summary.isEmpty).isEmpty)
    }

    @Test(
        "ids that are not ten letters and digits are refused by name",
        arguments: [
            ("K7EXAMPLE", "T3AMEXAMP1", "keyID"), ("K7EXAMPLE9", "T3AMEXAMP12", "teamID"),
            ("K7EXAMPL-9", "T3AMEXAMP1", "keyID"), ("K7EXAMPLE9", "", "teamID"), ("K7EXAMPLÉ", "T3AMEXAMP1", "keyID"),
            ("K7EXAMPLE\n", "T3AMEXAMP1", "keyID"),
        ])
    func ids(keyID: String, teamID: String, word: String) throws {
        expectThrows(.error(.misconfigured, naming: word)) { try Shop.key(keyID: keyID, teamID: teamID) }
    }

    /// Keys for other algorithms, and texts that are none. PushCrypto refuses encrypted keys, other forms and more.
    private static let badKeys: [(name: String, pem: @Sendable () throws -> Secret)] = [
        ("RSA", { try SigningKey.generate(.rs256).privateKey }),
        (
            "secp256k1, of the same size as P-256",
            {
                Self.secret(
                    "MD4CAQAwEAYHKoZIzj0CAQYFK4EEAAoEJzAlAgEBBCABAQEBAQEBAQEBAQEBAQEB\nAQEBAQEBAQEBAQEBAQEBAQ==")
            }
        ), ("Ed25519", { Self.secret("MC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB") }),
        ("garbage", { Self.secret("MIIsesame") }), ("a token", { Secret("eyJhbGciOiJFUzI1NiJ9.sesame.sesame") }),
        ("bytes", { Secret([0x00, 0xFF, 0x30, 0x4E] as [UInt8]) }), ("empty", { Secret("") }),
        ("half", { Secret(try Self.lines(of: Self.pem()).prefix(2).joined(separator: "\n")) }),
    ]

    private static func secret(_ base64: String) -> Secret {
        Secret("-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n")
    }

    private static func lines(of secret: Secret) -> [String] { secret.text.split(separator: "\n").map(String.init) }

    @Test("what is no key on the curve P-256 is refused, and nothing of it is repeated", arguments: badKeys.indices)
    func keys(index: Int) throws {
        let (name, pem) = (Self.badKeys[index].name, try Self.badKeys[index].pem())
        let refusal = expectThrows(.error(.misconfigured, naming: "the key for APNs")) {
            try APNsKey(pem: pem, keyID: Shop.keyID, teamID: Shop.teamID)
        }
        let error = try #require(refusal, "\(name)")
        expectThrows(.error(.misconfigured, naming: error.message)) {
            try make(Self.app.merging(["key": .secret(pem)]) { $1 })
        }
        var text = "\(error)" + error.message + String(reflecting: error)
        dump(error, to: &text)
        let leaked = Self.lines(of: pem).filter { $0.count > 8 && !$0.contains("-----") && text.contains($0) }
        #expect(leaked.isEmpty && !text.contains("sesame"), "\(name)")
    }

    @Test("a key prints nothing of it, but the ids, which tell keys apart")
    func secrecy() throws {
        let key = try Shop.key()
        var text = "\(key)" + String(reflecting: key)
        dump(key, to: &text)
        let secrets = Self.lines(of: try Self.pem()).filter { !$0.contains("-----") }
        #expect(secrets.count > 1 && secrets.filter { text.contains($0) }.isEmpty)
        #expect("\(key)".contains(Shop.keyID) && "\(key)".contains(Shop.teamID))
    }

    @Test(
        "a topic is a bundle id without the suffix of a push type",
        arguments: [
            "", "a b", "com/example", "com.example.shöp", ".com.example", "com.example.", "com.example\n",
            "com.example.shop.push-type.liveactivity", "com.example.shop.push-type.widgets",
            "com.example.shop.voip-ptt", "com.example.shop.pushkit.fileprovider", "com.example.shop.location-query",
            String(repeating: "a", count: 256),
        ])
    func topics(topic: String) throws {
        let key = try Shop.key()
        expectThrows(.error(.misconfigured)) { try APNs(key, topic: topic) }
        expectThrows(.error(.misconfigured)) { try APNs(certificateFor: topic) }
    }

    @Test("an app may be called voip or complication", arguments: ["com.example.voip", "com.example.complication"])
    func ambiguous(topic: String) throws {
        let apns = try APNs(Shop.key(), topic: topic)
        #expect(try Shop.header("apns-topic", of: Shop.request(of: Shop.shown(), from: apns)) == topic)
        let call = try Shop.request(of: Shop.message(.voip), from: apns)
        #expect(Shop.header("apns-topic", of: call) == topic + ".voip")
    }

    @Test("every service speaks HTTP/2 only, has an address, and keeps that at another origin")
    func hosts() throws {
        for center in APNs.dataCenters.all {
            #expect(Set(center.services.keys) == center.http2Services && center.services.count == 6)
            #expect(center.services.values.filter { !$0.hasPrefix("https://") || $0.hasSuffix("/") }.isEmpty)
            let moved = center.moved(to: "https://localhost:8443")
            #expect(moved.http2Services == center.http2Services)
            #expect(Set(moved.services.values) == ["https://localhost:8443"])
        }
        let standard = APNs.dataCenters.standard
        let other = try APNs.dataCenters.named("apple-2197")
        for (service, host) in [("apns", "api"), ("apns.sandbox", "api.sandbox")] as [(ServiceName, String)] {
            #expect(try standard.address(of: service) == "https://\(host).push.apple.com")
            #expect(try other.address(of: service) == "https://\(host).push.apple.com:2197")
        }
        #expect(try other.address(of: "apns.channels") == standard.address(of: "apns.channels"))
    }
}
