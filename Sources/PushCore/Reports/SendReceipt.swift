/// What a vendor says about an accepted send.
public struct SendReceipt: Sendable, Hashable {
    /// One for most; several where the vendor makes several messages of one request, none where it gives no id.
    public var messageIDs: [MessageID]
    /// Targets that the vendor skipped as invalid while it accepted the rest.
    public var invalidTargets: [String]

    /// A receipt with the vendor's id of the message and the targets that it skipped.
    public init(messageID: MessageID?, invalidTargets: [String] = []) {
        self.init(messageIDs: messageID.map { [$0] } ?? [], invalidTargets: invalidTargets)
    }

    /// A receipt of a request that became these messages.
    public init(messageIDs: [MessageID], invalidTargets: [String] = []) {
        self.messageIDs = messageIDs
        self.invalidTargets = invalidTargets
    }

    /// The first message; nil where the vendor gives no id, for example for a validation.
    public var messageID: MessageID? { messageIDs.first }
}
