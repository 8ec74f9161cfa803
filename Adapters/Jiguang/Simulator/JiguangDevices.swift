import PushAdapter
package import PushSimulation

/// Devices as both vendors choose and show them.
extension [String: SimulatedDevice] {
    /// The devices of an app, with the Live Activities that their apps registered.
    package init(_ devices: [VirtualDevice], activities: [String: Set<String>]) {
        self.init(devices)
        for (id, members) in activities {
            for device in members { self[device]?.tokens.activities.insert(id) }
        }
    }

    /// The devices on a push's platforms that satisfy every key of its audience, sorted.
    /// - Parameter isNamed: whether a device satisfies a key that only one of the vendors has.
    package func targets(
        of push: JiguangPush, _ isNamed: (SimulatedDevice, _ key: String, _ values: [String]) -> Bool
    ) -> [String] {
        // A list of ids names the candidates, so a send to a thousand devices does not check all others.
        let named = push.audience["registration_id"].map { ids in Set(ids).compactMap { self[$0] } }
        return (named ?? Array(values)).filter { state in
            push.platforms.contains(state.device.platform.wireName)
                && push.audience.allSatisfy { key, values in
                    switch key {
                    case "tag": !state.tags.isDisjoint(with: values)
                    case "tag_and": state.tags.isSuperset(of: values)
                    case "tag_not": state.tags.isDisjoint(with: values)
                    case "alias": state.alias.map(values.contains) ?? false
                    // The list has already selected the candidates.
                    case "registration_id": true
                    case "live_activity_id": !state.tokens.activities.isDisjoint(with: values)
                    default: isNamed(state, key, values)
                    }
                }
        }.map(\.device.id).sorted()
    }

    /// The devices on the platforms that a request names, or on all, sorted by id; nil for a platform that is not known.
    package func on(
        _ request: SimulatedRequest, known: Set<String>, where isWanted: (SimulatedDevice) -> Bool
    ) -> [SimulatedDevice]? {
        var platforms = known
        if let text = request.parameter("platform") {
            platforms = Set(text.split(separator: ",").map(String.init))
            guard !platforms.isEmpty, platforms.isSubset(of: known) else { return nil }
        }
        return values.filter { platforms.contains($0.device.platform.wireName) && isWanted($0) }
            .sorted { $0.device.id < $1.device.id }
    }

    /// Withdraws a message from all devices.
    package mutating func forget(_ messageID: String) {
        for id in keys { self[id]?.forget(messageID) }
    }

    /// The tags, alias, inbox, badge, language and Live Activities of a device. The vendors count a badge on iOS only.
    package func snapshot(of device: String) -> DeviceSnapshot? {
        guard let state = self[device] else { return nil }
        var snapshot = state.snapshot
        if state.device.platform != .ios { snapshot.badge = nil }
        return snapshot
    }
}
