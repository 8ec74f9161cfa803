public import PushAdapter

/// A vendor in memory that accepts every push at once and gives keys, so only the client's own work is left.
public struct InstantTransport: HTTPTransport {
    private static let accepted = WireResponse(status: 200, body: Array(Sample.reply.utf8))
    /// Creates the transport.
    public init() {}

    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        guard request.method == .get else { return Self.accepted }
        return WireResponse(
            status: 200, body: Array(Sample.keyReply(batch: "\(UInt64.random(in: .min ... .max))").utf8))
    }

    public func shutdown() async {}
}
