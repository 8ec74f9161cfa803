import FoundationEssentials
import HTTPTypes

extension WireResponse {
    /// The time that the `Retry-After` header names: seconds, which are digits only (RFC 9110), or an HTTP date, from
    /// `receivedAt` on. Zero for a moment in the past; nil for a header that is missing or unreadable.
    ///
    /// The client follows it for each error that may be retried after a delay, so an adapter needs it only for other uses.
    public var retryAfter: Duration? {
        guard let text = headers[.retryAfter]?.trimmed, !text.isEmpty else { return nil }
        // A number too large for `Int` is still a long time.
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return .seconds(Int(text) ?? .max) }
        return Self.httpDate(text).map { max(.zero, .seconds($0.timeIntervalSince(receivedAt))) }
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
