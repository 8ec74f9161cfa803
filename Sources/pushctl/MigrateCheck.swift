import ArgumentParser
import PushBridge

struct MigrateCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate-check",
        abstract:
            "Reads lists of tags and aliases, one to a line, and reports every one that another vendor would refuse.",
        discussion: """
            Lists may have any length: they are read as a stream. Whether an alias is there twice is not looked at; where the
            new vendor has one device for each alias, sort | uniq -d finds them.

            Exit status: 0 all can move; 1 some cannot, as reported; 64 a list cannot be read.
            """)

    @Option(help: "The vendor that the lists come from; what it would refuse itself is said so.")
    var from: String

    @Option(help: "The vendor that they go to.")
    var to: String

    @Argument(help: "A file of tags; - for standard input.")
    var tags: String

    @Argument(help: "A file of aliases; - for standard input.")
    var aliases: String?

    @Flag(help: "Print JSON for programs, an object to a line.")
    var json = false

    func validate() throws {
        if tags == "-", aliases == "-" { throw ValidationError("standard input is one list only") }
    }

    func run() async throws {
        let (old, new) = (try Vendor.named(from), try Vendor.named(to))
        let (before, after) = (try await old.capabilities().limits, try await new.capabilities())
        var refused = 0
        let lists: [(path: String?, kind: String, limit: Limit, feature: Feature)] = [
            (tags, "tag", .tagLength, .addTags), (aliases, "alias", .aliasLength, .setAlias),
        ]
        for list in lists where list.path != nil {
            guard case .unsupported(let reason) = after[list.feature] else { continue }
            throw PushError(
                .unsupported, "no \(list.kind) can move to \(new.id): \(reason)", operation: list.feature)
        }
        for list in lists {
            guard let path = list.path else { continue }
            refused += try check(path, list.kind, list.limit, (old.id, before), (new.id, after.limits))
        }
        if refused > 0 { throw ExitCode(1) }
    }

    private typealias Side = (id: ProviderID, limits: Limits)

    /// Reports each value of a list that the new vendor refuses, and gives their number.
    private func check(
        _ path: String, _ kind: String, _ limit: Limit, _ old: Side, _ new: Side
    ) throws(PushError) -> Int {
        let lines = try LineReader(path)
        var (count, refused) = (0, 0)
        while let line = try lines.next() {
            count += 1
            guard let text = String(validating: line.bytes, as: UTF8.self) else {
                refused += 1
                say(path, line.number, kind, nil, "not UTF-8")
                continue
            }
            guard let reason = Self.refusal(of: text, kind, limit, new) else { continue }
            refused += 1
            let isOld = Self.refusal(of: text, kind, limit, old) != nil
            say(path, line.number, kind, text, reason + (isOld ? "; \(old.id) refuses it as well" : ""))
        }
        if json {
            Output.print([
                "file": .string(path), "kind": .string(kind), "values": JSONValue(integerLiteral: count),
                "refused": JSONValue(integerLiteral: refused),
            ])
        } else {
            Output.line(
                "\(path): \(count) \(kind == "tag" ? "tags" : "aliases"), \(refused) of them refused by \(new.id)")
        }
        return refused
    }

    private static func refusal(of text: String, _ kind: String, _ limit: Limit, _ side: Side) -> String? {
        do throws(PushError) {
            try side.limits.check(text, kind == "tag" ? "a tag" : "an alias", limit, of: side.id)
            return nil
        } catch {
            return error.message
        }
    }

    private func say(_ path: String, _ line: Int, _ kind: String, _ text: String?, _ reason: String) {
        guard json else {
            return Output.line("\(path):\(line): " + (text.map { Redaction.quoted($0) + ": " } ?? "") + reason)
        }
        var fields: [String: JSONValue] = [
            "file": .string(path), "line": JSONValue(integerLiteral: line), "kind": .string(kind),
            "reason": .string(reason),
        ]
        fields["value"] = text.map(JSONValue.string)
        Output.print(.object(fields))
    }
}
