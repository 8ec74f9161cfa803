import FoundationEssentials
import PushAdapter

extension PushClient {
    /// The known requests of a call about the app, with their notes.
    func requests(of operation: AppOperation) throws(PushError) -> [PlannedRequest] {
        switch operation {
        case .validate(let message, let audience): try planValidate(of: message, audience).requests
        case .createSchedule(let schedule):
            [PlannedRequest(try request(for: schedule, key: nil), note: keyNote(.schedule))]
        case .readSchedule(let id): try planReadSchedule(id).requests
        case .listSchedules(let page): try planListSchedules(page: page).requests
        case .removeSchedule(let id): try planRemoveSchedule(id).requests
        case .readDeliveries(let messages): try planReadDeliveries(of: messages).requests
        case .readAliasDevices(let alias): try planReadDevices(of: alias).requests
        case .deleteAlias(let alias): try planDeleteAlias(alias).requests
        case .readAccountDevices(let account): try planReadDevices(of: account).requests
        }
    }

    func planValidate(of message: Message, _ audience: Audience) throws(PushError) -> Plan<SendReceipt> {
        try check(message, and: audience)
        return try planRequest(.validate, try roles.validate?(message, audience, newContext()))
    }

    func planReadDevices(of alias: Alias) throws(PushError) -> Plan<Set<DeviceID>> {
        try planRequest(.readAliasDevices, try roles.alias.devices?(alias))
    }

    func planDeleteAlias(_ alias: Alias) throws(PushError) -> Plan<Void> {
        try planRequest(.deleteAlias, try roles.alias.delete?(alias))
    }

    func planReadDevices(of account: Account) throws(PushError) -> Plan<Set<DeviceID>> {
        try planRequest(.readAccountDevices, try roles.accounts.devices?(account))
    }

    /// One request per batch of messages that the provider reports at once.
    func planReadDeliveries(of messages: [MessageID]) throws(PushError) -> Plan<[DeliveryReport]> {
        guard !messages.isEmpty else { throw PushError(.invalidArgument, "give at least one message id to report on") }
        let size = max(1, limits[.messagesPerReport]?.maximum ?? messages.count)
        var parts: [Exchange<[DeliveryReport]>] = []
        for part in messages.pages(of: size) {
            parts.append(try request(.readDeliveries, try roles.readDeliveries?(part)))
        }
        return Plan(requests: parts.map { PlannedRequest($0) }) { [parts] (deadline) throws(PushError) in
            let end = self.configuration.clock.elapsed + self.configuration.plannedDeadline
            var reports: [DeliveryReport] = []
            for part in parts {
                reports += try await self.runPlanned(
                    part, within: parts.count > 1 ? self.partDeadline(until: end) : deadline)
            }
            return reports
        }
    }

    // MARK: Schedules

    func planReadSchedule(_ id: ScheduleID) throws(PushError) -> Plan<ScheduleStatus> {
        try planRequest(.readSchedule, try roles.schedules.read?(id))
    }

    func planListSchedules(page: Int) throws(PushError) -> Plan<Page<ScheduleStatus>> {
        guard page >= 1 else { throw PushError(.invalidArgument, "pages start at 1, not \(page)") }
        return try planRequest(.listSchedules, try roles.schedules.list?(page))
    }

    func planRemoveSchedule(_ id: ScheduleID) throws(PushError) -> Plan<Void> {
        try planRequest(.removeSchedule, try roles.schedules.remove?(id))
    }

    /// The request that creates a schedule, checked.
    func request(for schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID> {
        try check(schedule.message, and: schedule.audience)
        try require(schedule.trigger.feature)
        guard !schedule.name.isEmpty else { throw PushError(.invalidArgument, "the schedule has no name; give it one") }
        try check(schedule.trigger)
        return try request(.createSchedule, try roles.schedules.create?(schedule, key))
    }

    private func check(_ trigger: ScheduleTrigger) throws(PushError) {
        let now = configuration.clock.date
        let last: Date
        switch trigger {
        case .once(let date):
            guard date > now else { throw PushError(.invalidArgument, "the time of the schedule has passed") }
            last = date
        case .recurring(let recurrence):
            guard recurrence.end > recurrence.start, recurrence.end > now else {
                throw PushError(.invalidArgument, "the schedule ends before it starts, or has ended")
            }
            guard recurrence.time.isValid, recurrence.interval >= 1 else {
                throw PushError(.invalidArgument, "the schedule has an invalid time of day, or an interval below 1")
            }
            switch recurrence.rhythm {
            case .weekly([]), .monthly([]): throw PushError(.invalidArgument, "the schedule names no day")
            case .monthly(let days) where !days.allSatisfy((1...31).contains):
                throw PushError(.invalidArgument, "the days of a month are 1 to 31")
            default: break
            }
            last = recurrence.start
        }
        guard let bound = limits[.scheduleHorizon], bound.overflow == .reject else { return }
        guard last.timeIntervalSince(now) <= Double(bound.maximum) else {
            throw PushError(
                .limitExceeded,
                "the schedule is more than \(bound.maximum / 86_400) days ahead, the most that \(provider.id) takes "
                    + "(\(bound.source))")
        }
    }

    // MARK: Messages

    /// Refuses a message or an audience that this client cannot send. The send checks each target of a list.
    func check(_ message: Message, and audience: Audience) throws(PushError) {
        try limits.checkForm(of: audience, provider.id)
        try check(message, for: audience.features)
    }

    func check(_ message: Message, for audience: [Feature]) throws(PushError) {
        try checkedMessage.value(of: message) { () throws(PushError) in
            try capabilities.check(.message(message), of: provider.id)
            for feature in message.features { try require(feature) }
        }
        for feature in audience { try require(feature) }
    }

    /// The values that a send needs and adapters must not make.
    func newContext(key: IdempotencyKey? = nil) -> SendContext {
        SendContext(at: configuration.clock.date, key: key, id: messageIDs.next())
    }

    /// What an explanation says about the key of a request.
    func keyNote(_ kind: KeyedRequest) -> String? {
        guard let grade = capabilities.keyGrade(for: kind) else { return nil }
        let note = "the idempotency key is added when the request is sent"
        guard !configuration.retry.repeatsAfterUnknown.contains(grade) else { return note }
        return note + "; a lost response ends the call, because the key is of the grade \(grade.rawValue)"
    }
}
