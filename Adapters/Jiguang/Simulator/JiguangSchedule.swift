package import FoundationEssentials
package import PushAdapter
package import PushSimulation

/// A schedule that a vendor keeps.
package struct JiguangSchedule: Sendable {
    package let id = SimulatorRandom.uuid()
    package var name: String
    package var isEnabled = true
    package var trigger: JSONValue
    package var push: [String: JSONValue]
    /// The time of a trigger that says "now".
    package var firesAt: Date?
    /// The result of each push, in the vendor's form.
    package var sent: [JSONValue] = []
    private var doneUntil: Date

    package init(name: String, trigger: JSONValue, push: [String: JSONValue], _ now: Date) {
        self.name = name
        self.trigger = trigger
        self.push = push
        doneUntil = now
    }

    /// The schedule as both vendors show it.
    package var row: JSONValue {
        [
            "schedule_id": .string(id), "name": .string(name), "enabled": .bool(isEnabled), "trigger": trigger,
            "push": .object(push),
        ]
    }

    /// The moments that have come since the last call.
    package mutating func takeMoments(until now: Date, _ clock: JiguangClock) -> [Date] {
        guard doneUntil < now else { return [] }
        defer { doneUntil = now }
        guard isEnabled else { return [] }
        if let time = firesAt ?? clock.single(trigger) { return time > doneUntil && time <= now ? [time] : [] }
        return clock.recurrence(trigger["periodical"])?.moments(
            after: doneUntil, through: now, offset: .seconds(clock.hours * 3600)) ?? []
    }

    /// Whether a moment of it is still to come.
    package func isActive(_ now: Date, _ clock: JiguangClock) -> Bool {
        let end = firesAt ?? clock.single(trigger) ?? clock.recurrence(trigger["periodical"])?.end
        return end.map { $0 > now } ?? false
    }

    /// One page of schedules, in the form of both vendors.
    package static func page(_ number: Int, of size: Int, _ schedules: [JiguangSchedule]) -> SimulatedResponse {
        .json([
            "total_count": JSONValue(schedules.count),
            "total_pages": JSONValue((schedules.count + size - 1) / size),
            "page": JSONValue(number),
            "schedules": .array(schedules.dropFirst((number - 1) * size).prefix(size).map(\.row)),
        ])
    }
}

/// Reads the times of triggers.
package struct JiguangClock: Sendable {
    /// How many hours it is ahead of UTC.
    package let hours: Int
    /// Whether the points of a recurrence have to fit exactly, while its frequency may be missing, as at EngageLab.
    private let isExact: Bool
    private let wall: WallTime
    private static let year = 366.0 * 86_400

    package init(ahead hours: Int, isExact: Bool) {
        self.hours = hours
        self.isExact = isExact
        wall = WallTime(ahead: hours)
    }

    /// The only time of a trigger. No simulated user has a history, so an intelligent trigger sends at its backup time.
    /// All devices are in the app's own zone.
    package func single(_ trigger: JSONValue) -> Date? {
        let time = trigger["single"]?["time"] ?? (isExact ? trigger["intelligent"]?["backup_time"] : nil)
        return time?.stringValue.flatMap(wall.date)
    }

    /// Whether a trigger has one time, which comes within a year.
    package func isTimelySingle(_ trigger: JSONValue, _ now: Date) -> Bool {
        single(trigger).map { $0 > now && $0.timeIntervalSince(now) <= Self.year } ?? false
    }

    /// Whether a value is a recurrence that ends after now, a year after its start at the latest.
    package func isTimelyRecurrence(_ value: JSONValue?, _ now: Date) -> Bool {
        guard let recurrence = recurrence(value) else { return false }
        return recurrence.end > recurrence.start && recurrence.end > now
            && recurrence.end.timeIntervalSince(recurrence.start) <= Self.year
    }

    package func recurrence(_ value: JSONValue?) -> Recurrence? {
        guard let value, let start = value["start"]?.stringValue.flatMap(wall.date),
            let end = value["end"]?.stringValue.flatMap(wall.date),
            let time = value["time"]?.stringValue.flatMap(WallTime.time),
            let interval = value["frequency"]?.intValue ?? (isExact ? 1 : nil), (1...100).contains(interval),
            let points = points(value["point"]),
            let rhythm = rhythm(value["time_unit"]?.stringValue?.lowercased(), points)
        else { return nil }
        return Recurrence(from: start, to: end, at: time, rhythm, every: interval)
    }

    private func points(_ value: JSONValue?) -> [String]? {
        let rows = value ?? .null == .null ? [] : value?.arrayValue
        let points = rows?.compactMap(\.stringValue) ?? []
        return isExact && (rows == nil || points.count != rows?.count) ? nil : points
    }

    private func rhythm(_ unit: String?, _ points: [String]) -> Recurrence.Rhythm? {
        switch unit {
        case "day": return isExact && !points.isEmpty ? nil : .daily
        case "week":
            let names = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]
            let days = points.compactMap { names.firstIndex(of: isExact ? $0 : $0.uppercased()) }
                .compactMap { Weekday(rawValue: $0 + 1) }
            return days.count == points.count && !days.isEmpty ? .weekly(Set(days)) : nil
        case "month":
            let days = points.filter { $0.utf8.count == 2 && (!isExact || $0.allSatisfy(\.isNumber)) }
                .compactMap { Int($0) }
            let fit = days.count == points.count && !days.isEmpty && days.allSatisfy((1...31).contains)
            return fit ? .monthly(Set(days)) : nil
        default: return nil
        }
    }
}
