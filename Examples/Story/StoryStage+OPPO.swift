import OPPOSimulator
import PushAdapter
import PushOPPO
import PushSimulation

/// OPPO's phones in mainland China. A message without a class is marketing, two a day, so the app's are subscriptions.
extension StoryStage {
    private static let (key, secret) = ("0123456789abcdef", Secret("simulator0simulator0only"))

    @Sendable static func oppo() throws(PushError) -> StoryStage {
        let ids = (0..<2303).map { DeviceID("CN_\(String(repeating: "a", count: 27))\(10_000 + $0)") }
        var app = OPPOApp(
            key: key, masterSecret: secret, devices: ids.map { VirtualDevice($0.rawValue, .android) })
        app.approved = ["SUBSCRIPTION"]
        let simulator = OPPOSimulator([app])
        let callback = try OPPOCallback(Secret("https://shop.example/receipts"), parameter: Secret("proof-of-shop"))
        let receipts = StoryReceipts(simulator: simulator, receiver: OPPOReceipts(callback))
        return StoryStage(vendor: "oppo", devices: ids, simulator: simulator, receipts: receipts) {
            (origin) throws(PushError) in
            var oppo = try OPPO(
                appKey: key, masterSecret: secret, dataCenter: OPPO.dataCenters.standard.moved(to: origin))
            oppo.capabilities.classes.defaultClass = MessageClass(.service, .subscription)
            oppo.callback = callback
            return oppo
        }
    }
}
