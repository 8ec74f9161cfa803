public import PushClient
public import PushCore
public import PushSimulation

/// A harness that tells a command line all it has to know about a vendor: one line of `pushctl`'s table registers it.
public protocol RegisteredVendor: ConformanceHarness {
    /// The adapter.
    var provider: any ConfigurableProvider.Type { get }
    /// What a reader who chooses a vendor should know beside the tables.
    var note: String? { get }

    /// Makes simulators of the vendor's data centers with an app in one of them, which comes first.
    ///
    /// Refuses with `invalidArgument` what the vendor does not have.
    func makeSimulators(
        of app: SimulatedApp
    ) throws(PushError) -> [(name: String, simulator: any VendorSimulator)]

    /// Reads all that the vendor says about a device in one request, by name; nil where each kind has a request of its
    /// own.
    func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]?

    /// Makes providers with one optional setting turned on, each with the name of the setting.
    func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)]
}

extension RegisteredVendor {
    /// No note.
    public var note: String? { nil }
    /// Nil: each kind has a request of its own.
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
    /// The secret that goes with it; not a real one.
    public var secret: String
    /// Nil for the vendor's default.
    public var dataCenter: String?
    /// The installations that exist.
    public var devices: [VirtualDevice]
    /// A group that the app belongs to, and its secret; nil for none.
    public var group: (key: String, masterSecret: String)?
    /// Segments of the console, with the devices in them.
    public var segments: [String: Set<String>] = [:]
    /// Live Activities, with the devices that show them.
    public var liveActivities: [String: Set<String>] = [:]
    /// Pushes to everyone a day; nil for the vendor's number.
    public var broadcastsPerDay: Int?

    /// An app with these devices.
    public init(key: String, secret: String, dataCenter: String? = nil, devices: [VirtualDevice] = []) {
        self.key = key
        self.secret = secret
        self.dataCenter = dataCenter
        self.devices = devices
    }

    /// Refuses what the simulator of a vendor does not have.
    public func refuse(_ options: [(name: String, isGiven: Bool)], of vendor: ProviderID) throws(PushError) {
        guard let option = options.first(where: \.isGiven) else { return }
        throw PushError(.invalidArgument, "the simulator of \(vendor) has no \(option.name); leave it out")
    }
}
