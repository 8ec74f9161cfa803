import PushAdapter
import PushSimulation
import PushVivo
import VivoSimulator

/// vivo's phones. Messages without a class rest at night, so the app's are subscriptions. Receipts report deliveries
/// only, and the story reads none.
extension StoryStage {
    private static let (id, key, secret) = (10_004, "25509283-shop", Secret("simulator0simulator0only"))

    @Sendable static func vivo() -> StoryStage {
        let ids = (0..<2303).map { DeviceID("15\(String(repeating: "0", count: 16))\(10_000 + $0)") }
        var app = VivoApp(
            appID: id, key: key, secret: secret, devices: ids.map { VirtualDevice($0.rawValue, .android) })
        // A tag must exist before devices join it.
        app.tags = ["vip", "beta", "trial"]
        var settings = VivoSimulatorSettings()
        // The texts of the story are English, which the vendor refuses.
        settings.refusesTestTexts = false
        return StoryStage(vendor: "vivo", devices: ids, simulator: VivoSimulator([app], settings: settings)) {
            (origin) throws(PushError) in
            var vivo = try Vivo(
                appID: id, appKey: key, appSecret: secret, dataCenter: Vivo.dataCenters.standard.moved(to: origin))
            vivo.capabilities.classes.defaultClass = MessageClass(.service, .subscription)
            return vivo
        }
    }
}
