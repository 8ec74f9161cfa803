import FoundationEssentials
public import PushCore

extension PushClient {
    /// Lets the vendor keep a message and send it by itself.
    ///
    /// Costs one request, plus now and then one for idempotency keys. Refuses what `send` refuses, an audience that
    /// does not fit one request with `limitExceeded`, and a moment that has passed with `invalidArgument`.
    ///
    /// - Parameters:
    ///   - schedule: what to send, to whom and when.
    ///   - requiresKey: refuses to go without an idempotency key, where the provider has keys.
    public func createSchedule(
        _ schedule: Schedule, requiresKey: Bool = false
    ) async throws(PushError) -> ScheduleID {
        let deadline = Deadline(after: configuration.deadline, clock: configuration.clock)
        let (exchange, _) = await keyed(
            .schedule, for: .createSchedule, within: deadline, isRequired: requiresKey
        ) { (key) throws(PushError) in
            try check(schedule)
            return try role(\.scheduling, for: .createSchedule).createSchedule(schedule, key: key)
        }
        return try await run(.createSchedule, deadline: deadline) { () throws(PushError) in try exchange.get() }
    }

    /// What the vendor says about a schedule. One request.
    public func readSchedule(_ id: ScheduleID) async throws(PushError) -> ScheduleStatus {
        try await run(.readSchedule) { () throws(PushError) in
            try role(\.scheduling, for: .readSchedule).readSchedule(try checked(id))
        }
    }

    /// A page of the app's schedules, from 1; one past the end is empty. One request.
    public func listSchedules(page: Int = 1) async throws(PushError) -> Page<ScheduleStatus> {
        try await run(.listSchedules) { () throws(PushError) in
            guard page >= 1 else { throw PushError(.invalidArgument, "pages begin with 1, not \(page)") }
            return try role(\.scheduling, for: .listSchedules).listSchedules(page: page)
        }
    }

    /// Ends a schedule: what it has not sent yet is not sent. One request.
    public func removeSchedule(_ id: ScheduleID) async throws(PushError) {
        try await run(.removeSchedule) { () throws(PushError) in
            try role(\.scheduling, for: .removeSchedule).removeSchedule(try checked(id))
        }
    }

    private func checked(_ id: ScheduleID) throws(PushError) -> ScheduleID {
        try capabilities.limits.check(id.rawValue, "a schedule id", "schedule.id", of: provider.id)
        return id
    }

    private func check(_ schedule: Schedule) throws(PushError) {
        try check(schedule.message, to: schedule.audience)
        try require(schedule.trigger.feature)
        let targets = schedule.audience.targets ?? []
        let most = sliceSize(schedule.audience.features)
        guard targets.count <= most else {
            throw PushError(.limitExceeded, "a schedule is one request: at most \(most) targets, not \(targets.count)")
        }
        for target in targets { try check(target) }
        guard !schedule.name.isEmpty else { throw PushError(.invalidArgument, "the schedule has no name; give it one") }
        if let bound = capabilities.limits[.scheduleName], bound.overflow == .reject,
            schedule.name.utf8.count > bound.maximum
        {
            throw PushError(
                .tooLong,
                "the schedule's name has \(schedule.name.utf8.count) bytes, \(provider.id) takes \(bound.maximum) "
                    + "(\(bound.source))")
        }
        try check(schedule.trigger)
    }

    private func check(_ trigger: ScheduleTrigger) throws(PushError) {
        let now = configuration.clock.date
        let last: Date
        switch trigger {
        case .once(let date):
            guard date > now else { throw PushError(.invalidArgument, "the moment of the schedule has passed") }
            last = date
        case .recurring(let recurrence):
            guard recurrence.end > recurrence.start, recurrence.end > now else {
                throw PushError(.invalidArgument, "the schedule ends before it starts, or has ended")
            }
            guard recurrence.time.isValid, recurrence.interval >= 1 else {
                throw PushError(.invalidArgument, "the schedule has a time that no clock shows, or an interval below 1")
            }
            switch recurrence.rhythm {
            case .weekly([]), .monthly([]): throw PushError(.invalidArgument, "the schedule names no day")
            case .monthly(let days) where !days.allSatisfy((1...31).contains):
                throw PushError(.invalidArgument, "the days of a month are 1 to 31")
            default: break
            }
            last = recurrence.start
        }
        guard let bound = capabilities.limits[.scheduleHorizon], bound.overflow == .reject else { return }
        guard last.timeIntervalSince(now) <= Double(bound.maximum) else {
            throw PushError(
                .limitExceeded,
                "the schedule is more than \(bound.maximum / 86_400) days ahead, which is what \(provider.id) takes "
                    + "(\(bound.source))")
        }
    }
}
