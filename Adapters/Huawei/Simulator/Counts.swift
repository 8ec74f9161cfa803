package import FoundationEssentials
package import PushSimulation

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
