public import PushAdapter

/// How a vendor meets requirements.
public struct Assessment: Sendable, Hashable {
    /// How one need is met.
    public enum Verdict: Sendable, Hashable {
        /// By the vendor.
        case met
        /// By the client, with other requests: at a cost, and perhaps with a loss.
        case emulated(Recipe)
        /// The vendor does not say, so the need is not refused.
        case unstated
        /// Not at all, with the reason.
        case unmet(String)
    }

    /// A need and how it is met.
    public struct Finding: Sendable, Hashable {
        /// The name of the item that has the need.
        public var item: String
        /// The need.
        public var need: Requirements.Need
        /// How it is met.
        public var verdict: Verdict
    }

    /// In the order of the needs.
    public var findings: [Finding]
    /// The vendor's data centers in the region; nil when no region was requested.
    public var dataCenters: [DataCenter]?

    /// The number of requested things that are not met, including a region without a data center.
    public var unmetCount: Int { cost[0] }
    /// The number of requested things that the vendor does not say enough about, and that are not unmet.
    public var unstatedCount: Int {
        let unmet = items { if case .unmet = $0 { true } else { false } }
        return items { $0 == .unstated }.subtracting(unmet).count
    }
    /// Whether nothing is unmet and there is a data center in the region.
    public var isMet: Bool { unmetCount == 0 }

    /// Whether this vendor fits better: fewer things unmet, then fewer lossy, fewer unstated, fewer emulated by the
    /// client, and fewer requests.
    public func isBetter(than other: Assessment) -> Bool { cost.lexicographicallyPrecedes(other.cost) }

    /// Things unmet, lossy, unstated, emulated, and requests; less is better, and the first counts most. A thing with
    /// several needs counts once.
    private var cost: [Int] {
        var requests = 0
        for case .emulated(let recipe) in findings.map(\.verdict) {
            let (sum, isTooBig) = requests.addingReportingOverflow(recipe.requests)
            requests = isTooBig ? .max : sum
        }
        return [
            items { if case .unmet = $0 { true } else { false } }.count + (dataCenters?.isEmpty == true ? 1 : 0),
            items { if case .emulated(let recipe) = $0 { recipe.fidelity == .lossy } else { false } }.count,
            items { $0 == .unstated }.count,
            items { if case .emulated = $0 { true } else { false } }.count,
            requests,
        ]
    }

    /// The things that have a need with such a verdict.
    private func items(_ isWanted: (Verdict) -> Bool) -> Set<String> {
        Set(findings.filter { isWanted($0.verdict) }.map(\.item))
    }
}
