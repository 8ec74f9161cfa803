import FoundationEssentials
import PushAdapter
import PushSimulation

extension JPushSimulator {
    /// The counts of received messages, with the vendor's spellings and nulls.
    func report(_ request: SimulatedRequest, _ now: Date, isDetail: Bool) throws(Refusal) -> SimulatedResponse {
        let ids = (request.parameter("msg_ids") ?? "").split(separator: ",").map(String.init)
        guard !ids.isEmpty, ids.count <= Rules.idsPerReport, ids.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
            throw Refusal(400, settings.reportOverflowCode, "illegal msg_ids")
        }
        let known = ids.compactMap { id in app.messages[id].map { (id, $0) } }
            .filter { now.timeIntervalSince($0.1.sentAt) <= Rules.reportDays * 86_400 }
        guard isDetail else { return .json(.array(known.map { Self.oldRow($0.0, $0.1) })) }
        return .json(.array(known.map { Self.row($0.0, $0.1) }))
    }

    /// The older row, from before the detailed report.
    private static func oldRow(_ id: String, _ message: MessageState) -> JSONValue {
        [
            "msg_id": .string(id), "android_received": JSONValue(integerLiteral: message.androidReceived),
            "ios_apns_sent": JSONValue(integerLiteral: message.apnsSent),
            "ios_msg_received": JSONValue(integerLiteral: message.iosMessagesReceived), "wp_mpns_sent": nil,
        ]
    }

    private static func row(_ id: String, _ message: MessageState) -> JSONValue {
        func number(_ value: Int?) -> JSONValue { value.map { JSONValue(integerLiteral: $0) } ?? .null }
        return [
            "msg_id": .string(id),
            "jpush_received": number(message.androidReceived),
            "android_pns_sent": 0,
            "android_pns_received": 0,
            "ios_apns_sent": number(message.apnsSent),
            "ios_apns_received": number(message.apnsReceived),
            "ios_msg_received": number(message.iosMessagesReceived),
            "live_acivity_sent": number(message.liveActivitySent),
            "live_acivity_received": number(message.liveActivityReceived),
            "wp_mpns_sent": nil,
            "quickapp_jpush_received": 0,
            "quickapp_pns_sent": 0,
            "hmos_hmpns_sent": number(message.harmonySent),
            "hmos_hmpns_received": number(message.harmonyReceived),
            "hmos_msg_sent": number(message.harmonyMessagesSent),
            "hmos_msg_received": number(message.harmonyMessagesReceived),
        ]
    }
}
