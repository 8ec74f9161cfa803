/// Something that is being read while its reader is still busy with what came before. It ends with its last reference.
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
