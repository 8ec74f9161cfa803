import FoundationEssentials
import PushAdapter

/// Quotas that come back at midnight, and quotas that the vendor says are used up. Nothing waits for them: a request
/// that does not fit is refused without being sent, with the date at which it may be.
struct UsedUpQuotas {
    /// A quota that has no units left, and when it is whole again.
    struct End {
        var bucket: QuotaBucket
        var date: Date
    }

    private struct Count {
        var day: Int
        var units = 0
    }

    private let limits: [QuotaBucket: (limit: Int, day: CalendarDay)]
    private var counts: [QuotaBucket: Count] = [:]
    private var ends: [QuotaBucket: Date] = [:]

    init(_ quotas: [QuotaBucket: Quota]) {
        limits = quotas.compactMapValues { if case .day(let day) = $0.window { ($0.limit, day) } else { nil } }
    }

    /// The charge that is larger than a whole day's quota, with that quota; nil if there is none.
    func excess(of charges: [QuotaCharge]) -> (charge: QuotaCharge, limit: Int)? {
        charges.lazy.compactMap { charge in limits[charge.bucket].map { (charge, $0.limit) } }
            .first { $0.0.cost > $0.1 }
    }

    /// The latest end of the quotas that a request would have to draw from and that have too little left; nil if it may
    /// leave. Takes nothing.
    func end(of charges: [QuotaCharge], at now: Date) -> End? {
        charges.compactMap { end(of: $0, at: now) }.max { $0.date < $1.date }
    }

    /// Takes the units of a request if all its quotas have them, and otherwise none.
    mutating func take(_ charges: [QuotaCharge], at now: Date) -> End? {
        if let end = end(of: charges, at: now) { return end }
        for charge in charges {
            guard let (_, day) = limits[charge.bucket] else { continue }
            let number = day.number(of: now)
            if counts[charge.bucket]?.day != number { counts[charge.bucket] = Count(day: number) }
            counts[charge.bucket]?.units += charge.cost
        }
        return nil
    }

    /// Gives back units that were taken at a date, unless their day is over.
    mutating func giveBack(_ charges: [QuotaCharge], takenAt date: Date) {
        for charge in charges where limits[charge.bucket]?.day.number(of: date) == counts[charge.bucket]?.day {
            counts[charge.bucket]?.units -= charge.cost
        }
    }

    /// Notes that a quota is used up until a date.
    mutating func rest(_ bucket: QuotaBucket, until end: Date) { ends[bucket] = max(end, ends[bucket] ?? end) }

    private func end(of charge: QuotaCharge, at now: Date) -> End? {
        if let date = ends[charge.bucket], date > now { return End(bucket: charge.bucket, date: date) }
        guard let (limit, day) = limits[charge.bucket] else { return nil }
        let count = counts[charge.bucket].flatMap { $0.day == day.number(of: now) ? $0.units : nil } ?? 0
        return count + charge.cost > limit ? End(bucket: charge.bucket, date: day.end(after: now)) : nil
    }
}
