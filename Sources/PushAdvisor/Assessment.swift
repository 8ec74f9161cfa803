public import PushCore

/// How a vendor meets requirements.
public struct Assessment: Sendable, Hashable {
    /// How one need is met.
    public enum Verdict: Sendable, Hashable {
        /// By the vendor itself.
        case met
        /// By the client, from other requests: at a cost, and perhaps a loss.
        case emulated(Recipe)
        /// The vendor does not say, so nothing is refused here.
        case unstated
        /// Not at all, and why.
        case unmet(String)
    }

    /// A need and how it is met.
    public struct Finding: Sendable, Hashable {
        /// The name of the item that the need is of.
        public var item: String
        /// What is needed.
        public var need: Requirements.Need
        /// How it is met.
        public var verdict: Verdict
    }

    /// In the order of the needs.
    public var findings: [Finding]
    /// The vendor's data centers in the region; nil when none was asked for.
    public var dataCenters: [DataCenter]?

    /// Things asked for that are not met, a region without a data center among them.
    public var unmetCount: Int { cost[0] }
    /// Things asked for of which the vendor does not say enough, and that are not unmet.
    public var unstatedCount: Int {
        let unmet = items { if case .unmet = $0 { true } else { false } }
        return items { $0 == .unstated }.subtracting(unmet).count
    }
    /// Whether nothing is unmet and there is a data center in the region.
    public var isMet: Bool { unmetCount == 0 }

    /// Whether this vendor suits better: fewer things unmet, then fewer with a loss, fewer that the vendor says nothing
    /// of, fewer that the client makes, and fewer requests.
    public func isBetter(than other: Assessment) -> Bool { cost.lexicographicallyPrecedes(other.cost) }

    /// Things unmet, lossy, unstated, emulated, and requests; less is better, and the first counts most. A thing that
    /// takes several needs counts once.
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

    /// The things of which a need has such a verdict.
    private func items(_ isWanted: (Verdict) -> Bool) -> Set<String> {
        Set(findings.filter { isWanted($0.verdict) }.map(\.item))
    }
}
