import FoundationEssentials
package import PushAdapter

extension Dialect {
    /// A call about one schedule.
    package func schedule<Output>(
        _ operation: Feature, _ method: HTTPRequest.Method, _ id: ScheduleID, _ path: [PathSegment] = [],
        body: WireBody = .none, _ idempotency: Idempotency = .idempotent, checking inputs: [Input] = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        call(
            operation, request(method, "schedules", [.value(id.rawValue)] + path, body: body), idempotency,
            checking: [.text(id.rawValue, .scheduleID, "a schedule id")] + inputs, decode: decode)
    }

    /// Reads a page of schedules.
    package func listSchedules(
        page: Int, _ status: @escaping @Sendable (ScheduleRow) -> ScheduleStatus
    ) -> Exchange<Page<ScheduleStatus>> {
        struct Reply: Decodable {
            var pages: Int
            var page: Int
            var schedules: [ScheduleRow]

            private enum CodingKeys: String, CodingKey {
                case page, schedules
                case pages = "total_pages"
            }
        }
        return call(.listSchedules, request(.get, "schedules", query: [QueryItem("page", String(page))])) {
            (response) throws(PushError) in
            let reply = try response.json(Reply.self)
            return Page(reply.schedules.map(status), number: reply.page, of: reply.pages)
        }
    }

    package func removeSchedule(_ id: ScheduleID) -> Exchange<Void> {
        schedule(.removeSchedule, .delete, id, decode: done)
    }
}

extension Input {
    package static func scheduleName(_ name: String) -> Input { .text(name, .scheduleName, "the schedule's name") }
}

/// A schedule in the vendor's form.
package struct ScheduleRow: Decodable, Sendable {
    private let id: ScheduleID
    private let name: String
    private let enabled: Bool
    package let trigger: JSONValue
    package let push: JSONValue?

    private enum CodingKeys: String, CodingKey {
        case name, enabled, trigger, push
        case id = "schedule_id"
    }

    /// The schedule in the model's terms. Its trigger is nil without a clock, and if the model does not have it.
    package func status(_ clock: WallClock?) -> ScheduleStatus {
        ScheduleStatus(id: id, name: name, isEnabled: enabled, trigger: clock.flatMap(trigger))
    }

    private func trigger(_ clock: WallClock) -> ScheduleTrigger? {
        if let time = trigger["single"]?["time"]?.stringValue { return clock.date(time).map(ScheduleTrigger.once) }
        guard let fields = trigger["periodical"], let start = fields["start"]?.stringValue.flatMap(clock.date),
            let end = fields["end"]?.stringValue.flatMap(clock.date),
            let time = fields["time"]?.stringValue.flatMap(WallClock.time), let rhythm = Recurrence.Rhythm(fields)
        else { return nil }
        return .recurring(Recurrence(from: start, to: end, at: time, rhythm, every: fields["frequency"]?.intValue ?? 1))
    }
}

/// The only field of the response to a new schedule.
package struct ScheduleReply: Decodable {
    package let id: ScheduleID
    private enum CodingKeys: String, CodingKey { case id = "schedule_id" }
}

extension Recurrence.Rhythm {
    private static let weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]

    /// `time_unit` and `point`. Refuses days that the vendors do not accept.
    package func wire() throws(PushError) -> [String: JSONValue] {
        switch self {
        case .weekly([]), .monthly([]):
            throw PushError(.invalidArgument, "the schedule lists no day of the week or month")
        case .monthly(let days) where !days.allSatisfy((1...31).contains):
            throw PushError(.invalidArgument, "the days of a month must be 1 to 31")
        case .daily: return ["time_unit": "day"]
        case .weekly(let days):
            let names = days.sorted().map { JSONValue.string(Self.weekdays[$0.rawValue - 1]) }
            return ["time_unit": "week", "point": .array(names)]
        case .monthly(let days):
            return ["time_unit": "month", "point": .array(days.sorted().map { .string(WallClock.twoDigits($0)) })]
        }
    }

    fileprivate init?(_ fields: JSONValue) {
        let points = fields["point"]?.arrayValue?.compactMap(\.stringValue) ?? []
        switch fields["time_unit"]?.stringValue?.lowercased() {
        case "day": self = .daily
        case "week":
            let days = points.compactMap { point in
                Self.weekdays.firstIndex(of: point.uppercased()).flatMap { Weekday(rawValue: $0 + 1) }
            }
            guard !days.isEmpty, days.count == points.count else { return nil }
            self = .weekly(Set(days))
        case "month":
            let days = points.compactMap { Int($0) }.filter((1...31).contains)
            guard !days.isEmpty, days.count == points.count else { return nil }
            self = .monthly(Set(days))
        default: return nil
        }
    }
}
