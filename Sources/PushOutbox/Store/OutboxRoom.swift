import PushAdapter

/// An estimate of the targets that wait in a store. Counting is slow with many targets, so it counts now and then, and
/// adds the targets of this process in between.
final class OutboxRoom: Sendable {
    private struct State {
        var targets = 0
        var countedAt: Duration?
        /// How long the last count took.
        var cost = Duration.zero
    }

    private let state = Locked(State())

    /// The shortest time between two counts while there is room.
    private static let shortest = Duration.seconds(1)
    /// A count takes at most one part in this many of the time.
    private static let share = 20

    func add(_ rows: PartLoader.Rows) {
        let targets = rows.reduce(0) { $0 + $1.slice.open.count }
        state.withLock { $0.targets += targets }
    }

    /// Refuses with `busy` if more targets than `limit` wait. Counts before it refuses, unless it has just counted.
    func check(
        _ limit: Int, _ clock: any PushClock, count: () async throws(PushError) -> Int
    ) async throws(PushError) {
        let now = clock.elapsed
        let needsCount = state.withLock { state in
            guard let countedAt = state.countedAt else { return true }
            let age = now - countedAt
            return age >= state.cost * Self.share && (age >= Self.shortest || state.targets > limit)
        }
        if needsCount {
            let targets = try await count()
            state.withLock { $0 = State(targets: targets, countedAt: now, cost: clock.elapsed - now) }
        }
        let waiting = state.withLock(\.targets)
        guard waiting <= limit else {
            throw PushError(
                .busy, "\(waiting) targets wait in the outbox, more than maxWaitingTargets; enqueue later",
                retry: .backoff)
        }
    }
}
