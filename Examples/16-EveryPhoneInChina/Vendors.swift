import APNsSimulator
import HarmonySimulator
import HuaweiSimulator
import JPushSimulator
import PushAPNs
import PushAdapter
import PushBridge
import PushHarmony
import PushHuawei
import PushJPush
import PushRouter
import PushSimulation
import PushWebhooks
import PushXiaomi
import XiaomiSimulator

/// The vendors, in this process. Their clock stands in the evening of a day in China, so no quota of a day begins anew.
struct Vendors {
    private static let secret = Secret("simulator0simulator0only")
    private static let package = "com.example.shop"
    private static let jpushKey = "0123456789abcdef01234567"
    private static let huaweiID = "100000001"
    private static let receipts = "https://push.example.com/r/9f3c"

    let clock = VirtualClock()
    private let huawei: HuaweiSimulator
    private let xiaomi: XiaomiSimulator
    /// By the name of the route.
    let simulators: [RouteName: any ObservableSimulator]
    /// The backend's adapters, by the name of the route.
    private let adapters: [RouteName: any PushProvider]
    /// What the backend reads receipts with.
    private let huaweiReceipts: HuaweiReceipts
    private let xiaomiReceipts: XiaomiReceipts

    init() throws {
        let (apple, apns) = try Self.apple()
        let (harmonyOS, harmony) = try Self.harmony()
        let callback = try XiaomiCallback(Secret(Self.receipts), parameter: Secret("proof-of-shop"))
        (huawei, xiaomi) = (Self.huawei(), Self.xiaomi())
        simulators = [
            "apple": apple, "harmony": harmonyOS, "huawei": huawei, "xiaomi": xiaomi, "jpush": Self.jpush(),
        ]
        let home = InProcessTransport.origin
        let huaweiAdapter = try Huawei(
            clientID: Self.huaweiID, clientSecret: Self.secret, dataCenter: Huawei.dataCenters.standard.moved(to: home))
        var xiaomiAdapter = try Xiaomi(
            packageName: Self.package, appSecret: Self.secret, dataCenter: Xiaomi.dataCenters.standard.moved(to: home))
        xiaomiAdapter.callback = callback
        // The channels that Xiaomi has approved for the app.
        xiaomiAdapter.capabilities.classes = ClassSettings(
            words: ["xiaomi": [.order: "137041", .marketing: "137042"]])
        let jpush = try JPush(
            appKey: Self.jpushKey, masterSecret: Self.secret, dataCenter: JPush.dataCenter(at: home))
        adapters = [
            "apple": apns, "harmony": harmony, "huawei": huaweiAdapter, "xiaomi": xiaomiAdapter, "jpush": jpush,
        ]
        huaweiReceipts = try HuaweiReceipts(username: "shop", key: Self.secret)
        xiaomiReceipts = XiaomiReceipts(callback)
    }

    /// A client for each route.
    var clients: [RouteName: PushClient] {
        var configuration = ClientConfiguration()
        configuration.clock = clock
        var clients: [RouteName: PushClient] = [:]
        for (route, adapter) in adapters {
            guard let simulator = simulators[route] else { continue }
            clients[route] = PushClient(
                adapter, transport: InProcessTransport(SimulatorHost(simulator, clock: clock)),
                configuration: configuration)
        }
        return clients
    }

    /// Removes the app from the phones whose users did so. The makers still accept messages to them.
    func removeApps() async {
        for phone in Phone.Kind.huawei.phones where !phone.hasApp {
            await huawei.setResult(2, of: phone.id.rawValue, at: clock.date)
        }
        for phone in Phone.Kind.xiaomi.phones where !phone.hasApp { await xiaomi.setGone(true, phone.id.rawValue) }
    }

    /// What the receipts about phones of a kind say, read as the backend's web server would read them. APNs has none,
    /// and those of HarmonyOS are like Huawei's.
    func events(of kind: Phone.Kind) async throws -> [WebhookEvent] {
        // Xiaomi sends receipts a second later.
        clock.advance(by: .seconds(2))
        return switch kind {
        case .huawei: try await events(of: huawei, by: huaweiReceipts)
        case .xiaomi: try await events(of: xiaomi, by: xiaomiReceipts)
        case .apple, .harmony: []
        }
    }

    private func events(
        of vendor: any CallbackSimulator, by receiver: any WebhookReceiver
    ) async throws -> [WebhookEvent] {
        var events: [WebhookEvent] = []
        for receipt in await vendor.takeCallbacks(.max, at: clock.date) {
            let call = WebhookCall(headers: receipt.headers, body: receipt.body)
            let answer = try await receiver.receive(call, at: clock.date)
            await vendor.noteAnswer(SimulatedResponse(status: 200, body: answer.body), to: receipt, at: clock.date)
            events += answer.events
        }
        return events
    }

    // MARK: Simulators

    private static func huawei() -> HuaweiSimulator {
        var settings = HuaweiSimulatorSettings()
        settings.receipts = .init(url: receipts, user: "shop", key: secret)
        let app = HuaweiApp(
            clientID: huaweiID, clientSecret: secret, projectID: "388421841221882778",
            devices: Phone.Kind.huawei.phones.map(\.atMaker))
        return HuaweiSimulator([app], settings: settings)
    }

    /// A day's quota of marketing is two deliveries for each device of the app: 1,250 here. The vendor itself counts at
    /// least 10,000 devices.
    private static func xiaomi() -> XiaomiSimulator {
        var settings = XiaomiSimulatorSettings()
        settings.leastDevices = 625
        let app = XiaomiApp(
            packageName: package, secret: secret,
            channels: ["137041": XiaomiChannel(.private, templates: ["P1": ["number"]]), "137042": .init(.public)],
            devices: Phone.Kind.xiaomi.phones.map(\.atMaker))
        return XiaomiSimulator([app], settings: settings)
    }

    private static func jpush() -> JPushSimulator {
        JPushSimulator(
            appKey: jpushKey, masterSecret: "simulator0simulator0only", devices: Phone.all.compactMap(\.atJPush))
    }

    private static func apple() throws -> (APNsSimulator, APNs) {
        let (signer, pem) = try APNsSigner.generate(keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
        let app = APNsApp(
            bundleID: package, teamID: "T3AMEXAMP1", devices: Phone.Kind.apple.phones.map(\.atMaker))
        let apns = try APNs(
            APNsKey(pem: pem, keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1"), topic: package,
            dataCenter: APNs.dataCenters.standard.moved(to: InProcessTransport.origin))
        return (APNsSimulator(apps: [app], signers: [signer]), apns)
    }

    private static func harmony() throws -> (HarmonySimulator, Harmony) {
        let (project, keyFile) = try HarmonyProject.generate(
            id: "388421841221882778", clientID: "1000000042", devices: Phone.Kind.harmony.phones.map(\.atMaker))
        let harmony = try Harmony(
            HuaweiServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
            dataCenter: Harmony.dataCenters.standard.moved(to: InProcessTransport.origin))
        return (HarmonySimulator([project]), harmony)
    }
}
