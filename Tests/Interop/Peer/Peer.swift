import FoundationEssentials
import PushAdapter
import PushClient
import PushCrypto
import PushCurl
import PushSimulation
import PushSimulationServer
import PushWebPush
import WebPushSimulator

/// A push service, a sender, and what they do when the other side says so.
struct Peer: Sendable {
    private let simulator: WebPushSimulator
    private let webpush: WebPush
    private let client: PushClient

    /// Runs the service while `body` runs. The body gets what the other side must know: the server's key, the file with
    /// the certificate, and the subscriptions by the names of their browsers.
    static func run(browsers: [String], _ body: @Sendable (Peer, JSONValue) async throws -> Void) async throws {
        let key = try WebPushKey.generate()
        var webpush = try WebPush(key, subject: "mailto:push@example.com")
        // The other side has a service of its own, on another port of this host.
        webpush.services = [.init("theirs", hosts: ["localhost"], as: .mozilla, isPrivate: true)]
        let (sender, simulator) = (webpush, WebPushSimulator(.mozilla))
        try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
            await simulator.setOrigin(server.origin)
            var subscriptions: [String: JSONValue] = [:]
            for name in browsers {
                let subscription = try await simulator.subscribe(
                    VirtualDevice(name, "web"), applicationServerKey: Base64URL.decode(key.publicKey), at: Date())
                subscriptions[name] = try JSONValue(parsing: Array(subscription.json.utf8))
            }
            let client = PushClient(sender, transport: try CurlTransport())
            try await body(
                Peer(simulator: simulator, webpush: sender, client: client),
                [
                    "key": .string(key.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }),
                    "caFile": .string(server.caFile ?? ""), "subscriptions": .object(subscriptions),
                ])
            await client.shutdown()
        }
    }

    /// Does what a line says. A refusal becomes a member `error`.
    func answer(_ line: String) async -> JSONValue {
        do throws(PushError) {
            let order = Order(try JSONValue(parsing: Array(line.utf8)))
            switch try order.text("do") {
            case "encrypt": return try order.encrypted()
            case "decrypt": return try order.decrypted()
            case "encode": return try order.encoded()
            case "decode": return try order.decoded()
            case "send": return try await send(order)
            case "shown": return await shown(on: try order.text("browser"))
            case "unsubscribe":
                await simulator.unsubscribe(try order.text("browser"))
                return [:]
            case let other: throw PushError(.invalidArgument, "there is no order \(other)")
            }
        } catch {
            return ["error": .string(error.message), "isDead": .bool(error.report?.invalidTargets.isEmpty == false)]
        }
    }

    private func send(_ order: Order) async throws(PushError) -> JSONValue {
        let device = try webpush.subscription(from: try order.text("subscription")).deviceID
        var notification = Notification(title: try order.text("title"), body: try order.text("body"))
        notification.extras = ["order": 17]
        var message = Message(notification: notification)
        message.timeToLive = .seconds(600)
        let report = try await client.send(message, to: .devices([device]))
        return ["accepted": .bool(report.acceptedCount == 1)]
    }

    /// The texts on the screen of a browser, and how many pushes no browser could decrypt.
    private func shown(on browser: String) async -> JSONValue {
        let texts = await simulator.inbox(of: browser).map { $0.title ?? $0.custom?.content ?? "" }
        let failures = await simulator.reports.count { $0.code == BrowserReport.Code.undecryptable }
        return ["texts": .array(texts.map(JSONValue.string)), "undecryptable": .init(integerLiteral: failures)]
    }
}
