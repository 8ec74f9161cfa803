import FoundationEssentials
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    func listTags() -> SimulatedResponse {
        let tags = devices.values.reduce(into: Set<String>()) { $0.formUnion($1.tags) }
        return .json(["tags": .array(tags.sorted().map(JSONValue.string))])
    }

    func updateTag(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (tag, fields) = (call["tag"], try call.fields())
        guard Rules.isIdentifier(tag) else { throw .invalid("tag") }
        for key in fields.keys.sorted() where key != "registration_ids" { throw .unknownField(key) }
        guard let value = fields["registration_ids"] else { throw .missing("registration_ids") }
        guard case .object(let lists) = value else { throw .wrongType("registration_ids") }
        for (key, list) in lists.sorted(by: { $0.key < $1.key }) {
            guard ["add", "remove"].contains(key) else { throw .unknownField(key) }
            guard WireForm.texts.accepts(list) else { throw .wrongType(key) }
        }
        let added = lists["add"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let removed = lists["remove"]?.arrayValue?.compactMap(\.stringValue) ?? []
        guard !(added.isEmpty && removed.isEmpty) else { throw .missing("add or remove") }
        for id in added + removed {
            let state = try known(id)
            let isFull = state.tags.count >= Rules.tagsPerDevice && !state.tags.contains(tag)
            guard !isFull || removed.contains(id) else { throw .invalid("tags: more than 100 on the device") }
        }
        for id in added { devices[id]?.tags.insert(tag) }
        for id in removed { devices[id]?.tags.remove(tag) }
        return written
    }

    /// Also deletes tags that a device gave itself with characters that the server would refuse.
    func deleteTag(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let tag = call["tag"]
        for id in try found(call.request, where: { $0.tags.contains(tag) }) { devices[id]?.tags.remove(tag) }
        return written
    }

    func testTag(_ tag: String, _ id: String) throws(Refusal) -> SimulatedResponse {
        .json(["result": .bool(try known(id).tags.contains(tag))])
    }

    /// Reads the key once for each tag. Takes one platform.
    func countTags(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard let platform = request.parameter("platform"), Rules.platforms.contains(platform) else {
            throw .invalid("platform")
        }
        let counts = try counts(request, required: true)
        return .json(["tagsCount": .object(counts.mapValues { JSONValue($0) })])
    }

    func tagQuota(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let rows = try counts(request, required: false).sorted { $0.key < $1.key }.map { tag, count -> JSONValue in
            ["tagName": .string(tag), "totalUidQuota": 100_000, "useUidQuota": JSONValue(count)]
        }
        let tags = devices.values.reduce(into: Set<String>()) { $0.formUnion($1.tags) }
        return .json([
            "data": [
                "totalTagQuota": 100_000, "useTagQuota": JSONValue(tags.count),
                "totalAliasQuota": 100_000,
                "useAliasQuota": JSONValue(devices.values.count { $0.alias != nil }),
                "tagUidQuotaDetail": .array(rows),
            ]
        ])
    }

    /// The meaning of the numbers is not documented; 1 is assumed to be an active plan.
    func paidStatus(_ now: Date) -> SimulatedResponse {
        .json([
            "vip_status": settings.isPaid ? 1 : 0,
            "vip_end_time": JSONValue(
                integerLiteral: Int(now.timeIntervalSince1970) + (settings.isPaid ? 86_400 : -86_400)),
        ])
    }

    private func counts(_ request: SimulatedRequest, required: Bool) throws(Refusal) -> [String: Int] {
        let tags = request.parameters("tags")
        guard !tags.isEmpty || !required else { throw .missing("tags") }
        guard tags.count <= Rules.tagsPerCount else { throw .invalid("tags") }
        var counts: [String: Int] = [:]
        for tag in tags { counts[tag] = try found(request) { $0.tags.contains(tag) }.count }
        return counts
    }
}
