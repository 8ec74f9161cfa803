import APNsSimulator
import PushAPNs
public import PushAdapter
public import PushConformance
import PushSimulation

extension APNsHarness: RegisteredVendor {
    /// `APNs`.
    public var provider: any ConfigurableProvider.Type { APNs.self }

    /// The app of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: Self.bundle, secret: nil) }

    /// Two simulators, one per environment. Their app's bundle id is the app's key, and its team has a new signing key.
    ///
    /// Each device is known only in its own environment. A foreign device has another app of the team.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.foreignDevices], at: APNs.id)
        _ = try app.center(in: APNs.dataCenters)
        let (signer, pem) = try APNsSigner.generate(keyID: Self.key, teamID: Self.team)
        let apps = [
            APNsApp(bundleID: app.key, teamID: Self.team, devices: app.devices),
            APNsApp(bundleID: "\(app.key).another", teamID: Self.team, devices: app.foreignDevices),
        ]
        let centers = [AppEnvironment.production, .development].map { environment in
            (environment.rawValue, APNsSimulator(apps: apps, signers: [signer], environment: environment))
        }
        let topic = app.key
        var vendor = SimulatedVendor(centers) { (origin) throws(PushError) in
            try APNs(
                APNsKey(pem: pem, keyID: Self.key, teamID: Self.team), topic: topic,
                dataCenter: APNs.dataCenters.standard.moved(to: origin))
        }
        vendor.keyFile = ("keyFile", { _ in pem })
        vendor.settings = ["keyID": Self.key, "teamID": Self.team, "topic": topic]
        return vendor
    }
}
