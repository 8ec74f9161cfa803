package import FoundationEssentials
package import PushAdapter

/// Counters that start again at the midnight of a vendor's clock.
package struct DayCounts: Sendable {
    private let day: CalendarDay
    private var number = 0
    private var counts: [String: Int] = [:]

    /// Counters of these days.
    package init(_ day: CalendarDay) { self.day = day }

    /// Counts one, and returns the count of the day.
    @discardableResult
    package mutating func add(_ name: String, _ now: Date) -> Int {
        if day.number(of: now) != number { (number, counts) = (day.number(of: now), [:]) }
        counts[name, default: 0] += 1
        return counts[name, default: 0]
    }

    /// The count of the day.
    package func count(of name: String, _ now: Date) -> Int {
        day.number(of: now) == number ? counts[name, default: 0] : 0
    }

    /// A quota of the day as an observer sees it.
    package func reading(_ title: String, _ limit: Int, of name: String, _ now: Date) -> QuotaReading {
        QuotaReading(name: title, limit: limit, remaining: max(0, limit - count(of: name, now)))
    }
}
