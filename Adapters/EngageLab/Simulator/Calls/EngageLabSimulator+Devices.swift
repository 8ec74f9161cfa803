import FoundationEssentials
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    func readDevice(_ id: String) throws(Refusal) -> SimulatedResponse {
        let state = try known(id)
        var reply: [String: JSONValue] = ["tags": .array(state.tags.sorted().map(JSONValue.string))]
        reply["alias"] = state.alias.map(JSONValue.string)
        return .json(.object(reply))
    }

    func updateDevice(_ id: String, _ fields: [String: JSONValue]) throws(Refusal) -> SimulatedResponse {
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
                for (other, holder) in app.devices where holder.alias == alias && other != id {
                    guard settings.movesTakenAliases else { throw .invalid("the alias is taken") }
                    app.devices[other]?.alias = nil
                }
                state.alias = alias
            }
        }
        app.devices[id] = state
        return written
    }

    /// Schedules the deletion. It takes effect some time after the response.
    func deleteDevice(_ id: String, _ now: Date) throws(Refusal) -> SimulatedResponse {
        _ = try known(id)
        guard !app.deletions.contains(where: { $0.device == id }) else { return .json(["success": true]) }
        app.deletions.append((id, now.addingTimeInterval(settings.deletionDelay.seconds)))
        return .json(["success": true])
    }

    func deviceStatus(_ fields: [String: JSONValue], _ now: Date) throws(Refusal) -> SimulatedResponse {
        let rows = try ids(fields["registration_ids"], "registration_ids").map { id -> JSONValue in
            guard let state = app.devices[id] else { return ["regid": .string(id), "online": false] }
            var row: [String: JSONValue] = ["regid": .string(id), "online": .bool(state.device.isOnline)]
            if let date = state.device.isOnline ? now : state.lastOnlineAt {
                row["last_online_time"] = .string(WallTime(ahead: settings.clockOffset).text(date))
            }
            return .object(row)
        }
        return .json(.array(rows))
    }

    func registerTokens(_ fields: [String: JSONValue]) throws(Refusal) -> SimulatedResponse {
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
            let old = app.devices.values.first { $0.token == token }?.device.id
            let id = old ?? app.newDeviceID(platform)
            if old == nil {
                var state = DeviceState(VirtualDevice(id, Platform(platform), environment: environment))
                state.token = token
                app.devices[id] = state
            }
            return [
                "token": .string(token), "registration_id": .string(id), "is_new": .bool(old == nil), "code": 0,
            ]
        }
        return .json(["results": .array(rows)])
    }

    // MARK: Aliases

    func readAlias(_ alias: String, _ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(alias) else { throw .invalid("alias") }
        let ids = try devices(on: request) { $0.alias == alias }
        return .json(["registration_ids": .array(ids.map(JSONValue.string))])
    }

    func deleteAlias(_ alias: String, _ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard Rules.isIdentifier(alias) else { throw .invalid("alias") }
        for id in try devices(on: request, where: { $0.alias == alias }) { app.devices[id]?.alias = nil }
        return written
    }

    // MARK: Parts

    func known(_ id: String) throws(Refusal) -> DeviceState {
        guard let state = app.devices[id] else { throw .invalid("registration_id") }
        return state
    }

    func devices(
        on request: SimulatedRequest, where isWanted: (DeviceState) -> Bool
    ) throws(Refusal) -> [String] {
        var platforms = Rules.platforms
        if let text = request.parameter("platform") {
            platforms = Set(text.split(separator: ",").map(String.init))
            guard !platforms.isEmpty, platforms.isSubset(of: Rules.platforms) else { throw .invalid("platform") }
        }
        return app.devices.values.filter { platforms.contains($0.device.platform.wireName) && isWanted($0) }
            .map(\.device.id).sorted()
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
