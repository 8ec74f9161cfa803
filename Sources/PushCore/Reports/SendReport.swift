/// What became of a send: one status for each slice, one for each target that was not simply accepted.
public struct SendReport: Sendable {
    /// The requests, in order.
    public private(set) var slices: [SliceReport] = []
    /// Targets given by the caller, duplicates included; 0 for audiences that are not lists.
    public private(set) var targetCount = 0
    /// Why the send ended before all targets were sent: cancelled, past its deadline, refused for good, or the list of
    /// targets broke off.
    public var interruption: PushError?

    /// An empty report, for slices to be appended to.
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
    /// Targets that were accepted; nil for an accepted audience that is no list, because the vendor does not say for how
    /// many devices.
    public var acceptedCount: Int? {
        slices.reduce(0) { sum, slice in
            guard let sum, let count = slice.acceptedCount else { return nil }
            return sum + count
        }
    }
    /// Whether every slice was accepted and every target with it, repeated ones aside.
    public var isComplete: Bool {
        interruption == nil && slices.allSatisfy { $0.error == nil && $0.exceptions.allSatisfy(\.status.isDuplicate) }
    }
    /// Targets that the vendor, or its documented rules, call invalid: remove them from your own records.
    public var invalidTargets: [Target] { exceptions.filter { $0.status == .invalid }.map(\.target) }
    /// Targets that are safe to send to again: the vendor did not act on them and may accept them another time.
    public func retryable() -> [Target] { exceptions.filter(\.status.isRetryable).map(\.target) }
}

extension SendReport: CustomStringConvertible, CustomReflectable {
    /// Counts only; targets are read through the properties.
    public var description: String {
        let accepted = slices.count { $0.error == nil }
        let targets = acceptedCount.map { "\($0) of \(targetCount) targets" } ?? "count of devices not known"
        return "\(accepted) of \(slices.count) slices accepted, \(targets)"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
