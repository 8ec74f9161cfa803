package import FoundationEssentials

/// A wall time that vendors write: `2026-12-01 09:30:00`, in a zone of a fixed distance from UTC, with all zeros.
package struct WallClock: Sendable {
    private let calendar: Calendar

    /// Refuses with `misconfigured` an offset that no zone has.
    package init(_ offset: Duration) throws(PushError) {
        guard let zone = TimeZone(secondsFromGMT: Int(offset.components.seconds)) else {
            throw PushError(.misconfigured, "clockOffset is \(offset); no time zone is that far from UTC")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The next whole second; refuses a year that does not have four digits.
    package func text(_ date: Date) throws(PushError) -> String {
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: second)
        guard let year = parts.year, (1000...9999).contains(year) else {
            throw PushError(.invalidArgument, "the moment has a year that cannot be written with four digits")
        }
        return Self.text(year, parts)
    }

    /// Nil for what is no moment, such as the thirtieth of February.
    package func date(_ text: String) -> Date? {
        // Nothing longer: a calendar does not stand numbers of any size.
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
    package static func text(_ time: TimeOfDay) -> String {
        [time.hour, time.minute, time.second].map(twoDigits).joined(separator: ":")
    }

    /// Nil for what is no time of a day.
    package static func time(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard parts.count == 3 else { return nil }
        let time = TimeOfDay(hour: parts[0], minute: parts[1], second: parts[2])
        return time.isValid ? time : nil
    }

    package static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
