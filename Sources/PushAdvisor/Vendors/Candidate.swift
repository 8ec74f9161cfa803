import PushAdapter

/// A vendor and how it meets requirements.
public struct Candidate: Sendable {
    /// The vendor.
    public let vendor: VendorProfile
    /// How a plain client meets the requirements.
    public let assessment: Assessment
    private let variants: [(setting: String, assessment: Assessment)]

    init(_ vendor: VendorProfile, _ requirements: Requirements) {
        self.vendor = vendor
        assessment = requirements.assess(vendor.capabilities, in: vendor.dataCenters)
        variants = vendor.variants.map { ($0.setting, requirements.assess($0.capabilities)) }
    }

    /// The rules of phone makers behind the vendor that begin on a day.
    public var datedRules: [DatedRule] { DatedRule.of(vendor.capabilities) }

    /// One line: "3 of 4 met, 1 not stated".
    public var summary: String {
        let total = Set(assessment.findings.map(\.item)).count + (assessment.dataCenters == nil ? 0 : 1)
        let unstated = assessment.unstatedCount
        let met = total - assessment.unmetCount - unstated
        return (met == total ? "meets everything" : "\(met) of \(total) met")
            + (unstated == 0 ? "" : ", \(unstated) not stated") + (vendor.note.map { "; \($0)" } ?? "")
    }

    /// The cost and the loss of meeting a need; or the reason why it is not met, and a setting that would help. Empty
    /// for a need that the vendor meets on its own.
    /// - Parameter index: the index of the finding in ``assessment``.
    public func explanation(ofFinding index: Int) -> String {
        let reason: String
        switch assessment.findings[index].verdict {
        case .met: return ""
        case .emulated(let recipe): return Self.price(recipe)
        case .unstated: reason = "the vendor does not say; ask it, or try"
        case .unmet(let why): reason = why
        }
        // Names the first setting that helps, because the others include it.
        for (setting, other) in variants {
            switch other.findings[index].verdict {
            case .met: return "\(reason); yes with \(setting)"
            case .emulated(let recipe): return "\(reason); with \(setting) by the client: \(Self.price(recipe))"
            case .unstated, .unmet: continue
            }
        }
        return reason
    }

    private static func price(_ recipe: Recipe) -> String {
        let cost =
            recipe.requests == 0
            ? "no request" : recipe.requests == 1 ? "1 request" : "\(recipe.requests) requests or more"
        let loss = recipe.fidelity == .lossy ? ", with a loss that you have to accept" : ""
        return "\(cost)\(recipe.isAtomic ? "" : ", not atomic")\(loss): \(recipe.caveat)"
    }
}

extension Requirements {
    /// Returns the vendors, best fit first. Of equal ones, those without a note come first, in their order.
    public func rank(_ vendors: [VendorProfile]) -> [Candidate] {
        let candidates = vendors.map { Candidate($0, self) }
        let ordered = candidates.filter { $0.vendor.note == nil } + candidates.filter { $0.vendor.note != nil }
        return ordered.enumerated().sorted { left, right in
            if left.element.assessment.isBetter(than: right.element.assessment) { return true }
            if right.element.assessment.isBetter(than: left.element.assessment) { return false }
            return left.offset < right.offset
        }.map(\.element)
    }
}
