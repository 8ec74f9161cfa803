import PushAdapter
import PushSimulation

/// Topics, and the names of one device.
extension XiaomiSimulator {
    private static let topicsPerDevice = 30

    /// Adds devices to a topic, or removes them. If a device has no room, no device changes.
    func changeTopic(_ call: SimulatedCall, isJoining: Bool, byAlias: Bool) throws(Refusal) -> SimulatedResponse {
        let app = try app(call.request)
        let form = try Form(call.request)
        let topic = try form.need("topic")
        guard Audience.isTopic(topic) else { throw .topic }
        let names = try form.list(byAlias ? "aliases" : "registration_id")
        let found = targets(of: byAlias ? .aliases(names) : .regIDs(names), in: app.packageName)
        let isFull = isJoining && found.contains { !hasRoom(for: topic, $0.device) }
        guard !found.isEmpty, !isFull else {
            throw isJoining ? Refusal(200, 20_215, "Subscribe failed") : Refusal(200, 20_216, "Unsubscribe failed")
        }
        for (device, _) in found {
            if isJoining { devices[device]?.tags.insert(topic) } else { devices[device]?.tags.remove(topic) }
        }
        let known = Set(found.map(\.name))
        let bad = byAlias ? [] : names.filter { !known.contains($0) }
        return .accepted(newID("Xdm"), bad.isEmpty ? [:] : ["bad_regids": .string(bad.joined(separator: ","))])
    }

    /// Lists the topics, the aliases or the accounts of a device.
    func list(
        _ call: SimulatedCall, _ read: (SimulatedDevice, DeviceRecord) -> [String]
    ) throws(Refusal) -> SimulatedResponse {
        let app = try app(call.request)
        let id = try Form(call.request).need("registration_id")
        guard let device = devices[id], let record = records[id], record.owner == app.packageName else {
            throw .unknownDevice
        }
        return .accepted(newID("Xdm"), ["list": .array(read(device, record).map { .string($0) })])
    }

    private func hasRoom(for topic: String, _ device: String) -> Bool {
        let topics = devices[device]?.tags ?? []
        return topics.contains(topic) || topics.count < Self.topicsPerDevice
    }
}
