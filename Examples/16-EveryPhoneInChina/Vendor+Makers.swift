import HonorSimulator
import HuaweiSimulator
import OPPOSimulator
import PushAdapter
import PushHonor
import PushHuawei
import PushOPPO
import PushSimulation
import PushVivo
import PushXiaomi
import VivoSimulator
import XiaomiSimulator

/// The makers of Android phones.
extension Vendor {
    static let home = InProcessTransport.origin
    static let secret = Secret("simulator0simulator0only")
    static let package = "com.example.shop"
    private static let address = "https://push.example.com/r/9f3c"
    private static let proof = Secret("proof-of-shop")

    /// Accepts messages to removed apps. Its receipts say that they are gone.
    static func huawei() throws -> Vendor {
        let id = "100000001"
        var settings = HuaweiSimulatorSettings()
        settings.receipts = .init(url: address, user: "shop", key: secret)
        let app = HuaweiApp(
            clientID: id, clientSecret: secret, projectID: "388421841221882778",
            devices: Phone.Kind.huawei.phones.map(\.atMaker))
        let simulator = HuaweiSimulator([app], settings: settings)
        let adapter = try Huawei(
            clientID: id, clientSecret: secret, dataCenter: Huawei.dataCenters.standard.moved(to: home))
        let receiver = try HuaweiReceipts(username: "shop", key: secret)
        return Vendor(
            simulator: simulator, adapter: adapter, receipts: Receipts(sender: simulator, receiver: receiver))
    }

    /// Accepts messages to removed apps, as Huawei does. A day's quota of marketing is two deliveries for each device of
    /// the app: 1,250 here. The vendor itself counts at least 10,000 devices.
    static func xiaomi() throws -> Vendor {
        var settings = XiaomiSimulatorSettings()
        settings.leastDevices = 625
        let app = XiaomiApp(
            packageName: package, secret: secret,
            channels: ["137041": XiaomiChannel(.private, templates: ["P1": ["number"]]), "137042": .init(.public)],
            devices: Phone.Kind.xiaomi.phones.map(\.atMaker))
        let simulator = XiaomiSimulator([app], settings: settings)
        var adapter = try Xiaomi(
            packageName: package, appSecret: secret, dataCenter: Xiaomi.dataCenters.standard.moved(to: home))
        // The channels that Xiaomi has approved for the app.
        adapter.capabilities.classes = ClassSettings(words: ["xiaomi": [.order: "137041", .marketing: "137042"]])
        let callback = try XiaomiCallback(Secret(address), parameter: proof)
        adapter.callback = callback
        return Vendor(
            simulator: simulator, adapter: adapter,
            receipts: Receipts(sender: simulator, receiver: XiaomiReceipts(callback)))
    }

    /// Takes one phone a request, and refuses a removed app or one with notifications off. It does not say which.
    static func vivo() throws -> Vendor {
        let (id, key) = (10_004, "25509283-shop")
        let app = VivoApp(appID: id, key: key, secret: secret, devices: Phone.Kind.vivo.phones.map(\.atMaker))
        let simulator = VivoSimulator([app])
        let adapter = try Vivo(
            appID: id, appKey: key, appSecret: secret, dataCenter: Vivo.dataCenters.standard.moved(to: home))
        return Vendor(simulator: simulator, adapter: adapter) { await simulator.setGone(true, $0) }
    }

    /// Accepts messages to removed apps, as Huawei does.
    static func oppo() throws -> Vendor {
        let key = "0123456789abcdef"
        var app = OPPOApp(key: key, masterSecret: secret, devices: Phone.Kind.oppo.phones.map(\.atMaker))
        app.approved = ["ORDER"]
        let simulator = OPPOSimulator([app])
        var adapter = try OPPO(
            appKey: key, masterSecret: secret, dataCenter: OPPO.dataCenters.standard.moved(to: home))
        let callback = try OPPOCallback(Secret(address), parameter: proof)
        adapter.callback = callback
        return Vendor(
            simulator: simulator, adapter: adapter,
            receipts: Receipts(sender: simulator, receiver: OPPOReceipts(callback)))
    }

    /// Lists dead tokens in the response to a send. Its adapter is a draft, which calls them suspect.
    static func honor() throws -> Vendor {
        let (id, client) = ("104411001", "c0ffee0c0ffee")
        let app = HonorApp(
            appID: id, clientID: client, clientSecret: secret, devices: Phone.Kind.honor.phones.map(\.atMaker))
        let simulator = HonorSimulator([app])
        let adapter = try Honor(
            appID: id, clientID: client, clientSecret: secret,
            dataCenter: Honor.dataCenters.standard.moved(to: home))
        return Vendor(simulator: simulator, adapter: adapter) { await simulator.setDead(true, $0) }
    }
}
