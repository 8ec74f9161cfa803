import APNsSimulator
import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// Provider tokens: which ones are accepted, and until when.
@Suite("APNs simulator: provider tokens")
struct APNsSimulatorAccessTests {
    private typealias Apple = SimulatedApple

    // MARK: The header

    @Test(
        "a provider token needs the scheme in small letters",
        arguments: [("Bearer ", 403), ("BEARER ", 403), ("Basic ", 403), ("", 403), ("bearer", 403), ("bearer ", 200)])
    func scheme(prefix: String, status: Int) async throws {
        let apple = try Apple()
        let answer = await apple.send(Apple.alert, ["authorization": prefix + apple.bearer])
        #expect(answer.status == status)
        #expect(answer.reason == (status == 200 ? nil : "MissingProviderToken"))
    }

    @Test("capitals in the scheme work where the settings allow it")
    func anyCase() async throws {
        let apple = try Apple { _, _, settings in settings.acceptsAnyBearerCase = true }
        #expect(await apple.send(Apple.alert, ["authorization": "Bearer " + apple.bearer]).status == 200)
        #expect(await apple.send(Apple.alert, ["authorization": "Basic " + apple.bearer]).status == 403)
    }

    @Test("without a provider token there is no access")
    func none() async throws {
        let answer = try await Apple().send(Apple.alert, ["authorization": nil])
        #expect(answer.status == 403)
        #expect(answer.reason == "MissingProviderToken")
    }

    // MARK: The token

    @Test(
        "fields that Apple does not need may be there, and the time may be a text or have a fraction",
        arguments: [
            (["typ": "JWT"], [:]), ([:], ["exp": 1_900_000_000, "aud": "apple", "kid": "K7EXAMPLE9"]),
            ([:], ["iat": "1795165200"]), ([:], ["iat": "1795165200.25"]),
            ([:], ["iat": .number(Decimal(1_795_165_200.75))]),
        ] as [([String: JSONValue], [String: JSONValue])])
    func lenient(header: [String: JSONValue], claims: [String: JSONValue]) async throws {
        let apple = try Apple()
        let answer = await apple.send(with: try apple.jwt(header: header, claims: claims))
        #expect(answer.status == 200)
    }

    @Test("the parts of a token may have padding")
    func padding() async throws {
        let apple = try Apple()
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"K7EXAMPLE9"}"#.utf8)) + "=="
        let claims = Base64URL.encode(Array(#"{ "iss":"T3AMEXAMP1", "iat":1795165200 }"#.utf8)) + "="
        let signature = try apple.signingKey.signature(of: Array("\(header).\(claims)".utf8))
        let jwt = "\(header).\(claims).\(Base64URL.encode(signature))=="
        #expect(await apple.send(with: jwt).status == 200)
        // The padding is signed.
        let stripped = jwt.replacing("=", with: "")
        #expect(await apple.send(with: stripped).reason == "InvalidProviderToken")
    }

    @Test(
        "a token that lacks something, or has another type, is refused",
        arguments: [
            (["alg": "HS256"], [:]), (["alg": "none"], [:]), (["alg": "ES384"], [:]), (["alg": nil], [:]),
            (["kid": nil], [:]), (["kid": "K0UNKNOWN0"], [:]), (["kid": 7], [:]), ([:], ["iss": nil]),
            ([:], ["iss": "T3AMOTHER2"]), ([:], ["iat": nil]), ([:], ["iat": "today"]), ([:], ["iat": "0x6B000000"]),
            ([:], ["iat": true]),
        ] as [([String: JSONValue], [String: JSONValue])])
    func incomplete(header: [String: JSONValue], claims: [String: JSONValue]) async throws {
        let apple = try Apple()
        let answer = await apple.send(with: try apple.jwt(header: header, claims: claims))
        #expect(answer.status == 403)
        #expect(answer.reason == "InvalidProviderToken")
    }

    @Test(
        "text that is not a token is refused",
        arguments: ["x", "a.b", "a.b.c", "..", "e30.e30.e30", "bearer x.y.z", "W10.W10.AA"])
    func malformed(text: String) async throws {
        let answer = try await Apple().send(with: text)
        #expect(answer.reason == "InvalidProviderToken")
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

    @Test("the signature has 64 bytes and is of the key")
    func signatures() async throws {
        let apple = try Apple()
        let parts = apple.bearer.split(separator: ".").map(String.init)
        let signed = "\(parts[0]).\(parts[1])"
        let raw = try #require(Base64URL.decode(parts[2]))
        #expect(raw.count == 64)
        var changed = raw
        changed[40] ^= 1
        let wrong: [[UInt8]] = [
            Self.der(raw), changed, Array(raw.dropLast()), raw + [0], Array(repeating: 1, count: 96),
        ]
        for signature in wrong {
            let answer = await apple.send(with: "\(signed).\(Base64URL.encode(signature))")
            #expect(answer.reason == "InvalidProviderToken")
        }
        let otherKey = try SigningKey.generate(.es256)
        let foreign = try apple.jwt(by: otherKey)
        #expect(await apple.send(with: foreign).reason == "InvalidProviderToken")
        #expect(await apple.send(with: apple.bearer).status == 200)
    }

    @Test("a key for another algorithm signs nothing that Apple accepts")
    func otherAlgorithm() async throws {
        let key = try SigningKey.generate(.rs256)
        let verifyingKey = try key.verifyingKey
        let apple = try Apple { _, signers, _ in signers[0].verifyingKey = verifyingKey }
        for algorithm: JSONValue in ["RS256", "ES256"] {
            let jwt = try apple.jwt(header: ["alg": algorithm], by: key)
            #expect(await apple.send(with: jwt).reason == "InvalidProviderToken")
        }
    }

    @Test("a new key comes with the text of its file")
    func generated() async throws {
        let (signer, pem) = try APNsSigner.generate(keyID: "K1NEWKEY01", teamID: Apple.team)
        let apple = try Apple { _, signers, _ in signers.append(signer) }
        let text = pem.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        let jwt = try apple.jwt(header: ["kid": "K1NEWKEY01"], by: SigningKey(pem: pem))
        #expect(await apple.send(with: jwt).status == 200)
        await apple.simulator.revokeKey("K1NEWKEY01")
        #expect(await apple.send(with: jwt).reason == "InvalidProviderToken")
    }

    // MARK: Age

    @Test("a token works for an hour", arguments: [(0, 200), (3600, 200), (3601, 403)])
    func age(seconds: Int, status: Int) async throws {
        let apple = try Apple()
        let answer = await apple.send(with: try apple.jwt(age: seconds))
        #expect(answer.status == status)
        #expect(answer.reason == (status == 200 ? nil : "ExpiredProviderToken"))
    }

    @Test("a token ages by the clock of the simulator")
    func aging() async throws {
        let apple = try Apple()
        apple.pass(3600)
        #expect(await apple.send().status == 200)
        apple.pass(1)
        #expect(await apple.send().reason == "ExpiredProviderToken")
    }

    @Test(
        "a token from the future",
        arguments: [(3600, 3600, 200), (3600, 3601, 403), (0, 1, 403), (nil, 90_000, 200)] as [(Double?, Int, Int)])
    func future(most: Double?, seconds: Int, status: Int) async throws {
        let apple = try Apple { _, _, settings in settings.mostSecondsAhead = most }
        let answer = await apple.send(with: try apple.jwt(age: -seconds))
        #expect(answer.status == status)
        #expect(answer.reason == (status == 200 ? nil : "InvalidProviderToken"))
    }

    // MARK: Environment

    @Test(
        "a key works in its environment; an older key in both",
        arguments: [
            (nil, AppEnvironment.production, 200), (nil, .development, 200), (.production, .production, 200),
            (.production, .development, 403), (.development, .production, 403), (.development, .development, 200),
        ] as [(AppEnvironment?, AppEnvironment, Int)])
    func environments(key: AppEnvironment?, server: AppEnvironment, status: Int) async throws {
        let apple = try Apple(environment: server) { _, signers, _ in signers[0].environment = key }
        let answer = await apple.send()
        #expect(answer.status == status)
        #expect(answer.reason == (status == 200 ? nil : "BadEnvironmentKeyInToken"))
    }

    @Test("the documented spelling of the reason")
    func documentedReason() async throws {
        let apple = try Apple { _, signers, settings in
            signers[0].environment = .development
            settings.namesDocumentedKeyReason = true
        }
        #expect(await apple.send().reason == "BadEnvironmentKeyIdInToken")
    }

    // MARK: Secrecy

    @Test("provider tokens do not show in a dump")
    func dumps() async throws {
        let apple = try Apple()
        let connection = await apple.open().connection
        #expect(await apple.send(over: connection).status == 200)
        var dumped = ""
        dump(apple.simulator, to: &dumped)
        #expect(!dumped.contains(apple.bearer))
    }
}
