import FoundationEssentials
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    func createSchedule(_ fields: [String: JSONValue], _ now: Date) throws(Refusal) -> SimulatedResponse {
        let parts = ["name", "enabled", "trigger", "push"]
        for name in fields.keys.sorted() where !parts.contains(name) { throw .unknownField(name) }
        for name in parts where fields[name] == nil { throw .missing(name) }
        guard fields["enabled"]?.boolValue != nil else { throw .wrongType("enabled") }
        guard fields["enabled"] == true else { throw .invalid("enabled") }
        var state = ScheduleState(
            id: SimulatorRandom.uuid(), name: "", isEnabled: true, trigger: .null, push: [:], doneUntil: now)
        try change(&state, fields, now)
        guard app.schedules.filter({ isActive($0, now) }).count < settings.schedulesPerApp else {
            throw .invalid("too many schedules")
        }
        app.schedules.append(state)
        return .json(["schedule_id": .string(state.id), "name": .string(state.name)])
    }

    func listSchedules(_ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard let page = Int(request.parameter("page") ?? "1"), (1...Rules.largestPage).contains(page) else {
            throw .invalid("page")
        }
        let all = app.schedules.filter { isActive($0, now) }
        let size = max(1, settings.schedulesPerPage)
        return .json([
            "total_count": JSONValue(integerLiteral: all.count),
            "total_pages": JSONValue(integerLiteral: (all.count + size - 1) / size),
            "page": JSONValue(integerLiteral: page),
            "schedules": .array(all.dropFirst((page - 1) * size).prefix(size).map(Self.row)),
        ])
    }

    /// Returns a list with one object, as the vendor's libraries read it.
    func readSchedule(_ id: String) throws(Refusal) -> SimulatedResponse { .json([Self.row(try found(id).state)]) }

    func updateSchedule(
        _ id: String, _ fields: [String: JSONValue], _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        var (index, state) = try found(id)
        guard !fields.isEmpty else { throw .missing("a part of the schedule") }
        try change(&state, fields, now)
        app.schedules[index] = state
        return .json(Self.row(state))
    }

    func removeSchedule(_ id: String) throws(Refusal) -> SimulatedResponse {
        app.schedules.remove(at: try found(id).index)
        return written
    }

    func scheduledMessages(_ id: String) throws(Refusal) -> SimulatedResponse {
        let sent = try found(id).state.sent
        return .json(["count": JSONValue(integerLiteral: sent.count), "MsgIds": .array(sent.map(JSONValue.string))])
    }

    // MARK: Time

    /// Sends the scheduled pushes that are due, in the order of their times.
    func fireSchedules(until now: Date) {
        var due: [(date: Date, index: Int)] = []
        for index in app.schedules.indices where app.schedules[index].doneUntil < now {
            let state = app.schedules[index]
            app.schedules[index].doneUntil = now
            guard state.isEnabled else { continue }
            due += moments(state, after: state.doneUntil, through: now).map { ($0, index) }
        }
        for (date, index) in due.sorted(by: { $0.date < $1.date }) {
            guard let id = (try? push(app.schedules[index].push, date, delivers: true))?["msg_id"]?.stringValue else {
                continue
            }
            app.schedules[index].sent.append(id)
        }
    }

    private func moments(_ state: ScheduleState, after first: Date, through last: Date) -> [Date] {
        if let time = state.firesAt ?? single(state.trigger) { return time > first && time <= last ? [time] : [] }
        let offset: Duration = .seconds(settings.clockOffset * 3600)
        return recurrence(state.trigger["periodical"])?.moments(after: first, through: last, offset: offset) ?? []
    }

    /// The only time of a trigger. No simulated user has a history, so an intelligent trigger sends at its backup time.
    /// All devices are in the app's own zone.
    private func single(_ trigger: JSONValue) -> Date? {
        let clock = WallTime(ahead: settings.clockOffset)
        return (trigger["single"]?["time"] ?? trigger["intelligent"]?["backup_time"])?.stringValue.flatMap(clock.date)
    }

    private func isActive(_ state: ScheduleState, _ now: Date) -> Bool {
        let end = state.firesAt ?? single(state.trigger) ?? recurrence(state.trigger["periodical"])?.end
        return end.map { $0 > now } ?? false
    }

    // MARK: Checks

    private func found(_ id: String) throws(Refusal) -> (index: Int, state: ScheduleState) {
        guard let index = app.schedules.firstIndex(where: { $0.id == id }) else { throw .invalid("schedule_id") }
        return (index, app.schedules[index])
    }

    private func change(_ state: inout ScheduleState, _ fields: [String: JSONValue], _ now: Date) throws(Refusal) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "name":
                guard let text = value.stringValue else { throw .wrongType(name) }
                guard text.utf8.count <= Rules.scheduleNameBytes else { throw .wrongType(name) }
                guard !text.isEmpty, text.unicodeScalars.allSatisfy(Rules.isWordCharacter)
                else { throw .invalid(name) }
                state.name = text
            case "enabled":
                guard let isEnabled = value.boolValue else { throw .wrongType(name) }
                state.isEnabled = isEnabled
            case "trigger":
                try check(value, now)
                state.trigger = value
                // "At once" means a second later, so that the response comes first.
                let isNow = value["intelligent"]?["backup_time"] == "now"
                state.firesAt = isNow ? now.addingTimeInterval(1) : nil
            case "push":
                guard case .object(let push) = value else { throw .wrongType(name) }
                _ = try PushObject(push, settings)
                state.push = push
            default: throw .unknownField(name)
            }
        }
    }

    private func check(_ trigger: JSONValue, _ now: Date) throws(Refusal) {
        guard case .object(let kinds) = trigger, kinds.count == 1, let (kind, value) = kinds.first else {
            throw .invalid("trigger")
        }
        if let zone = value["zone_type"], ![1, 2].contains(zone) { throw .invalid("zone_type") }
        switch kind {
        case "single", "intelligent":
            if kind == "intelligent", value["backup_time"] == "now" { return }
            guard let date = single(trigger), date > now, date.timeIntervalSince(now) <= Rules.yearOfSeconds else {
                throw .invalid("time")
            }
        case "periodical":
            guard let recurrence = recurrence(value), recurrence.end > recurrence.start, recurrence.end > now,
                recurrence.end.timeIntervalSince(recurrence.start) <= Rules.yearOfSeconds
            else { throw .invalid("periodical") }
        default: throw .unknownField(kind)
        }
    }

    private func recurrence(_ value: JSONValue?) -> Recurrence? {
        let clock = WallTime(ahead: settings.clockOffset)
        guard let value, let start = value["start"]?.stringValue.flatMap(clock.date),
            let end = value["end"]?.stringValue.flatMap(clock.date),
            let time = value["time"]?.stringValue.flatMap(WallTime.time)
        else { return nil }
        let rows = value["point"] == nil || value["point"] == .null ? [] : value["point"]?.arrayValue
        guard let points = rows?.compactMap(\.stringValue), points.count == rows?.count else { return nil }
        let interval = value["frequency"]?.intValue ?? 1
        guard (1...100).contains(interval) else { return nil }
        let rhythm: Recurrence.Rhythm
        switch value["time_unit"]?.stringValue?.lowercased() {
        case "day":
            guard points.isEmpty else { return nil }
            rhythm = .daily
        case "week":
            let names = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]
            let days = points.compactMap { names.firstIndex(of: $0) }.compactMap { Weekday(rawValue: $0 + 1) }
            guard days.count == points.count, !days.isEmpty else { return nil }
            rhythm = .weekly(Set(days))
        case "month":
            let days = points.filter { $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }.compactMap { Int($0) }
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
