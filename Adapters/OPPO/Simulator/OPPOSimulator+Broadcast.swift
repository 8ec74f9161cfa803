import FoundationEssentials
import PushAdapter
import PushSimulation

/// Broadcasts: a stored message, and its targets in a second call.
extension OPPOSimulator {
    /// Stores a message. The same `app_message_id` is stored once.
    func store(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try Fields(form: call.request)
        let app = try app(call, fields)
        let message = try OPPOMessage(fields, settings, isStored: true)
        let lane = try lane(of: message, app)
        let key = RepeatKey(app, nil, message.ownID)
        if let first = firstID(key, call.now) {
            guard settings.repeatAnswer == .firstID else { throw .duplicate }
            return .accepted(["message_id": .string(first)])
        }
        let id = newID(app)
        if let key { firsts[key] = (id, call.now) }
        stored[id] = (app.key, message, lane)
        return .accepted(["message_id": .string(id)])
    }

    /// Sends a stored message, each time anew. The response has the wrong targets by their codes.
    func broadcast(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try Fields(form: call.request)
        let app = try app(call, fields)
        let id = try fields.need("message_id")
        guard let entry = stored[id], entry.app == app.key else { throw .noData }
        let (found, bad) = try targets(fields, app)
        try needMarketing(entry.lane.isMarketing ? found.count : 0, of: app, call.now)
        var push = Push(messageID: id, taskID: newID(app), app: app, message: entry.message, lane: entry.lane)
        if fields["target_type"] == "2" { push.receipts = entry.message.receipts }
        start(push, to: found, at: call.now)
        var data: [String: JSONValue] = ["message_id": .string(id), "task_id": .string(push.taskID)]
        for (code, names) in bad { data[String(code)] = .array(names.map { .string($0) }) }
        return .accepted(.object(data))
    }

    private typealias Found = (devices: [String], bad: [Int: [String]])

    private func targets(_ fields: Fields, _ app: OPPOApp) throws(Refusal) -> Found {
        switch try fields.need("target_type") {
        case "1": return (own(app) { _ in true }, [:])
        case "2": return try listed(fields, app) { .id($0) }
        case "5": return try listed(fields, app) { .alias($0) }
        case "6":
            guard let sets = try fields.object("target_value") else { throw .missing("target_value") }
            let (any, all, none) = (Self.names(sets["or"]), Self.names(sets["and"]), Self.names(sets["not"]))
            let isWanted = { (tags: Set<String>) in
                (any.isEmpty || !tags.isDisjoint(with: any)) && tags.isSuperset(of: all) && tags.isDisjoint(with: none)
            }
            return (own(app) { isWanted($0.tags) }, [:])
        default: throw .illegal("target_type")
        }
    }

    private static func names(_ value: JSONValue?) -> Set<String> { Set(value?.arrayValue?.map(\.shown) ?? []) }

    private func own(_ app: OPPOApp, _ isWanted: (SimulatedDevice) -> Bool) -> [String] {
        devices.filter { records[$0.key]?.owner == app.key && isWanted($0.value) }.keys.sorted()
    }

    /// The devices of a list, whose entries are joined by semicolons.
    private func listed(_ fields: Fields, _ app: OPPOApp, _ target: (String) -> Target) throws(Refusal) -> Found {
        let names = try fields.need("target_value").split(separator: ";").map(String.init)
        guard (1...1000).contains(names.count) else { throw .illegal("target_value") }
        var found: Found = ([], [:])
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name).inserted {
                found.bad[10_004, default: []].append(name)
            } else if let device = device(target(name), of: app) {
                found.devices.append(device)
            } else {
                found.bad[10_000, default: []].append(name)
            }
        }
        return found
    }
}
