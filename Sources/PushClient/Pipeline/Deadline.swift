import PushAdapter

/// The moment by which a public call must end, with all its requests, waits and retries. Not a timer: layers check it,
/// so that no wait goes past it.
public final class Deadline: Sendable {
    let clock: any PushClock
    /// Ends waits when the client is shut down.
    private let gate: ShutdownGate
    /// Elapsed time of the clock at which the call ends.
    private let end: Locked<Duration>
    /// A wait with a known end moves the end, up to this moment; nil if waits do not move it.
    private let movableUntil: Duration?
    /// The call's place in the window, which it gives back while it waits; nil for a call that needs none.
    private let place: WindowPlace?
    /// The latest elapsed time at which the call can end.
    let latest: Duration
    /// Whether the call waits while the vendor gives no access token or key, as it does for a throttle.
    let outlastsOutages: Bool

    init(
        after duration: Duration, clock: any PushClock, gate: ShutdownGate, movableUntil: Duration? = nil,
        place: WindowPlace? = nil, outlastsOutages: Bool = false
    ) {
        self.clock = clock
        self.gate = gate
        self.movableUntil = movableUntil
        self.place = place
        self.outlastsOutages = outlastsOutages
        let first = clock.elapsed + duration
        end = Locked(first)
        latest = movableUntil ?? first
    }

    /// Time that is left, never negative.
    public var remaining: Duration { max(.zero, end.withLock { $0 } - clock.elapsed) }

    /// Whether a wait of this length ends before the deadline.
    /// - Parameter isKnown: the end of the wait is known, so it does not count against a planned send.
    func allows(_ wait: Duration, isKnown: Bool) -> Bool {
        if isKnown, let movableUntil { return clock.elapsed + wait < movableUntil }
        return wait < remaining
    }

    /// A deadline for the first half of the time, so that time is left for the rest of the call.
    func half() -> Deadline {
        let time = remaining / 2
        return Deadline(
            after: time, clock: clock, gate: gate, movableUntil: movableUntil.map { $0 - time }, place: place,
            outlastsOutages: outlastsOutages)
    }

    /// Does not count a wait against a planned send.
    func extend(by duration: Duration) {
        if let movableUntil { end.withLock { $0 = min($0 + duration, movableUntil) } }
    }
}

/// Waits, during which others use the call's place.
extension Deadline {
    /// Waits, or throws `cancelled`, `stopped` or `timeout` with nothing applied.
    func wait(_ duration: Duration, isKnown: Bool) async throws(PushError) {
        giveBackPlace()
        let start = clock.elapsed
        guard await gate.sleep(for: duration, on: clock) else { throw interruption() }
        // A busy machine wakes the call late.
        if isKnown { extend(by: clock.elapsed - start) }
        guard await takePlace() else { throw interruption() }
    }

    /// Gives the place back, before a wait for another call or for a shared request.
    func giveBackPlace() { place?.giveBack() }

    /// Takes the place again after such a wait; false if the call must end: see ``interruption(_:)``.
    func takePlace() async -> Bool {
        guard let place else { return true }
        let start = clock.elapsed
        guard await place.take() else { return false }
        // The wait was in the client's own line, for other requests of its list or of others.
        extend(by: clock.elapsed - start)
        return true
    }

    /// Why a wait ended early.
    /// - Parameter late: the error after the deadline.
    func interruption(_ late: PushError? = nil) -> PushError {
        if Task.isCancelled {
            return PushError(.cancelled, "the task was cancelled while the call waited; nothing was sent since")
        }
        guard gate.isOpen else {
            return PushError(.stopped, "the client was shut down while the call waited; nothing was sent since")
        }
        return late
            ?? PushError(
                .timeout, "the deadline passed while the call waited; nothing was sent since", retry: .backoff)
    }
}
