import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing
import WebPushSimulator

/// The simulator alone: raw requests in, responses out. The checks have the numbers of the services' rules, S1 to S24.
@Suite("Web Push simulator: checks")
struct WebPushSimulatorCheckTests {
    typealias World = SimulatedWebPush
    typealias Change = @Sendable (World, inout World.Push) throws -> Void

    /// A change of a good push, and what each service answers, in the order of `WebPushProfile.all`.
    struct Row: Sendable {
        let name: String
        let answers: [String]
        let change: Change

        /// - Parameter answers: a status for each service, and its code if it has one.
        init(_ name: String, _ answers: [String], _ change: @escaping Change) {
            (self.name, self.answers, self.change) = (name, answers, change)
        }
    }

    @Test("S1 to S19: each service refuses a fault in its own way", arguments: 0..<rows.count)
    func services(index: Int) async throws {
        let row = Self.rows[index]
        try #require(row.answers.count == WebPushProfile.all.count)
        for (profile, expected) in zip(WebPushProfile.all, row.answers) {
            let world = try await World(profile)
            let answer = try await world.send { try row.change(world, &$0) }
            let actual =
                answer.status < 300 || answer.code.isEmpty ? "\(answer.status)" : "\(answer.status) \(answer.code)"
            #expect(actual == expected, "\(row.name) at \(profile.name)")
            #expect(await world.simulator.sendCount == (answer.status < 300 ? 1 : 0), "\(row.name) at \(profile.name)")
        }
    }

    @Test("Mozilla says in words which part of the token is wrong")
    func words() async throws {
        let world = try await World(.mozilla)
        let cases: [(text: String, change: @Sendable (inout World.Push) throws -> Void)] = [
            ("Missing VAPID token", { $0.authorization = "" }),
            ("Unknown auth scheme", { $0.authorization = "Basic YTpi" }),
            ("Invalid VAPID audience", { $0.claims = ["aud": "https://other.example"] }),
            ("Invalid VAPID token: ExpiredSignature", { $0.claims = ["exp": 1] }),
            ("The VAPID token expiration is too long", { $0.claims = ["exp": 9_999_999_999] }),
            ("VAPID public key mismatch", { $0.authorization = try world.authorization(by: .generate(.es256)) }),
        ]
        for (text, change) in cases {
            let answer = try await world.send(change)
            #expect(answer.json["message"]?.stringValue == text)
            #expect(answer.json["code"]?.intValue == 401 && answer.json["error"] == "Unauthorized")
        }
    }

    @Test("S4: Mozilla also takes the schemes of the first draft, and keys in the usual alphabet of Base64")
    func oldSchemes() async throws {
        let world = try await World(.mozilla)
        let key = try world.key.verifyingKey.p256.bytes
        let plain = Data(key).base64EncodedString()
        for scheme in ["WebPush", "Bearer", "webpush"] {
            let answer = try await world.send { push in
                push.authorization = "\(scheme) \(try world.token())"
                push["crypto-key"] = "p256ecdsa=\(Base64URL.encode(key))"
            }
            #expect(answer.status == 201)
        }
        #expect(try await world.send { $0.authorization = "VAPID k=\(plain) , t=\(try world.token())" }.status == 201)
        let strict = try await World(.rfc)
        let padded = Data(try strict.key.verifyingKey.p256.bytes).base64EncodedString()
        #expect(padded.hasSuffix("="))
        #expect(
            try await strict.send { $0.authorization = "vapid t=\(try strict.token()),k=\(padded)" }.status == 403)
    }

    @Test("S10: a service may refuse a second token of a key within an hour, and takes the first again")
    func renewals() async throws {
        let world = try await World(.apple) { $0.tokenInterval = 3600 }
        let first = try world.authorization()
        #expect(try await world.send { $0.authorization = first }.status == 201)
        let answer = try await world.send { $0.claims = ["sub": "mailto:other@news.example.com"] }
        #expect(answer.status == 429 && answer.code == "TooManyRequests")
        #expect(try await world.send { $0.authorization = first }.status == 201)
        world.pass(3600)
        #expect(try await world.send().status == 201)
    }

    @Test("S12: a subscription that ended is gone, each service in its own words")
    func gone() async throws {
        let expected = [
            "404", "410 106", "410 push subscription has unsubscribed or expired.", "410 Unregistered", "410",
            "507 50701",
        ]
        for (profile, expected) in zip(WebPushProfile.all, expected) {
            let world = try await World(profile)
            await world.simulator.unsubscribe(World.phone.id)
            let answer = try await world.send()
            #expect(
                answer.code.isEmpty ? expected == "\(answer.status)" : expected == "\(answer.status) \(answer.code)")
            if profile.name == "mozilla" { #expect(answer["cache-control"] == "max-age=86400") }
        }
    }

    @Test("S13: Google may deny a subscription in its first seconds")
    func fresh() async throws {
        let world = try await World(.google) { $0.freshSeconds = 5 }
        #expect(try await world.send().status == 410)
        world.pass(5)
        #expect(try await world.send().status == 201)
    }

    @Test("S16: a service that shortens the life says so")
    func longestLife() async throws {
        for (profile, expected) in [(WebPushProfile.mozilla, "2592000"), (.rfc, "2592001")] {
            let world = try await World(profile)
            #expect(try await world.send { $0["ttl"] = "2592001" }["ttl"] == expected)
            #expect(try await world.send { $0["ttl"] = "7" }["ttl"] == "7")
        }
        let google = try await World(.google)
        #expect(try await google.send()["ttl"] == nil)
    }

    @Test("S20: the key of the encryption is not the key that signs")
    func sharedKey() async throws {
        let number = Secret((1...32).map { UInt8($0) })
        let signing = try SigningKey(p256: number)
        let sender = try P256PrivateKey(number: number, named: "the sender's key")
        for (profile, status) in [(WebPushProfile.rfc, 400), (.mozilla, 201), (.google, 201)] {
            let world = try await World(profile)
            let tablet = VirtualDevice("tablet", "web")
            let subscription = try await world.simulator.subscribe(
                tablet, applicationServerKey: sender.publicKey, at: world.now)
            var push = try world.push(to: subscription)
            push.body = try WebPushEncryption(
                p256dh: Base64URL.decode(subscription.p256dh) ?? [],
                auth: Secret(Base64URL.decode(subscription.auth) ?? [])
            ).encrypt(World.text, from: sender, salt: [UInt8](repeating: 7, count: 16))
            push.authorization = try world.authorization(by: signing)
            #expect(try await world.send(push).status == status)
        }
    }

    @Test("S23: an accepted push has the service's own id")
    func acceptance() async throws {
        for profile in WebPushProfile.all {
            let world = try await World(profile)
            let answer = try await world.send()
            let id = try #require(await world.shown().first)
            switch profile.name {
            case "apple": #expect(answer["apns-id"] == id && answer["location"] == nil)
            case "windows": #expect(answer["x-wns-msg-id"] == id && answer["x-wns-status"] == "received")
            case "ntfy": #expect(answer.status == 200 && answer.json["id"]?.stringValue == id)
            default: #expect(answer["location"] == "\(InProcessTransport.origin)/m/\(id)")
            }
        }
    }

    @Test("S24: the pushes of a subscription in a time have a limit, if the test sets one")
    func rate() async throws {
        let cases: [(WebPushProfile, status: Int, wait: String?)] = [
            (.rfc, 429, "60"), (.google, 429, "60"), (.apple, 429, nil), (.windows, 406, "900"), (.ntfy, 429, nil),
        ]
        for (profile, status, wait) in cases {
            let world = try await World(profile) { $0.pushes = 2 }
            for _ in 0..<2 { #expect(try await world.send().status < 300) }
            let answer = try await world.send()
            #expect(answer.status == status && answer["retry-after"] == wait)
            #expect(await world.simulator.quotas(at: world.now).map(\.remaining) == [0])
            world.pass(60)
            #expect(try await world.send().status < 300)
        }
    }
}
