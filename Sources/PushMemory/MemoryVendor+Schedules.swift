public import FoundationEssentials
import PushAdapter
import PushSimulation

extension MemoryVendor {
    func schedule(
        _ method: HTTPRequest.Method, _ id: String?, _ request: SimulatedRequest, _ now: Date
    ) throws -> SimulatedResponse {
        func kept(_ schedule: MemorySchedule) -> MemoryWire.KeptSchedule {
            MemoryWire.KeptSchedule(id: schedule.id, name: schedule.new.name, trigger: schedule.new.trigger)
        }
        switch (method, id) {
        case (.get, nil):
            let isFirst = request.parameter("page") == "1"
            return SimulatedResponse(memory: isFirst ? schedules.map(kept) : [])
        case (.get, let id?):
            guard let found = schedules.first(where: { $0.id == id }) else { throw MemoryRefusal(.unknownSchedule) }
            return SimulatedResponse(memory: kept(found))
        case (.delete, let id?):
            guard schedules.contains(where: { $0.id == id }) else { throw MemoryRefusal(.unknownSchedule) }
            schedules.removeAll { $0.id == id }
            return SimulatedResponse(memory: [String]())
        case (.post, nil):
            let new = try JSONDecoder().decode(MemoryWire.NewSchedule.self, from: Data(request.body))
            if let key = new.send.key {
                guard keys[key] != nil else { throw MemoryRefusal(.unknownKey) }
                if let made = scheduleKeys[key] { return SimulatedResponse(memory: [made]) }
                scheduleKeys[key] = "s\(lastNumber)"
            }
            schedules.append(MemorySchedule(id: "s\(lastNumber)", new: new, doneUntil: now))
            return SimulatedResponse(memory: ["s\(lastNumber)"])
        default: throw MemoryRefusal(.malformed)
        }
    }

    public func settle(at now: Date) { runSchedules(until: now) }

    func runSchedules(until now: Date) {
        for index in schedules.indices {
            let schedule = schedules[index]
            schedules[index].doneUntil = now
            for _ in schedule.moments(through: now) {
                var push = schedule.new.send
                push.key = nil
                _ = try? send(push, delivers: true)
            }
        }
    }
}

/// A schedule that the vendor keeps, and its progress.
struct MemorySchedule {
    var id: String
    var new: MemoryWire.NewSchedule
    var doneUntil: Date

    func moments(through now: Date) -> [Date] {
        switch new.trigger.value {
        case .once(let date): date > doneUntil && date <= now ? [date] : []
        case .recurring(let recurrence): recurrence.moments(after: doneUntil, through: now, offset: .zero)
        }
    }
}
