import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    private var clock: JiguangClock { JiguangClock(ahead: settings.clockOffset, isExact: true) }

    func createSchedule(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (fields, now) = (try call.fields(), call.now)
        let parts = ["name", "enabled", "trigger", "push"]
        for name in fields.keys.sorted() where !parts.contains(name) { throw .unknownField(name) }
        for name in parts where fields[name] == nil { throw .missing(name) }
        guard fields["enabled"]?.boolValue != nil else { throw .wrongType("enabled") }
        guard fields["enabled"] == true else { throw .invalid("enabled") }
        var state = JiguangSchedule(name: "", trigger: .null, push: [:], now)
        try change(&state, fields, now)
        guard active(now).count < settings.schedulesPerApp else {
            throw .invalid("too many schedules")
        }
        app.schedules.append(state)
        return .json(["schedule_id": .string(state.id), "name": .string(state.name)])
    }

    func listSchedules(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard let page = Int(call.request.parameter("page") ?? "1"), (1...Rules.largestPage).contains(page) else {
            throw .invalid("page")
        }
        return JiguangSchedule.page(page, of: max(1, settings.schedulesPerPage), active(call.now))
    }

    /// Returns a list with one object, as the vendor's libraries read it.
    func readSchedule(_ id: String) throws(Refusal) -> SimulatedResponse { .json([try found(id).state.row]) }

    func updateSchedule(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try call.fields()
        var (index, state) = try found(call["id"])
        guard !fields.isEmpty else { throw .missing("a part of the schedule") }
        try change(&state, fields, call.now)
        app.schedules[index] = state
        return .json(state.row)
    }

    func removeSchedule(_ id: String) throws(Refusal) -> SimulatedResponse {
        app.schedules.remove(at: try found(id).index)
        return written
    }

    func scheduledMessages(_ id: String) throws(Refusal) -> SimulatedResponse {
        let sent = try found(id).state.sent
        return .json(["count": JSONValue(sent.count), "MsgIds": .array(sent)])
    }

    // MARK: Time

    /// Sends the scheduled pushes that are due, in the order of their times.
    func fireSchedules(until now: Date) {
        var due: [(date: Date, index: Int)] = []
        for index in app.schedules.indices {
            due += app.schedules[index].takeMoments(until: now, clock).map { ($0, index) }
        }
        for (date, index) in due.sorted(by: { $0.date < $1.date }) {
            guard let id = (try? push(app.schedules[index].push, date, delivers: true))?["msg_id"]?.stringValue else {
                continue
            }
            app.schedules[index].sent.append(.string(id))
        }
    }

    private func active(_ now: Date) -> [JiguangSchedule] { app.schedules.filter { $0.isActive(now, clock) } }

    // MARK: Checks

    private func found(_ id: String) throws(Refusal) -> (index: Int, state: JiguangSchedule) {
        guard let index = app.schedules.firstIndex(where: { $0.id == id }) else { throw .invalid("schedule_id") }
        return (index, app.schedules[index])
    }

    private func change(_ state: inout JiguangSchedule, _ fields: [String: JSONValue], _ now: Date) throws(Refusal) {
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
            guard clock.isTimelySingle(trigger, now) else { throw .invalid("time") }
        case "periodical": guard clock.isTimelyRecurrence(value, now) else { throw .invalid("periodical") }
        default: throw .unknownField(kind)
        }
    }
}
