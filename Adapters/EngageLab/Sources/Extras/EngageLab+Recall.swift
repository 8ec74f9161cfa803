public import PushCore

extension EngageLab {
    /// `DELETE /v4/push/withdraw/{msg_id}`: recalls a message of the last day, once.
    ///
    /// The vendor refuses a second recall as it refuses an unknown message (21003, `invalidArgument`), so a lost answer
    /// is not repeated; who repeats it by hand takes that refusal for done.
    public func recall(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        try checkMessageID(message)
        return call(
            .engageLabRecall,
            WireRequest(.delete, .engageLab, path: ["push", "withdraw", .value(message.rawValue)]), .unkeyed
        ) { (response) throws(PushError) in _ = try PushReply.receipt(response) }
    }
}
