/// What a backend can ask of its app at a vendor, beside sending and what concerns one device: for `PushClient.explain(_:)`,
/// which shows the requests. Each has a method of its own, because their answers have nothing in common.
public enum AppOperation: Sendable {
    /// Lets the vendor check a message without delivering it.
    case validate(Message, to: Audience)
    /// Lets the vendor keep a message and send it by itself.
    case createSchedule(Schedule)
    /// Reads one schedule.
    case readSchedule(ScheduleID)
    /// Lists a page of schedules, from 1.
    case listSchedules(page: Int)
    /// Ends a schedule.
    case removeSchedule(ScheduleID)
    /// Reads what became of messages.
    case readDeliveries([MessageID])
    /// Lists the devices of an alias.
    case readAliasDevices(Alias)
    /// Takes an alias off every device that has it.
    case deleteAlias(Alias)
    /// Lists the devices of an account.
    case readAccountDevices(Account)
}
