import FoundationEssentials
import PushAdapter
import PushClient

/// Recovers, ends, prunes and plans, in parallel with the sends.
extension OutboxWorker {
    func maintain() async {
        var lastLook = clock.elapsed
        while !isStopping {
            if clock.elapsed - lastLook >= timeBetweenLooks {
                lastLook = clock.elapsed
                do throws(PushError) { try await recover() } catch { noteFailure(error) }
            }
            let done = await maintainOnce()
            if done == 0 { try? await clock.sleep(for: pause) }
        }
    }

    /// Plans submitted campaigns, in parallel with the sends, until the worker stops.
    func planSubmitted() async {
        while !isStopping {
            if await planSome() == 0 { try? await clock.sleep(for: pause) }
        }
    }

    /// Returns the number of campaigns that it looked at.
    func planSome() async -> Int {
        let now = clock.elapsed
        let others = left.withLock { $0.filter { $0.value > now }.map(\.key) }
        do throws(PushError) {
            let count = try await outbox.planSubmitted(for: id, leaving: others) { campaign, error in
                let next = clock.elapsed + outbox.settings.renewal
                guard left.withLock({ $0.updateValue(next, forKey: campaign.id) }) == nil else { return }
                report(.unreadable(campaign.name, reason: error.reason))
            }
            // The store returned all that wait: others have planned or ended the rest.
            if count < PushOutbox.mostPlanned { left.withLock { left in left = left.filter { $0.value >= now } } }
            return count
        } catch {
            noteFailure(error)
            return 0
        }
    }

    /// Ends some finished and expired campaigns, and removes some expired reports. Returns the number of changes.
    func maintainOnce() async -> Int {
        do throws(PushError) {
            let ended = try await outbox.stored { [clock] in try await $0.endFinished(at: clock.date) }
            for campaign in ended {
                known.withLock { $0[campaign.id] = nil }
                report(.ended(campaign.name, campaign.state))
            }
            let pruned = try await outbox.stored { [clock] in try await $0.prune(at: clock.date, limit: 100) }
            noteSuccess()
            return ended.count + pruned
        } catch {
            noteFailure(error)
            return 0
        }
    }
}
