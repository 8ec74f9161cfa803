import FoundationEssentials
import Load
import PushAdapter
import PushClient
import PushCrypto
import PushCurl
import PushSimulation
import PushSimulationServer
import PushWebPush
import WebPushSimulator

enum Pushes {
    /// The message of all benchmarks, for browsers.
    private static var message: Message {
        var message = Sample.message
        message.platforms = nil
        return message
    }

    private static func adapter(_ key: WebPushKey) throws(PushError) -> WebPush {
        var webpush = try WebPush(key, subject: "mailto:push@example.com")
        webpush.capabilities = webpush.capabilities.unmetered
        webpush.defaultNavigate = "https://news.example.com/orders"
        return webpush
    }

    /// What the adapter does for a push: it reads the subscription, and encrypts the message, which is written once.
    static func encrypt(for seconds: Double) throws -> Measure {
        let key = try WebPushKey.generate()
        let subscriptions = try Subscriptions(100, madeWith: key)
        let audiences = (0..<100).map { Audience.devices([subscriptions.target($0)]) }
        let context = SendContext(at: Date())
        guard let encode = try adapter(key).roles.send else { fatalError("the adapter does not send") }
        let send = try encode(message, context.now)
        func run(_ seconds: Double) throws -> Measure {
            let start = Usage()
            var count = 0
            while Usage().elapsed - start.elapsed < seconds {
                for audience in audiences { _ = try send(audience, context) }
                count += audiences.count
            }
            return Measure(requests: count, from: start, to: Usage())
        }
        _ = try run(0.3)
        return try run(seconds)
    }

    /// A list in one send, with a service in memory that accepts every push.
    static func million(count: Int) async throws -> Measure {
        let key = try WebPushKey.generate()
        let subscriptions = try Subscriptions(count, madeWith: key)
        let client = PushClient(try adapter(key), transport: InstantService())
        var options = SendOptions()
        options.keepsMessageIDs = false
        let start = Usage()
        let report = try await client.send(message, toDevices: subscriptions, options: options)
        let end = Usage()
        await client.shutdown()
        return Measure(requests: report.acceptedCount ?? 0, from: start, to: end)
    }

    /// A list in one send over TLS, to a simulator that answers after 50 ms and whose browsers decrypt every push. Its
    /// CPU and memory are part of the figures. `ideal` is the least time that the window allows.
    static func list(count: Int) async throws {
        let key = try WebPushKey.generate()
        let browsers = try (0..<count).map { number in
            let subscription = try BrowserSubscription.generate(
                at: InProcessTransport.origin, applicationServerKey: Base64URL.decode(key.publicKey))
            return (device: VirtualDevice("browser \(number)", "web"), subscription: subscription)
        }
        let simulator = WebPushSimulator(.mozilla, browsers: browsers)
        let host = SimulatorHost(simulator)
        try await SimulationServer.withServer(host) { server in
            await simulator.setOrigin(server.origin)
            let targets = try browsers.map { browser in
                let json = browser.subscription.json.replacing(InProcessTransport.origin, with: server.origin)
                return try WebPushSubscription(json: json, vapidKey: key.id).deviceID
            }
            for window in [64, 100] {
                try await send(to: targets, madeWith: key, window, host, server)
            }
            let unread = await simulator.reports.count { $0.code != BrowserReport.Code.delivered }
            print("\(await simulator.reports.count) pushes reached a browser, \(unread) of them unreadable")
        }
    }

    private static func send(
        to targets: [DeviceID], madeWith key: WebPushKey, _ window: Int, _ host: SimulatorHost,
        _ server: SimulationServer
    ) async throws {
        let delay = Duration.milliseconds(50)
        host.faults.removeAll()
        host.faults.add(.actedThenLate(delay), times: targets.count)
        var curl = CurlConfiguration()
        curl.caFile = server.caFile
        curl.maxInFlight = window
        var webpush = try adapter(key)
        webpush.services = [.init("simulator", hosts: ["localhost"], as: .mozilla, isPrivate: true)]
        let client = PushClient(webpush, transport: try CurlTransport(curl))
        let start = Usage()
        let report = try await client.send(message, to: .devices(targets))
        let measure = Measure(requests: report.acceptedCount ?? 0, from: start, to: Usage())
        await client.shutdown()
        let ideal = Double(targets.count) / Double(window) * (delay / .seconds(1))
        print("window \(window), ideal \((ideal * 100).rounded() / 100) s: ", terminator: "")
        try measure.report()
    }
}

/// A push service in memory: it accepts every push at once.
private struct InstantService: HTTPTransport {
    private static let accepted = WireResponse(
        status: 201, headers: [.location: "https://updates.push.services.mozilla.com/m/gAAAAABl"])

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse { Self.accepted }

    func shutdown() async {}
}
