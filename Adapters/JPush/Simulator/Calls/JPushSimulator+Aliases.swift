import JiguangSimulation
import PushAdapter
import PushSimulation

extension JPushSimulator {
    // MARK: Aliases

    func readAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let states = try found(call.request) { $0.alias == call["alias"] }.prefix(Rules.devicesListed)
        guard call.request.parameter("new_format") == "true" else {
            return .json(["registration_ids": .array(states.map { .string($0.device.id) })])
        }
        let rows = states.map { state -> JSONValue in
            [
                "registration_id": .string(state.device.id), "platform": .string(state.device.platform.wireName),
                "last_online_date": "2026-11-20",
            ]
        }
        return .json(["data": .array(rows)])
    }

    func deleteAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let alias = call["alias"]
        guard Rules.isIdentifier(alias) else { throw .device("illegal alias") }
        for state in try found(call.request, where: { $0.alias == alias }) {
            devices[state.device.id]?.alias = nil
        }
        return .empty
    }

    func removeAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (alias, lists) = (call["alias"], try deviceLists(call.body, ["remove"]))
        for id in lists["remove"] ?? [] where devices[id]?.alias == alias { devices[id]?.alias = nil }
        return .empty
    }

    // MARK: Tags of the app

    func listTags() -> SimulatedResponse {
        var tags: Set<String> = []
        for platform in Rules.platforms {
            let own = devices.values.filter { $0.device.platform.wireName == platform }.flatMap(\.tags)
            tags.formUnion(Set(own).sorted().prefix(Rules.tagsListed))
        }
        return .json(["tags": .array(tags.sorted().map(JSONValue.string))])
    }

    func updateTag(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let tag = call["tag"]
        guard Rules.isIdentifier(tag) else { throw .device("illegal tag") }
        let lists = try deviceLists(call.body, ["add", "remove"])
        guard lists.values.contains(where: { !$0.isEmpty }) else { throw .device("no registration_id") }
        for id in lists["add"] ?? [] { devices[id]?.tags.insert(tag) }
        for id in lists["remove"] ?? [] { devices[id]?.tags.remove(tag) }
        return .empty
    }

    func deleteTag(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let tag = call["tag"]
        guard Rules.isIdentifier(tag) else { throw .device("illegal tag") }
        for state in try found(call.request, where: { $0.tags.contains(tag) }) {
            devices[state.device.id]?.tags.remove(tag)
        }
        return .empty
    }

    // MARK: Status and test devices

    func onlineStatus(_ body: [UInt8]) throws(Refusal) -> SimulatedResponse {
        guard let ids = (try? JSONValue(parsing: body))?["registration_ids"]?.arrayValue?.compactMap(\.stringValue),
            (1...Rules.idsPerCall).contains(ids.count)
        else { throw .device("illegal registration_ids") }
        let rows = ids.map { id -> (String, JSONValue) in
            guard let state = devices[id] else { return (id, .null) }
            return (id, ["online": .bool(state.device.isOnline)])
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    /// Adds a test device, or renames it.
    func nameTestDevice(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let id = try known(request.object?["registration_id"]?.stringValue ?? "")
        guard let name = request.object?["device_name"]?.stringValue, !name.isEmpty else {
            throw .device("illegal device_name")
        }
        app.testDevices[id] = name
        return .empty
    }

    func removeTestDevice(_ id: String) throws(Refusal) -> SimulatedResponse {
        app.testDevices[try known(id)] = nil
        return .empty
    }

    private func known(_ id: String) throws(Refusal) -> String { try device(id).device.id }

    func listTestDevices(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let (page, size) = (request.parameter("page"), request.parameter("page_size"))
        guard (page == nil) == (size == nil) else { throw .device("page and page_size go together") }
        let (number, count) = (number(request, "page", 1), number(request, "page_size", 200))
        let wanted = app.testDevices.sorted { $0.key < $1.key }.filter { id, name in
            request.parameter("registration_id").map { $0 == id } ?? request.parameter("device_name").map(name.contains)
                ?? true
        }
        let rows = wanted.dropFirst((number - 1) * count).prefix(count).map { id, name -> JSONValue in
            ["registration_id": .string(id), "device_name": .string(name), "device_model": "simulator"]
        }
        return .json([
            "total": JSONValue(wanted.count), "page": JSONValue(number),
            "page_size": JSONValue(count), "detail": .array(rows),
        ])
    }

    // MARK: Parts

    private func found(
        _ request: SimulatedRequest, where isWanted: (SimulatedDevice) -> Bool
    ) throws(Refusal) -> [SimulatedDevice] {
        guard let found = devices.on(request, known: Rules.platforms, where: isWanted) else {
            throw .device("illegal platform")
        }
        return found
    }

    /// Reads `{"registration_ids": {"add": [...], "remove": [...]}}`. Each list has at most a thousand ids.
    private func deviceLists(_ body: [UInt8], _ known: Set<String>) throws(Refusal) -> [String: [String]] {
        guard case .object(let lists) = (try? JSONValue(parsing: body))?["registration_ids"],
            Set(lists.keys).isSubset(of: known)
        else { throw .device("illegal registration_ids") }
        var result: [String: [String]] = [:]
        for (name, list) in lists {
            guard let ids = list.arrayValue?.map(\.stringValue), ids.count <= Rules.idsPerCall else {
                throw .device("illegal registration_ids")
            }
            for id in ids where id.map({ devices[$0] == nil }) ?? true {
                throw .device("The registration_id does not belong to this appkey!")
            }
            result[name] = ids.compactMap { $0 }
        }
        return result
    }
}
