public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension EngageLabSimulator: ObservableSimulator {
    /// The tags, alias, inbox, badge, language and Live Activities of a device; nil if the app does not have it. The
    /// vendor counts a badge on iOS only.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        guard let state = app.devices[device] else { return nil }
        var snapshot = DeviceSnapshot(tags: state.tags, alias: state.alias, inbox: state.inbox.messages)
        snapshot.device = state.device
        snapshot.badge = state.device.platform == .ios ? state.badge : nil
        snapshot.language = state.language
        snapshot.activities = state.tokens.activities
        return snapshot
    }

    /// Deletes devices and sends scheduled pushes that are due, in the order of their times. Then drops messages that
    /// waited too long for a device.
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
