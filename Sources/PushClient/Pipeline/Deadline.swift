import PushCore

/// The moment by which a public call must end, with all its requests, waits and retries. Not a timer: layers check it,
/// so that no wait goes past it.
public final class Deadline: Sendable {
    let clock: any PushClock
    /// Elapsed time of the clock at which the call ends.
    private let end: Locked<Duration>
    /// A wait with a known end moves the end, up to this moment; nil if waits do not move it.
    private let movableUntil: Duration?
    /// The latest elapsed time at which the call can end.
    let latest: Duration

    init(after duration: Duration, clock: any PushClock, movableUntil: Duration? = nil) {
        self.clock = clock
        self.movableUntil = movableUntil
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

    /// A deadline for the first half of the time, so that something is left for what follows.
    func half() -> Deadline {
        let time = remaining / 2
        return Deadline(after: time, clock: clock, movableUntil: movableUntil.map { $0 - time })
    }

    /// Waits, or throws `cancelled` with nothing applied.
    func wait(_ duration: Duration, isKnown: Bool) async throws(PushError) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw PushError(.cancelled, "the task was cancelled while the call waited; nothing was sent since")
        }
        if isKnown { extend(by: duration) }
    }

    /// Does not count a wait against a planned send.
    func extend(by duration: Duration) {
        if let movableUntil { end.withLock { $0 = min($0 + duration, movableUntil) } }
    }
}
