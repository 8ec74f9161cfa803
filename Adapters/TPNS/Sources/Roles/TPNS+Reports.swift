public import PushAdapter

extension TPNS {
    /// `POST /v3/statistics/get_push_task_stat_channel`: reads the counts of one push of the last 30 days. Each call
    /// takes one message. The result omits an unknown push.
    public func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        guard let message = messages.first else {
            throw PushError(.invalidArgument, "there is no message id to report on; give one")
        }
        return call(
            .readDeliveries, ["statistics", "get_push_task_stat_channel"], try pushBody(message), from: .tpnsStatistics,
            checking: [.count(messages.count, .messagesPerReport, "the messages of a report")]
        ) { (response) throws(PushError) in
            guard try response.json(Envelope.self).code == 0 else { return [] }
            let rows = try response.tpns(FunnelReply.self).funnels
            return [DeliveryReport(messageID: message, channels: counts(rows))]
        }
    }

    /// `POST /v3/device/account/query` for an account that does not exist. The vendor returns a result, found or not,
    /// exactly if the credentials are right at this access point. It is inferred that it checks credentials first; the
    /// vendor documents no order.
    public func probe() throws(PushError) -> Exchange<Void> {
        let body = try queryBody(["pushbridge-probe"])
        return call(.probeCredentials, ["device", "account", "query"], body, decode: WireResponse.expectDone)
    }

    /// The counts by the model's channels. Adds up the phone makers' services, and leaves out the vendor's total.
    private func counts(_ rows: [String: TPNSFunnel]) -> [DeliveryChannel: DeliveryCount] {
        var counts: [DeliveryChannel: DeliveryCount] = [:]
        for (name, funnel) in rows where name != "all" {
            let channel: DeliveryChannel = ["xg": .vendor, "apns": .apns, "iospk": .apns][name, default: .manufacturer]
            counts[channel, default: DeliveryCount()].add(
                sent: funnel.accepted, received: platform == .android ? funnel.arrivedOnAndroid : funnel.arrived)
        }
        return counts
    }
}

/// The number of devices at each stage of a push on one channel. A number is nil if the vendor omits it.
public struct TPNSFunnel: Sendable, Hashable, Decodable {
    /// Devices that the push was meant for.
    public let planned: Int?
    /// Devices for which the channel accepted the push.
    public let accepted: Int?
    /// iOS: devices that the push reached, reported by the app's service extension.
    public let arrived: Int?
    /// Android: devices that the push reached.
    public let arrivedOnAndroid: Int?
    /// Android: devices for which a phone maker reported the arrival.
    public let reportedByMakers: Int?
    /// Devices on which the user opened the push.
    public let clicked: Int?
    /// Android: devices on which the user dismissed the push unread.
    public let cleaned: Int?

    private enum CodingKeys: String, CodingKey {
        case planned = "pushActiveUv"
        case accepted = "pushOnlineUv"
        case arrived = "verifySvcUv"
        case arrivedOnAndroid = "arrivalUv"
        case reportedByMakers = "callbackVerifySvcUv"
        case clicked = "clickUv"
        case cleaned = "cleanupUv"
    }
}

/// Funnels by channel.
struct ChannelRow: Decodable {
    var channel: String
    var pushState: TPNSFunnel
}

/// `{"pushStatDataAll": [{"channel", "pushState"}]}`.
struct FunnelReply: Decodable {
    private var pushStatDataAll: [ChannelRow]?

    var funnels: [String: TPNSFunnel] {
        Dictionary((pushStatDataAll ?? []).map { ($0.channel, $0.pushState) }) { first, _ in first }
    }
}
