import PushAdapter

/// A change of a device's tags, accounts or attributes, as steps of one request each.
struct SetPlan<Element: Hashable & Sendable>: Sendable {
    struct Step: Sendable {
        /// Removals come after additions.
        let changes: [SetUpdate<Element>]
        /// The request; it returns the elements that the vendor ignored.
        let exchange: Exchange<Set<Element>>
    }

    let device: DeviceID
    let steps: [Step]
    /// Where the ledger keeps the set; nil if it keeps none.
    var path: (any WritableKeyPath<DeviceRecord, Set<Element>> & Sendable)?
    /// The elements in the ledger that a step replaces.
    var displaced: @Sendable (SetUpdate<Element>, Set<Element>) -> Set<Element> = { _, _ in [] }
    /// Refuses elements that the device has no room for, by the ledger's record.
    var checkRoom: (@Sendable (DeviceRecord) throws(PushError) -> Void)?

    /// Applies a step to the ledger's record.
    private func note(
        _ step: Step, in record: inout DeviceRecord, isConfirmed: Bool, rejected: Set<Element> = []
    ) {
        guard let path else { return }
        for change in step.changes {
            record[keyPath: path].subtract(displaced(change, record[keyPath: path]))
            record.note(change, in: path, isConfirmed: isConfirmed)
        }
        record[keyPath: path].subtract(rejected)
    }

    /// Sends the steps one after the other, until one fails.
    ///
    /// With a ledger, strikes out what the steps may remove before it sends the first: whatever happens then, the
    /// ledger never claims too much.
    func runSteps(_ client: PushClient, _ outcome: inout UpdateOutcome<Element>, within deadline: Deadline) async {
        let isKept = client.configuration.ledger != nil && path != nil
        var record = DeviceRecord()
        var kept = record
        do throws(PushError) {
            if isKept {
                record = try await client.readRecord(of: device)
                kept = record
                if let checkRoom, let first = steps.first?.exchange.operation {
                    try await client.decide(first) { () throws(PushError) in try checkRoom(record) }
                }
                var struck = record
                for step in steps { note(step, in: &struck, isConfirmed: false) }
                if struck != record { try await client.keep(struck, of: device, "nothing was sent") }
                kept = struck
            }
            for step in steps {
                do throws(PushError) {
                    let rejected = try await client.runPlanned(step.exchange, within: deadline)
                    outcome.note(step.changes, rejected: rejected)
                    note(step, in: &record, isConfirmed: true, rejected: rejected)
                } catch {
                    if error.effect != .notApplied { note(step, in: &record, isConfirmed: error.effect == .applied) }
                    throw error
                }
            }
        } catch {
            outcome.failure = error
        }
        guard isKept, record != kept else { return }
        do throws(PushError) {
            try await client.keep(record, of: device, "what the vendor confirmed is missing from it")
        } catch {
            var failure = error
            failure.effect = outcome.confirmedSteps > 0 ? .applied : failure.effect
            outcome.failure = outcome.failure ?? failure
        }
    }
}

extension PushClient {
    /// A plan of a change's steps, serialized with other changes of the device where that matters.
    func planSet<Element>(
        _ feature: Feature, _ set: SetPlan<Element>
    ) throws(PushError) -> Plan<UpdateOutcome<Element>> {
        let operations = set.steps.map(\.exchange.operation)
        try checkWait(after: operations)
        let isSerial = Set(operations).count > 1 || isSerialized(feature)
        return Plan(
            requests: set.steps.map { PlannedRequest($0.exchange) }, serializedOn: isSerial ? .device(set.device) : nil
        ) { (deadline) throws(PushError) in
            var outcome = UpdateOutcome<Element>()
            outcome.isAtomic = set.steps.count <= 1
            await set.runSteps(self, &outcome, within: deadline)
            return try outcome.orFailure()
        }
    }

    /// Refuses a change that the client cannot make, and an empty one.
    func check<Element>(
        _ change: SetUpdate<Element>, _ feature: Feature, _ name: String
    ) throws(PushError) {
        try require(feature)
        guard !change.isWhole, change.elements.isEmpty else { return }
        throw PushError(.invalidArgument, "there is no \(name) to add or remove; use clear to remove all")
    }
}

extension SetUpdate {
    /// A replacement by clearing and adding.
    var byClearing: [SetUpdate] { [.clear] + (elements.isEmpty ? [] : [.add(elements)]) }
}
