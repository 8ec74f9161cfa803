/// The outcome of a send: one status for each slice, and one for each target that is not `accepted`.
public struct SendReport: Sendable {
    /// The requests, in order.
    public private(set) var slices: [SliceReport] = []
    /// Targets given by the caller, duplicates included; 0 for audiences that are not lists.
    public private(set) var targetCount = 0
    /// Why the send stopped before it reached all targets: it was cancelled, missed its deadline or was refused for
    /// good, or the list of targets failed. Where targets bring their own addresses, it may be the refusal of one key at
    /// one service; the targets of others were attempted.
    public var interruption: PushError?

    /// An empty report to append slices to.
    public init() {}

    /// Adds the next slice.
    public mutating func append(_ slice: SliceReport) {
        slices.append(slice)
        targetCount += slice.targetCount
    }

    /// The messages that the vendor accepted.
    public var messageIDs: [MessageID] { slices.filter(\.isAccepted).flatMap(\.messageIDs) }
    /// Every target whose status is not `accepted`, in the caller's order.
    public var exceptions: [TargetReport] { slices.flatMap(\.exceptions).sorted { $0.position < $1.position } }
    /// The number of accepted targets; nil for an accepted audience that is not a list, because the vendor does not
    /// report its number of devices.
    public var acceptedCount: Int? {
        slices.reduce(0) { sum, slice in
            guard let sum, let count = slice.acceptedCount else { return nil }
            return sum + count
        }
    }
    /// Whether every slice and every target was accepted; duplicates do not count.
    public var isComplete: Bool {
        interruption == nil && slices.allSatisfy { $0.error == nil && $0.exceptions.allSatisfy(\.status.isDuplicate) }
    }
    /// Targets that the vendor calls invalid. Remove them from your records. Targets with a wrong form are `malformed`
    /// and not in this list, because the vendor never saw them.
    public var invalidTargets: [Target] { exceptions.filter { $0.status.isInvalid }.map(\.target) }
    /// Targets that are safe to send to again: the vendor did not act on them and may accept them later.
    public func retryable() -> [Target] { exceptions.filter(\.status.isRetryable).map(\.target) }
}

extension SendReport: CustomStringConvertible, CustomReflectable {
    /// Counts only; read the targets from the properties.
    public var description: String {
        let accepted = slices.count { $0.error == nil }
        let targets = acceptedCount.map { "\($0) of \(targetCount) targets" } ?? "number of devices unknown"
        return "\(accepted) of \(slices.count) slices accepted, \(targets)"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
