import ArgumentParser
import PushAdapter
import PushAdvisor
import PushBridge
import PushConformance

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ranks the vendors by what you need, with reasons and costs.",
        discussion: """
            A need is a word, a feature such as tags.replace, or a word with a number.

            Words: \(Requirements.words.map(\.word).joined(separator: ", ")).

            Words with a number: \(Requirements.limitWords.map { $0.word + "=N" }.joined(separator: ", ")).

            With a platform in front, such as ios:live-activity, a need is for the devices of that platform. Each \
            platform gets a ranking of its own then, because an app may send through a vendor for each.

            With --platform, the answer is a set of vendors: for each platform the best way and the second, and the \
            fewest vendors that reach all. The name of a phone maker means its phones without Google's services, as in \
            mainland China; android means Android phones with these services. A need such as android:tags is then for \
            the makers' phones too, and xiaomi:tags for Xiaomi's only. Needs of a message's class count for makers only.
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
            """, completion: .platforms)
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
