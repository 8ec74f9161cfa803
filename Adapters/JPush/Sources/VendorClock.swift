import FoundationEssentials
import PushCore

/// The vendor's wall time: `2026-12-01 09:30:00`, in its own zone, with all zeros.
struct VendorClock: Sendable {
    private let calendar: Calendar

    init(_ offset: Duration) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: Int(offset.components.seconds)) ?? .gmt
        self.calendar = calendar
    }

    func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let day = [parts.month, parts.day].map { Self.twoDigits($0 ?? 0) }.joined(separator: "-")
        let time = [parts.hour, parts.minute, parts.second].map { Self.twoDigits($0 ?? 0) }.joined(separator: ":")
        return "\(parts.year ?? 0)-\(day) \(time)"
    }

    func date(_ text: String) -> Date? {
        let numbers = text.split(whereSeparator: { "-: ".contains($0) }).map { Int($0) }
        guard numbers.count == 6, !numbers.contains(nil) else { return nil }
        let parts = numbers.compactMap { $0 }
        return calendar.date(
            from: DateComponents(
                year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5]))
    }

    static func text(_ time: TimeOfDay) -> String {
        [time.hour, time.minute, time.second].map(twoDigits).joined(separator: ":")
    }

    static func time(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return parts.count == 3 ? TimeOfDay(hour: parts[0], minute: parts[1], second: parts[2]) : nil
    }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
