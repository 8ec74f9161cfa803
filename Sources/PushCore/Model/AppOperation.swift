/// An operation on the backend's app at a vendor, besides sends and operations on one device.
///
/// `PushClient.explain(_:)` takes it and shows the requests. To run one, call its own method of the client, because the
/// results have nothing in common.
public enum AppOperation: Sendable {
    /// Has the vendor check a message without delivering it.
    case validate(Message, to: Audience)
    /// Creates a schedule: the vendor keeps a message and sends it later.
    case createSchedule(Schedule)
    /// Reads one schedule.
    case readSchedule(ScheduleID)
    /// Lists one page of schedules; pages count from 1.
    case listSchedules(page: Int)
    /// Ends a schedule.
    case removeSchedule(ScheduleID)
    /// Reads the delivery counts of messages.
    case readDeliveries([MessageID])
    /// Lists the devices of an alias.
    case readAliasDevices(Alias)
    /// Removes an alias from every device that has it.
    case deleteAlias(Alias)
    /// Lists the devices of an account.
    case readAccountDevices(Account)
}
