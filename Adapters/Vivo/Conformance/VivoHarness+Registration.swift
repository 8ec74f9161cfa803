public import PushAdapter
public import PushConformance
import PushSimulation
import PushVivo
import VivoSimulator

extension VivoHarness: RegisteredVendor {
    /// `Vivo`.
    public var provider: any ConfigurableProvider.Type { Vivo.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: String(Self.appID), secret: Self.secret) }

    /// One simulator with one app, whose id is the app's key.
    ///
    /// Refuses with `invalidArgument` a key that is not a number.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.masterSecret, .foreignDevices, .broadcastsPerDay], at: Vivo.id)
        let center = try app.center(in: Vivo.dataCenters)
        guard let appID = Int(app.key), (1..<Int.max).contains(appID) else {
            throw PushError(.invalidArgument, "the app's key is vivo's app id, a whole number such as 10004")
        }
        let secret = try app.requireSecret(for: Vivo.id)
        var own = Self.app(appID, secret, app.devices)
        own.broadcastsPerDay = app.broadcastsPerDay ?? own.broadcastsPerDay
        let simulator = VivoSimulator(
            [own, Self.app(appID + 1, secret + "9", app.foreignDevices)], settings: Self.settings)
        var vendor = SimulatedVendor([(center.name, simulator)]) {
            (origin) throws(PushError) in try Self.adapter(appID, Secret(secret), at: origin)
        }
        vendor.settings = [
            "appId": app.key, "appKey": Self.key, "appSecret": secret, "defaultTitle": "商城",
            "defaultClass": "service:subscription",
        ]
        return vendor
    }

    /// The adapter that sends tests.
    public func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)] {
        var vivo = try Self.adapter(Self.appID, Secret(Self.secret), at: "https://vendor.invalid")
        vivo.isTest = true
        return [("isTest", vivo)]
    }
}
