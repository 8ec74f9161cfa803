import FoundationEssentials
public import PushCore
public import PushDevice

/// Notifications that the app makes itself.
extension VirtualPhone {
    private static let shortestRepetition = Duration.seconds(60)
    /// A repeating notification fires at most this often at once, however long nobody looked.
    private static let mostAtOnce = 1000

    public func add(_ request: PhoneNotification.Request) throws(PushError) {
        settle()
        let date = try firstDate(of: request)
        change { memory in
            memory.scheduled.removeAll { $0.request.id == request.id }
            if let date, date <= clock.date {
                present(PhoneNotification(request, date: clock.date), &memory)
            } else {
                memory.state.center.removeAll { $0.id == request.id }
                memory.scheduled.append(.init(request: request, date: date))
            }
            memory.state.pending = memory.scheduled.map(\.request)
        }
    }

    public var pendingNotifications: [PhoneNotification.Request] { state.pending }
    public var deliveredNotifications: [PhoneNotification] { state.center }

    public func removePending(_ identifiers: Set<String>?) {
        settle()
        change { memory in
            memory.scheduled.removeAll { identifiers?.contains($0.request.id) ?? true }
            memory.state.pending = memory.scheduled.map(\.request)
        }
    }

    public func removeDelivered(_ identifiers: Set<String>?) {
        settle()
        change { $0.state.center.removeAll { identifiers?.contains($0.id) ?? true } }
    }

    // MARK: Triggers

    /// When a request is due for the first time; nil for one that waits for a place.
    private func firstDate(of request: PhoneNotification.Request) throws(PushError) -> Date? {
        let now = clock.date
        func refusal(_ message: String) -> PushError { PushError(.invalidArgument, message) }
        switch request.trigger {
        case nil, .push: return now
        case .timeInterval(let time, let repeats):
            guard time > .zero else { throw refusal("the time until a notification must be positive") }
            guard !repeats || time >= Self.shortestRepetition else {
                throw refusal("a notification can be repeated every 60 seconds at most; the interval is \(time)")
            }
            return now.addingTimeInterval(time.seconds)
        case .calendar(let components, _):
            guard let date = Self.next(components, after: now) else {
                throw refusal("no later moment has these date components")
            }
            return date
        case .region(let region, _):
            guard region.radius > 0 else { throw refusal("the radius of a region must be positive") }
            return nil
        case .date(let date):
            guard date > now else { throw refusal("the moment of a notification must be later than now") }
            return date
        }
    }

    private static func next(_ components: DateComponents, after date: Date) -> Date? {
        var calendar = components.calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = components.timeZone ?? .gmt
        return calendar.nextDate(after: date, matching: components, matchingPolicy: .strict)
    }

    /// Shows the local notifications that are due, in the order of their moments.
    func fireScheduled(_ now: Date, _ memory: inout PhoneMemory) {
        for _ in 0..<Self.mostAtOnce {
            let due = memory.scheduled.indices.filter { memory.scheduled[$0].date.map { $0 <= now } ?? false }
            guard let index = due.min(by: { memory.scheduled[$0].date ?? now < memory.scheduled[$1].date ?? now })
            else { break }
            let scheduled = memory.scheduled[index]
            let date = scheduled.date ?? now
            switch scheduled.request.trigger {
            case .timeInterval(let time, repeats: true):
                memory.scheduled[index].date = date.addingTimeInterval(time.seconds)
            case .calendar(let components, repeats: true):
                memory.scheduled[index].date = Self.next(components, after: date) ?? .distantFuture
            default: memory.scheduled.remove(at: index)
            }
            present(PhoneNotification(scheduled.request, date: date), &memory)
        }
        memory.state.pending = memory.scheduled.map(\.request)
    }
}
