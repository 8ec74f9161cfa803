import EngageLabSimulator
public import PushAdapter
public import PushClient
public import PushConformance
import PushEngageLab
import PushSimulation

extension EngageLabHarness: RegisteredVendor {
    /// `EngageLab`.
    public var provider: any ConfigurableProvider.Type { EngageLab.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.appKey, secret: Self.masterSecret) }

    /// One simulator for each data center, with separate apps.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        let home = try app.center(in: EngageLab.dataCenters)
        try app.allow([.masterSecret, .group, .segments, .liveActivities], at: EngageLab.id)
        let simulated = EngageLabSimulator.App(
            key: app.key, masterSecret: try app.requireSecret(for: EngageLab.id), group: app.group,
            devices: app.devices)
        var settings = EngageLabSimulatorSettings()
        settings.segments = app.segments
        settings.liveActivities = app.liveActivities
        let others = EngageLab.dataCenters.all.filter { $0.name != home.name }
        var vendor = SimulatedVendor(
            ([home] + others).map { center in
                (center.name, EngageLabSimulator(center.name == home.name ? simulated : nil, settings: settings))
            }
        ) { (origin) throws(PushError) in
            try EngageLab(
                appKey: simulated.key, masterSecret: Secret(simulated.masterSecret),
                dataCenter: EngageLab.dataCenter(at: origin))
        }
        vendor.settings = ["appKey": simulated.key, "masterSecret": simulated.masterSecret]
        return vendor
    }

    /// Reads tags and alias.
    public func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]? {
        guard let engageLab = client.provider as? EngageLab else { return nil }
        let found = try await client.run(engageLab.readDevice(device))
        return [
            ("tags", .array(found.tags.sorted().map { .string($0.rawValue) })),
            ("alias", found.alias.map { .string($0.rawValue) } ?? .null),
        ]
    }
}
