import ArgumentParser
import PushAdapter
import PushAdvisor
import PushBridge
import PushConformance

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ranks the vendors by what you need, with reasons and costs.",
        discussion: """
            A need is a word, a feature such as tags.replace, or a word with a number:
              \(Requirements.words.map(\.word).joined(separator: ", "))
              \(Requirements.limitWords.map { $0.word + "=N" }.joined(separator: ", "))

            With a platform in front, such as ios:live-activity, a need is for the devices of that platform. Each \
            platform gets a ranking of its own then, because an app may send through a vendor for each.

            With --platform, the answer is a set of vendors: for each platform the best way and the second, and the \
            fewest vendors that reach all. The name of a phone maker means its phones in mainland China, and android \
            means Android phones with Google's services. A need such as android:tags is then for the makers' phones too. \
            Needs of a message's class count for makers only.
            """)

    @Option(
        name: .customLong("need"),
        help: "What you need, such as alias, tags-per-device=500 or ios:live-activity. Repeatable.",
        completion: .needs)
    var needs: [String] = []

    @Option(
        name: .customLong("platform"),
        help: """
            Devices that you have, perhaps with their share in percent: ios, harmony, web, android, or a phone maker such \
            as huawei=70. Repeatable.
            """)
    var platforms: [String] = []

    @Option(help: "Where the data must be: a country code such as SG, or eu.")
    var region: [String] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        if needs.isEmpty, region.isEmpty, platforms.isEmpty {
            throw ValidationError("say what you need: --need alias, --region eu, --platform huawei=70")
        }
        if region.count > 1 { throw ValidationError("give only one --region") }
    }

    func run() async throws {
        var needs = Needs()
        for need in self.needs { needs.add(need) }
        var profiles: [VendorProfile] = []
        for vendor in Vendor.all { profiles.append(try await vendor.profile()) }
        guard platforms.isEmpty else { return try show(coverage(by: profiles, needs)) }
        guard !needs.ofPlatforms.isEmpty else {
            let ranked = try requirements(needs.common).rank(profiles)
            if json { return Output.print(.array(ranked.map(\.json))) }
            return show(ranked, for: nil)
        }
        var rankings: [(platform: Platform, candidates: [Candidate])] = []
        for (platform, own) in needs.ofPlatforms {
            let requirements = try requirements(needs.common + own)
            var reaching: [VendorProfile] = []
            for profile in profiles where try Vendor.named(profile.id.rawValue).reaches(platform) {
                reaching.append(profile)
            }
            rankings.append((platform, requirements.rank(reaching)))
        }
        if json {
            let fields = rankings.map { ($0.platform.rawValue, JSONValue.array($0.candidates.map(\.json))) }
            return Output.print(["platforms": .object(Dictionary(uniqueKeysWithValues: fields))])
        }
        for (platform, candidates) in rankings {
            Output.line(Output.colored("for \(platform.rawValue)", .bold) + "\n")
            show(candidates, for: platform)
            Output.line("")
        }
        let best = rankings.compactMap { ranking in
            ranking.candidates.first.map { "\($0.vendor.id) for \(ranking.platform.rawValue) (\($0.summary))" }
        }
        Output.line("together: \(best.joined(separator: ", "))")
    }

    /// An unknown need is answered with the known one that is nearest, or with all.
    func requirements(_ needs: [String]) throws(PushError) -> Requirements {
        let known = Requirements.words.map(\.word) + Requirements.limitWords.map(\.word)
        for need in needs {
            do throws(PushError) { _ = try Requirements([need]) } catch {
                let suggestion = Mistake.suggestion(for: String(need.prefix { $0 != "=" }).lowercased(), among: known)
                guard !suggestion.isEmpty else { throw error }
                throw PushError(
                    .invalidArgument,
                    "unknown need \(Redaction.quoted(need))\(suggestion); see 'pushctl choose --help'")
            }
        }
        return try Requirements(needs, region: region.first)
    }

    private func show(_ ranked: [Candidate], for platform: Platform?) {
        for (index, candidate) in ranked.enumerated() {
            if index > 0 { Output.line("") }
            let name = Output.colored(candidate.vendor.id.rawValue, .bold)
            Output.line("\(index + 1). \(name): \(candidate.summary)")
            // Phone makers' rules do not reach iPhones.
            let rules = platform == .ios ? [] : candidate.datedRules.map(\.row)
            Output.line(Tables.indented(Tables.table(["NEED", "MET", "HOW"], candidate.rows + rules, indent: 3)))
        }
    }

    /// Needs of all devices, and of those of a platform.
    struct Needs {
        var common: [String] = []
        /// In the order in which the platforms were named.
        var ofPlatforms: [(platform: Platform, needs: [String])] = []

        mutating func add(_ need: String) {
            let parts = need.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return common.append(need) }
            let platform = Platform(parts[0])
            let known = ofPlatforms.firstIndex { $0.platform == platform }
            if let known {
                ofPlatforms[known].needs.append(parts[1])
            } else {
                ofPlatforms.append((platform, [parts[1]]))
            }
        }
    }
}

extension Vendor {
    /// Whether an app at the vendor can have devices of a platform.
    fileprivate func reaches(_ platform: Platform) throws(PushError) -> Bool {
        guard [.ios, .android].contains(platform) else {
            throw PushError(
                .invalidArgument,
                "\(Redaction.quoted(platform.rawValue)) is not a platform to choose for; write ios: or android: in front "
                    + "of a need")
        }
        return try harness.makeApps().contains { $0.provider.capabilities.platforms?.contains(platform) ?? true }
    }
}

extension DatedRule {
    /// As a row below the needs.
    fileprivate var row: [String] { ["a rule of \(maker)", "from \(day)", "\(text) (\(source))"] }
}

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
