public import Metrics
public import PushClient
public import PushCore

/// Counts calls, attempts, retries and waits.
public struct MetricsLayer: CallLayer {
    private let factory: (any MetricsFactory)?

    /// - Parameter factory: nil takes the one the process was bootstrapped with, at each call.
    public init(factory: (any MetricsFactory)? = nil) { self.factory = factory }

    /// Passes the call on and records its outcome, duration, attempts, retries and waits.
    public func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        let start = ContinuousClock.now
        let factory = factory ?? MetricsSystem.factory
        let labels = [
            (Vocabulary.provider, Vocabulary.label(call.provider.rawValue)),
            (Vocabulary.operation, Vocabulary.label(call.operation.rawValue)),
        ]
        var outcome = Vocabulary.ok
        defer {
            Counter(label: Vocabulary.calls, dimensions: labels + [(Vocabulary.outcome, outcome)], factory: factory)
                .increment()
            Timer(label: Vocabulary.callDuration, dimensions: labels, factory: factory)
                .record(duration: ContinuousClock.now - start)
        }
        do throws(PushError) {
            return try await next(call.observed { Self.count($0, labels, factory) })
        } catch {
            outcome = Vocabulary.label(error.kind.rawValue)
            throw error
        }
    }

    private static func count(_ event: PushEvent, _ labels: [(String, String)], _ factory: any MetricsFactory) {
        switch event {
        case .attemptStarted: Counter(label: Vocabulary.attempts, dimensions: labels, factory: factory).increment()
        case .retrying(_, _, let cause):
            let dimensions = labels + [(Vocabulary.cause, Vocabulary.label(cause.rawValue))]
            Counter(label: Vocabulary.retries, dimensions: dimensions, factory: factory).increment()
        case .waiting(_, let delay):
            Timer(label: Vocabulary.waits, dimensions: labels, factory: factory).record(duration: delay)
        case .unkeyed: Counter(label: Vocabulary.unkeyed, dimensions: [labels[0]], factory: factory).increment()
        case .answered, .attemptFailed, .retryBudgetEmpty: return
        }
    }
}
