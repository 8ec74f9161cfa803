import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension JPushSimulator {
    private var clock: JiguangClock { JiguangClock(ahead: settings.clockOffset, isExact: false) }

    func createSchedule(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard var fields = call.request.object else { throw .schedule("not JSON") }
        let key = fields.removeValue(forKey: "cid")?.stringValue
        if let key, let answer = try storedAnswer(key, "schedule", call.now) { return answer }
        let id = try createSchedule(fields, call.now)
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
        let state = JiguangSchedule(
            name: try name(fields["name"]), trigger: try checked(fields["trigger"], now),
            push: try push(fields["push"]), now)
        app.schedules.append(state)
        return state.id
    }

    func listSchedules(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard let page = Int(call.request.parameter("page") ?? "1"), (1...Rules.largestPage).contains(page) else {
            throw .schedule("illegal page")
        }
        return JiguangSchedule.page(page, of: Rules.schedulesPerPage, active(call.now))
    }

    func readSchedule(_ id: String) throws(Refusal) -> SimulatedResponse { .json(try found(id).state.row) }

    func updateSchedule(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        var (index, state) = try found(call["id"])
        guard let fields = call.request.object, !fields.isEmpty else { throw .schedule("not JSON") }
        guard state.isActive(call.now, clock) else { throw .schedule("the schedule has expired") }
        for (section, value) in fields {
            switch section {
            case "name": state.name = try name(value)
            case "enabled":
                guard let isEnabled = value.boolValue else { throw .schedule("illegal enabled") }
                state.isEnabled = isEnabled
            case "trigger":
                let trigger = try checked(value, call.now)
                guard (trigger["single"] == nil) == (state.trigger["single"] == nil) else {
                    throw .schedule("single and periodical cannot be exchanged")
                }
                state.trigger = trigger
            case "push": state.push = try push(value)
            default: throw .schedule("unknown section")
            }
        }
        app.schedules[index] = state
        return .json(state.row)
    }

    func removeSchedule(_ id: String) throws(Refusal) -> SimulatedResponse {
        app.schedules.remove(at: try found(id).index)
        return .empty
    }

    func scheduledMessages(_ id: String) throws(Refusal) -> SimulatedResponse {
        let sent = try found(id).state.sent
        return .json(["count": JSONValue(sent.count), "msgids": .array(sent)])
    }

    // MARK: Time

    /// Sends the scheduled pushes that are due.
    func fireSchedules(until now: Date) {
        for index in app.schedules.indices {
            for moment in app.schedules[index].takeMoments(until: now, clock) {
                let row = fire(app.schedules[index].push, at: moment)
                app.schedules[index].sent.append(.string(row))
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
            row["msg_id"] = error.fields["msg_id"]
            row["error"] = error.detail
        }
        row["ts"] = JSONValue(Int(moment.timeIntervalSince1970 * 1000))
        return String(decoding: JSONWriter.bytes(of: .object(row)), as: UTF8.self)
    }

    private func active(_ now: Date) -> [JiguangSchedule] { app.schedules.filter { $0.isActive(now, clock) } }

    // MARK: Checks

    private func found(_ id: String) throws(Refusal) -> (index: Int, state: JiguangSchedule) {
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
        guard trigger["single"] == nil else {
            guard clock.isTimelySingle(trigger, now) else { throw .schedule("illegal time") }
            return trigger
        }
        guard clock.isTimelyRecurrence(trigger["periodical"], now) else { throw .schedule("illegal periodical") }
        return trigger
    }
}
