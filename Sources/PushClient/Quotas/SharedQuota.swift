import FoundationEssentials
public import PushAdapter

/// A vendor's quotas that several processes share, because they send with the same app key.
///
/// A client keeps to its own count first, then asks the shared one, for about a second of its use at a time. No send
/// fails because the shared count fails or gives no answer within a second. For some seconds, the client then keeps to
/// its own count alone, and the vendor's throttles correct that. Implement it over a store that your processes share,
/// and check it with `SharedQuotaCheck` of the module PushStoreConformance; `PostgresOutboxStore` has one.
public protocol SharedQuota: Sendable {
    /// Takes units from a quota, which may go below zero. Returns how long to wait before using them; zero for no wait.
    ///
    /// A quota of a calendar day does not go below zero: if too few units are left today, it gives none and returns the
    /// time until it is whole again.
    /// - Parameters:
    ///   - count: how many units.
    ///   - bucket: which quota.
    ///   - quota: how large it is. A new one is full.
    func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration
    /// Lowers a quota to the number that the vendor says is left, and pauses it for a time, which may be most of a day.
    func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) async throws
}

/// The units that one client took from a shared quota and has not used yet.
actor SharedQuotaLanes {
    private struct Lane {
        var granted = 0
        /// When the granted units may be used.
        var readyAt: Duration = .zero
        /// When the client last asked for units.
        var askedAt: Duration?
        /// How many units it has used since.
        var used = 0
        var asking: Task<Void, Never>?
    }

    /// The client drops units that are unused for this long, because they come from a quota as old as that.
    private static let longestUse = Duration.seconds(2)
    /// How long the client does not ask a quota after it gave no answer.
    private static let failurePause = Duration.seconds(5)
    /// The longest wait for an answer of the shared quota.
    private static let longestAsking = Duration.seconds(1)
    private static let shortestSpan = 0.25
    /// The least time between two corrections by the remaining number of a response.
    private static let learningPause = Duration.seconds(1)

    private let quota: any SharedQuota
    private var quotas: [QuotaBucket: Quota]
    private let clock: any PushClock
    private let gate: ShutdownGate
    private var lanes: [QuotaBucket: Lane] = [:]
    private var learnedAt: [QuotaBucket: Duration] = [:]
    private var restsUntil: Duration = .zero
    /// The units of calendar days that requests have given back.
    private var givenBack: [QuotaBucket: (day: Int, units: Int)] = [:]

    init(_ quota: any SharedQuota, _ quotas: [QuotaBucket: Quota], clock: any PushClock, gate: ShutdownGate) {
        (self.quota, self.quotas, self.clock, self.gate) = (quota, quotas, clock, gate)
    }

    /// Takes units for a request; returns how long it waits, and for which quota.
    /// - Parameter share: the part of each quota that requests like this one may use.
    func take(_ charges: [QuotaCharge], _ share: QuotaShare) async -> QuotaLedger.Delay {
        var delay = QuotaLedger.Delay()
        for charge in charges {
            guard let known = quotas[charge.bucket], known.day == nil else { continue }
            let wait = await take(charge.cost, share.name(charge.bucket), share.part(of: known))
            delay.raise(to: wait, .quota(charge.bucket))
        }
        return delay
    }

    /// Keeps the units of a request that did not leave for the next one, unless they have become too old: the quota has
    /// gained others meanwhile.
    /// - Parameter start: from when on the request could use them.
    func refund(_ reservation: QuotaLedger.Reservation, from start: Duration) {
        guard clock.elapsed - start <= Self.longestUse else { return }
        for charge in reservation.charges { lanes[reservation.share.name(charge.bucket)]?.granted += charge.cost }
    }

    /// Takes units of the quotas of calendar days, each with a request of its own to the store. Returns the end of a
    /// quota that has too little left; what the others gave stays for the next request.
    func takeOfDay(_ charges: [QuotaCharge], at now: Date) async -> UsedUpQuotas.End? {
        for (index, charge) in charges.enumerated() {
            guard let known = quotas[charge.bucket], let day = known.day else { continue }
            if let kept = givenBack[charge.bucket], kept.day == day.number(of: now), kept.units >= charge.cost {
                givenBack[charge.bucket]?.units -= charge.cost
                continue
            }
            guard clock.elapsed >= restsUntil else { continue }
            guard let wait = await units(charge.cost, charge.bucket, known) else {
                rest()
                continue
            }
            guard wait > .zero else { continue }
            refundOfDay(Array(charges[..<index]), takenAt: now)
            return UsedUpQuotas.End(bucket: charge.bucket, date: now.addingTimeInterval(wait.seconds))
        }
        return nil
    }

    func refundOfDay(_ charges: [QuotaCharge], takenAt date: Date) {
        for charge in charges {
            guard let number = quotas[charge.bucket]?.day?.number(of: date) else { continue }
            if givenBack[charge.bucket]?.day != number { givenBack[charge.bucket] = (number, 0) }
            givenBack[charge.bucket]?.units += charge.cost
        }
    }

    /// Learns the size of the first charge's quota, and the remaining number, from a response.
    func learn(_ rate: RateFacts, _ charges: [QuotaCharge]) async {
        guard let bucket = charges.first?.bucket, quotas[bucket] != nil else { return }
        if let limit = rate.limit, limit > 0 { quotas[bucket]?.limit = limit }
        guard let left = rate.remaining, left >= 0 else { return }
        let now = clock.elapsed
        if left > 0, let last = learnedAt[bucket], now - last < Self.learningPause { return }
        learnedAt[bucket] = now
        let reset = min(rate.reset ?? .zero, RetryPolicy.longestHint)
        await correct(bucket, remaining: left, pausedFor: left == 0 ? max(.zero, reset) : .zero)
    }

    /// Tells the others that the vendor throttles for a time. That is about the first charge that is not a quota of
    /// a calendar day: no units left of a day would stop the others until midnight.
    func pause(_ charges: [QuotaCharge], for time: Duration) async {
        guard let charge = charges.first(where: { quotas[$0.bucket]?.day == nil }) else { return }
        await correct(charge.bucket, remaining: 0, pausedFor: time)
    }

    /// Tells the others that a quota is used up for a time. A day keeps its units, because the time may end before
    /// midnight.
    func useUp(_ bucket: QuotaBucket, for time: Duration) async {
        guard let known = quotas[bucket] else { return }
        await correct(bucket, remaining: known.day == nil ? 0 : known.limit, pausedFor: time.asRest)
    }

    private func correct(_ bucket: QuotaBucket, remaining: Int, pausedFor pause: Duration) async {
        guard let known = quotas[bucket], clock.elapsed >= restsUntil else { return }
        let isDone: Void? = await answer { [quota] in
            try await quota.correct(bucket, known, remaining: remaining, pausedFor: pause)
        }
        if isDone == nil { rest() }
    }

    private func take(_ cost: Int, _ bucket: QuotaBucket, _ known: Quota) async -> Duration {
        while true {
            let now = clock.elapsed
            var lane = lanes[bucket] ?? Lane()
            if now - lane.readyAt > Self.longestUse { lane.granted = 0 }
            if lane.granted >= cost {
                lane.granted -= cost
                lane.used += cost
                lanes[bucket] = lane
                return max(.zero, lane.readyAt - now)
            }
            if now < restsUntil { return .zero }
            let asking = lane.asking ?? Task { await self.ask(for: cost, bucket, known) }
            lane.asking = asking
            lanes[bucket] = lane
            await asking.value
        }
    }

    private func ask(for cost: Int, _ bucket: QuotaBucket, _ known: Quota) async {
        let now = clock.elapsed
        let span = lanes[bucket]?.askedAt.map { max(Self.shortestSpan, (now - $0).seconds) } ?? 1
        let lately = Double(lanes[bucket]?.used ?? 0) / span
        let inSecond = Double(known.limit) / max(0.001, known.seconds)
        let count = max(cost, Int(min(lately, inSecond)))
        if let wait = await units(count, bucket, known) {
            lanes[bucket]?.granted += count
            lanes[bucket]?.readyAt = clock.elapsed + wait
        } else {
            rest()
        }
        lanes[bucket]?.askedAt = now
        lanes[bucket]?.used = 0
        lanes[bucket]?.asking = nil
    }

    /// Takes units. Returns how long to wait before using them; nil if there is no answer.
    private func units(_ count: Int, _ bucket: QuotaBucket, _ known: Quota) async -> Duration? {
        await answer { [quota] in try await quota.take(count, from: bucket, known).asRest }
    }

    /// Returns the answer; nil if there is none in time, or the client is shut down. Then the question goes on, and the
    /// units that it takes are lost.
    private func answer<Answer: Sendable>(_ ask: @escaping @Sendable () async throws -> Answer) async -> Answer? {
        let place = Locked<CheckedContinuation<Answer?, Never>?>(nil)
        @Sendable func end(_ answer: Answer?) { place.withLock { $0.take() }?.resume(returning: answer) }
        let limit = Locked<Task<Void, Never>?>(nil)
        let wait = Locked<Int?>(nil)
        let answer = await withCheckedContinuation { continuation in
            place.withLock { $0 = continuation }
            let waiting = Task { [clock] in
                if (try? await clock.expire(after: Self.longestAsking)) != nil { end(nil) }
            }
            limit.withLock { $0 = waiting }
            wait.withLock { $0 = gate.beginWait { end(nil) } }
            Task { end(try? await ask()) }
        }
        limit.withLock { $0 }?.cancel()
        if let wait = wait.withLock({ $0 }) { gate.endWait(wait) }
        return answer
    }

    private func rest() { restsUntil = clock.elapsed + Self.failurePause }
}

extension Quota {
    fileprivate var day: CalendarDay? { if case .day(let day) = window { day } else { nil } }
}

/// Which part of the quotas a request may use.
enum QuotaShare {
    /// All of them.
    case all
    /// Nine tenths, for lists of millions: a message that a user waits for must not wait for the whole list.
    case bulk

    static let bulkShare = 0.9

    /// The name under which this part of a quota is counted.
    func name(_ bucket: QuotaBucket) -> QuotaBucket { self == .all ? bucket : QuotaBucket(bucket.rawValue + ".bulk") }

    func part(of quota: Quota) -> Quota {
        guard self == .bulk else { return quota }
        var part = quota
        part.limit = max(1, Int(Double(quota.limit) * Self.bulkShare))
        return part
    }
}
