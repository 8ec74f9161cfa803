public import PushCore

/// What a call would do, without doing it: the requests, what they cost, and why some of it would be refused.
public struct Explanation: Sendable {
    /// One request that would be sent.
    public struct Step: Sendable {
        /// The feature that the request uses.
        public var operation: Feature
        /// Without credentials: those are added to each attempt.
        public var request: WireRequest
        /// The absolute address.
        public var url: String
        /// What the request takes from quotas.
        public var charges: [QuotaCharge]
        /// Targets of the request; 0 where it has no list.
        public var targetCount: Int
        /// What a reader should know about the step.
        public var note: String?
    }

    /// The requests that would be sent, first to last.
    public internal(set) var steps: [Step] = []
    /// What would be refused before the wire; with a refusal and no step, nothing would be sent.
    public internal(set) var refusals: [PushError] = []
    /// Targets that would not be sent: repeated and malformed ones.
    public internal(set) var exceptions: [TargetReport] = []

    /// What all steps take from each quota.
    public var cost: [QuotaBucket: Int] {
        steps.flatMap(\.charges).reduce(into: [:]) { $0[$1.bucket, default: 0] += $1.cost }
    }
}
