public import PushCore

/// A vendor in memory that accepts every push at once, and gives keys: what is left is the client's own work.
public struct InstantTransport: HTTPTransport {
    private static let accepted = WireResponse(status: 200, body: Array(Sample.reply.utf8))
    private static let keys = WireResponse(status: 200, body: Array(Sample.keyReply.utf8))

    /// Needs nothing.
    public init() {}

    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        request.method == .get ? Self.keys : Self.accepted
    }

    public func shutdown() async {}
}
