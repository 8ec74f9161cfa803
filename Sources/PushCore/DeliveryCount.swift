/// Counts of one channel; nil is what the vendor does not know.
public struct DeliveryCount: Sendable, Hashable, Codable {
    public var sent: Int?
    public var received: Int?

    public init(sent: Int? = nil, received: Int? = nil) {
        self.sent = sent
        self.received = received
    }
}
