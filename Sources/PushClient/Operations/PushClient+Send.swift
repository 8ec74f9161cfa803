public import PushCore

extension PushClient {
    /// Sends a message and reports the outcome of every slice and target.
    ///
    /// Costs one request per slice, plus an occasional one for idempotency keys. A slice is an audience that is not a
    /// list, or as many targets of a list as the provider takes at once (`limits[.devicesPerSend]`). A provider that
    /// takes one at a time gets one request per target; a slice then reports on 500. Sends repeated targets once;
    /// reports malformed ones as `invalid` and does not send them.
    ///
    /// Throws only when nothing was accepted; the error's `report` then has the outcome of each target. Refuses an
    /// empty message or audience with `invalidArgument`, what the provider cannot do with `unsupported`, and what
    /// exceeds a limit with `tooLong` or `limitExceeded`.
    public func send(
        _ message: Message, to audience: Audience, options: SendOptions = SendOptions()
    ) async throws(PushError) -> SendReport {
        try await admitted(.send) { () async throws(PushError) in
            try await decide(.send) { () throws(PushError) in
                try check(message, and: audience)
                try check(options)
            }
            guard let targets = audience.targets, !isOneRequest(audience, targets.count) else {
                return try await sendOne(message, to: audience, options)
            }
            let call = sendCall(message, audience.features, options)
            return try await run(call, to: ListSource(targets: targets))
        }
    }

    /// Sends a message to a stream of devices, reading each id once and sending slices as they fill.
    ///
    /// Stops reading when the stream throws, the deadline passes or the task is cancelled: ids that were read but not
    /// sent are `notAttempted`, and the report's `interruption` says why. Checks the deadline at each id, and does not
    /// interrupt a stream that waits. Otherwise like `send(_:to:options:)`.
    public func send<Source: AsyncSequence & Sendable>(
        _ message: Message, toDevices devices: Source, options: SendOptions = SendOptions()
    ) async throws(PushError) -> SendReport where Source.Element == DeviceID {
        let features: [Feature] = [.audienceDevices]
        return try await admitted(.send) { () async throws(PushError) in
            try await decide(.send) { () throws(PushError) in
                try check(message, for: features)
                try check(options)
            }
            return try await run(sendCall(message, features, options), to: devices.map(Target.device))
        }
    }

    // MARK: Slices

    /// Refuses a name for the send where the vendor takes none, and one that leaves no room for the key's suffix.
    private func check(_ options: SendOptions) throws(PushError) {
        guard let name = options.key else {
            guard options.keyFirstUsedAt == nil else {
                throw PushError(.invalidArgument, "keyFirstUsedAt is about a key; give the key too", operation: .send)
            }
            return
        }
        guard capabilities.callerKeys[.push] != nil else {
            throw PushError(
                .unsupported, "\(provider.id) accepts no caller-made idempotency keys; leave key out",
                operation: .send)
        }
        try limits.check(.text(name, .idempotencyKey, "the key of the send"), of: provider.id)
        let example = SendName(text: name).key(for: .everyone)
        do throws(PushError) {
            try limits.check(.text(example, .idempotencyKey, "the key of the send"), of: provider.id)
        } catch {
            var error = error
            error.message += "; the client adds \(SendName.suffixLength) of them to yours for each request"
            throw error
        }
    }

    /// A send to a list.
    private func sendCall(_ message: Message, _ features: [Feature], _ options: SendOptions) -> ListCall {
        let size = requestSize(features)
        return ListCall(
            operation: .send, sliceSize: size == 1 ? ListCall.fanOutSize : size, requestSize: size, options: options
        ) { targets, deadline in
            guard let audience = Audience(targets) else { return Prepared(refusedBy: .noTargets) }
            return await self.prepare(message, audience, options, within: deadline)
        } run: { (prepared, _, deadline) throws(PushError) in
            ListCall.Reply(receipt: try await self.run(prepared, .send, within: deadline))
        }
    }

    /// Makes a call about a list: slice by slice, several at once.
    func run<Source: AsyncSequence>(
        _ call: ListCall, to targets: Source
    ) async throws(PushError) -> SendReport where Source.Element == Target {
        let options = call.options
        let clock = configuration.clock
        let end = clock.elapsed + (options.deadline ?? configuration.plannedDeadline)
        let list = targets as? ListSource
        let isStream = list == nil
        var plan = SendPlan(
            size: call.sliceSize, count: list?.targets.count ?? 0, separatesTypes: separatesTypes,
            takes: targetRules.takes)
        var reports: [SliceReport] = []
        let isSingle = call.requestSize == 1
        let halt = SendHalt()
        // The first request shows whether the message can be sent at all.
        var isProven = false
        var isRefused = false

        await withTaskGroup(of: SliceReport.self) { group in
            var running = 0
            func collect(_ report: SliceReport) {
                running -= 1
                options.onSlice?(report)
                reports.append(options.keepsMessageIDs ? report : report.withoutMessageIDs)
                if let error = report.error, error.isHopeless { halt.stop(error) }
            }
            func start(_ slice: SendPlan.Slice) async {
                while running >= max(1, configuration.concurrentSlices), let report = await group.next() {
                    collect(report)
                }
                running += 1
                halt.stop(self.stopReason(of: call.operation, end: end))
                let targets = isSingle ? Array(slice.targets.prefix(1)) : slice.targets
                guard halt.reason == nil, !targets.isEmpty else {
                    collect(unsent(slice, halt.reason, isRefused: isRefused))
                    return
                }
                var first: Prepared?
                if !isProven {
                    let prepared = await call.prepare(targets, self.partDeadline(until: end))
                    isProven = true
                    first = prepared
                    if case .failure(let error) = prepared.exchange, error.isRefusal {
                        isRefused = true
                        halt.stop(error)
                    }
                }
                group.addTask { [first] in
                    if isSingle, !(first?.isRefused ?? false) {
                        return await self.fanOut(call, slice, first: first, halt: halt, end: end)
                    }
                    let prepared: Prepared
                    if let first {
                        prepared = first
                    } else {
                        prepared = await call.prepare(targets, self.partDeadline(until: end))
                    }
                    return await self.run(call, prepared, slice, within: self.partDeadline(until: end))
                }
            }
            do {
                for try await target in targets {
                    if let slice = plan.add(target) { await start(slice) }
                    // Read a list in memory to its end, to report the rest, but stop reading a stream.
                    if isStream {
                        halt.stop(self.stopReason(of: call.operation, end: end))
                        if halt.reason != nil { break }
                    }
                }
            } catch {
                let broken = PushError(
                    .invalidArgument, "the stream of targets failed; the report has what was read", underlying: error)
                halt.stop(self.stopReason(of: call.operation, end: end) ?? broken)
            }
            // A stream may end without an error because the task was cancelled.
            if isStream { halt.stop(self.stopReason(of: call.operation, end: end)) }
            for slice in plan.finish() { await start(slice) }
            while let report = await group.next() { collect(report) }
        }
        return try finish(reports, halt.reason, of: call.operation)
    }

    func stopReason(of operation: Feature, end: Duration) -> PushError? {
        let name = operation == .send ? "send" : "change"
        if Task.isCancelled { return PushError(.cancelled, "the \(name) was cancelled", operation: operation) }
        if configuration.clock.elapsed >= end {
            return PushError(
                .timeout, "the deadline of the \(name) passed", retry: .backoff, operation: operation)
        }
        return nil
    }

    /// Whether a list of targets fits one request; an audience that is not a list does.
    private func isOneRequest(_ audience: Audience, _ count: Int) -> Bool {
        if case .accounts(let accounts) = audience, separatesTypes, let type = accounts.first.map(\.type),
            accounts.contains(where: { $0.type != type })
        {
            return false
        }
        return count <= requestSize(audience.features)
    }

    /// Whether a request takes accounts of one type only.
    var separatesTypes: Bool { limits[.accountTypesPerSend]?.maximum == 1 }

    /// The most targets of a request.
    func requestSize(_ features: [Feature]) -> Int {
        let limit: LimitKey =
            switch features {
            case [.audienceAliases]: .aliasesPerSend
            case [.audienceAccounts]: .accountsPerSend
            default: .devicesPerSend
            }
        return limits[limit]?.maximum ?? 1000
    }

    /// Sends what fits one request, without the tasks that a longer list needs.
    private func sendOne(
        _ message: Message, to audience: Audience, _ options: SendOptions
    ) async throws(PushError) -> SendReport {
        // Without a deadline of its own, a send of one request waits no longer than any other call.
        let deadline = newDeadline()
        let end = options.deadline.map { configuration.clock.elapsed + $0 }
        let targets = audience.targets
        var slice = SendPlan.Slice(index: 0)
        if let targets {
            var plan = SendPlan(size: .max, count: targets.count, takes: targetRules.takes)
            for target in targets { _ = plan.add(target) }
            slice = plan.finish().first ?? slice
        }
        let part = slice.exceptions.isEmpty ? audience : Audience(slice.targets)
        var interruption = targets == nil ? nil : stopReason(of: .send, end: end ?? deadline.latest)
        let report: SliceReport
        if interruption == nil, let part {
            // A single send has one deadline for the key and the request; each part of a planned one has its own.
            let prepared = await prepare(message, part, options, within: end.map(partDeadline) ?? deadline)
            let call = sendCall(message, part.features, options)
            report = await run(call, prepared, slice, within: end.map(partDeadline) ?? deadline)
            if targets != nil, let error = report.error, error.isHopeless { interruption = error }
        } else {
            // Refuse a message that can never be sent, whatever else prevents the send now.
            _ = try await decide(.send) { () throws(PushError) in
                try sendRequest(message, to: part ?? audience, key: nil)
            }
            report = unsent(slice, interruption)
        }
        options.onSlice?(report)
        return try finish([report], interruption, of: .send)
    }

    /// The one request of a slice, with its key.
    private func prepare(
        _ message: Message, _ audience: Audience, _ options: SendOptions, within deadline: Deadline
    ) async -> Prepared {
        let (exchange, keying) = await keyed(
            .push, for: .send, within: deadline, isRequired: options.requiresKeys,
            name: options.key.map { SendName(text: $0).key(for: audience) }, firstUsedAt: options.keyFirstUsedAt
        ) { (key) throws(PushError) in try sendRequest(message, to: audience, key: key) }
        return Prepared(exchange: exchange, keying: keying)
    }

    /// Sends a prepared request, or passes its refusal through the layers.
    func run(
        _ prepared: Prepared, _ operation: Feature, within deadline: Deadline
    ) async throws(PushError) -> SendReceipt {
        switch prepared.exchange {
        case .success(let exchange): try await run(planned: exchange, within: deadline)
        case .failure(let refusal): try await refuse(operation, refusal)
        }
    }

    /// The request of a send whose message and targets were checked.
    func sendRequest(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        try request(.send, isCheckedSend: true, try roles.send?(message, audience, newContext(key: key)))
    }

    /// Sends the one request of a slice; never throws, because a failed slice is a value of the report.
    private func run(
        _ call: ListCall, _ prepared: Prepared, _ slice: SendPlan.Slice, within deadline: Deadline
    ) async -> SliceReport {
        var report = SliceReport(
            index: slice.index, targetCount: slice.count, keying: prepared.keying, exceptions: slice.exceptions)
        report.requestCount = prepared.isReady ? 1 : 0
        do throws(PushError) {
            let reply = try await call.run(prepared, slice.targets, deadline)
            report.messageIDs = reply.receipt.messageIDs
            report.requestCount = reply.requestCount
            report.error = reply.error
            report.exceptions += slice.marking(reply.receipt.exceptions)
        } catch {
            report.error = error
            report.messageIDs = error.vendor?.messageID.map { [$0] } ?? []
            report.exceptions += slice.statuses(after: error)
        }
        return report
    }

    /// - Parameter isRefused: the interruption is a refusal of the message, which would hit this slice too.
    private func unsent(
        _ slice: SendPlan.Slice, _ interruption: PushError?, isRefused: Bool = false
    ) -> SliceReport {
        var report = SliceReport(
            index: slice.index, targetCount: slice.count, keying: .unkeyed("nothing was sent"), error: interruption,
            exceptions: slice.exceptions
                + slice.reports { _ in isRefused ? .rejected(mayRetry: false) : .notAttempted })
        report.requestCount = 0
        return report
    }

    private func finish(
        _ slices: [SliceReport], _ interruption: PushError?, of operation: Feature
    ) throws(PushError) -> SendReport {
        var report = SendReport()
        for slice in slices.sorted(by: { $0.index < $1.index }) { report.append(slice) }
        report.interruption = interruption
        let wasAccepted = report.slices.contains { slice in
            slice.isAccepted && slice.acceptedCount != 0
        }
        guard wasAccepted else {
            var error =
                interruption ?? report.slices.lazy.compactMap(\.error).first
                ?? PushError(
                    .invalidArgument, "no valid target is left in the list; see the report", operation: operation)
            error.report = report
            // A refusal of the rest says nothing about a slice whose response was lost.
            if report.slices.contains(where: { $0.error?.effect == .unknown }) { error.effect = .unknown }
            throw error
        }
        return report
    }
}

extension PushError {
    /// Whether every further slice would fail the same way.
    var isHopeless: Bool {
        let kinds: [Kind] = [
            .unauthorized, .blocked, .misconfigured, .unsupported, .quotaExhausted, .stopped, .cancelled,
        ]
        return effect == .notApplied && kinds.contains(kind) && vendor?.verdict == nil
    }
}
