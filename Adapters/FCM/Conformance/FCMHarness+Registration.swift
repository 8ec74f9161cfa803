import FCMSimulator
public import PushAdapter
public import PushConformance
import PushFCM
import PushSimulation

extension FCMHarness: RegisteredVendor {
    /// `FCM`.
    public var provider: any ConfigurableProvider.Type { FCM.self }

    /// The project of the harness.
    public var sampleApp: SimulatedApp { SimulatedApp(key: "kit", secret: nil) }

    /// One simulator with one project and a new service account. The project's id is the app's key.
    ///
    /// Ids with a colon are registration tokens; all others are installation ids.
    public func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor {
        try app.allow([.foreignDevices], at: FCM.id)
        let center = try app.center(in: FCM.dataCenters)
        let (account, file) = try FCMServiceAccount.generate(in: app.key)
        func project(_ id: String, _ number: String, _ devices: [VirtualDevice]) -> FCMProject {
            var project = FCMProject(id: id, number: number)
            project.registrations = devices.map { FCMRegistration($0, idKind: $0.id.contains(":") ? .token : .fid) }
            return project
        }
        let projects = [
            project(app.key, "100000000001", app.devices),
            project("another-\(app.key)", "100000000002", app.foreignDevices),
        ]
        let simulator = FCMSimulator(projects: projects, accounts: [account])
        let key = JSONWriter.bytes(of: .object(file))
        var vendor = SimulatedVendor([(center.name, simulator)]) {
            (origin) throws(PushError) in
            try FCM(ServiceAccount(json: Secret(key)), dataCenter: FCM.dataCenters.standard.moved(to: origin))
        }
        vendor.keyFile = (
            "serviceAccountFile",
            { origin in
                let moved = file.merging(["token_uri": .string(origin + "/token")]) { _, own in own }
                return Secret(JSONWriter.bytes(of: .object(moved)))
            }
        )
        return vendor
    }
}
