import PushAdapter

extension PushError {
    static let noTargets = PushError(.invalidArgument, "the list of targets is empty")
}

/// A request that is ready to be sent, or why there is none, and whether it carries a key.
struct PreparedRequest: Sendable {
    var exchange: Result<Exchange<SendReceipt>, PushError>
    var keying: SliceReport.Keying

    /// Whether there is a request.
    var isReady: Bool { if case .success = exchange { true } else { false } }
    /// The origin of the target's own address; nil for a request to the vendor's hosts.
    var origin: String? { if case .success(let exchange) = exchange { exchange.request.address?.origin } else { nil } }
    /// Whether the message itself was refused.
    var isRefused: Bool { if case .failure(let error) = exchange { error.isLocalRefusal } else { false } }
}

extension PreparedRequest {
    /// A refusal; there is no request.
    init(refusedBy error: PushError) {
        self.init(exchange: .failure(error), keying: .unkeyed("nothing was sent"))
    }
}

extension SliceReport.Keying {
    /// Whether the request carried a key.
    var isKeyed: Bool { if case .keyed = self { true } else { false } }
}
