public import PushCore

extension PushClient {
    /// Sends a message and reports what became of every slice and target.
    ///
    /// Costs one request for each slice: one for an audience that is no list, else one for as many targets as the
    /// provider takes at once (`limits[.devicesPerSend]`), plus now and then one for idempotency keys. Repeated targets
    /// are sent once; malformed ones are reported as `invalid` and not sent.
    ///
    /// Throws only when nothing was accepted; the error's `report` then says what became of each target. Refuses an
    /// empty message or audience with `invalidArgument`, what the provider cannot do with `unsupported`, what is beyond
    /// a limit with `tooLong` or `limitExceeded`.
    public func send(
        _ message: Message, to audience: Audience, options: SendOptions = SendOptions()
    ) async throws(PushError) -> SendReport {
        let targets = audience.targets
        let isOneRequest = isOneRequest(audience, targets?.count ?? 0)
        try await refusing(.send) { () throws(PushError) in
            try check(message, to: audience)
            try check(options)
            // What is refused should be so once, and not slice by slice. A malformed target is reported, and says
            // nothing about the message.
            guard !isOneRequest, let targets else { return }
            let sample = targets.first(where: validation.takes)
            try encode(message, to: sample.flatMap { Audience([$0]) } ?? audience)
        }
        guard !isOneRequest, let targets else { return try await sendOne(message, to: audience, targets, options) }
        return try await sendList(message, to: ListSource(targets: targets), of: audience.features, options)
    }

    /// Sends a message to a stream of devices, reading each id once and sending slices as they fill.
    ///
    /// When the stream throws, the deadline passes or the task is cancelled, reading stops: what was read and not sent
    /// is `notAttempted`, and the report's `interruption` says why. The deadline is looked at with each id: a stream
    /// that waits is not interrupted. Else as `send(_:to:options:)`.
    public func send<Source: AsyncSequence & Sendable>(
        _ message: Message, toDevices devices: Source, options: SendOptions = SendOptions()
    ) async throws(PushError) -> SendReport where Source.Element == DeviceID {
        let features: [Feature] = [.audienceDevices]
        try await refusing(.send) { () throws(PushError) in
            try check(message, and: features)
            try check(options)
            try encode(message, to: .devices(["any"]))
        }
        return try await sendList(message, to: devices.map(Target.device), of: features, options)
    }

    /// Lets the vendor check a message without delivering it. One request; refuses like `send`.
    public func validate(_ message: Message, to audience: Audience) async throws(PushError) -> SendReceipt {
        try await run(.validate) { () throws(PushError) in
            try check(message, to: audience)
            let targets = audience.targets ?? []
            guard targets.count <= sliceSize(audience.features) else {
                throw PushError(
                    .limitExceeded, "a validation is one request: at most \(sliceSize(audience.features)) targets")
            }
            for target in targets { try check(target) }
            return try role(\.validating, for: .validate).validate(message, to: audience)
        }
    }

    // MARK: Slices

    /// Refuses a name for the send where the vendor takes none, and one that leaves no room for what makes a key of it.
    private func check(_ options: SendOptions) throws(PushError) {
        guard let name = options.key else { return }
        guard capabilities.callerKeys[.push] != nil else {
            throw PushError(
                .unsupported, "\(provider.id) takes no idempotency keys of the caller's making; leave key out",
                operation: .send)
        }
        let limits = capabilities.limits
        try limits.check(name, "the key of the send", .idempotencyKey, of: provider.id)
        let example = SendName(text: name).key(for: .everyone)
        do throws(PushError) {
            try limits.check(example, "the key of the send", .idempotencyKey, of: provider.id)
        } catch {
            var error = error
            error.message += "; \(SendName.suffixLength) of them are added to yours for each request"
            throw error
        }
    }

    /// Throws what the adapter says against a message.
    private func encode(_ message: Message, to audience: Audience) throws(PushError) {
        _ = try role(\.sending, for: .send).send(message, to: audience, key: nil)
    }

    private func sendList<Source: AsyncSequence>(
        _ message: Message, to targets: Source, of features: [Feature], _ options: SendOptions
    ) async throws(PushError) -> SendReport where Source.Element == Target {
        let clock = configuration.clock
        let end = clock.elapsed + (options.deadline ?? configuration.plannedDeadline)
        let list = targets as? ListSource
        let isStream = list == nil
        var plan = SendPlan(
            size: sliceSize(features), count: list?.targets.count ?? 0, separatesTypes: separatesTypes,
            takes: validation.takes)
        var reports: [SliceReport] = []
        var interruption: PushError?

        await withTaskGroup(of: SliceReport.self) { group in
            var running = 0
            func collect(_ report: SliceReport) {
                running -= 1
                reports.append(report)
                options.onSlice?(report)
                if interruption == nil, let error = report.error, error.isHopeless { interruption = error }
            }
            func start(_ slice: SendPlan.Slice) async {
                while running >= max(1, configuration.concurrentSlices), let report = await group.next() {
                    collect(report)
                }
                running += 1
                interruption = interruption ?? self.stopReason(end: end)
                guard interruption == nil, let audience = Audience(slice.targets) else {
                    collect(unsent(slice, interruption))
                    return
                }
                group.addTask {
                    await self.send(message, slice, to: audience, options) { self.partDeadline(until: end) }
                }
            }
            do {
                for try await target in targets {
                    if let slice = plan.add(target) { await start(slice) }
                    // The rest of a list in memory is read on, to report it; a stream is left alone.
                    if isStream {
                        interruption = interruption ?? self.stopReason(end: end)
                        if interruption != nil { break }
                    }
                }
            } catch {
                let broken = PushError(
                    .invalidArgument, "the list of targets broke off; what was read is reported", underlying: error)
                interruption = interruption ?? self.stopReason(end: end) ?? broken
            }
            // A stream may end because the task was cancelled, without saying so.
            if isStream { interruption = interruption ?? self.stopReason(end: end) }
            for slice in plan.finish() { await start(slice) }
            while let report = await group.next() { collect(report) }
        }
        return try finish(reports, interruption)
    }

    private func stopReason(end: Duration) -> PushError? {
        if Task.isCancelled { return PushError(.cancelled, "the send was cancelled", operation: .send) }
        if configuration.clock.elapsed >= end {
            return PushError(.timeout, "the deadline of the send passed", retry: .backoff, operation: .send)
        }
        return nil
    }

    /// Whether a list of targets fits one request; an audience that is no list does.
    private func isOneRequest(_ audience: Audience, _ count: Int) -> Bool {
        if case .accounts(let accounts) = audience, separatesTypes, let type = accounts.first.map(\.type),
            accounts.contains(where: { $0.type != type })
        {
            return false
        }
        return count <= sliceSize(audience.features)
    }

    /// Whether a request takes accounts of one type only.
    var separatesTypes: Bool { capabilities.limits[.accountTypesPerSend]?.maximum == 1 }

    func sliceSize(_ features: [Feature]) -> Int {
        let limit: Limit =
            switch features {
            case [.audienceAliases]: .aliasesPerSend
            case [.audienceAccounts]: .accountsPerSend
            default: .devicesPerSend
            }
        return capabilities.limits[limit]?.maximum ?? 1000
    }

    func check(_ target: Target) throws(PushError) {
        switch target {
        case .device(let id): try validation.check(id)
        case .alias(let alias): try validation.check(alias)
        case .account(let account): try validation.check(account)
        }
    }

    /// Sends what fits one request, without the tasks that a longer list needs.
    /// - Parameter targets: the audience's, nil when it is no list.
    private func sendOne(
        _ message: Message, to audience: Audience, _ targets: [Target]?, _ options: SendOptions
    ) async throws(PushError) -> SendReport {
        // Only a caller who names a time waits longer than for any other call.
        let deadline = newDeadline()
        let end = options.deadline.map { configuration.clock.elapsed + $0 }
        var slice = SendPlan.Slice(index: 0)
        if let targets {
            var plan = SendPlan(size: .max, count: targets.count, takes: validation.takes)
            for target in targets { _ = plan.add(target) }
            slice = plan.finish().first ?? slice
        }
        let part = slice.exceptions.isEmpty ? audience : Audience(slice.targets)
        var interruption = targets == nil ? nil : stopReason(end: end ?? deadline.latest)
        let report: SliceReport
        if interruption == nil, let part {
            report = await send(message, slice, to: part, options) {
                end.map { self.partDeadline(until: $0) } ?? deadline
            }
            if targets != nil, let error = report.error, error.isHopeless { interruption = error }
        } else {
            // A message that can never be sent is refused, whatever else keeps it from being sent now.
            try await refusing(.send) { () throws(PushError) in try encode(message, to: part ?? audience) }
            report = unsent(slice, interruption)
        }
        options.onSlice?(report)
        return try finish([report], interruption)
    }

    /// Sends one slice; never throws, because a failed slice is a value of the report.
    /// - Parameter deadline: of what is about to begin: waiting for a key, then the request. A single send has one for
    ///   both; each part of a planned one has its own, within that of the whole.
    private func send(
        _ message: Message, _ slice: SendPlan.Slice, to audience: Audience, _ options: SendOptions,
        within deadline: @Sendable () -> Deadline
    ) async -> SliceReport {
        var report = SliceReport(
            index: slice.index, targetCount: slice.count, keying: .unkeyed("nothing was sent"),
            exceptions: slice.exceptions)
        do throws(PushError) {
            let (exchange, keying) = await keyed(
                .push, for: .send, within: deadline(), isRequired: options.requiresKeys,
                name: options.key.map { SendName(text: $0).key(for: audience) }
            ) { (key) throws(PushError) in
                try role(\.sending, for: .send).send(message, to: audience, key: key)
            }
            report.keying = keying
            let receipt = try await run(.send, deadline: deadline()) { () throws(PushError) in
                try exchange.get()
            }
            report.messageIDs = receipt.messageIDs
            report.exceptions += slice.marking(receipt.invalidTargets)
        } catch {
            report.error = error
            report.messageIDs = error.vendor?.messageID.map { [$0] } ?? []
            report.exceptions += slice.statuses(after: error)
        }
        return report
    }

    private func unsent(_ slice: SendPlan.Slice, _ interruption: PushError?) -> SliceReport {
        SliceReport(
            index: slice.index, targetCount: slice.count, keying: .unkeyed("nothing was sent"), error: interruption,
            exceptions: slice.exceptions + slice.reports { _ in .notAttempted })
    }

    private func finish(_ slices: [SliceReport], _ interruption: PushError?) throws(PushError) -> SendReport {
        var report = SendReport()
        for slice in slices.sorted(by: { $0.index < $1.index }) { report.append(slice) }
        report.interruption = interruption
        let wasAccepted = report.slices.contains { slice in
            slice.isAccepted && slice.acceptedCount != 0
        }
        guard wasAccepted else {
            var error =
                interruption ?? report.slices.lazy.compactMap(\.error).first
                ?? PushError(.invalidArgument, "no valid target is left in the list; see the report", operation: .send)
            error.report = report
            // A refusal of the rest says nothing about a slice whose answer was lost.
            if report.slices.contains(where: { $0.error?.effect == .unknown }) { error.effect = .unknown }
            throw error
        }
        return report
    }
}

extension PushError {
    /// Whether every further slice would meet the same refusal.
    fileprivate var isHopeless: Bool {
        let kinds: [Kind] = [.unauthorised, .blocked, .misconfigured, .unsupported, .stopped, .cancelled]
        return effect == .notApplied && kinds.contains(kind)
    }
}
