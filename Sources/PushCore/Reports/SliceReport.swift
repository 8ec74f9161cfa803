/// The outcome of one slice of a send: one request, or one per target at a vendor that takes one target per request.
public struct SliceReport: Sendable {
    /// Whether the request carried an idempotency key, and the effect of the key on a retry.
    public enum Keying: Sendable, Hashable {
        /// With a key of this grade. If it is `vendor`, a retry has no further effect. If it is another, the client does
        /// not retry after a lost response, unless its policy accepts the grade.
        case keyed(KeyMemory.Grade)
        /// Without a key, and why. The client does not retry if the response is lost.
        case unkeyed(String)
    }

    /// The slice's number, from 0.
    public var index: Int
    /// The number of targets in this slice, duplicates included; 0 for audiences that are not lists.
    public var targetCount: Int
    /// The vendor's message ids, including one that it allocated for a refused message; more than one where it makes
    /// several messages of one request, or where each target has a request of its own.
    public var messageIDs: [MessageID]
    /// Whether the request carried a key. If there were several requests and one carried none, then why.
    public var keying: Keying
    /// Why the call failed; nil when it succeeded. With effect `applied`, the vendor accepted the request anyway. Where
    /// each target has a request of its own: nil when any was accepted, else the first error.
    public var error: PushError?
    /// The targets that were not accepted, duplicates included.
    public var exceptions: [TargetReport]
    /// Requests that the client prepared for the slice, not counting retries.
    public var requestCount = 1
    /// Targets that failed, by kind, where each target has a request of its own; empty otherwise.
    public var failures: [PushError.Kind: Int] = [:]

    /// The outcome of the request with this number; without an error, it was accepted.
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

    /// A copy without the message ids.
    package var withoutMessageIDs: SliceReport {
        var report = self
        report.messageIDs = []
        return report
    }

    /// The id of the first message; nil without one.
    public var messageID: MessageID? { messageIDs.first }
    /// Whether the vendor accepted the request.
    public var isAccepted: Bool { error == nil || error?.effect == .applied }
    /// The number of accepted targets; nil for an accepted request without a list, because the vendor does not report
    /// its number of devices.
    public var acceptedCount: Int? { targetCount == 0 && isAccepted ? nil : targetCount - exceptions.count }
}
