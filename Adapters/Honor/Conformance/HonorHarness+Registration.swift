import HonorSimulator
public import PushAdapter
public import PushConformance
import PushHonor
import PushSimulation

extension HonorHarness: RegisteredVendor {
    /// `Honor`.
    public var provider: any ConfigurableProvider.Type { Honor.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.app, secret: Self.secret) }

    /// One simulator with one app, whose id is the app's key. The client has the same id after `c`.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.masterSecret, .foreignDevices], at: Honor.id)
        let center = try app.center(in: Honor.dataCenters)
        let (id, client) = (app.key, "c\(app.key)")
        let clientSecret = try app.requireSecret(for: Honor.id)
        let secret = Secret(clientSecret)
        let simulator = simulator([
            HonorApp(appID: id, clientID: client, clientSecret: secret, devices: app.devices),
            HonorApp(appID: "9\(id)", clientID: "9\(client)", clientSecret: secret, devices: app.foreignDevices),
        ])
        var vendor = SimulatedVendor([(center.name, simulator)]) {
            (origin) throws(PushError) in try Self.adapter(id, client, secret, at: origin)
        }
        vendor.settings = [
            "appID": id, "clientID": client, "clientSecret": clientSecret, "defaultTitle": "Kit",
            "launcherClass": Self.launcher,
        ]
        return vendor
    }
}
