import FoundationEssentials
import JiguangDialect
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
        try key.check(.schedule)
        let push = try JPushEncoder(capabilities).push(schedule.message, schedule.audience, key: nil)
        let trigger = try wire(schedule.trigger)
        let body = try JSONWriter.object { json in
            if let key { json.field("cid", key.value) }
            json.field("name", schedule.name)
            json.field("enabled", true)
            json.field("trigger", trigger)
            json.field("push", encoded: push)
        }
        var charges = [QuotaCharge(.jpushSchedule)]
        // A scheduled push to a file also costs one call of the file quota.
        if case .file = schedule.audience { charges.append(QuotaCharge(.jpushFiles)) }
        return Exchange(
            .createSchedule, WireRequest(.post, .jpushSchedules, body: .json(body)),
            inputs: [
                .message(schedule.message), .audience(schedule.audience), .scheduleName(schedule.name),
            ], idempotency: key.map(Idempotency.keyed) ?? .unkeyed, charges: charges
        ) { (response) throws(PushError) in try response.json(ScheduleReply.self).id }
    }

    /// `GET /v3/schedules/{id}`: reads a schedule.
    public func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus> {
        let clock = try WallClock(clockOffset)
        return api.schedule(.readSchedule, .get, id) { (response) throws(PushError) in
            try response.json(ScheduleRow.self).status(clock)
        }
    }

    /// `GET /v3/schedules`: lists schedules that have not expired, oldest first, fifty per page.
    public func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>> {
        let clock = try WallClock(clockOffset)
        return api.listSchedules(page: page) { $0.status(clock) }
    }

    /// `DELETE /v3/schedules/{id}`. One request. Refuses a missing schedule with `invalidState`, even if an earlier
    /// attempt of this call removed it and its response was lost.
    public func removeSchedule(_ id: ScheduleID) -> Exchange<Void> { api.removeSchedule(id) }
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
        let body = try JSONWriter.object { json in
            if let name = update.name { json.field("name", name) }
            if let isEnabled = update.isEnabled { json.field("enabled", isEnabled) }
            if let trigger { json.field("trigger", trigger) }
            if let push { json.field("push", encoded: push) }
        }
        let clock = try WallClock(clockOffset)
        let inputs: [Input] =
            (update.name.map { [.scheduleName($0)] } ?? [])
            + (update.push.map { [.message($0.message), .audience($0.audience)] } ?? [])
        return api.schedule(.jpushUpdateSchedule, .put, id, body: .json(body), checking: inputs) {
            (response) throws(PushError) in try response.json(ScheduleRow.self).status(clock)
        }
    }

    /// `GET /v3/schedules/{id}/msg_ids`: the messages that a schedule has sent so far.
    public func readScheduledMessages(of id: ScheduleID) -> Exchange<[JPushScheduledMessage]> {
        struct Reply: Decodable {
            var msgids: [JSONValue]
        }
        return api.schedule(.jpushReadScheduledMessages, .get, id, ["msg_ids"]) { (response) throws(PushError) in
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
            let fields: WireObject = [
                "start": .string(try clock.text(recurrence.start)), "end": .string(try clock.text(recurrence.end)),
                "time": .string(WallClock.text(recurrence.time)),
                "frequency": JSONValue(integerLiteral: recurrence.interval),
            ]
            return ["periodical": .object(fields.merging(try recurrence.rhythm.wire()) { $1 })]
        }
    }
}
