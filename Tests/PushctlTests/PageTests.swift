import Foundation
import PushAdapter
import TestSupport
import Testing

/// The commands, the JSON and the links of the pages.
@Suite("Pages")
struct PageTests {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A code block of a page.
    struct Block: Sendable, CustomTestStringConvertible {
        let page: String
        let line: Int
        let language: String
        let text: String

        var testDescription: String { "\(page):\(line)" }
    }

    static let pages: [(name: String, text: String)] = {
        var pages: [(String, String)] = []
        for folder in ["docs", "Sources", "Adapters", "Examples", "Benchmarks", "."] {
            let root = repository.appending(path: folder)
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                if folder == ".", file.hasDirectoryPath { files?.skipDescendants() }
                if file.lastPathComponent == ".build" { files?.skipDescendants() }
                guard file.pathExtension == "md", let text = try? String(contentsOf: file, encoding: .utf8) else {
                    continue
                }
                pages.append((String(file.standardizedFileURL.path.dropFirst(repository.path.count + 1)), text))
            }
        }
        return pages
    }()

    static let blocks: [Block] = pages.flatMap { name, text in
        var blocks: [Block] = []
        var open: (line: Int, language: String, lines: [Substring])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open {
                blocks.append(
                    Block(
                        page: name, line: block.line, language: block.language,
                        text: block.lines.joined(separator: "\n")))
                open = nil
            } else {
                open = (number + 1, String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }

    /// The commands of `pushctl` in a block, as words.
    private static func commands(in block: Block) -> [[String]] {
        block.text.replacing("\\\n", with: " ").split(separator: "\n").compactMap { line in
            var words: [String] = []
            for word in line.prefix(upTo: line.firstRange(of: " #")?.lowerBound ?? line.endIndex).split(separator: " ")
            {
                if ["|", ">", "&&", "&"].contains(word) { break }
                words.append(word.trimmingCharacters(in: ["'", "\""]))
            }
            words = Array(words.drop { $0.contains("=") && !$0.hasPrefix("-") })
            guard let start = words.firstIndex(of: "pushctl"),
                start == 0 || words.dropFirst().first == "run" && ["swift", "scripts/swift.sh"].contains(words[0])
            else { return nil }
            return Array(words[(start + 1)...])
        }
    }

    @Test("the pages are found")
    func found() {
        #expect(Self.pages.count { $0.text.contains("\n<!-- pushctl ") } == 15)
        #expect(Self.pages.count > 30 && Self.pages.contains { $0.name == "README.md" })
        #expect(Self.blocks.count { $0.language == "sh" } > 20 && Self.blocks.contains { $0.language == "json" })
        #expect(Self.blocks.filter { $0.language == "sh" }.flatMap(Self.commands).count > 20)
    }

    /// The last option does not exist, so the command ends before it does anything, and its error names the first word
    /// that does not exist.
    @Test("every command of a page exists, with its options", arguments: Self.blocks.filter { $0.language == "sh" })
    func commands(block: Block) async throws {
        for command in Self.commands(in: block) {
            let result = try await Program.run(
                Program.folder.appending(path: "pushctl").path, command + ["--is-not-an-option"])
            #expect(
                result.status == 64 && result.errors.hasPrefix("error: there is no option '--is-not-an-option'"),
                "\(command.joined(separator: " ")): \(result.errors)")
        }
    }

    @Test("every JSON text of a page is read", arguments: Self.blocks.filter { $0.language == "json" })
    func json(block: Block) async throws {
        let value = try JSONValue(parsing: Array(block.text.utf8))
        let isSettings = ["vendor", "routes", "jpush", "apns"].contains { value[$0] != nil }
        guard isSettings || value["notification"] != nil || value["custom"] != nil else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).json")
        try Data(block.text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var arguments = ["explain", "--to", "everyone", "--message", file.path]
        if isSettings {
            arguments =
                value["routes"] == nil
                ? ["tags", "get", "device", "--config", file.path]
                : ["route", "migration", "--bindings", "/dev/null", "--config", file.path]
        }
        let result = try await Program.run(Program.folder.appending(path: "pushctl").path, arguments)
        // A name that the library does not know is refused with this; a page may leave settings out.
        #expect(
            !result.errors.contains("unknown setting") && !result.errors.contains("object or null"), "\(result.errors)")
        if !isSettings { #expect([0, 2].contains(result.status), "\(result.errors)") }
    }

    @Test("the page of message classes has each maker's word for each category")
    func words() throws {
        let page = try #require(Self.pages.first { $0.name.hasSuffix("MessageClasses.md") }?.text)
        var capabilities = Capabilities(support: [:])
        let makers: [ProviderID] = [.huawei, .harmony, .honor, .oppo, .vivo]
        capabilities.classMakers = Set(makers)
        var count = 0
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 7, let intent = MessageClass.Intent(rawValue: cells[1]) else { continue }
            let given = MessageClass(intent, MessageClass.Category(cells[0]))
            let message = Message(notification: Notification(body: "B"), messageClass: given)
            let words = try #require(try MakerWords(message, capabilities))
            #expect(
                given.category.intent == intent && makers.map { words.word(at: $0) ?? "–" } == Array(cells.suffix(5)),
                "\(line)")
            count += 1
        }
        #expect(count == 21)
    }

    @Test("the page about deployment has every name of logs, metrics and spans, and no other")
    func vocabulary() throws {
        let page = try #require(Self.pages.first { $0.name == "docs/Deploy.md" }?.text)
        let path = "Sources/PushObservability/Vocabulary.swift"
        let source = try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
        let names = source.matches(of: #/"((?:push|server|http)\.[a-z._]+)"/#).map(\.output.1)
        #expect(names.count > 40)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
        for match in page.matches(of: #/`(push(?:\.[a-z_]+)+)`/#) {
            #expect(names.contains(match.output.1), "\(match.output.1)")
        }
    }

    @Test("the article about errors has a row for every kind, and for no other")
    func kinds() throws {
        let page = try #require(Self.pages.first { $0.name.hasSuffix("/ErrorsAndRetries.md") }?.text)
        let path = "Sources/PushCore/Errors/PushError.swift"
        let source = try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
        let kinds = source.matches(of: #/static let (\w+): Kind = /#).map { String($0.output.1) }
        #expect(kinds.count > 20)
        let table = try #require(page.components(separatedBy: "\n| `kind` | ").dropFirst().first)
        let rows = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        let named = rows.flatMap { row in
            row.dropFirst().prefix { $0 != "|" }.matches(of: #/`(\w+)`/#).map { String($0.output.1) }
        }
        #expect(named.sorted() == kinds.sorted())
    }

    @Test("every link of a page leads to a file, an article or a heading", arguments: Self.pages.map(\.name))
    func links(page: String) throws {
        let text = try #require(Self.pages.first { $0.name == page }?.text)
        let file = Self.repository.appending(path: page)
        for match in text.matches(of: #/\]\(([^)\s]+)\)|<(doc:[^>]+)>/#) {
            let link = match.output.1 ?? match.output.2 ?? ""
            guard !["http:", "https:", "mailto:"].contains(where: { link.hasPrefix($0) }) else { continue }
            let path = link.prefix { $0 != "#" }
            var target = file
            if !path.isEmpty {
                let name = path.hasPrefix("doc:") ? path.dropFirst(4) + ".md" : path
                target = file.deletingLastPathComponent().appending(path: String(name))
            }
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
            guard path.count < link.count else { continue }
            let anchors = Self.anchors(try String(contentsOf: target, encoding: .utf8))
            #expect(anchors.contains(String(link.dropFirst(path.count + 1))), "\(link)")
        }
    }

    /// The names that a forge gives a page's headings.
    private static func anchors(_ page: String) -> Set<String> {
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                return words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
            })
    }
}
