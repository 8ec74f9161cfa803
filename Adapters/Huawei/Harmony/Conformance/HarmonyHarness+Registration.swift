import HarmonySimulator
public import PushAdapter
public import PushConformance
import PushHarmony
import PushSimulation

extension HarmonyHarness: RegisteredVendor {
    /// `Harmony`.
    public var provider: any ConfigurableProvider.Type { Harmony.self }

    /// The project of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.project, secret: nil) }

    /// One simulator with one project and a new service account. The project's id is the app's key.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.foreignDevices], at: Harmony.id)
        let center = try app.center(in: Harmony.dataCenters)
        let (project, file) = try HarmonyProject.generate(id: app.key, clientID: Self.client, devices: app.devices)
        let other = try HarmonyProject.generate(
            id: "9\(app.key)", clientID: "9\(Self.client)", devices: app.foreignDevices
        ).project
        let key = JSONWriter.bytes(of: .object(file))
        var vendor = SimulatedVendor(
            [(center.name, HarmonySimulator([project, other]))]
        ) { (origin) throws(PushError) in try Self.adapter(key, Self.client, at: origin) }
        vendor.keyFile = ("serviceAccountFile", { _ in Secret(key) })
        vendor.settings = [
            "clientID": Self.client, "defaultTitle": "Kit", "defaultClass": "service:subscription",
        ]
        return vendor
    }
}
