import PushAdapter

/// Refuses calls that cannot succeed, before anything is sent: invalid input, or an operation the provider does not
/// have.
struct GuardLayer {
    let capabilities: Capabilities
    let gate: ShutdownGate

    nonisolated(nonsending) func intercept(
        _ call: AnyCall, next: nonisolated(nonsending) @Sendable (AnyCall) async throws(PushError) -> any Sendable
    ) async throws(PushError) -> any Sendable {
        do throws(PushError) {
            guard gate.isOpen else { throw ShutdownGate.refusal }
            let exchange = try call.exchange.get()
            if case .unsupported(let reason) = capabilities[call.operation] {
                throw PushError(.unsupported, "\(call.provider) cannot do \(call.operation): \(reason)")
            }
            if !call.isChecked { try capabilities.check(exchange.inputs, of: call.provider) }
            if exchange.idempotency == .unkeyed { call.emit(.unkeyed) }
        } catch {
            var error = error
            error.operation = call.operation
            throw error
        }
        guard !Task.isCancelled else {
            throw PushError(.cancelled, "the task was cancelled before anything was sent", operation: call.operation)
        }
        return try await next(call)
    }
}
