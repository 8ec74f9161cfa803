import PushAdapter
import PushClient
import PushCrypto
import PushSimulation
import PushWebPush
import Testing
import WebPushSimulator

/// A service that refuses the token of a request.
@Suite("Web Push with a refused token")
struct RenewalTests {
    /// A service, and its answer to a token that has ended.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var profile: WebPushProfile
        var service: WebPush.Service
        var status: Int
        var body = ""

        var testDescription: String { "\(profile.name) \(status) \(body)" }
        var answer: SimulatedResponse { SimulatedResponse(status: status, body: Array(body.utf8)) }
    }

    private static let refusals: [Refusal] = [
        Refusal(
            profile: .mozilla, service: .mozilla, status: 401,
            body: #"{"code":401,"errno":109,"message":"Invalid VAPID token: ExpiredSignature"}"#),
        Refusal(profile: .mozilla, service: .mozilla, status: 401, body: #"{"code":401,"errno":109,"message":"x"}"#),
        Refusal(profile: .google, service: .google, status: 401),
        Refusal(profile: .google, service: .google, status: 403),
        Refusal(profile: .apple, service: .apple, status: 403, body: #"{"reason":"BadJwtToken"}"#),
        Refusal(profile: .windows, service: .microsoft, status: 401),
    ]

    @Test("a token of an hour is made anew, and the push is sent once again; a younger one is not", arguments: refusals)
    func renews(refusal: Refusal) async throws {
        let pier = try Pier(refusal.profile, as: refusal.service)
        try await pier.send()
        pier.host.faults.add(.answer(refusal.answer))
        let young = await #expect(throws: PushError.self) { try await pier.send() }
        #expect(young?.kind == .unauthorized && young?.retry == .never && young?.effect == .notApplied)
        #expect(pier.tokens.count == 2 && Set(pier.tokens).count == 1)
        pier.clock.advance(by: .seconds(3600))
        pier.host.faults.add(.answer(refusal.answer))
        try await pier.send()
        #expect(pier.tokens.count == 4 && Set(pier.tokens).count == 2)
        // Only once.
        pier.clock.advance(by: .seconds(3600))
        pier.host.faults.add(.answer(refusal.answer), times: 2)
        await #expect(throws: PushError.self) { try await pier.send() }
        #expect(pier.tokens.count == 6 && Set(pier.tokens).count == 3)
    }

    private static let lasting: [Refusal] = [
        Refusal(profile: .windows, service: .microsoft, status: 403),
        Refusal(profile: .apple, service: .apple, status: 403, body: #"{"reason":"BadVapidPublicKey"}"#),
        Refusal(profile: .google, service: .google, status: 401, body: "authorization header must be specified"),
    ]

    @Test("what no other token helps against is not sent again", arguments: lasting)
    func repeatsNothing(refusal: Refusal) async throws {
        let pier = try Pier(refusal.profile, as: refusal.service)
        try await pier.send()
        pier.clock.advance(by: .seconds(3600))
        pier.host.faults.add(.answer(refusal.answer))
        await #expect(throws: PushError.self) { try await pier.send() }
        #expect(pier.tokens.count == 2)
    }
}

/// A service with one browser, and a backend.
private struct Pier {
    let clock = VirtualClock()
    let host: SimulatorHost
    let client: PushClient
    let device: DeviceID

    init(_ profile: WebPushProfile, as service: WebPush.Service) throws {
        let key = try WebPushKey.generate()
        let subscription = try BrowserSubscription.generate(
            at: InProcessTransport.origin, by: profile, applicationServerKey: Base64URL.decode(key.publicKey))
        device = try WebPushSubscription(json: subscription.json, vapidKey: key.id).deviceID
        host = SimulatorHost(
            WebPushSimulator(profile, browsers: [(VirtualDevice("1", "web"), subscription)]), clock: clock)
        var webpush = try WebPush(key, subject: Ferry.subject)
        let name = String(InProcessTransport.origin.dropFirst("https://".count))
        webpush.services = [.init(service.name, hosts: [name], as: service, isPrivate: true)]
        var configuration = ClientConfiguration()
        configuration.clock = clock
        client = PushClient(webpush, transport: InProcessTransport(host), configuration: configuration)
    }

    func send() async throws(PushError) { _ = try await client.send(.shown, to: .devices([device])) }

    /// The tokens of all requests.
    var tokens: [String] { host.journal.entries.compactMap { $0.request.headers[.authorization] } }
}
