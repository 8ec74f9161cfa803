import PushCore

/// A change of a set of a device, its tags, accounts or attributes, as steps of one request each.
struct SetPlan<Element: Hashable & Sendable>: Sendable {
    struct Step: Sendable {
        let change: SetUpdate<Element>
        /// Answers what the vendor passed over.
        let exchange: Exchange<Set<Element>>
    }

    let device: DeviceID
    let steps: [Step]
    /// Where the ledger has the set; nil for one that it does not keep.
    var path: (any WritableKeyPath<DeviceRecord, Set<Element>> & Sendable)?
    /// What a step takes the place of, out of what the ledger knows.
    var displaced: @Sendable (SetUpdate<Element>, Set<Element>) -> Set<Element> = { _, _ in [] }

    var requests: [PlannedRequest] { steps.map { PlannedRequest($0.exchange) } }

    /// Makes a step of a change whose answer says nothing.
    static func step(_ change: SetUpdate<Element>, _ exchange: Exchange<Void>) -> Step {
        Step(change: change, exchange: exchange.map { _ in [] })
    }

    /// Notes a step in what the ledger knows.
    private func note(_ step: Step, in record: inout DeviceRecord, isConfirmed: Bool) {
        guard let path else { return }
        record[keyPath: path].subtract(displaced(step.change, record[keyPath: path]))
        record.note(step.change, in: path, isConfirmed: isConfirmed)
    }

    /// Sends the steps one after the other, until one fails.
    ///
    /// Where there is a ledger, what they may take away is struck out before the first is sent: whatever happens then,
    /// the ledger never claims too much.
    func run(_ client: PushClient, _ outcome: inout UpdateOutcome<Element>, within deadline: Deadline) async {
        outcome.isAtomic = outcome.isAtomic && steps.count <= 1
        guard client.configuration.ledger != nil, let path else {
            for step in steps {
                do throws(PushError) {
                    let rejected = try await client.run(planned: step.exchange, within: deadline)
                    outcome.note(step.change, rejected: rejected)
                } catch {
                    outcome.failure = error
                    return
                }
            }
            return
        }
        var record: DeviceRecord
        var kept: DeviceRecord
        do throws(PushError) {
            record = try await client.readRecord(of: device)
            kept = record
            for step in steps { note(step, in: &kept, isConfirmed: false) }
            if kept != record { try await client.keep(kept, of: device, "nothing was sent") }
        } catch {
            outcome.failure = error
            return
        }
        for step in steps {
            do throws(PushError) {
                let rejected = try await client.run(planned: step.exchange, within: deadline)
                outcome.note(step.change, rejected: rejected)
                note(step, in: &record, isConfirmed: true)
                record[keyPath: path].subtract(rejected)
            } catch {
                outcome.failure = error
                if error.effect != .notApplied { note(step, in: &record, isConfirmed: error.effect == .applied) }
                break
            }
        }
        guard record != kept else { return }
        do throws(PushError) {
            try await client.keep(record, of: device, "what the vendor confirmed is missing from it")
        } catch {
            var failure = error
            failure.effect = outcome.confirmedSteps > 0 ? .applied : failure.effect
            outcome.failure = outcome.failure ?? failure
        }
    }
}

extension PushClient {
    /// A plan of the steps of a change, in their turn behind other changes of the device where that matters.
    /// - Parameter check: what only the ledger can refuse, looked at when it is the turn of the change.
    private func planSteps<Element>(
        of set: SetPlan<Element>, for feature: Feature,
        _ check: @escaping @Sendable () async throws(PushError) -> Void = { () async throws(PushError) in }
    ) throws(PushError) -> Plan<UpdateOutcome<Element>> {
        let operations = set.steps.map(\.exchange.operation)
        try checkWait(after: operations)
        let isSerial = Set(operations).count > 1 || isSerialized(feature)
        return Plan(
            requests: set.requests, serializedOn: isSerial ? .device(set.device) : nil
        ) { (deadline) throws(PushError) in
            var outcome = UpdateOutcome<Element>()
            try await check()
            await set.run(self, &outcome, within: deadline)
            return try outcome.orFailure()
        }
    }

    private func refuseEmpty<Element>(_ change: SetUpdate<Element>, _ name: String) throws(PushError) {
        guard !change.isWhole, change.elements.isEmpty else { return }
        throw PushError(.invalidArgument, "there is no \(name) to add or remove; use clear to remove all")
    }

    // MARK: Tags

    func plan(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Plan<TagOutcome> {
        try require(change.feature)
        try refuseEmpty(change, "tag")
        if change.feature != .removeTags {
            try limits.check(.amount(change.elements.count, .tagsPerDevice, "the tags of a device"), of: provider.id)
        }
        guard case .replace(let wanted) = change else { return try plan([change], of: device, for: change) }
        switch emulations[.replaceTags]?.way {
        case .comparing: return try planReplacement(by: wanted, of: device)
        case .clearing: return try plan(change.byClearing, of: device, for: change)
        default: break
        }
        guard configuration.acceptedLosses.contains(.replaceTagsByClearing),
            emulations[.replaceTagsByClearing] != nil
        else { return try plan([change], of: device, for: change) }
        do throws(PushError) {
            return try plan([change], of: device, for: change)
        } catch {
            // The vendor's own replacement does something else with this set.
            guard error.kind == .unsupported else { throw error }
            return try plan(change.byClearing, of: device, for: change)
        }
    }

    private func plan(
        _ changes: [TagUpdate], of device: DeviceID, for whole: TagUpdate
    ) throws(PushError) -> Plan<TagOutcome> {
        let set = try setPlan(changes.flatMap { $0.chunks(limits) }, of: device)
        guard configuration.ledger != nil, case .add(let tags) = whole else {
            return try planSteps(of: set, for: whole.feature)
        }
        // Tags that do not fit the device beside those that the ledger knows: it never claims too many.
        return try planSteps(of: set, for: whole.feature) { () async throws(PushError) in
            let known = try await self.readRecord(of: device).tags
            try await self.decide(.addTags) { () throws(PushError) in
                let name = "the tags of the device, with the new ones"
                try self.limits.check(
                    .amount(known.union(tags).count, .tagsPerDevice, name), of: self.provider.id)
            }
        }
    }

    private func setPlan(_ changes: [TagUpdate], of device: DeviceID) throws(PushError) -> SetPlan<Tag> {
        let steps = try changes.map { (change) throws(PushError) in
            SetPlan.step(change, try request(change.feature, try roles.tags.update(change, of: device)))
        }
        return SetPlan(device: device, steps: steps, path: \DeviceRecord.tags)
    }

    /// Reads, compares, adds and removes.
    private func planReplacement(
        by wanted: Set<Tag>, of device: DeviceID
    ) throws(PushError) -> Plan<TagOutcome> {
        let reading = try request(.readTags, try roles.tags.read?(device))
        try limits.check(.tags(wanted), of: provider.id)
        return Plan(
            requests: [PlannedRequest(reading)],
            rule: "then adds and removes what differs, in separate requests: others can see the state in between",
            serializedOn: .device(device)
        ) { (deadline) throws(PushError) in
            var outcome = TagOutcome()
            outcome.isAtomic = false
            let set: SetPlan<Tag>
            do throws(PushError) {
                let current = try await self.run(planned: reading, within: deadline)
                outcome.requests += 1
                outcome.current = current
                set = try self.setPlan(TagUpdate.replacement(of: current, by: wanted, self.limits), of: device)
            } catch {
                throw error.withNothingDone(by: .replaceTags)
            }
            await set.run(self, &outcome, within: deadline)
            return try outcome.orFailure()
        }
    }

    // MARK: Accounts

    func plan(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Plan<AccountOutcome> {
        try require(change.feature)
        try refuseEmpty(change, "account")
        if change.feature != .removeAccounts {
            try limits.check(.accountsOfDevice(change.elements), of: provider.id)
        }
        let changes = emulations[change.feature] == nil ? [change] : change.byClearing
        let steps = try changes.map { (change) throws(PushError) in
            SetPlan.step(change, try request(change.feature, try roles.accounts.update(change, of: device)))
        }
        var set = SetPlan(device: device, steps: steps, path: \DeviceRecord.accounts)
        if limits[.accountsPerType]?.maximum == 1 {
            set.displaced = { step, known in
                guard case .add(let new) = step else { return [] }
                let types = Set(new.map(\.type))
                return known.filter { types.contains($0.type) && !new.contains($0) }
            }
        }
        return try planSteps(of: set, for: change.feature)
    }

    /// Unbinds the accounts of some types by the names that the ledger has for them.
    func planRemoveAccounts(ofTypes types: Set<Int>, of device: DeviceID) throws(PushError) -> Plan<AccountOutcome> {
        try require(.removeAccounts)
        try limits.check(.devices([device]), of: provider.id)
        guard configuration.ledger != nil else {
            throw PushError(
                .unsupported, "\(provider.id) unbinds accounts by name; give the client a ledger, which knows them",
                operation: .removeAccounts)
        }
        return Plan(
            rule: "unbinds the accounts that the ledger has of these types", serializedOn: .device(device)
        ) { (deadline) throws(PushError) in
            let known = try await self.readRecord(of: device, for: .removeAccounts).accounts
            return try await self.decide(.removeAccounts) { () throws(PushError) in
                let found = known.filter { account in account.type.map(types.contains) ?? false }
                if let missing = types.subtracting(found.compactMap(\.type)).min() {
                    throw PushError(
                        .invalidState,
                        "the ledger has no account of type \(missing) for this device; name the account to unbind")
                }
                return try self.plan(.remove(found), of: device)
            }.body(deadline)
        }
    }

    // MARK: Attributes

    func plan(_ change: AttributeUpdate, of device: DeviceID) throws(PushError) -> Plan<AttributeOutcome> {
        try require(change.feature)
        try refuseEmpty(change.names, "attribute")
        let changes = emulations[change.feature] == nil ? [change] : change.byClearing
        let steps = try changes.map { (change) throws(PushError) in
            let exchange = try request(change.feature, try roles.attributes.update(change, of: device))
            return SetPlan<String>.Step(change: change.names, exchange: exchange.map(\.rejectedNames))
        }
        let plan = try planSteps(of: SetPlan(device: device, steps: steps), for: change.feature)
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

extension SetUpdate {
    /// A replacement by clearing and adding.
    fileprivate var byClearing: [SetUpdate] { [.clear] + (elements.isEmpty ? [] : [.add(elements)]) }
}

extension SetUpdate<Tag> {
    /// The change as calls that the provider takes.
    fileprivate func chunks(_ limits: Limits) -> [TagUpdate] {
        switch self {
        case .add(let tags): Self.chunks(tags, limits).map(TagUpdate.add)
        case .remove(let tags): Self.chunks(tags, limits).map(TagUpdate.remove)
        case .replace, .clear: [self]
        }
    }

    /// What makes one set of tags another. Adds come first while all fit the device, so that no tag that stays is ever
    /// missing; else the fewest removes that make room go first.
    fileprivate static func replacement(
        of current: Set<Tag>, by wanted: Set<Tag>, _ limits: Limits
    ) -> [TagUpdate] {
        let adds = wanted.subtracting(current)
        let removes = current.subtracting(wanted).sorted()
        let capacity = limits[.tagsPerDevice]?.maximum ?? .max
        let early = min(removes.count, max(0, current.count + adds.count - capacity))
        let changes: [TagUpdate] = [
            .remove(Set(removes.prefix(early))), .add(adds), .remove(Set(removes.dropFirst(early))),
        ]
        return changes.flatMap { $0.chunks(limits) }
    }

    private static func chunks(_ tags: Set<Tag>, _ limits: Limits) -> [Set<Tag>] {
        let most = limits[.tagsPerCall]?.maximum ?? .max
        let mostBytes = limits[.tagBytesPerCall]?.maximum ?? .max
        var chunks: [Set<Tag>] = []
        var bytes = 0
        for tag in tags.sorted() {
            let size = tag.rawValue.utf8.count
            if let last = chunks.last, last.count < most, bytes + size <= mostBytes {
                chunks[chunks.count - 1].insert(tag)
                bytes += size
            } else {
                chunks.append([tag])
                bytes = size
            }
        }
        return chunks
    }
}

extension PushError {
    /// The error of a read on the way to a change: whatever became of it, nothing was changed.
    func withNothingDone(by operation: Feature) -> PushError {
        var error = self
        error.effect = .notApplied
        error.operation = operation
        return error
    }
}
