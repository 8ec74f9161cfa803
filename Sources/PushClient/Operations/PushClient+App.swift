public import PushAdapter

/// Calls about the app, not about one device. Each except `send` is an `AppOperation`.
extension PushClient {
    /// Asks the vendor to check a message without delivering it. One request. Refuses the same input as `send`; refuses
    /// an audience that does not fit one request with `limitExceeded`.
    public func validate(_ message: Message, to audience: Audience) async throws(PushError) -> SendReceipt {
        try await perform(.validate, try planValidate(of: message, audience))
    }

    /// Returns the devices of an alias; empty for one that the vendor does not know. One request.
    public func readDevices(of alias: Alias) async throws(PushError) -> Set<DeviceID> {
        try await perform(.readAliasDevices, try planReadDevices(of: alias))
    }

    /// Removes an alias from every device that has it; harmless when none has. One request.
    public func deleteAlias(_ alias: Alias) async throws(PushError) {
        try await perform(.deleteAlias, try planDeleteAlias(alias))
    }

    /// Returns the devices of an account. One request. Without a type, returns those of the name under any type.
    public func readDevices(of account: Account) async throws(PushError) -> Set<DeviceID> {
        try await perform(.readAccountDevices, try planReadDevices(of: account))
    }

    /// Returns the delivery reports of messages.
    ///
    /// Costs one request per batch of messages (`limits[.messagesPerReport]`); several requests end by the client's
    /// `plannedDeadline`. Leaves out messages that the vendor does not know. Refuses an empty list with
    /// `invalidArgument`.
    public func readDeliveries(of messages: [MessageID]) async throws(PushError) -> [DeliveryReport] {
        try await perform(.readDeliveries, try planReadDeliveries(of: messages))
    }

    // MARK: Schedules

    /// Creates a schedule: the vendor stores the message and sends it on time.
    ///
    /// Costs one request, plus an occasional one for idempotency keys. Refuses the same input as `send`; refuses an
    /// audience that does not fit one request with `limitExceeded`, and a time in the past with `invalidArgument`.
    ///
    /// - Parameters:
    ///   - schedule: the message, its audience and its time.
    ///   - requiresKey: refuses to send without an idempotency key, where the provider has keys.
    public func createSchedule(
        _ schedule: Schedule, requiresKey: Bool = false
    ) async throws(PushError) -> ScheduleID {
        try await admitted(.createSchedule) { () async throws(PushError) in
            let deadline = newDeadline()
            let (exchange, _) = await keyed(
                .schedule, for: .createSchedule, within: deadline, isRequired: requiresKey
            ) { (key) throws(PushError) in try request(for: schedule, key: key) }
            let planned = try await decide(.createSchedule) { () throws(PushError) in try exchange.get() }
            return try await runPlanned(planned, within: deadline)
        }
    }

    /// Returns the status of a schedule. One request.
    public func readSchedule(_ id: ScheduleID) async throws(PushError) -> ScheduleStatus {
        try await perform(.readSchedule, try planReadSchedule(id))
    }

    /// Returns a page of the app's schedules, from 1; a page past the end is empty. One request.
    public func listSchedules(page: Int = 1) async throws(PushError) -> Page<ScheduleStatus> {
        try await perform(.listSchedules, try planListSchedules(page: page))
    }

    /// Ends a schedule; its pending pushes are not sent. One request.
    public func removeSchedule(_ id: ScheduleID) async throws(PushError) {
        try await perform(.removeSchedule, try planRemoveSchedule(id))
    }
}
