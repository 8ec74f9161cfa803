public import PushAdapter

/// A dry run of a call: its requests, their costs, and its refusals with their reasons.
public struct Explanation: Sendable {
    /// One request that would be sent.
    public struct Step: Sendable {
        /// The feature that the request uses.
        public var operation: Feature
        /// The request without credentials, which each attempt adds.
        public var request: WireRequest
        /// The absolute address.
        public var url: String
        /// The quota units that one such request costs.
        public var charges: [QuotaCharge]
        /// Targets of one such request; 0 where it has no list.
        public var targetCount: Int
        /// How many requests are the same except for their targets.
        public var count: Int
        /// A remark about the step.
        public var note: String?
        let secrets: [Secret]

        /// The body of the request as a text for people, with `***` in place of `PushProvider.sentSecrets`; nil
        /// without a body, and for a body of several parts.
        public var body: String? { request.body.text(masking: secrets) }
    }

    /// The requests that would be sent, in order; similar requests are one step.
    public internal(set) var steps: [Step] = []
    /// A description of further steps, if they depend on a response or the ledger; nil if nothing follows.
    public internal(set) var rule: String?
    /// What the send leaves out without a refusal: fields that the vendor ignores, words that a phone maker does not get,
    /// and the notifications a day that phone makers show.
    public internal(set) var remarks: [String] = []
    /// The refusals before anything is sent. With a refusal and no step, the call would send nothing.
    public internal(set) var refusals: [PushError] = []
    /// A target that the send would leave out.
    public struct LeftOut: Sendable {
        /// The target and its place in the list, as in a report of the send.
        public var report: TargetReport
        /// The rule that it breaks, or the position that it repeats.
        public var reason: String
    }

    /// The targets that the send would leave out, repeated and malformed ones, each with the reason.
    public internal(set) var leftOut: [LeftOut] = []

    /// The cost of all steps in each quota.
    public var cost: [QuotaBucket: Int] {
        steps.reduce(into: [:]) { cost, step in
            for charge in step.charges { cost[charge.bucket, default: 0] += charge.cost * step.count }
        }
    }

    /// The number of requests.
    public var requestCount: Int { steps.reduce(0) { $0 + $1.count } }
}

extension Explanation: CustomStringConvertible, CustomReflectable {
    /// Counts only, because addresses and targets identify devices; read those through the properties.
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
