/// What became of a send: one status for each slice, one for each target that was not simply accepted.
public struct SendReport: Sendable {
    /// The requests, in order.
    public private(set) var slices: [SliceReport] = []
    /// Targets given by the caller, duplicates included; 0 for audiences that are not lists.
    public private(set) var targetCount = 0
    /// Why the send ended before all targets were sent: cancelled, past its deadline, refused for good, or the list of
    /// targets broke off.
    public var interruption: PushError?

    public init() {}

    /// Adds the next slice.
    public mutating func append(_ slice: SliceReport) {
        slices.append(slice)
        targetCount += slice.targetCount
    }

    /// The messages that the vendor accepted.
    public var messageIDs: [MessageID] { slices.filter(\.isAccepted).compactMap(\.messageID) }
    /// Every target whose status is not `accepted`, in the caller's order.
    public var exceptions: [TargetReport] { slices.flatMap(\.exceptions).sorted { $0.position < $1.position } }
    /// Targets that were accepted.
    public var acceptedCount: Int { slices.reduce(0) { $0 + $1.acceptedCount } }
    /// Whether every slice was accepted and every target with it, repeated ones aside.
    public var isComplete: Bool {
        interruption == nil && slices.allSatisfy { $0.error == nil && $0.exceptions.allSatisfy(\.status.isDuplicate) }
    }
    /// Targets that the vendor called invalid: remove them from your own records.
    public var invalidTargets: [Target] { exceptions.filter { $0.status == .invalid }.map(\.target) }
    /// Targets that are safe to send to again: the vendor did not act on them and may accept them another time.
    public func retryable() -> [Target] { exceptions.filter(\.status.isRetryable).map(\.target) }
}

/// What became of one request of a send.
public struct SliceReport: Sendable {
    /// Whether the request carried a key that makes a repetition harmless.
    public enum Keying: Sendable, Hashable {
        case keyed
        /// Without a key, and why: a lost answer is not repeated.
        case unkeyed(String)
    }

    /// The slice's number, from 0.
    public var index: Int
    /// The targets of this slice, repeated ones included; 0 for audiences that are not lists.
    public var targetCount: Int
    public var messageID: MessageID?
    public var keying: Keying
    /// Why the slice failed; nil when it was accepted.
    public var error: PushError?
    /// The targets that were not accepted, repeated ones included.
    public var exceptions: [TargetReport]

    public init(
        index: Int, targetCount: Int, messageID: MessageID? = nil, keying: Keying, error: PushError? = nil,
        exceptions: [TargetReport] = []
    ) {
        self.index = index
        self.targetCount = targetCount
        self.messageID = messageID
        self.keying = keying
        self.error = error
        self.exceptions = exceptions
    }

    /// Whether the vendor carried the request out.
    public var isAccepted: Bool { error == nil || error?.effect == .applied }
    /// The targets that were accepted.
    public var acceptedCount: Int { targetCount - exceptions.count }
}

/// A device, an alias or an account that a message was for.
public enum Target: Sendable, Hashable {
    case device(DeviceID)
    case alias(Alias)
    case account(Account)

    /// The identifier as the caller gave it.
    public var text: String {
        switch self {
        case .device(let id): id.rawValue
        case .alias(let alias): alias.rawValue
        case .account(let account): account.name
        }
    }
}

/// The status of one target, with its place in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// From 0, in the caller's list.
    public var position: Int
    public var target: Target
    public var status: TargetStatus

    public init(position: Int, target: Target, status: TargetStatus) {
        self.position = position
        self.target = target
        self.status = status
    }
}

/// What became of one target.
public enum TargetStatus: Sendable, Hashable {
    case accepted
    /// Given before, at this position; sent once.
    case duplicate(of: Int)
    /// The vendor does not know the target, or it breaks the vendor's rules: do not use it again.
    case invalid
    /// The vendor refused; nothing was done. `mayRetry` says whether a later try can succeed.
    case rejected(mayRetry: Bool)
    /// Never sent.
    case notAttempted
    /// The answer was lost: it may have been delivered.
    case unknown

    public var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    /// Whether sending again cannot deliver twice and can succeed.
    public var isRetryable: Bool {
        switch self {
        case .notAttempted, .rejected(mayRetry: true): true
        default: false
        }
    }
}

extension SendReport: CustomStringConvertible, CustomReflectable {
    /// Counts only; targets are read through the properties.
    public var description: String {
        let accepted = slices.count { $0.error == nil }
        return "\(accepted) of \(slices.count) slices accepted, \(acceptedCount) of \(targetCount) targets"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
