import FoundationEssentials
import PushAdapter
import PushClient

/// What workers that have ended left.
extension OutboxWorker {
    /// A worker that ended, at one route.
    private struct Place: Hashable {
        let owner: Int64
        let route: RouteName?
    }

    /// Waits for workers whose life seems to be over, until the store says that they have ended or are there again; true if that
    /// left something to do.
    func waitForOrphans() async -> Bool {
        let start = clock.elapsed
        var longestLife = Duration.zero
        do throws(PushError) {
            while !isStopping {
                if try await recover() > 0 { return true }
                let lives = try await outbox.facts().workers.compactMap(\.remaining)
                // Its own, which it renews, is one of them.
                longestLife = max(longestLife, lives.max() ?? .zero)
                let isTooLong = clock.elapsed - start > longestLife * 2
                guard !isTooLong, lives.contains(where: { $0 < .zero }) else { break }
                try? await clock.sleep(for: outbox.settings.poll)
            }
            // One that was counted as gone was given nothing, and has not seen the end of the work.
            if !(try await outbox.stored { [id] in try await $0.renew(id) }) { loseClaim() }
        } catch {
            noteFailure(error)
        }
        return false
    }

    /// Returns how many slices it took back.
    @discardableResult
    func recover() async throws(PushError) -> Int {
        let left = try await outbox.stored { [id] in try await $0.orphans(of: id) }
        guard !left.isEmpty else { return 0 }
        let campaigns = try await campaigns(Set(left.map(\.id.campaign)))
        let places = left.map { slice in
            Place(owner: slice.owner, route: campaigns[slice.id.campaign]?.part(of: slice)?.route)
        }
        let counts = places.reduce(into: [:]) { counts, place in counts[place, default: 0] += 1 }
        let changes = zip(left, places).map { slice, place in
            let recovered = slice.recovered(
                wasAlone: counts[place] == 1, resending(campaigns[slice.id.campaign], slice))
            return SliceChange(recovered, from: [slice.state], owner: slice.owner)
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
