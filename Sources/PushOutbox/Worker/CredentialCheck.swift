import PushAdapter

/// A worker's doubt whether the key that its vendor refuses is wrong for everybody. Where there are other workers, only its
/// own settings may be old, as during a deployment.
final class CredentialCheck: Sendable {
    /// What follows from a refusal of the key, a setting or the app.
    enum Verdict {
        /// A person has to look.
        case pausePart
        /// Others may know better: the worker takes nothing of the route for a while.
        case leaveRoute
        /// It has left already.
        case hasLeft
    }

    private struct Part: Hashable {
        let campaign: Int64
        let part: Int
    }

    private struct State {
        /// How many targets of a part were accepted when its key was last refused.
        var accepted: [Part: Int] = [:]
        var returnsAt: Duration = .zero
    }

    private let outbox: PushOutbox
    private let state = Locked(State())

    init(_ outbox: PushOutbox) { self.outbox = outbox }

    /// Whether the worker has left the route to others.
    var hasLeft: Bool { state.withLock { outbox.clock.elapsed < $0.returnsAt } }

    /// The worker leaves once, and again as long as the vendor accepted something of the part meanwhile.
    func judge(_ slice: SliceRow.ID) async throws(PushError) -> Verdict {
        if hasLeft { return .hasLeft }
        guard try await outbox.stored({ try await $0.workers() }) > 1 else { return .pausePart }
        let counts = try await outbox.stored { try await $0.counts(of: slice.campaign, part: slice.part) }
        let accepted = counts.targets[.accepted] ?? 0
        return state.withLock { state in
            let now = outbox.clock.elapsed
            if now < state.returnsAt { return .hasLeft }
            let before = state.accepted.updateValue(accepted, forKey: Part(campaign: slice.campaign, part: slice.part))
            guard before != accepted else { return .pausePart }
            state.returnsAt = now + outbox.settings.credentialDoubt
            return .leaveRoute
        }
    }
}
