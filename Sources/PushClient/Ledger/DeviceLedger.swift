public import PushAdapter

/// Records the tags and accounts that this client set on devices and the vendor confirmed, for vendors that cannot list
/// them.
///
/// It does not see changes by others: the app on the device, the console, another service, a client without this
/// ledger. Nor does it see a vendor's own calls, which go through `PushClient.run(_:)`. Give it to a client as
/// ``ClientConfiguration/ledger``. Implement your own store to keep it longer than a process lives; `DeviceLedgerCheck`
/// of the module PushStoreConformance checks it.
///
/// A client reads and writes the record of a device for one change at a time. Clients that share a store do not
/// coordinate: make all changes of a device through one of them.
public protocol DeviceLedger: Sendable {
    /// Returns the record of a device; an empty one for a device that was never recorded.
    func record(of device: DeviceID) async throws -> DeviceRecord
    /// Replaces the record of a device.
    func keep(_ record: DeviceRecord, of device: DeviceID) async throws
}

/// The tags and accounts that a client has set on one device.
public struct DeviceRecord: Sendable, Hashable, Codable {
    /// Tags that the vendor confirmed.
    public var tags: Set<Tag>
    /// Accounts that the vendor confirmed, with the types they were given.
    public var accounts: Set<Account>

    /// A record of these tags and accounts; a new device has none.
    public init(tags: Set<Tag> = [], accounts: Set<Account> = []) {
        self.tags = tags
        self.accounts = accounts
    }
}

/// An in-memory ledger, lost when the process ends.
public actor MemoryLedger: DeviceLedger {
    private var records: [DeviceID: DeviceRecord] = [:]

    /// An empty ledger.
    public init() {}

    public func record(of device: DeviceID) -> DeviceRecord { records[device] ?? DeviceRecord() }
    public func keep(_ record: DeviceRecord, of device: DeviceID) { records[device] = record }
}

extension DeviceRecord {
    /// Records a change. If it is unknown whether the vendor made it, only elements that the device has either way stay
    /// confirmed.
    mutating func note<Element>(
        _ change: SetUpdate<Element>, in path: WritableKeyPath<DeviceRecord, Set<Element>>, isConfirmed: Bool
    ) {
        let after = change.applied(to: self[keyPath: path])
        self[keyPath: path] = isConfirmed ? after : self[keyPath: path].intersection(after)
    }
}
