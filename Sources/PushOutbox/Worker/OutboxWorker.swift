import FoundationEssentials
import PushAdapter
import PushClient

/// One run of an outbox: recovers the work of dead workers, runs a worker for each route, does maintenance.
final class OutboxWorker: Sendable {
    let id: Int64
    let outbox: PushOutbox
    let commits: CommitLoop
    /// Ends when the worker stops.
    let untilStop: AsyncStream<Void>
    private let onStop: AsyncStream<Void>.Continuation
    private let failures: StoreFailures
    private let state = Locked(State())
    /// A cache: the fields of a campaign that a worker needs never change.
    let known = Locked<[Int64: Known]>([:])
    /// Submitted campaigns that this worker left to others and reported, and when it tries them again.
    let left = Locked<[Int64: Duration]>([:])

    /// After this many failed renewals in a row the worker stops, because others may count it as dead.
    private static let mostRenewalsMissed = 4
    static let mostKnown = 100

    /// A campaign, and its message once decoded.
    struct Known: Sendable {
        let campaign: Campaign
        /// Its dates are on the clock as it was then.
        let readAt: Moment
        var message: Message?
    }

    private struct State {
        var isStopping = false
        var isLost = false
        var hasGivenUp = false
        var failure: PushError?
    }

    init(_ outbox: PushOutbox, _ failures: StoreFailures) {
        (self.outbox, self.failures) = (outbox, failures)
        id = max(1, Int64(clamping: outbox.settings.random.next() >> 1))
        commits = CommitLoop(outbox)
        (untilStop, onStop) = AsyncStream.makeStream()
    }

    var clock: any PushClock { outbox.clock }
    var moment: Moment { outbox.moment }
    /// How often to look for the work of dead workers. One look finds orphaned slices, the next one leases them.
    var timeBetweenLooks: Duration { min(.seconds(1), outbox.settings.renewal) }
    var isStopping: Bool { state.withLock(\.isStopping) }
    /// Whether the worker lost its claim, so that a new worker must replace it.
    var isLost: Bool { state.withLock(\.isLost) }

    /// Stops sending.
    func stop() {
        state.withLock { $0.isStopping = true }
        onStop.finish()
    }

    /// Lets each write try once more, but not again if the store fails.
    func giveUp() { state.withLock { $0.hasGivenUp = true } }

    func report(_ event: OutboxEvent) { outbox.settings.onEvent(event) }

    /// The error that ended the worker; nil if something else did.
    var failure: PushError? { state.withLock(\.failure) }

    /// The pause before the next call to the store. It grows while the store fails.
    var pause: Duration { failures.pause }

    func noteSuccess() { failures.noteSuccess() }

    /// Reports a failure of the store. One that cannot pass ends the worker.
    func noteFailure(_ error: PushError) {
        if error.kind == .stopped {
            state.withLock { $0.failure = $0.failure ?? error }
            stop()
        }
        failures.note(error)
    }

    /// Writes a change and retries until the store takes it. If the process ends first, the row says which targets may
    /// have been sent. Returns false if the store refused the change, because others counted this worker as dead.
    @discardableResult
    func write(_ change: SliceChange) async -> Bool {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(PushError) {
                return try await commits.commit(change)
            } catch {
                noteFailure(error)
                guard !state.withLock({ $0.hasGivenUp || $0.failure != nil }) else { return true }
                // Not cancelled: a worker that lost its claim still writes its results when the store works again.
                await Task { [clock, pause] in try? await clock.sleep(for: pause) }.value
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    /// Writes the outcome of a slice. If others took the slice over during the request, but no worker has leased it
    /// since, the vendor's answer is still true. Then it settles targets that the others called unknown, and starts
    /// nothing. If some targets stay unknown, it does not overwrite a slice that waits to be sent again.
    func settle(_ change: SliceChange) async {
        guard await !write(change), change.adds.isEmpty else { return }
        let isCertain = !change.slice.outcomes.contains { [.unknown, .openAgain].contains($0.kind) }
        let waiting: Set<SliceRow.State> = isCertain ? [.ready] : []
        let ended: Set<SliceRow.State> = change.slice.state == .done ? [.done, .quarantined] : []
        var late = SliceChange(change.slice, from: waiting.union(ended))
        (late.targets, late.datedAt) = (change.targets, change.datedAt)
        if await write(late) { report(.settledLate(change.slice.id)) }
    }

    /// Works until the worker stops, or until nothing is left to do now.
    func work(untilIdle: Bool) async throws(PushError) {
        let renewing = Task { await renew() }
        defer { renewing.cancel() }
        try await recover()
        let workers = outbox.routes.map { RouteWorker(self, $0, $1) }
        await withTaskGroup(of: Void.self) { group in
            if !untilIdle {
                group.addTask { await self.maintain() }
                group.addTask { await self.planSubmitted() }
            }
            var hasMore = true
            while hasMore {
                let hasPlanned = untilIdle ? await planSome() > 0 : false
                for worker in workers { group.addTask { await worker.work(untilIdle: untilIdle) } }
                await group.waitForAll()
                // A message may move to another route after the worker of that route became idle.
                hasMore = workers.contains { $0.takeMovedWork() } || hasPlanned
                if untilIdle, !hasMore { hasMore = await waitForOrphans() }
            }
        }
        while !Task.isCancelled, await maintainOnce() > 0 {}
    }

    // MARK: The claim

    private func renew() async {
        var missed = 0
        // Renews even after a stop, so that others do not take over requests in flight.
        while true {
            do { try await clock.expire(after: outbox.settings.renewal) } catch { return }
            do throws(PushError) {
                missed = try await outbox.stored({ [id] in try await $0.renew(id) }) ? 0 : Self.mostRenewalsMissed
            } catch {
                noteFailure(error)
                missed += 1
            }
            if missed >= Self.mostRenewalsMissed { loseClaim() }
        }
    }

    /// Stops the worker, because others may count it as dead.
    func loseClaim() {
        state.withLock { $0.isLost = true }
        stop()
    }
}
