/// A read that runs while its reader is still busy with the previous page. It is cancelled with its last reference.
package final class Prefetch<Value: Sendable>: Sendable {
    private let task: Task<Value, any Error>

    package init(_ read: @escaping @Sendable () async throws -> Value) { task = Task(operation: read) }

    deinit { task.cancel() }

    package func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
