public import PushAdapter

/// Changes of the devices that have a tag.
extension PushClient {
    /// Gives a tag to many devices, or takes it from them, and reports the outcome for each.
    ///
    /// Costs one request for as many devices as the provider takes (`limits[.devicesPerTagCall]`), or one for each
    /// device if `capabilities[.addMembers]` is emulated. If the vendor refuses a request because of some devices and
    /// does not name them, the client halves its list to find them. This costs up to 64 further requests per refused
    /// request. Repeating a change has no further effect.
    ///
    /// Throws only when nothing was accepted; the error's `report` then has the outcome of each device. Refuses an empty
    /// list and a tag that breaks the provider's limits, before it sends anything. With a ledger, or where the vendor
    /// applies changes of tags after it responds, waits for earlier changes of each device.
    /// - Parameters:
    ///   - tag: the tag.
    ///   - change: the devices to add or to remove, any number.
    ///   - deadline: the time that the whole change may take; nil for the client's `plannedDeadline`.
    ///   - onSlice: called for each part of the list as it ends.
    public func updateMembers(
        of tag: Tag, _ change: MemberUpdate, deadline: Duration? = nil,
        onSlice: (@Sendable (SliceReport) -> Void)? = nil
    ) async throws(PushError) -> SendReport {
        try await admitted(change.feature) { () async throws(PushError) in
            try await decide(change.feature) { () throws(PushError) in
                try require(change.feature)
                try limits.check(.tags([tag]), of: provider.id)
                guard !change.devices.isEmpty else { throw PushError.noTargets }
            }
            var options = SendOptions()
            options.deadline = deadline
            options.onSlice = onSlice
            let targets = ListSource(targets: change.devices.map(Target.device))
            return try await runList(MemberCall(client: self, tag: tag, change: change, options: options), to: targets)
        }
    }

    /// The request about some devices.
    fileprivate func prepared(
        _ tag: Tag, _ change: MemberUpdate, _ targets: [Target], isByDevice: Bool
    ) -> PreparedRequest {
        let devices = targets.devices
        do throws(PushError) {
            let exchange: Exchange<SendReceipt>
            if isByDevice, let device = devices.first {
                let update = change.tagUpdate(tag)
                let single = try request(update.feature, try roles.tags.update(update, of: device))
                exchange = single.map { (_) throws(PushError) in SendReceipt() }
            } else {
                exchange = try request(change.feature, try roles.tags.changeMembers?(tag, change.with(devices)))
            }
            return PreparedRequest(
                exchange: .success(exchange), keying: .unkeyed("a repeated change has no further effect"))
        } catch {
            return PreparedRequest(refusedBy: error)
        }
    }

    /// Sends a request; where the vendor refuses it because of a device that it does not name, halves it.
    fileprivate func runMembers(
        _ prepared: PreparedRequest, _ tag: Tag, _ change: MemberUpdate, _ targets: [Target], within deadline: Deadline
    ) async throws(PushError) -> ListReply {
        do throws(PushError) {
            return ListReply(receipt: try await runPrepared(prepared, change.feature, within: deadline))
        } catch {
            guard targets.count > 1, error.isAboutSomeTarget else { throw error }
            return await runHalves(of: targets, refusedBy: error, tag, change, within: deadline)
        }
    }

    /// Sends ever smaller parts of a list that was refused, until each is accepted or has one device.
    ///
    /// A device counts as refused only if the vendor refused it alone, or named it. All others are unknown, because the
    /// vendor may have changed some devices of a list that it refused.
    private func runHalves(
        of targets: [Target], refusedBy refusal: PushError, _ tag: Tag, _ change: MemberUpdate,
        within deadline: Deadline
    ) async -> ListReply {
        var parts = targets.halves[...]
        var reply = ListReply(receipt: SendReceipt())
        while let part = parts.popFirst() {
            guard reply.requestCount <= Self.mostHalves, !Task.isCancelled else {
                reply.except(part, .unknown)
                continue
            }
            reply.requestCount += 1
            let request = prepared(tag, change, part, isByDevice: false)
            do throws(PushError) {
                let receipt = try await runPrepared(request, change.feature, within: deadline)
                reply.receipt.exceptions.merge(receipt.exceptions) { first, _ in first }
            } catch {
                if error.isAboutSomeTarget, part.count > 1 {
                    parts += part.halves
                } else {
                    reply.except(part, refusedBy: error)
                }
            }
        }
        if reply.receipt.exceptions.count >= targets.count {
            reply.error = refusal
            if reply.receipt.exceptions.values.contains(.unknown) { reply.error?.effect = .unknown }
        }
        return reply
    }

    /// The most further requests after a request that was refused.
    private static let mostHalves = 64

    // MARK: One change of a device at a time

    /// Runs a change while no other change of its devices runs, and records it in the ledger.
    fileprivate func recorded(
        _ tag: Tag, _ change: MemberUpdate, _ targets: [Target], within deadline: Deadline,
        _ body: () async throws(PushError) -> ListReply
    ) async throws(PushError) -> ListReply {
        guard isSerialized(change.tagUpdate(tag).feature) else { return try await body() }
        let devices = targets.devices
        // Locks them in one order, so that two changes never wait for each other.
        return try await serialized(on: devices.sorted()[...], change.feature, within: deadline) {
            () async throws(PushError) in
            guard self.configuration.ledger != nil else { return try await body() }
            return try await self.noted(tag, change, devices, body)
        }
    }

    private func serialized(
        on devices: ArraySlice<DeviceID>, _ operation: Feature, within deadline: Deadline,
        _ body: () async throws(PushError) -> ListReply
    ) async throws(PushError) -> ListReply {
        guard let device = devices.first else { return try await body() }
        return try await serialized(on: .device(device), for: operation, within: deadline) {
            () async throws(PushError) in
            try await self.serialized(on: devices.dropFirst(), operation, within: deadline, body)
        }
    }

    /// Removes tags that may be gone from the ledger before anything is sent, and records the confirmed ones
    /// afterwards. If the ledger cannot be written then, the vendor has acted all the same.
    private func noted(
        _ tag: Tag, _ change: MemberUpdate, _ devices: [DeviceID], _ body: () async throws(PushError) -> ListReply
    ) async throws(PushError) -> ListReply {
        var struck: [DeviceID] = []
        var reply: ListReply
        do throws(PushError) {
            if case .remove = change { try await note(.remove([tag]), of: devices, "nothing was sent", &struck) }
            reply = try await body()
        } catch {
            if error.effect == .notApplied { _ = await noteAfterwards(.add([tag]), of: struck) }
            throw error
        }
        let there: [DeviceID]
        switch change {
        case .add: there = devices.filter { reply.receipt.exceptions[$0.rawValue] == nil }
        case .remove: there = struck.filter { reply.receipt.exceptions[$0.rawValue]?.isNotApplied ?? false }
        }
        let failure = await noteAfterwards(.add([tag]), of: there)
        reply.error = reply.error ?? failure
        return reply
    }

    /// Records a change that the vendor has made; returns the error if it cannot.
    private func noteAfterwards(_ change: TagUpdate, of devices: [DeviceID]) async -> PushError? {
        var changed: [DeviceID] = []
        do throws(PushError) {
            try await note(change, of: devices, "what the vendor confirmed is missing from it", &changed)
            return nil
        } catch {
            var failure = error
            failure.effect = .applied
            return failure
        }
    }

    /// Records a change for devices; appends those whose record it changed to a list.
    private func note(
        _ change: TagUpdate, of devices: [DeviceID], _ otherwise: String, _ changed: inout [DeviceID]
    ) async throws(PushError) {
        for device in devices {
            let before = try await readRecord(of: device)
            var record = before
            record.note(change, in: \.tags, isConfirmed: true)
            guard record != before else { continue }
            try await keep(record, of: device, otherwise)
            changed.append(device)
        }
    }
}

/// A change of the devices of a tag.
private struct MemberCall: ListCall {
    let client: PushClient
    let tag: Tag
    let change: MemberUpdate
    let options: SendOptions

    /// Whether each device gets a request of its own.
    private var isByDevice: Bool { client.emulations[change.feature] != nil }

    var operation: Feature { change.feature }
    var sliceSize: Int { isByDevice ? PushClient.fanOutSize : requestSize }
    var requestSize: Int {
        isByDevice ? 1 : client.limits[.devicesPerTagCall]?.maximum ?? PushClient.fanOutSize
    }

    nonisolated(nonsending) func prepare(_ targets: [Target], within deadline: Deadline) async -> PreparedRequest {
        client.prepared(tag, change, targets, isByDevice: isByDevice)
    }

    nonisolated(nonsending) func run(
        _ request: PreparedRequest, to targets: [Target], from position: Int, within deadline: Deadline
    ) async throws(PushError) -> ListReply {
        try await client.recorded(tag, change, targets, within: deadline) { () async throws(PushError) in
            try await client.runMembers(request, tag, change, targets, within: deadline)
        }
    }
}

extension [Target] {
    fileprivate var halves: [[Target]] { [Array(prefix(count / 2)), Array(dropFirst(count / 2))] }

    fileprivate var devices: [DeviceID] {
        compactMap { target in if case .device(let device) = target { device } else { nil } }
    }
}

extension TargetStatus {
    /// Whether the vendor did nothing for the target.
    fileprivate var isNotApplied: Bool {
        switch self {
        case .rejected, .notAttempted, .suspect: true
        default: false
        }
    }
}

extension ListReply {
    fileprivate mutating func except(_ targets: [Target], _ status: TargetStatus) {
        for target in targets { receipt.exceptions[target.text] = status }
    }

    /// Records the statuses that a refusal gives the targets that it is about or names; the others are unknown.
    fileprivate mutating func except(_ targets: [Target], refusedBy error: PushError) {
        let part = SendPlan.Slice(index: 0, targets: targets, positions: Array(targets.indices))
        let isAbout = error.isAboutSomeTarget || error.vendor?.verdict != nil
        let isKnown = error.effect == .notApplied && isAbout && targets.count == 1
        for report in part.statuses(after: error) {
            receipt.exceptions[report.target.text] = isKnown || report.isSaidByVendor ? report.status : .unknown
        }
    }
}
