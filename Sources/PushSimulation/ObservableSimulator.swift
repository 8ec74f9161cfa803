public import FoundationEssentials
public import PushAdapter

/// A simulator that shows what its vendor knows, for tests that check effects instead of responses.
public protocol ObservableSimulator: VendorSimulator {
    /// What the vendor knows about a device; nil for an unknown device.
    func snapshot(of device: String) async -> DeviceSnapshot?
    /// Does what the vendor does on its own until a moment: runs schedules, applies delayed writes.
    func settle(at now: Date) async
}

/// What a vendor knows about a device at one moment.
public struct DeviceSnapshot: Sendable, Hashable {
    /// All tags of the device.
    public var tags: Set<String>
    /// The alias of the device, nil for none.
    public var alias: String?
    /// All accounts of the device, with their types where the vendor has types.
    public var accounts: Set<Account>
    /// All attributes of the device.
    public var attributes: [String: String]
    /// What the device received, oldest first.
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
