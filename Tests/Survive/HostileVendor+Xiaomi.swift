import PushAdapter

/// Xiaomi's answers: a code in the body, and mostly the status 200.
extension HostileVendor {
    /// The envelope. An error has an id that looks like a message's.
    static func xiaomi(_ code: Int, _ text: String, _ fields: String = "", id: String = "7") -> String {
        let (result, name) = code == 0 ? ("ok", "description") : ("error", "reason")
        return #"{"result":"\#(result)","trace_id":"Xdm\#(id)","code":\#(code),"\#(name)":"\#(text)"\#(fields)}"#
    }

    /// The answer to a send, with the devices that the vendor does not know.
    static func xiaomiMessage(_ id: String, without devices: [String] = []) -> String {
        let list = devices.isEmpty ? "" : #","bad_regids":"\#(devices.joined(separator: ","))""#
        return xiaomi(0, "成功", #","data":{"id":"Xcm\#(id)","day_quota":"30000","day_acked":"0"\#(list)}"#, id: id)
    }

    /// The devices of a send that Xiaomi does not know. It sends to the others, and never knows these again. It knows
    /// every device that has got a message.
    func unknownDevices(in request: Request, _ facts: Facts) -> [String] {
        guard kind == .xiaomi, request.call == .send else { return [] }
        let known = request.units.filter { !facts.dead.contains($0) && facts.acted[$0] == nil }
        let isDrawn = request.units.count > 1 && !known.isEmpty && !facts.isCalm && dice.happens(20)
        return request.units.filter(facts.dead.contains) + (isDrawn ? [dice.pick(known)] : [])
    }

    static let xiaomiRefusals: [Refusal] = [
        (20301, "No valid targets!"), (27001, "invalid channel info!"), (10017, "refused"),
    ].map { Refusal(status: 200, body: xiaomi($0, $1)) }

    /// A day's amount that is used up stops the calls until midnight, so only rounds with a long throttle have one.
    var xiaomiThrottle: String {
        guard longestThrottle == nil || dice.happens(67) else {
            return Self.xiaomi(200_001, "exceed quota, quota: 30000, have acked: 30000")
        }
        return Self.xiaomi(dice.pick([10027, 200_002]), "slower")
    }

    /// Failures of the system, a review by a person, a code without an explanation, and a code of no table.
    static let xiaomiFailures = [-1, 1, 10001, 10002, 10003, 20607, 26003, 26006, 65029, 66006, 70000].map {
        xiaomi($0, "failed")
    }

    /// Hints for the vendor's SDKs. Other clients must ignore them.
    static let xiaomiHints = [
        ("x-push-host-list", "127.0.0.1:1"), ("x-push-client-timeout-ms", "1"),
        ("x-push-disable-auto-select-domain", "false"),
    ]
}
