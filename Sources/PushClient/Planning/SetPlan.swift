import PushAdapter

/// A change of a device's tags, accounts or attributes, as steps of one request each.
struct SetPlan<Element: Hashable & Sendable>: Sendable {
    struct Step: Sendable {
        /// Removals come after additions.
        let changes: [SetUpdate<Element>]
        /// The request; it returns the elements that the vendor ignored.
        let exchange: Exchange<Set<Element>>
    }

    let device: DeviceID
    let steps: [Step]
    /// Where the ledger keeps the set; nil if it keeps none.
    var path: (any WritableKeyPath<DeviceRecord, Set<Element>> & Sendable)?
    /// The elements in the ledger that a step replaces.
    var displaced: @Sendable (SetUpdate<Element>, Set<Element>) -> Set<Element> = { _, _ in [] }
    /// Refuses elements that the device has no room for, by the ledger's record.
    var checkRoom: (@Sendable (DeviceRecord) throws(PushError) -> Void)?

    /// Applies a step to the ledger's record.
    private func note(
        _ step: Step, in record: inout DeviceRecord, isConfirmed: Bool, rejected: Set<Element> = []
    ) {
        guard let path else { return }
        for change in step.changes {
            record[keyPath: path].subtract(displaced(change, record[keyPath: path]))
            record.note(change, in: path, isConfirmed: isConfirmed)
        }
        record[keyPath: path].subtract(rejected)
    }

    /// Sends the steps one after the other, until one fails.
    ///
    /// With a ledger, strikes out what the steps may remove before it sends the first: whatever happens then, the
    /// ledger never claims too much.
    func runSteps(_ client: PushClient, _ outcome: inout UpdateOutcome<Element>, within deadline: Deadline) async {
        let isKept = client.configuration.ledger != nil && path != nil
        var record = DeviceRecord()
        var kept = record
        do throws(PushError) {
            if isKept {
                record = try await client.readRecord(of: device)
                kept = record
                if let checkRoom, let first = steps.first?.exchange.operation {
                    try await client.decide(first) { () throws(PushError) in try checkRoom(record) }
                }
                var struck = record
                for step in steps { note(step, in: &struck, isConfirmed: false) }
                if struck != record { try await client.keep(struck, of: device, "nothing was sent") }
                kept = struck
            }
            for step in steps {
                do throws(PushError) {
                    let rejected = try await client.runPlanned(step.exchange, within: deadline)
                    outcome.note(step.changes, rejected: rejected)
                    note(step, in: &record, isConfirmed: true, rejected: rejected)
                } catch {
                    if error.effect != .notApplied { note(step, in: &record, isConfirmed: error.effect == .applied) }
                    throw error
                }
            }
        } catch {
            outcome.failure = error
        }
        guard isKept, record != kept else { return }
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
    /// A plan of a change's steps, serialized with other changes of the device where that matters.
    private func planSet<Element>(
        _ feature: Feature, _ set: SetPlan<Element>
    ) throws(PushError) -> Plan<UpdateOutcome<Element>> {
        let operations = set.steps.map(\.exchange.operation)
        try checkWait(after: operations)
        let isSerial = Set(operations).count > 1 || isSerialized(feature)
        return Plan(
            requests: set.steps.map { PlannedRequest($0.exchange) }, serializedOn: isSerial ? .device(set.device) : nil
        ) { (deadline) throws(PushError) in
            var outcome = UpdateOutcome<Element>()
            outcome.isAtomic = set.steps.count <= 1
            await set.runSteps(self, &outcome, within: deadline)
            return try outcome.orFailure()
        }
    }

    /// Refuses a change that the client cannot make, and an empty one.
    private func check<Element>(
        _ change: SetUpdate<Element>, _ feature: Feature, _ name: String
    ) throws(PushError) {
        try require(feature)
        guard !change.isWhole, change.elements.isEmpty else { return }
        throw PushError(.invalidArgument, "there is no \(name) to add or remove; use clear to remove all")
    }

    // MARK: Tags

    func planTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Plan<TagOutcome> {
        try check(change, change.feature, "tag")
        if change.feature != .removeTags {
            try limits.check(.amount(change.elements.count, .tagsPerDevice, "the tags of a device"), of: provider.id)
        }
        switch (change, emulations[change.feature]?.way) {
        case (.replace(let wanted), .comparing): return try planReplacement(by: wanted, of: device)
        case (.replace, .clearing): return try planSet(.replaceTags, try tagPlan(change.byClearing, of: device))
        default: break
        }
        do throws(PushError) {
            var set = try tagPlan([change], of: device)
            if case .add(let tags) = change {
                set.checkRoom = { [limits, provider] (record) throws(PushError) in
                    let name = "the tags of the device, with the new ones"
                    try limits.check(.amount(record.tags.union(tags).count, .tagsPerDevice, name), of: provider.id)
                }
            }
            return try planSet(change.feature, set)
        } catch {
            // The vendor's own replacement does something else with this set.
            guard error.kind == .unsupported, case .replace = change, mayClearFirst else { throw error }
            return try planSet(.replaceTags, try tagPlan(change.byClearing, of: device))
        }
    }

    private var mayClearFirst: Bool { configuration.acceptedLosses.contains(.replaceTags) && canClearFirst }

    /// Splits tag changes into the calls that the provider takes.
    private func tagPlan(_ changes: [TagUpdate], of device: DeviceID) throws(PushError) -> SetPlan<Tag> {
        let calls = changes.flatMap { $0.calls(limits) }
        let steps = try calls.map { (call) throws(PushError) in
            let exchange = try request(call.feature, try roles.tags.update(call, of: device))
            return SetPlan<Tag>.Step(changes: [call], exchange: exchange.map { _ in [] })
        }
        return SetPlan(device: device, steps: steps, path: \DeviceRecord.tags)
    }

    /// Reads, compares, adds and removes, and makes the other changes of an update in the first request that writes.
    private func planReplacement(
        by wanted: Set<Tag>, with update: DeviceUpdate = DeviceUpdate(), as feature: Feature = .replaceTags,
        of device: DeviceID
    ) throws(PushError) -> Plan<TagOutcome> {
        let reading = try planRequest(.readTags, try roles.tags.read?(device)).standing(
            for: feature, changesNothing: true)
        try limits.check(.tags(wanted), of: provider.id)
        let isTogether = capabilities[.updateDevice] == .native
        return Plan(
            requests: reading.requests,
            rule: isTogether
                ? "then adds and removes what differs: others can change the tags in between"
                : "then adds and removes what differs, in separate requests: others can see the state in between",
            serializedOn: .device(device)
        ) { (deadline) throws(PushError) in
            var outcome = TagOutcome()
            outcome.isAtomic = false
            let current = try await reading.body(deadline)
            outcome.requests += 1
            outcome.current = current
            let set = try await self.decide(feature) { () throws(PushError) in
                let changes = TagUpdate.replacement(of: current, by: wanted, self.limits)
                guard isTogether else { return try self.tagPlan(changes, of: device) }
                return try self.tagPlan(changes, with: update, of: device)
            }
            await set.runSteps(self, &outcome, within: deadline)
            return try outcome.orFailure()
        }
    }

    // MARK: Several things

    /// A change of a device in one request. A replacement of tags reads them first.
    func planUpdate(_ update: DeviceUpdate, of device: DeviceID) throws(PushError) -> Plan<TagOutcome> {
        var plan: Plan<TagOutcome>
        if case .replace(let wanted) = update.tags, emulations[.replaceTags]?.way == .comparing {
            try limits.check(.amount(wanted.count, .tagsPerDevice, "the tags of a device"), of: provider.id)
            var rest = update
            rest.tags = nil
            // The client refuses it before it reads the tags.
            if rest != DeviceUpdate() { _ = try request(.updateDevice, try roles.updateDevice?(rest, device)) }
            plan = try planReplacement(by: wanted, with: rest, as: .updateDevice, of: device)
        } else {
            let set = SetPlan<Tag>(device: device, steps: [try step(update, of: device)], path: \DeviceRecord.tags)
            plan = try planSet(.updateDevice, set)
        }
        guard case .set(let alias) = update.alias else { return plan }
        return locking(alias, in: plan, of: device, for: .updateDevice)
    }

    /// Tag changes in as few calls as the vendor takes: tags that are added and removed go together.
    private func tagPlan(
        _ changes: [TagUpdate], with rest: DeviceUpdate, of device: DeviceID
    ) throws(PushError) -> SetPlan<Tag> {
        var updates: [DeviceUpdate] = []
        for call in changes.flatMap({ $0.calls(limits) }) {
            if case .remove(let removed) = call, let last = updates.last, case .add = last.tags,
                last.removedTags.isEmpty
            {
                updates[updates.count - 1].removedTags = removed
            } else {
                updates.append(DeviceUpdate(tags: call))
            }
        }
        if updates.isEmpty, rest != DeviceUpdate() { updates = [DeviceUpdate()] }
        if !updates.isEmpty { (updates[0].alias, updates[0].phone) = (rest.alias, rest.phone) }
        let steps = try updates.map { (update) throws(PushError) in try step(update, of: device) }
        return SetPlan(device: device, steps: steps, path: \DeviceRecord.tags)
    }

    /// The step of one request. A change of tags alone uses the call for tags.
    private func step(_ update: DeviceUpdate, of device: DeviceID) throws(PushError) -> SetPlan<Tag>.Step {
        if let change = update.tags, update == DeviceUpdate(tags: change) {
            let exchange = try request(change.feature, try roles.tags.update(change, of: device))
            return SetPlan.Step(changes: [change], exchange: exchange.map { _ in [] })
        }
        let exchange = try request(.updateDevice, try roles.updateDevice?(update, device))
        let changes = [update.tags, update.removedTags.isEmpty ? nil : .remove(update.removedTags)]
        return SetPlan.Step(changes: changes.compactMap(\.self), exchange: exchange.map { _ in [] })
    }

    // MARK: Accounts

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

extension SetUpdate {
    /// A replacement by clearing and adding.
    fileprivate var byClearing: [SetUpdate] { [.clear] + (elements.isEmpty ? [] : [.add(elements)]) }
}

extension SetUpdate<Tag> {
    /// Splits the change into calls of as many tags as the provider takes; empty if there is no tag to add or remove.
    fileprivate func calls(_ limits: Limits) -> [TagUpdate] {
        guard !isWhole else { return [self] }
        let most = limits[.tagsPerCall]?.maximum ?? .max
        let mostBytes = limits[.tagBytesPerCall]?.maximum ?? .max
        var chunks: [Set<Tag>] = []
        var bytes = 0
        for tag in elements.sorted() {
            let size = tag.rawValue.utf8.count
            if let last = chunks.last, last.count < most, bytes + size <= mostBytes {
                chunks[chunks.count - 1].insert(tag)
                bytes += size
            } else {
                chunks.append([tag])
                bytes = size
            }
        }
        if case .add = self { return chunks.map(TagUpdate.add) }
        return chunks.map(TagUpdate.remove)
    }

    /// The updates that turn one set of tags into another. Adds come first if all fit the device, so that no kept tag
    /// is ever missing; otherwise the fewest removals that make room go first.
    fileprivate static func replacement(
        of current: Set<Tag>, by wanted: Set<Tag>, _ limits: Limits
    ) -> [TagUpdate] {
        let adds = wanted.subtracting(current)
        let removes = current.subtracting(wanted).sorted()
        let capacity = limits[.tagsPerDevice]?.maximum ?? .max
        let early = min(removes.count, max(0, current.count + adds.count - capacity))
        return [.remove(Set(removes.prefix(early))), .add(adds), .remove(Set(removes.dropFirst(early)))]
    }
}
