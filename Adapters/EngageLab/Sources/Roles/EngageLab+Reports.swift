import JiguangDialect
public import PushAdapter

extension DeliveryChannel {
    static let harmony: DeliveryChannel = "harmony"
    static let liveActivity: DeliveryChannel = "liveActivity"
    static let voip: DeliveryChannel = "voip"
    static let inApp: DeliveryChannel = "inApp"
    /// The channel of counts that the vendor does not split by channel.
    static let unstated: DeliveryChannel = "unstated"
}

extension EngageLab {
    /// `GET /v4/status/detail`: reads the deliveries of at most 100 messages of the last month. One request.
    ///
    /// The model counts the vendor's own connections to Android, iOS and HarmonyOS as one channel. Google's service and
    /// the phone makers' services are another.
    public func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        api.call(.readDeliveries, try detailRequest(messages), checking: Self.inputs(messages)) {
            (response) throws(PushError) in
            let rows = try Self.statistics(response)
            return messages.compactMap { message in
                rows[message].map { DeliveryReport(messageID: message, channels: $0.deliveries) }
            }
        }
    }
}

extension EngageLabStatistics {
    /// Notifications by channel; any other content as its own channel.
    fileprivate var deliveries: [DeliveryChannel: DeliveryCount] {
        let words: [String: DeliveryChannel] = [
            "engageLab_android": .vendor, "engageLab_ios": .vendor, "engageLab_hmos": .vendor, "apns": .apns,
            "harmonyos": .harmony,
        ]
        let contents: [String: DeliveryChannel] = [
            "message": .app, "live_activity": .liveActivity, "voip": .voip, "inapp_message": .inApp,
        ]
        let whole = channels.isEmpty ? kinds["notification"] ?? (kinds.isEmpty ? total : nil) : nil
        let rows =
            (whole.map { [(DeliveryChannel.unstated, $0)] } ?? [])
            + channels.map { (words[$0.key] ?? .manufacturer, $0.value) }
            + kinds.compactMap { kind, funnel in contents[kind].map { ($0, funnel) } }
        return rows.reduce(into: [:]) { counts, row in
            counts[row.0, default: DeliveryCount()].add(sent: row.1.sent, received: row.1.delivered)
        }
    }
}
