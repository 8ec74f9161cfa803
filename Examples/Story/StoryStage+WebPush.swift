import PushAdapter
import PushCrypto
import PushSimulation
import PushWebPush
import WebPushSimulator

/// Mozilla's push service. Each device is a browser, known by its subscription.
extension StoryStage {
    @Sendable static func webPush() throws(PushError) -> StoryStage {
        let key = try WebPushKey.generate()
        let point = Base64URL.decode(key.publicKey)
        let browsers = try (0..<2303).map { (_) throws(PushError) in
            let subscription = try BrowserSubscription.generate(
                at: InProcessTransport.origin, applicationServerKey: point)
            let id = try WebPushSubscription(json: subscription.json, vapidKey: key.id).deviceID
            return (device: VirtualDevice(id.rawValue, "web"), subscription: subscription)
        }
        let ids = browsers.map { DeviceID($0.device.id) }
        return StoryStage(
            vendor: "webpush", devices: ids, simulator: WebPushSimulator(browsers: browsers)
        ) { (origin) throws(PushError) in
            var webPush = try WebPush(
                key, subject: "mailto:push@shop.example.com", dataCenter: WebPush.dataCenters.standard.moved(to: origin)
            )
            webPush.services = [
                WebPush.Service("mozilla", hosts: ["simulator.invalid"], as: .mozilla, isPrivate: true)
            ]
            return webPush
        }
    }
}
