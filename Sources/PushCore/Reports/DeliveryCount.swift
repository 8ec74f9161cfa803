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

    /// Adds numbers. A number that the vendor does not report adds nothing, and a sum that is too large is the largest.
    package mutating func add(sent moreSent: Int?, received moreReceived: Int?) {
        (sent, received) = (Self.sum(sent, moreSent), Self.sum(received, moreReceived))
    }

    private static func sum(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        let (sum, isTooMany) = left.addingReportingOverflow(right)
        return isTooMany ? .max : sum
    }
}
