import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing
import WebPushSimulator

/// A push with many faults tells which check comes first.
@Suite("Web Push simulator: order, switches, failures")
struct WebPushSimulatorOrderTests {
    typealias World = SimulatedWebPush

    /// Repairs one fault after the other, and returns what the service said each time.
    private func answers(_ profile: WebPushProfile) async throws -> [String] {
        let world = try await World(profile)
        var push = try world.push()
        let good = push
        push["ttl"] = nil
        push["topic"] = "a.b"
        push["content-encoding"] = "gzip"
        push.body += [UInt8](repeating: 0, count: 5001 - push.body.count)
        push.claims = ["aud": "https://other.example"]
        push.target = "/nowhere"
        await world.simulator.unsubscribe(World.phone.id)
        var answers: [String] = []
        func send() async throws {
            let answer = try await world.send(push)
            answers.append(answer.code.isEmpty ? "\(answer.status)" : "\(answer.status) \(answer.code)")
        }
        try await send()
        push.target = good.target
        try await send()
        push.claims = [:]
        try await send()
        let again = try await world.simulator.subscribe(
            World.phone, applicationServerKey: world.subscription.applicationServerKey, at: world.now)
        push.target = try world.push(to: again).target
        try await send()
        push.body = good.body
        try await send()
        push["ttl"] = "60"
        try await send()
        push["content-encoding"] = "aes128gcm"
        try await send()
        push["topic"] = "ab"
        #expect(try await world.send(push).status == 201)
        return answers
    }

    @Test("Mozilla: path, token, subscription, size, TTL, encoding, topic")
    func mozilla() async throws {
        #expect(
            try await answers(.mozilla)
                == ["404", "401 109", "410 106", "413 104", "400 111", "400 110", "400 113"])
    }

    @Test("Google checks the size before the token")
    func google() async throws {
        let answers = try await answers(.google)
        #expect(answers.map { $0.prefix(3) } == ["404", "400", "400", "400", "400", "400", "400"])
        #expect(answers[1].contains("less than 4096 bytes") && answers[3].contains("less than 4096 bytes"))
        #expect(answers[4] == "400")
    }

    @Test("Apple and the RFC have Mozilla's order")
    func others() async throws {
        #expect(
            try await answers(.apple) == [
                "404 BadPath", "403 BadJwtToken", "410 Unregistered", "413 PayloadTooLarge", "400 BadTtl",
                "400 BadWebPushRequest", "400 BadWebPushTopic",
            ])
        #expect(try await answers(.rfc) == ["404", "403", "404", "413", "400", "400", "400"])
    }

    @Test("a changed row answers otherwise, and a fault without a refusal is not looked for")
    func switches() async throws {
        let forbidden = try await World(.apple) {
            $0.refusals[.foreignKey] = WebPushRefusal(403, "VapidPkHashMismatch")
        }
        let foreign = try await forbidden.send { $0.authorization = try forbidden.authorization(by: .generate(.es256)) }
        #expect(foreign.status == 403 && foreign.code == "VapidPkHashMismatch")
        let zero = try await World(.apple) { $0.refusals[.zeroTTL] = WebPushRefusal(400, "BadTtl") }
        #expect(try await zero.send { $0["ttl"] = "0" }.code == "BadTtl")
        let lax = try await World(.apple) { $0.refusals[.badSubject] = nil }
        #expect(try await lax.send { $0.claims = ["sub": .null] }.status == 201)
        let large = try await World(.mozilla) { $0.bodyBytes = 5630 }
        #expect(try await large.send { $0.body += [UInt8](repeating: 0, count: 5000 - $0.body.count) }.status == 201)
    }

    @Test("a subscription without a key is for any server, and a token must still be valid")
    func openSubscription() async throws {
        let world = try await World(.mozilla)
        let tablet = VirtualDevice("tablet", "web")
        let subscription = try await world.simulator.subscribe(tablet, applicationServerKey: nil, at: world.now)
        #expect(subscription.endpoint.contains("/wpush/v1/"))
        var push = try world.push(to: subscription)
        push.authorization = ""
        #expect(try await world.send(push).status == 201)
        push.authorization = try world.authorization(by: .generate(.es256))
        #expect(try await world.send(push).status == 201)
        push.authorization = try world.authorization(["exp": 1])
        #expect(try await world.send(push).status == 401)
    }

    @Test("a scripted throttle and a scripted failure have the service's form, and do nothing")
    func faults() async throws {
        let cases: [(WebPushProfile, throttle: Int, wait: String?)] = [
            (.rfc, 429, "7"), (.mozilla, 429, "7"), (.google, 429, "7"), (.apple, 429, nil), (.windows, 406, "7"),
            (.ntfy, 429, nil),
        ]
        for (profile, throttle, wait) in cases {
            let world = try await World(profile)
            let host = SimulatorHost(world.simulator)
            host.faults.add(.throttle(reset: 7))
            host.faults.add(.throttle(reset: nil))
            host.faults.add(.serverError(status: 503))
            let request = SimulatedRequest(method: .post, path: "/x", query: "", headers: [:], body: [])
            var answers: [World.Answer] = []
            for _ in 0..<3 {
                guard case .whole(let response) = await host.handle(request) else {
                    Issue.record("the answer is not whole")
                    return
                }
                answers.append(.init(status: response.status, headers: response.headers, body: response.body))
            }
            #expect(answers.map(\.status) == [throttle, throttle, 503], "\(profile.name)")
            #expect(answers[0]["retry-after"] == wait && answers[1]["retry-after"] == nil, "\(profile.name)")
            if profile.name == "mozilla" {
                #expect(answers[2].code == "201" && answers[2]["retry-after"] == "120")
            }
            #expect(await world.simulator.sendCount == 0)
        }
    }
}
