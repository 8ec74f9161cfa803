import PushAdapter
import PushSimulation
import PushXiaomi
import XiaomiSimulator

/// Xiaomi's phones. A notification without an approved channel is one a day, so the app has a channel for service.
extension StoryStage {
    private static let secret = "simulator0simulator0only"
    private static let package = "com.example.shop"
    private static let channel = "137041"

    @Sendable static func xiaomi() throws(PushError) -> StoryStage {
        let ids = (0..<2303).map { DeviceID("k1t/\(String(repeating: "x", count: 34))\(10_000 + $0)=") }
        let app = XiaomiApp(
            packageName: package, secret: Secret(secret), channels: [channel: XiaomiChannel(.private)],
            devices: ids.map { VirtualDevice($0.rawValue, .android) })
        var settings = XiaomiSimulatorSettings()
        // Until the end of 2026.
        settings.demandsTemplates = false
        let simulator = XiaomiSimulator([app], settings: settings)
        let callback = try XiaomiCallback(
            Secret("https://shop.example/receipts"), parameter: Secret("proof-of-shop"))
        let receipts = StoryReceipts(simulator: simulator, receiver: XiaomiReceipts(callback))
        return StoryStage(
            vendor: "xiaomi", devices: ids, simulator: simulator, receipts: receipts
        ) { (origin) throws(PushError) in
            var xiaomi = try Xiaomi(
                packageName: package, appSecret: Secret(secret),
                dataCenter: Xiaomi.dataCenters.standard.moved(to: origin))
            xiaomi.capabilities.classes = ClassSettings(
                defaultClass: MessageClass(.service, .subscription), words: ["xiaomi": [.subscription: channel]])
            xiaomi.callback = callback
            xiaomi.sendsPassThrough = true
            return xiaomi
        }
    }
}
