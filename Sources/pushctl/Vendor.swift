import JPushConformance
import JPushSimulator
import PushBridge
import PushConformance
import PushJPush
import PushSimulation

/// A vendor that this tool knows; one more is one more entry of `all`.
struct Vendor: Sendable {
    let type: any ConfigurableProvider.Type
    /// The data centres of a vendor with an app in one of them, which comes first.
    let makeSimulators: @Sendable (SimulatedApp) throws(PushError) -> [(name: String, simulator: any VendorSimulator)]
    let harness: any ConformanceHarness
    /// All that the vendor says about a device, where one request tells it; nil where each kind has a request of its own.
    var readDevice: (@Sendable (PushClient, DeviceID) async throws(PushError) -> [DeviceCommand.Row])?
    /// What somebody who chooses has to know beside the tables.
    var note: String?
    /// Providers with a setting that makes more possible, and its name.
    var makeVariants: @Sendable () throws(PushError) -> [(setting: String, provider: any PushProvider)] = { [] }

    static let all = [jpush, engageLab, tpns]

    var id: ProviderID { type.id }

    /// The app that a simulator knows.
    struct SimulatedApp: Sendable {
        var key: String
        var secret: String
        /// Nil for the vendor's default.
        var dataCenter: String?
        var devices: [VirtualDevice]
        /// A group that the app belongs to, and its secret; nil for none.
        var group: (key: String, masterSecret: String)?
        /// Segments of the console and Live Activities, with the devices in them.
        var segments: [String: Set<String>] = [:]
        var liveActivities: [String: Set<String>] = [:]
        /// Pushes to everyone a day; nil for the vendor's number.
        var broadcastsPerDay: Int?

        /// Refuses what the simulator of a vendor does not have.
        func refuse(_ options: [(name: String, isGiven: Bool)], of vendor: ProviderID) throws(PushError) {
            guard let option = options.first(where: \.isGiven) else { return }
            throw PushError(.invalidArgument, "the simulator of \(vendor) has no \(option.name); leave it out")
        }
    }

    static func named(_ name: String) throws(PushError) -> Vendor {
        guard let vendor = all.first(where: { $0.id.rawValue == name.lowercased() }) else {
            throw PushError(
                .invalidArgument,
                "there is no vendor \(Redaction.quoted(name)); known are \(all.map(\.id.rawValue).joined(separator: ", "))"
            )
        }
        return vendor
    }
}

extension Vendor {
    static let jpush = Vendor(
        type: JPush.self,
        makeSimulators: { (app) throws(PushError) in
            // One simulator answers the paths of both data centres.
            _ = try app.dataCenter.map { (name) throws(PushError) in try JPush.dataCenters.named(name) }
            var settings = JPushSimulatorSettings()
            settings.segments = app.segments
            settings.liveActivities = app.liveActivities
            settings.broadcastsPerDay = app.broadcastsPerDay ?? settings.broadcastsPerDay
            let simulator = JPushSimulator(
                appKey: app.key, masterSecret: app.secret, group: app.group, devices: app.devices, settings: settings)
            return [("origin", simulator)]
        },
        harness: JPushHarness(),
        readDevice: { (client, id) throws(PushError) in
            guard let jpush = client.provider as? JPush else { return [] }
            let device = try await client.run(jpush.readDevice(id))
            return [
                DeviceCommand.tags(device.tags), DeviceCommand.alias(device.alias),
                ("phone", device.mobile.map { .string($0.rawValue) } ?? nil),
            ]
        })
}
