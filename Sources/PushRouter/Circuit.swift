import PushClient
public import PushCore

/// Whether a route is passed over, because its requests failed often in a row.
final class Circuit: Sendable {
    private struct State {
        var failures = 0
        var openUntil: Duration?
    }

    private let route: RouteName
    private let policy: CircuitPolicy
    private let clock: any PushClock
    private let state = Locked(State())

    init(_ route: RouteName, _ policy: CircuitPolicy, _ clock: any PushClock) {
        self.route = route
        self.policy = policy
        self.clock = clock
    }

    /// How long the route is still passed over; nil while it is not.
    var rest: Duration? {
        state.withLock { state in
            guard let rest = state.openUntil.map({ $0 - clock.elapsed }), rest > .zero else { return nil }
            return rest
        }
    }

    var isOpen: Bool { rest != nil }

    /// Notes the outcome of a request; nil for one that the vendor took. Only a connection that failed counts: what the vendor
    /// refuses may be the message's own.
    func note(_ error: PushError?) {
        state.withLock { state in
            guard let error, error.effect != .applied else {
                state = State()
                return
            }
            guard error.kind == .transport, error.retry != .never else {
                if error.vendor != nil, error.effect == .notApplied { state = State() }
                return
            }
            guard error.effect == .notApplied else { return }
            state.failures += 1
            guard state.failures >= policy.failures else { return }
            // The next failure after the pause opens it again.
            state = State(failures: policy.failures - 1, openUntil: clock.elapsed + policy.pause)
        }
    }

    /// A watch that ends a list once the route is passed over, or only notes the outcomes.
    func watch(endsList: Bool) -> any SendWatch { Watch(circuit: self, endsList: endsList) }

    private struct Watch: SendWatch {
        let circuit: Circuit
        let endsList: Bool

        func note(_ error: PushError?) { circuit.note(error) }

        var stopReason: PushError? {
            guard endsList, let pause = circuit.rest else { return nil }
            return PushError(
                .passedOver,
                "the route \(Redaction.quoted(circuit.route.rawValue)) failed often in a row and is passed over; "
                    + "nothing was sent", retry: .after(pause), operation: .send)
        }
    }
}

extension PushError.Kind {
    /// The route failed often in a row, so the vendor was not asked.
    public static let passedOver: PushError.Kind = "passedOver"
}
