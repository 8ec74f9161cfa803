import FoundationEssentials
import PushAdapter
import PushClient

/// Sends slices over one route and writes their outcomes.
final class SliceSender: Sendable {
    let worker: OutboxWorker
    let route: RouteName
    let client: PushClient
    let circuit: CircuitBreaker
    let credentials: CredentialCheck
    /// Whether messages moved to other routes since the last `takeMovedWork`.
    private let hasMovedWork = Locked(false)

    /// The pause of a part after it got no key.
    static let keyPause: TimeInterval = 30

    init(_ worker: OutboxWorker, _ route: RouteName, _ client: PushClient) {
        (self.worker, self.route, self.client) = (worker, route, client)
        circuit = worker.outbox.circuit(of: route)
        credentials = CredentialCheck(worker.outbox)
    }

    var clock: any PushClock { worker.clock }

    /// Whether messages moved to other routes since the last call.
    func takeMovedWork() -> Bool {
        hasMovedWork.withLock { news in
            defer { news = false }
            return news
        }
    }

    // MARK: One attempt

    /// Makes one attempt for a leased slice and writes its outcome.
    /// - Parameters:
    ///   - slices: the number of slices that are sent at once at the route.
    ///   - limit: how long it may take; by default the client's limit for planned calls.
    ///   - refusal: a reason not to send. Messages with a second route move there.
    func send(
        _ leased: Leased, slices: Int, within limit: Duration? = nil, unless refusal: PushError? = nil
    ) async {
        let row = leased.row
        guard let campaign = leased.campaign, let part = campaign.part(row.id.part) else {
            return await giveBack(row)
        }
        let work: SliceWork
        do throws(PushError) {
            work = try SliceWork(row, leased.targets, try worker.message(of: campaign), campaign)
        } catch {
            return await leave(row, unreadable: error, campaign, part)
        }
        var task = SliceTask(row: row, campaign: campaign, part: part, work: work, begun: worker.moment)
        guard !row.hasLostKey(at: worker.moment), !row.mayHaveActed || client.repeatsPushes,
            let batch = work.batch(of: row, at: client)
        else {
            let resending = worker.resending(campaign, row)
            task.row.loseKey(resending)
            await worker.write(unsentChange(task.row, at: resending.now))
            return
        }
        if work.isEmpty || refusal != nil {
            return await end(task, client.unsent(work.slice, refusal), of: work.slice, since: nil)
        }
        do throws(PushError) {
            try await giveKey(&task)
        } catch {
            return await leave(row, withoutKey: error, campaign, part)
        }
        await attempt(task, batch, slices: slices, within: limit ?? client.configuration.plannedDeadline)
    }

    /// Sends the targets of a batch and writes their outcomes.
    private func attempt(_ task: SliceTask, _ batch: SendPlan.Slice, slices: Int, within limit: Duration) async {
        var task = task
        let (work, campaign) = (task.work, task.campaign)
        let isSingle = work.isSingle(at: client)
        let slice = isSingle ? batch.prefix(mostTargets) : batch
        let journal = SliceJournal(task, batch: slice, slices: isSingle ? slices : nil, worker)
        let rest = campaign.expiresAt.map { Duration.seconds(max(0, $0.timeIntervalSince(clock.date))) }
        var attempt = PushClient.SliceAttempt(
            work.message, slice: slice, audience: work.audience, time: min(limit, rest ?? limit)
        ) { (index, isKeyed) async throws(PushError) in try await journal.noteMaySend(index, isKeyed: isKeyed) }
        attempt.key = task.key ?? task.row.idempotencyKey
        attempt.mayHaveActed = task.row.mayHaveActed
        attempt.isBulk = campaign.options.priority == .bulk
        attempt.onTarget = { index, report in await journal.noteOutcome(report, of: index) }
        attempt.watch = circuit.watch(endsList: true)
        let start = clock.elapsed
        let report = await sendOnce(attempt, of: task.row.id, at: task.part.route)
        task.row = await journal.end()
        await end(task, report, of: slice, since: start)
    }

    /// The most targets of a slice that are sent to at once, if each has a request of its own. One at a vendor that
    /// stopped answering. The targets of one mark at a vendor that has not answered yet, because a crash may leave all
    /// marked targets unknown.
    private var mostTargets: Int {
        if circuit.isOnTrial { return 1 }
        return circuit.hasAnswered ? .max : SliceJournal.firstChunk
    }

    /// Sends once inside `aroundAttempt`, no matter how often that calls `work` or whether it waits.
    private func sendOnce(
        _ attempt: PushClient.SliceAttempt, of slice: SliceRow.ID, at route: RouteName
    ) async -> SliceReport {
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

    // MARK: Outcomes

    /// Writes the outcome of a slice.
    /// - Parameters:
    ///   - batch: the targets of the attempt.
    ///   - start: when it was sent; nil if it was not.
    private func end(
        _ task: SliceTask, _ report: SliceReport, of batch: SendPlan.Slice, since start: Duration?
    ) async {
        let (row, work, campaign, part) = (task.row, task.work, task.campaign, task.part)
        let resending = worker.resending(campaign, row)
        var ended = row
        let effect = ended.settle(
            report,
            of: .init(indices: batch.positions, isList: work.audience == nil) { index, report in
                work.movesOn(index, report, in: row)
            }, resending, random: worker.outbox.settings.random.fraction())
        let following = work.following(ended)
        ended.moveOn()
        var change = SliceChange(ended, from: [.leased, .sending], owner: worker.id)
        (change.adds, change.datedAt) = (following, resending.now)
        // Only the targets that a report names.
        if ended.state == .done { change.targets = .replace(work.packed { ended.outcomes[$0].kind != .accepted }) }
        switch effect {
        case .pause(let reason): if await pauses(row.id, because: reason) { change.pausesPart = reason }
        case .delay(let date): change.delaysPart = date
        case nil: break
        }
        await worker.settle(change)
        if let onAccepted = worker.outbox.settings.onAccepted {
            let accepted = zip(batch.targets, batch.positions).filter { ended.outcomes[$1].kind == .accepted }
            if !accepted.isEmpty {
                await onAccepted(accepted.map { RoutedTarget.Way($0.0, at: part.route) }, clock.date)
            }
        }
        if !following.isEmpty { hasMovedWork.withLock { $0 = true } }
        reportPart(change, campaign, part, reason: report.error?.reason ?? "the quota is used up")
        guard let start else { return }
        let (counts, failure) = (ended.counts(of: batch.positions), SliceNotes(reading: ended.notes)?.text)
        if counts[.accepted] ?? 0 > 0 { worker.outbox.condition.withLock { $0.lastAccepted = clock.date } }
        worker.report(
            .attempted(campaign.name, row.id, part.route, counts, reason: failure, took: clock.elapsed - start))
    }

    /// Gives a task the key of its next request. The row keeps it only if that request may be repeated with it.
    private func giveKey(_ task: inout SliceTask) async throws(PushError) {
        let isSingle = task.work.isSingle(at: client)
        guard !task.row.mayHaveActed, !isSingle || client.sharesPushKey else { return }
        // One reading of the clock for the key's end and for its age: the clock may be set between two.
        task.begun = worker.moment
        switch client.pushKeys {
        case .none: break
        case .vendor:
            let key = try await client.takeKey()
            let moment = worker.moment
            guard !moment.isAfterSetting(since: task.begun) else {
                throw PushError(.busy, "the clock was set while the slice got a key; nothing was sent", retry: .backoff)
            }
            task.begun = moment
            let lifetime = client.configuration.keyLifetime.seconds
            task.row.key = key.value
            task.row.keyUntil = min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime))
        case .caller(let memory):
            let id = task.row.id
            // A key of the whole message stays the same, so that who had the message is known in every later request.
            let own = memory.scope == .message ? "" : "-\(id.part)-\(id.number)-\(task.row.generation)"
            task.row.key = client.keyText(task.campaign.seed + own)
            // The last request must arrive before the vendor forgets it.
            task.row.keyUntil = task.begun.date.addingTimeInterval(memory.duration.seconds * 0.9)
        }
        task.key = task.row.idempotencyKey
        if isSingle || !client.repeatsPushes { task.row.dropKey() }
    }
}
