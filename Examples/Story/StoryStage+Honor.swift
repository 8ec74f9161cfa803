import HonorSimulator
import PushAdapter
import PushHonor
import PushSimulation

/// Honor's phones, by the draft of an adapter. A message without a class is marketing, two a day, so the app's are
/// subscriptions. The draft reads no receipts.
extension StoryStage {
    private static let (app, client) = ("104411001", "c0ffee0c0ffee")
    private static let secret = Secret("simulator0simulator0only")

    @Sendable static func honor() -> StoryStage {
        let tokens = (0..<2303).map { DeviceID("k1t.\(String(repeating: "x", count: 95))\(10_000 + $0)") }
        let simulator = HonorSimulator([
            HonorApp(
                appID: app, clientID: client, clientSecret: secret,
                devices: tokens.map { VirtualDevice($0.rawValue, .android) })
        ])
        return StoryStage(vendor: "honor", devices: tokens, simulator: simulator) { (origin) throws(PushError) in
            var honor = try Honor(
                appID: app, clientID: client, clientSecret: secret,
                dataCenter: Honor.dataCenters.standard.moved(to: origin))
            honor.capabilities.classes.defaultClass = MessageClass(.service, .subscription)
            return honor
        }
    }
}
