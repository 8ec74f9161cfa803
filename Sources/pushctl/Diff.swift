import ArgumentParser
import PushBridge
import PushConformance

struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what changes when an app moves from one vendor to another.")

    @Argument(help: "The vendor that the app leaves.")
    var from: String

    @Argument(help: "The vendor that it goes to.")
    var to: String

    @Option(help: "A JSON file with a message, whose requests are shown side by side; - for standard input.")
    var message: String?

    @Option(name: .customLong("to"), help: "Whom the message is for: everyone, tags:TAG,TAG, aliases:NAME, or JSON.")
    var audience: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        if message == nil, audience != nil { throw ValidationError("--to is for a --message") }
        if let audience, Input.deviceFile(audience) != nil {
            throw ValidationError("name a few devices instead of a file; ids are a vendor's own anyway")
        }
    }

    func run() async throws {
        let message = try message.map { (file) throws(PushError) in try Input.message(ofFile: file) }
        let audience = try Input.audience(audience ?? "everyone")
        let comparison = try await Comparison(from: Vendor.named(from), to: Vendor.named(to))
        var requests: Comparison.Requests?
        if let message { requests = try await comparison.requests(message, audience) }
        if json {
            var fields = Dictionary(uniqueKeysWithValues: comparison.sections.map { ($0.name, $0.json) })
            fields["note"] = comparison.to.harness.note.map(JSONValue.string)
            fields["requests"] = requests?.json
            Output.print(.object(fields))
        } else {
            if let note = comparison.to.harness.note { Output.line("note: \(comparison.to.id) is \(note)\n") }
            Output.line(
                (comparison.sections.map(\.text) + [requests?.text].compactMap(\.self)).joined(separator: "\n\n"))
        }
    }
}
