public import PushCore

/// A record of what this client has set on devices and the vendor confirmed, for vendors that cannot list it.
///
/// It knows nothing of what others did: the app on the device, the console, another service, a client without this
/// ledger; nor of a vendor's own calls, which go through `PushClient.run(_:)`. Give it to a client as
/// ``ClientConfiguration/ledger``; a store of your own keeps it beyond the life of a process.
///
/// A client reads and writes the record of a device for one change at a time. Several clients that share a store do so
/// each by itself: keep the changes of a device in one of them.
public protocol DeviceLedger: Sendable {
    /// The record of a device; an empty one for a device that was never recorded.
    func record(of device: DeviceID) async throws -> DeviceRecord
    /// Keeps a record in place of the one before.
    func keep(_ record: DeviceRecord, of device: DeviceID) async throws
}

/// What a client has set on one device.
public struct DeviceRecord: Sendable, Hashable, Codable {
    /// Tags that the vendor confirmed.
    public var tags: Set<Tag>
    /// Accounts that the vendor confirmed, with the types that they were given.
    public var accounts: Set<Account>

    /// A record of these tags and accounts; a new device has none.
    public init(tags: Set<Tag> = [], accounts: Set<Account> = []) {
        self.tags = tags
        self.accounts = accounts
    }
}

/// A ledger in memory: it ends with the process.
public actor MemoryLedger: DeviceLedger {
    private var records: [DeviceID: DeviceRecord] = [:]

    /// An empty ledger.
    public init() {}

    public func record(of device: DeviceID) -> DeviceRecord { records[device] ?? DeviceRecord() }
    public func keep(_ record: DeviceRecord, of device: DeviceID) { records[device] = record }
}

extension DeviceRecord {
    /// Notes a change that the vendor confirmed, or one of which nobody knows whether it was made: then only what is
    /// there either way stays confirmed.
    mutating func note<Element>(
        _ change: SetUpdate<Element>, in path: WritableKeyPath<DeviceRecord, Set<Element>>, isConfirmed: Bool
    ) {
        let after = change.applied(to: self[keyPath: path])
        self[keyPath: path] = isConfirmed ? after : self[keyPath: path].intersection(after)
    }
}
