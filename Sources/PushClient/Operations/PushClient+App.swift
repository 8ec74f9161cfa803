public import PushCore

/// The calls about the app, whichever devices it has. Each but `send` is an `AppOperation`.
extension PushClient {
    /// Lets the vendor check a message without delivering it. One request; refuses like `send`, and an audience that does
    /// not fit one request with `limitExceeded`.
    public func validate(_ message: Message, to audience: Audience) async throws(PushError) -> SendReceipt {
        try await perform(.validate, try planValidate(of: message, audience))
    }

    /// The devices of an alias; none for one that the vendor does not know. One request.
    public func readDevices(of alias: Alias) async throws(PushError) -> Set<DeviceID> {
        try await perform(.readAliasDevices, try planReadDevices(of: alias))
    }

    /// Takes an alias off every device that has it; harmless when none has. One request.
    public func deleteAlias(_ alias: Alias) async throws(PushError) {
        try await perform(.deleteAlias, try planDeleteAlias(alias))
    }

    /// The devices of an account. One request. Without a type, those of the name, whatever its types.
    public func readDevices(of account: Account) async throws(PushError) -> Set<DeviceID> {
        try await perform(.readAccountDevices, try planReadDevices(of: account))
    }

    /// What became of messages.
    ///
    /// Costs one request for as many messages as the provider reports at once (`limits[.messagesPerReport]`), and ends by
    /// the client's `plannedDeadline` where it costs several. Messages
    /// that the vendor does not know are missing from the answer. Refuses an empty list with `invalidArgument`.
    public func readDeliveries(of messages: [MessageID]) async throws(PushError) -> [DeliveryReport] {
        try await perform(.readDeliveries, try planReadDeliveries(of: messages))
    }

    // MARK: Schedules

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
        let deadline = newDeadline()
        let (exchange, _) = await keyed(
            .schedule, for: .createSchedule, within: deadline, isRequired: requiresKey
        ) { (key) throws(PushError) in try request(for: schedule, key: key) }
        let planned = try await decide(.createSchedule) { () throws(PushError) in try exchange.get() }
        return try await run(planned: planned, within: deadline)
    }

    /// What the vendor says about a schedule. One request.
    public func readSchedule(_ id: ScheduleID) async throws(PushError) -> ScheduleStatus {
        try await perform(.readSchedule, try planReadSchedule(id))
    }

    /// A page of the app's schedules, from 1; one past the end is empty. One request.
    public func listSchedules(page: Int = 1) async throws(PushError) -> Page<ScheduleStatus> {
        try await perform(.listSchedules, try planListSchedules(page: page))
    }

    /// Ends a schedule: what it has not sent yet is not sent. One request.
    public func removeSchedule(_ id: ScheduleID) async throws(PushError) {
        try await perform(.removeSchedule, try planRemoveSchedule(id))
    }
}
