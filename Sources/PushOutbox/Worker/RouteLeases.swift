import FoundationEssentials
import PushAdapter
import PushClient

/// Leases slices of one route, and knows which of them are being sent.
final class RouteLeases: Sendable {
    /// A slice that is being sent.
    private struct Taken {
        let priority: CampaignOptions.Priority
        /// The number of its open targets.
        let targets: Int
    }

    /// A lease of a slice. The attempt of an earlier lease may still write its outcomes, after the store has leased the
    /// slice again in a lost answer.
    private struct Lease: Hashable {
        let slice: SliceRow.ID
        let epoch: Int

        init(_ row: SliceRow) { (slice, epoch) = (row.id, row.epoch) }
    }

    /// A store may still carry out a call long after the worker has stopped waiting for its answer.
    private static let timeBetweenLooksForLost = Duration.seconds(60)

    private let worker: OutboxWorker
    private let route: RouteName
    /// The slices that are being sent.
    private let taken = Locked<[Lease: Taken]>([:])
    /// The targets of a slice in the last lease, on average.
    private let lastSize = Locked(Int.max)
    /// When to look for slices that the store leased to this worker in a call whose answer was lost; zero right after
    /// such a call.
    private let nextLookForLost = Locked(Duration.zero)

    init(_ worker: OutboxWorker, _ route: RouteName) { (self.worker, self.route) = (worker, route) }

    private var clock: any PushClock { worker.clock }

    /// The number of slices that are being sent.
    var count: Int { taken.withLock(\.count) }

    /// The priority of the least urgent slice that is being sent; nil if none is.
    var leastUrgent: CampaignOptions.Priority? { taken.withLock { $0.values.map(\.priority).max() } }

    /// The number of targets of a slice: the average of those that are being sent, or of the last lease if that is more.
    var size: Int {
        let now = taken.withLock { $0.isEmpty ? 0 : $0.values.reduce(0) { $0 + $1.targets } / $0.count }
        return max(now, lastSize.withLock { $0 })
    }

    /// Leases slices. Returns none if the store fails, because the next lease may succeed.
    func lease(_ limit: Int, _ narrow: (inout OutboxLease) -> Void = { _ in }) async -> [Leased] {
        guard limit > 0 else { return [] }
        do throws(PushError) {
            try await giveBackUnknown()
            var request = OutboxLease(worker: worker.id, routes: [route], limit: limit, now: clock.date)
            narrow(&request)
            // The store may lease slices even if its answer is lost.
            let nextLook = nextLookForLost.withLock { next in
                defer { next = .zero }
                return next
            }
            let leased = try await worker.outbox.stored { [request] in try await $0.lease(request) }
            let campaigns = try await worker.campaigns(Set(leased.map(\.slice.id.campaign)))
            taken.withLock { taken in
                for row in leased {
                    taken[Lease(row.slice)] = Taken(
                        priority: campaigns[row.slice.id.campaign]?.options.priority ?? .urgent,
                        targets: row.slice.open.count)
                }
            }
            nextLookForLost.withLock { $0 = nextLook }
            worker.noteSuccess()
            if !leased.isEmpty {
                lastSize.withLock { $0 = leased.reduce(0) { $0 + $1.slice.open.count } / leased.count }
                worker.report(.leased(route, slices: leased.count))
            }
            return leased.map {
                Leased(row: $0.slice, targets: $0.targets, campaign: campaigns[$0.slice.id.campaign])
            }
        } catch {
            worker.noteFailure(error)
            return []
        }
    }

    /// Notes that a leased slice is no longer being sent.
    func end(_ leased: Leased) { taken.withLock { $0[Lease(leased.row)] = nil } }

    /// Gives back slices that were leased to this worker in a lost answer, if it is time to look for them.
    private func giveBackUnknown() async throws(PushError) {
        let now = clock.elapsed
        guard now >= nextLookForLost.withLock({ $0 }) else { return }
        let leased = try await worker.outbox.stored { [id = worker.id] in try await $0.leased(by: id) }
        let campaigns = try await worker.campaigns(Set(leased.map(\.id.campaign)))
        let unknown = leased.filter { slice in
            slice.state == .leased && taken.withLock({ $0[Lease(slice)] }) == nil
                && campaigns[slice.id.campaign]?.part(slice.id.part)?.route == route
        }
        if !unknown.isEmpty {
            let changes = unknown.map { SliceChange($0.givenBack(at: clock.date), from: [.leased], owner: worker.id) }
            _ = try await worker.outbox.stored { try await $0.apply(changes) }
        }
        nextLookForLost.withLock { $0 = now + Self.timeBetweenLooksForLost }
    }
}
