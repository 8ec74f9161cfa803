public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension APNsSimulator: ObservableSimulator {
    /// The state of a device; nil for an unknown id. Apple has no tags, aliases, accounts or attributes, and counts no
    /// badges.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        table.devices[device].map { state in
            var snapshot = DeviceSnapshot(inbox: state.inbox.messages)
            snapshot.device = state.device
            snapshot.language = state.language
            snapshot.activities = Set(
                table.states(of: device).filter { $0.state.end == nil }.compactMap(\.state.activity))
            return snapshot
        }
    }

    /// Does nothing: Apple takes no action between requests.
    public func settle(at now: Date) {}
}
