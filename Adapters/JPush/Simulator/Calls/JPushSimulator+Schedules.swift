import FoundationEssentials
import PushAdapter
import PushSimulation

extension JPushSimulator {
    func createSchedule(_ body: [UInt8], _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard case .object(var fields) = try? JSONValue(parsing: body) else { throw .schedule("not JSON") }
        let key = fields.removeValue(forKey: "cid")?.stringValue
        if let key, let answer = try storedAnswer(key, "schedule", now) { return answer }
        let id = try createSchedule(fields, now)
        let answer = SimulatedResponse.json(["schedule_id": .string(id), "name": fields["name"] ?? .null])
        if let key { app.keys[key]?.answer = answer }
        return answer
    }

    func createSchedule(_ fields: [String: JSONValue], _ now: Date) throws(Refusal) -> String {
        guard Set(fields.keys).isSubset(of: ["name", "enabled", "trigger", "push"]) else {
            throw .schedule("unknown section")
        }
        guard fields["enabled"] == true else { throw .schedule("enabled must be true") }
        guard active(now).count < settings.schedulesPerApp else { throw .schedule("too many schedules") }
        let state = ScheduleState(
            id: SimulatorRandom.uuid(), name: try name(fields["name"]), isEnabled: true,
            trigger: try checked(fields["trigger"], now), push: try push(fields["push"]), doneUntil: now)
        app.schedules.append(state)
        return state.id
    }

    func listSchedules(_ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard let page = Int(request.parameter("page") ?? "1"), (1...Rules.largestPage).contains(page) else {
            throw .schedule("illegal page")
        }
        let all = active(now)
        let size = Rules.schedulesPerPage
        return .json([
            "total_count": JSONValue(integerLiteral: all.count),
            "total_pages": JSONValue(integerLiteral: (all.count + size - 1) / size),
            "page": JSONValue(integerLiteral: page),
            "schedules": .array(all.dropFirst((page - 1) * size).prefix(size).map(Self.row)),
        ])
    }

    func readSchedule(_ id: String) throws(Refusal) -> SimulatedResponse { .json(Self.row(try found(id).state)) }

    func updateSchedule(_ id: String, _ body: [UInt8], _ now: Date) throws(Refusal) -> SimulatedResponse {
        var (index, state) = try found(id)
        guard case .object(let fields) = try? JSONValue(parsing: body), !fields.isEmpty else {
            throw .schedule("not JSON")
        }
        guard isActive(state, now) else { throw .schedule("the schedule has expired") }
        for (section, value) in fields {
            switch section {
            case "name": state.name = try name(value)
            case "enabled":
                guard let isEnabled = value.boolValue else { throw .schedule("illegal enabled") }
                state.isEnabled = isEnabled
            case "trigger":
                let trigger = try checked(value, now)
                guard (trigger["single"] == nil) == (state.trigger["single"] == nil) else {
                    throw .schedule("single and periodical cannot be exchanged")
                }
                state.trigger = trigger
            case "push": state.push = try push(value)
            default: throw .schedule("unknown section")
            }
        }
        app.schedules[index] = state
        return .json(Self.row(state))
    }

    func removeSchedule(_ id: String) throws(Refusal) -> SimulatedResponse {
        app.schedules.remove(at: try found(id).index)
        return .empty
    }

    func scheduledMessages(_ id: String) throws(Refusal) -> SimulatedResponse {
        let sent = try found(id).state.sent
        return .json(["count": JSONValue(integerLiteral: sent.count), "msgids": .array(sent)])
    }

    // MARK: Time

    /// Sends the scheduled pushes that are due.
    func fireSchedules(until now: Date) {
        for index in app.schedules.indices where app.schedules[index].doneUntil < now {
            let state = app.schedules[index]
            app.schedules[index].doneUntil = now
            guard state.isEnabled else { continue }
            for moment in moments(state, after: state.doneUntil, through: now) {
                app.schedules[index].sent.append(.string(fire(state.push, at: moment)))
            }
        }
    }

    /// Sends one push. Returns the vendor's log entry, a text that contains an object.
    private func fire(_ push: [String: JSONValue], at moment: Date) -> String {
        var row: [String: JSONValue] = ["needRetry": false]
        do throws(Refusal) {
            let answer = try self.push(push, moment, delivers: true)
            row["msg_id"] = (try? JSONValue(parsing: answer.body))?["msg_id"]
            row["error"] = ["code": 0, "message": ""]
        } catch {
            row["msg_id"] = error.messageID.map(JSONValue.string)
            row["error"] = ["code": JSONValue(integerLiteral: error.code), "message": .string(error.text)]
        }
        row["ts"] = JSONValue(integerLiteral: Int(moment.timeIntervalSince1970 * 1000))
        return String(decoding: JSONWriter.bytes(of: .object(row)), as: UTF8.self)
    }

    private func moments(_ state: ScheduleState, after first: Date, through last: Date) -> [Date] {
        if let time = state.trigger["single"]?["time"]?.stringValue.flatMap(date) {
            return time > first && time <= last ? [time] : []
        }
        let offset: Duration = .seconds(settings.clockOffset * 3600)
        return recurrence(state.trigger["periodical"])?.moments(after: first, through: last, offset: offset) ?? []
    }

    private func active(_ now: Date) -> [ScheduleState] { app.schedules.filter { isActive($0, now) } }

    private func isActive(_ state: ScheduleState, _ now: Date) -> Bool {
        let end = state.trigger["single"]?["time"] ?? state.trigger["periodical"]?["end"]
        return end?.stringValue.flatMap(date).map { $0 > now } ?? false
    }

    // MARK: Checks

    private func found(_ id: String) throws(Refusal) -> (index: Int, state: ScheduleState) {
        guard let index = app.schedules.firstIndex(where: { $0.id == id }) else {
            throw Refusal(404, 8104, "The schedule-task does not exist")
        }
        return (index, app.schedules[index])
    }

    private func name(_ value: JSONValue?) throws(Refusal) -> String {
        guard let name = value?.stringValue, Rules.scheduleNameBytes.contains(name.utf8.count),
            name.unicodeScalars.allSatisfy({ $0 == "_" || $0.properties.isIdeographic || isLetterOrDigit($0) })
        else { throw .schedule("illegal name") }
        return name
    }

    private func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    private func push(_ value: JSONValue?) throws(Refusal) -> [String: JSONValue] {
        guard case .object(var fields) = value else { throw .schedule("illegal push") }
        // A key inside the push has no effect here.
        fields["cid"] = nil
        _ = try PushObject(fields, settings)
        return fields
    }

    private func checked(_ trigger: JSONValue?, _ now: Date) throws(Refusal) -> JSONValue {
        guard let trigger else { throw .schedule("illegal trigger") }
        if let single = trigger["single"] {
            guard let date = single["time"]?.stringValue.flatMap(date), date > now,
                date.timeIntervalSince(now) <= Rules.yearOfSeconds
            else { throw .schedule("illegal time") }
            return trigger
        }
        guard let recurrence = recurrence(trigger["periodical"]), recurrence.end > recurrence.start,
            recurrence.end > now, recurrence.end.timeIntervalSince(recurrence.start) <= Rules.yearOfSeconds,
            (1...100).contains(recurrence.interval)
        else { throw .schedule("illegal periodical") }
        return trigger
    }

    private func date(_ text: String) -> Date? { WallTime(ahead: settings.clockOffset).date(text) }

    private func recurrence(_ value: JSONValue?) -> Recurrence? {
        guard let value, let start = value["start"]?.stringValue.flatMap(date),
            let end = value["end"]?.stringValue.flatMap(date),
            let time = value["time"]?.stringValue.flatMap(WallTime.time),
            let interval = value["frequency"]?.intValue
        else { return nil }
        let points = value["point"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let rhythm: Recurrence.Rhythm
        switch value["time_unit"]?.stringValue?.lowercased() {
        case "day": rhythm = .daily
        case "week":
            let names = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]
            let days = points.compactMap { names.firstIndex(of: $0.uppercased()) }.compactMap {
                Weekday(rawValue: $0 + 1)
            }
            guard days.count == points.count, !days.isEmpty else { return nil }
            rhythm = .weekly(Set(days))
        case "month":
            let days = points.filter { $0.utf8.count == 2 }.compactMap { Int($0) }
            guard days.count == points.count, !days.isEmpty, days.allSatisfy((1...31).contains) else { return nil }
            rhythm = .monthly(Set(days))
        default: return nil
        }
        return Recurrence(from: start, to: end, at: time, rhythm, every: interval)
    }

    private static func row(_ state: ScheduleState) -> JSONValue {
        [
            "schedule_id": .string(state.id), "name": .string(state.name), "enabled": .bool(state.isEnabled),
            "trigger": state.trigger, "push": .object(state.push),
        ]
    }
}
