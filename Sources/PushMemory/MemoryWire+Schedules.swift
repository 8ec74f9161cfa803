import FoundationEssentials
import PushAdapter

extension MemoryWire {
    struct NewSchedule: Codable {
        var name: String
        var trigger: Trigger
        var send: Send
    }

    struct KeptSchedule: Codable {
        var id: String
        var name: String
        var trigger: Trigger

        var status: ScheduleStatus {
            ScheduleStatus(id: ScheduleID(id), name: name, isEnabled: true, trigger: trigger.value)
        }
    }

    /// A trigger in seconds since 1970 and numbers of days.
    struct Trigger: Codable {
        var from: Double
        /// Nil for one that sends once.
        var to: Double?
        var time: [Int] = []
        var interval = 1
        var weekdays: [Int]?
        var days: [Int]?

        init(_ trigger: ScheduleTrigger) {
            switch trigger {
            case .once(let date): from = date.timeIntervalSince1970
            case .recurring(let recurrence):
                from = recurrence.start.timeIntervalSince1970
                to = recurrence.end.timeIntervalSince1970
                time = [recurrence.time.hour, recurrence.time.minute, recurrence.time.second]
                interval = recurrence.interval
                switch recurrence.rhythm {
                case .daily: break
                case .weekly(let days): weekdays = days.map(\.rawValue).sorted()
                case .monthly(let numbers): days = numbers.sorted()
                }
            }
        }

        var value: ScheduleTrigger {
            guard let to, time.count == 3 else { return .once(Date(timeIntervalSince1970: from)) }
            let rhythm: Recurrence.Rhythm =
                weekdays.map { .weekly(Set($0.compactMap(Weekday.init))) } ?? days.map { .monthly(Set($0)) } ?? .daily
            return .recurring(
                Recurrence(
                    from: Date(timeIntervalSince1970: from), to: Date(timeIntervalSince1970: to),
                    at: TimeOfDay(hour: time[0], minute: time[1], second: time[2]), rhythm, every: interval))
        }
    }
}
