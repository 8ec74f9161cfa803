import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension JPushSimulator {
    /// The status of one message on some devices.
    func receipts(_ body: [UInt8]) throws(Refusal) -> SimulatedResponse {
        let fields = try? JSONValue(parsing: body)
        guard let id = fields?["msg_id"]?.identifier,
            let ids = fields?["registration_ids"]?.arrayValue?.compactMap(\.stringValue),
            (1...Rules.idsPerCall).contains(ids.count)
        else { throw Refusal(400, settings.reportOverflowCode, "illegal registration_ids") }
        let rows = ids.map { device -> (String, JSONValue) in
            let status: Int
            if let state = devices[device] {
                let message = app.messages[id]
                let isReceived = state.inbox.has(id) && message?.isKnown(on: device) == true
                status = isReceived ? 0 : message?.targets.contains(device) == true ? 1 : 3
            } else {
                status = 2
            }
            return (device, ["status": JSONValue(status)])
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    func statistics(
        _ request: SimulatedRequest, isGroup: Bool
    ) throws(Refusal) -> SimulatedResponse {
        let key = isGroup ? "group_msgids" : "msg_ids"
        let ids = (request.parameter(key) ?? "").split(separator: ",").map(String.init)
        let most = isGroup ? Rules.groupMessagesPerReport : Rules.idsPerReport
        guard (1...most).contains(ids.count) else {
            throw Refusal(400, settings.reportOverflowCode, "illegal \(key)")
        }
        let rows = ids.compactMap { id -> JSONValue? in
            let own = isGroup ? app.groupMessages[id] ?? "" : id
            guard let message = app.messages[own] else { return nil }
            let received = devices.values.count { $0.inbox.has(own) && message.isKnown(on: $0.device.id) }
            let funnel: JSONValue = [
                "target": JSONValue(message.targets.count),
                "sent": JSONValue(message.targets.count),
                "received": JSONValue(received), "display": JSONValue(message.displayed?.count),
                "click": JSONValue(message.opened.count),
            ]
            return .object([
                isGroup ? "group_msgid" : "msg_id": .string(id), "details": ["notification": funnel],
            ])
        }
        return .json(.array(rows))
    }

    /// Users of the app: every online device, the same on every day.
    func users(_ request: SimulatedRequest, isGroup: Bool) throws(Refusal) -> SimulatedResponse {
        let forms = ["HOUR": 13, "DAY": 10, "MONTH": 7]
        guard let unit = request.parameter("time_unit"), let start = request.parameter("start"),
            let count = Int(request.parameter("duration") ?? ""), (1...(isGroup ? 30 : 60)).contains(count)
        else { throw Refusal(400, 3005, "illegal duration") }
        guard forms[unit] == start.utf8.count else { throw Refusal(400, 3004, "time_unit does not fit start") }
        func counts(_ platform: String) -> JSONValue {
            let own = devices.values.filter { $0.device.platform.wireName == platform }
            return [
                "new": JSONValue(own.count),
                "online": JSONValue(own.count { $0.device.isOnline }),
                "active": JSONValue(own.count { $0.device.isOnline }),
            ]
        }
        let item: JSONValue = [
            "time": .string(start), "android": counts("android"), "ios": counts("ios"), "hmos": counts("hmos"),
        ]
        return .json([
            "time_unit": .string(unit), "start": .string(start), "duration": JSONValue(count),
            "items": .array(Array(repeating: item, count: count)),
        ])
    }
}
