public import FoundationEssentials
public import PushSimulation

extension EngageLabSimulator: ObservableSimulator {
    /// Tags, alias and inbox of a device; nil if the app does not have it.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        app.devices[device].map { DeviceSnapshot(tags: $0.tags, alias: $0.alias, inbox: $0.inbox) }
    }

    /// Deletes the devices that are due and sends what schedules have due, in the order of their moments, then drops
    /// messages that waited too long for a device.
    public func settle(at now: Date) {
        for deletion in app.deletions.sorted(by: { $0.date < $1.date }) where deletion.date <= now {
            fireSchedules(until: deletion.date)
            app.devices[deletion.device] = nil
        }
        app.deletions.removeAll { $0.date <= now }
        fireSchedules(until: now)
        expirePending(now)
        app.keys = app.keys.filter { now.timeIntervalSince($0.value.usedAt) < Rules.keyLifetime }
    }
}
