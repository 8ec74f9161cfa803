import PushAdapter
import PushSimulation

extension JPushSimulator {
    func readDevice(_ id: String) throws(Refusal) -> SimulatedResponse {
        let state = try device(id)
        return .json([
            "tags": state.tags.isEmpty ? .null : .array(state.tags.sorted().map(JSONValue.string)),
            "alias": state.alias.map(JSONValue.string) ?? .null,
            "mobile": app.mobiles[id].map(JSONValue.string) ?? .null,
        ])
    }

    func testTag(_ tag: String, _ id: String) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(tag) else { throw .device("illegal tag") }
        return .json(["result": .bool(try device(id).tags.contains(tag))])
    }

    func updateDevice(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let id = call["id"]
        var (state, mobile) = (try device(id), app.mobiles[id])
        guard let fields = call.request.object, !fields.isEmpty else { throw .device("the body is no JSON object") }
        for (key, value) in fields {
            switch key {
            case "tags": try updateTags(&state, value)
            case "alias": try updateAlias(&state, value)
            case "mobile": mobile = try self.mobile(value)
            default: throw Refusal(400, 7013, "illegal parameter \(key)")
            }
        }
        devices[id] = state
        app.mobiles[id] = mobile
        return .empty
    }

    func device(_ id: String) throws(Refusal) -> SimulatedDevice {
        guard let state = devices[id] else {
            throw .device("The registration_id does not belong to this appkey!")
        }
        return state
    }

    private func updateTags(_ state: inout SimulatedDevice, _ value: JSONValue) throws(Refusal) {
        if value == .string("") {
            state.tags = []
            return
        }
        guard case .object(let lists) = value, Set(lists.keys).isSubset(of: ["add", "remove"]) else {
            throw .device("tags must be an object with add and remove, or an empty string")
        }
        state.tags.formUnion(try tags(lists["add"]))
        state.tags.subtract(try tags(lists["remove"]))
        guard state.tags.count <= Rules.tagsPerDevice else { throw Refusal(400, 7013, "too many tags") }
    }

    private func tags(_ list: JSONValue?) throws(Refusal) -> [String] {
        guard let list else { return [] }
        let tags = list.arrayValue?.compactMap(\.stringValue) ?? []
        guard let items = list.arrayValue, tags.count == items.count, tags.allSatisfy(Rules.isIdentifier) else {
            throw .device("illegal tag")
        }
        guard tags.count <= Rules.tagsPerList, tags.reduce(0, { $0 + $1.utf8.count }) <= Rules.tagListBytes else {
            throw .device("too many tags in one call")
        }
        return tags
    }

    private func updateAlias(_ state: inout SimulatedDevice, _ value: JSONValue) throws(Refusal) {
        guard let alias = value.stringValue else { throw .device("illegal alias") }
        guard !alias.isEmpty else {
            state.alias = nil
            return
        }
        guard Rules.isIdentifier(alias) else { throw .device("illegal alias") }
        let others = devices.values.count { $0.alias == alias && $0.device.id != state.device.id }
        guard others < settings.devicesPerAlias else {
            throw Refusal(settings.aliasOverflowStatus, 7015, "alias has been bound to too many devices")
        }
        state.alias = alias
    }

    private func mobile(_ value: JSONValue) throws(Refusal) -> String? {
        guard let mobile = value.stringValue else { throw .device("illegal mobile") }
        guard !mobile.isEmpty else { return nil }
        let isNumber = mobile.utf8.count <= 20 && mobile.dropFirst().allSatisfy { $0.isNumber || $0 == "-" }
        guard isNumber, mobile.first == "+" || mobile.first?.isNumber == true else { throw .device("illegal mobile") }
        return mobile
    }
}
