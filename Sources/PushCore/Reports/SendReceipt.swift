/// A vendor's response to an accepted send.
public struct SendReceipt: Sendable, Hashable {
    /// Usually one; several where the vendor makes several messages of one request, none where it returns no id.
    public var messageIDs: [MessageID]
    /// Targets that the vendor skipped as invalid while it accepted the rest.
    public var invalidTargets: [String]

    /// A receipt with the vendor's id of the message and the targets that it skipped.
    public init(messageID: MessageID?, invalidTargets: [String] = []) {
        self.init(messageIDs: messageID.map { [$0] } ?? [], invalidTargets: invalidTargets)
    }

    /// A receipt of a request that the vendor turned into these messages.
    public init(messageIDs: [MessageID], invalidTargets: [String] = []) {
        self.messageIDs = messageIDs
        self.invalidTargets = invalidTargets
    }

    /// The id of the first message; nil where the vendor returns none, for example for a validation.
    public var messageID: MessageID? { messageIDs.first }
}
