import FoundationEssentials
import PushAdapter
import PushSimulation

extension JPushSimulator {
    /// The counts of received messages, with the vendor's spellings and nulls.
    func report(_ call: SimulatedCall, isDetail: Bool) throws(Refusal) -> SimulatedResponse {
        let ids = (call.request.parameter("msg_ids") ?? "").split(separator: ",").map(String.init)
        guard !ids.isEmpty, ids.count <= Rules.idsPerReport, ids.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
            throw Refusal(400, settings.reportOverflowCode, "illegal msg_ids")
        }
        let known = ids.compactMap { id in app.messages[id].map { (id, $0) } }
            .filter { call.now.timeIntervalSince($0.1.sentAt) <= Rules.reportDays * 86_400 }
        guard isDetail else { return .json(.array(known.map { Self.oldRow($0.0, $0.1) })) }
        return .json(.array(known.map { Self.row($0.0, $0.1) }))
    }

    /// The older row, from before the detailed report.
    private static func oldRow(_ id: String, _ message: MessageState) -> JSONValue {
        [
            "msg_id": .string(id), "android_received": JSONValue(message.androidReceived),
            "ios_apns_sent": JSONValue(message.apnsSent),
            "ios_msg_received": JSONValue(message.iosMessagesReceived), "wp_mpns_sent": .null,
        ]
    }

    private static func row(_ id: String, _ message: MessageState) -> JSONValue {
        [
            "msg_id": .string(id),
            "jpush_received": JSONValue(message.androidReceived),
            "android_pns_sent": 0,
            "android_pns_received": 0,
            "ios_apns_sent": JSONValue(message.apnsSent),
            "ios_apns_received": JSONValue(message.apnsReceived),
            "ios_msg_received": JSONValue(message.iosMessagesReceived),
            "live_acivity_sent": JSONValue(message.liveActivitySent),
            "live_acivity_received": JSONValue(message.liveActivityReceived),
            "wp_mpns_sent": .null,
            "quickapp_jpush_received": 0,
            "quickapp_pns_sent": 0,
            "hmos_hmpns_sent": JSONValue(message.harmonySent),
            "hmos_hmpns_received": JSONValue(message.harmonyReceived),
            "hmos_msg_sent": JSONValue(message.harmonyMessagesSent),
            "hmos_msg_received": JSONValue(message.harmonyMessagesReceived),
        ]
    }
}
