import PushAdapter

/// Decides whether refused credentials are wrong for all workers, or only for this one, which may run old settings
/// during a deployment.
final class CredentialCheck: Sendable {
    /// The consequence when a vendor refuses the credentials, a setting or the app.
    enum Verdict {
        /// Pause the part: a person must look.
        case pausePart
        /// Leave the route to the other workers for a while. Perhaps their credentials work.
        case leaveRoute
        /// The worker has already left the route.
        case hasLeft
    }

    private struct Part: Hashable {
        let campaign: Int64
        let part: Int
    }

    private struct State {
        /// The number of accepted targets of a part when its credentials were last refused.
        var accepted: [Part: Int] = [:]
        var returnsAt: Duration = .zero
    }

    private let outbox: PushOutbox
    private let state = Locked(State())

    /// It forgets all parts when there are more. Then the worker leaves the route once more for each.
    static let mostParts = 1_000

    init(_ outbox: PushOutbox) { self.outbox = outbox }

    /// Whether the worker has left the route to others.
    var hasLeft: Bool { state.withLock { outbox.clock.elapsed < $0.returnsAt } }

    /// The number of parts that it remembers.
    var partCount: Int { state.withLock(\.accepted.count) }

    /// Leaves the route the first time. Later, leaves it again only if the vendor accepted targets of the part in
    /// between.
    func judge(_ slice: SliceRow.ID) async throws(PushError) -> Verdict {
        if hasLeft { return .hasLeft }
        guard try await outbox.stored({ try await $0.workers() }) > 1 else { return .pausePart }
        let counts = try await outbox.stored { try await $0.counts(of: slice.campaign, part: slice.part) }
        let accepted = counts.targets[.accepted] ?? 0
        return state.withLock { state in
            let now = outbox.clock.elapsed
            if now < state.returnsAt { return .hasLeft }
            let part = Part(campaign: slice.campaign, part: slice.part)
            guard state.accepted[part] != accepted else { return .pausePart }
            if state.accepted.count >= Self.mostParts { state.accepted = [:] }
            state.accepted[part] = accepted
            state.returnsAt = now + outbox.settings.credentialDoubt
            return .leaveRoute
        }
    }
}
