public import PushAdapter
public import PushConformance
import PushSimulation
import PushXiaomi
import XiaomiSimulator

extension XiaomiHarness: RegisteredVendor {
    /// `Xiaomi`.
    public var provider: any ConfigurableProvider.Type { Xiaomi.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.package, secret: Self.secret) }

    /// One simulator with one app, whose package is the app's key.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.masterSecret, .foreignDevices], at: Xiaomi.id)
        let center = try app.center(in: Xiaomi.dataCenters)
        let (package, secret) = (app.key, try app.requireSecret(for: Xiaomi.id))
        let simulator = Self.simulator([
            Self.app(package, secret, app.devices), Self.app(package + ".other", secret + "9", app.foreignDevices),
        ])
        var vendor = SimulatedVendor([(center.name, simulator)]) { (origin) throws(PushError) in
            try Self.adapter(package, Secret(secret), at: origin)
        }
        vendor.settings = [
            "packageName": package, "appSecret": secret, "defaultTitle": "Kit", "defaultClass": "service:subscription",
            "categoryWords": Self.channels.map { "xiaomi.\($0.rawValue)=\($1)" }.sorted().joined(separator: ","),
        ]
        return vendor
    }

    /// The adapter that sends custom messages.
    public func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)] {
        var xiaomi = try Self.adapter(Self.package, Secret(Self.secret), at: "https://vendor.invalid")
        xiaomi.sendsPassThrough = true
        return [("sendsPassThrough", xiaomi)]
    }
}
