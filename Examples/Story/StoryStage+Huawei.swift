import HarmonySimulator
import HuaweiSimulator
import PushAdapter
import PushHarmony
import PushHuawei
import PushSimulation

/// Huawei's two vendors. A notification without a class is refused by one, and is marketing for the other, which shows few
/// a day.
extension StoryStage {
    private static let (client, project, user) = ("1000000042", "388421841221882778", "shop")
    private static let secret = "simulator0simulator0only"
    private static let address = "https://shop.example/receipts"
    private static let defaultClass = MessageClass(.service, .subscription)

    @Sendable static func harmony() throws(PushError) -> StoryStage {
        let tokens = (0..<2303).map { DeviceID("MAMzLgIkEU\(String(repeating: "x", count: 97))\(10_000 + $0)") }
        let (project, keyFile) = try HarmonyProject.generate(
            id: project, clientID: client, devices: tokens.map { VirtualDevice($0.rawValue, .harmony) })
        var settings = HarmonySimulatorSettings()
        settings.receipts = .init(url: address, user: user, key: Secret(secret))
        let simulator = HarmonySimulator([project], settings: settings)
        let receipts = StoryReceipts(
            simulator: simulator, receiver: try HuaweiReceipts(username: user, key: Secret(secret)))
        return StoryStage(
            vendor: "harmony", devices: tokens, simulator: simulator, receipts: receipts
        ) { (origin) throws(PushError) in
            var harmony = try Harmony(
                HuaweiServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
                dataCenter: Harmony.dataCenters.standard.moved(to: origin))
            harmony.capabilities.classes.defaultClass = defaultClass
            return harmony
        }
    }

    @Sendable static func huawei() throws(PushError) -> StoryStage {
        let tokens = (0..<2303).map { DeviceID("IQAAAACy0k1t\(String(repeating: "x", count: 95))\(10_000 + $0)") }
        let app = HuaweiApp(
            clientID: client, clientSecret: Secret(secret), projectID: project,
            devices: tokens.map { VirtualDevice($0.rawValue, .android) })
        var settings = HuaweiSimulatorSettings()
        settings.receipts = .init(url: address, user: user, key: Secret(secret))
        let simulator = HuaweiSimulator([app], settings: settings)
        let receipts = StoryReceipts(
            simulator: simulator, receiver: try HuaweiReceipts(username: user, key: Secret(secret)))
        return StoryStage(
            vendor: "huawei", devices: tokens, simulator: simulator, receipts: receipts
        ) { (origin) throws(PushError) in
            var huawei = try Huawei(
                clientID: client, clientSecret: Secret(secret),
                dataCenter: Huawei.dataCenters.standard.moved(to: origin))
            huawei.capabilities.classes.defaultClass = defaultClass
            return huawei
        }
    }
}
