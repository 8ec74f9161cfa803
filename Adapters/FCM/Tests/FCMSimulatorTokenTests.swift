import FCMSimulator
import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// The token endpoint and the metadata server: check S31.
@Suite("FCM simulator: access tokens")
struct FCMSimulatorTokenTests {
    private typealias Firebase = SimulatedFirebase
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let key = try? SigningKey.generate(.rs256)
    private static let otherKey = try? SigningKey.generate(.rs256)

    private static func firebase(
        _ edit: (inout FCMProject, inout FCMServiceAccount, inout FCMSimulatorSettings) -> Void = { _, _, _ in }
    ) throws -> Firebase {
        Firebase(keys: ["k1": try #require(key).verifyingKey], edit)
    }

    /// An assertion with changed claims and header fields; null removes one.
    private static func assertion(
        _ firebase: Firebase, _ own: [String: JSONValue] = [:], header: [String: JSONValue] = [:],
        by key: SigningKey? = FCMSimulatorTokenTests.key
    ) throws -> String {
        let now = Int(firebase.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(Firebase.email), "scope": .string(Firebase.messaging),
            "aud": "https://oauth2.googleapis.com/token", "iat": JSONValue(integerLiteral: now),
            "exp": JSONValue(integerLiteral: now + 3600),
        ]
        var fields: [String: JSONValue] = ["typ": "JWT", "kid": "k1"]
        claims.merge(own) { $1 }
        fields.merge(header) { $1 }
        let token = try WebToken.signed(
            claims.filter { $0.value != .null }, header: fields.filter { $0.value != .null }, by: #require(key))
        return token.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func exchange(_ firebase: Firebase, _ assertion: String, host: String = "") async -> Firebase.Answer
    {
        let grant = grant.replacing(":", with: "%3A")
        return await firebase.plain(
            .post, "/token", host: host, body: "grant_type=\(grant)&assertion=\(assertion)",
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
    }

    private static func flat(_ error: String, _ text: String) -> JSONValue {
        ["error": .string(error), "error_description": .string(text)]
    }

    @Test("an assertion is exchanged for a token that works until it expires")
    func roundTrip() async throws {
        let firebase = try Self.firebase()
        let answer = await Self.exchange(firebase, try Self.assertion(firebase))
        #expect(answer.status == 200)
        #expect(answer.json["expires_in"] == 3599)
        #expect(answer.json["token_type"] == "Bearer")
        let token = try #require(answer.json["access_token"]?.stringValue)
        #expect(token.hasPrefix("ya29."))
        func send() async -> Int {
            await firebase.plain(
                .post, "/v1/projects/shop/messages:send", body: #"{"message":{"topic":"a"}}"#,
                headers: ["Authorization": "Bearer \(token)"]
            ).status
        }
        #expect(await send() == 200)
        firebase.pass(3599)
        #expect(await send() == 401)
        #expect(await firebase.simulator.exchangeCount == 1)
        #expect(!"\(firebase.simulator)".contains(token))
        var dumped = ""
        dump(firebase.simulator, to: &dumped)
        #expect(!dumped.contains(token))
    }

    @Test("a query parameter with the token works too")
    func query() async throws {
        let firebase = try Self.firebase()
        let answer = await Self.exchange(firebase, try Self.assertion(firebase))
        let token = try #require(answer.json["access_token"]?.stringValue)
        let send = await firebase.plain(
            .post, "/v1/projects/shop/messages:send", query: "access_token=\(token)",
            body: #"{"message":{"topic":"a"}}"#)
        #expect(send.status == 200)
    }

    private static let badTimes =
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values in the JWT claim."

    @Test("S31: times are within an hour, and within 300 seconds of the clock")
    func times() async throws {
        let firebase = try Self.firebase()
        let now = Int(firebase.now.timeIntervalSince1970)
        let cases: [(start: Int, end: Int, isGood: Bool)] = [
            (300, 3900, true), (301, 3901, false), (-3600, 0, true), (-3899, -299, true), (-3900, -300, false),
            (0, 3601, false), (0, 0, false), (10, 5, false),
        ]
        for (start, end, isGood) in cases {
            let claims: [String: JSONValue] = [
                "iat": JSONValue(integerLiteral: now + start), "exp": JSONValue(integerLiteral: now + end),
            ]
            let answer = await Self.exchange(firebase, try Self.assertion(firebase, claims))
            #expect((answer.status == 200) == isGood, "\(start) to \(end)")
            if !isGood { #expect(answer.json == Self.flat("invalid_grant", Self.badTimes)) }
        }
        let missing = await Self.exchange(firebase, try Self.assertion(firebase, ["iat": .null]))
        #expect(missing.json == Self.flat("invalid_grant", Self.badTimes))
        let strict = try Self.firebase { _, _, settings in settings.clockSkew = 0 }
        let late: [String: JSONValue] = ["iat": JSONValue(integerLiteral: now + 1)]
        #expect(await Self.exchange(strict, try Self.assertion(strict, late)).status == 400)
    }

    @Test("S31: the signature, the key and the account count")
    func signatures() async throws {
        let firebase = try Self.firebase()
        let bad = Self.flat("invalid_grant", "Invalid JWT Signature.")
        let forged = await Self.exchange(firebase, try Self.assertion(firebase, by: Self.otherKey))
        #expect(forged.status == 400)
        #expect(forged.json == bad)
        let good = try Self.assertion(firebase)
        let parts = good.split(separator: ".")
        let changed = try Self.assertion(firebase, ["scope": .string(Firebase.messaging + " x")]).split(separator: ".")
        #expect(await Self.exchange(firebase, "\(parts[0]).\(changed[1]).\(parts[2])").json == bad)
        let unknownKey = try Self.assertion(firebase, header: ["kid": "k2"])
        #expect(await Self.exchange(firebase, unknownKey).json == bad)
        let noKey = try Self.assertion(firebase, header: ["kid": .null])
        #expect(await Self.exchange(firebase, noKey).status == 200)
        let stranger = try Self.assertion(firebase, ["iss": "stranger@example.com"])
        let expected = Self.flat("invalid_grant", "Invalid grant: account not found")
        #expect(await Self.exchange(firebase, stranger).json == expected)
        await firebase.simulator.revokeKey("k1", of: Firebase.email)
        #expect(await Self.exchange(firebase, good).json == bad)
        #expect(await firebase.simulator.exchangeCount == 1)
    }

    @Test("S31: the audience is the vendor's address or this server's")
    func audiences() async throws {
        let firebase = try Self.firebase()
        let cases: [(audience: String, host: String, isGood: Bool)] = [
            ("https://oauth2.googleapis.com/token", "localhost", true),
            ("https://localhost:8443/token", "localhost", true),
            ("https://localhost:8443/token", "", true), ("https://example.com/token", "localhost", false),
            ("https://localhost/other", "localhost", false), ("https://fcm.googleapis.com/", "", false),
            ("", "", false),
        ]
        for (audience, host, isGood) in cases {
            let assertion = try Self.assertion(firebase, ["aud": .string(audience)])
            let answer = await Self.exchange(firebase, assertion, host: host)
            #expect((answer.status == 200) == isGood, "\(audience)")
            if !isGood { #expect(answer.json["error"] == "invalid_grant") }
        }
    }

    @Test("S31: grant and scope; an account acts for itself only")
    func grants() async throws {
        let firebase = try Self.firebase()
        let good = try Self.assertion(firebase)
        let bodies: [(String, String)] = [
            ("assertion=\(good)", "invalid_request"), ("grant_type=\(Self.grant)", "invalid_request"),
            ("grant_type=password&assertion=\(good)", "unsupported_grant_type"),
            ("grant_type=\(Self.grant)&assertion=a.b", "invalid_grant"),
        ]
        for (body, error) in bodies {
            let answer = await firebase.plain(.post, "/token", body: body)
            #expect(answer.status == 400)
            #expect(answer.json["error"] == .string(error))
        }
        for scope: JSONValue in [.null, "", "messages"] {
            let answer = await Self.exchange(firebase, try Self.assertion(firebase, ["scope": scope]))
            #expect(answer.status == 400)
            #expect(answer.json["error"] == "invalid_scope")
        }
        let delegated = await Self.exchange(firebase, try Self.assertion(firebase, ["sub": "a@example.com"]))
        #expect(delegated.status == 401)
        #expect(delegated.json["error"] == "unauthorized_client")
    }

    @Test("the life of a token may be a text")
    func textLife() async throws {
        let firebase = try Self.firebase { _, _, settings in settings.writesLifeAsText = true }
        #expect(await Self.exchange(firebase, try Self.assertion(firebase)).json["expires_in"] == "3599")
    }

    @Test("a token that the account signed itself works only where the settings allow it", arguments: [true, false])
    func selfSigned(isAllowed: Bool) async throws {
        let firebase = try Self.firebase { _, _, settings in settings.acceptsSelfSignedTokens = isAllowed }
        let claims: [String: JSONValue] = ["aud": "https://fcm.googleapis.com/", "scope": .null]
        let token = try Self.assertion(firebase, claims)
        func send() async -> Int {
            await firebase.plain(
                .post, "/v1/projects/shop/messages:send", body: #"{"message":{"topic":"a"}}"#,
                headers: ["Authorization": "Bearer \(token)"]
            ).status
        }
        #expect(await send() == (isAllowed ? 200 : 401))
        firebase.pass(3901)
        #expect(await send() == 401)
    }

    @Test("the metadata server answers for its machine's account, if the header is there")
    func metadata() async {
        let firebase = Firebase()
        let base = "/computeMetadata/v1/instance/service-accounts/"
        let flavor = ["Metadata-Flavor": "Google"]
        #expect(await firebase.plain(.get, base + "default/token").status == 403)
        #expect(await firebase.plain(.get, base + "other@example.com/token", headers: flavor).status == 404)
        for account in ["default", Firebase.email] {
            let answer = await firebase.plain(
                .get, base + account + "/token", host: "metadata.google.internal", headers: flavor)
            #expect(answer.status == 200)
            #expect(answer.json["token_type"] == "Bearer")
            #expect(HTTPField.Name("Metadata-Flavor").flatMap { answer.headers[$0] } == "Google")
        }
        #expect(await firebase.simulator.exchangeCount == 2)
    }
}
