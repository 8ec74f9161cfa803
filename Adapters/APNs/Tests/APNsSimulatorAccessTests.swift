import APNsSimulator
import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// Provider tokens: which ones are accepted, until when, and how soon a new one may follow.
@Suite("APNs simulator: provider tokens")
struct APNsSimulatorAccessTests {
    private static let invalid = "403 InvalidProviderToken"
    private static let missing = "403 MissingProviderToken"

    @Test(
        "a provider token needs the scheme in small letters, unless the settings allow capitals",
        arguments: [
            ("Bearer ", missing, "200"), ("BEARER ", missing, "200"), ("Basic ", missing, missing),
            ("", missing, missing), ("bearer", missing, missing), ("bearer ", "200", "200"), (nil, missing, missing),
        ] as [(String?, String, String)])
    func scheme(prefix: String?, outcome: String, lenient: String) async throws {
        for (isLenient, outcome) in [(false, outcome), (true, lenient)] {
            let apple = try Apple(settings: { $0.acceptsAnyBearerCase = isLenient })
            let answer = await apple.send(Apple.alert, ["authorization": prefix.map { $0 + apple.bearer }])
            #expect(answer.outcome == outcome, "\(isLenient)")
        }
    }

    /// Changed fields and claims of a token; null removes one.
    private static let claimed: [(header: [String: JSONValue], claims: [String: JSONValue], outcome: String)] = [
        // Fields that Apple does not need may be there, and the time may be a text or have a fraction.
        (["typ": "JWT"], [:], "200"), ([:], ["exp": 1_900_000_000, "aud": "apple", "kid": "K7EXAMPLE9"], "200"),
        ([:], ["iat": "1795165200"], "200"), ([:], ["iat": "1795165200.25"], "200"),
        ([:], ["iat": .number(Decimal(1_795_165_200.75))], "200"), (["alg": "HS256"], [:], invalid),
        (["alg": "none"], [:], invalid), (["alg": "ES384"], [:], invalid), (["alg": .null], [:], invalid),
        (["kid": .null], [:], invalid), (["kid": "K0UNKNOWN0"], [:], invalid), (["kid": 7], [:], invalid),
        ([:], ["iss": .null], invalid), ([:], ["iss": "T3AMOTHER2"], invalid), ([:], ["iat": .null], invalid),
        ([:], ["iat": "today"], invalid), ([:], ["iat": "0x6B000000"], invalid), ([:], ["iat": true], invalid),
        // A token works for an hour.
        ([:], ["iat": 1_795_161_600], "200"), ([:], ["iat": 1_795_161_599], "403 ExpiredProviderToken"),
    ]

    @Test("a token has the fields and claims that Apple needs", arguments: claimed)
    func claims(header: [String: JSONValue], claims: [String: JSONValue], outcome: String) async throws {
        let apple = try Apple()
        #expect(await apple.push(try apple.jwt(header: header, claims: claims)) == outcome)
    }

    @Test("text that is not a token is refused", arguments: ["x", "a.b", "a.b.c", "..", "e30.e30.e30", "W10.W10.AA"])
    func malformed(text: String) async throws {
        for text in [text, "bearer " + text] { #expect(try await Apple().push(text) == Self.invalid) }
    }

    @Test("the parts of a token may have padding, which is signed")
    func padding() async throws {
        let apple = try Apple()
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"K7EXAMPLE9"}"#.utf8)) + "=="
        let claims = Base64URL.encode(Array(#"{ "iss":"T3AMEXAMP1", "iat":1795165200 }"#.utf8)) + "="
        let signature = try apple.signingKey.signature(of: Array("\(header).\(claims)".utf8))
        let jwt = "\(header).\(claims).\(Base64URL.encode(signature))=="
        #expect(await apple.push(jwt) == "200")
        #expect(await apple.push(jwt.replacing("=", with: "")) == Self.invalid)
    }

    /// The signature as OpenSSL writes it: a sequence of two numbers.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let digits = Array(bytes.drop { $0 == 0 })
            let value = (digits.first ?? 0) >= 0x80 ? [0] + digits : digits
            return [0x02, UInt8(value.count)] + value
        }
        let numbers = number(raw[..<32]) + number(raw[32...])
        return [0x30, UInt8(numbers.count)] + numbers
    }

    @Test("the signature has 64 bytes, is of the key, and of its algorithm")
    func signatures() async throws {
        let apple = try Apple()
        let parts = apple.bearer.split(separator: ".").map(String.init)
        let raw = try #require(Base64URL.decode(parts[2]))
        #expect(raw.count == 64)
        var changed = raw
        changed[40] ^= 1
        for signature in [Self.der(raw), changed, Array(raw.dropLast()), raw + [0], Array(repeating: 1, count: 96)] {
            #expect(await apple.push("\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))") == Self.invalid)
        }
        let foreign = try apple.jwt(by: SigningKey.generate(.es256))
        #expect(await apple.push(foreign) == Self.invalid)
        #expect(await apple.push() == "200")
        let key = try SigningKey.generate(.rs256)
        let verifyingKey = try key.verifyingKey
        let other = try Apple(signers: { $0[0].verifyingKey = verifyingKey })
        for algorithm: JSONValue in ["RS256", "ES256"] {
            let jwt = try other.jwt(header: ["alg": algorithm], by: key)
            #expect(await other.push(jwt) == Self.invalid)
        }
    }

    @Test("a new key comes with the text of its file, and works until it is revoked")
    func generated() async throws {
        let (signer, pem) = try APNsSigner.generate(keyID: "K1NEWKEY01", teamID: Apple.team)
        let apple = try Apple(signers: { $0.append(signer) })
        #expect(pem.text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        let jwt = try apple.jwt(header: ["kid": "K1NEWKEY01"], by: SigningKey(pem: pem))
        #expect(await apple.push(jwt) == "200")
        await apple.simulator.revokeKey("K1NEWKEY01")
        #expect(await apple.push(jwt) == Self.invalid)
    }

    private static let ahead: [(most: Double?, seconds: Int, outcome: String)] = [
        (3600, 3600, "200"), (3600, 3601, invalid), (0, 1, invalid), (nil, 90_000, "200"),
    ]

    @Test("a token from the future", arguments: ahead)
    func future(most: Double?, seconds: Int, outcome: String) async throws {
        let apple = try Apple(settings: { $0.mostSecondsAhead = most })
        #expect(await apple.push(try apple.jwt(age: -seconds)) == outcome)
    }

    @Test(
        "a key works in its environment; an older key in both",
        arguments: [nil, AppEnvironment.production, .development], [AppEnvironment.production, .development])
    func environments(key: AppEnvironment?, server: AppEnvironment) async throws {
        for (isDocumented, reason) in [(false, "BadEnvironmentKeyInToken"), (true, "BadEnvironmentKeyIdInToken")] {
            let apple = try Apple(
                environment: server, signers: { $0[0].environment = key },
                settings: { $0.namesDocumentedKeyReason = isDocumented })
            #expect(await apple.push() == ((key ?? server) == server ? "200" : "403 \(reason)"))
        }
    }

    private static let tooMany = "429 TooManyProviderTokenUpdates"
    private static let expired = "403 ExpiredProviderToken"

    private static let stories: [Story] = [
        Story(
            "a token ages by the clock of the simulator", .pass(3600), .push("200", over: 0), .pass(1),
            .push(expired, over: 0)),
        Story(
            "another token within 20 minutes is refused, and the connection is of no use until then", .push("200"),
            .pass(1199), .push(tooMany, with: "b"), .push(tooMany), .push("200", with: "b", over: 0), .pass(1),
            .push("200", with: "b")),
        Story(
            "another token after 20 minutes is accepted, and the next one after 20 more", .push("200", with: "b"),
            .pass(1200), .push("200", with: "c"), .pass(1200), .push("200", with: "d"), .pass(1199),
            .push(tooMany, with: "e")),
        Story(
            "the older token may go on working after a refusal", settings: { $0.blocksAfterTooManyUpdates = false },
            .push("200"), .push(tooMany, with: "b"), .push("200")),
        Story(
            "the 20 minutes count on each connection", .push("200"), .push("200", with: "b", over: 2),
            .push("200", over: 3), .pass(1200), .push("200", with: "c", over: 3)),
        Story(
            "the 20 minutes may count across connections", settings: { $0.countsUpdatesAcrossConnections = true },
            .push("200"), .push(tooMany, with: "b", over: 2), .push("200", over: 3), .pass(1200),
            .push("200", with: "c", over: 3)),
        Story(
            "two tokens of the same second differ", .push("200"), .push(tooMany, with: "b"),
            .push(tooMany, with: "older")),
        Story(
            "the times of tokens may count instead", settings: { $0.comparesIssueTimes = true }, .push("200"),
            .push("200", with: "b"), .push(tooMany, with: "older")),
        Story(
            "a refused request does not count as the use of its token", .push(invalid, with: "unknown"), .push("200")),
        Story(
            "a request that fails only at the device token counts", .signals([.streamLimit(1000)], to: Apple.ghost),
            .push(tooMany, with: "b")),
        Story(
            "an expired token breaks its connection; the signature is checked first", .push("200"), .pass(3601),
            .push(expired), .push(expired, with: "b"), .push(expired, with: "b"), .push("200", with: "b", over: 2),
            .push(invalid, with: "broken")),
        Story(
            "an expired token may leave its connection whole", settings: { $0.wedgesAfterExpiry = false }, .push("200"),
            .pass(3601), .push(expired), .push("200", with: "b"), .push("200", with: "b")),
    ]

    @Test("a token works for an hour, and its connection takes another one after 20 minutes", arguments: stories)
    func story(row: Story) async throws {
        try await row.play { apple in
            ["older": try apple.jwt(age: 60), "unknown": try apple.jwt(key: "K0UNKNOWN0"), "broken": "a.b.c"]
        }
    }

    @Test("provider tokens do not show in a dump")
    func dumps() async throws {
        let apple = try Apple()
        #expect(await apple.push(over: apple.connect()) == "200")
        var dumped = ""
        dump(apple.simulator, to: &dumped)
        #expect(!dumped.contains(apple.bearer))
    }
}
