import FoundationEssentials

/// Durations and times in the vendor's JSON form.
enum FCMText {
    /// Reads a duration such as `3s` or `3.5s`; nil for any other text.
    static func duration(_ text: String) -> Duration? {
        guard let match = text.wholeMatch(of: /([0-9]{1,12})(?:\.([0-9]{1,9}))?s/), let seconds = Int(match.1) else {
            return nil
        }
        let fraction = match.2.map { String($0) } ?? ""
        let nanoseconds = Int(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }

    /// Writes a duration as `3s` or `3.500000000s`: nanoseconds are the vendor's precision.
    static func text(_ duration: Duration) -> String {
        let sign = duration < .zero ? "-" : ""
        let (seconds, attoseconds) = duration.components
        let nanoseconds = attoseconds.magnitude / 1_000_000_000
        guard nanoseconds > 0 else { return "\(sign)\(seconds.magnitude)s" }
        let digits = String(nanoseconds)
        return "\(sign)\(seconds.magnitude).\(String(repeating: "0", count: 9 - digits.count))\(digits)s"
    }

    /// Reads an RFC 3339 time such as `2026-12-01T09:30:00.5Z`; nil for any other text.
    static func date(_ text: String) -> Date? {
        let form =
            /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+\-][0-9]{2}:[0-9]{2})/
        guard text.wholeMatch(of: form) != nil else { return nil }
        return try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
    }

    /// Writes a time as `2026-12-01T09:30:00.500Z`.
    static func text(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }
}
