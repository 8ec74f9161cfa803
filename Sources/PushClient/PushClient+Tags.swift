public import PushCore

extension PushClient {
    /// The tags of a device. One request.
    ///
    /// Where the vendor cannot list them and the client has a ledger: what was confirmed through it, without a request.
    public func readTags(of device: DeviceID) async throws(PushError) -> Set<Tag> {
        try await readTags(of: device, within: newDeadline())
    }

    private func readTags(of device: DeviceID, within deadline: Deadline) async throws(PushError) -> Set<Tag> {
        if isFromLedger(.readTags) { return try await remembered(.readTags, of: device).tags }
        return try await run(.readTags, deadline: deadline) { () throws(PushError) in
            try role(\.tagging, for: .readTags).readTags(of: try checked(device))
        }
    }

    /// Whether a device has a tag. One request.
    ///
    /// Where the vendor cannot say and the client has a ledger: whether it was confirmed through it, without a request.
    public func hasTag(_ tag: Tag, device: DeviceID) async throws(PushError) -> Bool {
        if isFromLedger(.testTag) {
            return try await remembered(.testTag, of: device) { () throws(PushError) in
                try validation.check(tag)
            }.tags.contains(tag)
        }
        return try await run(.testTag) { () throws(PushError) in
            try validation.check(device)
            try validation.check(tag)
            return try role(\.tagging, for: .testTag).testTag(tag, of: device)
        }
    }

    private func isFromLedger(_ feature: Feature) -> Bool {
        capabilities[feature] == .emulated(Emulations.ledger)
    }

    private func checked(_ device: DeviceID) throws(PushError) -> DeviceID {
        try validation.check(device)
        return device
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
        let way = wayToReplace(change, of: device)
        try await refusing(change.feature) { () throws(PushError) in try check(change, by: way, of: device) }
        let deadline = newDeadline()
        guard way != .native || isAlone(change.feature) else {
            return try await update(change, by: way, of: device, within: deadline).orFailure()
        }
        return try await alone(on: device, for: change.feature, within: deadline) { () throws(PushError) in
            try await update(change, by: way, of: device, within: deadline).orFailure()
        }
    }

    /// Makes the tags of a device exactly this set: `updateTags(.replace(tags), of: device)`.
    public func replaceTags(with tags: Set<Tag>, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await updateTags(.replace(tags), of: device)
    }

    /// How a change that replaces is made.
    enum ReplacingWay {
        /// By the vendor's own call, as every other change.
        case native
        /// By reading, adding and removing.
        case compared
        /// By clearing and adding.
        case cleared
    }

    func wayToReplace(_ change: TagUpdate, of device: DeviceID) -> ReplacingWay {
        guard case .replace = change else { return .native }
        if capabilities[.replaceTags] == .emulated(Emulations.replaceTags) { return .compared }
        if isEmulatedHere(.replaceTags) { return .cleared }
        guard configuration.acceptedLosses.contains(.replaceTagsByClearing),
            case .emulated = capabilities[.replaceTagsByClearing]
        else { return .native }
        do throws(PushError) {
            _ = try role(\.tagging, for: .replaceTags).updateTags(change, of: device)
        } catch {
            return error.kind == .unsupported ? .cleared : .native
        }
        return .native
    }

    private func update(
        _ change: TagUpdate, by way: ReplacingWay, of device: DeviceID, within deadline: Deadline
    ) async -> TagOutcome {
        guard way == .compared, case .replace(let wanted) = change else {
            var outcome = TagOutcome()
            do throws(PushError) {
                try await checkRoom(for: change, on: device)
            } catch {
                outcome.failure = error
                return outcome
            }
            let steps = TagPlan.steps(change, by: way, limits: capabilities.limits)
            await applyTags(steps, to: device, within: deadline, &outcome)
            return outcome
        }
        return await replace(wanted, of: device, within: deadline)
    }

    /// Refuses tags that do not fit the device beside those that the ledger knows: it never claims too many.
    private func checkRoom(for change: TagUpdate, on device: DeviceID) async throws(PushError) {
        guard configuration.ledger != nil, case .add(let tags) = change else { return }
        let known = try await readRecord(of: device).tags
        try await refusing(.addTags) { () throws(PushError) in
            try validation.check(known.union(tags).count, "the tags of the device, with the new ones", .tagsPerDevice)
        }
    }

    func check(_ change: TagUpdate, by way: ReplacingWay, of device: DeviceID) throws(PushError) {
        try checkTags(change, of: device)
        guard way == .cleared else { return }
        let steps = TagPlan.steps(change, by: way, limits: capabilities.limits)
        for step in steps { _ = try role(\.tagging, for: step.feature).updateTags(step, of: device) }
        try checkWait(after: steps.map(\.feature))
    }

    func checkTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) {
        try require(change.feature)
        try validation.check(device)
        try validation.check(change.tags)
        try validation.check(change.tags.count, "the tags of a device", .tagsPerDevice)
        switch change {
        case .add(let tags) where tags.isEmpty, .remove(let tags) where tags.isEmpty:
            throw PushError(.invalidArgument, "there is no tag to add or remove; use clear to remove all")
        default: return
        }
    }

    /// Reads, compares, adds and removes. Adds come first while all fit the device, so that no tag that stays is ever
    /// missing; else the fewest removes that make room go first.
    private func replace(
        _ wanted: Set<Tag>, of device: DeviceID, within deadline: Deadline
    ) async -> TagOutcome {
        var outcome = TagOutcome()
        outcome.isAtomic = false
        do throws(PushError) {
            let current = try await readTags(of: device, within: deadline)
            outcome.requests += 1
            outcome.current = current
            let steps = TagPlan.replacement(of: current, by: wanted, limits: capabilities.limits)
            await applyTags(steps, to: device, within: deadline, &outcome)
        } catch {
            // Whatever became of the read: nothing was written.
            var error = error
            error.effect = .notApplied
            error.operation = .replaceTags
            outcome.failure = error
        }
        return outcome
    }

    private func applyTags(
        _ steps: [TagUpdate], to device: DeviceID, within deadline: Deadline, _ outcome: inout TagOutcome
    ) async {
        await applyRecorded(steps, to: device, &outcome, in: \.tags, as: \.setChange) { (step) throws(PushError) in
            try await run(step.feature, deadline: deadline) { () throws(PushError) in
                try role(\.tagging, for: step.feature).updateTags(step, of: device)
            }
            return []
        }
    }
}

/// Divides a change of tags into calls that the provider takes.
enum TagPlan {
    static func steps(
        _ change: TagUpdate, by way: PushClient.ReplacingWay = .native, limits: Limits
    ) -> [TagUpdate] {
        switch change {
        case .add(let tags): chunks(tags, limits).map(TagUpdate.add)
        case .remove(let tags): chunks(tags, limits).map(TagUpdate.remove)
        case .replace(let tags) where way == .cleared: [.clear] + chunks(tags, limits).map(TagUpdate.add)
        case .replace, .clear: [change]
        }
    }

    static func replacement(of current: Set<Tag>, by wanted: Set<Tag>, limits: Limits) -> [TagUpdate] {
        let adds = wanted.subtracting(current)
        let removes = current.subtracting(wanted).sorted()
        let capacity = limits[.tagsPerDevice]?.maximum ?? .max
        let early = min(removes.count, max(0, current.count + adds.count - capacity))
        return steps(.remove(Set(removes.prefix(early))), limits: limits) + steps(.add(adds), limits: limits)
            + steps(.remove(Set(removes.dropFirst(early))), limits: limits)
    }

    private static func chunks(_ tags: Set<Tag>, _ limits: Limits) -> [Set<Tag>] {
        let most = limits[.tagsPerCall]?.maximum ?? .max
        let mostBytes = limits[.tagBytesPerCall]?.maximum ?? .max
        var chunks: [Set<Tag>] = []
        var chunk: Set<Tag> = []
        var bytes = 0
        for tag in tags.sorted() {
            let size = tag.rawValue.utf8.count
            if !chunk.isEmpty, chunk.count == most || bytes + size > mostBytes {
                chunks.append(chunk)
                chunk = []
                bytes = 0
            }
            chunk.insert(tag)
            bytes += size
        }
        return chunk.isEmpty ? chunks : chunks + [chunk]
    }
}
