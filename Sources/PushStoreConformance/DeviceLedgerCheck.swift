public import PushClient
import PushCore

/// A rule that every ledger of devices must follow.
public typealias DeviceLedgerCheck = StoreCheck<any DeviceLedger>

extension DeviceLedgerCheck {
    /// Every check.
    public static var all: [DeviceLedgerCheck] {
        [
            DeviceLedgerCheck("a device that was never recorded has an empty record") { store in
                try expect(try await store.record(of: "a") == DeviceRecord(), "it is empty")
            },
            DeviceLedgerCheck("a record is read as it was written") { store in
                let record = DeviceRecord(
                    tags: ["", "news", "é", "e\u{301}", "鍵'\"%"],
                    accounts: [Account(name: "ann"), Account(name: "ann", type: 0), Account(name: "ann", type: -1)])
                try await store.keep(record, of: "a")
                let read = try await store.record(of: "a")
                try expect(read == record, "it is \(read)")
            },
            DeviceLedgerCheck("a record replaces the older one of its device") { store in
                try await store.keep(DeviceRecord(tags: ["old"], accounts: [Account(name: "ann")]), of: "a")
                try await store.keep(DeviceRecord(tags: ["other"]), of: "b")
                try await store.keep(DeviceRecord(tags: ["new"]), of: "a")
                let records = (try await store.record(of: "a"), try await store.record(of: "b"))
                try expect(records.0 == DeviceRecord(tags: ["new"]), "the record is \(records.0)")
                try expect(records.1 == DeviceRecord(tags: ["other"]), "the other device's record is \(records.1)")
            },
        ]
    }
}
