public import PushClient
public import PushCore
public import PushSimulation

/// A harness with everything a command line must know about a vendor. One line in `pushctl`'s table registers it.
public protocol RegisteredVendor: ConformanceHarness {
    /// The adapter.
    var provider: any ConfigurableProvider.Type { get }
    /// What the tables omit and someone choosing a vendor should know.
    var note: String? { get }

    /// Creates simulators of the vendor's data centers. The first one has the app.
    ///
    /// Refuses options that the vendor does not have, with `invalidArgument`.
    func makeSimulators(
        of app: SimulatedApp
    ) throws(PushError) -> [(name: String, simulator: any VendorSimulator)]

    /// Reads all that the vendor reports about a device, by name, in one request; nil if each kind needs its own
    /// request.
    func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]?

    /// Creates providers with one optional setting turned on, each with the name of the setting.
    func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)]
}

extension RegisteredVendor {
    /// No note.
    public var note: String? { nil }
    /// Nil: each kind needs its own request.
    public func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]? { nil }
    /// No variants.
    public func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)] { [] }
}

/// The app that a simulator knows.
public struct SimulatedApp: Sendable {
    /// The key of the app, as the vendor calls it.
    public var key: String
    /// The secret for the key; not a real one.
    public var secret: String
    /// Nil for the vendor's default.
    public var dataCenter: String?
    /// The installations that exist.
    public var devices: [VirtualDevice]
    /// The key and secret of a group that the app belongs to; nil for none.
    public var group: (key: String, masterSecret: String)?
    /// Segments of the console, with the devices in them.
    public var segments: [String: Set<String>] = [:]
    /// Live Activities, with the devices that show them.
    public var liveActivities: [String: Set<String>] = [:]
    /// Pushes to everyone per day; nil for the vendor's number.
    public var broadcastsPerDay: Int?

    /// Creates an app with these devices.
    public init(key: String, secret: String, dataCenter: String? = nil, devices: [VirtualDevice] = []) {
        self.key = key
        self.secret = secret
        self.dataCenter = dataCenter
        self.devices = devices
    }

    /// Refuses options that the vendor's simulator does not have, with `invalidArgument`.
    public func refuse(_ options: [(name: String, isGiven: Bool)], of vendor: ProviderID) throws(PushError) {
        guard let option = options.first(where: \.isGiven) else { return }
        throw PushError(.invalidArgument, "the simulator of \(vendor) has no \(option.name); leave it out")
    }
}
