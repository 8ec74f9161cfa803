public import FoundationEssentials

/// A message that the vendor keeps and sends by itself.
public struct Schedule: Sendable, Hashable {
    /// For people who look at the vendor's list.
    public var name: String
    /// When it sends.
    public var trigger: ScheduleTrigger
    /// What it sends.
    public var message: Message
    /// Who it sends to.
    public var audience: Audience

    /// A message for an audience that the vendor sends when the trigger says.
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
    /// Again and again.
    case recurring(Recurrence)

    /// The feature a provider needs for it.
    public var feature: Feature {
        switch self {
        case .once: .scheduleOnce
        case .recurring: .scheduleRecurring
        }
    }
}

/// The rhythm of a schedule that sends again and again.
///
/// The clock time and the days are those of the vendor's own time zone, which its adapter names.
public struct Recurrence: Sendable, Hashable {
    /// On which days.
    public enum Rhythm: Sendable, Hashable {
        /// Every day, or every `interval`th.
        case daily
        /// On these days of a week.
        case weekly(Set<Weekday>)
        /// On these days of a month, 1 to 31; a month without such a day is passed over.
        case monthly(Set<Int>)
    }

    /// From this moment on.
    public var start: Date
    /// Until this moment.
    public var end: Date
    /// The time of day at which it sends.
    public var time: TimeOfDay
    /// The days on which it sends.
    public var rhythm: Rhythm
    /// Every so many days, weeks or months; 1 is each.
    public var interval: Int

    /// A rhythm between two moments, at a time of day, in every week or month or in every so many.
    public init(from start: Date, to end: Date, at time: TimeOfDay, _ rhythm: Rhythm, every interval: Int = 1) {
        self.start = start
        self.end = end
        self.time = time
        self.rhythm = rhythm
        self.interval = interval
    }
}

/// A time on the clock.
public struct TimeOfDay: Sendable, Hashable {
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 59.
    public var second: Int

    /// A time on the clock, not checked here: `isValid` says whether a clock shows it.
    public init(hour: Int, minute: Int, second: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Whether there is such a time on a clock.
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
