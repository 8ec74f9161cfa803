import PushCore

extension PushClient {
    /// Runs a body while no other change that needs to be alone is made on the device.
    func alone<Output: Sendable>(
        on device: DeviceID, for operation: Feature, within deadline: Deadline,
        _ body: () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        try await alone(with: .device(device), for: operation, within: deadline, body)
    }

    /// The same for any subject; who needs a device and an alias takes the device first.
    func alone<Output: Sendable>(
        with subject: Subject, for operation: Feature, within deadline: Deadline,
        _ body: () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        guard await deviceLocks.lock(subject, within: deadline) else {
            guard !Task.isCancelled else {
                throw PushError(.cancelled, "cancelled before anything was sent", operation: operation)
            }
            throw Self.late(operation)
        }
        do throws(PushError) {
            // Its turn may have come at the last moment.
            guard deadline.remaining > .zero else { throw Self.late(operation) }
            let output = try await body()
            await deviceLocks.unlock(subject)
            return output
        } catch {
            await deviceLocks.unlock(subject)
            throw error
        }
    }

    private static func late(_ operation: Feature) -> PushError {
        PushError(
            .timeout, "earlier changes of the device took until the deadline; nothing was sent", retry: .backoff,
            operation: operation)
    }

    /// Makes the steps of a change one after the other, until one fails.
    /// - Parameter run: makes one step, and answers what the vendor passed over.
    func apply<Step: Sendable, Element>(
        _ steps: [Step], _ outcome: inout UpdateOutcome<Element>, as change: (Step) -> SetChange<Element>,
        _ run: (Step) async throws(PushError) -> Set<Element>
    ) async {
        outcome.isAtomic = outcome.isAtomic && steps.count <= 1
        for step in steps {
            do throws(PushError) {
                outcome.note(change(step), rejected: try await run(step))
            } catch {
                outcome.failure = error
                return
            }
        }
    }

    /// The same, written down in the ledger where there is one.
    ///
    /// What the steps may take away is struck out before the first is sent: whatever happens then, the ledger never
    /// claims too much.
    /// - Parameter displaced: what a step takes the place of, out of what the ledger knows.
    func applyRecorded<Step: Sendable, Element>(
        _ steps: [Step], to device: DeviceID, _ outcome: inout UpdateOutcome<Element>,
        in path: WritableKeyPath<DeviceRecord, Set<Element>>, as change: (Step) -> SetChange<Element>,
        displaced: (Step, Set<Element>) -> Set<Element> = { _, _ in [] },
        _ run: (Step) async throws(PushError) -> Set<Element>
    ) async {
        guard configuration.ledger != nil else { return await apply(steps, &outcome, as: change, run) }
        func note(_ step: Step, in record: inout DeviceRecord, isConfirmed: Bool) {
            record[keyPath: path].subtract(displaced(step, record[keyPath: path]))
            record.note(change(step), in: path, isConfirmed: isConfirmed)
        }
        var record: DeviceRecord
        var kept: DeviceRecord
        do throws(PushError) {
            record = try await readRecord(of: device)
            kept = record
            for step in steps { note(step, in: &kept, isConfirmed: false) }
            if kept != record { try await keep(kept, of: device, "nothing was sent") }
        } catch {
            outcome.failure = error
            return
        }
        await apply(steps, &outcome, as: change) { (step) throws(PushError) in
            do throws(PushError) {
                let rejected = try await run(step)
                note(step, in: &record, isConfirmed: true)
                record[keyPath: path].subtract(rejected)
                return rejected
            } catch {
                if error.effect != .notApplied { note(step, in: &record, isConfirmed: error.effect == .applied) }
                throw error
            }
        }
        guard record != kept else { return }
        do throws(PushError) {
            try await keep(record, of: device, "what the vendor confirmed is missing from it")
        } catch {
            var failure = error
            failure.effect = outcome.confirmedSteps > 0 ? .applied : failure.effect
            outcome.failure = outcome.failure ?? failure
        }
    }

    /// Writes to the ledger, also for a task that was cancelled.
    private func keep(_ record: DeviceRecord, of device: DeviceID, _ otherwise: String) async throws(PushError) {
        guard let ledger = configuration.ledger else { return }
        let writing = Task { try await ledger.keep(record, of: device) }
        if case .failure(let error) = await writing.result {
            throw PushError(.invalidState, "the ledger cannot be written; \(otherwise)", underlying: error)
        }
    }

    /// What the ledger says about a device, for a call that the vendor does not have; a refusal passes the layers.
    func remembered(
        _ operation: Feature, of device: DeviceID, _ check: () throws(PushError) -> Void = {}
    ) async throws(PushError) -> DeviceRecord {
        try await refusing(operation) { () throws(PushError) in
            try checkOpen()
            try validation.check(device)
            try check()
        }
        do throws(PushError) {
            return try await readRecord(of: device)
        } catch {
            var error = error
            error.operation = operation
            throw error
        }
    }

    /// What the ledger says about a device; refuses with `unsupported` where there is no ledger.
    func readRecord(of device: DeviceID) async throws(PushError) -> DeviceRecord {
        guard let ledger = configuration.ledger else {
            throw PushError(.unsupported, "\(provider.id) does not tell, and the client has no ledger to ask")
        }
        do {
            return try await ledger.record(of: device)
        } catch {
            throw PushError(.invalidState, "the ledger cannot be read; nothing was sent", underlying: error)
        }
    }

    /// Refuses a change before anything is sent. The refusal passes the layers as one call, so that it is logged and
    /// counted.
    func refusing<Output: Sendable>(
        _ operation: Feature, _ check: () throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        do throws(PushError) {
            return try check()
        } catch {
            let refusal = error
            return try await run(operation) { () throws(PushError) -> Exchange<Output> in throw refusal }
        }
    }

    /// Whether changes of one device are made one after the other: to keep a ledger, to replace by several calls, and
    /// where the vendor carries some of them out later than it answers.
    func isAlone(_ operation: Feature) -> Bool {
        guard configuration.ledger == nil, capabilities[operation] == .native else { return true }
        let family = operation.rawValue.prefix { $0 != "." }
        return capabilities.settling.keys.contains { $0.rawValue.prefix { $0 != "." } == family }
    }

    /// Whether the client makes a feature from other calls; an adapter may have an emulation of its own.
    func isEmulatedHere(_ feature: Feature) -> Bool {
        guard case .unsupported = provider.capabilities[feature], case .emulated = capabilities[feature] else {
            return false
        }
        return true
    }

    /// Refuses steps of which one has to wait longer than a call may take: it would be refused after the first had been
    /// made.
    func checkWait(after steps: [Feature]) throws(PushError) {
        let longest = steps.dropLast().reduce(Duration.zero) { $0 + (capabilities.settling[$1] ?? .zero) }
        guard longest > .zero, longest >= configuration.deadline else { return }
        throw PushError(
            .misconfigured,
            "the change has to wait \(longest.rounded) between its requests, and the deadline of a call is "
                + "\(configuration.deadline.rounded); nothing was sent")
    }
}

extension UpdateOutcome {
    /// The outcome, or the failure of a change of which nothing was made.
    func orFailure() throws(PushError) -> UpdateOutcome {
        if let failure, confirmedSteps == 0 { throw failure }
        return self
    }
}
