public import PushCore

extension PushClient {
    /// The accounts of a device. One request. A vendor that does not tell their types leaves them nil.
    public func readAccounts(of device: DeviceID) async throws(PushError) -> Set<Account> {
        try await run(.readAccounts) { () throws(PushError) in
            try validation.check(device)
            return try role(\.accountBinding, for: .readAccounts).readAccounts(of: device)
        }
    }

    /// The devices of an account. One request. Without a type, those of the name, whatever its types.
    public func readDevices(of account: Account) async throws(PushError) -> Set<DeviceID> {
        try await run(.readAccountDevices) { () throws(PushError) in
            if account.type == nil {
                try capabilities.limits.check(account.name, "an account", .accountLength, of: provider.id)
            } else {
                try validation.check(account)
            }
            return try role(\.accountBinding, for: .readAccountDevices).readDevices(of: account)
        }
    }

    /// Changes the accounts of a device. One request; `.replace` costs two where it is made from clearing and adding.
    ///
    /// Throws when no request succeeded; the error's effect says whether one may have changed something. A change that
    /// stops half-way is an outcome with a `failure`. Refuses an empty set to add or remove, and what breaks the
    /// provider's limits, before anything is sent.
    public func updateAccounts(
        _ change: AccountUpdate, of device: DeviceID
    ) async throws(PushError) -> AccountOutcome {
        try await updateAccounts(change, of: device, within: newDeadline())
    }

    func updateAccounts(
        _ change: AccountUpdate, of device: DeviceID, within deadline: Deadline
    ) async throws(PushError) -> AccountOutcome {
        let steps = steps(of: change)
        try await refusing(change.feature) { () throws(PushError) in try check(change, in: steps, of: device) }
        guard isAlone(change.feature) else { return try await make(steps, of: device, within: deadline).orFailure() }
        return try await alone(on: device, for: change.feature, within: deadline) { () throws(PushError) in
            try await make(steps, of: device, within: deadline).orFailure()
        }
    }

    /// Unbinds the accounts of some types by the names that the ledger has for them.
    ///
    /// A vendor unbinds by name, and not every one tells the types of the accounts it lists, so nothing is unbound by
    /// guess: refuses with `invalidState` a type that the ledger has no account of, and with `unsupported` a client
    /// without a ledger. Name such accounts in `updateAccounts(.remove(...), of:)`.
    public func removeAccounts(ofTypes types: Set<Int>, of device: DeviceID) async throws(PushError) -> AccountOutcome {
        let deadline = newDeadline()
        return try await alone(on: device, for: .removeAccounts, within: deadline) { () throws(PushError) in
            let known: Result<Set<Account>, PushError>
            do throws(PushError) {
                known = .success(try await readRecord(of: device).accounts)
            } catch {
                known = .failure(error)
            }
            let found = try await refusing(.removeAccounts) { () throws(PushError) in
                let found = try known.get().filter { account in account.type.map(types.contains) ?? false }
                if let missing = types.subtracting(found.compactMap(\.type)).min() {
                    throw PushError(
                        .invalidState,
                        "the ledger has no account of type \(missing) for this device; name the account to unbind")
                }
                try check(.remove(found), of: device)
                return found
            }
            return try await make([.remove(found)], of: device, within: deadline).orFailure()
        }
    }

    private func exchange(_ step: AccountUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try role(\.accountBinding, for: step.feature).updateAccounts(step, of: device)
    }

    private func check(
        _ change: AccountUpdate, in steps: [AccountUpdate], of device: DeviceID
    ) throws(PushError) {
        try check(change, of: device)
        for step in steps { _ = try exchange(step, of: device) }
        try checkWait(after: steps.map(\.feature))
    }

    /// Refuses what `updateAccounts` would refuse before anything is sent.
    func preflight(_ change: AccountUpdate, of device: DeviceID) throws(PushError) {
        try check(change, in: steps(of: change), of: device)
    }

    private func steps(of change: AccountUpdate) -> [AccountUpdate] {
        guard case .replace(let accounts) = change, isEmulatedHere(.replaceAccounts) else { return [change] }
        return [.clear] + (accounts.isEmpty ? [] : [.add(accounts)])
    }

    private func check(_ change: AccountUpdate, of device: DeviceID) throws(PushError) {
        try require(change.feature)
        try validation.check(device)
        let limits = capabilities.limits
        switch change {
        case .add([]), .remove([]):
            throw PushError(.invalidArgument, "there is no account to add or remove; use clear to remove all")
        case .remove(let accounts): try limits.checkEach(accounts, of: provider.id)
        default: try limits.check(change.accounts, of: provider.id)
        }
    }

    private func make(
        _ steps: [AccountUpdate], of device: DeviceID, within deadline: Deadline
    ) async -> AccountOutcome {
        var outcome = AccountOutcome()
        let keepsOne = capabilities.limits[.accountsPerType]?.maximum == 1
        func displaced(by step: AccountUpdate, of known: Set<Account>) -> Set<Account> {
            guard keepsOne, case .add(let new) = step else { return [] }
            let types = Set(new.map(\.type))
            return known.filter { types.contains($0.type) && !new.contains($0) }
        }
        await applyRecorded(
            steps, to: device, &outcome, in: \.accounts, as: \.setChange, displaced: displaced
        ) { (step) throws(PushError) in
            try await run(step.feature, deadline: deadline) { () throws(PushError) in
                try exchange(step, of: device)
            }
            return []
        }
        return outcome
    }
}

extension PushClient {
    /// The attributes of a device. One request.
    public func readAttributes(of device: DeviceID) async throws(PushError) -> [String: String] {
        try await run(.readAttributes) { () throws(PushError) in
            try validation.check(device)
            return try role(\.attributing, for: .readAttributes).readAttributes(of: device)
        }
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
        let steps = steps(of: change)
        try await refusing(change.feature) { () throws(PushError) in try check(change, in: steps, of: device) }
        let deadline = newDeadline()
        guard steps.count > 1 || isAlone(change.feature) else {
            return try await make(steps, for: change, of: device, within: deadline)
        }
        return try await alone(on: device, for: change.feature, within: deadline) { () throws(PushError) in
            try await make(steps, for: change, of: device, within: deadline)
        }
    }

    /// Refuses what `updateAttributes` would refuse before anything is sent.
    func preflight(_ change: AttributeUpdate, of device: DeviceID) throws(PushError) {
        try check(change, in: steps(of: change), of: device)
    }

    private func steps(of change: AttributeUpdate) -> [AttributeUpdate] {
        guard case .replace(let attributes) = change, isEmulatedHere(.replaceAttributes) else { return [change] }
        return [.clear] + (attributes.isEmpty ? [] : [.add(attributes)])
    }

    private func check(
        _ change: AttributeUpdate, in steps: [AttributeUpdate], of device: DeviceID
    ) throws(PushError) {
        try check(change, of: device)
        for step in steps { _ = try exchange(step, of: device) }
        try checkWait(after: steps.map(\.feature))
    }

    private func make(
        _ steps: [AttributeUpdate], for change: AttributeUpdate, of device: DeviceID, within deadline: Deadline
    ) async throws(PushError) -> AttributeOutcome {
        var outcome = AttributeOutcome()
        await apply(steps, &outcome, as: \.setChange) { (step) throws(PushError) in
            try await run(step.feature, deadline: deadline) { () throws(PushError) in
                try exchange(step, of: device)
            }.rejectedNames
        }
        if case .add = change, outcome.failure == nil, outcome.rejected == change.names {
            throw PushError(
                .misconfigured,
                "the app has none of these attributes; create them at the vendor first. Nothing was changed",
                operation: change.feature)
        }
        return try outcome.orFailure()
    }

    private func exchange(
        _ step: AttributeUpdate, of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        try role(\.attributing, for: step.feature).updateAttributes(step, of: device)
    }

    private func check(_ change: AttributeUpdate, of device: DeviceID) throws(PushError) {
        try require(change.feature)
        try validation.check(device)
        let limits = capabilities.limits
        switch change {
        case .add(let attributes) where attributes.isEmpty:
            throw PushError(.invalidArgument, "there is no attribute to set")
        case .remove(let names) where names.isEmpty:
            throw PushError(.invalidArgument, "there is no attribute to remove; use clear to remove all")
        case .add(let attributes), .replace(let attributes): try limits.check(attributes, of: provider.id)
        case .remove(let names):
            for name in names.sorted() {
                try limits.check(name, "an attribute's name", .attributeName, of: provider.id)
            }
        case .clear: return
        }
    }
}
