import HTTPTypes
public import PushCore

extension DeliveryChannel {
    static let harmony: DeliveryChannel = "harmony"
    static let harmonyApp: DeliveryChannel = "harmonyApp"
    static let liveActivity: DeliveryChannel = "liveActivity"
    static let quickApp: DeliveryChannel = "quickApp"
    static let windowsPhone: DeliveryChannel = "windowsPhone"
}

extension JPush: DeliveryReporting {
    /// `GET /v3/received/detail`: messages of the last 28 days.
    public func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        let most = capabilities.limits[.messagesPerReport]?.maximum ?? 100
        guard messages.count >= 1, messages.count <= most else {
            throw PushError(.limitExceeded, "a report takes 1 to \(most) message ids, not \(messages.count)")
        }
        for message in messages
        where !message.rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }) || message.rawValue.isEmpty {
            throw PushError(
                .invalidArgument, "\(Redaction.quoted(message.rawValue)) is no JPush message id: digits only")
        }
        let ids = messages.map(\.rawValue).joined(separator: ",")
        return Exchange(
            .readDeliveries,
            WireRequest(.get, .jpushReport, path: ["received", "detail"], query: [QueryItem("msg_ids", ids)]),
            idempotency: .idempotent, charges: [QuotaCharge(.jpushReport)]
        ) { (response) throws(PushError) in try response.json([ReceivedRow].self).map(\.report) }
    }
}

/// One message of the vendor's report, with the vendor's spellings; any count may be null.
private struct ReceivedRow: Decodable {
    var msg_id: WireIdentifier
    var jpush_received: Int?
    var android_pns_sent: Int?
    var android_pns_received: Int?
    var ios_apns_sent: Int?
    var ios_apns_received: Int?
    var ios_msg_received: Int?
    // Misspelt by the vendor.
    var live_acivity_sent: Int?
    var live_acivity_received: Int?
    var wp_mpns_sent: Int?
    var quickapp_jpush_received: Int?
    var quickapp_pns_sent: Int?
    var hmos_hmpns_sent: Int?
    var hmos_hmpns_received: Int?
    var hmos_msg_sent: Int?
    var hmos_msg_received: Int?

    var report: DeliveryReport {
        let counts: [(DeliveryChannel, Int?, Int?)] = [
            (.vendor, nil, jpush_received), (.manufacturer, android_pns_sent, android_pns_received),
            (.apns, ios_apns_sent, ios_apns_received), (.app, nil, ios_msg_received),
            (.liveActivity, live_acivity_sent, live_acivity_received), (.windowsPhone, wp_mpns_sent, nil),
            (.quickApp, quickapp_pns_sent, quickapp_jpush_received), (.harmony, hmos_hmpns_sent, hmos_hmpns_received),
            (.harmonyApp, hmos_msg_sent, hmos_msg_received),
        ]
        let known = counts.filter { $0.1 != nil || $0.2 != nil }
        return DeliveryReport(
            messageID: MessageID(msg_id.text),
            channels: Dictionary(
                uniqueKeysWithValues: known.map { ($0.0, DeliveryCount(sent: $0.1, received: $0.2)) }))
    }
}
