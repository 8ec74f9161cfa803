package import PushAdapter
package import PushClient

/// A circuit breaker: skips a route after several unanswered requests in a row.
package final class CircuitBreaker: Sendable {
    private struct State {
        var failures = 0
        /// When the last failure was counted.
        var countedAt: Duration = .zero
        var openUntil: Duration?
        /// How often it was opened since the last success.
        var openings = 0
    }

    private let route: RouteName
    private let failures: Int
    private let pause: Duration
    private let longestPause: Duration
    private let countsServerErrors: Bool
    private let clock: any PushClock
    private let state = Locked(State())
    private let answered = Locked(false)

    /// - Parameters:
    ///   - failures: how many in a row open it.
    ///   - pause: how long it is open.
    ///   - longestPause: the pause doubles with each opening in a row, up to this; nil keeps it constant.
    ///   - countsServerErrors: whether a server error counts as no answer.
    package init(
        _ route: RouteName, failures: Int, pause: Duration, longestPause: Duration? = nil,
        countsServerErrors: Bool = false, clock: any PushClock
    ) {
        (self.route, self.failures, self.pause) = (route, failures, pause.bounded)
        self.longestPause = (longestPause ?? pause).bounded
        self.countsServerErrors = countsServerErrors
        self.clock = clock
    }

    /// How long the circuit breaker still skips the route; nil while it does not.
    package var rest: Duration? {
        state.withLock { state in
            guard let rest = state.openUntil.map({ $0 - clock.elapsed }), rest > .zero else { return nil }
            return rest
        }
    }

    package var isOpen: Bool { rest != nil }

    /// Whether it was opened, and no request has succeeded since.
    package var isOnTrial: Bool { state.withLock { $0.openings > 0 } }

    /// Whether the vendor has answered a request since the process began.
    package var hasAnswered: Bool { answered.withLock { $0 } }

    /// Records the outcome of a request; nil if the vendor accepted it. Only a request without an answer counts,
    /// because a refusal may be the message's own fault. One broken connection fails many requests, so failures of
    /// requests that run at the same time count as one.
    /// - Parameter start: when the request began.
    package func note(_ error: PushError?, begunAt start: Duration) {
        if error?.vendor != nil || (error?.effect ?? .applied) == .applied { answered.withLock { $0 = true } }
        state.withLock { state in
            guard let error, error.effect != .applied else {
                state = State()
                return
            }
            guard isUnanswered(error) else {
                if error.vendor != nil, error.effect == .notApplied { state = State() }
                return
            }
            guard start >= state.countedAt else { return }
            state.failures += 1
            state.countedAt = clock.elapsed
            guard state.failures >= failures else { return }
            // The next failure after the pause opens it again.
            state.failures = failures - 1
            state.openUntil = clock.elapsed + min(longestPause, pause * (1 << min(state.openings, 16)))
            state.openings += 1
        }
    }

    /// Whether the vendor gave no answer, or its service gave no token. A server that is not trusted does not count: a
    /// person must look at it.
    private func isUnanswered(_ error: PushError) -> Bool {
        switch error.kind {
        case _ where TargetReport.Failure(error).isOutOfReach: true
        // If nothing was sent, this machine had no time.
        case .timeout: error.effect == .unknown
        case .server, .malformedResponse: countsServerErrors
        default: false
        }
    }

    /// A watch that ends a list once the circuit breaker is open, or only records the outcomes.
    package func watch(endsList: Bool) -> any SendWatch { Watch(circuit: self, endsList: endsList) }

    private struct Watch: SendWatch {
        let circuit: CircuitBreaker
        let endsList: Bool

        func note(_ error: PushError?, begunAt start: Duration) { circuit.note(error, begunAt: start) }

        var stopReason: PushError? {
            guard endsList, let pause = circuit.rest else { return nil }
            return PushError(
                .circuitOpen,
                "the route \(Redaction.quoted(circuit.route.rawValue)) gave no answer often in a row and is passed over; "
                    + "nothing was sent", retry: .after(pause), operation: .send)
        }
    }
}
