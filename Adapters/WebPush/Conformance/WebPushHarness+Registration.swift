public import PushAdapter
public import PushConformance
import PushCrypto
import PushSimulation
import PushWebPush
import WebPushSimulator

extension WebPushHarness: RegisteredVendor {
    /// `WebPush`.
    public var provider: any ConfigurableProvider.Type { WebPush.self }

    /// An app whose key is the contact of its sender.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.subject, secret: nil) }

    /// One simulator. The file has the server key of the example in RFC 8291, which is public: use it in tests only.
    /// Each device gets a subscription, unless its id is one that the harness made.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([], at: WebPush.id)
        let center = try app.center(in: WebPush.dataCenters)
        let key = try Self.key.get()
        let point = Base64URL.decode(key.publicKey)
        let browsers = try app.devices.map { (device) throws(PushError) in
            (device: device, subscription: try subscription(of: device.id, point))
        }
        let simulator = WebPushSimulator(service.profile, browsers: browsers)
        var vendor = SimulatedVendor([(center.name, simulator)]) {
            (origin) throws(PushError) in try adapter(key, app.key, at: origin)
        }
        vendor.keyFile = ("keyFile", { _ in key.privateKey })
        vendor.settings = ["subject": app.key, "privateHosts": Self.host + (service.known == nil ? "" : "=\(service)")]
        for (device, subscription) in browsers {
            let id = try WebPushSubscription(json: subscription.json, vapidKey: key.id).deviceID
            vendor.deviceIDs[device.id] = id.rawValue
        }
        return vendor
    }

    private func subscription(of device: String, _ serverKey: [UInt8]?) throws(PushError) -> BrowserSubscription {
        if let known = Self.browser(device) { return known }
        return try .generate(
            at: InProcessTransport.origin, by: service.profile, applicationServerKey: serverKey)
    }
}
