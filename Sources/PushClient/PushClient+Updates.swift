import PushCore

extension PushClient {
    /// Runs a body while no other change that needs to be alone is made on the device.
    func alone<Output: Sendable>(
        on device: DeviceID, for operation: Feature, _ body: () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        guard await deviceLocks.lock(.device(device)) else {
            throw PushError(.cancelled, "cancelled before anything was sent", operation: operation)
        }
        do throws(PushError) {
            let output = try await body()
            await deviceLocks.unlock(.device(device))
            return output
        } catch {
            await deviceLocks.unlock(.device(device))
            throw error
        }
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
    /// - Parameter displaced: what a step takes the place of, out of what the ledger knows.
    func applyRecorded<Step: Sendable, Element>(
        _ steps: [Step], to device: DeviceID, _ outcome: inout UpdateOutcome<Element>,
        in path: WritableKeyPath<DeviceRecord, Set<Element>>, as change: (Step) -> SetChange<Element>,
        displaced: (Step, Set<Element>) -> Set<Element> = { _, _ in [] },
        _ run: (Step) async throws(PushError) -> Set<Element>
    ) async {
        guard let ledger = configuration.ledger else { return await apply(steps, &outcome, as: change, run) }
        var record: DeviceRecord
        do throws(PushError) {
            record = try await readRecord(of: device)
        } catch {
            outcome.failure = error
            return
        }
        let before = record
        await apply(steps, &outcome, as: change) { (step) throws(PushError) in
            do throws(PushError) {
                let rejected = try await run(step)
                record[keyPath: path].subtract(displaced(step, record[keyPath: path]))
                record.note(change(step), in: path, isConfirmed: true)
                record[keyPath: path].subtract(rejected)
                return rejected
            } catch {
                if error.effect != .notApplied {
                    record[keyPath: path].subtract(displaced(step, record[keyPath: path]))
                    record.note(change(step), in: path, isConfirmed: error.effect == .applied)
                }
                throw error
            }
        }
        guard record != before else { return }
        do {
            try await ledger.keep(record, of: device)
        } catch {
            let failure = PushError(
                .invalidState, "the vendor made the change, and the ledger could not be written", effect: .applied,
                underlying: error)
            outcome.failure = outcome.failure ?? failure
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

    /// Refuses a change before anything is sent. The refusal passes the layers as one call, so that it is logged and counted.
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

    /// Whether changes of one device are made one after the other: to keep a ledger, to replace by several calls, and where the
    /// vendor carries some of them out later than it answers.
    func isAlone(_ operation: Feature) -> Bool {
        guard configuration.ledger == nil, capabilities[operation] == .native else { return true }
        let family = operation.rawValue.prefix { $0 != "." }
        return capabilities.settling.keys.contains { $0.rawValue.prefix { $0 != "." } == family }
    }

    /// Refuses steps of which one has to wait longer than a call may take: it would be refused after the first had been made.
    func checkWait(after steps: [Feature]) throws(PushError) {
        let waits = steps.dropLast().map { capabilities.settling[$0] ?? .zero }
        guard let longest = waits.max(), longest >= configuration.deadline else { return }
        throw PushError(
            .misconfigured,
            "the change has to wait \(longest.rounded) between two calls, and the deadline of a call is "
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
