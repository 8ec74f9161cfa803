public import FoundationEssentials
import PushCore
public import PushSimulation

extension FCMSimulator: ObservableSimulator {
    /// Topics as tags, and the inbox of a device; nil if no project has it. The vendor has no aliases, accounts and
    /// attributes.
    public func snapshot(of device: String) -> DeviceSnapshot? {
        find(device).map { state in
            let tags = state.topics.keys.filter { $0.hasPrefix(settings.tagPrefix) }.map { topic in
                let name = topic.dropFirst(settings.tagPrefix.count)
                return PercentEncoding.decode(name) ?? String(name)
            }
            return DeviceSnapshot(tags: Set(tags), inbox: state.inbox)
        }
    }

    /// Nothing: the vendor does nothing on its own.
    public func settle(at now: Date) {}
}
