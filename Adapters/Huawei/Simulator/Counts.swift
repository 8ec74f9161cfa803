package import FoundationEssentials
package import PushSimulation

/// Counters that start again at midnight, in a zone without daylight saving.
package struct DayCounts: Sendable {
    private let secondsAhead: Double
    private var day = 0
    private var counts: [String: Int] = [:]

    /// Counters of a zone this many hours ahead of UTC.
    package init(hoursAhead: Int) { secondsAhead = Double(hoursAhead) * 3600 }

    /// Counts one, and returns the count of the day.
    package mutating func add(_ name: String, _ now: Date) -> Int {
        if day(of: now) != day { (day, counts) = (day(of: now), [:]) }
        counts[name, default: 0] += 1
        return counts[name, default: 0]
    }

    /// The count of the day.
    package func count(of name: String, _ now: Date) -> Int { day(of: now) == day ? counts[name, default: 0] : 0 }

    private func day(of now: Date) -> Int { Int(((now.timeIntervalSince1970 + secondsAhead) / 86_400).rounded(.down)) }
}

extension RateWindow {
    /// Counts this many at once if all of them fit; otherwise none.
    package mutating func take(_ count: Int, of limit: Int, _ now: Date) -> Bool {
        guard remaining(limit, now) >= count else { return false }
        for _ in 0..<count { _ = take(limit, now) }
        return true
    }
}

/// The classes of messages.
package enum MessageCategory {
    /// Messages for which a user waits. Each needs its right.
    package static let service: Set<String> = [
        "IM", "VOIP", "SUBSCRIPTION", "TRAVEL", "HEALTH", "WORK", "ACCOUNT", "EXPRESS", "FINANCE", "DEVICE_REMINDER",
        "MAIL", voice,
    ]
    /// Needs no right.
    package static let marketing = "MARKETING"
    /// Read aloud.
    package static let voice = "PLAY_VOICE"

    /// The class that counts. A class without its right is marketing, and so is none.
    package static func effective(_ category: String?, rights: Set<String>) -> String {
        category.flatMap { rights.contains($0) ? $0 : nil } ?? marketing
    }
}
