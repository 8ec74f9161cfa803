import FoundationEssentials
public import PushAdapter

/// A change to a schedule. Nil fields stay as they are.
public struct JPushScheduleUpdate: Sendable {
    /// 1 to 255 bytes of letters, digits, `_` and Chinese characters.
    public var name: String?
    /// False stops the schedule, true resumes it.
    public var isEnabled: Bool?
    /// A trigger of the same kind as before: a single one cannot become periodical.
    public var trigger: ScheduleTrigger?
    /// A whole message with its audience.
    public var push: (message: Message, audience: Audience)?

    /// Creates an empty change. `updateSchedule(_:_:)` refuses it with `invalidArgument` until a part is set.
    public init() {}
}

/// A message that a schedule has sent.
public struct JPushScheduledMessage: Sendable, Hashable {
    /// The push's message; nil if the vendor does not name it.
    public let message: MessageID?
    /// The vendor's code if the push failed; nil for a success.
    public let code: VendorCode?
}

extension JPush {
    /// `POST /v3/schedules`.
    ///
    /// Refuses a name that is not 1 to 255 bytes of letters, digits, `_` and Chinese.
    public func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID> {
        if let key, key.kind != .schedule {
            throw PushError(
                .invalidArgument, "a schedule needs a key of kind schedule; this one is for a \(key.kind.rawValue)")
        }
        let push = try JPushEncoder(capabilities).push(schedule.message, schedule.audience, key: nil)
        let trigger = try wire(schedule.trigger)
        let body = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { json in
                if let key { json.field("cid", key.value) }
                json.field("name", schedule.name)
                json.field("enabled", true)
                json.field("trigger", trigger)
                json.field("push", encoded: push)
            }
        }
        var charges = [QuotaCharge(.jpushSchedule)]
        // A scheduled push to a file also costs one call of the file quota.
        if case .file = schedule.audience { charges.append(QuotaCharge(.jpushFiles)) }
        return Exchange(
            .createSchedule, WireRequest(.post, .jpushSchedules, body: .json(body)),
            inputs: [
                .message(schedule.message), .audience(schedule.audience), Self.scheduleName(schedule.name),
            ], idempotency: key.map(Idempotency.keyed) ?? .unkeyed, charges: charges
        ) { (response) throws(PushError) in
            struct Reply: Decodable {
                var id: ScheduleID
                enum CodingKeys: String, CodingKey { case id = "schedule_id" }
            }
            return try response.json(Reply.self).id
        }
    }

    /// `GET /v3/schedules/{id}`: reads a schedule.
    public func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus> {
        let clock = try WallClock(clockOffset)
        return call(
            .readSchedule, WireRequest(.get, .jpushSchedules, path: [.value(id.rawValue)]), from: .jpushSchedule,
            checking: [Self.scheduleID(id)]
        ) { (response) throws(PushError) in try response.json(ScheduleRow.self).status(clock) }
    }

    /// `GET /v3/schedules`: lists schedules that have not expired, oldest first, fifty per page.
    public func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>> {
        struct Reply: Decodable {
            var pages: Int
            var page: Int
            var schedules: [ScheduleRow]

            enum CodingKeys: String, CodingKey {
                case page, schedules
                case pages = "total_pages"
            }
        }
        let clock = try WallClock(clockOffset)
        return call(
            .listSchedules, WireRequest(.get, .jpushSchedules, query: [QueryItem("page", String(page))]),
            .idempotent, from: .jpushSchedule
        ) { (response) throws(PushError) in
            let reply = try response.json(Reply.self)
            return Page(reply.schedules.map { $0.status(clock) }, number: reply.page, of: reply.pages)
        }
    }

    /// `DELETE /v3/schedules/{id}`. One request. Refuses a missing schedule with `invalidState`, even if an earlier
    /// attempt of this call removed it and its response was lost.
    public func removeSchedule(_ id: ScheduleID) -> Exchange<Void> {
        call(
            .removeSchedule, WireRequest(.delete, .jpushSchedules, path: [.value(id.rawValue)]), from: .jpushSchedule,
            checking: [Self.scheduleID(id)], decode: Self.expectNothing)
    }
}

extension JPush {
    /// `PUT /v3/schedules/{id}`: changes parts of a schedule that has not expired.
    public func updateSchedule(
        _ id: ScheduleID, _ update: JPushScheduleUpdate
    ) throws(PushError) -> Exchange<ScheduleStatus> {
        let trigger = try update.trigger.map { (trigger) throws(PushError) in try wire(trigger) }
        let push = try update.push.map { (push) throws(PushError) in
            try JPushEncoder(capabilities).push(push.message, push.audience, key: nil)
        }
        guard update.name != nil || update.isEnabled != nil || trigger != nil || push != nil else {
            throw PushError(.invalidArgument, "the schedule update changes nothing")
        }
        let body = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { json in
                if let name = update.name { json.field("name", name) }
                if let isEnabled = update.isEnabled { json.field("enabled", isEnabled) }
                if let trigger { json.field("trigger", trigger) }
                if let push { json.field("push", encoded: push) }
            }
        }
        let clock = try WallClock(clockOffset)
        var exchange = call(
            .jpushUpdateSchedule,
            WireRequest(.put, .jpushSchedules, path: [.value(id.rawValue)], body: .json(body)), from: .jpushSchedule,
            checking: [Self.scheduleID(id)]
        ) { (response) throws(PushError) in try response.json(ScheduleRow.self).status(clock) }
        exchange.inputs += update.name.map { [Self.scheduleName($0)] } ?? []
        exchange.inputs += update.push.map { [.message($0.message), .audience($0.audience)] } ?? []
        return exchange
    }

    /// `GET /v3/schedules/{id}/msg_ids`: the messages that a schedule has sent so far.
    public func readScheduledMessages(of id: ScheduleID) -> Exchange<[JPushScheduledMessage]> {
        struct Reply: Decodable {
            var msgids: [JSONValue]
        }
        return call(
            .jpushReadScheduledMessages,
            WireRequest(.get, .jpushSchedules, path: [.value(id.rawValue), "msg_ids"]), from: .jpushSchedule,
            checking: [Self.scheduleID(id)]
        ) { (response) throws(PushError) in
            try response.json(Reply.self).msgids.map { (item) throws(PushError) in
                // Since 2018-09 this is a text that holds an object; before, it was a plain id.
                var row = item
                if let text = item.identifier {
                    guard text.hasPrefix("{") else { return JPushScheduledMessage(message: MessageID(text), code: nil) }
                    row = try JSONValue(parsing: Array(text.utf8))
                }
                let code = row["error"]?["code"]?.intValue.map { VendorCode($0) }
                return JPushScheduledMessage(
                    message: row["msg_id"]?.identifier.map { MessageID($0) }, code: code == 0 ? nil : code)
            }
        }
    }

    static func scheduleName(_ name: String) -> Input { .text(name, .scheduleName, "the schedule's name") }

    private static func scheduleID(_ id: ScheduleID) -> Input { .text(id.rawValue, .scheduleID, "a schedule id") }

    func wire(_ trigger: ScheduleTrigger) throws(PushError) -> JSONValue {
        let clock = try WallClock(clockOffset)
        switch trigger {
        case .once(let date): return ["single": ["time": .string(try clock.text(date))]]
        case .recurring(let recurrence):
            guard recurrence.time.isValid, (1...100).contains(recurrence.interval) else {
                throw PushError(
                    .invalidArgument, "a recurring schedule needs a valid time of day and an interval of 1 to 100")
            }
            guard recurrence.end > recurrence.start, recurrence.end.timeIntervalSince(recurrence.start) <= 366 * 86_400
            else {
                throw PushError(.invalidArgument, "a recurring schedule must end after it starts, within a year")
            }
            var fields: WireObject = [
                "start": .string(try clock.text(recurrence.start)), "end": .string(try clock.text(recurrence.end)),
                "time": .string(WallClock.text(recurrence.time)),
                "frequency": JSONValue(integerLiteral: recurrence.interval),
            ]
            switch recurrence.rhythm {
            case .weekly([]), .monthly([]):
                throw PushError(.invalidArgument, "the schedule lists no day of the week or month")
            case .monthly(let days) where !days.allSatisfy((1...31).contains):
                throw PushError(.invalidArgument, "the days of a month must be 1 to 31")
            case .daily: fields["time_unit"] = "day"
            case .weekly(let days):
                fields["time_unit"] = "week"
                fields["point"] = .array(days.sorted().map { .string(ScheduleRow.names[$0.rawValue - 1]) })
            case .monthly(let days):
                fields["time_unit"] = "month"
                fields["point"] = .array(days.sorted().map { .string(WallClock.twoDigits($0)) })
            }
            return ["periodical": .object(fields)]
        }
    }
}

/// A schedule in the vendor's form.
private struct ScheduleRow: Decodable {
    static let names = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]

    private var id: ScheduleID
    private var name: String
    private var enabled: Bool
    private var trigger: JSONValue

    private enum CodingKeys: String, CodingKey {
        case name, enabled, trigger
        case id = "schedule_id"
    }

    func status(_ clock: WallClock) -> ScheduleStatus {
        ScheduleStatus(id: id, name: name, isEnabled: enabled, trigger: trigger(clock))
    }

    private func trigger(_ clock: WallClock) -> ScheduleTrigger? {
        if let time = trigger["single"]?["time"]?.stringValue { return clock.date(time).map(ScheduleTrigger.once) }
        let fields = trigger["periodical"]
        guard let start = fields?["start"]?.stringValue.flatMap(clock.date),
            let end = fields?["end"]?.stringValue.flatMap(clock.date),
            let time = fields?["time"]?.stringValue.flatMap(WallClock.time), let rhythm = rhythm(fields)
        else { return nil }
        return .recurring(
            Recurrence(from: start, to: end, at: time, rhythm, every: fields?["frequency"]?.intValue ?? 1))
    }

    private func rhythm(_ fields: JSONValue?) -> Recurrence.Rhythm? {
        let points = fields?["point"]?.arrayValue?.compactMap(\.stringValue) ?? []
        switch fields?["time_unit"]?.stringValue?.lowercased() {
        case "day": return .daily
        case "week":
            let days = points.compactMap { point in
                Self.names.firstIndex(of: point.uppercased()).flatMap { Weekday(rawValue: $0 + 1) }
            }
            return days.isEmpty || days.count < points.count ? nil : .weekly(Set(days))
        case "month":
            let days = points.compactMap { Int($0) }.filter((1...31).contains)
            return days.isEmpty || days.count < points.count ? nil : .monthly(Set(days))
        default: return nil
        }
    }
}
