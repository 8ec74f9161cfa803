import PushAdapter

/// Decides when a send starts no more requests; its slices share it.
///
/// A hundred refusals that say nothing about their targets, and no acceptance, look as if the vendor refuses the
/// message itself. Before the send ends for that, it probes one target from far behind, and waits for the requests that
/// are in flight: only a refusal of the same kind ends it, and only if none of those is accepted.
final class SendHalt: Sendable {
    /// After this many refusals and no acceptance, the send probes one target of the rest.
    private static let mostRefusals = 100

    private struct State {
        var reason: PushError?
        /// Refusals since the last proof; nil once something was accepted.
        var refusals: Int? = 0
        /// The refusal that a probe has to confirm.
        var doubt: PushError?
        /// Whether a probe has confirmed it, so that only a request in flight can disprove it.
        var isConfirmed = false
        var inFlight = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The slices that have begun, in their order.
        var lines: [SliceLine] = []
        /// The outcomes of targets that were probed before their slice began, by position.
        var outcomes: [Int: SingleOutcome] = [:]
    }

    /// A target that is probed before its turn.
    enum Probe: Sendable {
        /// The last target of a slice that has begun.
        case last(SliceLine, SliceLine.Entry)
        /// A target of a slice that has not begun.
        case ahead(Target, position: Int)
    }

    private let state = Locked(State())
    /// A target of the list that no slice has yet and that is not at one of these positions; nil if none is known, as
    /// in a stream.
    private let spare: @Sendable (Set<Int>) -> (target: Target, position: Int)?

    init(spare: @escaping @Sendable (Set<Int>) -> (target: Target, position: Int)? = { _ in nil }) {
        self.spare = spare
    }

    /// Nil while requests may start.
    var reason: PushError? { state.withLock { $0.reason } }

    /// Halts the send, unless something has halted it before.
    func stop(_ reason: PushError?) { state.withLock { $0.reason = $0.reason ?? reason } }

    /// Adds a slice that begins.
    func begin(_ line: SliceLine) { state.withLock { $0.lines.append(line) } }

    /// Removes a slice that has ended.
    func end(_ line: SliceLine) { state.withLock { $0.lines.removeAll { $0 === line } } }

    /// Counts a request that leaves.
    func noteStart() { state.withLock { $0.inFlight += 1 } }

    /// Records that a request ended. If the vendor accepted it, a refusal is about its target.
    func noteEnd(isAccepted: Bool) {
        settle { state in
            state.inFlight -= 1
            if isAccepted { state.refusals = nil }
        }
    }

    /// Counts a refusal that is not about its target. After the last of many, returns the target that the caller has to
    /// probe; nothing else starts until the caller notes its outcome.
    func noteFailed(_ error: PushError) -> Probe? {
        guard error.mayBeAboutMessage else { return nil }
        let isDoubtful = state.withLock { state in
            guard let count = state.refusals, state.doubt == nil, state.reason == nil else { return false }
            state.refusals = count + 1
            guard count + 1 >= Self.mostRefusals else { return false }
            state.doubt = error
            return true
        }
        guard isDoubtful else { return nil }
        if let probe = probe() { return probe }
        // No target is left to probe, as far as is known. The next refusal looks again.
        settle { state in
            if state.refusals != nil { state.refusals = Self.mostRefusals - 1 }
            state.doubt = nil
        }
        return nil
    }

    /// A target far behind the head that was not probed before: the end of the list, or of the newest slice.
    private func probe() -> Probe? {
        let probed = state.withLock { Set($0.outcomes.keys) }
        if let (target, position) = spare(probed) { return .ahead(target, position: position) }
        for line in state.withLock({ $0.lines.reversed() }) {
            while let entry = line.takeLast() {
                guard let outcome = outcome(at: entry.position) else { return .last(line, entry) }
                line.note(outcome, of: entry)
            }
        }
        return nil
    }

    /// Records the outcome of a probe. The same refusal ends the send, unless a request in flight is accepted.
    func note(_ outcome: SingleOutcome, of probe: Probe) {
        switch probe {
        case .last(let line, let entry): line.note(outcome, of: entry)
        case .ahead(_, let position): state.withLock { $0.outcomes[position] = outcome }
        }
        settle { state in
            if state.refusals != nil { state.refusals = 0 }
            if case .failed(let error, _) = outcome, let doubt = state.doubt, error.isSameRefusal(as: doubt) {
                state.isConfirmed = true
            } else {
                state.doubt = nil
            }
        }
    }

    /// Ends a doubt if that is possible now, and lets the others go on.
    private func settle(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            if state.isConfirmed, state.refusals == nil { state.doubt = nil }
            if state.isConfirmed, state.inFlight == 0 {
                state.reason = state.reason ?? state.doubt
                state.doubt = nil
            }
            guard state.doubt == nil else { return [CheckedContinuation<Void, Never>]() }
            state.isConfirmed = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    /// Whether the vendor may refuse the message itself, so that nothing else may start.
    var isInDoubt: Bool { state.withLock { $0.doubt != nil } }

    /// Returns when no refusal is in doubt.
    func proven() async {
        while isInDoubt {
            await withCheckedContinuation { place in
                let mayGo = state.withLock { state in
                    if state.doubt != nil { state.waiting.append(place) }
                    return state.doubt == nil
                }
                if mayGo { place.resume() }
            }
        }
    }

    /// The outcome of a target that was probed before its slice began.
    func outcome(at position: Int) -> SingleOutcome? {
        state.withLock { $0.outcomes.isEmpty ? nil : $0.outcomes[position] }
    }

    /// Whether a target at one of these positions was probed before its slice began.
    func hasOutcome(in positions: [Int]) -> Bool {
        state.withLock { state in
            !state.outcomes.isEmpty && positions.contains { state.outcomes[$0] != nil }
        }
    }
}

extension PushError {
    fileprivate func isSameRefusal(as other: PushError) -> Bool {
        mayBeAboutMessage && kind == other.kind && vendor?.code == other.vendor?.code
            && vendor?.httpStatus == other.vendor?.httpStatus
    }
}
