import PushAdapter
import PushAdvisor
import PushBridge

// The answer for a population: a set of vendors.

extension Choose {
    /// Reads the platforms and the needs of each. Refuses with `invalidArgument` a need of a platform that is not among
    /// them.
    func coverage(by vendors: [VendorProfile], _ needs: Needs) throws(PushError) -> Coverage {
        var population = try Population(platforms, reachedBy: vendors)
        for (platform, own) in needs.ofPlatforms where !population.parts.contains(where: { $0.isMeant(by: platform) }) {
            throw PushError(
                .invalidArgument,
                "the need \(Redaction.quoted("\(platform):\(own[0])")) is of no --platform; add "
                    + "--platform \(Redaction.quoted(platform.rawValue)), or leave the need out")
        }
        for index in population.parts.indices {
            let own = needs.ofPlatforms.filter { population.parts[index].isMeant(by: $0.platform) }.flatMap(\.needs)
            population.parts[index].requirements = try requirements(needs.common + own)
        }
        return Coverage(of: population, by: vendors)
    }

    func show(_ coverage: Coverage) {
        if json { return Output.print(coverage.json) }
        show(coverage.choices.flatMap(\.rows))
        show("what is not simply met", ["PLATFORM", "NEED", "MET", "HOW"], coverage.choices.flatMap(\.gaps))
        show(
            "what phone makers show", ["MAKER AND CLASS", "NUMBER", "ABOVE IT", "SOURCE"],
            coverage.choices.flatMap(\.classes))
        show("rules that begin on a day", ["FROM", "MAKER", "RULE", "SOURCE"], coverage.choices.flatMap(\.rules))
        Output.line("")
        for line in coverage.conclusions { Output.line(line) }
    }

    /// The last column is left out if it is empty.
    private func show(_ options: [[String]]) {
        let header = ["PLATFORM", "SHARE", "WAY", "VENDOR", "WHAT IT IS", "NEEDS"]
        let count = options.allSatisfy { $0.last?.isEmpty ?? true } ? header.count - 1 : header.count
        Output.line(Tables.table(Array(header.prefix(count)), options.map { Array($0.prefix(count)) }))
    }

    private func show(_ title: String, _ header: [String], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        Output.line("\n" + Output.colored(title, .bold) + "\n")
        Output.line(Tables.table(header, rows))
    }
}

extension Coverage.Choice {
    /// The best vendor and the second one.
    fileprivate var rows: [[String]] {
        let share = part.share.map { "\($0) %" } ?? "–"
        guard let best else { return [[part.platform.rawValue, share, "none", "–", "no vendor here reaches it", ""]] }
        return [[part.platform.rawValue, share, "best"] + best.cells]
            + (second.map { [["", "", "second"] + $0.cells] } ?? [])
    }

    /// The needs that the best vendor does not meet on its own.
    fileprivate var gaps: [[String]] {
        (best?.candidate.rows ?? []).filter { $0[1] != "yes" }.map { [part.platform.rawValue] + $0 }
    }

    /// How many notifications the phone maker shows if the best vendor sends them.
    fileprivate var classes: [[String]] {
        guard let maker = part.maker, let best else { return [] }
        let hasService = best.quotas.contains { $0.intent != .marketing }
        let service = [["\(maker): service", "no number stated", "", ""]]
        return Matrix.rows(best.quotas) + (hasService ? [] : service)
    }

    /// The phone maker's rules that begin on a day.
    fileprivate var rules: [[String]] {
        best?.datedRules.map { [$0.day, $0.maker.rawValue, $0.text, $0.source] } ?? []
    }

    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = [
            "platform": .string(part.platform.rawValue), "isPhoneMaker": .bool(part.maker != nil),
            "hasOwnVendor": .bool(hasOwnVendor), "vendors": .array(options.map { .string($0.vendor.rawValue) }),
        ]
        fields["share"] = part.share.map { JSONValue(integerLiteral: $0) }
        fields["best"] = best.map(\.json)
        fields["second"] = second.map(\.json)
        if let best, part.maker != nil { fields["classQuotas"] = .array(best.quotas.map(Matrix.json)) }
        return .object(fields)
    }
}

extension Coverage.Option {
    fileprivate var cells: [String] {
        let hasNeeds = !candidate.assessment.findings.isEmpty || candidate.assessment.dataCenters != nil
        return [vendor.rawValue, summary, hasNeeds ? candidate.summary : candidate.vendor.note ?? ""]
    }

    private var summary: String {
        let place =
            switch distance {
            case .own: "its own vendor"
            case .several: "a vendor of several platforms"
            case .passing: "passes messages on"
            }
        return place + (passesClass == false ? ", without their class" : "")
    }

    fileprivate var json: JSONValue {
        guard case .object(var fields) = candidate.json else { return candidate.json }
        fields["whatItIs"] = .string(summary)
        fields["passesClass"] = passesClass.map(JSONValue.bool)
        fields.removeValue(forKey: "datedRules")
        if !datedRules.isEmpty { fields["datedRules"] = .array(datedRules.map { .string("\($0)") }) }
        return .object(fields)
    }
}

extension Coverage {
    /// The vendors to take, and the platforms without a vendor of their own.
    fileprivate var conclusions: [String] {
        let all = best.map(\.rawValue).joined(separator: ", ")
        let few = fewest.map(\.rawValue).joined(separator: ", ")
        let sets =
            fewest.count < best.count
            ? ["best ways: \(all)", "fewest vendors that meet as many needs: \(few)"] : ["together: \(all)"]
        return sets + choices.compactMap(\.warning)
    }

    fileprivate var json: JSONValue {
        [
            "population": .array(choices.map(\.json)), "best": .array(best.map { .string($0.rawValue) }),
            "fewest": .array(fewest.map { .string($0.rawValue) }),
        ]
    }
}

extension Coverage.Choice {
    /// That a maker's phones have no vendor of their own here; nil for others.
    fileprivate var warning: String? {
        guard part.maker != nil, !hasOwnVendor else { return nil }
        let name = part.platform.rawValue + (part.share.map { " (\($0) %)" } ?? "")
        guard !options.isEmpty else { return "\(name): no vendor here reaches these phones" }
        let vendors = options.map(\.vendor.rawValue).joined(separator: ", ")
        return "\(name): no adapter for the maker's own service; only through \(vendors)"
    }
}
