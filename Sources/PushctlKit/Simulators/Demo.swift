import ArgumentParser
import DemoStory
import PushAdapter
import PushBridge
import PushSimulation
import PushWebPush

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a demo backend against simulators, over HTTPS on this machine.",
        discussion: """
            The same program runs on every vendor, or on the one you name. Without a name, the worker of an outbox is \
            killed at the end, and the differences between vendors are listed.
            """)

    @Argument(help: "A vendor; all without it.", completion: .vendors)
    var vendor: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    @Flag(
        help: """
            Serve a page about the simulator while the demo of the vendor runs, with phones of Alice, Bob and Carol, and \
            keep it until SIGINT or SIGTERM. Name the vendor.
            """)
    var inspect = false

    @Flag(
        help: """
            Serve a page that receives pushes, and open it in Firefox with a profile that lasts as long as the demo. \
            Sends a push at once, and another each time you press Enter. Only for webpush.
            """)
    var open = false

    func run() async throws {
        if open { return try await runInBrowser() }
        if inspect { return try await runInspected() }
        let wanted = try vendor.map { (name) throws(PushError) in try Vendor.named(name).id.rawValue }
        let isQuiet = json
        var stories: [(vendor: String, steps: [StoryStep])] = []
        for stage in try StoryStage.all.map({ try $0() })
        where wanted == nil || wanted == stage.vendor {
            let steps = try await Story.run(on: stage) { step in
                if !isQuiet { Self.show(step) }
            }
            stories.append((stage.vendor, steps))
            if !isQuiet { Output.line("") }
        }
        var last: [StoryStep] = []
        if wanted == nil {
            last = try await KilledWorker.run()
            if !isQuiet {
                last.forEach(Self.show)
                Output.line("")
            }
        }
        let differences = Self.differences(stories)
        guard !stories.isEmpty else { throw PushError(.unsupported, "there is no demo for \(wanted ?? "any vendor")") }
        let isRight = stories.allSatisfy { $0.steps.allSatisfy(\.isRight) } && last.allSatisfy(\.isRight)
        if json {
            let vendors = stories.map { ($0.vendor, JSONValue.array($0.steps.map(\.json))) }
            Output.print([
                "isRight": .bool(isRight), "vendors": .object(Dictionary(vendors) { first, _ in first }),
                "outbox": .array(last.map(\.json)),
                "differences": .array(
                    differences.map { difference in
                        let facts = difference.rows.map { row in
                            let values = zip(stories.map(\.vendor), row.dropFirst()).map { ($0, JSONValue.string($1)) }
                            return [
                                "fact": .string(row[0]), "values": .object(Dictionary(values) { first, _ in first }),
                            ] as JSONValue
                        }
                        return ["title": .string(difference.title), "facts": .array(facts)]
                    }),
            ])
        } else {
            for difference in differences {
                Output.line(Output.colored("differs: \(difference.title)", .bold))
                Output.line(Tables.indented(Tables.matrix(stories.map(\.vendor), difference.rows, indent: 3)))
            }
            Output.line(isRight ? "\nEverything happened as it should." : "\nSomething went wrong.")
        }
        if !isRight { throw ExitCode(1) }
    }

    private func runInBrowser() async throws {
        guard vendor?.lowercased() == WebPush.id.rawValue, !json, !inspect else {
            throw PushError(.invalidArgument, "--open is for webpush only, without --json and --inspect")
        }
        try await BrowserDemo.run()
    }

    /// Runs one vendor's story under the eyes of a page.
    private func runInspected() async throws {
        guard let vendor, !json else {
            throw PushError(.invalidArgument, "--inspect needs the name of a vendor, and prints no JSON")
        }
        let name = try Vendor.named(vendor).id.rawValue
        guard let stage = try StoryStage.all.lazy.map({ try $0() }).first(where: { $0.vendor == name }) else {
            throw PushError(.unsupported, "there is no demo for \(vendor)")
        }
        let host = SimulatorHost(stage.simulator)
        let signal = StopSignal()
        let isRight = try await Inspection.withPage(
            of: host, devices: stage.people, provider: stage.makeProvider(InProcessTransport.origin), port: 0
        ) { address in
            Output.line("The page is at \(address)\n")
            let steps = try await Story.run(on: stage, host, Self.show)
            Output.line("\nThe page stays until you stop this program.")
            await signal.wait()
            return steps.allSatisfy(\.isRight)
        }
        if !isRight { throw ExitCode(1) }
    }

    @Sendable private static func show(_ step: StoryStep) {
        let mark = step.isRight ? Output.colored("ok", .green) : Output.colored("FAILED", .red)
        Output.line("\(mark)  \(Output.colored(step.title, .bold))")
        for fact in step.facts { Output.line("    \(fact.name): \(fact.value.shown)") }
    }

    /// The facts that differ between vendors: features, costs, and results for the caller.
    private static func differences(
        _ stories: [(vendor: String, steps: [StoryStep])]
    ) -> [(title: String, rows: [[String]])] {
        // The address and the message ids differ in any case.
        let ownWords: Set<String> = ["address", "message"]
        guard let first = stories.first, stories.count > 1 else { return [] }
        return first.steps.indices.dropFirst().compactMap { index in
            let steps = stories.map { ($0.vendor, $0.steps[index]) }
            var names: [String] = []
            for (_, step) in steps { names += step.facts.map(\.name).filter { !names.contains($0) } }
            let rows = names.filter { !ownWords.contains($0) }.compactMap { name -> [String]? in
                let values = steps.map { $1.facts.first { $0.name == name }?.value.shown ?? "-" }
                return Set(values).count > 1 ? [name] + values : nil
            }
            return rows.isEmpty ? nil : (first.steps[index].title, rows)
        }
    }
}
