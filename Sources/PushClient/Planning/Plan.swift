import PushAdapter

/// A planned call: its requests are made and checked, and none is sent yet.
///
/// Running sends them, ``PushClient/explain(_:of:)`` lists them, and a device session keeps the plan that it admitted.
package struct Plan<Output: Sendable>: Sendable {
    /// The known requests; `rule` describes those that depend on a response.
    var requests: [PlannedRequest] = []
    /// A description of further requests, if they depend on responses or the ledger.
    var rule: String?
    /// The device whose other changes wait until this one is done.
    var serializedOn: Subject?
    /// Sends the requests, in order.
    var body: @Sendable (Deadline) async throws(PushError) -> Output

    /// The same plan with another output.
    func map<Other>(_ transform: @escaping @Sendable (Output) throws(PushError) -> Other) -> Plan<Other> {
        let body = body
        return Plan<Other>(requests: requests, rule: rule, serializedOn: serializedOn) { (deadline) throws(PushError) in
            try transform(try await body(deadline))
        }
    }

    /// The same plan as part of another call. Its errors name that call.
    /// - Parameter changesNothing: the plan only reads, so whatever happens, the call has changed nothing.
    func standing(for operation: Feature, changesNothing: Bool = false) -> Plan {
        let body = body
        var plan = self
        plan.body = { (deadline) throws(PushError) in
            do throws(PushError) {
                return try await body(deadline)
            } catch {
                var error = error
                error.operation = operation
                if changesNothing { error.effect = .notApplied }
                throw error
            }
        }
        return plan
    }
}

extension PushClient {
    /// Plans a call and runs it.
    func perform<Output: Sendable>(
        _ operation: Feature, _ plan: @autoclosure () throws(PushError) -> Plan<Output>
    ) async throws(PushError) -> Output {
        try await admitted(operation) { () async throws(PushError) in
            let deadline = newDeadline()
            return try await runPlan(try await decide(operation, plan), for: operation, within: deadline)
        }
    }

    /// Runs a plan, one at a time per subject where it needs that.
    func runPlan<Output: Sendable>(
        _ plan: Plan<Output>, for operation: Feature, within deadline: Deadline
    ) async throws(PushError) -> Output {
        guard let subject = plan.serializedOn else { return try await plan.body(deadline) }
        return try await serialized(on: subject, for: operation, within: deadline) { () async throws(PushError) in
            try await plan.body(deadline)
        }
    }

    /// Decides something before anything is sent. A refusal goes through the layers as one call, so it is logged and
    /// counted.
    nonisolated(nonsending) func decide<Decision: Sendable>(
        _ operation: Feature, _ decision: () throws(PushError) -> Decision
    ) async throws(PushError) -> Decision {
        do throws(PushError) {
            return try decision()
        } catch {
            return try await refuse(operation, error)
        }
    }
}
