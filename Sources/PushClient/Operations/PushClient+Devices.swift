public import PushCore

/// The calls about one device. Each is a `DeviceOperation`; `explain(_:of:)` shows what it would send.
extension PushClient {
    /// Does what an operation says.
    ///
    /// Costs, refuses and throws as the method of the same name.
    public func perform(
        _ operation: DeviceOperation, of device: DeviceID
    ) async throws(PushError) -> DeviceAnswer {
        try await perform(operation.feature, try plan(operation, of: device))
    }

    // MARK: Tags

    /// The tags of a device. One request.
    ///
    /// Where the vendor cannot list them and the client has a ledger: what was confirmed through it, without a request.
    public func readTags(of device: DeviceID) async throws(PushError) -> Set<Tag> {
        try await perform(.readTags, try planReadTags(of: device))
    }

    /// Whether a device has a tag. One request.
    ///
    /// Where the vendor cannot say and the client has a ledger: whether it was confirmed through it, without a request.
    public func hasTag(_ tag: Tag, device: DeviceID) async throws(PushError) -> Bool {
        try await perform(.testTag, try planTestTag(of: tag, device))
    }

    /// Changes the tags of a device.
    ///
    /// Costs one request for as many tags as the provider takes in a call; `.replace` costs more where the provider has
    /// no call for it: it is then made from reading, adding and removing, one at a time for each device, or where tags
    /// cannot be read, from clearing and adding; `isAtomic` of the outcome is then false.
    ///
    /// Throws when no request succeeded; the error's effect says whether one may have changed something. A change that
    /// stops half-way is an outcome with a `failure`. Refuses an empty set of tags to add or remove, and whatever
    /// breaks the provider's limits, before anything is sent; with a ledger also tags for which a device has no room.
    public func updateTags(_ change: TagUpdate, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await perform(change.feature, try plan(change, of: device))
    }

    /// Makes the tags of a device exactly this set: `updateTags(.replace(tags), of: device)`.
    public func replaceTags(with tags: Set<Tag>, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await updateTags(.replace(tags), of: device)
    }

    // MARK: Aliases

    /// The alias of a device, nil when it has none. One request.
    ///
    /// Where an account stands for the alias and the client has a ledger: the one that was confirmed through it,
    /// without a request.
    public func readAlias(of device: DeviceID) async throws(PushError) -> Alias? {
        try await perform(.readAlias, try planReadAlias(of: device))
    }

    /// Gives a device an alias, in place of the one it had. One request.
    ///
    /// Whether other devices may have the same alias is `capabilities.aliasSharing`; a vendor that allows only so many
    /// answers `limitExceeded`. Where an account stands for aliases (`capabilities.aliasAccountType`), it is bound.
    public func setAlias(_ alias: Alias, of device: DeviceID) async throws(PushError) {
        try await perform(.setAlias, try planSetAlias(alias, of: device))
    }

    /// Takes the alias off a device; harmless when it has none. One request, or three where the vendor deletes aliases
    /// by name only: `capabilities[.removeAlias]` says so, and what can happen in between.
    ///
    /// Where an account stands for the alias, a ledger has to know its name, because a vendor unbinds by name: refuses
    /// with `invalidState` when it does not.
    public func removeAlias(of device: DeviceID) async throws(PushError) {
        try await perform(.removeAlias, try planRemoveAlias(of: device))
    }

    // MARK: Phone numbers

    /// The phone number of a device, nil when it has none. One request.
    public func readPhone(of device: DeviceID) async throws(PushError) -> PhoneNumber? {
        try await perform(.readPhone, try plan(.readPhone, try roles.phone.read?(device)))
    }

    /// Gives a device a phone number, in place of the one it had. One request.
    public func setPhone(_ phone: PhoneNumber, of device: DeviceID) async throws(PushError) {
        try await perform(.setPhone, try plan(.setPhone, try roles.phone.set?(phone, device)))
    }

    /// Takes the phone number off a device; harmless when it has none. One request.
    public func removePhone(of device: DeviceID) async throws(PushError) {
        try await perform(.removePhone, try plan(.removePhone, try roles.phone.remove?(device)))
    }

    // MARK: Accounts

    /// The accounts of a device. One request. A vendor that does not tell their types leaves them nil.
    public func readAccounts(of device: DeviceID) async throws(PushError) -> Set<Account> {
        try await perform(.readAccounts, try plan(.readAccounts, try roles.accounts.read?(device)))
    }

    /// Changes the accounts of a device. One request; `.replace` costs two where it is made from clearing and adding.
    ///
    /// Throws when no request succeeded; the error's effect says whether one may have changed something. A change that
    /// stops half-way is an outcome with a `failure`. Refuses an empty set to add or remove, and what breaks the
    /// provider's limits, before anything is sent.
    public func updateAccounts(
        _ change: AccountUpdate, of device: DeviceID
    ) async throws(PushError) -> AccountOutcome {
        try await perform(change.feature, try plan(change, of: device))
    }

    /// Unbinds the accounts of some types by the names that the ledger has for them.
    ///
    /// A vendor unbinds by name, and not every one tells the types of the accounts it lists, so nothing is unbound by
    /// guess: refuses with `invalidState` a type that the ledger has no account of, and with `unsupported` a client
    /// without a ledger. Name such accounts in `updateAccounts(.remove(...), of:)`.
    public func removeAccounts(ofTypes types: Set<Int>, of device: DeviceID) async throws(PushError) -> AccountOutcome {
        try await perform(.removeAccounts, try planRemoveAccounts(ofTypes: types, of: device))
    }

    // MARK: Attributes

    /// The attributes of a device. One request.
    public func readAttributes(of device: DeviceID) async throws(PushError) -> [String: String] {
        try await perform(.readAttributes, try plan(.readAttributes, try roles.attributes.read?(device)))
    }

    /// Changes the attributes of a device. One request; `.replace` costs two where it is made from clearing and adding.
    ///
    /// Names that the vendor passed over are `rejected` in the outcome. Throws when no request succeeded, and with
    /// `misconfigured` when the vendor passed over every name that was to be set; a change that stops half-way is an
    /// outcome with a `failure`. Refuses a change without names, and what breaks the provider's limits, before anything
    /// is sent.
    public func updateAttributes(
        _ change: AttributeUpdate, of device: DeviceID
    ) async throws(PushError) -> AttributeOutcome {
        try await perform(change.feature, try plan(change, of: device))
    }
}
