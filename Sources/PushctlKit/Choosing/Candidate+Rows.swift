import PushAdapter
import PushAdvisor

// A candidate as rows of a table, and for programs.

extension Candidate {
    /// A row for each need, as the summary counts them; a need whose calls differ has one for each call. The needs that
    /// are met come first.
    var rows: [[String]] {
        let findings = assessment.findings
        var items: [String] = []
        for finding in findings where !items.contains(finding.item) { items.append(finding.item) }
        let groups = items.map { item in findings.indices.filter { findings[$0].item == item } }
        let worst = groups.map { group in group.map { Self.rank(findings[$0].verdict) }.max() ?? 0 }
        let order = groups.indices.sorted { (worst[$0], $0) < (worst[$1], $1) }
        let needs = order.flatMap { rows(of: items[$0], groups[$0]) }
        guard let centers = assessment.dataCenters else { return needs }
        let places = Set(vendor.dataCenters.all.compactMap(\.region)).sorted().joined(separator: ", ")
        let names = centers.map { "\($0.name) (\($0.region ?? ""))" }.joined(separator: ", ")
        let others = places.isEmpty ? "the vendor names no region" : "its data centers are in \(places)"
        let (word, place) = centers.isEmpty ? ("no", others) : ("yes", names)
        return needs + [["a data center in the region", word, place]]
    }

    private func rows(of item: String, _ group: [Int]) -> [[String]] {
        let answers = group.map { [Self.word(assessment.findings[$0].verdict), explanation(ofFinding: $0)] }
        if Set(answers).count == 1 { return [[item] + answers[0]] }
        return zip(group, answers).map { ["\(item): \(assessment.findings[$0].need)"] + $1 }
    }

    private static func rank(_ verdict: Assessment.Verdict) -> Int {
        switch verdict {
        case .met: 0
        case .emulated: 1
        case .unstated: 2
        case .unmet: 3
        }
    }

    var json: JSONValue {
        let findings = assessment.findings.enumerated().map { index, finding -> JSONValue in
            var fields: [String: JSONValue] = [
                "item": .string(finding.item), "need": .string("\(finding.need)"),
                "met": .string(Self.word(finding.verdict)),
                "how": .string(explanation(ofFinding: index)),
            ]
            if case .feature(let feature) = finding.need { fields["feature"] = .string(feature.rawValue) }
            if case .limit(let limit, _) = finding.need { fields["limit"] = .string(limit.rawValue) }
            if case .emulated(let recipe) = finding.verdict {
                fields["requests"] = JSONValue(integerLiteral: recipe.requests)
                fields["isLossy"] = .bool(recipe.fidelity == .lossy)
            }
            return .object(fields)
        }
        var fields: [String: JSONValue] = [
            "vendor": .string(vendor.id.rawValue), "isMet": .bool(assessment.isMet), "findings": .array(findings),
        ]
        fields["note"] = vendor.note.map(JSONValue.string)
        if !datedRules.isEmpty { fields["datedRules"] = .array(datedRules.map { .string("\($0)") }) }
        fields["dataCenters"] = assessment.dataCenters.map { .array($0.map { .string($0.name) }) }
        return .object(fields)
    }

    private static func word(_ verdict: Assessment.Verdict) -> String {
        switch verdict {
        case .met: "yes"
        case .emulated: "by the client"
        case .unstated: "not stated"
        case .unmet: "no"
        }
    }
}
