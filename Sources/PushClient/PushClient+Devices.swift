public import PushCore

extension PushClient {
    /// The alias of a device, nil when it has none. One request.
    ///
    /// Where an account stands for the alias and the client has a ledger: the one that was confirmed through it,
    /// without a request.
    public func readAlias(of device: DeviceID) async throws(PushError) -> Alias? {
        try await readAlias(of: device, within: newDeadline())
    }

    private func readAlias(of device: DeviceID, within deadline: Deadline) async throws(PushError) -> Alias? {
        if capabilities[.readAlias] == .emulated(Emulations.ledger) {
            return try await rememberedAlias(.readAlias, of: device).map { Alias($0.name) }
        }
        return try await run(.readAlias, deadline: deadline) { () throws(PushError) in
            try validation.check(device)
            return try role(\.aliasing, for: .readAlias).readAlias(of: device)
        }
    }

    /// Gives a device an alias, in place of the one it had. One request.
    ///
    /// Whether other devices may have the same alias is `capabilities.aliasSharing`; a vendor that allows only so many
    /// answers `limitExceeded`. Where an account stands for aliases (`capabilities.aliasAccountType`), it is bound.
    public func setAlias(_ alias: Alias, of device: DeviceID) async throws(PushError) {
        let deadline = newDeadline()
        if let type = capabilities.aliasAccountType, Emulations.isAlias(provider.capabilities) {
            try await refusing(.setAlias) { () throws(PushError) in
                try require(.setAlias)
                try validation.check(alias)
            }
            let account = Account(name: alias.rawValue, type: type)
            let outcome = try await updateAccounts(.add([account]), of: device, within: deadline)
            if let failure = outcome.failure { throw failure }
            return
        }
        // Where aliases are taken off by name, this one must not be while it comes here.
        guard capabilities[.removeAlias] == .emulated(Emulations.aliasRemoval) else {
            return try await bind(alias, to: device, within: deadline)
        }
        try await alone(on: device, for: .setAlias, within: deadline) { () throws(PushError) in
            try await alone(with: .alias(alias), for: .setAlias, within: deadline) { () throws(PushError) in
                try await bind(alias, to: device, within: deadline)
            }
        }
    }

    private func bind(
        _ alias: Alias, to device: DeviceID, within deadline: Deadline
    ) async throws(PushError) {
        try await run(.setAlias, deadline: deadline) { () throws(PushError) in
            try validation.check(device)
            try validation.check(alias)
            return try role(\.aliasing, for: .setAlias).setAlias(alias, of: device)
        }
    }

    /// Takes the alias off a device; harmless when it has none. One request, or three where the vendor deletes aliases
    /// by name only: `capabilities[.removeAlias]` says so, and what can happen in between.
    ///
    /// Where an account stands for the alias, a ledger has to know its name, because a vendor unbinds by name: refuses
    /// with `invalidState` when it does not.
    public func removeAlias(of device: DeviceID) async throws(PushError) {
        if capabilities[.removeAlias] == .emulated(Emulations.ledger) {
            let account = try await aliasToRemove(of: device)
            if let failure = try await updateAccounts(.remove([account]), of: device).failure { throw failure }
            return
        }
        if capabilities[.removeAlias] == .emulated(Emulations.aliasRemoval) {
            return try await removeByName(of: device)
        }
        try await run(.removeAlias) { () throws(PushError) in
            try validation.check(device)
            return try role(\.aliasing, for: .removeAlias).setAlias(nil, of: device)
        }
    }

    /// Reads the alias of a device, makes sure that no other device has it, and deletes it.
    private func removeByName(of device: DeviceID) async throws(PushError) {
        let deadline = newDeadline()
        try await refusing(.removeAlias) { () throws(PushError) in try validation.check(device) }
        try await alone(on: device, for: .removeAlias, within: deadline) { () throws(PushError) in
            let found = try await looking { () async throws(PushError) in
                try await readAlias(of: device, within: deadline)
            }
            guard let alias = found else { return }
            try await alone(with: .alias(alias), for: .removeAlias, within: deadline) { () throws(PushError) in
                let devices = try await looking { () async throws(PushError) in
                    try await readDevices(of: alias, within: deadline)
                }
                // It has moved to another device, and this one has lost it already.
                guard devices.contains(device) else { return }
                guard devices.count == 1 else {
                    throw PushError(
                        .invalidState,
                        "the alias has \(devices.count) devices, and the vendor would take it off all; use deleteAlias "
                            + "to mean that", operation: .removeAlias)
                }
                do throws(PushError) {
                    try await deleteAlias(alias, within: deadline)
                } catch {
                    var error = error
                    error.operation = .removeAlias
                    throw error
                }
            }
        }
    }

    /// A read on the way to a removal: whatever became of it, nothing was removed.
    private func looking<Output: Sendable>(
        _ read: () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        do throws(PushError) {
            return try await read()
        } catch {
            var error = error
            error.effect = .notApplied
            error.operation = .removeAlias
            throw error
        }
    }

    /// The devices of an alias; none for one that the vendor does not know. One request.
    public func readDevices(of alias: Alias) async throws(PushError) -> Set<DeviceID> {
        try await readDevices(of: alias, within: newDeadline())
    }

    private func readDevices(of alias: Alias, within deadline: Deadline) async throws(PushError) -> Set<DeviceID> {
        try await run(.readAliasDevices, deadline: deadline) { () throws(PushError) in
            try validation.check(alias)
            return try role(\.aliasDeleting, for: .readAliasDevices).readDevices(of: alias)
        }
    }

    /// Takes an alias off every device that has it; harmless when none has. One request.
    public func deleteAlias(_ alias: Alias) async throws(PushError) {
        try await deleteAlias(alias, within: newDeadline())
    }

    private func deleteAlias(_ alias: Alias, within deadline: Deadline) async throws(PushError) {
        try await run(.deleteAlias, deadline: deadline) { () throws(PushError) in
            try validation.check(alias)
            return try role(\.aliasDeleting, for: .deleteAlias).deleteAlias(alias)
        }
    }

    /// The account that stands for a device's alias, by the name that a vendor needs to unbind it.
    func aliasToRemove(of device: DeviceID) async throws(PushError) -> Account {
        guard let account = try await rememberedAlias(.removeAlias, of: device) else {
            throw PushError(
                .invalidState,
                "the ledger knows no alias of this device, and the vendor unbinds by name; name the account in "
                    + "updateAccounts(.remove(...))", operation: .removeAlias)
        }
        return account
    }

    /// The account that stands for a device's alias, as far as the ledger knows.
    private func rememberedAlias(
        _ operation: Feature, of device: DeviceID
    ) async throws(PushError) -> Account? {
        try await remembered(operation, of: device).accounts.first { $0.type == capabilities.aliasAccountType }
    }

    /// The phone number of a device, nil when it has none. One request.
    public func readPhone(of device: DeviceID) async throws(PushError) -> PhoneNumber? {
        try await run(.readPhone) { () throws(PushError) in
            try validation.check(device)
            return try role(\.phoneBinding, for: .readPhone).readPhone(of: device)
        }
    }

    /// Gives a device a phone number, in place of the one it had. One request.
    public func setPhone(_ phone: PhoneNumber, of device: DeviceID) async throws(PushError) {
        try await run(.setPhone) { () throws(PushError) in
            try validation.check(device)
            try capabilities.limits.check(phone, of: provider.id)
            return try role(\.phoneBinding, for: .setPhone).setPhone(phone, of: device)
        }
    }

    /// Takes the phone number off a device; harmless when it has none. One request.
    public func removePhone(of device: DeviceID) async throws(PushError) {
        try await run(.removePhone) { () throws(PushError) in
            try validation.check(device)
            return try role(\.phoneBinding, for: .removePhone).setPhone(nil, of: device)
        }
    }

    /// What became of messages.
    ///
    /// Costs one request for as many messages as the provider reports at once (`limits[.messagesPerReport]`), and ends by
    /// the client's `plannedDeadline` where it costs several. Messages
    /// that the vendor does not know are missing from the answer. Refuses an empty list with `invalidArgument`.
    public func readDeliveries(of messages: [MessageID]) async throws(PushError) -> [DeliveryReport] {
        let size = capabilities.limits[.messagesPerReport]?.maximum ?? max(1, messages.count)
        let end = configuration.clock.elapsed + configuration.plannedDeadline
        var reports: [DeliveryReport] = []
        var start = 0
        repeat {
            let part = Array(messages[start..<min(start + size, messages.count)])
            let deadline = messages.count > size ? partDeadline(until: end) : newDeadline()
            reports += try await run(.readDeliveries, deadline: deadline) { () throws(PushError) in
                guard !part.isEmpty else { throw PushError(.invalidArgument, "there is no message id to report on") }
                return try role(\.reporting, for: .readDeliveries).readDeliveries(of: part)
            }
            start += size
        } while start < messages.count
        return reports
    }
}
