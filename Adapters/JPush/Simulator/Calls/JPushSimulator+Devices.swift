import PushAdapter
import PushSimulation

extension JPushSimulator {
    func readDevice(_ id: String) throws(Refusal) -> SimulatedResponse {
        let state = try device(id)
        return .json([
            "tags": state.tags.isEmpty ? nil : .array(state.tags.sorted().map(JSONValue.string)),
            "alias": state.alias.map(JSONValue.string) ?? nil,
            "mobile": state.mobile.map(JSONValue.string) ?? nil,
        ])
    }

    func testTag(_ tag: String, _ id: String) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(tag) else { throw .device("illegal tag") }
        return .json(["result": .bool(try device(id).tags.contains(tag))])
    }

    func updateDevice(_ id: String, _ body: [UInt8]) throws(Refusal) -> SimulatedResponse {
        var state = try device(id)
        guard let value = try? JSONValue(parsing: body), case .object(let fields) = value, !fields.isEmpty else {
            throw .device("the body is no JSON object")
        }
        for (key, value) in fields {
            switch key {
            case "tags": try updateTags(&state, value)
            case "alias": try updateAlias(&state, value)
            case "mobile": try updateMobile(&state, value)
            default: throw Refusal(400, 7013, "illegal parameter \(key)")
            }
        }
        app.devices[id] = state
        return .empty
    }

    private func device(_ id: String) throws(Refusal) -> DeviceState {
        guard let state = app.devices[id] else {
            throw .device("The registration_id does not belong to this appkey!")
        }
        return state
    }

    private func updateTags(_ state: inout DeviceState, _ value: JSONValue) throws(Refusal) {
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

    private func updateAlias(_ state: inout DeviceState, _ value: JSONValue) throws(Refusal) {
        guard let alias = value.stringValue else { throw .device("illegal alias") }
        guard !alias.isEmpty else {
            state.alias = nil
            return
        }
        guard Rules.isIdentifier(alias) else { throw .device("illegal alias") }
        let others = app.devices.values.count { $0.alias == alias && $0.device.id != state.device.id }
        guard others < settings.devicesPerAlias else {
            throw Refusal(settings.aliasOverflowStatus, 7015, "alias has been bound to too many devices")
        }
        state.alias = alias
    }

    private func updateMobile(_ state: inout DeviceState, _ value: JSONValue) throws(Refusal) {
        guard let mobile = value.stringValue else { throw .device("illegal mobile") }
        guard !mobile.isEmpty else {
            state.mobile = nil
            return
        }
        let isNumber = mobile.utf8.count <= 20 && mobile.dropFirst().allSatisfy { $0.isNumber || $0 == "-" }
        guard isNumber, mobile.first == "+" || mobile.first?.isNumber == true else { throw .device("illegal mobile") }
        state.mobile = mobile
    }
}
