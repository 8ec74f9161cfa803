import OPPOSimulator
public import PushAdapter
public import PushConformance
import PushOPPO
import PushSimulation

extension OPPOHarness: RegisteredVendor {
    /// `OPPO`.
    public var provider: any ConfigurableProvider.Type { OPPO.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.key, secret: Self.secret) }

    /// One simulator of a region, with one app whose app key is the app's key.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.masterSecret, .foreignDevices], at: OPPO.id)
        let center = try app.center(in: OPPO.dataCenters)
        let (key, secret) = (app.key, try app.requireSecret(for: OPPO.id))
        let simulator = OPPOSimulator(
            [Self.app(key, secret, app.devices), Self.app(key + "9", secret + "9", app.foreignDevices)],
            region: center.name == OPPO.Region.china.rawValue ? .china : .abroad)
        var vendor = SimulatedVendor([(center.name, simulator)]) { (origin) throws(PushError) in
            try Self.adapter(key, Secret(secret), center.moved(to: origin))
        }
        vendor.settings = [
            "appKey": key, "masterSecret": secret, "defaultTitle": "Kit", "defaultClass": "service:subscription",
        ]
        return vendor
    }
}
