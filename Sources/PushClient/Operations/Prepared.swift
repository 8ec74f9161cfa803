import PushCore

/// A request that is ready to be sent, or why there is none, and whether it carries a key.
struct Prepared: Sendable {
    var exchange: Result<Exchange<SendReceipt>, PushError>
    var keying: SliceReport.Keying

    /// Whether there is a request.
    var isReady: Bool { if case .success = exchange { true } else { false } }
    /// Whether the message itself was refused.
    var isRefused: Bool { if case .failure(let error) = exchange { error.isRefusal } else { false } }
}
