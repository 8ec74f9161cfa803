import ArgumentParser
import PushAdvisor
import PushBridge

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ranks the vendors by what you need, with reasons and costs.",
        discussion: """
            A need is a word, a feature such as tags.replace, or a word with a number:
              \(Requirements.words.map(\.word).joined(separator: ", "))
              \(Requirements.limitWords.map { $0.word + "=N" }.joined(separator: ", "))
            """)

    @Option(
        name: .customLong("need"), help: "What you need, such as alias or tags-per-device=500. Repeatable.",
        completion: .needs)
    var needs: [String] = []

    @Option(help: "Where the data must be: a country code such as SG, or eu.")
    var region: [String] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        if needs.isEmpty, region.isEmpty { throw ValidationError("say what you need: --need alias, --region eu") }
        if region.count > 1 { throw ValidationError("give only one --region") }
    }

    func run() async throws {
        let requirements = try Requirements(needs, region: region.first)
        var profiles: [VendorProfile] = []
        for vendor in Vendor.all { profiles.append(try await vendor.profile()) }
        let ranked = requirements.rank(profiles)
        if json { return Output.print(.array(ranked.map(\.json))) }
        for (index, candidate) in ranked.enumerated() {
            if index > 0 { Output.line("") }
            let name = Output.colored(candidate.vendor.id.rawValue, .bold)
            Output.line("\(index + 1). \(name): \(candidate.summary)")
            Output.line(Tables.indented(Tables.table(["NEED", "MET", "HOW"], candidate.rows, indent: 3)))
        }
    }
}

extension Candidate {
    /// The needs that are met come first.
    fileprivate var rows: [[String]] {
        let verdicts = ["yes", "by the client", "not stated", "no"]
        let order = assessment.findings.indices.sorted { left, right in
            let ranks = [left, right].map { verdicts.firstIndex(of: Self.word(assessment.findings[$0].verdict)) ?? 0 }
            return ranks[0] == ranks[1] ? left < right : ranks[0] < ranks[1]
        }
        let needs = order.map { index in
            let finding = assessment.findings[index]
            let need = if case .limit = finding.need { finding.item } else { "\(finding.need)" }
            return [need, Self.word(finding.verdict), explanation(ofFinding: index)]
        }
        guard let centers = assessment.dataCenters else { return needs }
        let places = Set(vendor.dataCenters.all.compactMap(\.region)).sorted().joined(separator: ", ")
        let names = centers.map { "\($0.name) (\($0.region ?? ""))" }.joined(separator: ", ")
        let others = places.isEmpty ? "the vendor names no region" : "its data centers are in \(places)"
        let (word, place) = centers.isEmpty ? ("no", others) : ("yes", names)
        return needs + [["a data center in the region", word, place]]
    }

    fileprivate var json: JSONValue {
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
