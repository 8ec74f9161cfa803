public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension APNsSimulator: ObservableSimulator {
    /// What is known of a device, by its id; nil for an unknown one. Apple has no tags, aliases, accounts and
    /// attributes, and counts no badges.
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

    /// Nothing: Apple does nothing on its own.
    public func settle(at now: Date) {}
}
