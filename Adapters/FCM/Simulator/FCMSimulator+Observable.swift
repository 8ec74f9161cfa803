public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension FCMSimulator: ConnectableSimulator {
    /// The state of a device, with topics as tags; nil if no project has the device. The vendor has no aliases,
    /// accounts or attributes, and counts no badges.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        find(device).map { state in
            let tags = state.topics.keys.filter { $0.hasPrefix(settings.tagPrefix) }.map { topic in
                let name = topic.dropFirst(settings.tagPrefix.count)
                return PercentEncoding.decode(name) ?? String(name)
            }
            var snapshot = DeviceSnapshot(tags: Set(tags), inbox: state.inbox.messages)
            snapshot.device = state.registration.device
            snapshot.language = state.language
            snapshot.activities = Set(state.activities.keys)
            return snapshot
        }
    }

    /// Does nothing: the vendor takes no action between requests.
    public func settle(at now: Date) {}
}
