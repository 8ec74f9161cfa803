public import PushCore

/// A vendor in memory that accepts every push at once, and gives keys: what is left is the client's own work.
public struct InstantTransport: HTTPTransport {
    private static let accepted = WireResponse(status: 200, body: Array(Sample.reply.utf8))
    private let batches = Locked(0)

    /// Needs nothing.
    public init() {}

    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        guard request.method == .get else { return Self.accepted }
        let batch = batches.withLock { batches in
            batches += 1
            return batches
        }
        return WireResponse(status: 200, body: Array(Sample.keyReply(batch: "\(batch)").utf8))
    }

    public func shutdown() async {}
}
