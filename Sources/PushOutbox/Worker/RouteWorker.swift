import FoundationEssentials
import PushClient
import PushCore

/// The work at one route: leases slices, sends them, writes down what became of them.
final class RouteWorker: Sendable {
    /// A leased slice.
    private struct Leased: Sendable {
        let slice: SliceRow
        let targets: [UInt8]
        /// Nil if it is gone.
        let campaign: Campaign?
    }

    private let worker: OutboxWorker
    private let route: RouteName
    private let client: PushClient
    private let circuit: CircuitBreaker
    /// What is being sent.
    private struct Taken {
        /// Of its campaign.
        let priority: CampaignOptions.Priority
        /// How many are open.
        let targets: Int
    }

    /// The slices that are being sent here.
    private let taken = Locked<[SliceRow.ID: Taken]>([:])
    /// How many targets a slice of the last lease had.
    private let lastSize = Locked(Int.max)
    private let credentials: CredentialCheck
    /// Whether messages went on at other routes since the last `takeMovedWork`.
    private let hasMovedWork = Locked(false)
    /// Whether the store may have leased slices to this worker that it does not know of.
    private let mayHoldMore = Locked(false)

    /// One lease in so many takes the part that has waited longest, so that no priority is starved.
    private static let leasesInOrder = 16
    /// Before a part is tried again that got no key.
    private static let keyPause: TimeInterval = 30
    /// How long the others wait for a slice whose worker ended.
    private static let recoveredTime = Duration.seconds(30)

    init(_ worker: OutboxWorker, _ route: RouteName, _ client: PushClient) {
        (self.worker, self.route, self.client) = (worker, route, client)
        circuit = worker.outbox.circuit(of: route)
        credentials = CredentialCheck(worker.outbox)
    }

    var id: Int64 { worker.id }
    var clock: any PushClock { worker.clock }
    var moment: Moment { worker.moment }
    var isStopping: Bool { worker.isStopping }
    func noteFailure(_ error: PushError) { worker.noteFailure(error) }

    /// Writes a note before a request leaves; false if it must not.
    func commit(noting change: SliceChange) async throws(PushError) -> Bool { try await worker.commits.commit(change) }

    /// Whether messages went on at other routes since the last call.
    func takeMovedWork() -> Bool {
        hasMovedWork.withLock { news in
            defer { news = false }
            return news
        }
    }

    // MARK: Leasing

    /// Works until the worker is stopped, or until nothing is left to do now.
    func work(untilIdle: Bool) async {
        // Its children say whether they were slices; the other ones are pauses.
        await withTaskGroup(of: Bool.self) { group in
            // Those that the group has, also if they have ended.
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
            /// Waits until a slice ends; false if there is none. What is more urgent does not wait: a slice of a bulk campaign may take
            /// minutes, where each target has a request of its own.
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
                    start(await lease(room(of: slots * 2, running: running), moreUrgentThan: least))
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
                    // Alone, so that one that ends its worker is known for it.
                    while !isStopping, room(of: slots, running: 0) > 0,
                        let recovered = await lease(1, recovered: true).first
                    {
                        while await next() {}
                        await send(recovered, within: Self.recoveredTime)
                    }
                }
                // Some slots free at once, so that a lease is not a commit for each.
                while tasks > min(running, slots * 3 / 4), await next() {}
                leases += 1
                let leased = await lease(
                    room(of: slots, running: running), oldest: leases.isMultiple(of: Self.leasesInOrder))
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

    /// How many slices are sent at once. Where each target has a request of its own, as many as fill the window if the next ones are
    /// like those that are being sent: a few of a long list, or one for each place of campaigns to one target.
    private var slots: Int {
        guard client.sendsSingly([.audienceDevices]) else { return max(1, worker.outbox.settings.slicesInFlight) }
        let now = taken.withLock { $0.isEmpty ? 0 : $0.values.reduce(0) { $0 + $1.targets } / $0.count }
        return client.slicesForWindow(of: max(now, lastSize.withLock { $0 }))
    }

    /// Slices that are being sent.
    private var running: Int { taken.withLock(\.count) }

    /// Sends on what has another way, while the route is passed over; false if nothing has.
    private func moveOn(_ limit: Int) async -> Bool {
        guard !credentials.hasLeft, let refusal = circuit.watch(endsList: true).stopReason else { return false }
        let leased = await lease(limit, otherWays: true)
        for one in leased { await send(one, unless: refusal) }
        return !leased.isEmpty
    }

    /// A vendor that gave no answer, or none yet, is asked about one slice at a time.
    private func room(of slots: Int, running: Int) -> Int {
        if circuit.isOpen || credentials.hasLeft { return 0 }
        return circuit.isOnTrial || !circuit.hasAnswered ? max(0, 1 - running) : slots - running
    }

    /// The most targets of a slice that are tried at once, where each has a request of its own: one at a vendor that gave no answer;
    /// at one that gave none yet, those of one mark, because all that are marked may be unknown after a crash.
    private var mostTargets: Int {
        if circuit.isOnTrial { return 1 }
        return circuit.hasAnswered ? .max : SliceJournal.firstChunk
    }

    /// Leases slices; none if the store fails, because the next look may find it well.
    private func lease(
        _ limit: Int, recovered: Bool = false, otherWays: Bool = false, oldest: Bool = false,
        moreUrgentThan priority: CampaignOptions.Priority? = nil
    ) async -> [Leased] {
        guard limit > 0 else { return [] }
        do throws(PushError) {
            if mayHoldMore.withLock({ $0 }) { try await giveBackUnknown() }
            var request = OutboxLease(worker: id, routes: [route], limit: limit, now: clock.date)
            request.wantsRecovered = recovered
            request.wantsOtherWays = otherWays
            request.wantsOldest = oldest
            request.moreUrgentThan = priority
            // It may be leased although the answer is lost.
            mayHoldMore.withLock { $0 = true }
            let leased = try await worker.outbox.stored { [request] in try await $0.lease(request) }
            let campaigns = try await worker.campaigns(Set(leased.map(\.slice.id.campaign)))
            taken.withLock { taken in
                for row in leased {
                    taken[row.slice.id] = Taken(
                        priority: campaigns[row.slice.id.campaign]?.options.priority ?? .urgent,
                        targets: row.slice.open.count)
                }
            }
            mayHoldMore.withLock { $0 = false }
            worker.noteSuccess()
            if !leased.isEmpty {
                lastSize.withLock { $0 = leased.reduce(0) { $0 + $1.slice.open.count } / leased.count }
                worker.report(.leased(route, slices: leased.count))
            }
            return leased.map {
                Leased(slice: $0.slice, targets: $0.targets, campaign: campaigns[$0.slice.id.campaign])
            }
        } catch {
            noteFailure(error)
            return []
        }
    }

    /// Gives slices back that this worker leased without learning of it.
    private func giveBackUnknown() async throws(PushError) {
        let leased = try await worker.outbox.stored { [id] in try await $0.leased(by: id) }
        let campaigns = try await worker.campaigns(Set(leased.map(\.id.campaign)))
        let unknown = leased.filter { slice in
            slice.state == .leased && taken.withLock({ $0[slice.id] }) == nil
                && campaigns[slice.id.campaign]?.part(of: slice)?.route == route
        }
        let changes = unknown.map { SliceChange($0.givenBack(at: clock.date), from: [.leased], owner: id) }
        _ = try await worker.outbox.stored { try await $0.apply(changes) }
    }

    // MARK: A slice

    /// Tries a leased slice once, and writes down what became of it.
    /// - Parameter refusal: why it is not sent; its messages go on, where they have another way.
    private func send(
        _ leased: Leased, within limit: Duration? = nil, unless refusal: PushError? = nil
    ) async {
        let slice = leased.slice
        defer { taken.withLock { $0[slice.id] = nil } }
        guard let campaign = leased.campaign, let part = campaign.part(of: slice) else {
            await worker.write(SliceChange(slice.givenBack(at: clock.date), from: [.leased], owner: id))
            return
        }
        let work: SliceWork
        do throws(PushError) {
            work = try SliceWork(slice, leased.targets, campaign, part)
        } catch {
            return await leave(slice, unreadable: error, campaign, part)
        }
        guard !slice.hasLostKey(at: moment), let batch = work.batch(of: slice, at: client) else {
            var row = slice
            row.loseKey(worker.resending(campaign, slice))
            await worker.write(SliceChange(row, from: [.leased], owner: id))
            return
        }
        if work.isEmpty || refusal != nil {
            return await end(slice, client.unsent(work.slice, refusal), of: work.slice, work, campaign, part, since: nil)
        }
        var row = slice
        do throws(PushError) {
            try await giveKey(&row, campaign, isSingle: work.isSingle(at: client))
        } catch {
            return await leave(slice, withoutKey: error, campaign, part)
        }
        await send(row, batch, work, campaign, part, within: limit ?? client.configuration.plannedDeadline)
    }

    private func send(
        _ row: SliceRow, _ batch: SendPlan.Slice, _ work: SliceWork, _ campaign: Campaign, _ part: Campaign.Part,
        within limit: Duration
    ) async {
        let isSingle = work.isSingle(at: client)
        let slice = isSingle ? batch.prefix(mostTargets) : batch
        let journal = SliceJournal(
            row, work, batch: slice, self, marksSingly: isSingle, slices: slots)
        let rest = campaign.expiresAt.map { Duration.seconds(max(0, $0.timeIntervalSince(clock.date))) }
        var attempt = PushClient.SliceAttempt(
            work.message, slice: slice, audience: work.audience, time: min(limit, rest ?? limit)
        ) { (position, isKeyed) async throws(PushError) in try await journal.note(position, isKeyed: isKeyed) }
        attempt.key = row.idempotencyKey
        attempt.mayHaveActed = row.mayHaveActed
        attempt.isBulk = campaign.options.priority == .bulk
        attempt.onTarget = { position, report in await journal.note(position, report) }
        attempt.watch = circuit.watch(endsList: true)
        let start = clock.elapsed
        let said = await said(attempt, of: row.id, at: part.route)
        await end(await journal.end(), said, of: slice, work, campaign, part, since: start)
    }

    /// Sends once, inside what the settings put around it, however often that calls for it, and whether it waits.
    private func said(_ attempt: PushClient.SliceAttempt, of slice: SliceRow.ID, at route: RouteName) async -> SliceReport {
        guard let around = worker.outbox.settings.aroundAttempt else { return await client.send(attempt) }
        let begun = Locked<Task<SliceReport, Never>?>(nil)
        let begin: @Sendable () -> Task<SliceReport, Never> = { [client] in
            let task = begun.withLock { begun in
                let task = begun ?? Task { await client.send(attempt) }
                begun = task
                return task
            }
            if Task.isCancelled { task.cancel() }
            return task
        }
        return await withTaskCancellationHandler {
            await around(slice, route) { _ = await begin().value }
            return await begin().value
        } onCancel: {
            begun.withLock { $0 }?.cancel()
        }
    }

    /// Writes down what became of a slice.
    /// - Parameter start: when it was sent; nil if it was not.
    private func end(
        _ row: SliceRow, _ said: SliceReport, of slice: SendPlan.Slice, _ work: SliceWork, _ campaign: Campaign,
        _ part: Campaign.Part, since start: Duration?
    ) async {
        var ended = row
        let effect = ended.settle(
            said, of: slice.positions, isList: work.audience == nil, worker.resending(campaign, row),
            random: worker.outbox.settings.random.fraction()
        ) { position, report in work.movesOn(position, report, in: row) }
        let following = work.following(ended)
        ended.moveOn()
        var change = SliceChange(ended, from: [.leased, .sending], owner: id)
        change.adds = following
        // Only the targets that a report names.
        if ended.state == .done { change.targets = .replace(work.packed { ended.outcomes[$0].kind != .accepted }) }
        switch effect {
        case .pause(let reason): if await pauses(row.id, because: reason) { change.pausesPart = reason }
        case .delay(let date): change.delaysPart = date
        case nil: break
        }
        await worker.settle(change)
        if !following.isEmpty { hasMovedWork.withLock { $0 = true } }
        let reason = said.error?.reason ?? "the quota is used up"
        reportPart(change, campaign, part, reason: reason)
        guard let start else { return }
        let (counts, failure) = (ended.counts(of: slice.positions), SliceNotes(reading: ended.notes)?.text)
        worker.report(
            .attempted(campaign.name, row.id, part.route, counts, reason: failure, took: clock.elapsed - start))
    }

    private func giveKey(_ row: inout SliceRow, _ campaign: Campaign, isSingle: Bool) async throws(PushError) {
        guard !row.mayHaveActed, !isSingle else { return }
        switch client.pushKeys {
        case .none: break
        case .vendor:
            let key = try await client.takeKey()
            let lifetime = client.configuration.keyLifetime.seconds
            row.key = key.value
            row.keyUntil = min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime))
        case .caller(let memory):
            row.key = "\(campaign.seed)-\(row.id.part)-\(row.id.number)-\(row.generation)"
            // The last request must arrive before the vendor forgets it.
            row.keyUntil = clock.date.addingTimeInterval(memory.seconds * 0.9)
        }
    }

    // MARK: A slice that is not tried

    /// A newer worker can read what this one cannot, so it is left to the others, if there are any. What is damaged waits for a
    /// person, and stops nothing else.
    private func leave(
        _ slice: SliceRow, unreadable error: PushError, _ campaign: Campaign, _ part: Campaign.Part
    ) async {
        var left = slice.givenBack(at: clock.date, because: error)
        let isNewer = error.kind == .unsupported
        if !isNewer { left.state = .quarantined }
        var change = SliceChange(left, from: [.leased], owner: id)
        if isNewer, await pauses(slice.id, because: error.message) { change.pausesPart = error.message }
        await worker.write(change)
        worker.report(
            isNewer ? .unreadable(campaign.name, reason: error.message) : .quarantined(campaign.name, slice.id))
        reportPart(change, campaign, part, reason: error.message)
    }

    /// A wrong key of the app shows here first, where the vendor makes the keys of requests.
    private func leave(
        _ slice: SliceRow, withoutKey error: PushError, _ campaign: Campaign, _ part: Campaign.Part
    ) async {
        var change = SliceChange(slice.givenBack(at: clock.date, because: error), from: [.leased], owner: id)
        let reason = error.reason
        if TargetReport.Failure(error).needsPerson {
            if await pauses(slice.id, because: reason) { change.pausesPart = reason }
        } else {
            change.delaysPart = clock.date.addingTimeInterval(Self.keyPause)
        }
        await worker.write(change)
        reportPart(change, campaign, part, reason: reason)
    }

    /// Whether a part is paused because the vendor refuses the key, a setting or the app.
    private func pauses(_ slice: SliceRow.ID, because reason: String) async -> Bool {
        do throws(PushError) {
            let verdict = try await credentials.judge(slice)
            if verdict == .leaveRoute { worker.report(.routeLeft(route, reason: reason)) }
            return verdict == .pausePart
        } catch {
            noteFailure(error)
            return true
        }
    }

    private func reportPart(_ change: SliceChange, _ campaign: Campaign, _ part: Campaign.Part, reason: String) {
        if let reason = change.pausesPart {
            worker.report(.partPaused(campaign.name, part: part.number, part.route, reason: reason))
        } else if let date = change.delaysPart {
            worker.report(.partDelayed(campaign.name, part: part.number, part.route, reason: reason, until: date))
        }
    }
}
