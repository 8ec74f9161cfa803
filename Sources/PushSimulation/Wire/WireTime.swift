public import FoundationEssentials

/// Durations and times as JSON of many vendors has them: `3.5s`, and the times of RFC 3339.
public enum WireTime {
    /// The whole seconds of a text such as `3.5s`, rounded down; nil for another format.
    public static func seconds(_ text: String) -> Int? {
        guard text.hasSuffix("s") else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text.dropLast().dropFirst(isNegative ? 1 : 0).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first.flatMap(digits), parts.dropFirst().allSatisfy(isFraction) else {
            return nil
        }
        let hasRest = parts.count == 2 && parts[1].contains { $0 != "0" }
        return isNegative ? -whole - (hasRest ? 1 : 0) : whole
    }

    /// Whether a text is an RFC 3339 time, such as `2026-12-01T09:30:00.5Z`.
    public static func isTimestamp(_ text: String) -> Bool {
        let separator = text.dropFirst(10).first
        let wall = text.prefix(10) + " " + text.dropFirst(11).prefix(8)
        guard separator == "T", WallTime(ahead: 0).date(String(wall)) != nil else { return false }
        var rest = text.dropFirst(19)
        if rest.first == "." {
            let fraction = rest.dropFirst().prefix { $0.isNumber }
            guard isFraction(fraction) else { return false }
            rest = rest.dropFirst(fraction.count + 1)
        }
        return rest == "Z" || isOffset(rest)
    }

    /// Writes a time as `2026-12-01T09:30:00.500Z`.
    public static func text(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    /// The day of a time, as `2026-12-01`.
    public static func day(_ date: Date) -> String { String(text(date).prefix(10)) }

    private static func isOffset(_ text: Substring) -> Bool {
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.hasPrefix("+") || text.hasPrefix("-"), text.count == 6, parts.count == 2 else { return false }
        guard let hours = digits(parts[0]), let minutes = digits(parts[1]) else { return false }
        return hours < 24 && minutes < 60
    }

    private static func isFraction(_ text: Substring) -> Bool { text.utf8.count <= 9 && digits(text) != nil }

    private static func digits(_ text: Substring) -> Int? {
        // No duration has more than twelve digits.
        guard !text.isEmpty, text.utf8.count <= 12, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
