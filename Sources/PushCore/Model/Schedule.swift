public import FoundationEssentials

/// A message that the vendor keeps and sends later.
public struct Schedule: Sendable, Hashable {
    /// The name that the vendor's list shows.
    public var name: String
    /// When it sends.
    public var trigger: ScheduleTrigger
    /// The message that it sends.
    public var message: Message
    /// The audience that it sends to.
    public var audience: Audience

    /// A message that the vendor sends to an audience when the trigger fires.
    public init(name: String, trigger: ScheduleTrigger, message: Message, audience: Audience) {
        self.name = name
        self.trigger = trigger
        self.message = message
        self.audience = audience
    }

    /// The features a provider must have for this schedule.
    public var features: [Feature] { [trigger.feature] + message.features + audience.features }
}

/// When a schedule sends.
public enum ScheduleTrigger: Sendable, Hashable {
    /// Once, at this moment.
    case once(Date)
    /// Repeatedly.
    case recurring(Recurrence)

    /// The feature a provider needs for it.
    public var feature: Feature {
        switch self {
        case .once: .scheduleOnce
        case .recurring: .scheduleRecurring
        }
    }
}

/// The rhythm of a schedule that sends repeatedly.
///
/// The time of day and the days are in the vendor's own time zone, which its adapter names.
public struct Recurrence: Sendable, Hashable {
    /// The days on which a schedule sends.
    public enum Rhythm: Sendable, Hashable {
        /// Every day, or every `interval`th.
        case daily
        /// On these days of a week.
        case weekly(Set<Weekday>)
        /// On these days of a month, 1 to 31; a month without the day is skipped.
        case monthly(Set<Int>)
    }

    /// When the schedule starts.
    public var start: Date
    /// When the schedule ends.
    public var end: Date
    /// The time of day at which it sends.
    public var time: TimeOfDay
    /// The days on which it sends.
    public var rhythm: Rhythm
    /// The interval in days, weeks or months; 1 means every one.
    public var interval: Int

    /// A rhythm between two moments, at a time of day, every `interval` days, weeks or months.
    public init(from start: Date, to end: Date, at time: TimeOfDay, _ rhythm: Rhythm, every interval: Int = 1) {
        self.start = start
        self.end = end
        self.time = time
        self.rhythm = rhythm
        self.interval = interval
    }
}

/// A time of day.
public struct TimeOfDay: Sendable, Hashable {
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 59.
    public var second: Int

    /// A time of day, not checked here: `isValid` says whether it exists.
    public init(hour: Int, minute: Int, second: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Whether the time exists on a 24-hour clock.
    public var isValid: Bool {
        (0..<24).contains(hour) && (0..<60).contains(minute) && (0..<60).contains(second)
    }
}

/// A day of the week, in the order of ISO 8601.
public enum Weekday: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Day 1, the first of the week.
    case monday = 1
    /// Day 2.
    case tuesday
    /// Day 3.
    case wednesday
    /// Day 4.
    case thursday
    /// Day 5.
    case friday
    /// Day 6.
    case saturday
    /// Day 7, the last of the week.
    case sunday

    public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
