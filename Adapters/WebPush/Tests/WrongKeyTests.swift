import PushAdapter
import PushClient
import PushCrypto
import PushSimulation
import PushWebPush
import Testing
import WebPushSimulator

/// A backend that stored the wrong server key with its subscriptions.
@Suite("Web Push with a wrong server key")
struct WrongKeyTests {
    private let message = Message(notification: Notification(title: "Ferry", body: "Gate 3"))

    @Test(
        "of a list that was made with another key, a hundred are tried, then every hundredth; none is dead",
        arguments: [("mozilla", 1000), ("google", 200), ("apple", 200), ("windows", 200)])
    func list(service: String, count: Int) async throws {
        let harbor = try Harbor(service, browsers: Array(repeating: .foreign, count: count))
        let error = await #expect(throws: PushError.self) {
            try await harbor.client.send(message, to: .devices(harbor.devices))
        }
        // A hundred in a row, and every hundredth of the others.
        let sent = 100 + (count - 100) / 100
        #expect(harbor.host.journal.lastNumber == sent)
        #expect(error?.kind == .misconfigured && error?.effect == .notApplied)
        let report = try #require(error?.report)
        #expect(report.interruption?.kind == .misconfigured)
        let statuses = report.exceptions.map(\.status)
        #expect(statuses.count { $0 == .suspect } == sent && statuses.count { $0 == .notAttempted } == count - sent)
    }

    @Test("of several keys, the wrong one does not stop the others")
    func ring() async throws {
        let harbor = try Harbor("mozilla", browsers: (0..<600).map { $0.isMultiple(of: 2) ? .foreign : .old })
        let report = try await harbor.client.send(message, to: .devices(harbor.devices))
        #expect(report.acceptedCount == 300 && report.interruption?.kind == .misconfigured)
        #expect(harbor.host.journal.lastNumber == 300 + 102)
        let statuses = report.exceptions.map(\.status)
        #expect(statuses.count { $0 == .suspect } == 102 && statuses.count { $0 == .notAttempted } == 198)
    }

    @Test("the first subscription that fits opens the way again, and another send reaches those that were passed over")
    func opens() async throws {
        let harbor = try Harbor(
            "mozilla", browsers: Array(repeating: .foreign, count: 150) + Array(repeating: .own, count: 200))
        let report = try await harbor.client.send(message, to: .devices(harbor.devices))
        // After 50 more of the wrong ones, 49 good ones are passed over.
        #expect(report.acceptedCount == 151 && report.interruption?.kind == .misconfigured)
        let rest = report.retryable()
        #expect(rest.count == 99)
        let second = try await harbor.client.send(message, to: #require(Audience(rest)))
        #expect(second.acceptedCount == 49 && second.interruption == nil)
        #expect(second.exceptions.allSatisfy { $0.status == .suspect })
    }
}

/// A service with browsers, and a backend that sends one request at a time.
private struct Harbor {
    /// With which key a browser subscribed.
    enum Subscribed {
        /// The key that the backend stored.
        case own
        /// A key that the backend does not have, although it stored its own.
        case foreign
        /// The older key of the backend, which stored that one.
        case old
    }

    let host: SimulatorHost
    let client: PushClient
    let devices: [DeviceID]

    init(_ service: String, browsers: [Subscribed]) throws {
        let profile = try #require(WebPushProfile.all.first { $0.name == service })
        let known: [String: WebPush.Service] = [
            "mozilla": .mozilla, "google": .google, "apple": .apple, "windows": .microsoft,
        ]
        let (own, old, foreign) = (try WebPushKey.generate(), try WebPushKey.generate(), try WebPushKey.generate())
        let made = try browsers.enumerated().map { number, subscribed in
            let (key, stored) =
                switch subscribed {
                case .own: (own, own)
                case .foreign: (foreign, own)
                case .old: (old, old)
                }
            let subscription = try BrowserSubscription.generate(
                at: InProcessTransport.origin, by: profile, applicationServerKey: Base64URL.decode(key.publicKey))
            let device = try WebPushSubscription(json: subscription.json, vapidKey: stored.id).deviceID
            return (device: device, browser: (device: VirtualDevice("\(number)", "web"), subscription: subscription))
        }
        devices = made.map(\.device)
        host = SimulatorHost(WebPushSimulator(profile, browsers: made.map(\.browser)))
        var webpush = try WebPush(own, olderKeys: [old], subject: Ferry.subject)
        let name = String(InProcessTransport.origin.dropFirst("https://".count))
        webpush.services = [.init(service, hosts: [name], as: known[service], isPrivate: true)]
        webpush.capabilities.concurrency = 1
        client = PushClient(webpush, transport: InProcessTransport(host))
    }
}
