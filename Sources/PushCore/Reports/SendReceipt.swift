/// A vendor's response to an accepted request for one or many targets: a send, or a change of a tag's devices.
public struct SendReceipt: Sendable, Hashable {
    /// Usually one; several where the vendor makes several messages of one request, none where it returns no id.
    public var messageIDs: [MessageID]
    /// The statuses of targets that the vendor skipped while it accepted the rest, by the targets' texts.
    public var exceptions: [String: TargetStatus]

    /// A receipt with the vendor's id of the message and the targets that it skipped as invalid.
    public init(messageID: MessageID?, invalidTargets: [String] = []) {
        self.init(messageIDs: messageID.map { [$0] } ?? [], invalidTargets: invalidTargets)
    }

    /// A receipt of a request that the vendor turned into these messages.
    public init(messageIDs: [MessageID] = [], invalidTargets: [String] = []) {
        self.init(messageIDs: messageIDs, exceptions: .invalid(invalidTargets))
    }

    /// A receipt of a request that the vendor accepted except for these targets.
    public init(messageIDs: [MessageID] = [], exceptions: [String: TargetStatus]) {
        self.messageIDs = messageIDs
        self.exceptions = exceptions
    }

    /// The id of the first message; nil where the vendor returns none, for example for a validation.
    public var messageID: MessageID? { messageIDs.first }
}
