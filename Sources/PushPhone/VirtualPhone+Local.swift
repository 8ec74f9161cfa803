import FoundationEssentials
public import PushAdapter
public import PushDevice

/// Notifications that the app makes itself.
extension VirtualPhone {
    private static let shortestRepetition = Duration.seconds(60)
    /// The most moments of a calendar that the phone looks through to find the last one.
    private static let mostMissed = 10_000

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
            guard let date = next(components, after: now) else {
                throw refusal("no later moment has these date components")
            }
            return date
        case .region(let region, _):
            // The guides' own sample has a radius of 0, a region with only the point itself in it.
            guard region.radius >= 0 else { throw refusal("the radius of a region must not be negative") }
            return nil
        case .date(let date):
            guard date > now else { throw refusal("the moment of a notification must be later than now") }
            return date
        }
    }

    private func next(_ components: DateComponents, after date: Date) -> Date? {
        var calendar = components.calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = components.timeZone ?? components.calendar?.timeZone ?? settings.timeZone
        return calendar.nextDate(after: date, matching: components, matchingPolicy: .strict)
    }

    /// Shows the local notification that is due first. A repeating one that missed moments fires once,
    /// at its last moment.
    func fireNext(_ now: Date, _ memory: inout PhoneMemory) {
        let dates = memory.scheduled.map { $0.date ?? .distantFuture }
        guard let index = dates.indices.min(by: { dates[$0] < dates[$1] }), dates[index] <= now else { return }
        let request = memory.scheduled[index].request
        let last = lastMoment(of: request, from: dates[index], until: now)
        guard last.date <= dates[index] else {
            // Notifications that are due in between come first.
            memory.scheduled[index].date = last.date
            return
        }
        if let next = last.next {
            memory.scheduled[index].date = next
        } else {
            memory.scheduled.remove(at: index)
        }
        memory.state.pending = memory.scheduled.map(\.request)
        present(PhoneNotification(request, date: last.date), &memory)
    }

    /// The last moment of a request that is due, and the one after it; nil for a request that is not repeated.
    private func lastMoment(
        of request: PhoneNotification.Request, from date: Date, until now: Date
    ) -> (date: Date, next: Date?) {
        switch request.trigger {
        case .timeInterval(let time, repeats: true):
            let missed = (now.timeIntervalSince(date) / time.seconds).rounded(.down)
            let last = date.addingTimeInterval(missed * time.seconds)
            return (last, last.addingTimeInterval(time.seconds))
        case .calendar(let components, repeats: true):
            var last = date
            for _ in 0..<Self.mostMissed {
                guard let moment = next(components, after: last), moment <= now else { break }
                last = moment
            }
            return (last, next(components, after: last))
        default: return (date, nil)
        }
    }
}
