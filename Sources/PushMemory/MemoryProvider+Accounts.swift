public import PushAdapter

extension MemoryProvider {
    /// `GET /devices/{device}/accounts`.
    public func readAccounts(of device: DeviceID) throws(PushError) -> Exchange<Set<Account>> {
        exchange(.readAccounts, request(.get, device, ["accounts"]), of: device) { (response) throws(PushError) in
            Set(try response.json([Account].self))
        }
    }

    /// `POST /accounts`: the body names the account.
    public func readDevices(of account: Account) throws(PushError) -> Exchange<Set<DeviceID>> {
        exchange(
            .readAccountDevices,
            WireRequest(.post, .memory, path: ["accounts"], body: try MemoryWire.body([account])),
            checking: [.accounts([account])]
        ) { (response) throws(PushError) in Set(try response.json([DeviceID].self)) }
    }

    /// `POST /devices/{device}/accounts`.
    public func updateAccounts(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        let accounts = change.elements.sorted { ($0.name, $0.type ?? 0) < ($1.name, $1.type ?? 0) }
        let body = try MemoryWire.body(MemoryWire.AccountChange(verb: change.feature, accounts: accounts))
        return exchange(
            change.feature, request(.post, device, ["accounts"], body), of: device, checking: [.accounts(accounts)],
            decode: Self.acknowledge)
    }

    /// `GET /devices/{device}/attributes`.
    public func readAttributes(of device: DeviceID) throws(PushError) -> Exchange<[String: String]> {
        exchange(.readAttributes, request(.get, device, ["attributes"]), of: device) { (response) throws(PushError) in
            try response.json([[String: String]].self).first ?? [:]
        }
    }

    /// `POST /devices/{device}/attributes`: returns the names that the app does not have.
    public func updateAttributes(
        _ change: AttributeUpdate, of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        let attributes: [String: String] =
            switch change {
            case .add(let attributes), .replace(let attributes): attributes
            case .remove(let names): Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
            case .clear: [:]
            }
        let body = try MemoryWire.body(MemoryWire.AttributeChange(verb: change.feature, attributes: attributes))
        return exchange(
            change.feature, request(.post, device, ["attributes"], body), of: device,
            checking: [.attributes(attributes)]
        ) { (response) throws(PushError) in
            AttributeReceipt(rejectedNames: Set(try response.json([String].self)))
        }
    }
}
