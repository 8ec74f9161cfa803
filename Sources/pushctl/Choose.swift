import ArgumentParser
import PushBridge
import PushConformance

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ranks the vendors by what you need of them, and says why and at what cost.",
        discussion: """
            A need is a word, a feature such as tags.replace, or a word with a number:
              \(Requirements.words.map(\.word).joined(separator: ", "))
              \(Requirements.limitWords.map { $0.word + "=N" }.joined(separator: ", "))
            """)

    @Option(name: .customLong("need"), help: "What you need, such as alias or tags-per-device=500. Repeatable.")
    var needs: [String] = []

    @Option(help: "Where the data has to be: a country code such as SG, or eu.")
    var region: [String] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        if needs.isEmpty, region.isEmpty { throw ValidationError("say what you need: --need alias, --region eu") }
        if region.count > 1 { throw ValidationError("give one --region") }
    }

    func run() async throws {
        let requirements = try Requirements(needs, region: region.first)
        var candidates: [Candidate] = []
        for vendor in Vendor.all {
            let assessment = requirements.assess(try await vendor.capabilities(), in: vendor.type.dataCenters)
            let others = try await vendor.extendedCapabilities().map {
                ($0.setting, requirements.assess($0.capabilities))
            }
            candidates.append(Candidate(vendor: vendor, assessment: assessment, extended: others))
        }
        // Stable, so vendors that suit alike stay in one order.
        let ranked = candidates.enumerated().sorted { left, right in
            if left.element.assessment.isBetter(than: right.element.assessment) { return true }
            if right.element.assessment.isBetter(than: left.element.assessment) { return false }
            return left.offset < right.offset
        }.map(\.element)
        if json { return Output.print(.array(ranked.map(\.json))) }
        for (index, candidate) in ranked.enumerated() {
            if index > 0 { Output.line("") }
            let name = Output.coloured(candidate.vendor.id.rawValue, .bold)
            Output.line("\(index + 1). \(name): \(candidate.summary)")
            Output.line(Tables.indented(Tables.table(["NEED", "MET", "HOW"], candidate.rows)))
        }
    }
}

/// A vendor and how it meets the requirements.
private struct Candidate {
    var vendor: Vendor
    var assessment: Assessment
    /// The same with a setting that makes more possible.
    var extended: [(setting: String, assessment: Assessment)]

    var summary: String {
        let total = Set(assessment.findings.map(\.item)).count + (assessment.dataCenters == nil ? 0 : 1)
        let unstated = assessment.unstatedCount
        let met = total - assessment.unmetCount - unstated
        return (met == total ? "meets everything" : "\(met) of \(total) met")
            + (unstated == 0 ? "" : ", \(unstated) not stated") + (vendor.harness.note.map { "; \($0)" } ?? "")
    }

    var rows: [[String]] {
        let needs = assessment.findings.indices.map { index in
            let finding = assessment.findings[index]
            let need = if case .limit = finding.need { finding.item } else { "\(finding.need)" }
            return [need, Self.word(finding.verdict), how(index)]
        }
        guard let centres = assessment.dataCenters else { return needs }
        let places = Set(vendor.type.dataCenters.all.compactMap(\.region)).sorted().joined(separator: ", ")
        let names = centres.map { "\($0.name) (\($0.region ?? ""))" }.joined(separator: ", ")
        let (word, place) = centres.isEmpty ? ("no", "its data centres are in \(places)") : ("yes", names)
        return needs + [["a data centre in the region", word, place]]
    }

    var json: JSONValue {
        let findings = assessment.findings.enumerated().map { index, finding -> JSONValue in
            var fields: [String: JSONValue] = [
                "item": .string(finding.item), "need": .string("\(finding.need)"),
                "met": .string(Self.word(finding.verdict)),
                "how": .string(how(index)),
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
        fields["note"] = vendor.harness.note.map(JSONValue.string)
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

    /// What an emulation costs and loses, or why there is none and what would help.
    private func how(_ index: Int) -> String {
        let finding = assessment.findings[index]
        let reason: String
        switch finding.verdict {
        case .met: return ""
        case .emulated(let recipe): return Self.price(recipe)
        case .unstated: reason = "the vendor does not say; ask it, or try"
        case .unmet(let why): reason = why
        }
        // The first that helps: the others are the same and more.
        for (setting, other) in extended {
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
