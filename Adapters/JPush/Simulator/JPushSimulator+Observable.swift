public import FoundationEssentials
public import PushSimulation

extension JPushSimulator: ObservableSimulator {
    /// Tags, alias and inbox of a device; nil if the app does not have it.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        app.devices[device].map { DeviceSnapshot(tags: $0.tags, alias: $0.alias, inbox: $0.inbox) }
    }

    /// Sends the pushes of schedules that are due.
    public func settle(at now: Date) { fireSchedules(until: now) }
}
