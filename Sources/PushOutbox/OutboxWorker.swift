import FoundationEssentials
import PushClient
import PushCore

/// One run of an outbox: leases slices, sends them, writes down what became of them.
final class OutboxWorker: Sendable {
    let id = Int64.random(in: 1...Int64.max)
    let outbox: PushOutbox
    let commits: CommitLoop
    private let stopping = Locked(false)
    /// What a worker needs of a campaign never changes.
    private let known = Locked<[Int64: Campaign]>([:])

    /// Before a slice is tried again that got no key.
    private static let keyPause: TimeInterval = 30

    init(_ outbox: PushOutbox) {
        self.outbox = outbox
        commits = CommitLoop(outbox)
    }

    var clock: any PushClock { outbox.clock }
    var isStopping: Bool { stopping.withLock { $0 } }
    func stop() { stopping.withLock { $0 = true } }

    private func report(_ event: OutboxEvent) { outbox.settings.onEvent(event) }

    func noteFailure(_ error: PushError) {
        let underlying = error.underlying.map { ": \($0)" } ?? ""
        report(.storeFailed(reason: error.message + underlying))
    }

    /// Works until it is stopped, or until nothing is left to do now.
    func work(untilIdle: Bool) async throws(PushError) {
        try await recover()
        try await sendSurvivors()
        await withTaskGroup(of: Void.self) { group in
            for (route, client) in outbox.routes {
                group.addTask { await self.work(at: route, client, untilIdle: untilIdle) }
            }
            if !untilIdle { group.addTask { await self.keepHouse() } }
        }
        _ = await housekeeping()
    }

    // MARK: What an ended worker left

    private func recover() async throws(PushError) {
        let left = try await outbox.stored { [id] in try await $0.orphans(of: id) }
        guard !left.isEmpty else { return }
        let trying = left.filter { $0.state == .trying }
        let campaigns = try await campaigns(Set(left.map(\.id.campaign)))
        let changes = left.map { slice in
            let resending = resending(campaigns[slice.id.campaign], slice)
            let recovered = slice.recovered(wasAlone: trying.count == 1, resending)
            if recovered.state == .held { report(.held(slice.id)) }
            return SliceChange(recovered, from: [slice.state])
        }
        _ = try await outbox.stored { try await $0.apply(changes) }
        report(.recovered(slices: left.count, mayHaveBeenSent: trying.count))
    }

    private func campaigns(_ ids: Set<Int64>) async throws(PushError) -> [Int64: Campaign] {
        let missing = known.withLock { known in ids.filter { known[$0] == nil } }
        if !missing.isEmpty {
            let read = try await outbox.stored { try await $0.campaigns(.numbered(missing)) }
            known.withLock { known in for campaign in read { known[campaign.id] = campaign } }
        }
        return known.withLock { known in known.filter { ids.contains($0.key) } }
    }

    /// One at a time, so that one that ends its worker is known for it.
    private func sendSurvivors() async throws(PushError) {
        while !isStopping {
            var request = OutboxLease(worker: id, routes: Array(outbox.routes.keys), limit: 1, now: clock.date)
            request.onlySurvivors = true
            let leased = try await outbox.stored { [request] in try await $0.lease(request) }
            guard let (slice, targets) = leased.first else { return }
            await send(slice, targets, try await campaigns([slice.id.campaign])[slice.id.campaign])
        }
    }

    // MARK: A route

    private func work(at route: RouteName, _ client: PushClient, untilIdle: Bool) async {
        let slots = max(
            1, client.sendsSingly([.audienceDevices]) ? client.slicesForWindow : outbox.settings.slicesInFlight)
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !isStopping {
                // Some at once, so that a lease is not a commit for each.
                while running > slots * 3 / 4, await group.next() != nil { running -= 1 }
                let leased = await lease(
                    OutboxLease(worker: id, routes: [route], limit: slots - running, now: clock.date))
                for (slice, targets, campaign) in leased {
                    running += 1
                    group.addTask { await self.send(slice, targets, campaign) }
                }
                guard leased.isEmpty else { continue }
                if untilIdle {
                    guard running > 0 else { return }
                    if await group.next() != nil { running -= 1 }
                } else {
                    try? await clock.sleep(for: outbox.settings.poll)
                }
            }
        }
    }

    /// Leases slices, with their campaigns; none if the store fails, because the next look may find it well.
    private func lease(_ request: OutboxLease) async -> [(Slice, [UInt8], Campaign?)] {
        do throws(PushError) {
            let leased = try await outbox.stored { try await $0.lease(request) }
            guard !leased.isEmpty else { return [] }
            report(.leased(request.routes[0], slices: leased.count))
            let campaigns = try await campaigns(Set(leased.map(\.slice.id.campaign)))
            return leased.map { ($0.slice, $0.targets, campaigns[$0.slice.id.campaign]) }
        } catch {
            noteFailure(error)
            return []
        }
    }

    // MARK: A slice

    /// Tries a leased slice once, and writes down what became of it.
    private func send(_ slice: Slice, _ targets: [UInt8], _ campaign: Campaign?) async {
        guard let campaign, campaign.legs.indices.contains(slice.id.leg),
            let client = outbox.routes[campaign.legs[slice.id.leg].route]
        else { return await giveBack(slice, after: 0) }
        let leg = campaign.legs[slice.id.leg]
        let work: SliceWork
        do throws(PushError) {
            work = try SliceWork(slice, targets, campaign, leg)
        } catch {
            report(.unreadable(campaign: campaign.id, reason: error.message))
            var change = SliceChange(slice.givenBack(at: clock.date), from: [.leased], owner: id)
            change.pausesLeg = error.message
            return await commit(change)
        }
        var row = slice
        do throws(PushError) {
            try await giveKey(&row, client, campaign, isSingle: work.isSingle(at: client))
        } catch {
            // A wrong key of the app shows here first, where the vendor makes the keys of requests.
            let pauses = TargetReport.Failure(error).pausesLeg ? "\(error.kind): \(error.message)" : nil
            return await giveBack(slice, after: Self.keyPause, pausing: leg, for: pauses)
        }
        await send(row, work, client, campaign)
    }

    private func send(_ row: Slice, _ work: SliceWork, _ client: PushClient, _ campaign: Campaign) async {
        let isSingle = work.isSingle(at: client)
        let journal = SliceJournal(row, self, marksSingly: isSingle)
        let time = min(
            client.configuration.plannedDeadline,
            campaign.expiresAt.map { $0.timeIntervalSince(clock.date) }
                .map { .seconds(max(0, $0)) } ?? client.configuration.plannedDeadline)
        var attempt = PushClient.SliceTry(work.message, slice: work.slice, audience: work.audience, time: time) {
            (position) async throws(PushError) in try await journal.note(position)
        }
        attempt.key = row.idempotencyKey
        attempt.mayHaveActed = row.mayHaveActed
        attempt.onTarget = { position, report in await journal.note(position, report) }
        let start = clock.elapsed
        let said = await client.send(attempt)
        var ended = await journal.row
        let effect = ended.settle(
            said, of: work.slice.positions, isList: work.audience == nil, resending(campaign, row),
            random: Double.random(in: 0...1))
        var change = change(to: ended, work)
        let leg = campaign.legs[row.id.leg]
        switch effect {
        case .pause(let reason): change.pausesLeg = reason
        case .delay(let date): change.delaysLeg = date
        case nil: break
        }
        await commit(change)
        report(.tried(row.id, leg.route, ended.counts, took: clock.elapsed - start))
        if let reason = change.pausesLeg {
            report(.legPaused(campaign: campaign.id, leg: leg.number, leg.route, reason: reason))
        }
    }

    /// The change to a row, with only the targets that a report names if it is done.
    private func change(to row: Slice, _ work: SliceWork) -> SliceChange {
        var change = SliceChange(row, from: [.leased, .trying], owner: id)
        if row.state == .done {
            change.targets = .replace(work.packed { row.outcomes[$0].kind != .accepted })
        }
        return change
    }

    private func giveKey(
        _ row: inout Slice, _ client: PushClient, _ campaign: Campaign, isSingle: Bool
    ) async throws(PushError) {
        guard !row.mayHaveActed, !isSingle else { return }
        switch client.pushKeys {
        case .none: break
        case .vendor:
            let key = try await client.takeKey()
            (row.key, row.keyUntil) = (key.value, key.expiresAt)
        case .caller(let memory):
            row.key = "\(campaign.seed)-\(row.id.leg)-\(row.id.number)-\(row.generation)"
            // The last request must arrive before the vendor forgets it.
            row.keyUntil = clock.date.addingTimeInterval(memory.seconds * 0.9)
        }
    }

    private func giveBack(
        _ slice: Slice, after pause: TimeInterval, pausing leg: Campaign.Leg? = nil, for reason: String? = nil
    ) async {
        let back = slice.givenBack(at: clock.date.addingTimeInterval(pause))
        var change = SliceChange(back, from: [.leased], owner: id)
        change.pausesLeg = reason
        await commit(change)
        if let leg, let reason {
            report(.legPaused(campaign: slice.id.campaign, leg: leg.number, leg.route, reason: reason))
        }
    }

    /// Writes down what is known, however often it takes. If the process ends first, the row says what may have been sent.
    private func commit(_ change: SliceChange) async {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(PushError) {
                _ = try await commits.commit(change)
                return
            } catch {
                noteFailure(error)
                guard !isStopping else { return }
                try? await clock.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    private func resending(_ campaign: Campaign?, _ slice: Slice) -> Slice.Resending {
        let isList = campaign.map { $0.legs[slice.id.leg].audience == nil } ?? false
        return Slice.Resending(
            isAllowed: isList && campaign?.options.afterUnknown == .resend, now: clock.date)
    }

    // MARK: Keeping house

    private func keepHouse() async {
        while !isStopping {
            let pruned = await housekeeping()
            if pruned == 0 { try? await clock.sleep(for: outbox.settings.poll) }
        }
    }

    /// Ends what is finished or late, and removes what is kept long enough; returns how much.
    private func housekeeping() async -> Int {
        do throws(PushError) {
            let now = clock.date
            for campaign in try await outbox.stored({ try await $0.endFinished(at: now) }) {
                known.withLock { $0[campaign.id] = nil }
                report(.ended(campaign.name, campaign.state))
            }
            return try await outbox.stored { try await $0.prune(at: now, limit: 100) }
        } catch {
            noteFailure(error)
            return 0
        }
    }
}

extension Slice {
    /// Ready again, and nothing was sent.
    fileprivate func givenBack(at date: Date) -> Slice {
        var slice = self
        (slice.state, slice.owner, slice.notBefore) = (.ready, 0, max(notBefore, date))
        return slice
    }

    /// The key that the next request carries.
    fileprivate var idempotencyKey: IdempotencyKey? {
        guard let key, let keyUntil else { return nil }
        return IdempotencyKey(
            key, kind: .push, mintedAt: keyUsedAt ?? .distantPast, expiresAt: keyUntil, firstUsedAt: keyUsedAt)
    }
}
