import FoundationEssentials
import PushAdapter
import PushClient

/// Works at one route: leases as many slices as the route can take now, and sends them.
final class RouteWorker: Sendable {
    private let sender: SliceSender
    private let leases: RouteLeases

    /// One lease in this many takes the part that has waited longest, so that no priority is starved.
    private static let leasesInOrder = 16
    /// The time limit for a recovered slice, because the other slices wait for it.
    private static let recoveredTime = Duration.seconds(30)

    init(_ worker: OutboxWorker, _ route: RouteName, _ client: PushClient) {
        sender = SliceSender(worker, route, client)
        leases = RouteLeases(worker, route)
    }

    private var worker: OutboxWorker { sender.worker }
    private var route: RouteName { sender.route }
    private var circuit: CircuitBreaker { sender.circuit }
    private var clock: any PushClock { worker.clock }
    private var isStopping: Bool { worker.isStopping }

    /// Whether messages moved to other routes since the last call.
    func takeMovedWork() -> Bool { sender.takeMovedWork() }

    /// Works until the worker stops, or until nothing is left to do now.
    func work(untilIdle: Bool) async {
        // A child returns true if it sent a slice, false if it was a pause.
        await withTaskGroup(of: Bool.self) { group in
            // The slices in the group, including ended ones that `next` has not seen yet.
            var tasks = 0
            var hasPause = false
            var nextLook = clock.elapsed
            var rounds = 0
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
                    if !untilIdle, !isStopping, !hasPause, leases.leastUrgent != .urgent {
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
                    guard !isStopping, let least = leases.leastUrgent, least != .urgent else { continue }
                    start(await leases.lease(room(of: slots * 2, running: leases.count)) { $0.moreUrgentThan = least })
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
                        let recovered = await leases.lease(1, { $0.wantsRecovered = true }).first
                    {
                        while await next() {}
                        await send(recovered, within: Self.recoveredTime)
                    }
                }
                // Waits until several slots are free, so that not every slice costs a commit for its lease.
                while tasks > min(leases.count, slots * 3 / 4), await next() {}
                rounds += 1
                let isOldest = rounds.isMultiple(of: Self.leasesInOrder)
                let leased = await leases.lease(room(of: slots, running: leases.count)) { $0.wantsOldest = isOldest }
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

    /// The number of slices to send at once. If each target has a request of its own, enough slices of the current size
    /// to fill the window: a few of a long list, or one for each place if campaigns have one target.
    private var slots: Int {
        guard sender.client.sendsSingly([.audienceDevices]) else {
            return max(1, worker.outbox.settings.slicesInFlight)
        }
        return sender.client.slicesForWindow(of: leases.size)
    }

    /// Moves messages to their second routes while this route is skipped; false if no message has one.
    private func moveOn(_ limit: Int) async -> Bool {
        guard !sender.credentials.hasLeft, let refusal = circuit.watch(endsList: true).stopReason else { return false }
        let leased = await leases.lease(limit) { $0.wantsOtherWays = true }
        for one in leased { await send(one, unless: refusal) }
        return !leased.isEmpty
    }

    /// Sends one slice at a time to a vendor that stopped answering or has not answered yet.
    private func room(of slots: Int, running: Int) -> Int {
        if circuit.isOpen || sender.credentials.hasLeft { return 0 }
        return circuit.isOnTrial || !circuit.hasAnswered ? max(0, 1 - running) : slots - running
    }

    private func send(_ leased: Leased, within limit: Duration? = nil, unless refusal: PushError? = nil) async {
        defer { leases.end(leased) }
        await sender.send(leased, slices: slots, within: limit, unless: refusal)
    }
}
