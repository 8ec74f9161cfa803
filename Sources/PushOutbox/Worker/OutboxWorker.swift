import FoundationEssentials
import PushAdapter
import PushClient

/// One run of an outbox: recovers the work of dead workers, runs a worker for each route, does maintenance.
final class OutboxWorker: Sendable {
    let id: Int64
    let outbox: PushOutbox
    let commits: CommitLoop
    /// Ends when the worker is stopped.
    let untilStop: AsyncStream<Void>
    private let onStop: AsyncStream<Void>.Continuation
    private let state = Locked(State())
    /// What a worker needs of a campaign never changes.
    let known = Locked<[Int64: Known]>([:])
    /// Submitted campaigns that it left to others, and said so; and when it looks at them again.
    let left = Locked<[Int64: Duration]>([:])

    /// After this many failed renewals in a row a worker stops, because others may count it as gone.
    private static let mostRenewalsMissed = 4
    private static let mostKnown = 100
    private static let longestPause = Duration.seconds(5)
    private static let repeatTime = Duration.seconds(60)

    /// A campaign, and its message once it is read.
    struct Known: Sendable {
        let campaign: Campaign
        var message: Message?
    }

    private struct State {
        var isStopping = false
        var isLost = false
        var hasGivenUp = false
        var failure: PushError?
        /// When the store began to fail; nil while it works.
        var failingSince: Duration?
        /// When which failure of the store was told.
        var told: [String: Duration] = [:]
    }

    init(_ outbox: PushOutbox) {
        self.outbox = outbox
        id = max(1, Int64(clamping: outbox.settings.random.next() >> 1))
        commits = CommitLoop(outbox)
        (untilStop, onStop) = AsyncStream.makeStream()
    }

    var clock: any PushClock { outbox.clock }
    var moment: Moment {
        Moment(
            date: clock.date, uptime: SliceRow.Uptime(boot: outbox.boot, elapsed: clock.elapsed),
            isByServer: outbox.store.lead != nil)
    }
    /// How often to look for the work of dead workers. One look finds orphaned slices, the next one leases them.
    var timeBetweenLooks: Duration { min(.seconds(1), outbox.settings.renewal) }
    var isStopping: Bool { state.withLock(\.isStopping) }
    /// Whether the store no longer knows it, so that another one has to go on.
    var isLost: Bool { state.withLock(\.isLost) }

    /// Sends nothing more.
    func stop() {
        state.withLock { $0.isStopping = true }
        onStop.finish()
    }

    /// Writes down what is known once more, and not again if the store fails.
    func giveUp() { state.withLock { $0.hasGivenUp = true } }

    func report(_ event: OutboxEvent) { outbox.settings.onEvent(event) }

    /// Why it ended itself; nil for no reason of its own.
    var failure: PushError? { state.withLock(\.failure) }

    /// The pause before the store is asked again: longer, the longer it fails.
    var pause: Duration {
        let (poll, longest) = (outbox.settings.poll, Self.longestPause)
        guard let since = state.withLock(\.failingSince) else { return poll }
        return max(poll, min(longest, (clock.elapsed - since) / 2))
    }

    func noteSuccess() { state.withLock { $0.failingSince = nil } }

    /// Tells the same failure once a minute. One that cannot pass ends the worker.
    func noteFailure(_ error: PushError) {
        let now = clock.elapsed
        let isNews = state.withLock { state in
            state.failingSince = state.failingSince ?? now
            if error.kind == .stopped, state.failure == nil { state.failure = error }
            state.told = state.told.filter { now - $0.value < Self.repeatTime }
            return state.told.updateValue(state.told[error.message] ?? now, forKey: error.message) == nil
        }
        if error.kind == .stopped { stop() }
        guard isNews else { return }
        let cause = error.underlying.map { Redaction.masked("\($0)") } ?? ""
        let isSaid = Redaction.masked(error.message).contains(cause)
        report(.storeFailed(reason: isSaid ? error.message : "\(error.message): \(cause)"))
    }

    /// Writes down what is known, however often it takes. If the process ends first, the row says what may have been sent.
    /// Returns false if the store refused it: others counted this worker as gone.
    @discardableResult
    func write(_ change: SliceChange) async -> Bool {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(PushError) {
                return try await commits.commit(change)
            } catch {
                noteFailure(error)
                guard !state.withLock({ $0.hasGivenUp || $0.failure != nil }) else { return true }
                // Not cancelled: a worker that is lost still tells what it knows, when the store is back.
                await Task { [clock, pause] in try? await clock.sleep(for: pause) }.value
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    /// Writes down what became of a slice. If others took it while its request was on its way, and no worker has leased it since,
    /// what the vendor said is still the truth: it may settle what they called unknown, and starts nothing. What stays unknown
    /// does not undo that a person wants it sent again.
    func settle(_ change: SliceChange) async {
        guard await !write(change), change.adds.isEmpty else { return }
        let isCertain = !change.slice.outcomes.contains { [.unknown, .openAgain].contains($0.kind) }
        let waiting: Set<SliceRow.State> = isCertain ? [.ready] : []
        let ended: Set<SliceRow.State> = change.slice.state == .done ? [.done, .quarantined] : []
        var late = SliceChange(change.slice, from: waiting.union(ended))
        late.targets = change.targets
        if await write(late) { report(.settledLate(change.slice.id)) }
    }

    /// Works until it is stopped, or until nothing is left to do now.
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
                // What goes on at another route may come after its worker was idle.
                hasMore = workers.contains { $0.takeMovedWork() } || hasPlanned
                if untilIdle, !hasMore { hasMore = await waitForOrphans() }
            }
        }
        while !Task.isCancelled, await maintainOnce() > 0 {}
    }

    // MARK: Being there

    private func renew() async {
        var missed = 0
        // Also while it is stopped: what is on its way is not for others.
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

    /// Others may count it as gone.
    func loseClaim() {
        state.withLock { $0.isLost = true }
        stop()
    }

    // MARK: Campaigns

    func campaigns(_ ids: Set<Int64>) async throws(PushError) -> [Int64: Campaign] {
        var found = known.withLock { known in known.filter { ids.contains($0.key) }.mapValues(\.campaign) }
        let missing = ids.subtracting(found.keys)
        guard !missing.isEmpty else { return found }
        for campaign in try await outbox.stored({ try await $0.campaigns(.numbered(missing)) }) {
            found[campaign.id] = campaign
        }
        known.withLock { [found] known in
            // Others end campaigns, too.
            if known.count + missing.count > Self.mostKnown { known = [:] }
            known.merge(found.mapValues { Known(campaign: $0) }) { old, _ in old }
        }
        return found
    }

    /// A campaign's message, which is read once.
    func message(of campaign: Campaign) throws(PushError) -> Message {
        if let message = known.withLock({ $0[campaign.id]?.message }) { return message }
        let message = try StoredJSON.read(Message.self, campaign.message)
        known.withLock { $0[campaign.id]?.message = message }
        return message
    }

    /// Whether unknown targets of a slice get the message again. Never an audience that is no list: it could not be counted who
    /// gets it twice.
    func resending(_ campaign: Campaign?, _ slice: SliceRow) -> SliceRow.Resending {
        let part = campaign?.part(of: slice)
        let isList = part.map { $0.audience == nil } ?? false
        return SliceRow.Resending(
            isAllowed: isList && campaign?.options.afterUnknown == .resend, now: moment)
    }
}

extension Campaign {
    /// The part of a slice; nil if there is none.
    func part(of slice: SliceRow) -> Part? { parts.indices.contains(slice.id.part) ? parts[slice.id.part] : nil }
}
