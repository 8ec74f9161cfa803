public import PushAdapter
public import PushClient

/// The result of a call about a user at one of its bindings.
public struct BindingOutcome: Sendable {
    /// The binding.
    public var binding: Binding
    /// The client's answer, or the error.
    public var result: Result<DeviceAnswer, PushError>
}

extension PushRouter {
    /// Makes one call, such as a change of tags, for every device of a user, all at once. Costs each vendor's requests
    /// for that call.
    ///
    /// Returns an outcome for each binding. A vendor without the feature, and a binding that is not a device, refuse
    /// with `unsupported`. Throws if the store fails, and `noTarget` for a user without bindings.
    public func perform(
        _ operation: DeviceOperation, for user: UserID
    ) async throws(PushError) -> [BindingOutcome] {
        let found = try await load([user], for: operation.feature) { try await $0.bindings(of: $1) }
        guard !found.isEmpty else {
            throw PushError(.noTarget, "the user has no binding; nothing was changed", operation: operation.feature)
        }
        var outcomes: [(Int, BindingOutcome)] = []
        await withTaskGroup(of: (Int, BindingOutcome).self) { group in
            for (index, binding) in found.enumerated() {
                group.addTask {
                    do throws(PushError) {
                        let answer = try await self.perform(operation, at: binding)
                        return (index, BindingOutcome(binding: binding, result: .success(answer)))
                    } catch {
                        return (index, BindingOutcome(binding: binding, result: .failure(error)))
                    }
                }
            }
            for await outcome in group { outcomes.append(outcome) }
        }
        return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func perform(
        _ operation: DeviceOperation, at binding: Binding
    ) async throws(PushError) -> DeviceAnswer {
        guard let client = routes[binding.route] else {
            throw Planner.unknownRoute(binding.route, routes.keys, for: operation.feature)
        }
        guard case .device(let device) = binding.target else {
            throw PushError(
                .unsupported, "the binding is an alias or an account, not a device", operation: operation.feature)
        }
        return try await client.perform(operation, of: device)
    }
}
