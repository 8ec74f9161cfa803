package import PushAdapter

/// For programs that store their sends so that a crash cannot lose them. A slice is one call with one attempt. It
/// leaves only after the program has recorded that it may have been sent.
extension PushClient {
    /// Where the idempotency keys of pushes come from.
    package enum PushKeys: Sendable, Hashable {
        /// The vendor has none.
        case none
        /// The vendor makes them.
        case vendor
        /// The caller makes them.
        case caller(KeyMemory)
    }

    /// Where the keys of this vendor's pushes come from.
    package var pushKeys: PushKeys {
        if let memory = capabilities.callerKeys[.push] { return .caller(memory) }
        return roles.mintKeys == nil ? .none : .vendor
    }

    /// Whether a push may be repeated with its key after an unknown outcome.
    package var repeatsPushes: Bool {
        configuration.retry.repeatsAfterUnknown.contains(capabilities.callerKeys[.push]?.grade ?? .vendor)
    }

    /// Whether all pushes of a message have one key.
    package var sharesPushKey: Bool { capabilities.callerKeys[.push]?.scope == .message }

    /// Whether each target of a list gets a request of its own.
    package func sendsSingly(_ features: [Feature]) -> Bool { requestSize(features) == 1 }

    /// How many slices keep the window full, at a vendor that takes one target per request.
    /// - Parameter targets: the average number of targets in a slice.
    package func slicesForWindow(of targets: Int) -> Int {
        window.size / max(1, min(targets, Self.fanOutSize)) + 2
    }

    /// The most targets of a slice for such an audience.
    package func sliceSize(_ features: [Feature]) -> Int {
        let size = requestSize(features)
        return size == 1 ? Self.fanOutSize : size
    }

    /// A plan that cuts a list for such an audience as `send` does. A slice of only repeated or malformed targets has
    /// no target to send to.
    package func sendPlan(_ features: [Feature]) -> SendPlan {
        SendPlan(
            size: sliceSize(features), count: 0, separatesTypes: capabilities.separatesAccountTypes,
            mostExceptions: 10_000,
            rules: targetRules)
    }

    /// Takes a key that the vendor made, or throws the reason why there is none. May cost a request.
    package func takeKey() async throws(PushError) -> IdempotencyKey {
        try await admitted(.mintKeys) { () async throws(PushError) in
            guard let pool = keyPools[.push] else { throw PushError(.unsupported, "\(provider.id) has no keys") }
            return try await pool.take(within: newDeadline(), mint(for: .send)).get()
        }
    }

    /// One attempt of a slice.
    package struct SliceAttempt: Sendable {
        package var message: Message
        /// The open targets, with positions in the slice; none if the audience is not a list.
        package var slice: SendPlan.Slice
        /// The audience, if it is not a list.
        package var audience: Audience?
        package var key: IdempotencyKey?
        /// Whether the vendor may have acted on an earlier attempt with the key.
        package var mayHaveActed = false
        /// Whether it is part of a list of millions, which leaves a tenth of each quota to other messages.
        package var isBulk = false
        /// How long the attempt may take, with its waits for quotas.
        package var time: Duration
        /// Called before the first byte of each request, with the position of its last target, and whether it carries
        /// the key. Some requests of a vendor with keys cannot carry one.
        package var note: @Sendable (Int, Bool) async throws(PushError) -> Void
        /// Gets the outcome of a target that had a request of its own: nil if it was accepted.
        package var onTarget: @Sendable (Int, TargetReport?) async -> Void = { _, _ in }
        /// Sees the outcome of each request, and may end the list.
        package var watch: (any SendWatch)?

        package init(
            _ message: Message, slice: SendPlan.Slice, audience: Audience?, time: Duration,
            note: @escaping @Sendable (Int, Bool) async throws(PushError) -> Void
        ) {
            (self.message, self.slice, self.audience) = (message, slice, audience)
            self.time = time
            self.note = note
        }
    }

    /// Sends a slice with one attempt for each of its requests. Planning has already checked its targets.
    ///
    /// Never throws: the report holds the errors. With `mayHaveActed`, targets that are not known to be accepted are
    /// unknown.
    package func send(_ attempt: SliceAttempt) async -> SliceReport {
        let clock = configuration.clock
        let end = clock.elapsed + attempt.time.bounded
        guard let audience = attempt.audience ?? Audience(attempt.slice.targets) else {
            return unsent(attempt.slice, .noTargets)
        }
        guard gate.enter() else { return unsent(attempt.slice, ShutdownGate.refusal) }
        defer { gate.leave() }
        let call = SliceCall(client: self, attempt: attempt, audience: audience)
        if attempt.slice.targets.count > 0, call.requestSize == 1 {
            let share = window.open(until: end, on: clock)
            defer { share.close() }
            let list = FanOut(call: call, halt: SendHalt(), share: share, end: end)
            return await list.send(list.begin(attempt.slice), first: nil)
        }
        let prepared = await call.prepare(attempt.slice.targets, within: partDeadline(until: end))
        return await call.runSlice(prepared, attempt.slice, within: partDeadline(until: end))
    }
}

/// An attempt for a slice.
private struct SliceCall: ListCall {
    let client: PushClient
    let attempt: PushClient.SliceAttempt
    let audience: Audience
    let key: IdempotencyKey?
    let options: SendOptions
    let requestSize: Int

    init(client: PushClient, attempt: PushClient.SliceAttempt, audience: Audience) {
        self.client = client
        self.attempt = attempt
        self.audience = audience
        requestSize = client.requestSize(audience.features)
        var key = attempt.key
        key?.grade = client.capabilities.callerKeys[.push]?.grade ?? .vendor
        self.key = key
        var options = SendOptions()
        options.watch = attempt.watch
        self.options = options
    }

    var operation: Feature { .send }
    var sliceSize: Int { .max }
    private var isList: Bool { attempt.audience == nil }
    /// Whether each target has a request of its own.
    private var isSingle: Bool { isList && requestSize == 1 }

    nonisolated(nonsending) func prepare(_ targets: [Target], within deadline: Deadline) async -> PreparedRequest {
        let part = isList ? Audience(targets) ?? audience : audience
        do throws(PushError) {
            let exchange = try client.sendRequest(attempt.message, to: part, key: key)
            guard key != nil else {
                return PreparedRequest(exchange: .success(exchange), keying: client.withoutKeys)
            }
            let (request, keying) = try client.keying(of: exchange)
            return PreparedRequest(exchange: request, keying: keying)
        } catch {
            return PreparedRequest(refusedBy: error)
        }
    }

    nonisolated(nonsending) func run(
        _ request: PreparedRequest, to targets: [Target], from position: Int, within deadline: Deadline
    ) async throws(PushError) -> ListReply {
        let isKeyed = request.keying.isKeyed
        let marked = isSingle ? position : attempt.slice.positions.last ?? 0
        let journal = Journal(mayHaveActed: attempt.mayHaveActed, isBulk: attempt.isBulk) {
            [attempt] () async throws(PushError) in
            try await attempt.note(marked, isKeyed)
        }
        let slice = SendPlan.Slice(index: 0, targets: targets, positions: [position])
        do throws(PushError) {
            let receipt = try await client.runPrepared(request, .send, within: deadline, journal: journal)
            if isSingle { await attempt.onTarget(position, slice.marking(receipt.exceptions).first) }
            return ListReply(receipt: receipt)
        } catch {
            if isSingle { await attempt.onTarget(position, slice.statuses(after: error).first) }
            throw error
        }
    }

    nonisolated(nonsending) func noteSkipped(_ target: Target, at position: Int, because reason: PushError) async {
        let slice = SendPlan.Slice(index: 0, targets: [target], positions: [position])
        await attempt.onTarget(position, slice.statuses(after: reason).first)
    }
}
