public import PushAdapter
public import PushConformance
import PushSimulation
import PushTPNS
import TPNSSimulator

extension TPNSHarness: RegisteredVendor {
    /// `TPNS`.
    public var provider: any ConfigurableProvider.Type { TPNS.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: String(accessID), secret: Self.secretKey) }

    /// Says that the vendor takes no new customers.
    public var note: String? {
        "closed to new sales since 2024; as of March 2026 it still serves its customers, with no end found"
    }

    /// One simulator for each access point, with its own apps. An app has devices of one platform.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        guard let accessID = UInt32(app.key) else {
            throw PushError(.invalidArgument, "--app-key must be an AccessId of TPNS, a number")
        }
        try app.allow([.masterSecret], at: TPNS.id)
        let platforms = Set(app.devices.map(\.platform))
        guard platforms.count <= 1 else {
            throw PushError(
                .invalidArgument,
                "one AccessId of TPNS is for one platform: give devices of one, and run one more for the other")
        }
        let home = try app.center(in: TPNS.dataCenters)
        let simulated = TPNSApp(
            accessID: accessID, secretKey: try app.requireSecret(for: TPNS.id), platform: platforms.first ?? .ios,
            devices: app.devices,
            attributeNames: ["nickname", "tier", "city"])
        let others = TPNS.dataCenters.all.filter { $0.name != home.name }
        var vendor = SimulatedVendor(
            ([home] + others).map { point in
                let isHome = point.name == home.name
                return (point.name, TPNSSimulator(apps: isHome ? [simulated] : [], accessPoint: point.name))
            }
        ) { (origin) throws(PushError) in
            try TPNS(
                accessID: accessID, secretKey: Secret(simulated.secretKey), platform: simulated.platform,
                dataCenter: TPNS.dataCenter(at: origin))
        }
        vendor.settings = [
            "accessId": app.key, "secretKey": simulated.secretKey, "platform": simulated.platform.rawValue,
        ]
        return vendor
    }

    /// An app of TPNS has one platform.
    public func makeApps() throws(PushError) -> [(name: String, provider: any PushProvider)] {
        try [("iOS", Platform.ios), ("Android", .android)].map { (name, platform) throws(PushError) in
            (name, try TPNS(accessID: 1, secretKey: Secret("never sent"), platform: platform))
        }
    }

    /// An app with an account type for aliases.
    public func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)] {
        let provider = try TPNS(accessID: 1, secretKey: Secret("never sent"), platform: .ios, aliasAccountType: 0)
        return [("aliasAccountType", provider)]
    }
}
