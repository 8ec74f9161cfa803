import PushAdapter

/// Changes of a device's tags, alone or together with other things of the device.
extension PushClient {
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
