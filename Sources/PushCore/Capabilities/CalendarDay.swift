public import FoundationEssentials

/// The days by which a vendor counts: from midnight to midnight, at a fixed distance from UTC.
public struct CalendarDay: Sendable, Hashable {
    /// How far the vendor's clock is ahead of UTC.
    public var utcOffset: Duration

    /// Days of a clock that is this far ahead of UTC.
    public init(utcOffset: Duration) { self.utcOffset = utcOffset }

    /// The days of China, which has one time zone and no summer time.
    public static let china = CalendarDay(utcOffset: .seconds(8 * 3600))

    static let length: TimeInterval = 86_400

    /// The number of the day that a date lies in; the next day has the next number.
    public func number(of date: Date) -> Int {
        Int(((date.timeIntervalSince1970 + utcOffset.seconds) / Self.length).rounded(.down))
    }

    /// The midnight after a date.
    public func end(after date: Date) -> Date {
        Date(timeIntervalSince1970: Double(number(of: date) + 1) * Self.length - utcOffset.seconds)
    }
}

extension CalendarDay: CustomStringConvertible {
    /// `UTC+8`, `UTC+5:30`, `UTC`.
    public var description: String {
        let minutes = Int(utcOffset.seconds / 60)
        guard minutes != 0 else { return "UTC" }
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        let sign = minutes < 0 ? "-" : "+"
        return "UTC\(sign)\(hours)" + (rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")
    }
}
