import PushAdapter
public import PushClient

/// Layers around a check's calls, and everything they wrote. The kit searches that text for secrets.
public struct ConformanceObserver: Sendable {
    let layers: [any CallLayer]
    let transcript: @Sendable () -> String

    /// - Parameters:
    ///   - layers: put around every call of a check.
    ///   - transcript: everything written so far: log lines, labels of metrics, spans.
    public init(layers: [any CallLayer], transcript: @escaping @Sendable () -> String) {
        self.layers = layers
        self.transcript = transcript
    }

    /// Records the events of calls, as their descriptions print them.
    public static func events() -> ConformanceObserver {
        let recorder = EventRecorder()
        return ConformanceObserver(layers: [recorder]) { recorder.text }
    }
}

private final class EventRecorder: CallLayer {
    private let lines = Locked<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        let observed = call.observed { event in
            if case .attemptFailed(let number, let error) = event { self.add("attempt \(number): \(error)") }
            if case .answered(let status, let facts) = event { self.add("answered \(status) \(facts)") }
        }
        do throws(PushError) {
            if case .success(let exchange) = call.exchange { add("\(call.operation) \(exchange.request)") }
            return try await next(observed)
        } catch {
            add("\(call.operation): \(error)")
            throw error
        }
    }

    private func add(_ line: String) { lines.withLock { $0.append(line) } }
}
