public import FoundationEssentials

/// A local time as vendors write it: `2026-12-01 09:30:00`, at a fixed offset from UTC, with leading zeros.
public struct WallClock: Sendable {
    private let calendar: Calendar

    /// Refuses an offset that no time zone has, with `misconfigured`.
    public init(_ offset: Duration) throws(PushError) {
        guard let zone = TimeZone(secondsFromGMT: Int(offset.components.seconds)) else {
            throw PushError(.misconfigured, "clockOffset is \(offset); no time zone is that far from UTC")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// Writes a date, rounded up to a whole second; refuses a year that does not have four digits.
    public func text(_ date: Date) throws(PushError) -> String {
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: second)
        guard let year = parts.year, (1000...9999).contains(year) else {
            throw PushError(.invalidArgument, "the year of the date has to have four digits")
        }
        return Self.text(year, parts)
    }

    /// Reads a date; nil for one that does not exist, such as February 30.
    public func date(_ text: String) -> Date? {
        // Refuses longer texts, because a calendar cannot handle numbers of any size.
        guard text.utf8.count == 19 else { return nil }
        let parts = text.split(whereSeparator: { "-: ".contains($0) }).map { Int($0) ?? -1 }
        guard parts.count == 6, !parts.contains(-1) else { return nil }
        let components = DateComponents(
            year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
        guard let date = calendar.date(from: components), (try? self.text(date)) == text else { return nil }
        return date
    }

    private static func text(_ year: Int, _ parts: DateComponents) -> String {
        let day = [parts.month, parts.day].map { twoDigits($0 ?? 0) }.joined(separator: "-")
        let time = [parts.hour, parts.minute, parts.second].map { twoDigits($0 ?? 0) }.joined(separator: ":")
        return "\(year)-\(day) \(time)"
    }

    /// `09:30:00`.
    public static func text(_ time: TimeOfDay) -> String {
        [time.hour, time.minute, time.second].map(twoDigits).joined(separator: ":")
    }

    /// Nil for a text that is not a time of day.
    public static func time(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard parts.count == 3 else { return nil }
        let time = TimeOfDay(hour: parts[0], minute: parts[1], second: parts[2])
        return time.isValid ? time : nil
    }

    /// A number below 100 with two digits.
    public static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
