import JPushSimulator
public import PushAdapter
public import PushClient
public import PushConformance
import PushJPush
import PushSimulation

extension JPushHarness: RegisteredVendor {
    /// `JPush`.
    public var provider: any ConfigurableProvider.Type { JPush.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.appKey, secret: Self.masterSecret) }

    /// One simulator that answers the paths of both data centers.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow(
            [.masterSecret, .group, .segments, .liveActivities, .broadcastsPerDay, .pushesPerMinute], at: JPush.id)
        _ = try app.center(in: JPush.dataCenters)
        var settings = JPushSimulatorSettings()
        settings.segments = app.segments
        settings.liveActivities = app.liveActivities
        settings.broadcastsPerDay = app.broadcastsPerDay ?? settings.broadcastsPerDay
        settings.pushQuota = app.pushesPerMinute ?? settings.pushQuota
        let (key, secret) = (app.key, try app.requireSecret(for: JPush.id))
        let simulator = JPushSimulator(
            appKey: key, masterSecret: secret, group: app.group, devices: app.devices, settings: settings)
        var vendor = SimulatedVendor([("origin", simulator)]) { (origin) throws(PushError) in
            try JPush(appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: origin))
        }
        vendor.settings = ["appKey": key, "masterSecret": secret]
        return vendor
    }

    /// Reads tags, alias and phone number.
    public func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]? {
        guard let jpush = client.provider as? JPush else { return nil }
        let found = try await client.run(jpush.readDevice(device))
        return [
            ("tags", .array(found.tags.sorted().map { .string($0.rawValue) })),
            ("alias", found.alias.map { .string($0.rawValue) } ?? .null),
            ("phone", found.mobile.map { .string($0.rawValue) } ?? .null),
        ]
    }
}
