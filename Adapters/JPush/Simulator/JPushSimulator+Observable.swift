public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension JPushSimulator: ObservableSimulator {
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

    /// Sends the scheduled pushes that are due.
    public func settle(at now: Date) { fireSchedules(until: now) }
}
