import FoundationEssentials
import PushAdapter
import PushClient
import PushCrypto
import PushSimulation
import PushWebPush
import Testing
import WebPushSimulator

/// A service that is not available for a while, beside another one.
@Suite("Web Push while a service is not available")
struct UnavailableTests {
    @Test("a 503 that names a wait holds back its origin for that time, and no other", arguments: [120, nil])
    func holds(wait: Int?) async throws {
        let clock = VirtualClock()
        let key = try WebPushKey.generate()
        let endpoints = try ["a", "b", "a"].map { host in
            try BrowserSubscription.generate(
                at: "https://\(host).push.example.com", by: .mozilla,
                applicationServerKey: Base64URL.decode(key.publicKey))
        }
        let browsers = endpoints.enumerated().map { (device: VirtualDevice("\($0)", "web"), subscription: $1) }
        let host = SimulatorHost(WebPushSimulator(.mozilla, browsers: browsers), clock: clock)
        let origin = WebPush.dataCenters.standard.moved(to: InProcessTransport.origin)
        var webpush = try WebPush(key, subject: Ferry.subject, dataCenter: origin)
        webpush.services = [.init("ours", hosts: [".push.example.com"], as: .mozilla)]
        webpush.capabilities.concurrency = 1
        var configuration = ClientConfiguration()
        configuration.clock = clock
        let client = PushClient(webpush, transport: InProcessTransport(host), configuration: configuration)
        let answer = SimulatedResponse(status: 503, headers: wait.map { [.retryAfter: String($0)] } ?? [:])
        host.faults.add(.answer(answer))
        let start = clock.date

        let targets = try endpoints.map { try WebPushSubscription(json: $0.json, vapidKey: key.id).deviceID }
        let report = try await client.send(.shown, to: .devices(targets))
        #expect(report.exceptions.map(\.position) == [0] && report.exceptions.first?.status == .unknown)
        let moments = host.journal.entries.map { Int($0.date.timeIntervalSince(start)) }
        #expect(moments == [0, 0, wait ?? 0])
    }
}
