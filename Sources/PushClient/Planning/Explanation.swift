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
        /// What one such request takes from quotas.
        public var charges: [QuotaCharge]
        /// Targets of one such request; 0 where it has no list.
        public var targetCount: Int
        /// How many requests are like this one, but for their targets.
        public var count: Int
        /// What a reader should know about the step.
        public var note: String?
    }

    /// The requests that would be sent, first to last; those that are alike are one step.
    public internal(set) var steps: [Step] = []
    /// What follows the steps, where that depends on an answer or on the ledger; nil where they are all.
    public internal(set) var rule: String?
    /// What would be refused before the wire; with a refusal and no step, nothing would be sent.
    public internal(set) var refusals: [PushError] = []
    /// A target that would not be sent.
    public struct LeftOut: Sendable {
        /// The target and its place in the list, as a report of the send would have them.
        public var report: TargetReport
        /// Which rule it breaks, or what it repeats.
        public var reason: String
    }

    /// Targets that would not be sent, repeated and malformed ones, each with the reason.
    public internal(set) var leftOut: [LeftOut] = []

    /// What all steps take from each quota.
    public var cost: [QuotaBucket: Int] {
        steps.reduce(into: [:]) { cost, step in
            for charge in step.charges { cost[charge.bucket, default: 0] += charge.cost * step.count }
        }
    }

    /// The number of requests.
    public var requestCount: Int { steps.reduce(0) { $0 + $1.count } }
}

extension Explanation: CustomStringConvertible, CustomReflectable {
    /// Counts only: addresses and targets name devices, and are read through the properties.
    public var description: String {
        "\(requestCount) requests, \(refusals.count) refusals, \(leftOut.count) targets left out"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Explanation.LeftOut: CustomStringConvertible, CustomReflectable {
    public var description: String { "position \(report.position): \(reason)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Explanation.Step: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(count > 1 ? "\(count) × " : "")\(operation): \(request)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
