public import PushCore

extension EngageLab: MessageSending, MessageValidating {
    /// `POST /v4/push`. One request, whatever the number of targets; with a key a repetition within an hour answers
    /// with the first message and sends nothing.
    public func send(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        try checkKey(key)
        let body = try EngageLabEncoder(self).push(message, audience, key: key?.value)
        return call(
            .send, WireRequest(.post, .engageLab, path: ["push"], body: .json(body)),
            key.map(Idempotency.keyed) ?? .unkeyed, decode: PushReply.receipt)
    }

    /// `POST /v4/push/validate`: the same checks as a push, nothing delivered.
    public func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt> {
        let body = try EngageLabEncoder(self).push(message, audience, key: nil)
        return call(
            .validate, WireRequest(.post, .engageLab, path: ["push", "validate"], body: .json(body)),
            decode: PushReply.receipt)
    }

    /// Refuses a key for schedules, and one that the vendor would answer 23003 for.
    func checkKey(_ key: IdempotencyKey?) throws(PushError) {
        guard let key else { return }
        guard key.kind == .push else {
            throw PushError(.invalidArgument, "a push needs a key of kind push, this one is for a \(key.kind.rawValue)")
        }
        try capabilities.limits.check(key.value, "the idempotency key", .idempotencyKey, of: id)
    }
}

/// The reply to a push.
struct PushReply: Decodable {
    private var messageID: WireText

    private enum CodingKeys: String, CodingKey { case messageID = "msg_id" }

    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        SendReceipt(messageID: MessageID(try response.json(PushReply.self).messageID.text))
    }
}
