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
        window.size / max(1, min(targets, ListCall.fanOutSize)) + 2
    }

    /// The most targets of a slice for such an audience.
    package func sliceSize(_ features: [Feature]) -> Int {
        let size = requestSize(features)
        return size == 1 ? ListCall.fanOutSize : size
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
        let call = call(attempt, audience)
        if attempt.slice.targets.count > 0, call.requestSize == 1 {
            let share = window.open(until: end, on: clock)
            defer { share.close() }
            let list = FanOut(call: call, halt: SendHalt(), share: share, end: end)
            return await send(attempt.slice, of: list, first: nil)
        }
        let prepared = await call.prepare(attempt.slice.targets, partDeadline(until: end))
        return await runSlice(call, prepared, attempt.slice, within: partDeadline(until: end))
    }

    private func call(_ attempt: SliceAttempt, _ audience: Audience) -> ListCall {
        let size = requestSize(audience.features)
        let isList = attempt.audience == nil
        let last = attempt.slice.positions.last ?? 0
        var options = SendOptions()
        options.watch = attempt.watch
        var key = attempt.key
        key?.grade = capabilities.callerKeys[.push]?.grade ?? .vendor
        return ListCall(operation: .send, sliceSize: .max, requestSize: size, options: options) { [key] targets, _ in
            let part = isList ? Audience(targets) ?? audience : audience
            do throws(PushError) {
                let exchange = try self.sendRequest(attempt.message, to: part, key: key)
                guard key != nil else {
                    return PreparedRequest(exchange: .success(exchange), keying: self.withoutKeys)
                }
                let (request, keying) = self.keying(of: exchange)
                return PreparedRequest(exchange: request, keying: keying)
            } catch {
                return PreparedRequest(refusedBy: error)
            }
        } run: { (prepared, targets, position, deadline) throws(PushError) in
            let isSingle = isList && size == 1
            let isKeyed = prepared.keying.isKeyed
            let journal = Journal(mayHaveActed: attempt.mayHaveActed, isBulk: attempt.isBulk) {
                () async throws(PushError) in
                try await attempt.note(isSingle ? position : last, isKeyed)
            }
            let slice = SendPlan.Slice(index: 0, targets: targets, positions: [position])
            do throws(PushError) {
                let receipt = try await self.runPrepared(prepared, .send, within: deadline, journal: journal)
                if isSingle { await attempt.onTarget(position, slice.marking(receipt.exceptions).first) }
                return ListCall.Reply(receipt: receipt)
            } catch {
                if isSingle { await attempt.onTarget(position, slice.statuses(after: error).first) }
                throw error
            }
        }
    }
}
