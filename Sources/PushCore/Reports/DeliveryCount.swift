/// The counts of one channel; nil where the vendor reports none.
public struct DeliveryCount: Sendable, Hashable, Codable {
    /// Devices that the message was sent to over the channel.
    public var sent: Int?
    /// Devices that received the message over the channel.
    public var received: Int?

    /// The counts of one channel; leave out those that the vendor does not report.
    public init(sent: Int? = nil, received: Int? = nil) {
        self.sent = sent
        self.received = received
    }
}
