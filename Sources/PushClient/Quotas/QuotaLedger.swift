import FoundationEssentials
import PushAdapter

/// What a client knows about the vendor's quotas: a token bucket per quota, which quotas are used up, and the next free
/// moment per subject with a minimum interval.
final class QuotaLedger: Sendable {
    private struct State {
        var lanes: QuotaLanes
        var usedUp: UsedUpQuotas
        var lastNumber = 0
        /// When the next call may begin.
        var minimumIntervals = Moments<IntervalKey>()
        /// When the vendor will have applied earlier calls of a family about a subject.
        var written = Moments<Family>()

        /// The longest wait in the lanes of a request. The request keeps its place in all of them until then.
        mutating func delay(
            _ reservation: Reservation, now: Duration,
            _ wait: (_ lane: inout QuotaLane, _ cost: Int, _ number: Int) -> Duration
        ) -> Delay {
            var delay = Delay()
            let (number, share) = (reservation.number, reservation.share)
            // The lanes in which it waits.
            var places: [(bucket: QuotaBucket, time: Duration)] = []
            for charge in reservation.charges {
                let time = lanes.change(charge.bucket, share) { wait(&$0, charge.cost, number) } ?? .zero
                guard time > .zero else { continue }
                delay.raise(to: time, .quota(charge.bucket))
                places.append((charge.bucket, time))
            }
            for place in places where place.time < delay.duration {
                lanes.changeIfPresent(place.bucket, share) { $0.postpone(number, to: now + delay.duration) }
            }
            return delay
        }

        func writeDelay(_ operation: Feature, _ subject: Subject, _ now: Duration) -> Delay {
            var delay = Delay()
            if let written = written[Family(of: operation, subject)] { delay.raise(to: written - now, .writeDelay) }
            return delay
        }
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

    private let state: Locked<State>

    init(_ quotas: [QuotaBucket: Quota]) {
        // Those of a calendar day do not come back bit by bit.
        let rolling = quotas.filter { if case .rolling = $0.value.window { true } else { false } }
        state = Locked(State(lanes: QuotaLanes(rolling), usedUp: UsedUpQuotas(quotas)))
    }

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
            let delay = state.delay(reservation, now: now) { $0.take($1, number: $2, now: now) }
            return (reservation, delay)
        }
    }

    /// How long a reserved request still has to wait. A pause that began meanwhile prolongs each wait by its turn.
    func remaining(_ reservation: Reservation, now: Duration) -> Delay {
        state.withLock { $0.delay(reservation, now: now) { $0.remaining($1, number: $2, now: now) } }
    }

    /// Gives back the tokens that a request did not use. Requests that wait longer do not move up. Only the next caller
    /// can have the place, and only at its moment: otherwise two would leave at once.
    func refund(_ reservation: Reservation, now: Duration) {
        state.withLock { state in
            for charge in reservation.charges {
                state.lanes.changeIfPresent(charge.bucket, reservation.share) {
                    $0.giveBack(number: reservation.number, now: now)
                }
            }
        }
    }

    /// The charge that is larger than a whole day's quota; nil if there is none.
    func excess(of charges: [QuotaCharge]) -> (charge: QuotaCharge, limit: Int)? {
        state.withLock { $0.usedUp.excess(of: charges) }
    }

    /// The end of a quota that has too little left for a request; nil if there is none. Takes nothing.
    func end(of charges: [QuotaCharge], at now: Date) -> UsedUpQuotas.End? {
        state.withLock { $0.usedUp.end(of: charges, at: now) }
    }

    /// Takes units of the quotas that come back at midnight, unless one has too little left.
    func takeOfDay(_ charges: [QuotaCharge], at now: Date) -> UsedUpQuotas.End? {
        state.withLock { $0.usedUp.take(charges, at: now) }
    }

    /// Gives back what `takeOfDay` took at a date.
    func refundOfDay(_ charges: [QuotaCharge], takenAt date: Date) {
        state.withLock { $0.usedUp.giveBack(charges, takenAt: date) }
    }

    /// Refuses all requests that draw from a quota until a date.
    func rest(_ bucket: QuotaBucket, until end: Date) { state.withLock { $0.usedUp.rest(bucket, until: end) } }

    /// Pauses the lanes of the charges.
    /// - Parameter isNamed: the vendor named the end, when its quota is full again. Otherwise the time is a guess.
    func pause(_ charges: [QuotaCharge], for duration: Duration, isNamed: Bool, now: Duration) {
        state.withLock { state in
            for (index, charge) in charges.enumerated() {
                state.lanes.open(charge.bucket)
                // The vendor's time is about one quota; the request's other quotas only pause.
                state.lanes.change(charge.bucket) {
                    $0.pause(until: now + duration, reopens: isNamed && index == 0, now: now)
                }
            }
        }
    }

    /// Corrects the lane of the first charge, the one that rate headers describe.
    func learn(_ rate: RateFacts, _ charges: [QuotaCharge], now: Duration) {
        guard let bucket = charges.first?.bucket else { return }
        state.withLock { state in
            if rate.limit ?? 0 > 0 || rate.remaining == 0 { state.lanes.open(bucket) }
            state.lanes.change(bucket) { $0.learn(rate, now: now) }
            state.lanes.changeIfPresent(bucket, .bulk) { $0.learnLimit(rate, now: now) }
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
            state.minimumIntervals.forgetPassed(now: now)
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
            state.written.forgetPassed(now: now)
            let family = Family(of: operation, subject)
            state.written[family] = max(moment, state.written[family] ?? .zero)
        }
    }
}
