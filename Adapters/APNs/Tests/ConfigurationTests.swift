import Foundation
import PushAPNs
import PushAdapter
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
        "topic": .text(Shop.topic), "keyID": .text(Shop.keyID), "teamID": .text(Shop.teamID),
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
        for values in cases {
            let error = #expect(throws: PushError.self) { try make(values) }
            #expect(error?.kind == .misconfigured, "\(values.keys.sorted())")
        }
    }

    @Test("a configuration can set everything that it lists, and names the app by its topic")
    func table() {
        let names = APNs.settings.map(\.name)
        #expect(Set(names).count == names.count && APNs.keySetting == "topic")
        #expect(APNs.settings.filter(\.isRequired).map(\.name) == ["topic"])
        #expect(APNs.settings.filter { $0.form == .secret }.map(\.name) == ["key"])
        let hasSummaries = APNs.settings.allSatisfy { !$0.summary.isEmpty }
        #expect(hasSummaries)
    }

    // MARK: Keys

    @Test(
        "ids that are not ten letters and digits are refused by name",
        arguments: [
            ("K7EXAMPLE", "T3AMEXAMP1", "keyID"), ("K7EXAMPLE9", "T3AMEXAMP12", "teamID"),
            ("K7EXAMPL-9", "T3AMEXAMP1", "keyID"), ("K7EXAMPLE9", "", "teamID"), ("K7EXAMPLÉ", "T3AMEXAMP1", "keyID"),
            ("K7EXAMPLE\n", "T3AMEXAMP1", "keyID"),
        ])
    func ids(keyID: String, teamID: String, word: String) throws {
        let error = #expect(throws: PushError.self) { try Shop.key(keyID: keyID, teamID: teamID) }
        #expect(error?.kind == .misconfigured && error?.message.contains(word) == true)
    }

    private static let badKeys = [
        "RSA", "P-384", "secp256k1", "Ed25519", "encrypted", "encrypted, old form", "public", "garbage", "empty",
        "token", "bytes", "one line", "half",
    ]

    /// A key or text that cannot sign provider tokens.
    private static func badKey(_ name: String) throws -> Secret {
        switch name {
        case "RSA": return try SigningKey.generate(.rs256).privateKey
        case "P-384": return PEMText.p384
        case "secp256k1": return PEMText.secp256k1
        case "Ed25519": return PEMText.ed25519
        case "encrypted": return PEMText.encrypted
        case "encrypted, old form": return PEMText.encryptedOldForm
        case "public": return Secret(try Shop.signingKey().verifyingKey.pem)
        case "garbage": return Secret("-----BEGIN PRIVATE KEY-----\nMIIsesame\n-----END PRIVATE KEY-----")
        case "token": return Secret("eyJhbGciOiJFUzI1NiJ9.sesame.sesame")
        case "bytes": return Secret([0x00, 0xFF, 0x30, 0x4E] as [UInt8])
        case "one line": return Secret(lines(of: try pem()).joined(separator: " "))
        case "half": return Secret(lines(of: try pem()).prefix(2).joined(separator: "\n"))
        default: return Secret("")
        }
    }

    private static func lines(of secret: Secret) -> [String] {
        secret.withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
    }

    @Test("what is no key on the curve P-256 is refused, and nothing of it is repeated", arguments: badKeys)
    func keys(name: String) throws {
        let pem = try Self.badKey(name)
        let error = #expect(throws: PushError.self) {
            try APNsKey(pem: pem, keyID: Shop.keyID, teamID: Shop.teamID)
        }
        #expect(error?.kind == .misconfigured && error?.message.contains("the key for APNs") == true)
        let values = Self.app.merging(["key": .secret(pem)]) { $1 }
        let configured = #expect(throws: PushError.self) { try make(values) }
        #expect(configured?.message == error?.message)
        let found = try #require(error)
        var text = "\(found)" + found.message + String(reflecting: found)
        dump(found, to: &text)
        let secrets = Self.lines(of: pem).filter { $0.count > 8 && !$0.contains("-----") }
        let leaked = secrets.filter { text.contains($0) }
        #expect(leaked.isEmpty && !text.contains("sesame"))
    }

    @Test("a key from an environment variable may have the two characters \\n for a line break, and a byte-order mark")
    func escaped() throws {
        let pem = try Self.pem()
        let text = pem.withBytes { String(decoding: $0, as: UTF8.self) }.replacing("\n", with: #"\n"#)
        for text in [text, "\u{FEFF}" + text] {
            let apns = try make(Self.app.merging(["key": .secret(Secret(text))]) { $1 })
            #expect(apns.roles.tokens != nil)
        }
    }

    @Test("a file that is no key is refused, and a missing one by its path")
    func files() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString.prefix(8)).p8")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data("sesame".utf8).write(to: path)
        let broken = #expect(throws: PushError.self) {
            try APNsKey(path: path.path, keyID: Shop.keyID, teamID: Shop.teamID)
        }
        #expect(broken?.kind == .misconfigured && broken?.message.contains("sesame") == false)
        let missing = #expect(throws: PushError.self) {
            try APNsKey(path: "/nowhere/key.p8", keyID: Shop.keyID, teamID: Shop.teamID)
        }
        #expect(missing?.kind == .misconfigured && missing?.message.contains("/nowhere/key.p8") == true)
    }

    @Test("a key, its adapter, its requests and its tokens print nothing of it")
    func secrecy() throws {
        let (key, apns) = (try Shop.key(), try Shop.apns())
        guard case .made(let token)? = try apns.roles.tokens?.mint(.app, Shop.now) else {
            Issue.record("the adapter makes no token")
            return
        }
        let request = try Shop.request(of: Shop.message(.background), from: apns)
        var text = "\(key) \(apns) \(token) \(request)" + String(reflecting: key) + String(reflecting: apns)
        for value in [key, apns, token, request, apns.authorizer] as [Any] { dump(value, to: &text) }
        let pem = try Self.pem()
        var secrets = Self.lines(of: pem).filter { !$0.contains("-----") }
        secrets.append(token.value.withBytes { String(decoding: $0, as: UTF8.self) })
        let leaked = secrets.filter { text.contains($0) }
        #expect(secrets.count > 2 && leaked.isEmpty)
        #expect(!text.contains(Shop.device(0).rawValue))
        // The ids are not secret, and they tell keys apart.
        #expect("\(key)".contains(Shop.keyID) && "\(key)".contains(Shop.teamID))
    }

    // MARK: Topics

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
        let signed = #expect(throws: PushError.self) { try APNs(key, topic: topic) }
        let certified = #expect(throws: PushError.self) { try APNs(certificateFor: topic) }
        #expect(signed?.kind == .misconfigured && certified?.kind == .misconfigured)
    }

    @Test("an app may be called voip or complication", arguments: ["com.example.voip", "com.example.complication"])
    func ambiguous(topic: String) throws {
        let apns = try APNs(Shop.key(), topic: topic)
        #expect(try Shop.header("apns-topic", of: Shop.request(of: Shop.shown(), from: apns)) == topic)
        let call = try Shop.request(of: Shop.message(.voip), from: apns)
        #expect(Shop.header("apns-topic", of: call) == topic + ".voip")
    }

    // MARK: Hosts

    @Test("every service speaks HTTP/2 only, has an address, and keeps that at another origin")
    func hosts() throws {
        for center in APNs.dataCenters.all {
            #expect(Set(center.services.keys) == center.http2Services && center.services.count == 6)
            let areWhole = center.services.values.allSatisfy { $0.hasPrefix("https://") && !$0.hasSuffix("/") }
            #expect(areWhole)
            let moved = center.moved(to: "https://localhost:8443")
            #expect(moved.http2Services == center.http2Services)
            #expect(Set(moved.services.values) == ["https://localhost:8443"])
        }
        let standard = APNs.dataCenters.standard
        #expect(try standard.address(of: "apns") == "https://api.push.apple.com")
        #expect(try standard.address(of: "apns.sandbox") == "https://api.sandbox.push.apple.com")
        let other = try APNs.dataCenters.named("apple-2197")
        #expect(try other.address(of: "apns") == "https://api.push.apple.com:2197")
        #expect(try other.address(of: "apns.sandbox") == "https://api.sandbox.push.apple.com:2197")
        #expect(try other.address(of: "apns.channels") == standard.address(of: "apns.channels"))
    }
}

/// Keys that APNs does not accept. None was ever in use.
private enum PEMText {
    static let p384 = curve([0x2B, 0x81, 0x04, 0x00, 0x22], size: 48)
    /// The same size as P-256.
    static let secp256k1 = curve([0x2B, 0x81, 0x04, 0x00, 0x0A], size: 32)
    static let ed25519 = text(
        field(0x30, [0x02, 0x01, 0x00] + field(0x30, field(0x06, [0x2B, 0x65, 0x70])) + octets(octets(number(32)))))

    /// Encrypted with a password.
    static let encrypted = Secret(
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi3Lk2SAObxMwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHRC8To9ufQnTOJVmnqZKEQEgZBl
        G4a6Vkv1iLK3JlPhJaQ2x7Q2KIPx6YhJP0OtkGSXOoamoDUTUlnzvSzSQirk/Tji
        cr2bt3dY9ycKlzBLYO14WTVZ6FVIo9JmHR2hTolrzals6LVB/0VDr4nooBt3mNVP
        V0/bNjfV3A9+ePO91v2LbAYxLgzNkC8Vri8tRZ3a5AWvlI38SMiLmfXQcIzqzVM=
        -----END ENCRYPTED PRIVATE KEY-----
        """)
    static let encryptedOldForm = Secret(
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF

        \(Data(number(48)).base64EncodedString())
        -----END EC PRIVATE KEY-----
        """)

    /// PKCS #8 for a curve; the private number is 0x0101....
    private static func curve(_ id: [UInt8], size: Int) -> Secret {
        let key = field(0x30, [0x02, 0x01, 0x01] + octets(number(size)))
        let algorithm = field(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]) + field(0x06, id)
        return text(field(0x30, [0x02, 0x01, 0x00] + field(0x30, algorithm) + octets(key)))
    }

    private static func number(_ size: Int) -> [UInt8] { [UInt8](repeating: 1, count: size) }
    private static func octets(_ bytes: [UInt8]) -> [UInt8] { field(0x04, bytes) }
    /// DER with a length of one byte.
    private static func field(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] { [tag, UInt8(bytes.count)] + bytes }

    private static func text(_ der: [UInt8]) -> Secret {
        let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Secret("-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n")
    }
}
