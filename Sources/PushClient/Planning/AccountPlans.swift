import PushAdapter

/// Changes of a device's accounts and attributes.
extension PushClient {
    func planAccounts(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Plan<AccountOutcome> {
        try check(change, change.feature, "account")
        if change.feature != .removeAccounts {
            try limits.check(.accountsOfDevice(change.elements), of: provider.id)
        }
        let calls = emulations[change.feature] == nil ? [change] : change.byClearing
        let steps = try calls.map { (call) throws(PushError) in
            let exchange = try request(call.feature, try roles.accounts.update(call, of: device))
            return SetPlan<Account>.Step(changes: [call], exchange: exchange.map { _ in [] })
        }
        var set = SetPlan(device: device, steps: steps, path: \DeviceRecord.accounts)
        if limits[.accountsPerType]?.maximum == 1 {
            set.displaced = { step, known in
                guard case .add(let new) = step else { return [] }
                let types = Set(new.map(\.type))
                return known.filter { types.contains($0.type) && !new.contains($0) }
            }
        }
        return try planSet(change.feature, set)
    }

    /// Unbinds a device's accounts of these types, by their names in the ledger.
    func planRemoveAccounts(ofTypes types: Set<Int>, of device: DeviceID) throws(PushError) -> Plan<AccountOutcome> {
        try require(.removeAccounts)
        guard configuration.ledger != nil else {
            throw PushError(
                .unsupported, "\(provider.id) unbinds accounts by name; give the client a ledger that knows the names",
                operation: .removeAccounts)
        }
        let rule = "unbinds the accounts of these types that the ledger has"
        return try planUnbinding(for: .removeAccounts, of: device, rule) { (record) throws(PushError) in
            let found = record.accounts.filter { account in account.type.map(types.contains) ?? false }
            if let missing = types.subtracting(found.compactMap(\.type)).min() {
                throw PushError(
                    .invalidState,
                    "the ledger has no account of type \(missing) for this device; name the account to unbind")
            }
            return found
        }
    }

    /// Unbinds accounts that only the ledger can name.
    func planUnbinding(
        for operation: Feature, of device: DeviceID, _ rule: String,
        _ find: @escaping @Sendable (DeviceRecord) throws(PushError) -> Set<Account>
    ) throws(PushError) -> Plan<AccountOutcome> {
        try limits.check(.devices([device]), of: provider.id)
        return Plan(rule: rule, serializedOn: .device(device)) { (deadline) throws(PushError) in
            let record = try await self.readRecord(of: device, for: operation)
            return try await self.decide(operation) { () throws(PushError) in
                try self.planAccounts(.remove(try find(record)), of: device)
            }.body(deadline)
        }
    }

    // MARK: Attributes

    func planAttributes(_ change: AttributeUpdate, of device: DeviceID) throws(PushError) -> Plan<AttributeOutcome> {
        try check(change.names, change.feature, "attribute")
        let calls = emulations[change.feature] == nil ? [change] : change.byClearing
        let steps = try calls.map { (call) throws(PushError) in
            let exchange = try request(call.feature, try roles.attributes.update(call, of: device))
            return SetPlan<String>.Step(changes: [call.names], exchange: exchange.map(\.rejectedNames))
        }
        let plan = try planSet(change.feature, SetPlan(device: device, steps: steps))
        guard case .add = change else { return plan }
        return plan.map { (outcome) throws(PushError) in
            guard outcome.failure == nil, outcome.rejected == change.names.elements else { return outcome }
            throw PushError(
                .misconfigured,
                "the app has none of these attributes; create them at the vendor first. Nothing was changed",
                operation: change.feature)
        }
    }
}

extension AttributeUpdate {
    /// A replacement by clearing and adding.
    fileprivate var byClearing: [AttributeUpdate] {
        guard case .replace(let attributes) = self, !attributes.isEmpty else { return [.clear] }
        return [.clear, .add(attributes)]
    }
}
