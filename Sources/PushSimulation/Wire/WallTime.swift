public import FoundationEssentials
public import PushAdapter

/// The wall time of a vendor, as its server writes and reads it: every number zero-padded.
public struct WallTime: Sendable {
    private let calendar: Calendar

    /// A clock this many hours ahead of UTC; UTC itself for hours that no time zone has.
    public init(ahead hours: Int) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: hours * 3600) ?? .gmt
        self.calendar = calendar
    }

    /// The moment of `2026-12-01 09:30:00`; nil for any other format, and for the thirtieth of February.
    public func date(_ text: String) -> Date? {
        let halves = text.split(separator: " ", omittingEmptySubsequences: false)
        guard halves.count == 2, let time = Self.time(String(halves[1])) else { return nil }
        let day = halves[0].split(separator: "-").compactMap { Int($0) }
        guard day.count == 3 else { return nil }
        let parts = DateComponents(
            year: day[0], month: day[1], day: day[2], hour: time.hour, minute: time.minute, second: time.second)
        guard let date = calendar.date(from: parts), self.text(date) == text else { return nil }
        return date
    }

    /// The time of `09:30:00`; nil for any other format.
    public static func time(_ text: String) -> TimeOfDay? {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false)
        let parts = numbers.filter { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
            .compactMap { Int($0) }
        guard numbers.count == 3, parts.count == 3 else { return nil }
        let time = TimeOfDay(hour: parts[0], minute: parts[1], second: parts[2])
        return time.isValid ? time : nil
    }

    /// A moment as `2026-12-01 09:30:00`.
    public func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ number: Int?, _ count: Int) -> String { String(number ?? 0).padded(to: count) }
        let day = [digits(parts.year, 4), digits(parts.month, 2), digits(parts.day, 2)].joined(separator: "-")
        return day + " " + [parts.hour, parts.minute, parts.second].map { digits($0, 2) }.joined(separator: ":")
    }

    /// The day of a moment as `20261201`.
    public func day(of date: Date) -> String { text(date).prefix(10).filter { $0 != "-" } }
}
