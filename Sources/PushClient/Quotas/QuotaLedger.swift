import PushAdapter

/// What a client knows about the vendor's quotas: a token bucket per quota, and the next free moment per subject with a
/// minimum interval.
final class QuotaLedger: Sendable {
    private struct State {
        var lanes: [LaneKey: Lane] = [:]
        var lastNumber = 0
        var minimumIntervals: [IntervalKey: Duration] = [:]
        /// When the vendor will have applied earlier calls of a family about a subject.
        var written: [Family: Duration] = [:]

        /// The longest wait in the lanes of a request. The request keeps its place in all of them until then.
        mutating func delay(
            _ reservation: Reservation, _ quotas: [QuotaBucket: Quota], now: Duration,
            _ wait: (_ lane: inout Lane, _ cost: Int, _ number: Int) -> Duration
        ) -> Delay {
            var delay = Delay()
            for charge in reservation.charges {
                let key = LaneKey(bucket: charge.bucket, share: reservation.share)
                let time = wait(
                    &lanes[key, default: Lane(quotas[charge.bucket], reservation.share)], charge.cost,
                    reservation.number)
                delay.raise(to: time, .quota(charge.bucket))
            }
            guard reservation.charges.count > 1 else { return delay }
            for charge in reservation.charges {
                let key = LaneKey(bucket: charge.bucket, share: reservation.share)
                lanes[key]?.postpone(reservation.number, to: now + delay.duration)
            }
            return delay
        }

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

        init(of operation: Feature, _ subject: Subject) {
            name = operation.family
            self.subject = subject
        }
    }

    private let quotas: [QuotaBucket: Quota]
    private let state = Locked(State())

    init(_ quotas: [QuotaBucket: Quota]) { self.quotas = quotas }

    /// How long a request has to wait, and why.
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

    /// A request's place in the lanes of its charges.
    struct Reservation {
        fileprivate let number: Int
        let charges: [QuotaCharge]
        let share: QuotaShare
    }

    /// Takes tokens from every lane of the charges, in the order of the calls; `refund` gives them back.
    /// - Parameter share: a request of a list of millions first takes from the lanes of its kind, and then from all.
    func reserve(_ charges: [QuotaCharge], _ share: QuotaShare = .all, now: Duration) -> (
        reservation: Reservation, delay: Delay
    ) {
        state.withLock { state in
            state.lastNumber += 1
            let reservation = Reservation(number: state.lastNumber, charges: charges, share: share)
            return (reservation, state.delay(reservation, quotas, now: now) { $0.take($1, number: $2, now: now) })
        }
    }

    /// How long a reserved request still has to wait. A pause that began meanwhile prolongs each wait by its turn.
    func remaining(_ reservation: Reservation, now: Duration) -> Delay {
        state.withLock { $0.delay(reservation, quotas, now: now) { $0.remaining($1, number: $2, now: now) } }
    }

    /// Gives back the tokens that a request did not use. Requests that wait longer do not move up. Only the next caller
    /// can have the place, and only at its moment: otherwise two would leave at once.
    func refund(_ reservation: Reservation, now: Duration) {
        state.withLock { state in
            for charge in reservation.charges {
                let key = LaneKey(bucket: charge.bucket, share: reservation.share)
                state.lanes[key]?.giveBack(charge.cost, number: reservation.number, now: now)
            }
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
    /// A request that waits for its moment. Without a number, the request gave up, and the next caller can have the
    /// place.
    private struct Place {
        var number: Int?
        var moment: Duration
        let cost: Int
        /// Whether the request missed its moment, so the lane has its tokens again.
        var isOver = false
    }

    /// The most that a request may be late, perhaps because it had no connection. A later one might leave together with
    /// others that are late.
    private static let mostLate = Duration.seconds(1)

    private var tokens: Double
    /// The requests in the order in which they took tokens. A request that waits stays in the line until it comes.
    private var line: [Place] = []
    private var capacity: Double
    private var perSecond: Double
    private let window: Double
    private let share: QuotaShare
    private var refilledAt: Duration?
    private var pausedUntil: Duration = .zero
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
    mutating func take(_ cost: Int, number: Int, now: Duration) -> Duration {
        refill(now: now)
        if let index = line.firstIndex(where: { $0.number == nil && !$0.isOver && $0.cost == cost }) {
            line[index].number = number
            return line[index].moment - now
        }
        tokens -= Double(cost)
        let moment = moment(at: tokens, now: now)
        if moment > now { line.append(Place(number: number, moment: moment, cost: cost)) }
        return moment - now
    }

    /// How long a request that took tokens still has to wait. A request that comes late, or during a pause, takes them
    /// again.
    mutating func remaining(_ cost: Int, number: Int, now: Duration) -> Duration {
        refill(now: now)
        guard let index = line.firstIndex(where: { $0.number == number }) else { return .zero }
        guard line[index].moment <= now else { return line[index].moment - now }
        let place = line.remove(at: index)
        dropLeftPlaces()
        guard place.isOver || pausedUntil > now else { return .zero }
        if !place.isOver { giveBack(cost, at: now) }
        return take(cost, number: number, now: now)
    }

    /// Keeps a place until a later moment, because another quota has no tokens before.
    mutating func postpone(_ number: Int, to moment: Duration) {
        guard let index = line.firstIndex(where: { $0.number == number }) else { return }
        line[index].moment = max(line[index].moment, moment)
    }

    mutating func giveBack(_ cost: Int, number: Int, now: Duration) {
        if let index = line.firstIndex(where: { $0.number == number }) {
            line[index].number = nil
            refill(now: now)
            dropLeftPlaces()
        } else {
            refill(now: now)
            giveBack(cost, at: now)
        }
    }

    /// Behind the last one who waits, a place that was left is no more than its tokens.
    private mutating func dropLeftPlaces() {
        while let last = line.last, last.number == nil {
            line.removeLast()
            tokens += Double(last.cost)
        }
    }

    /// If others wait, it is theirs: they would have moved up.
    private mutating func giveBack(_ cost: Int, at moment: Duration) {
        let isWanted = line.contains { $0.number != nil && $0.moment > moment }
        if !isWanted { tokens = min(capacity, tokens + Double(cost)) }
    }

    mutating func pause(until moment: Duration, reopens: Bool, now: Duration) {
        refill(now: now)
        // No tokens are left, and the waiting requests lose those that they have gained.
        if capacity.isFinite { tokens = min(tokens, -Double(line.reduce(0) { $0 + ($1.isOver ? 0 : $1.cost) })) }
        guard moment >= pausedUntil else { return }
        pausedUntil = moment
        self.reopens = reopens
        // Even a long pause brings no more than the whole quota.
        if !reopens { refilledAt = max(now, moment - .seconds(window)) }
        // Otherwise all of them would leave when it ends.
        var balance = tokens
        for index in line.indices.reversed() where !line[index].isOver {
            line[index].moment = max(line[index].moment, self.moment(at: balance, now: now))
            balance += Double(line[index].cost)
        }
    }

    /// When a request may leave if it brings the tokens to this number.
    private func moment(at tokens: Double, now: Duration) -> Duration {
        let start = max(now, pausedUntil)
        let gained = start == now ? 0 : reopens ? capacity : (start - max(now, refilledAt ?? now)).seconds * perSecond
        let missing = -(tokens + gained)
        return missing > 0 ? start + .seconds(min(missing / perSecond, 1e9)) : start
    }

    /// Adopts the size that the vendor names.
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
        for index in line.indices where !line[index].isOver {
            let place = line[index]
            let end = place.number == nil ? place.moment : place.moment + Self.mostLate
            guard end <= now else { continue }
            add(until: end)
            giveBack(place.cost, at: end)
            line[index].isOver = true
        }
        line.removeAll { $0.number == nil && $0.isOver }
        add(until: now)
    }

    /// Adds the tokens that the lane gains until a moment.
    private mutating func add(until now: Duration) {
        let start = refilledAt ?? now
        func isPending(_ place: Place) -> Bool { !place.isOver && place.moment > start }
        // A place that takes more than the bucket holds is paid for while it waits.
        func reserve(of place: Place) -> Double { min(Double(place.cost), capacity) }
        var reserved = line.reduce(0.0) { $0 + (isPending($1) ? reserve(of: $1) : 0) }
        for place in line where isPending(place) && place.moment <= now {
            gain(until: place.moment, most: capacity - reserved)
            reserved -= reserve(of: place)
        }
        gain(until: now, most: capacity - reserved)
    }

    private mutating func gain(until now: Duration, most: Double) {
        // No refill while the vendor's window is used up; the next window brings the whole quota.
        guard capacity.isFinite, !(reopens && pausedUntil > now) else { return }
        let last = refilledAt ?? now
        // A pause ends when the vendor opens a new window, which gives the whole quota at once.
        var gained = max(0, (now - last).seconds) * perSecond
        if reopens, pausedUntil > last {
            reopens = false
            gained = capacity + (now - pausedUntil).seconds * perSecond
        }
        tokens = min(most, tokens + gained)
        refilledAt = max(last, now)
    }
}
