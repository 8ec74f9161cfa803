import PushAdapter
import PushClient
import PushCrypto
import PushCurl
import PushInspector
import PushPhone
import PushSimulation
import PushWebPush
import Testing
import WebPushSimulator

@Suite("Inspector of a push service whose addresses are secrets")
struct SecretAddressTests {
    @Test(
        "nothing that the page gets has the address or the keys of a subscription",
        arguments: ["mozilla", "google", "windows", "ntfy"])
    func secrets(service: String) async throws {
        let profile = try #require(WebPushProfile.all.first { $0.name == service })
        try await BrowserDesk.run(profile) { desk in
            let device = try await desk.shownDevice()
            #expect(device.hasPrefix(InProcessTransport.origin + "/… "))
            let bodies: [(String, JSONValue)] = [
                ("/send", ["body": "Hello", "device": .string(device)]),
                ("/faults", ["fault": "error", "path": .string(desk.path)]),
                ("/send", ["body": "Hello", "device": .string(device)]),
                ("/faults", ["fault": "error", "path": .string(desk.path)]),
            ]
            var texts: [String] = []
            for (path, body) in bodies { texts.append(try await desk.send(.post, path, body).text) }
            let count = desk.host.journal.lastNumber
            #expect(count == 2)
            let pages = ["/state", "/state?find=invalid", "/requests"] + (1...count).map { "/requests/\($0)" }
            for path in pages { texts.append(try await desk.send(.get, path).text) }
            for text in texts {
                for secret in desk.secrets { #expect(!text.contains(secret)) }
            }
            let rows = try await desk.send(.get, "/requests").json()["requests"]?.arrayValue
            #expect(rows?.map { $0["path"] } == ["/…", "/…"])
        }
    }

    @Test("a phone and a device are used by the id that the page has")
    func use() async throws {
        try await BrowserDesk.run(.mozilla) { desk in
            let device = try await desk.shownDevice()
            #expect(try await desk.send(.post, "/send", ["body": "Hello", "device": .string(device)]).status == 200)
            let phone = try #require(try await desk.state()["phones"]?["items"]?.arrayValue?.first)
            #expect(phone["id"] == .string(device) && phone["centerCount"] == 1)
            let message = try await desk.send(.get, "/requests/1").json()
            #expect(message["status"] == 201)
            let shown = try #require(phone["center"]?.arrayValue?.first?["id"])
            let path = "/phones/\(PercentEncoding.encode(device))/dismiss"
            #expect(try await desk.send(.post, path, ["identifier": shown]).status == 200)
            #expect(desk.phone.state.center.isEmpty)
            #expect(try await desk.state("find=simulator.invalid")["devices"]?["matching"] == 1)
        }
    }
}

/// A push service with one browser, whose device id is its subscription, and its inspector.
struct BrowserDesk: InspectedStage {
    let host: SimulatorHost
    let phone: VirtualPhone
    let subscription: BrowserSubscription
    let address: String
    let transport: CurlTransport

    /// Path and query of the subscription's address.
    var target: String { String(subscription.endpoint.dropFirst(InProcessTransport.origin.count)) }
    var path: String { String(target.prefix { $0 != "?" }) }
    /// What the page must not have: the longest part of the address, and the keys.
    var secrets: [String] {
        let parts = target.split { "/?=".contains($0) }.map(String.init)
        return [parts.max { $0.count < $1.count } ?? target, subscription.p256dh, subscription.auth]
    }

    /// The id of the device as the page has it.
    func shownDevice() async throws -> String {
        try #require(try await state()["devices"]?["items"]?.arrayValue?.first?["id"]?.stringValue)
    }

    static func run(_ profile: WebPushProfile, _ body: @Sendable (BrowserDesk) async throws -> Void) async throws {
        let key = try WebPushKey.generate()
        let subscription = try BrowserSubscription.generate(
            at: InProcessTransport.origin, by: profile, applicationServerKey: Base64URL.decode(key.publicKey))
        let id = try WebPushSubscription(json: subscription.json, vapidKey: key.id).deviceID
        let device = VirtualDevice(id.rawValue, "web")
        let simulator = WebPushSimulator(profile, browsers: [(device, subscription)])
        let host = SimulatorHost(simulator)
        let phone = VirtualPhone(device, at: simulator)
        _ = try await phone.register()
        await phone.leaveApp()
        let name = String(InProcessTransport.origin.dropFirst("https://".count))
        var webpush = try WebPush(key, subject: "mailto:push@news.example.com")
        webpush.services = [.init(profile.name, hosts: [name], isPrivate: true)]
        webpush.defaultTitle = "Shop"
        let client = PushClient(webpush, transport: InProcessTransport(host))
        let inspector = Inspector(
            host, phones: [phone],
            send: { (message) async throws(PushError) in
                try await client.send(message.message, to: message.audience).messageIDs.first?.rawValue ?? ""
            })
        let result: Result<Void, any Error>
        do {
            try await serve(inspector) { address, transport in
                try await body(
                    BrowserDesk(
                        host: host, phone: phone, subscription: subscription, address: address, transport: transport))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        try result.get()
    }
}

extension WireResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
