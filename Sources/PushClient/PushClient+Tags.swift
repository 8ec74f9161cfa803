public import PushCore

extension PushClient {
    /// The tags of a device. One request.
    public func readTags(of device: DeviceID) async throws(PushError) -> Set<Tag> {
        try await run(.readTags) { () throws(PushError) in
            try validation.check(device)
            return try role(\.tagging, for: .readTags).readTags(of: device)
        }
    }

    /// Whether a device has a tag. One request.
    public func hasTag(_ tag: Tag, device: DeviceID) async throws(PushError) -> Bool {
        try await run(.testTag) { () throws(PushError) in
            try validation.check(device)
            try validation.check(tag)
            return try role(\.tagging, for: .testTag).testTag(tag, of: device)
        }
    }

    /// Changes the tags of a device.
    ///
    /// Costs one request for as many tags as the provider takes in a call; `.replace` costs more where the provider has
    /// no call for it: it is then made from reading, adding and removing, one at a time for each device, and
    /// `isAtomic` of the outcome is false.
    ///
    /// Throws when no request succeeded in changing anything; the error's effect says whether one may have. A change that stops half-way is an outcome with a `failure`. Refuses an empty
    /// set of tags to add or remove, and whatever breaks the provider's limits, before anything is sent.
    public func updateTags(_ change: TagUpdate, of device: DeviceID) async throws(PushError) -> TagOutcome {
        let feature = change.feature
        do throws(PushError) {
            try checkTags(change, of: device)
        } catch {
            let refusal = error
            let _: Void = try await run(feature) { () throws(PushError) -> Exchange<Void> in throw refusal }
        }
        var outcome = TagOutcome()
        if case .replace(let wanted) = change, capabilities[.replaceTags] != .native {
            guard await deviceLocks.lock(.device(device)) else {
                throw PushError(.cancelled, "cancelled before anything was sent", operation: feature)
            }
            let result = await replace(wanted, of: device)
            await deviceLocks.unlock(.device(device))
            outcome = result
        } else {
            await apply(TagPlan.steps(change, limits: capabilities.limits), to: device, &outcome)
        }
        if let failure = outcome.failure, outcome.added.isEmpty, outcome.removed.isEmpty { throw failure }
        return outcome
    }

    /// Makes the tags of a device exactly this set: `updateTags(.replace(tags), of: device)`.
    public func replaceTags(with tags: Set<Tag>, of device: DeviceID) async throws(PushError) -> TagOutcome {
        try await updateTags(.replace(tags), of: device)
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
    private func replace(_ wanted: Set<Tag>, of device: DeviceID) async -> TagOutcome {
        var outcome = TagOutcome()
        outcome.isAtomic = false
        do throws(PushError) {
            let current = try await readTags(of: device)
            outcome.requests += 1
            outcome.current = current
            let steps = TagPlan.replacement(of: current, by: wanted, limits: capabilities.limits)
            await apply(steps, to: device, &outcome)
        } catch {
            // Whatever became of the read: nothing was written.
            var error = error
            error.effect = .notApplied
            error.operation = .replaceTags
            outcome.failure = error
        }
        return outcome
    }

    private func apply(_ steps: [TagUpdate], to device: DeviceID, _ outcome: inout TagOutcome) async {
        outcome.isAtomic = outcome.isAtomic && steps.count <= 1
        for step in steps {
            do throws(PushError) {
                try await run(step.feature) { () throws(PushError) in
                    try role(\.tagging, for: step.feature).updateTags(step, of: device)
                }
            } catch {
                outcome.failure = error
                return
            }
            outcome.requests += 1
            outcome.note(step)
        }
    }
}

extension TagOutcome {
    fileprivate mutating func note(_ step: TagUpdate) {
        switch step {
        case .add(let tags):
            added.formUnion(tags)
            current?.formUnion(tags)
        case .remove(let tags):
            removed.formUnion(tags)
            current?.subtract(tags)
        case .replace(let tags):
            added = tags
            current = tags
        case .clear:
            removed.formUnion(current ?? [])
            current = []
        }
    }
}

/// Divides a change of tags into calls that the provider takes.
enum TagPlan {
    static func steps(_ change: TagUpdate, limits: Limits) -> [TagUpdate] {
        switch change {
        case .add(let tags): chunks(tags, limits).map(TagUpdate.add)
        case .remove(let tags): chunks(tags, limits).map(TagUpdate.remove)
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
