/// What became of one message, by the channels it went through.
public struct DeliveryReport: Sendable, Hashable, Codable {
    /// The message that the counts are about.
    public var messageID: MessageID
    /// The counts by channel; a channel of which the vendor says nothing is missing.
    public var channels: [DeliveryChannel: DeliveryCount]

    /// The counts of one message, by channel.
    public init(messageID: MessageID, channels: [DeliveryChannel: DeliveryCount]) {
        self.messageID = messageID
        self.channels = channels
    }

    /// Devices that received the message over all channels that report it.
    public var received: Int {
        channels.values.reduce(0) { sum, count in
            let (total, isTooMany) = sum.addingReportingOverflow(count.received ?? 0)
            return isTooMany ? .max : total
        }
    }
}
