import PushAdapter

extension PushClient {
    /// Runs a body while no other change of the subject runs. To lock a device and an alias, lock the device first.
    func serialized<Output: Sendable>(
        on subject: Subject, for operation: Feature, within deadline: Deadline,
        _ body: () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        guard await deviceLocks.lock(subject, within: deadline) else {
            var interruption = deadline.interruption(Self.late(operation))
            interruption.operation = operation
            throw interruption
        }
        do throws(PushError) {
            // The lock may have come at the last moment.
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

    /// Whether changes of one device run one at a time. They do if there is a ledger, or if the change is emulated.
    /// They also do if another change of its family reads before it writes, or if the vendor applies writes of this
    /// family after it responds.
    func isSerialized(_ operation: Feature) -> Bool {
        guard configuration.ledger == nil, capabilities[operation] == .native else { return true }
        let others = capabilities.writeDelay.keys + emulations.values.filter { $0.way == .comparing }.map(\.feature)
        return others.contains { $0.family == operation.family }
    }

    /// Refuses steps if one would have to wait longer than a call may take, because the call would fail after its first
    /// step.
    func checkWait(after steps: [Feature]) throws(PushError) {
        let longest = steps.dropLast().reduce(Duration.zero) { $0 + (capabilities.writeDelay[$1] ?? .zero) }
        guard longest > .zero, longest >= configuration.deadline else { return }
        throw PushError(
            .misconfigured,
            "the change has to wait \(longest.rounded) between its requests, but the deadline of a call is "
                + "\(configuration.deadline.rounded); nothing was sent")
    }

    // MARK: The ledger

    /// A plan that reads the ledger, for a call that the vendor does not have.
    func planFromLedger<Output: Sendable>(
        _ operation: Feature, of device: DeviceID, _ inputs: [Input] = [],
        _ answer: @escaping @Sendable (DeviceRecord) -> Output
    ) throws(PushError) -> Plan<Output> {
        try limits.check([.devices([device])] + inputs, of: provider.id)
        return Plan(rule: "returns what the client's ledger has recorded") { (_) throws(PushError) in
            answer(try await self.readRecord(of: device, for: operation))
        }
    }

    /// Reads the ledger's record of a device; refuses with `unsupported` if there is no ledger.
    func readRecord(of device: DeviceID, for operation: Feature? = nil) async throws(PushError) -> DeviceRecord {
        guard let ledger = configuration.ledger else {
            throw PushError(
                .unsupported, "\(provider.id) does not report this, and the client has no ledger", operation: operation)
        }
        do {
            return try await ledger.record(of: device)
        } catch {
            throw PushError(
                .invalidState, "the ledger cannot be read; nothing was sent", operation: operation, underlying: error)
        }
    }

    /// Writes to the ledger, even if the task was cancelled.
    func keep(_ record: DeviceRecord, of device: DeviceID, _ otherwise: String) async throws(PushError) {
        guard let ledger = configuration.ledger else { return }
        let writing = Task { try await ledger.keep(record, of: device) }
        if case .failure(let error) = await writing.result {
            throw PushError(.invalidState, "the ledger cannot be written; \(otherwise)", underlying: error)
        }
    }
}
