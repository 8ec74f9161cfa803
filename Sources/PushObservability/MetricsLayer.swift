public import Metrics
public import PushAdapter
public import PushClient

/// Counts calls, attempts, retries and waits.
public struct MetricsLayer: CallLayer {
    private let factory: (any MetricsFactory)?
    private let codes = Locked<Set<VendorCode>>([])
    /// More codes than a vendor returns in a process's life. A server that makes codes up must not create as many time
    /// series.
    private static let mostCodes = 64

    /// - Parameter factory: nil uses the one the process was bootstrapped with, at each call.
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
        var dimensions = labels + [(Vocabulary.outcome, Vocabulary.ok), (Vocabulary.vendorCode, Vocabulary.noCode)]
        defer {
            Counter(label: Vocabulary.calls, dimensions: dimensions, factory: factory).increment()
            Timer(label: Vocabulary.callDuration, dimensions: labels, factory: factory)
                .record(duration: ContinuousClock.now - start)
        }
        do throws(PushError) {
            return try await next(call.observed { Self.count($0, labels, factory) })
        } catch {
            dimensions[2].1 = Vocabulary.label(error.kind.rawValue)
            dimensions[3].1 = error.vendor?.code.map(label) ?? Vocabulary.noCode
            throw error
        }
    }

    private func label(_ code: VendorCode) -> String {
        codes.withLock { codes in
            guard codes.contains(code) || codes.count < Self.mostCodes else { return Vocabulary.other }
            codes.insert(code)
            return code.rawValue
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
