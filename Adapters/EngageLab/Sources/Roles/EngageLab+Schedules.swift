import FoundationEssentials
import JiguangDialect
public import PushAdapter

/// When one of EngageLab's schedules sends, in wall time.
public enum EngageLabTrigger: Sendable, Hashable {
    /// The zone of the wall time.
    public enum Zone: Int, Sendable, Hashable {
        /// The app's own zone.
        case app = 1
        /// The zone of each device.
        case device = 2
    }

    /// Once, at `yyyy-MM-dd HH:mm:ss`.
    case single(at: String, Zone)
    /// Between two moments `yyyy-MM-dd HH:mm:ss`, within a year, at a time of day.
    case periodical(from: String, to: String, at: TimeOfDay, Recurrence.Rhythm, Zone)
    /// At the hour when each user usually opens the app. Users without a history get it at `yyyy-MM-dd HH:mm:ss`, or at
    /// once if nil.
    case intelligent(backup: String?)
}

/// A change to a schedule. Nil fields stay as they are.
public struct EngageLabScheduleUpdate: Sendable {
    /// 1 to 255 bytes of letters, digits, `_` and Chinese characters.
    public var name: String?
    /// False stops the schedule, true resumes it.
    public var isEnabled: Bool?
    /// When the schedule sends.
    public var trigger: EngageLabTrigger?
    /// A whole message with its audience.
    public var push: (message: Message, audience: Audience)?

    /// Creates an empty change. `updateSchedule(_:_:)` refuses it with `invalidArgument` until a part is set.
    public init() {}
}

/// A schedule with all its stored values.
public struct EngageLabSchedule: Sendable, Hashable {
    /// The same schedule in the model's terms.
    public let status: ScheduleStatus
    /// When the schedule sends, in the vendor's form. Also has triggers that the model does not have.
    public let trigger: JSONValue
    /// The message and its audience, in the vendor's form.
    public let push: JSONValue
}

/// A message that a schedule has sent.
public struct EngageLabScheduledMessage: Sendable, Hashable {
    /// The message; nil if the vendor's row does not name it.
    public let message: MessageID?
    /// The vendor's row, unchanged: no page describes its form.
    public let row: JSONValue
}

extension EngageLab {
    /// `POST /v4/schedules`. One request. The schedule's times are in the app's zone.
    ///
    /// Refuses the schedule with `misconfigured` while ``clockOffset`` is nil, and with `unsupported` if its rhythm
    /// skips days, weeks or months. No page says that the vendor honors a key for schedules, so the client does not
    /// retry after a lost response.
    public func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID> {
        guard key == nil else {
            throw PushError(.unsupported, "EngageLab takes no keys for schedules", operation: .createSchedule)
        }
        return try createSchedule(
            named: schedule.name, sending: schedule.message, to: schedule.audience, at: try trigger(schedule.trigger))
    }

    /// `GET /v4/schedules/{id}`. One request. The trigger is nil if it is intelligent, if it uses the devices' zones,
    /// or while ``clockOffset`` is nil.
    public func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus> {
        let clock = try wallClock
        return api.schedule(.readSchedule, .get, id) { (response) throws(PushError) in
            try ScheduleRow.only(in: response).knownStatus(clock)
        }
    }

    /// `GET /v4/schedules`. One request. The page size is not documented.
    public func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>> {
        let clock = try wallClock
        return api.listSchedules(page: page) { $0.knownStatus(clock) }
    }

    /// `DELETE /v4/schedules/{id}`. One request.
    public func removeSchedule(_ id: ScheduleID) -> Exchange<Void> { api.removeSchedule(id) }
}

extension EngageLab {
    /// `POST /v4/schedules`, with any of the vendor's triggers. One request. Refuses a name that is not 1 to 255 bytes
    /// of letters, digits, `_` and Chinese, and a trigger that does not have the form of ``EngageLabTrigger``.
    public func createSchedule(
        named name: String, sending message: Message, to audience: Audience, at trigger: EngageLabTrigger
    ) throws(PushError) -> Exchange<ScheduleID> {
        let (push, inputs) = try EngageLabEncoder(self).push(message, audience, key: nil)
        let when = try trigger.wire()
        let body = try JSONWriter.object { json in
            json.field("enabled", true)
            json.field("name", name)
            json.field("push", encoded: push)
            json.field("trigger", when)
        }
        return api.call(
            .createSchedule, api.request(.post, "schedules", body: .json(body)), .unkeyed,
            checking: inputs + [.scheduleName(name)]
        ) { (response) throws(PushError) in
            let id = try response.json(ScheduleReply.self).id
            guard !id.rawValue.isEmpty else { throw response.malformed("has no schedule_id") }
            return id
        }
    }

    /// `GET /v4/schedules/{id}`, with trigger and push in the vendor's form. One request.
    public func readWholeSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<EngageLabSchedule> {
        let clock = try wallClock
        return api.schedule(.engageLabReadWholeSchedule, .get, id) { (response) throws(PushError) in
            let row = try ScheduleRow.only(in: response)
            return EngageLabSchedule(status: row.knownStatus(clock), trigger: row.trigger, push: row.push ?? .null)
        }
    }

    /// `PUT /v4/schedules/{id}`: changes parts of a schedule. One request.
    public func updateSchedule(
        _ id: ScheduleID, _ update: EngageLabScheduleUpdate
    ) throws(PushError) -> Exchange<ScheduleStatus> {
        let trigger = try update.trigger.map { (trigger) throws(PushError) in try trigger.wire() }
        let push = try update.push.map { (push) throws(PushError) in
            try EngageLabEncoder(self).push(push.message, push.audience, key: nil)
        }
        guard update.name != nil || update.isEnabled != nil || trigger != nil || push != nil else {
            throw PushError(.invalidArgument, "the schedule update changes nothing")
        }
        let body = try JSONWriter.object { json in
            if let isEnabled = update.isEnabled { json.field("enabled", isEnabled) }
            if let name = update.name { json.field("name", name) }
            if let push { json.field("push", encoded: push.body) }
            if let trigger { json.field("trigger", trigger) }
        }
        let clock = try wallClock
        // A retry moves "at once" to a later time.
        let idempotency: Idempotency = update.trigger == .intelligent(backup: nil) ? .unkeyed : .idempotent
        let inputs = (update.name.map { [.scheduleName($0)] } ?? []) + (push?.inputs ?? [])
        return api.schedule(
            .engageLabUpdateSchedule, .put, id, body: .json(body), idempotency, checking: inputs
        ) { (response) throws(PushError) in try response.json(ScheduleRow.self).knownStatus(clock) }
    }

    /// `GET /v4/schedules/{id}/msg-ids`: the messages that a schedule has sent so far.
    public func readScheduledMessages(of id: ScheduleID) -> Exchange<[EngageLabScheduledMessage]> {
        struct Reply: Decodable {
            // The vendor writes the capitals.
            var rows: [JSONValue]
            private enum CodingKeys: String, CodingKey { case rows = "MsgIds" }
        }
        return api.schedule(.engageLabReadScheduledMessages, .get, id, ["msg-ids"]) { (response) throws(PushError) in
            try response.json(Reply.self).rows.map { row in
                let id = row.identifier ?? row["msg_id"]?.identifier ?? row["message_id"]?.identifier
                return EngageLabScheduledMessage(message: id.map { MessageID($0) }, row: row)
            }
        }
    }

    /// The app's clock; nil while `clockOffset` is nil.
    private var wallClock: WallClock? {
        get throws(PushError) { try clockOffset.map { (offset) throws(PushError) in try WallClock(offset) } }
    }

    /// The model's trigger, in the wall time of the app's zone.
    private func trigger(_ trigger: ScheduleTrigger) throws(PushError) -> EngageLabTrigger {
        guard let clock = try wallClock else {
            throw PushError(
                .misconfigured,
                "schedules use the app's own time zone, which no page names: set EngageLab's clockOffset to "
                    + "how far that zone is ahead of UTC", operation: .createSchedule)
        }
        switch trigger {
        case .once(let date): return .single(at: try clock.text(date), .app)
        case .recurring(let recurrence):
            guard recurrence.interval == 1 else {
                throw PushError(
                    .unsupported, "EngageLab documents no schedule that skips days, weeks or months; use interval 1",
                    operation: .scheduleRecurring)
            }
            return .periodical(
                from: try clock.text(recurrence.start), to: try clock.text(recurrence.end), at: recurrence.time,
                recurrence.rhythm, .app)
        }
    }
}

extension EngageLabTrigger {
    /// The trigger as the vendor's object. Refuses values that the vendor does not accept.
    func wire() throws(PushError) -> JSONValue {
        let clock = try WallClock(.zero)
        func moment(_ text: String) throws(PushError) -> Date {
            guard text.utf8.count == 19, let date = clock.date(text) else {
                throw PushError(
                    .invalidArgument, "\(Redaction.quoted(text)) is not a date and time; write 2026-12-01 09:30:00")
            }
            return date
        }
        switch self {
        case .single(let time, let zone):
            _ = try moment(time)
            return ["single": ["time": .string(time), "zone_type": JSONValue(integerLiteral: zone.rawValue)]]
        case .intelligent(let backup):
            if let backup { _ = try moment(backup) }
            return ["intelligent": ["backup_time": .string(backup ?? "now")]]
        case .periodical(let start, let end, let time, let rhythm, let zone):
            let span = try moment(end).timeIntervalSince(try moment(start))
            guard time.isValid, span > 0, span <= 366 * 86_400 else {
                throw PushError(
                    .invalidArgument, "a recurring schedule needs a time of day, and an end within a year of its start"
                )
            }
            let fields: [String: JSONValue] = [
                "start": .string(start), "end": .string(end), "time": .string(WallClock.text(time)),
                "zone_type": JSONValue(integerLiteral: zone.rawValue),
            ]
            return ["periodical": .object(fields.merging(try rhythm.wire()) { $1 })]
        }
    }
}

extension ScheduleRow {
    /// The only schedule in a response: in a list, as the vendor's libraries read it, or as a bare object.
    fileprivate static func only(in response: WireResponse) throws(PushError) -> ScheduleRow {
        guard response.body.first(where: { $0 > 0x20 }) == 0x5B else { return try response.json(ScheduleRow.self) }
        guard let row = try response.json([ScheduleRow].self).first else {
            throw PushError(.invalidState, "the schedule does not exist", vendor: VendorDetail(httpStatus: 200))
        }
        return row
    }

    /// The trigger is nil if the model does not have it: devices' zones, intelligent times, rhythms that skip.
    fileprivate func knownStatus(_ clock: WallClock?) -> ScheduleStatus {
        let fields = trigger["single"] ?? trigger["periodical"]
        let isKnown =
            trigger["single"] == nil
            ? fields?["frequency"]?.intValue ?? 1 == 1 : fields?["time"]?.stringValue != nil
        return status(isKnown && fields?["zone_type"] != 2 ? clock : nil)
    }
}
