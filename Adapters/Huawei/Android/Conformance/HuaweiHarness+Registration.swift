import HuaweiSimulator
public import PushAdapter
public import PushConformance
import PushHuawei
import PushSimulation

extension HuaweiHarness: RegisteredVendor {
    /// `Huawei`.
    public var provider: any ConfigurableProvider.Type { Huawei.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.client, secret: Self.secret) }

    /// One simulator with one app, whose client id is the app's key.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.masterSecret, .foreignDevices], at: Huawei.id)
        let center = try app.center(in: Huawei.dataCenters)
        let clientSecret = try app.requireSecret(for: Huawei.id)
        let secret = Secret(clientSecret)
        func simulated(_ id: String, _ devices: [VirtualDevice]) -> HuaweiApp {
            HuaweiApp(clientID: id, clientSecret: secret, projectID: "9\(id)", devices: devices)
        }
        let simulator = HuaweiSimulator([
            simulated(app.key, app.devices), simulated("9\(app.key)", app.foreignDevices),
        ])
        let client = app.key
        var vendor = SimulatedVendor([(center.name, simulator)]) {
            (origin) throws(PushError) in try Self.adapter(client, secret, at: origin)
        }
        vendor.settings = [
            "clientID": client, "clientSecret": clientSecret, "defaultTitle": "Kit", "launcherClass": Self.launcher,
            "defaultClass": "service:subscription",
        ]
        return vendor
    }
}
