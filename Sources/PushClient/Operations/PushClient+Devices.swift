public import PushAdapter

/// Calls about one device. Each has a `DeviceOperation`; `explain(_:of:)` shows the requests that it would send.
extension PushClient {
    /// Runs an operation.
    ///
    /// Costs, refuses and throws like the method of the same name.
    public func perform(
        _ operation: DeviceOperation, of device: DeviceID
    ) async throws(PushError) -> DeviceAnswer {
        try await perform(operation.feature, try plan(operation, of: device))
    }

    // MARK: Tags

    /// Returns the tags of a device. One request.
    ///
    /// If the vendor cannot list them and the client has a ledger, returns the tags that the ledger has confirmed,
    /// without a request.
    public func readTags(of device: DeviceID) async throws(PushError) -> Set<Tag> {
        try await perform(.readTags, try planReadTags(of: device))
    }

    /// Returns whether a device has a tag. One request.
    ///
    /// If the vendor cannot say and the client has a ledger, returns whether the ledger has confirmed the tag, without
    /// a request.
    public func hasTag(_ tag: Tag, device: DeviceID) async throws(PushError) -> Bool {
        try await perform(.testTag, try planTestTag(of: tag, device))
    }

    /// Changes the tags of a device.
    ///
    /// Costs one request for as many tags as the provider takes in a call. `.replace` costs more if the provider has no
    /// call for it. The client then reads, adds and removes, or clears and adds if it cannot read the tags. `isAtomic`
    /// of the outcome is then false, and all changes of the tags of one device run one at a time.
    ///
    /// Throws when no request succeeded; the error's effect says whether one may have changed something. A change that
    /// stops halfway returns an outcome with a `failure`. Before it sends anything, refuses an empty set of tags to add
    /// or remove, and tags that break the provider's limits; with a ledger, also tags that the device has no room for.
    public func updateTags(_ change: TagUpdate, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await perform(change.feature, try planTags(change, of: device))
    }

    /// Makes the tags of a device exactly this set: `updateTags(.replace(tags), of: device)`.
    public func replaceTags(with tags: Set<Tag>, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await updateTags(.replace(tags), of: device)
    }

    // MARK: Aliases

    /// Returns the alias of a device, or nil. One request.
    ///
    /// If an account stands for the alias and the client has a ledger, returns the alias that the ledger has confirmed,
    /// without a request.
    public func readAlias(of device: DeviceID) async throws(PushError) -> Alias? {
        try await perform(.readAlias, try planReadAlias(of: device))
    }

    /// Sets the alias of a device, replacing the one it had. One request.
    ///
    /// `capabilities.aliasSharing` says whether devices may share an alias; a vendor that limits their number answers
    /// `limitExceeded`. Where an account stands for aliases (`capabilities.aliasAccountType`), binds that account.
    public func setAlias(_ alias: Alias, of device: DeviceID) async throws(PushError) {
        try await perform(.setAlias, try planSetAlias(alias, of: device))
    }

    /// Removes the alias of a device; harmless when it has none. One request, or three if the vendor deletes aliases
    /// only by name: `capabilities[.removeAlias]` then says so, and names the risk in between.
    ///
    /// If an account stands for the alias, the vendor unbinds it by name, so the ledger must know the name. Refuses
    /// with `invalidState` if it does not.
    public func removeAlias(of device: DeviceID) async throws(PushError) {
        try await perform(.removeAlias, try planRemoveAlias(of: device))
    }

    // MARK: Several things

    /// Changes tags, alias and phone number of a device together, at a vendor that takes them in one request.
    ///
    /// Costs one request, or two if a replacement reads the tags first. Costs more if the tags do not fit one request;
    /// the first request that writes then carries the other changes. Refuses with `unsupported` an update for which the
    /// vendor has no such request, and sets nothing then. Throws when no request succeeded; a change that stops halfway
    /// returns an outcome with a `failure`.
    public func updateDevice(_ update: DeviceUpdate, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await perform(.updateDevice, try planUpdate(update, of: device))
    }

    // MARK: Phone numbers

    /// Returns the phone number of a device, or nil. One request.
    public func readPhone(of device: DeviceID) async throws(PushError) -> PhoneNumber? {
        try await perform(.readPhone, try planRequest(.readPhone, try roles.phone.read?(device)))
    }

    /// Sets the phone number of a device, replacing the one it had. One request.
    public func setPhone(_ phone: PhoneNumber, of device: DeviceID) async throws(PushError) {
        try await perform(.setPhone, try planRequest(.setPhone, try roles.phone.set?(phone, device)))
    }

    /// Removes the phone number of a device; harmless when it has none. One request.
    public func removePhone(of device: DeviceID) async throws(PushError) {
        try await perform(.removePhone, try planRequest(.removePhone, try roles.phone.remove?(device)))
    }

    // MARK: Accounts

    /// Returns the accounts of a device. One request. Types are nil if the vendor does not report them.
    public func readAccounts(of device: DeviceID) async throws(PushError) -> Set<Account> {
        try await perform(.readAccounts, try planRequest(.readAccounts, try roles.accounts.read?(device)))
    }

    /// Changes the accounts of a device. One request; `.replace` costs two where the client clears and adds.
    ///
    /// Throws when no request succeeded; the error's effect says whether one may have changed something. A change that
    /// stops halfway returns an outcome with a `failure`. Before it sends anything, refuses an empty set to add or
    /// remove, and accounts that break the provider's limits.
    public func updateAccounts(
        _ change: AccountUpdate, of device: DeviceID
    ) async throws(PushError) -> AccountOutcome {
        try await perform(change.feature, try planAccounts(change, of: device))
    }

    /// Unbinds a device's accounts of these types, by their names in the ledger.
    ///
    /// Vendors unbind by name, and not all report the types of the accounts they list, so the client does not guess.
    /// Refuses a type without an account in the ledger with `invalidState`, and a client without a ledger with
    /// `unsupported`. Name such accounts in `updateAccounts(.remove(...), of:)`.
    public func removeAccounts(ofTypes types: Set<Int>, of device: DeviceID) async throws(PushError) -> AccountOutcome {
        try await perform(.removeAccounts, try planRemoveAccounts(ofTypes: types, of: device))
    }

    // MARK: Attributes

    /// Returns the attributes of a device. One request.
    public func readAttributes(of device: DeviceID) async throws(PushError) -> [String: String] {
        try await perform(.readAttributes, try planRequest(.readAttributes, try roles.attributes.read?(device)))
    }

    /// Changes the attributes of a device. One request; `.replace` costs two where the client clears and adds.
    ///
    /// Names that the vendor ignored are `rejected` in the outcome. Throws when no request succeeded, and with
    /// `misconfigured` when the vendor ignored every name to set. A change that stops halfway returns an outcome with a
    /// `failure`. Before it sends anything, refuses a change without names, and attributes that break the provider's
    /// limits.
    public func updateAttributes(
        _ change: AttributeUpdate, of device: DeviceID
    ) async throws(PushError) -> AttributeOutcome {
        try await perform(change.feature, try planAttributes(change, of: device))
    }
}
