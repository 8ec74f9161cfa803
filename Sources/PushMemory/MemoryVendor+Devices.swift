import FoundationEssentials
import PushAdapter
import PushSimulation

// Calls about devices.
extension MemoryVendor {
    func answer(
        _ method: HTTPRequest.Method, _ path: ArraySlice<String>, _ body: [UInt8], _ device: inout DeviceSnapshot
    ) throws -> SimulatedResponse {
        switch (method, path.first, path.count) {
        case (.get, "tags", 1): return SimulatedResponse(memory: device.tags.sorted())
        case (.get, "tags", 2): return SimulatedResponse(memory: [device.tags.contains(path.last ?? "")])
        case (.post, "tags", 1):
            try change(&device.tags, JSONDecoder().decode(MemoryWire.Change.self, from: Data(body)))
        case (.get, "accounts", 1): return SimulatedResponse(memory: Array(device.accounts))
        case (.post, "accounts", 1):
            let change = try JSONDecoder().decode(MemoryWire.AccountChange.self, from: Data(body))
            switch change.verb {
            case .addAccounts: device.accounts.formUnion(change.accounts)
            case .removeAccounts: device.accounts.subtract(change.accounts)
            case .replaceAccounts: device.accounts = Set(change.accounts)
            case .clearAccounts: device.accounts = []
            default: throw MemoryRefusal(.malformed)
            }
        case (.get, "attributes", 1): return SimulatedResponse(memory: [device.attributes])
        case (.post, "attributes", 1): return SimulatedResponse(memory: try change(&device.attributes, body))
        case (.get, "alias", 1): return SimulatedResponse(memory: device.alias.map { [$0] } ?? [])
        case (.put, "alias", 1): device.alias = try JSONDecoder().decode([String].self, from: Data(body)).first
        case (.delete, "alias", 1): device.alias = nil
        default: throw MemoryRefusal(.malformed)
        }
        return SimulatedResponse(memory: [String]())
    }

    /// Changes tags and alias in one step.
    func update(_ id: String, _ body: [UInt8]) throws -> SimulatedResponse {
        guard var device = devices[id] else { throw MemoryRefusal(.unknownDevice) }
        let update = try JSONDecoder().decode(MemoryWire.Update.self, from: Data(body))
        if let tags = update.tags { try change(&device.tags, tags) }
        device.tags.subtract(update.removed.map(\.rawValue))
        if let alias = update.alias {
            release(alias)
            device.alias = alias.isEmpty ? nil : alias
        }
        devices[id] = device
        return SimulatedResponse(memory: [String]())
    }

    func change(_ tags: inout Set<String>, _ change: MemoryWire.Change) throws(MemoryRefusal) {
        let named = change.tags.map(\.rawValue)
        switch change.verb {
        case .addTags: tags.formUnion(named)
        case .removeTags: tags.subtract(named)
        case .replaceTags: tags = Set(named)
        case .clearTags: tags = []
        default: throw MemoryRefusal(.malformed)
        }
    }

    /// Returns the devices that the app does not have.
    func changeMembers(of tag: String, _ body: [UInt8]) throws -> [String] {
        let change = try JSONDecoder().decode(MemoryWire.MemberChange.self, from: Data(body))
        let ids = change.devices.map(\.rawValue)
        guard (1...50).contains(ids.count) else { throw MemoryRefusal(.malformed) }
        for id in ids where devices[id] != nil {
            switch change.verb {
            case .addMembers: devices[id]?.tags.insert(tag)
            case .removeMembers: devices[id]?.tags.remove(tag)
            default: throw MemoryRefusal(.malformed)
            }
        }
        return ids.filter { devices[$0] == nil }
    }

    /// Returns the names that the app does not have.
    func change(_ attributes: inout [String: String], _ body: [UInt8]) throws -> [String] {
        let change = try JSONDecoder().decode(MemoryWire.AttributeChange.self, from: Data(body))
        let known = change.attributes.filter { attributeNames?.contains($0.key) ?? true }
        switch change.verb {
        case .addAttributes: attributes.merge(known) { _, new in new }
        case .removeAttributes: for name in known.keys { attributes[name] = nil }
        case .replaceAttributes: attributes = known
        case .clearAttributes: attributes = [:]
        default: throw MemoryRefusal(.malformed)
        }
        return change.attributes.keys.filter { known[$0] == nil }.sorted()
    }

    /// An alias belongs to one device: the previous device loses it.
    func release(_ alias: String?) {
        for (id, device) in devices where device.alias == alias && alias != nil { devices[id]?.alias = nil }
    }

    func phone(_ method: HTTPRequest.Method, _ id: String, _ body: [UInt8]) throws -> SimulatedResponse {
        guard devices[id] != nil else { throw MemoryRefusal(.unknownDevice) }
        switch method {
        case .get: return SimulatedResponse(memory: phones[id].map { [$0] } ?? [])
        case .put: phones[id] = try JSONDecoder().decode([String].self, from: Data(body)).first
        case .delete: phones[id] = nil
        default: throw MemoryRefusal(.malformed)
        }
        return SimulatedResponse(memory: [String]())
    }
}
