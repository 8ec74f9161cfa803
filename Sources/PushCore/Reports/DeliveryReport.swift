/// The delivery counts of one message, by channel.
public struct DeliveryReport: Sendable, Hashable, Codable {
    /// The message that the counts belong to.
    public var messageID: MessageID
    /// The counts by channel, without channels that the vendor does not report.
    public var channels: [DeliveryChannel: DeliveryCount]

    /// The counts of one message, by channel.
    public init(messageID: MessageID, channels: [DeliveryChannel: DeliveryCount]) {
        self.messageID = messageID
        self.channels = channels
    }

    /// Devices that received the message, summed over all channels that report a count.
    public var received: Int {
        channels.values.reduce(0) { sum, count in
            let (total, isTooMany) = sum.addingReportingOverflow(count.received ?? 0)
            return isTooMany ? .max : total
        }
    }
}
