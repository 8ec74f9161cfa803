import FoundationEssentials
import PushAdapter
import PushClient

/// Takes over the work of dead workers.
extension OutboxWorker {
    /// A dead worker at one route.
    private struct Place: Hashable {
        let owner: Int64
        let route: RouteName?
    }

    /// Waits for workers that seem dead until the store knows whether they are. Returns true if that leaves work to do.
    func waitForOrphans() async -> Bool {
        let start = clock.elapsed
        var longestLife = Duration.zero
        do throws(PushError) {
            while !isStopping {
                if try await recover() > 0 { return true }
                let lives = try await outbox.facts().workers.compactMap(\.remaining)
                // Includes this worker's own life, which it renews.
                longestLife = max(longestLife, lives.max() ?? .zero)
                let isTooLong = clock.elapsed - start > longestLife * 2
                guard !isTooLong, lives.contains(where: { $0 < .zero }) else { break }
                try? await clock.sleep(for: outbox.settings.poll)
            }
            // A worker that has lost its claim gets no slices, so it cannot know whether the work is done.
            if !(try await outbox.stored { [id] in try await $0.renew(id) }) { loseClaim() }
        } catch {
            noteFailure(error)
        }
        return false
    }

    /// Returns the number of slices that it took over.
    @discardableResult
    func recover() async throws(PushError) -> Int {
        let left = try await outbox.stored { [id] in try await $0.orphans(of: id) }
        guard !left.isEmpty else { return 0 }
        let campaigns = try await campaigns(Set(left.map(\.id.campaign)))
        let places = left.map { slice in
            Place(owner: slice.owner, route: campaigns[slice.id.campaign]?.part(slice.id.part)?.route)
        }
        let counts = places.reduce(into: [:]) { counts, place in counts[place, default: 0] += 1 }
        let changes = zip(left, places).map { slice, place in
            let recovered = slice.recovered(
                wasAlone: counts[place] == 1, resending(campaigns[slice.id.campaign], slice))
            var change = SliceChange(recovered, from: [slice.state], owner: slice.owner)
            // The first mark of a leased slice changes its state.
            if slice.state == .sending { change.seen = slice }
            return change
        }
        let made = try await outbox.stored { try await $0.apply(changes) }
        for (change, isMade) in zip(changes, made) where isMade && change.slice.state == .quarantined {
            guard let campaign = campaigns[change.slice.id.campaign] else { continue }
            report(.quarantined(campaign.name, change.slice.id))
        }
        let sent = zip(left, made).count { $0.state == .sending && $1 }
        let count = made.count { $0 }
        report(.recovered(slices: count, mayHaveBeenSent: sent))
        return count
    }
}
