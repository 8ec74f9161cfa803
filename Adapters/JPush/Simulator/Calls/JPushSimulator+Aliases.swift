import PushAdapter
import PushSimulation

extension JPushSimulator {
    // MARK: Aliases

    func readAlias(_ alias: String, _ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let states = try devices(on: request) { $0.alias == alias }.prefix(Rules.devicesListed)
        guard request.parameter("new_format") == "true" else {
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

    func deleteAlias(_ alias: String, _ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(alias) else { throw .device("illegal alias") }
        for state in try devices(on: request, where: { $0.alias == alias }) {
            app.devices[state.device.id]?.alias = nil
        }
        return .empty
    }

    func removeAlias(_ alias: String, _ body: [UInt8]) throws(Refusal) -> SimulatedResponse {
        let lists = try deviceLists(body, ["remove"])
        for id in lists["remove"] ?? [] where app.devices[id]?.alias == alias { app.devices[id]?.alias = nil }
        return .empty
    }

    // MARK: Tags of the app

    func listTags() -> SimulatedResponse {
        var tags: Set<String> = []
        for platform in Rules.platforms {
            let own = app.devices.values.filter { $0.device.platform.wireName == platform }.flatMap(\.tags)
            tags.formUnion(Set(own).sorted().prefix(Rules.tagsListed))
        }
        return .json(["tags": .array(tags.sorted().map(JSONValue.string))])
    }

    func updateTag(_ tag: String, _ body: [UInt8]) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(tag) else { throw .device("illegal tag") }
        let lists = try deviceLists(body, ["add", "remove"])
        guard lists.values.contains(where: { !$0.isEmpty }) else { throw .device("no registration_id") }
        for id in lists["add"] ?? [] { app.devices[id]?.tags.insert(tag) }
        for id in lists["remove"] ?? [] { app.devices[id]?.tags.remove(tag) }
        return .empty
    }

    func deleteTag(_ tag: String, _ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(tag) else { throw .device("illegal tag") }
        for state in try devices(on: request, where: { $0.tags.contains(tag) }) {
            app.devices[state.device.id]?.tags.remove(tag)
        }
        return .empty
    }

    // MARK: Status and test devices

    func onlineStatus(_ body: [UInt8]) throws(Refusal) -> SimulatedResponse {
        guard let ids = (try? JSONValue(parsing: body))?["registration_ids"]?.arrayValue?.compactMap(\.stringValue),
            (1...Rules.idsPerCall).contains(ids.count)
        else { throw .device("illegal registration_ids") }
        let rows = ids.map { id -> (String, JSONValue) in
            guard let state = app.devices[id] else { return (id, nil) }
            return (id, ["online": .bool(state.device.isOnline)])
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    func testDevice(_ word: String, _ id: String?, _ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        if word == "list" { return try listTestDevices(request) }
        let fields = try? JSONValue(parsing: request.body)
        guard let id = id ?? fields?["registration_id"]?.stringValue, app.devices[id] != nil else {
            throw .device("The registration_id does not belong to this appkey!")
        }
        if word == "delete" {
            app.testDevices[id] = nil
            return .empty
        }
        guard let name = fields?["device_name"]?.stringValue, !name.isEmpty else {
            throw .device("illegal device_name")
        }
        app.testDevices[id] = name
        return .empty
    }

    private func listTestDevices(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
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
            "total": JSONValue(integerLiteral: wanted.count), "page": JSONValue(integerLiteral: number),
            "page_size": JSONValue(integerLiteral: count), "detail": .array(rows),
        ])
    }

    // MARK: Parts

    private func devices(
        on request: SimulatedRequest, where isWanted: (DeviceState) -> Bool
    ) throws(Refusal) -> [DeviceState] {
        var platforms = Rules.platforms
        if let text = request.parameter("platform") {
            platforms = Set(text.split(separator: ",").map(String.init))
            guard !platforms.isEmpty, platforms.isSubset(of: Rules.platforms) else { throw .device("illegal platform") }
        }
        return app.devices.values.filter { platforms.contains($0.device.platform.wireName) && isWanted($0) }
            .sorted { $0.device.id < $1.device.id }
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
            for id in ids where id.map({ app.devices[$0] == nil }) ?? true {
                throw .device("The registration_id does not belong to this appkey!")
            }
            result[name] = ids.compactMap { $0 }
        }
        return result
    }
}
