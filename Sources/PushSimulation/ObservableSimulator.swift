public import FoundationEssentials
public import PushCore

/// A simulator that shows what its vendor knows, for tests that look at effects and not at answers.
public protocol ObservableSimulator: VendorSimulator {
    /// What the vendor knows of a device; nil for one it does not know.
    func snapshot(of device: String) async -> DeviceSnapshot?
    /// Carries out what the vendor does by itself until a moment: schedules, writes that take a while.
    func settle(at now: Date) async
}

/// What a vendor knows of a device at one moment.
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

    /// A device with what is given; a new one has nothing.
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
