import ArgumentParser
import Foundation
import PushAdapter
import PushAdvisor
import PushBridge

struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what changes when an app moves from one vendor to another.")

    @Argument(help: "The vendor that the app leaves.", completion: .vendors)
    var from: String

    @Argument(help: "The vendor that the app moves to.", completion: .vendors)
    var to: String

    @Option(help: "A JSON file with a message, to show its requests side by side; - for standard input.")
    var message: String?

    @Option(name: .customLong("to"), help: "The message's audience: everyone, tags:TAG,TAG, aliases:NAME, or JSON.")
    var audience: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        if message == nil, audience != nil { throw ValidationError("--to needs a --message") }
        if let audience, Input.deviceFile(audience) != nil {
            throw ValidationError("name a few devices instead of a file; each vendor has its own ids anyway")
        }
    }

    func run() async throws {
        let message = try message.map { (file) throws(PushError) in try Input.message(ofFile: file) }
        let audience = try Input.audience(audience ?? "everyone")
        let vendors = try [from, to].map { (name) throws(PushError) in try Vendor.named(name) }
        var profiles: [VendorProfile] = []
        for vendor in vendors { profiles.append(try await vendor.profile()) }
        let comparison = try Comparison(from: profiles[0], to: profiles[1])
        var requests: Requests?
        if let message { requests = try await Requests(of: message, to: audience, at: vendors) }
        let note = profiles[1].note
        if json {
            var fields = Dictionary(uniqueKeysWithValues: comparison.sections.map { ($0.name, $0.json) })
            fields["note"] = note.map(JSONValue.string)
            fields["requests"] = requests?.json
            Output.print(.object(fields))
        } else {
            if let note { Output.line("note: \(profiles[1].id) is \(note)\n") }
            Output.line(
                (comparison.sections.map(\.text) + [requests?.text].compactMap(\.self)).joined(separator: "\n\n"))
        }
    }
}

extension Comparison.Section {
    fileprivate var text: String {
        Output.colored(title, .bold) + "\n"
            + Tables.indented(rows.isEmpty ? nothing : Tables.table(columns.map(\.title), rows, indent: 3))
    }

    fileprivate var json: JSONValue {
        .array(rows.map { .object(Dictionary(zip(columns.map(\.key), $0.map(JSONValue.string))) { $1 }) })
    }
}

/// A message's requests at both vendors.
private struct Requests {
    private var sides: [(name: String, explanation: Explanation)] = []

    init(of message: Message, to audience: Audience, at vendors: [Vendor]) async throws(PushError) {
        for vendor in vendors {
            let side = try await vendor.withClient { client in
                // If an app has one platform, show that platform's request.
                let platform = client.capabilities.platforms.flatMap { $0.count == 1 ? $0.first : nil }
                let name = vendor.id.rawValue + (platform.map { " for \($0.rawValue)" } ?? "")
                return (name: name, explanation: client.explain(message, to: audience))
            }
            sides.append(side)
        }
    }

    /// The requests in two columns, line by line.
    var text: String {
        let columns = sides.map { Self.lines($0.explanation) }
        let rows = (0..<(columns.map(\.count).max() ?? 0)).map { line in
            columns.map { line < $0.count ? $0[line] : "" }
        }
        return Output.colored("The message on the wire", .bold) + "\n"
            + Tables.indented(Tables.table(sides.map { $0.name.uppercased() }, rows, indent: 3))
    }

    var json: JSONValue {
        .object(Dictionary(uniqueKeysWithValues: sides.map { ($0.name, Tables.json($0.explanation)) }))
    }

    private static func lines(_ explanation: Explanation) -> [String] {
        var lines: [String] = []
        for step in explanation.steps {
            let path = step.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last ?? ""
            lines.append("\(step.request.method.rawValue) /\(path)")
            if step.count > 1 { lines.append("(\(step.count) like this)") }
            if let note = step.note { lines.append("(\(note))") }
            if let body = step.body { lines += pretty(body) }
        }
        lines += explanation.remarks.map { "remark: \($0)" }
        return lines + explanation.refusals.map { "refused: \($0.kind): \($0.message)" }
    }

    private static func pretty(_ body: String) -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let value = try? JSONValue(parsing: Array(body.utf8)), let data = try? encoder.encode(value) else {
            return [body]
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
