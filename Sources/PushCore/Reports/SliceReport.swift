/// What became of one request of a send.
public struct SliceReport: Sendable {
    /// Whether the request carried a key that makes a repetition harmless.
    public enum Keying: Sendable, Hashable {
        /// With a key: a repetition does nothing more.
        case keyed
        /// Without a key, and why: a lost answer is not repeated.
        case unkeyed(String)
    }

    /// The slice's number, from 0.
    public var index: Int
    /// The targets of this slice, repeated ones included; 0 for audiences that are not lists.
    public var targetCount: Int
    /// The vendor's ids, also where one was allocated for a refused message; more than one where the vendor makes
    /// several messages of one request.
    public var messageIDs: [MessageID]
    /// Whether a repetition would have been harmless.
    public var keying: Keying
    /// Why the call failed; nil when it succeeded. One whose effect is `applied` was accepted all the same.
    public var error: PushError?
    /// The targets that were not accepted, repeated ones included.
    public var exceptions: [TargetReport]

    /// What became of the request with this number; without an error it was accepted.
    public init(
        index: Int, targetCount: Int, messageIDs: [MessageID] = [], keying: Keying, error: PushError? = nil,
        exceptions: [TargetReport] = []
    ) {
        self.index = index
        self.targetCount = targetCount
        self.messageIDs = messageIDs
        self.keying = keying
        self.error = error
        self.exceptions = exceptions
    }

    /// The first message; nil where there is none.
    public var messageID: MessageID? { messageIDs.first }
    /// Whether the vendor carried the request out.
    public var isAccepted: Bool { error == nil || error?.effect == .applied }
    /// The targets that were accepted; nil where the request was and has no list, because the vendor does not say for
    /// how many devices.
    public var acceptedCount: Int? { targetCount == 0 && isAccepted ? nil : targetCount - exceptions.count }
}
