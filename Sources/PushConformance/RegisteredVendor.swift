public import PushAdapter
public import PushClient
public import PushSimulation

/// A harness with everything that a command line needs for a vendor. One line in a table registers it.
public protocol RegisteredVendor: ConformanceHarness {
    /// The adapter.
    var provider: any ConfigurableProvider.Type { get }
    /// A reason against the vendor that is in no table, such as the end of its sales. Equal vendors without a note
    /// rank before it.
    var note: String? { get }

    /// An app with made-up credentials that ``makeSimulators(of:)`` takes. It has no devices.
    var sampleApp: SimulatedApp { get }

    /// Creates simulators of the vendor's data centers.
    ///
    /// Refuses options that the vendor does not have, with `invalidArgument`.
    func makeSimulators(of app: SimulatedApp) throws(PushError) -> SimulatedVendor

    /// Reads everything that the vendor reports about a device, by name, in one request; nil if each kind needs its own
    /// request.
    func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]?

    /// Creates a provider for each kind of app, with the kind's name, if the fields of messages differ between kinds.
    func makeApps() throws(PushError) -> [(name: String, provider: any PushProvider)]

    /// Creates providers with one optional setting turned on, each with the name of the setting.
    func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)]
}

extension RegisteredVendor {
    /// No note.
    public var note: String? { nil }
    /// An app with the key `app` and without a secret.
    public var sampleApp: SimulatedApp { SimulatedApp(key: "app", secret: nil) }
    /// Nil: each kind needs its own request.
    public func readDevice(
        _ device: DeviceID, _ client: PushClient
    ) async throws(PushError) -> [(name: String, value: JSONValue)]? { nil }
    /// One kind of app.
    public func makeApps() throws(PushError) -> [(name: String, provider: any PushProvider)] {
        [("every app", try makeProvider(at: "https://vendor.invalid"))]
    }
    /// No variants.
    public func makeVariants() throws(PushError) -> [(setting: String, provider: any PushProvider)] { [] }
}

/// The simulators of a vendor, and the settings that their clients need.
public struct SimulatedVendor: Sendable {
    /// The data centers; the first one has the app.
    public var centers: [(name: String, simulator: any VendorSimulator)]
    /// A file with credentials for the simulators, and its name in the output; nil if there is none.
    ///
    /// The function gets the address of the first simulator.
    public var keyFile: (name: String, content: @Sendable (_ origin: String) -> Secret)?
    /// The settings that a client's configuration needs besides the file, by name.
    public var settings: [String: String] = [:]
    /// The device ids of a vendor that makes them itself, by the ids of the app's devices.
    public var deviceIDs: [String: String] = [:]

    /// Makes the adapter with the app's credentials, for the address of the first simulator.
    public var makeProvider: @Sendable (_ origin: String) throws(PushError) -> any PushProvider

    /// Simulators whose clients need no file, and the adapter for the first one.
    public init(
        _ centers: [(name: String, simulator: any VendorSimulator)],
        makeProvider: @escaping @Sendable (_ origin: String) throws(PushError) -> any PushProvider
    ) {
        self.centers = centers
        self.makeProvider = makeProvider
    }
}

/// The app that a simulator knows.
public struct SimulatedApp: Sendable {
    /// The key of the app, regardless of the vendor's name for it.
    public var key: String
    /// The secret for the key, not a real one; nil if the vendor's simulator makes the credentials.
    public var secret: String?
    /// Nil for the vendor's default.
    public var dataCenter: String?
    /// The installations that exist.
    public var devices: [VirtualDevice]
    /// Installations of another app of the vendor. This app must not address them.
    public var foreignDevices: [VirtualDevice] = []
    /// The key and secret of a group that the app belongs to; nil if there is none.
    public var group: (key: String, masterSecret: String)?
    /// Segments of the console, with the devices in them.
    public var segments: [String: Set<String>] = [:]
    /// Live Activities, with the devices that show them.
    public var liveActivities: [String: Set<String>] = [:]
    /// Pushes to everyone per day; nil for the vendor's own number.
    public var broadcastsPerDay: Int?
    /// Pushes per minute; nil for the vendor's own number.
    public var pushesPerMinute: Int?

    /// Creates an app with these devices.
    public init(key: String, secret: String?, dataCenter: String? = nil, devices: [VirtualDevice] = []) {
        self.key = key
        self.secret = secret
        self.dataCenter = dataCenter
        self.devices = devices
    }

    /// The secret. Refuses an app without one, with `invalidArgument`.
    public func requireSecret(for vendor: ProviderID) throws(PushError) -> String {
        guard let secret else {
            throw PushError(.invalidArgument, "the simulator of \(vendor) needs --master-secret; make one up")
        }
        return secret
    }

    /// Its data center. Refuses a name that the vendor does not have, with `misconfigured`.
    package func center(in catalog: DataCenterCatalog) throws(PushError) -> DataCenter {
        guard let dataCenter else { return catalog.standard }
        return try catalog.named(dataCenter)
    }

    /// Options that some vendors' simulators lack, by name.
    public enum Option: String, Sendable, CaseIterable {
        /// ``SimulatedApp/secret``.
        case masterSecret = "--master-secret"
        /// ``SimulatedApp/foreignDevices``.
        case foreignDevices = "--foreign-device"
        /// ``SimulatedApp/group``.
        case group = "--group"
        /// ``SimulatedApp/segments``.
        case segments = "--segment"
        /// ``SimulatedApp/liveActivities``.
        case liveActivities = "--live-activity"
        /// ``SimulatedApp/broadcastsPerDay``.
        case broadcastsPerDay = "--broadcasts-per-day"
        /// ``SimulatedApp/pushesPerMinute``.
        case pushesPerMinute = "--pushes-per-minute"
    }

    /// Refuses an app that uses an option besides these, with `invalidArgument`.
    public func allow(_ options: Set<Option>, at vendor: ProviderID) throws(PushError) {
        guard let option = Option.allCases.first(where: { isGiven($0) && !options.contains($0) }) else { return }
        throw PushError(.invalidArgument, "the simulator of \(vendor) has no \(option.rawValue); leave it out")
    }

    private func isGiven(_ option: Option) -> Bool {
        switch option {
        case .masterSecret: secret != nil
        case .foreignDevices: !foreignDevices.isEmpty
        case .group: group != nil
        case .segments: !segments.isEmpty
        case .liveActivities: !liveActivities.isEmpty
        case .broadcastsPerDay: broadcastsPerDay != nil
        case .pushesPerMinute: pushesPerMinute != nil
        }
    }
}
