import JiguangDialect
public import PushAdapter

extension DeliveryChannel {
    static let harmony: DeliveryChannel = "harmony"
    static let harmonyApp: DeliveryChannel = "harmonyApp"
    static let liveActivity: DeliveryChannel = "liveActivity"
    static let quickApp: DeliveryChannel = "quickApp"
    static let windowsPhone: DeliveryChannel = "windowsPhone"
}

extension JPush {
    /// `GET /v3/received/detail`: reads the deliveries of messages of the last 28 days.
    public func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        for message in messages { try checkMessageID(message) }
        let ids = messages.map(\.rawValue).joined(separator: ",")
        return api.call(
            .readDeliveries,
            WireRequest(.get, .jpushReport, path: ["received", "detail"], query: [QueryItem("msg_ids", ids)]),
            checking: [.count(messages.count, .messagesPerReport, "the messages of a report")]
        ) { (response) throws(PushError) in try response.json([ReceivedRow].self).map(\.report) }
    }
}

/// One message of the vendor's report. Any count may be null or missing.
private struct ReceivedRow: Decodable {
    let report: DeliveryReport

    /// The vendor's spellings. One of them is wrong.
    private static let columns: [(channel: DeliveryChannel, sent: String?, received: String?)] = [
        (.vendor, nil, "jpush_received"),
        (.manufacturer, "android_pns_sent", "android_pns_received"),
        (.apns, "ios_apns_sent", "ios_apns_received"),
        (.app, nil, "ios_msg_received"),
        (.liveActivity, "live_acivity_sent", "live_acivity_received"),
        (.windowsPhone, "wp_mpns_sent", nil),
        (.quickApp, "quickapp_pns_sent", "quickapp_jpush_received"),
        (.harmony, "hmos_hmpns_sent", "hmos_hmpns_received"),
        (.harmonyApp, "hmos_msg_sent", "hmos_msg_received"),
    ]

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Column.self)
        func count(_ name: String?) throws -> Int? {
            try name.flatMap { try row.decodeIfPresent(Int.self, forKey: Column(stringValue: $0)) }
        }
        var channels: [DeliveryChannel: DeliveryCount] = [:]
        for column in Self.columns {
            let counts = DeliveryCount(sent: try count(column.sent), received: try count(column.received))
            if counts != DeliveryCount() { channels[column.channel] = counts }
        }
        let id = try row.decode(WireText.self, forKey: Column(stringValue: "msg_id"))
        report = DeliveryReport(messageID: MessageID(id.text), channels: channels)
    }

    private struct Column: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
