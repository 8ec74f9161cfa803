import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    func readDevice(_ id: String) throws(Refusal) -> SimulatedResponse {
        let state = try known(id)
        var reply: [String: JSONValue] = ["tags": .array(state.tags.sorted().map(JSONValue.string))]
        reply["alias"] = state.alias.map(JSONValue.string)
        return .json(.object(reply))
    }

    func updateDevice(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (id, fields) = (call["id"], try call.fields())
        var state = try known(id)
        for key in fields.keys.sorted() where !["tags", "alias"].contains(key) { throw .unknownField(key) }
        switch fields["tags"] {
        case nil: break
        case .string(""): state.tags = []
        case .object(let lists): state.tags = try changed(state.tags, lists)
        default: throw .wrongType("tags")
        }
        if let value = fields["alias"] {
            guard let alias = value.stringValue else { throw .wrongType("alias") }
            if alias.isEmpty {
                guard settings.clearsEmptyAliases else { throw .invalid("alias") }
                state.alias = nil
            } else {
                try Rules.check(alias, "alias")
                for (other, holder) in devices where holder.alias == alias && other != id {
                    guard settings.movesTakenAliases else { throw .invalid("the alias is taken") }
                    devices[other]?.alias = nil
                }
                state.alias = alias
            }
        }
        devices[id] = state
        return written
    }

    /// Schedules the deletion. It takes effect some time after the response.
    func deleteDevice(_ id: String, _ now: Date) throws(Refusal) -> SimulatedResponse {
        _ = try known(id)
        guard !app.deletions.contains(where: { $0.device == id }) else { return .json(["success": true]) }
        app.deletions.append((id, now.addingTimeInterval(settings.deletionDelay.seconds)))
        return .json(["success": true])
    }

    func deviceStatus(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let rows = try ids(call.fields()["registration_ids"], "registration_ids").map { id -> JSONValue in
            guard let state = devices[id] else { return ["regid": .string(id), "online": false] }
            var row: [String: JSONValue] = ["regid": .string(id), "online": .bool(state.device.isOnline)]
            if let date = state.device.isOnline ? call.now : state.lastOnlineAt {
                row["last_online_time"] = .string(WallTime(ahead: settings.clockOffset).text(date))
            }
            return .object(row)
        }
        return .json(.array(rows))
    }

    func registerTokens(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try call.fields()
        for key in fields.keys.sorted() where !["platform", "tokens", "apns_production"].contains(key) {
            throw .unknownField(key)
        }
        let isApple = fields["apns_production"] != nil
        let platform = fields["platform"]?.stringValue ?? (isApple ? "ios" : "")
        guard ["android", "ios"].contains(platform) else { throw .invalid("platform") }
        guard let tokens = fields["tokens"]?.arrayValue?.map(\.stringValue), !tokens.isEmpty, !tokens.contains(nil)
        else {
            throw .missing("tokens")
        }
        let environment: AppEnvironment = fields["apns_production"] == false ? .development : .production
        let rows = tokens.compactMap { $0 }.map { token -> JSONValue in
            guard !token.isEmpty else {
                return ["token": "", "is_new": false, "code": 21_003, "message": "invalid token format"]
            }
            let old = app.tokens.first { $0.value == token }?.key
            let id = old ?? app.newDeviceID(platform) { devices[$0] != nil }
            if old == nil {
                devices[id] = SimulatedDevice(VirtualDevice(id, Platform(platform), environment: environment))
                app.tokens[id] = token
            }
            return [
                "token": .string(token), "registration_id": .string(id), "is_new": .bool(old == nil), "code": 0,
            ]
        }
        return .json(["results": .array(rows)])
    }

    // MARK: Aliases

    func readAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let alias = call["alias"]
        guard Rules.isIdentifier(alias) else { throw .invalid("alias") }
        let ids = try found(call.request) { $0.alias == alias }
        return .json(["registration_ids": .array(ids.map(JSONValue.string))])
    }

    func deleteAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let alias = call["alias"]
        guard Rules.isIdentifier(alias) else { throw .invalid("alias") }
        for id in try found(call.request, where: { $0.alias == alias }) { devices[id]?.alias = nil }
        return written
    }

    // MARK: Parts

    func known(_ id: String) throws(Refusal) -> SimulatedDevice {
        guard let state = devices[id] else { throw .invalid("registration_id") }
        return state
    }

    func found(
        _ request: SimulatedRequest, where isWanted: (SimulatedDevice) -> Bool
    ) throws(Refusal) -> [String] {
        guard let found = devices.on(request, known: Rules.platforms, where: isWanted) else {
            throw .invalid("platform")
        }
        return found.map(\.device.id)
    }

    func ids(_ value: JSONValue?, _ name: String) throws(Refusal) -> [String] {
        guard let value else { throw .missing(name) }
        guard WireForm.texts.accepts(value), let ids = value.arrayValue?.compactMap(\.stringValue) else {
            throw .wrongType(name)
        }
        guard !ids.isEmpty else { throw .missing(name) }
        return ids
    }

    private func changed(_ tags: Set<String>, _ lists: [String: JSONValue]) throws(Refusal) -> Set<String> {
        for key in lists.keys.sorted() where !["add", "remove"].contains(key) { throw .unknownField("tags.\(key)") }
        var (added, removed): ([String], [String]) = ([], [])
        for (name, value) in lists {
            guard WireForm.texts.accepts(value) else { throw .wrongType("tags.\(name)") }
            let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
            // A tag that a device gave itself can be removed, whatever characters it has.
            if name == "add" { for text in texts { try Rules.check(text, "tags.\(name)") } }
            if name == "add" { added = texts } else { removed = texts }
        }
        let result = tags.union(added).subtracting(removed)
        guard result.count <= Rules.tagsPerDevice else { throw .invalid("tags: more than 100 on the device") }
        return result
    }
}
