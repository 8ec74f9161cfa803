import ArgumentParser
import PushBridge

struct MigrateCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate-check",
        abstract:
            "Reads lists of tags and aliases, one to a line, and reports every one that another vendor would refuse.",
        discussion: """
            Lists may have any length: they are read as a stream, in UTF-8. Whether an alias is there twice is not looked at; where the
            new vendor has one device for each alias, sort | uniq -d finds them.

            Exit status: 0 all can move; 1 some cannot, as reported; 2 the new vendor has no such thing; 64 a list cannot be read.
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
        guard old.id != new.id else { throw PushError(.invalidArgument, "give two different vendors") }
        let (before, after) = (try await old.capabilities(), try await new.capabilities())
        var lists = [
            List(kind: "tag", limit: .tagLength, lines: try LineReader(tags), path: tags, limits: after.limits)
        ]
        if case .unsupported(let reason) = after[.addTags] { throw Self.refusal(of: "tag", to: new, reason) }
        if let aliases {
            var (limits, limit) = (after.limits, Limit.aliasLength)
            if case .unsupported(let reason) = after[.setAlias] {
                // A setting may make aliases of something else, which then has their limits.
                let others = try await new.extendedCapabilities()
                guard let other = others.first(where: { $0.capabilities[.setAlias] != after[.setAlias] }) else {
                    throw Self.refusal(of: "alias", to: new, reason)
                }
                (limits, limit) = (other.capabilities.limits, .accountLength)
                Output.complain("aliases are accounts at \(new.id), with the setting \(other.setting): checked as such")
            }
            lists.append(
                List(kind: "alias", limit: limit, lines: try LineReader(aliases), path: aliases, limits: limits))
        }
        var refused = 0
        for list in lists { refused += try check(list, (old.id, before.limits), new.id) }
        if refused > 0 { throw ExitCode(1) }
    }

    private static func refusal(of kind: String, to vendor: Vendor, _ reason: String) -> PushError {
        PushError(.unsupported, "no \(kind) can move to \(vendor.id): \(reason)")
    }

    /// Values of one kind, and what the new vendor demands of them.
    private struct List {
        var kind: String
        var limit: Limit
        var lines: LineReader
        var path: String
        var limits: Limits

        var oldLimit: Limit { kind == "tag" ? .tagLength : .aliasLength }
    }

    /// Reports each value of a list that the new vendor refuses, and gives their number.
    private func check(
        _ list: List, _ old: (id: ProviderID, limits: Limits), _ new: ProviderID
    ) throws(PushError) -> Int {
        var (count, refused) = (0, 0)
        while let line = try list.lines.next() {
            count += 1
            guard let text = line.text else {
                refused += 1
                say(list, line.number, nil, "not UTF-8")
                continue
            }
            guard !line.isCut else {
                refused += 1
                say(list, line.number, text, "longer than \(LineReader.longest) bytes, more than any vendor takes")
                continue
            }
            guard let reason = Self.refusal(of: text, list.kind, list.limit, new, list.limits) else { continue }
            refused += 1
            let isOld = Self.refusal(of: text, list.kind, list.oldLimit, old.id, old.limits) != nil
            say(list, line.number, text, reason + (isOld ? "; \(old.id) refuses it as well" : ""))
        }
        if json {
            Output.print([
                "file": .string(list.path), "kind": .string(list.kind), "values": JSONValue(integerLiteral: count),
                "refused": JSONValue(integerLiteral: refused),
            ])
        } else {
            let things = list.kind == "tag" ? "tags" : "aliases"
            Output.line("\(list.path): \(count) \(things), \(refused) of them refused by \(new)")
        }
        return refused
    }

    private static func refusal(
        of text: String, _ kind: String, _ limit: Limit, _ vendor: ProviderID, _ limits: Limits
    ) -> String? {
        do throws(PushError) {
            try limits.check(.text(text, limit, kind == "tag" ? "a tag" : "an alias"), of: vendor)
            return nil
        } catch {
            return error.message
        }
    }

    private func say(_ list: List, _ line: Int, _ text: String?, _ reason: String) {
        guard json else {
            return Output.line("\(list.path):\(line): " + (text.map { Redaction.quoted($0) + ": " } ?? "") + reason)
        }
        var fields: [String: JSONValue] = [
            "file": .string(list.path), "line": JSONValue(integerLiteral: line), "kind": .string(list.kind),
            "reason": .string(reason),
        ]
        fields["value"] = text.map(JSONValue.string)
        Output.print(.object(fields))
    }
}
