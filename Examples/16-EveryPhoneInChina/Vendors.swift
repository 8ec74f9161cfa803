import PushAdapter
import PushBridge
import PushRouter
import PushSimulation
import PushWebhooks

/// A vendor in this process, and the backend's adapter for it.
struct Vendor: Sendable {
    let simulator: any ObservableSimulator
    let adapter: any PushProvider
    /// The receipts that say that an app is gone; nil for a vendor without them.
    var receipts: Receipts?
    /// Removes the app from a phone, at a vendor that says so in another way.
    var removeApp: @Sendable (_ device: String) async -> Void = { _ in }

    struct Receipts: Sendable {
        let sender: any ReceiptSimulator
        /// What the backend reads them with.
        let receiver: any WebhookReceiver
    }
}

/// All vendors. Their clock stands in the evening of a day in China, so no quota of a day begins anew, and vivo's
/// marketing does not rest yet.
struct Vendors {
    let clock = VirtualClock()
    /// By the name of the route.
    private let vendors: [RouteName: Vendor]

    init() throws {
        vendors = [
            "apple": try .apple(), "harmony": try .harmony(), "huawei": try .huawei(),
            "xiaomi": try .xiaomi(), "vivo": try .vivo(), "oppo": try .oppo(), "honor": try .honor(),
            "jpush": try .jpush(),
        ]
    }

    /// A client for each route.
    var clients: [RouteName: PushClient] {
        var configuration = ClientConfiguration()
        configuration.clock = clock
        return vendors.mapValues {
            PushClient(
                $0.adapter, transport: InProcessTransport(SimulatorHost($0.simulator, clock: clock)),
                configuration: configuration)
        }
    }

    /// Removes the app from the phones whose users did so.
    func removeApps() async {
        for phone in Phone.all where !phone.hasApp {
            let (vendor, device) = (vendors[phone.kind.route], phone.id.rawValue)
            await vendor?.receipts?.sender.setGone(true, device, at: clock.date)
            await vendor?.removeApp(device)
        }
    }

    /// What a phone shows with this text, by a route.
    func copies(of text: String?, on device: DeviceID?, at route: RouteName) async -> Int {
        guard let device else { return 0 }
        let snapshot = await vendors[route]?.simulator.snapshot(of: device.rawValue)
        return snapshot?.inbox.count { $0.alert == text } ?? 0
    }

    /// What the receipts about phones of a kind say, read as the backend's web server would read them.
    func events(of kind: Phone.Kind) async throws -> [WebhookEvent] {
        // Xiaomi and OPPO send receipts a second later.
        clock.advance(by: .seconds(2))
        guard let receipts = vendors[kind.route]?.receipts else { return [] }
        var events: [WebhookEvent] = []
        for receipt in await receipts.sender.takeCallbacks(.max, at: clock.date) {
            let call = WebhookCall(headers: receipt.headers, body: receipt.body)
            let answer = try await receipts.receiver.receive(call, at: clock.date)
            let response = SimulatedResponse(status: 200, body: answer.body)
            await receipts.sender.noteAnswer(response, to: receipt, at: clock.date)
            events += answer.events
        }
        return events
    }
}
