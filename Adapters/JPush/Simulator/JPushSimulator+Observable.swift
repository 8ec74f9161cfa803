public import PushSimulation

extension JPushSimulator: ObservableSimulator {
    public func snapshot(of device: String) -> DeviceSnapshot? {
        app.devices[device].map { DeviceSnapshot(tags: $0.tags, alias: $0.alias, inbox: $0.inbox) }
    }
}
