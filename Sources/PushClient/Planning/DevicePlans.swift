public import PushAdapter

extension PushClient {
    /// Plans a call about one device. Sends nothing, and no layer sees a refusal.
    package func plan(
        _ operation: DeviceOperation, of device: DeviceID
    ) throws(PushError) -> Plan<DeviceAnswer> {
        try checkOpen()
        return switch operation {
        case .readTags: try planReadTags(of: device).map { .tags($0) }
        case .testTag(let tag): try planTestTag(of: tag, device).map { .hasTag($0) }
        case .updateTags(let change): try planTags(change, of: device).map { .tagUpdate($0) }
        case .readAlias: try planReadAlias(of: device).map { .alias($0) }
        case .setAlias(let alias): try planSetAlias(alias, of: device).map { .done }
        case .removeAlias: try planRemoveAlias(of: device).map { .done }
        case .update(let update): try planUpdate(update, of: device).map { .tagUpdate($0) }
        case .readPhone: try planRequest(.readPhone, try roles.phone.read?(device)).map { .phone($0) }
        case .setPhone(let phone): try planRequest(.setPhone, try roles.phone.set?(phone, device)).map { .done }
        case .removePhone: try planRequest(.removePhone, try roles.phone.remove?(device)).map { .done }
        case .readAccounts: try planRequest(.readAccounts, try roles.accounts.read?(device)).map { .accounts($0) }
        case .updateAccounts(let change): try planAccounts(change, of: device).map { .accountUpdate($0) }
        case .removeAccounts(let types): try planRemoveAccounts(ofTypes: types, of: device).map { .accountUpdate($0) }
        case .readAttributes:
            try planRequest(.readAttributes, try roles.attributes.read?(device)).map { .attributes($0) }
        case .updateAttributes(let change): try planAttributes(change, of: device).map { .attributeUpdate($0) }
        }
    }

    package func runPlan(_ plan: Plan<DeviceAnswer>, for operation: Feature) async throws(PushError) -> DeviceAnswer {
        try await admitted(operation) { () async throws(PushError) in
            try await runPlan(plan, for: operation, within: newDeadline())
        }
    }

    /// Refuses an id that the provider does not accept, and every id after shutdown.
    package func preflight(_ device: DeviceID) throws(PushError) {
        try checkOpen()
        try limits.check(.devices([device]), of: provider.id)
    }

    /// Refuses to remove an alias that only the ledger could name, if the ledger does not know it. Makes no request.
    package func checkKnown(_ operation: DeviceOperation, of device: DeviceID) async throws(PushError) {
        guard operation == .removeAlias, emulations[.removeAlias]?.way == .ledger else { return }
        _ = try aliasAccount(in: try await readRecord(of: device, for: .removeAlias))
    }

    /// Whether a feature is native, or an emulation that needs no consent or has it.
    package func allows(_ feature: Feature) -> Bool {
        do throws(PushError) { try require(feature) } catch { return false }
        return true
    }

    // MARK: Tags

    func planReadTags(of device: DeviceID) throws(PushError) -> Plan<Set<Tag>> {
        guard emulations[.readTags] == nil else { return try planFromLedger(.readTags, of: device) { $0.tags } }
        return try planRequest(.readTags, try roles.tags.read?(device))
    }

    func planTestTag(of tag: Tag, _ device: DeviceID) throws(PushError) -> Plan<Bool> {
        guard emulations[.testTag] == nil else {
            return try planFromLedger(.testTag, of: device, [.tags([tag])]) { $0.tags.contains(tag) }
        }
        return try planRequest(.testTag, try roles.tags.test?(tag, device))
    }

    // MARK: Aliases

    func planReadAlias(of device: DeviceID) throws(PushError) -> Plan<Alias?> {
        guard emulations[.readAlias] == nil else {
            return try planFromLedger(.readAlias, of: device) { [type = capabilities.aliasAccountType] record in
                record.accounts.first { $0.type == type }.map { Alias($0.name) }
            }
        }
        return try planRequest(.readAlias, try roles.alias.read?(device))
    }

    func planSetAlias(_ alias: Alias, of device: DeviceID) throws(PushError) -> Plan<Void> {
        guard emulations[.setAlias] == nil else {
            try require(.setAlias)
            try limits.check(.aliases([alias]), of: provider.id)
            let account = Account(name: alias.rawValue, type: capabilities.aliasAccountType)
            return try planAccounts(.add([account]), of: device).map(Self.complete).standing(for: .setAlias)
        }
        return locking(
            alias, in: try planRequest(.setAlias, try roles.alias.set?(alias, device)), of: device, for: .setAlias)
    }

    /// A copy of the plan. If the client deletes aliases by name, it does not delete this one while the plan sets it.
    func locking<Output: Sendable>(
        _ alias: Alias, in plan: Plan<Output>, of device: DeviceID, for operation: Feature
    ) -> Plan<Output> {
        guard emulations[.removeAlias]?.way == .deletingByName else { return plan }
        var plan = plan
        plan.serializedOn = .device(device)
        let body = plan.body
        plan.body = { (deadline) throws(PushError) in
            try await self.serialized(on: .alias(alias), for: operation, within: deadline) { () throws(PushError) in
                try await body(deadline)
            }
        }
        return plan
    }

    func planRemoveAlias(of device: DeviceID) throws(PushError) -> Plan<Void> {
        switch emulations[.removeAlias]?.way {
        case .ledger:
            let rule = "unbinds the account that the ledger has for the alias"
            return try planUnbinding(for: .removeAlias, of: device, rule) { (record) throws(PushError) in
                [try self.aliasAccount(in: record)]
            }.map(Self.complete).standing(for: .removeAlias)
        case .deletingByName: return try planDeleteAlias(ofDevice: device)
        default: return try planRequest(.removeAlias, try roles.alias.remove?(device))
        }
    }

    /// Reads the alias of a device, makes sure that no other device has it, and deletes it.
    private func planDeleteAlias(ofDevice device: DeviceID) throws(PushError) -> Plan<Void> {
        let reading = try planRequest(.readAlias, try roles.alias.read?(device))
            .standing(for: .removeAlias, changesNothing: true)
        return Plan(
            requests: reading.requests,
            rule: "then reads which devices have it and deletes it by name: a device that gets it in between loses it",
            serializedOn: .device(device)
        ) { (deadline) throws(PushError) in
            guard let alias = try await reading.body(deadline) else { return }
            try await self.serialized(on: .alias(alias), for: .removeAlias, within: deadline) {
                () throws(PushError) in
                let devices = try await self.planReadDevices(of: alias)
                    .standing(for: .removeAlias, changesNothing: true).body(deadline)
                // The alias has moved to another device, so this one no longer has it.
                guard devices.contains(device) else { return }
                guard devices.count == 1 else {
                    throw PushError(
                        .invalidState,
                        "the alias has \(devices.count) devices, and the vendor would remove it from all; use "
                            + "deleteAlias if you want that", operation: .removeAlias)
                }
                try await self.planDeleteAlias(alias).standing(for: .removeAlias).body(deadline)
            }
        }
    }

    /// The account that stands for a device's alias, by the name that a vendor needs to unbind it.
    private func aliasAccount(in record: DeviceRecord) throws(PushError) -> Account {
        guard let account = record.accounts.first(where: { $0.type == capabilities.aliasAccountType }) else {
            throw PushError(
                .invalidState,
                "the ledger has no alias of this device, and the vendor unbinds by name; name the account in "
                    + "updateAccounts(.remove(...))", operation: .removeAlias)
        }
        return account
    }

    private static func complete(_ outcome: AccountOutcome) throws(PushError) {
        if let failure = outcome.failure { throw failure }
    }
}

/// The result of a `DeviceOperation`.
public enum DeviceAnswer: Sendable {
    /// It was done; there is no other result.
    case done
    /// The tags of the device.
    case tags(Set<Tag>)
    /// Whether the device has the tag.
    case hasTag(Bool)
    /// The outcome of a change of tags.
    case tagUpdate(TagOutcome)
    /// The alias of the device, nil when it has none.
    case alias(Alias?)
    /// The phone number of the device, nil when it has none.
    case phone(PhoneNumber?)
    /// The accounts of the device.
    case accounts(Set<Account>)
    /// The outcome of a change of accounts.
    case accountUpdate(AccountOutcome)
    /// The attributes of the device.
    case attributes([String: String])
    /// The outcome of a change of attributes.
    case attributeUpdate(AttributeOutcome)
}
