import PushCore

/// Whether a client takes new calls, only finishes those in flight, or has ended.
final class ShutdownGate: Sendable {
    private struct State {
        var takesCalls = true
        var isOpen = true
        var callsInFlight = 0
    }

    /// The refusal of everything after a shutdown.
    static let refusal = PushError(.stopped, "the client was shut down; make a new one")

    private let state = Locked(State())

    /// Whether a public call may begin.
    var takesCalls: Bool { state.withLock { $0.takesCalls } }
    /// Whether calls in flight may send their requests.
    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// Whether a public call is in flight.
    var isBusy: Bool { state.withLock { $0.callsInFlight > 0 } }

    /// Counts a public call; false when the client takes none.
    func enter() -> Bool {
        state.withLock { state in
            if state.takesCalls { state.callsInFlight += 1 }
            return state.takesCalls
        }
    }

    func leave() { state.withLock { $0.callsInFlight -= 1 } }

    /// Refuses new calls; those in flight go on.
    func drain() { state.withLock { $0.takesCalls = false } }

    /// Refuses new calls, and the requests of those in flight.
    func close() {
        state.withLock { state in
            state.takesCalls = false
            state.isOpen = false
        }
    }
}
