import ArgumentParser
import PushBridge

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows a backend at work against a JPush simulator, over HTTPS on this machine.")

    @Flag(help: "Print JSON for programs.")
    var json = false

    func run() async throws {
        let isQuiet = json
        let steps = try await DemoStory.tell { step in
            guard !isQuiet else { return }
            let mark = step.isRight ? Output.coloured("ok", .green) : Output.coloured("FAILED", .red)
            Output.line("\(mark)  \(Output.coloured(step.title, .bold))")
            for line in step.lines { Output.line("    \(line)") }
        }
        let isRight = steps.allSatisfy(\.isRight)
        if json {
            Output.print(["isRight": .bool(isRight), "steps": .array(steps.map(\.json))])
        } else {
            Output.line(isRight ? "\nEverything happened as it should." : "\nSomething did not happen as it should.")
        }
        if !isRight { throw ExitCode(1) }
    }
}
