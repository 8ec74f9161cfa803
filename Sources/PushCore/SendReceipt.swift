/// What a vendor says about an accepted send.
public struct SendReceipt: Sendable, Hashable {
    /// Nil where the vendor gives none, for example for a validation.
    public var messageID: MessageID?
    /// Targets that the vendor skipped as invalid while it accepted the rest.
    public var invalidTargets: [String]

    public init(messageID: MessageID?, invalidTargets: [String] = []) {
        self.messageID = messageID
        self.invalidTargets = invalidTargets
    }
}
