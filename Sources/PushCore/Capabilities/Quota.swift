/// How many units a bucket allows in a window of time.
public struct Quota: Sendable, Hashable {
    /// When used units come back.
    public enum Window: Sendable, Hashable {
        /// Evenly, the whole quota within this time.
        case rolling(Duration)
        /// All at once, at midnight of this calendar.
        case day(CalendarDay)
    }

    /// Units that the vendor allows in one window.
    public var limit: Int
    /// When used units come back.
    public var window: Window
    /// The page or document that states it, and its date.
    public var source: String

    /// A number of units per window, and the page or document that states it.
    public init(_ limit: Int, per window: Duration, source: String) {
        self.init(limit, .rolling(window), source: source)
    }

    /// A number of units a calendar day, and the page or document that states it.
    public init(_ limit: Int, a day: CalendarDay, source: String) {
        self.init(limit, .day(day), source: source)
    }

    private init(_ limit: Int, _ window: Window, source: String) {
        self.limit = limit
        self.window = window
        self.source = source
    }
}

extension Quota {
    /// For people: `600 in 60 s`, `1000 a day (UTC+8)`.
    package var summary: String {
        switch window {
        case .rolling(let time): "\(limit) in \(time.components.seconds) s"
        case .day(let day): "\(limit) a day (\(day))"
        }
    }

    /// For people: how a client keeps to it.
    package var overflow: String {
        switch window {
        case .rolling: "the client waits"
        case .day: "the client refuses until midnight"
        }
    }

    /// The length of the window in seconds.
    package var seconds: Double {
        switch window {
        case .rolling(let time): time.seconds
        case .day: CalendarDay.length
        }
    }
}
