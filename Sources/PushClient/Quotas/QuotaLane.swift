import PushAdapter

/// One quota: a token bucket, below zero while calls wait, and a pause.
///
/// Tens of thousands of requests may wait, so nothing that a request does looks at all of them in the usual case.
struct QuotaLane {
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
    /// By moment, and then in the order in which they took tokens. A request that waits stays in the line until it comes.
    private var line: ArraySlice<Place> = []
    /// What the requests reserve whose moment has not come.
    private var reserved = 0.0
    /// The number of places in the line that were left.
    private var leftPlaces = 0
    private var capacity: Double
    private var perSecond: Double
    private let window: Double
    private let share: QuotaShare
    private var refilledAt: Duration?
    /// Of the requests whose moment has come.
    private var unused = UnusedTokens()
    private var pausedUntil: Duration = .zero
    /// Whether the quota is full again when the pause ends.
    private var reopens = false

    init(_ quota: Quota?, _ share: QuotaShare = .all) {
        self.share = share
        capacity = quota.map { Double(max(1, share.part(of: $0).limit)) } ?? .infinity
        window = max(0.001, quota?.seconds ?? 60)
        perSecond = capacity / window
        tokens = capacity
    }

    /// Returns how long to wait before the request may leave.
    mutating func take(_ cost: Int, number: Int, now: Duration) -> Duration {
        refill(now: now)
        if leftPlaces > 0, let index = line.firstIndex(where: { $0.number == nil && $0.cost == cost }) {
            line[index].number = number
            leftPlaces -= 1
            return line[index].moment - now
        }
        tokens -= Double(cost)
        let moment = momentBehindLine(cost, now: now)
        if moment > now {
            insert(Place(number: number, moment: moment, cost: cost))
        } else {
            hold(cost, number)
        }
        return moment - now
    }

    /// How long a request that took tokens still has to wait. A request that comes late, or during a pause, takes them
    /// again.
    mutating func remaining(_ cost: Int, number: Int, now: Duration) -> Duration {
        refill(now: now)
        guard let index = line.firstIndex(where: { $0.number == number }) else { return .zero }
        guard line[index].moment <= now else { return line[index].moment - now }
        let place = remove(at: index)
        dropLeftPlaces()
        guard place.isOver || pausedUntil > now else { return .zero }
        if !place.isOver { giveBack(Double(cost), at: now) }
        return take(cost, number: number, now: now)
    }

    /// Keeps a place, which is among the last, until a later moment, because another quota has no tokens before.
    mutating func postpone(_ number: Int, to moment: Duration) {
        guard let index = line.lastIndex(where: { $0.number == number }) else { return }
        var place = remove(at: index)
        place.moment = max(place.moment, moment)
        insert(place)
    }

    /// Gives back the tokens of a request that has not used them: all, except those that came back by themselves since
    /// it took them.
    mutating func giveBack(number: Int, now: Duration) {
        refill(now: now)
        if let index = line.firstIndex(where: { $0.number == number }) {
            line[index].number = nil
            leftPlaces += 1
            if line[index].moment <= now { _ = remove(at: index) }
            dropLeftPlaces()
        }
        giveBack(unused.remove(number), at: now)
    }

    // MARK: The line

    private func isPending(_ place: Place) -> Bool { !place.isOver && place.moment > refilledAt ?? .zero }

    private mutating func insert(_ place: Place) {
        if isPending(place) { reserved += reserve(of: place.cost) }
        line.insert(place, at: firstIndex(after: place.moment))
    }

    /// The index of the first place with a later moment.
    private func firstIndex(after moment: Duration) -> Int { line.partitioningIndex { $0.moment > moment } }

    private mutating func remove(at index: Int) -> Place {
        let place = line.take(at: index)
        if isPending(place) { reserved -= reserve(of: place.cost) }
        if place.number == nil { leftPlaces -= 1 }
        return place
    }

    private mutating func countReserved() {
        reserved = line.reduce(0) { $0 + (isPending($1) ? reserve(of: $1.cost) : 0) }
    }

    private mutating func hold(_ cost: Int, _ number: Int) {
        if capacity.isFinite, cost > 0 { unused.add(Double(cost), number: number) }
    }

    /// Behind the last one who waits, a place that was left is no more than its tokens.
    private mutating func dropLeftPlaces() {
        while let last = line.indices.last, line[last].number == nil { tokens += Double(remove(at: last).cost) }
    }

    /// If others wait, it is theirs: they would have moved up.
    private mutating func giveBack(_ count: Double, at moment: Duration) {
        let last = line.last { $0.number != nil }
        if last.map({ $0.moment <= moment }) ?? true { tokens = min(capacity, tokens + count) }
    }

    mutating func pause(until moment: Duration, reopens: Bool, now: Duration) {
        refill(now: now)
        // No tokens are left, and the waiting requests lose those that they have gained.
        if capacity.isFinite { tokens = min(tokens, -Double(line.reduce(0) { $0 + ($1.isOver ? 0 : $1.cost) })) }
        guard moment >= pausedUntil else { return }
        pausedUntil = moment
        self.reopens = reopens
        unused = UnusedTokens()
        // Even a long pause brings no more than the whole quota.
        if !reopens { refilledAt = max(now, moment - .seconds(window)) }
        // Otherwise all of them would leave when it ends.
        var balance = tokens
        for index in line.indices.reversed() where !line[index].isOver {
            line[index].moment = max(line[index].moment, self.moment(at: balance, now: now))
            balance += Double(line[index].cost)
        }
        countReserved()
    }

    /// When a request may leave if it brings the tokens to this number.
    private func moment(at tokens: Double, now: Duration) -> Duration {
        let start = max(now, pausedUntil)
        let missing = -(tokens + gained(until: start, now: now))
        return missing > 0 ? start + .seconds(min(missing / perSecond, 1e9)) : start
    }

    /// What the lane gains until a moment, at which a pause may end.
    private func gained(until start: Duration, now: Duration) -> Double {
        start == now ? 0 : reopens ? capacity : (start - max(now, refilledAt ?? now)).seconds * perSecond
    }

    /// When a request may leave that has taken its tokens. Others may keep theirs for longer than they have to, because
    /// a pause ended before their moment, and until then a full bucket gains nothing.
    private func momentBehindLine(_ cost: Int, now: Duration) -> Duration {
        var time = max(now, pausedUntil)
        guard capacity.isFinite else { return time }
        var balance = tokens + gained(until: time, now: now)
        // If all fit into the bucket together, it is never full before the moment.
        let fits = reserve(of: cost) + reserved <= capacity
        let pending = fits ? [] : line[firstIndex(after: time)...]
        var most = capacity - pending.reduce(reserve(of: cost)) { $0 + reserve(of: $1.cost) }
        for place in pending {
            let later = balance + (place.moment - time).seconds * perSecond
            if later >= 0, most >= 0 { break }
            (balance, time) = (min(later, most), place.moment)
            most += reserve(of: place.cost)
        }
        return balance < 0 ? time + .seconds(min(-balance / perSecond, 1e9)) : time
    }

    /// A request that takes more than the bucket holds is paid for while it waits.
    private func reserve(of cost: Int) -> Double { min(Double(cost), capacity) }

    /// When the lane is as a new one: no request waits, no pause is left, and it is full. Nil while requests wait.
    var restsAt: Duration? {
        guard line.count == leftPlaces else { return nil }
        guard capacity.isFinite, tokens < capacity else { return pausedUntil }
        let start = max(pausedUntil, refilledAt ?? .zero)
        return reopens ? start : start + .seconds(min((capacity - tokens) / perSecond, 1e9))
    }

    /// Adopts the size that the vendor names.
    mutating func learnLimit(_ rate: RateFacts, now: Duration) {
        refill(now: now)
        guard let named = rate.limit, named > 0 else { return }
        let limit = Double(share.part(of: Quota(named, per: .seconds(window), source: "")).limit)
        guard limit != capacity else { return }
        if capacity.isInfinite { (tokens, refilledAt) = (limit, max(now, refilledAt ?? now)) }
        capacity = limit
        perSecond = capacity / window
        tokens = min(tokens, capacity)
        countReserved()
    }

    mutating func learn(_ rate: RateFacts, now: Duration) {
        learnLimit(rate, now: now)
        if let remaining = rate.remaining, remaining >= 0 {
            // The vendor did not count the requests that did not leave.
            unused.limit(to: Double(remaining) - tokens)
            tokens = min(tokens, Double(remaining))
            if remaining == 0, let reset = rate.reset, reset > .zero {
                pause(until: now + min(reset, RetryPolicy.longestHint), reopens: true, now: now)
            }
        }
    }

    private mutating func refill(now: Duration) {
        var leftNow = 0
        for index in line.indices where !line[index].isOver {
            let place = line[index]
            let end = place.number == nil ? place.moment : place.moment + Self.mostLate
            if place.moment > now || end > now && leftPlaces == 0 { break }
            guard end <= now else { continue }
            add(until: end)
            giveBack(place.number.map { unused.remove($0) } ?? Double(place.cost), at: end)
            line[index].isOver = true
            if place.number == nil { leftNow += 1 }
        }
        if leftNow > 0 {
            line.removeAll { $0.number == nil && $0.isOver }
            leftPlaces -= leftNow
        }
        add(until: now)
    }

    /// Adds the tokens that the lane gains until a moment.
    private mutating func add(until now: Duration) {
        guard capacity.isFinite else { return }
        let start = refilledAt ?? now
        for place in line[firstIndex(after: start)..<firstIndex(after: max(start, now))] {
            gain(until: place.moment, most: capacity - reserved)
            reserved -= reserve(of: place.cost)
            if let number = place.number { hold(place.cost, number) }
        }
        gain(until: now, most: capacity - reserved)
    }

    private mutating func gain(until now: Duration, most: Double) {
        // No refill while the vendor's window is used up; the next window brings the whole quota.
        guard !(reopens && pausedUntil > now) else { return }
        let last = refilledAt ?? now
        // A pause ends when the vendor opens a new window, which gives the whole quota at once.
        var gained = max(0, (now - last).seconds) * perSecond
        if reopens, pausedUntil > last {
            reopens = false
            gained = capacity + (now - pausedUntil).seconds * perSecond
        }
        tokens = min(most, tokens + gained)
        unused.limit(to: most - tokens)
        refilledAt = max(last, now)
    }
}
