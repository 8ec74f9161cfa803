import PushCore

/// What a client knows about the vendor's quotas: a token bucket per quota, and the next free moment per subject with a
/// minimum interval.
final class QuotaLedger: Sendable {
    private struct State {
        var lanes: [LaneKey: Lane] = [:]
        var minimumIntervals: [IntervalKey: Duration] = [:]
        /// When the vendor will have applied earlier calls of a family about a subject.
        var written: [Family: Duration] = [:]

        func writeDelay(_ operation: Feature, _ subject: Subject, _ now: Duration) -> Delay {
            var delay = Delay()
            if let written = written[Family(of: operation, subject)] { delay.raise(to: written - now, .writeDelay) }
            return delay
        }
    }

    private struct LaneKey: Hashable {
        var bucket: QuotaBucket
        var share = QuotaShare.all
    }

    private struct IntervalKey: Hashable {
        var operation: Feature
        var subject: Subject
    }

    private struct Family: Hashable {
        var name: Substring
        var subject: Subject

        /// Operations of one family, such as `tags`, change the same thing.
        init(of operation: Feature, _ subject: Subject) {
            name = operation.rawValue.prefix { $0 != "." }
            self.subject = subject
        }
    }

    private let quotas: [QuotaBucket: Quota]
    private let state = Locked(State())

    init(_ quotas: [QuotaBucket: Quota]) { self.quotas = quotas }

    /// How long a request has to wait, and for what.
    struct Delay {
        var duration: Duration = .zero
        var cause: PushEvent.Wait = .minimumInterval

        mutating func raise(to other: Duration, _ cause: PushEvent.Wait) {
            if other > duration {
                duration = other
                self.cause = cause
            }
        }
    }

    /// Takes tokens from every lane of the charges, in the order of the calls; `refund` gives them back.
    /// - Parameter share: a request of a list of millions first takes from the lanes of its kind, and then from all.
    func reserve(_ charges: [QuotaCharge], _ share: QuotaShare = .all, now: Duration) -> Delay {
        state.withLock { state in
            var delay = Delay()
            for charge in charges {
                let key = LaneKey(bucket: charge.bucket, share: share)
                let wait = state.lanes[key, default: Lane(quotas[charge.bucket], share)].take(charge.cost, now: now)
                delay.raise(to: wait, .quota(charge.bucket))
            }
            return delay
        }
    }

    /// Gives tokens back that were reserved for a moment. Those who wait longer do not move up, so until then only the next
    /// caller can have them, at that moment: else two would leave at once.
    func refund(_ charges: [QuotaCharge], _ share: QuotaShare = .all, dueAt moment: Duration = .zero) {
        state.withLock { state in
            for charge in charges {
                state.lanes[LaneKey(bucket: charge.bucket, share: share)]?.giveBack(charge.cost, dueAt: moment)
            }
        }
    }

    /// How long the lanes of the charges stay paused.
    func pause(of charges: [QuotaCharge], now: Duration) -> Delay {
        state.withLock { state in
            var delay = Delay()
            for charge in charges {
                delay.raise(
                    to: (state.lanes[LaneKey(bucket: charge.bucket)]?.pausedUntil ?? .zero) - now, .quota(charge.bucket)
                )
            }
            return delay
        }
    }

    /// Pauses the lanes of the charges.
    /// - Parameter isNamed: the vendor named the end, when its quota is full again. Otherwise the time is a guess.
    func pause(_ charges: [QuotaCharge], for duration: Duration, isNamed: Bool, now: Duration) {
        state.withLock { state in
            for (index, charge) in charges.enumerated() {
                // The vendor's time is about one quota; the request's other quotas only pause.
                state.lanes[LaneKey(bucket: charge.bucket), default: Lane(quotas[charge.bucket])].pause(
                    until: now + duration, reopens: isNamed && index == 0, now: now)
            }
        }
    }

    /// Corrects the lane of the first charge, the one that rate headers describe.
    func learn(_ rate: RateFacts, _ charges: [QuotaCharge], now: Duration) {
        guard let bucket = charges.first?.bucket else { return }
        state.withLock { state in
            state.lanes[LaneKey(bucket: bucket), default: Lane(quotas[bucket])].learn(rate, now: now)
            state.lanes[LaneKey(bucket: bucket, share: .bulk)]?.learnLimit(rate, now: now)
        }
    }

    /// Gives a reserved moment back, unless a later one is reserved.
    func refundInterval(_ interval: Duration, _ operation: Feature, _ subject: Subject, start: Duration) {
        state.withLock { state in
            let key = IntervalKey(operation: operation, subject: subject)
            if state.minimumIntervals[key] == start + interval { state.minimumIntervals[key] = start }
        }
    }

    /// Reserves the next free moment of a subject: after its interval, and after the vendor applied its earlier calls.
    /// - Parameter waitsForWrites: whether to wait for those earlier calls.
    func reservePace(
        _ interval: Duration?, _ operation: Feature, _ subject: Subject, now: Duration, waitsForWrites: Bool = true
    ) -> Delay {
        state.withLock { state in
            var delay = waitsForWrites ? state.writeDelay(operation, subject, now) : Delay()
            guard let interval else { return delay }
            if state.minimumIntervals.count > 10_000 {
                state.minimumIntervals = state.minimumIntervals.filter { $0.value > now }
            }
            let key = IntervalKey(operation: operation, subject: subject)
            delay.raise(to: (state.minimumIntervals[key] ?? .zero) - now, .minimumInterval)
            state.minimumIntervals[key] = now + delay.duration + interval
            return delay
        }
    }

    /// How long the vendor may still be applying earlier calls of the operation's family about a subject.
    func writeDelay(_ operation: Feature, _ subject: Subject, now: Duration) -> Delay {
        state.withLock { $0.writeDelay(operation, subject, now) }
    }

    /// Delays calls of the operation's family about a subject until a moment.
    func settle(_ operation: Feature, _ subject: Subject, until moment: Duration, now: Duration) {
        state.withLock { state in
            if state.written.count > 10_000 { state.written = state.written.filter { $0.value > now } }
            let family = Family(of: operation, subject)
            state.written[family] = max(moment, state.written[family] ?? .zero)
        }
    }
}

/// One quota: a token bucket, below zero while calls wait, and a pause.
private struct Lane {
    private var tokens: Double
    /// The moments of those who wait.
    private var reserved: [Duration] = []
    /// What was given back before its moment, the soonest first. The next caller can have it.
    private var freed: [(moment: Duration, cost: Int)] = []
    private var capacity: Double
    private var perSecond: Double
    private let window: Double
    private let share: QuotaShare
    private var refilledAt: Duration?
    private(set) var pausedUntil: Duration = .zero
    /// Whether the quota is full again when the pause ends.
    private var reopens = false

    init(_ quota: Quota?, _ share: QuotaShare = .all) {
        self.share = share
        capacity = quota.map { Double(max(1, share.part(of: $0).limit)) } ?? .infinity
        window = max(0.001, quota?.window.seconds ?? 60)
        perSecond = capacity / window
        tokens = capacity
    }

    /// Returns how long to wait before the request may leave.
    mutating func take(_ cost: Int, now: Duration) -> Duration {
        refill(now: now)
        var moment = now
        if let index = freed.firstIndex(where: { $0.cost == cost }) {
            moment = freed.remove(at: index).moment
        } else {
            tokens -= Double(cost)
            if tokens < 0 { moment += .seconds(min(-tokens / perSecond, 1e9)) }
        }
        if moment > now { reserved.append(moment) }
        return max(moment, pausedUntil) - now
    }

    mutating func giveBack(_ cost: Int, dueAt moment: Duration) {
        if let index = reserved.lastIndex(where: { $0 <= moment }) { reserved.remove(at: index) }
        let index = freed.firstIndex { $0.moment > moment } ?? freed.endIndex
        freed.insert((moment, cost), at: index)
    }

    mutating func pause(until moment: Duration, reopens: Bool, now: Duration) {
        refill(now: now)
        if capacity.isFinite { tokens = min(tokens, 0) }
        if moment >= pausedUntil {
            pausedUntil = moment
            self.reopens = reopens
        }
    }

    /// Keeps to the size that the vendor names.
    mutating func learnLimit(_ rate: RateFacts, now: Duration) {
        refill(now: now)
        guard let named = rate.limit, named > 0 else { return }
        let limit = Double(share.part(of: Quota(named, per: .seconds(window), source: "")).limit)
        guard limit != capacity else { return }
        if capacity.isInfinite { tokens = limit }
        capacity = limit
        perSecond = capacity / window
        tokens = min(tokens, capacity)
    }

    mutating func learn(_ rate: RateFacts, now: Duration) {
        learnLimit(rate, now: now)
        if let remaining = rate.remaining, remaining >= 0 {
            tokens = min(tokens, Double(remaining))
            if remaining == 0, let reset = rate.reset, reset > .zero {
                pause(until: now + min(reset, RetryPolicy.longestHint), reopens: true, now: now)
            }
        }
    }

    private mutating func refill(now: Duration) {
        // No refill while the vendor's window is used up; the next window brings the whole quota.
        guard capacity.isFinite, !(reopens && pausedUntil > now) else { return }
        let last = refilledAt ?? now
        // A pause ends when the vendor opens a new window, which gives the whole quota at once.
        if reopens, pausedUntil > last, pausedUntil <= now {
            reopens = false
            tokens = min(capacity, tokens + capacity)
        } else {
            tokens = min(capacity, tokens + (now - last).seconds * perSecond)
        }
        refilledAt = now
        reserved.removeAll { $0 <= now }
        while let first = freed.first, first.moment <= now {
            freed.removeFirst()
            // If others wait, it is theirs: they would have moved up.
            if reserved.isEmpty { tokens = min(capacity, tokens + Double(first.cost)) }
        }
    }
}
