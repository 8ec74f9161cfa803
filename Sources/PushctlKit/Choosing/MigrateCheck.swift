import ArgumentParser
import PushAdvisor
import PushBridge

struct MigrateCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate-check",
        abstract: "Lists the tags and aliases that another vendor would refuse.",
        discussion: """
            A list has one tag or alias per line, in UTF-8. It may have any length, because it is read as a stream. \
            Duplicate aliases are not checked. If the new vendor allows one device per alias, find them with \
            sort | uniq -d.

            Exit status: 0 all can move; 1 some cannot, as reported; 2 the new vendor does not have tags or aliases; \
            64 a list cannot be read.
            """)

    @Option(help: "The vendor that the lists come from; values that it refuses too are marked.", completion: .vendors)
    var from: String

    @Option(help: "The vendor that the lists move to.", completion: .vendors)
    var to: String

    @Argument(help: "A file of tags; - for standard input.")
    var tags: String

    @Argument(help: "A file of aliases; - for standard input.")
    var aliases: String?

    @Flag(help: "Print JSON for programs, one object per line.")
    var json = false

    func validate() throws { try ArgumentCheck.checkFiles(tags, aliases) }

    func run() async throws {
        let (old, new) = (try await Vendor.named(from).profile(), try await Vendor.named(to).profile())
        let tagCheck = try MigrationCheck(of: .tag, from: old, to: new)
        var lists = [List(check: tagCheck, lines: try LineReader(tags), path: tags)]
        if let aliases {
            let check = try MigrationCheck(of: .alias, from: old, to: new)
            if let setting = check.setting {
                Output.complain(
                    "aliases become accounts at \(new.id) with the setting \(setting), and are checked as such")
            }
            lists.append(List(check: check, lines: try LineReader(aliases), path: aliases))
        }
        var refused = 0
        for list in lists { refused += try check(list, new.id) }
        if refused > 0 { throw ExitCode(1) }
    }

    /// Values of one kind.
    private struct List {
        let check: MigrationCheck
        let lines: LineReader
        let path: String
    }

    /// Reports each value of a list that the new vendor refuses, and returns their number.
    private func check(_ list: List, _ new: ProviderID) throws(PushError) -> Int {
        var (count, refused) = (0, 0)
        while let line = try list.lines.next() {
            count += 1
            guard let reason = Self.refusal(of: line, by: list.check) else { continue }
            refused += 1
            say(list, line, reason)
        }
        if json {
            Output.print([
                "file": .string(list.path), "kind": .string(list.check.kind.rawValue),
                "values": JSONValue(integerLiteral: count), "refused": JSONValue(integerLiteral: refused),
            ])
        } else {
            let things = list.check.kind == .tag ? "tags" : "aliases"
            Output.line("\(list.path): \(count) \(things), \(refused) of them refused by \(new)")
        }
        return refused
    }

    private static func refusal(of line: LineReader.Line, by check: MigrationCheck) -> String? {
        guard let text = line.text else { return "not UTF-8" }
        guard !line.isCut else { return "longer than \(LineReader.longest) bytes, more than any vendor accepts" }
        return check.refusal(of: text)
    }

    private func say(_ list: List, _ line: LineReader.Line, _ reason: String) {
        guard json else {
            let value = line.text.map { Redaction.quoted($0) + ": " } ?? ""
            return Output.line("\(list.path):\(line.number): \(value)\(reason)")
        }
        var fields: [String: JSONValue] = [
            "file": .string(list.path), "line": JSONValue(integerLiteral: line.number),
            "kind": .string(list.check.kind.rawValue), "reason": .string(reason),
        ]
        fields["value"] = line.text.map(JSONValue.string)
        Output.print(.object(fields))
    }
}
