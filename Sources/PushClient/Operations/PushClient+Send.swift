import FoundationEssentials
public import PushAdapter

extension PushClient {
    /// Sends a message and reports the outcome of every slice and target.
    ///
    /// Costs one request per slice, plus an occasional one for idempotency keys. A slice is an audience that is not a
    /// list, or as many targets of a list as the provider takes at once (`limits[.devicesPerSend]`). A provider that
    /// takes one at a time gets one request per target; a slice then reports on 500. Sends repeated targets once;
    /// reports malformed ones as `malformed` and does not send to them.
    ///
    /// Throws only when nothing was accepted; the error's `report` then has the outcome of each target. Refuses with
    /// `invalidArgument` an empty message or audience, with `unsupported` a feature that the provider lacks, and with
    /// `tooLong` or `limitExceeded` a value above a limit.
    public func send(
        _ message: Message, to audience: Audience, options: SendOptions = SendOptions()
    ) async throws(PushError) -> SendReport {
        try await admitted(.send) { () async throws(PushError) in
            try await decide(.send) { () throws(PushError) in
                try check(message, and: audience)
                try check(options)
            }
            let options = sharingKey(options)
            guard let targets = audience.targets, !isOneRequest(audience, targets.count) else {
                return try await sendOne(message, to: audience, options)
            }
            let call = SendCall(client: self, message: message, features: audience.features, options: options)
            return try await runList(call, to: ListSource(targets: targets))
        }
    }

    /// Sends a message to a stream of devices, reading each id once and sending slices as they fill.
    ///
    /// Stops reading when the stream throws, the deadline passes or the task is cancelled. Ids that were read but not
    /// sent are then `notAttempted`, and the report's `interruption` says why. Checks the deadline at each id, and does
    /// not interrupt a stream that waits. Otherwise like `send(_:to:options:)`.
    public func send<Source: AsyncSequence & Sendable>(
        _ message: Message, toDevices devices: Source, options: SendOptions = SendOptions()
    ) async throws(PushError) -> SendReport where Source.Element == DeviceID {
        let features: [Feature] = [.audienceDevices]
        return try await admitted(.send) { () async throws(PushError) in
            try await decide(.send) { () throws(PushError) in
                try check(message, for: features)
                try check(options)
            }
            let call = SendCall(client: self, message: message, features: features, options: sharingKey(options))
            return try await runList(call, to: devices.map(Target.device))
        }
    }

    /// The options with the one key of all requests, where the vendor wants that.
    private func sharingKey(_ options: SendOptions) -> SendOptions {
        var options = options
        options.messageKey = messageKey(options)
        return options
    }

    // MARK: Slices

    /// Whether a list of targets fits one request; an audience that is not a list does.
    private func isOneRequest(_ audience: Audience, _ count: Int) -> Bool {
        if case .accounts(let accounts) = audience, capabilities.separatesAccountTypes,
            let type = accounts.first.map(\.type),
            accounts.contains(where: { $0.type != type })
        {
            return false
        }
        return count <= requestSize(audience.features)
    }

    /// The most targets of a request.
    package func requestSize(_ features: [Feature]) -> Int {
        let limit: LimitKey =
            switch features {
            case [.audienceAliases]: .aliasesPerSend
            case [.audienceAccounts]: .accountsPerSend
            default: .devicesPerSend
            }
        return limits[limit]?.maximum ?? 1000
    }

    /// Sends an audience that fits one request, without the tasks that a longer list needs.
    private nonisolated(nonsending) func sendOne(
        _ message: Message, to audience: Audience, _ options: SendOptions
    ) async throws(PushError) -> SendReport {
        // Without a deadline of its own, a send of one request waits no longer than any other call.
        let deadline = newDeadline()
        let end = options.deadline.map { configuration.clock.elapsed + $0.bounded }
        let slice = onlySlice(of: audience)
        let isList = audience.targets != nil
        let interruption = isList ? stopReason(of: .send, end: end ?? deadline.latest) : nil
        guard interruption == nil, let part = slice.exceptions.isEmpty ? audience : Audience(slice.targets) else {
            return try await sendNothing(message, audience, slice, options, interruption)
        }
        // A single send has one deadline for the key and the request; each part of a planned one has its own.
        let report = await withTaskExecutorPreference(executor) {
            let forKey = end.map { partDeadline(until: $0) } ?? deadline
            let prepared = await prepare(message, part, options, within: forKey)
            let call = SendCall(client: self, message: message, features: part.features, options: options)
            return await call.runSlice(prepared, slice, within: end.map { partDeadline(until: $0) } ?? deadline)
        }
        options.onSlice?(report)
        let isOver = isList && report.error?.endsList ?? false
        return try finish([report], isOver ? report.error : nil, of: .send)
    }

    /// The targets of an audience that fits one request; none if the audience is not a list.
    @inline(never)
    private func onlySlice(of audience: Audience) -> SendPlan.Slice {
        guard let targets = audience.targets else { return SendPlan.Slice(index: 0) }
        // A single target repeats no other.
        if targets.count == 1, targetRules.takes(targets[0]) {
            return SendPlan.Slice(index: 0, targets: targets, positions: [0])
        }
        var plan = SendPlan(size: .max, count: targets.count, rules: targetRules)
        for target in targets { _ = plan.add(target) }
        return plan.finish().first ?? SendPlan.Slice(index: 0)
    }

    /// Reports on a slice that is not sent, because of an interruption or because no target is left.
    @inline(never)
    private func sendNothing(
        _ message: Message, _ audience: Audience, _ slice: SendPlan.Slice, _ options: SendOptions,
        _ interruption: PushError?
    ) async throws(PushError) -> SendReport {
        // Refuse a message that can never be sent, whatever else prevents the send now.
        _ = try await decide(.send) { () throws(PushError) in
            try sendRequest(message, to: Audience(slice.targets) ?? audience, key: nil)
        }
        let report = unsent(slice, interruption)
        options.onSlice?(report)
        return try finish([report], interruption, of: .send)
    }

    /// The one request of a slice, with its key. Not inlined: its frame would stay in memory for as long as the request.
    @inline(never)
    fileprivate nonisolated(nonsending) func prepare(
        _ message: Message, _ audience: Audience, _ options: SendOptions, within deadline: Deadline
    ) async -> PreparedRequest {
        let (exchange, keying) = await keyed(
            .push, for: .send, within: deadline, isRequired: options.requiresKeys, own: ownKey(options, audience)
        ) { (key) throws(PushError) in try sendRequest(message, to: audience, key: key) }
        return PreparedRequest(exchange: exchange, keying: keying)
    }

    /// Sends a prepared request, or passes its refusal through the layers.
    nonisolated(nonsending) func runPrepared(
        _ prepared: PreparedRequest, _ operation: Feature, within deadline: Deadline, journal: Journal? = nil
    ) async throws(PushError) -> SendReceipt {
        switch prepared.exchange {
        case .success(let exchange): try await runPlanned(exchange, within: deadline, journal: journal)
        case .failure(let refusal): try await refuse(operation, refusal)
        }
    }

    /// The request of a send whose message and targets are already checked.
    func sendRequest(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        let context = newContext(key: key)
        return try request(.send, isCheckedSend: true, try encoded(message, at: context.now)?(audience, context))
    }

    /// The requests of a message. Encoded once for all that are made in the same second, because encodings may have
    /// times.
    private func encoded(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest? {
        guard let encode = roles.send else { return nil }
        return try encodedMessage.value(of: message, at: Int(now.timeIntervalSince1970.rounded(.down))) {
            () throws(PushError) in try encode(message, now)
        }
    }
}

private struct SendCall: ListCall {
    let client: PushClient
    let message: Message
    let options: SendOptions
    let requestSize: Int

    init(client: PushClient, message: Message, features: [Feature], options: SendOptions) {
        self.client = client
        self.message = message
        self.options = options
        requestSize = client.requestSize(features)
    }

    var operation: Feature { .send }
    var sliceSize: Int { requestSize == 1 ? PushClient.fanOutSize : requestSize }

    nonisolated(nonsending) func prepare(_ targets: [Target], within deadline: Deadline) async -> PreparedRequest {
        guard let audience = Audience(targets) else { return PreparedRequest(refusedBy: .noTargets) }
        return await client.prepare(message, audience, options, within: deadline)
    }

    nonisolated(nonsending) func run(
        _ request: PreparedRequest, to targets: [Target], from position: Int, within deadline: Deadline
    ) async throws(PushError) -> ListReply {
        ListReply(receipt: try await client.runPrepared(request, .send, within: deadline))
    }
}
