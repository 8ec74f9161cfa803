package import PushAdapter
package import PushClient

/// A circuit breaker: skips a route after several unanswered requests in a row.
///
/// A target may bring an address of its own, as one of Web Push does. Its origin says nothing about the others, so its
/// unanswered requests count for that origin alone, and only its targets are skipped.
package final class CircuitBreaker: Sendable {
    /// The state of the route or of one origin, from its first failure to its next answer.
    private struct State {
        var failures = 0
        /// When the last failure was counted.
        var countedAt: Duration = .zero
        var openUntil: Duration?
        /// How often it was opened since the last success.
        var openings = 0
        /// When the one request began that tries an origin after its pause; nil if none is in flight.
        var trial: Duration?
    }

    /// The most origins that are kept. Strangers may bring any number: the one that failed longest ago leaves.
    package static let mostOrigins = 1024

    private let route: RouteName
    private let failures: Int
    private let pause: Duration
    private let longestPause: Duration
    private let countsServerErrors: Bool
    private let clock: any PushClock
    /// By origin; nil is the route.
    private let states = Locked<[String?: State]>([:])
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
        guard let end = states.withLock({ $0[String?.none]?.openUntil }) else { return nil }
        let rest = end - clock.elapsed
        return rest > .zero ? rest : nil
    }

    package var isOpen: Bool { rest != nil }

    /// Whether it was opened, and no request has succeeded since.
    package var isOnTrial: Bool { states.withLock { $0[String?.none]?.openings ?? 0 > 0 } }

    /// Whether to skip a request to an origin, and for how long. After its pause, one request at a time tries it.
    private func beginTrial(of origin: String) -> Duration? {
        let now = clock.elapsed
        return states.withLock { states in
            guard let state = states[origin], let end = state.openUntil else { return nil }
            guard end <= now else { return end - now }
            guard state.trial == nil else { return pause }
            states[origin]?.trial = now
            return nil
        }
    }

    /// Whether the vendor has answered a request since the process began.
    package var hasAnswered: Bool { answered.withLock { $0 } }

    /// Records the outcome of a request; nil if the vendor accepted it. Only a request without an answer counts,
    /// because a refusal may be the message's own fault. One broken connection fails many requests, so failures of
    /// requests that run at the same time count as one.
    /// - Parameters:
    ///   - origin: the origin of the target's own address, if it has one.
    ///   - start: when the request began.
    package func note(_ error: PushError?, at origin: String? = nil, begunAt start: Duration) {
        if error?.vendor != nil || (error?.effect ?? .applied) == .applied { answered.withLock { $0 = true } }
        states.withLock { states in
            var state = states[origin] ?? State()
            if let trial = state.trial, start >= trial { state.trial = nil }
            if let error, error.effect != .applied {
                if isUnanswered(error) {
                    count(&state, begunAt: start)
                } else if error.vendor != nil, error.effect == .notApplied {
                    state = State()
                }
            } else {
                state = State()
            }
            states[origin] = state.failures > 0 || state.openings > 0 ? state : nil
            Self.makeRoom(in: &states)
        }
    }

    /// Counts a failure.
    private func count(_ state: inout State, begunAt start: Duration) {
        guard start >= state.countedAt else { return }
        state.failures += 1
        state.countedAt = clock.elapsed
        guard state.failures >= failures else { return }
        // The next failure after the pause opens it again.
        state.failures = failures - 1
        state.openUntil = clock.elapsed + min(longestPause, pause * (1 << min(state.openings, 16)))
        state.openings += 1
    }

    private static func makeRoom(in states: inout [String?: State]) {
        guard states.count > mostOrigins else { return }
        let oldest = states.lazy.filter { $0.key != nil }.min { $0.value.countedAt < $1.value.countedAt }
        if let oldest { states[oldest.key] = nil }
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

    /// A watch that ends a list once the circuit breaker is open and skips the targets at origins where it is, or only
    /// records the outcomes.
    /// - Parameter endsList: whether it does more than record.
    package func watch(endsList: Bool) -> any SendWatch { Watch(circuit: self, endsList: endsList) }

    private struct Watch: SendWatch {
        let circuit: CircuitBreaker
        let endsList: Bool

        func note(_ error: PushError?, at origin: String?, begunAt start: Duration) {
            circuit.note(error, at: origin, begunAt: start)
        }

        func begin(at origin: String) -> PushError? {
            guard endsList, let pause = circuit.beginTrial(of: origin) else { return nil }
            return refusal("the origin \(Redaction.quoted(origin))", pause)
        }

        var stopReason: PushError? {
            guard endsList, let pause = circuit.rest else { return nil }
            return refusal("the route \(Redaction.quoted(circuit.route.rawValue))", pause)
        }

        private func refusal(_ place: String, _ pause: Duration) -> PushError {
            PushError(
                .circuitOpen, "\(place) gave no answer often in a row and is passed over; nothing was sent",
                retry: .after(pause), operation: .send)
        }
    }
}
