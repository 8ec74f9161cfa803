/// What became of one message, by the channels it went through.
public struct DeliveryReport: Sendable, Hashable, Codable {
    public var messageID: MessageID
    public var channels: [DeliveryChannel: DeliveryCount]

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

/// A way to the device: the vendor's own connection, Apple's service, a phone maker's service.
public struct DeliveryChannel: TextIdentifier, CodingKeyRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The vendor's own connection to the device.
    public static let vendor: DeliveryChannel = "vendor"
    /// Apple's push service.
    public static let apns: DeliveryChannel = "apns"
    /// The service of an Android phone's maker.
    public static let manufacturer: DeliveryChannel = "manufacturer"
    /// A custom message to an app in the foreground.
    public static let app: DeliveryChannel = "app"
}

/// Counts of one channel; nil is what the vendor does not know.
public struct DeliveryCount: Sendable, Hashable, Codable {
    public var sent: Int?
    public var received: Int?

    public init(sent: Int? = nil, received: Int? = nil) {
        self.sent = sent
        self.received = received
    }
}
