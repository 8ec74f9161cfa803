import FoundationEssentials
import PushAdapter

/// Reads the `Retry-After` header: seconds, which are digits only (RFC 9110), or an HTTP date.
enum RetryAfter {
    /// At most `RetryPolicy.longestRest`. Nil for a header that is missing or unreadable; zero for a moment in the past.
    static func parse(_ fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter]?.trimmed, !text.isEmpty else { return nil }
        // A number too large for `Int` is still a long time.
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Duration.seconds(Int(text) ?? .max).asRest }
        return httpDate(text).map { Duration.seconds($0.timeIntervalSince(now)).asRest }
    }

    /// A date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may send.
    private static func httpDate(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
            let day = Int(words[1]), let year = Int(words[3])
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (1...31).contains(day), (1970...9999).contains(year), (0..<24).contains(time[0]),
            (0..<60).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2]))
    }
}

extension String {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
