import FoundationEssentials
import PushCore

/// The vendor's wall time.
enum TPNSClock {
    /// `2026-12-01 09:30:00`, on a clock that is so far ahead of UTC; the next whole second.
    static func text(_ date: Date, ahead offset: Duration) throws(PushError) -> String {
        guard let zone = TimeZone(secondsFromGMT: Int(offset.components.seconds)) else {
            throw PushError(.misconfigured, "clockOffset is \(offset); no time zone is that far from UTC")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: second)
        guard let year = parts.year, (1000...9999).contains(year) else {
            throw PushError(.invalidArgument, "the moment has a year that cannot be written with four digits")
        }
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let time = [parts.hour, parts.minute, parts.second].map(two).joined(separator: ":")
        return "\(year)-\(two(parts.month))-\(two(parts.day)) \(time)"
    }

    /// Whether a text has digits where a pattern has `0`, and the pattern's own characters elsewhere.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { byte, expected in
                expected == 0x30 ? (0x30...0x39).contains(byte) : byte == expected
            }
    }

    static let day = "0000-00-00"
    static let plainDay = "00000000"
    static let time = "00:00:00"
    static let moment = "0000-00-00 00:00:00"
}
