import FoundationEssentials
import PushAdapter
import PushClient

/// Works at one route: leases as many slices as the route can take now, and sends them.
final class RouteWorker: Sendable {
    private let sender: SliceSender
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

    /// The slices that are being sent here.
    private let taken = Locked<[Lease: Taken]>([:])
    /// The targets of a slice in the last lease, on average.
    private let lastSize = Locked(Int.max)
    /// When to look for slices that the store leased to this worker in a call whose answer was lost; zero right after
    /// such a call.
    private let nextLookForLost = Locked(Duration.zero)

    /// One lease in this many takes the part that has waited longest, so that no priority is starved.
    private static let leasesInOrder = 16
    /// A store may still carry out a call long after the worker has stopped waiting for its answer.
    private static let timeBetweenLooksForLost = Duration.seconds(60)
    /// The time limit for a recovered slice, because the other slices wait for it.
    private static let recoveredTime = Duration.seconds(30)

    init(_ worker: OutboxWorker, _ route: RouteName, _ client: PushClient) {
        sender = SliceSender(worker, route, client)
    }

    private var worker: OutboxWorker { sender.worker }
    private var route: RouteName { sender.route }
    private var circuit: CircuitBreaker { sender.circuit }
    private var clock: any PushClock { worker.clock }
    private var isStopping: Bool { worker.isStopping }

    /// Whether messages moved to other routes since the last call.
    func takeMovedWork() -> Bool { sender.takeMovedWork() }

    // MARK: Leasing

    /// Works until the worker stops, or until nothing is left to do now.
    func work(untilIdle: Bool) async {
        // A child returns true if it sent a slice, false if it was a pause.
        await withTaskGroup(of: Bool.self) { group in
            // The slices in the group, including ended ones that `next` has not seen yet.
            var tasks = 0
            var hasPause = false
            var nextLook = clock.elapsed
            var leases = 0
            var isResting = false
            func start(_ leased: [Leased]) {
                for one in leased {
                    tasks += 1
                    group.addTask {
                        await self.send(one)
                        return true
                    }
                }
            }
            /// Waits until a slice ends; false if there is none. Meanwhile starts slices of more urgent campaigns: if
            /// each target has a request of its own, a slice of a bulk campaign may take minutes.
            func next() async -> Bool {
                while tasks > 0 {
                    if !untilIdle, !isStopping, !hasPause, leastUrgent != .urgent {
                        hasPause = true
                        group.addTask { [clock, poll = worker.outbox.settings.poll] in
                            try? await clock.sleep(for: poll)
                            return false
                        }
                    }
                    guard await group.next() == false else {
                        tasks -= 1
                        return true
                    }
                    hasPause = false
                    guard !isStopping, let least = leastUrgent, least != .urgent else { continue }
                    start(await lease(room(of: slots * 2, running: running)) { $0.moreUrgentThan = least })
                }
                return false
            }
            while !isStopping {
                let rest = circuit.rest
                if let rest, !isResting {
                    worker.report(.routeRests(route, until: clock.date.addingTimeInterval(rest.seconds)))
                }
                isResting = rest != nil
                if clock.elapsed >= nextLook, room(of: slots, running: 0) > 0 {
                    nextLook = clock.elapsed + worker.timeBetweenLooks
                    // Sends a recovered slice alone. If the worker crashes, this slice is the cause.
                    while !isStopping, room(of: slots, running: 0) > 0,
                        let recovered = await lease(1, { $0.wantsRecovered = true }).first
                    {
                        while await next() {}
                        await send(recovered, within: Self.recoveredTime)
                    }
                }
                // Waits until several slots are free, so that not every slice costs a commit for its lease.
                while tasks > min(running, slots * 3 / 4), await next() {}
                leases += 1
                let isOldest = leases.isMultiple(of: Self.leasesInOrder)
                let leased = await lease(room(of: slots, running: running)) { $0.wantsOldest = isOldest }
                start(leased)
                guard leased.isEmpty else { continue }
                if circuit.isOpen, await moveOn(slots) { continue }
                if untilIdle {
                    guard await next() else { return }
                } else {
                    try? await clock.sleep(for: worker.pause)
                }
            }
        }
    }

    /// The priority of the least urgent slice that is being sent; nil if none is.
    private var leastUrgent: CampaignOptions.Priority? { taken.withLock { $0.values.map(\.priority).max() } }

    /// The number of slices to send at once. If each target has a request of its own, enough slices of the current size
    /// to fill the window: a few of a long list, or one for each place if campaigns have one target.
    private var slots: Int {
        guard sender.client.sendsSingly([.audienceDevices]) else {
            return max(1, worker.outbox.settings.slicesInFlight)
        }
        let now = taken.withLock { $0.isEmpty ? 0 : $0.values.reduce(0) { $0 + $1.targets } / $0.count }
        return sender.client.slicesForWindow(of: max(now, lastSize.withLock { $0 }))
    }

    /// Slices that are being sent.
    private var running: Int { taken.withLock(\.count) }

    /// Moves messages to their second routes while this route is skipped; false if no message has one.
    private func moveOn(_ limit: Int) async -> Bool {
        guard !sender.credentials.hasLeft, let refusal = circuit.watch(endsList: true).stopReason else { return false }
        let leased = await lease(limit) { $0.wantsOtherWays = true }
        for one in leased { await send(one, unless: refusal) }
        return !leased.isEmpty
    }

    /// Sends one slice at a time to a vendor that stopped answering or has not answered yet.
    private func room(of slots: Int, running: Int) -> Int {
        if circuit.isOpen || sender.credentials.hasLeft { return 0 }
        return circuit.isOnTrial || !circuit.hasAnswered ? max(0, 1 - running) : slots - running
    }

    /// Leases slices. Returns none if the store fails, because the next lease may succeed.
    private func lease(_ limit: Int, _ narrow: (inout OutboxLease) -> Void = { _ in }) async -> [Leased] {
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

    private func send(_ leased: Leased, within limit: Duration? = nil, unless refusal: PushError? = nil) async {
        defer { taken.withLock { $0[Lease(leased.row)] = nil } }
        await sender.send(leased, slices: slots, within: limit, unless: refusal)
    }
}
