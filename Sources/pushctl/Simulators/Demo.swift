import ArgumentParser
import DemoStory
import PushBridge

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a demo backend against simulators, over HTTPS on this machine.",
        discussion: "The same program runs on every vendor, or on the one you name. Then it lists the differences.")

    @Argument(help: "A vendor; all of them without it.", completion: .vendors)
    var vendor: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    func run() async throws {
        let wanted = try vendor.map { (name) throws(PushError) in try Vendor.named(name).id.rawValue }
        let isQuiet = json
        var stories: [(vendor: String, steps: [StoryStep])] = []
        for stage in try StoryStage.all.map({ try $0() })
        where wanted == nil || wanted == stage.vendor {
            let steps = try await Story.run(on: stage) { step in
                guard !isQuiet else { return }
                let mark = step.isRight ? Output.colored("ok", .green) : Output.colored("FAILED", .red)
                Output.line("\(mark)  \(Output.colored(step.title, .bold))")
                for fact in step.facts { Output.line("    \(fact.name): \(fact.value.shown)") }
            }
            stories.append((stage.vendor, steps))
            if !isQuiet { Output.line("") }
        }
        let differences = Self.differences(stories)
        guard !stories.isEmpty else { throw PushError(.unsupported, "there is no demo for \(wanted ?? "any vendor")") }
        let isRight = stories.allSatisfy { $0.steps.allSatisfy(\.isRight) }
        if json {
            let vendors = stories.map { ($0.vendor, JSONValue.array($0.steps.map(\.json))) }
            Output.print([
                "isRight": .bool(isRight), "vendors": .object(Dictionary(vendors) { first, _ in first }),
                "differences": .array(differences.map { ["title": .string($0.title), "facts": .array($0.lines)] }),
            ])
        } else {
            for difference in differences {
                Output.line("\(Output.colored("differs", .bold))  \(difference.title)")
                for line in difference.lines { Output.line("    \(line.shown)") }
            }
            Output.line(isRight ? "\nEverything happened as it should." : "\nSomething went wrong.")
        }
        if !isRight { throw ExitCode(1) }
    }

    /// The facts that differ between vendors: what a vendor can do, what it costs, what the caller learns.
    private static func differences(
        _ stories: [(vendor: String, steps: [StoryStep])]
    ) -> [(title: String, lines: [JSONValue])] {
        // The address and the message ids differ in any case.
        let ownWords: Set<String> = ["address", "message"]
        guard let first = stories.first, stories.count > 1 else { return [] }
        return first.steps.indices.dropFirst().compactMap { index in
            let steps = stories.map { ($0.vendor, $0.steps[index]) }
            var names: [String] = []
            for (_, step) in steps { names += step.facts.map(\.name).filter { !names.contains($0) } }
            let lines = names.filter { !ownWords.contains($0) }.flatMap { name -> [JSONValue] in
                let values = steps.map { ($0, $1.facts.first { $0.name == name }?.value.shown ?? "-") }
                guard Set(values.map(\.1)).count > 1 else { return [] }
                return values.map { vendor, value in .string("\(name), \(vendor): \(value)") }
            }
            return lines.isEmpty ? nil : (first.steps[index].title, lines)
        }
    }
}
