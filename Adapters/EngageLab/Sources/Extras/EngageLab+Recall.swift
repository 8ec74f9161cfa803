import JiguangDialect
public import PushAdapter

extension EngageLab {
    /// `DELETE /v4/push/withdraw/{msg_id}`: recalls a message of the last day. A message can be recalled once.
    ///
    /// The vendor refuses a second recall like an unknown message (21003, `invalidArgument`), so the client does not
    /// retry after a lost response. If you repeat it by hand, that refusal means success.
    public func recall(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        try checkMessageID(message)
        return api.call(
            .engageLabRecall,
            WireRequest(.delete, .engageLab, path: ["push", "withdraw", .value(message.rawValue)]), .unkeyed
        ) { (response) throws(PushError) in _ = try PushReply.receipt(response) }
    }
}
