public import FoundationEssentials
public import PushAdapter

/// A simulator that shows its vendor's state, for tests that check effects instead of responses.
public protocol ObservableSimulator: VendorSimulator {
    /// The vendor's state of a device; nil for an unknown device.
    func snapshot(of device: String) async -> DeviceSnapshot?
    /// Does the vendor's own work up to a moment: runs schedules, applies delayed writes.
    func settle(at now: Date) async
}

/// A vendor's state of a device at one moment.
public struct DeviceSnapshot: Sendable, Hashable {
    /// All tags of the device.
    public var tags: Set<String>
    /// The alias of the device, nil for none.
    public var alias: String?
    /// All accounts of the device, with their types where the vendor has types.
    public var accounts: Set<Account>
    /// All attributes of the device.
    public var attributes: [String: String]
    /// The messages that the device received, oldest first.
    public var inbox: [DeliveredMessage]
    /// The installation itself; nil if the simulator does not say.
    public var device: VirtualDevice?
    /// The number from which the vendor counts the badge; nil where it does not count.
    public var badge: Int?
    /// The user's language, if the app reported it.
    public var language: String?
    /// The Live Activities that the app registered.
    public var activities: Set<String> = []

    /// A device with this state; a new device has none.
    public init(
        tags: Set<String> = [], alias: String? = nil, accounts: Set<Account> = [], attributes: [String: String] = [:],
        inbox: [DeliveredMessage] = []
    ) {
        self.tags = tags
        self.alias = alias
        self.accounts = accounts
        self.attributes = attributes
        self.inbox = inbox
    }
}
