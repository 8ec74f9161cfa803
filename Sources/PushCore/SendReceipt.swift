/// What a vendor says about an accepted send.
public struct SendReceipt: Sendable, Hashable {
    /// Nil where the vendor gives none, for example for a validation.
    public var messageID: MessageID?
    /// Targets that the vendor skipped as invalid while it accepted the rest.
    public var invalidTargets: [String]

    /// A receipt with the vendor's id of the message and the targets that it skipped.
    public init(messageID: MessageID?, invalidTargets: [String] = []) {
        self.messageID = messageID
        self.invalidTargets = invalidTargets
    }
}
