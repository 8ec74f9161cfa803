import Foundation
import TestSupport
import Testing

/// The commands of the pages besides pushctl's: scripts, Swift's, packages to install, products to name.
@Suite("Shell commands of the pages")
struct PageShellTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What a page says now: the changelog also names what is gone.
    private static let pages = PageTests.pages.filter { $0.name != "CHANGELOG.md" }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    /// The Swift files of a folder as one text; empty for a folder that does not exist.
    private static func sources(in folder: String) -> String {
        let root = repository.appending(path: folder)
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
        return (files ?? []).filter { $0.pathExtension == "swift" }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    /// Words between marks such as quotes or backticks.
    private static func words(_ text: some StringProtocol, in mark: Character) -> [String] {
        text.split(separator: mark, omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    // MARK: Scripts

    /// A script that a page names, with the options that follow on the line.
    struct Script: Sendable, CustomTestStringConvertible {
        let page: String
        let path: String
        let options: [String]

        var testDescription: String { "\(page): \(([path] + options).joined(separator: " "))" }
    }

    private static let scripts: [Script] = pages.flatMap { name, text in
        text.matches(of: #/\b(scripts\/[\w.-]*\w)([^`\n#|]*)/#).map { match in
            // The options of this one are Swift's, below.
            let isSwift = match.output.1 == "scripts/swift.sh"
            let options = match.output.2.matches(of: #/ --([a-z][a-z-]*)/#).map { String($0.output.1) }
            return Script(page: name, path: String(match.output.1), options: isSwift ? [] : options)
        }
    }

    @Test("a script that a page names exists, and knows the options", arguments: scripts)
    func script(named script: Script) throws {
        let text = try Self.text(of: script.path)
        // A script that passes its arguments on has the options of its program.
        let name = URL(filePath: script.path).deletingPathExtension().lastPathComponent
        let program =
            text.contains(#""$@""#)
            ? Self.sources(in: "Tests/\(name.capitalized)") + Self.sources(in: "Benchmarks/Sources/\(name)") : ""
        for option in script.options {
            let words = option.split(separator: "-")
            let property = words[0] + words.dropFirst().map(\.capitalized).joined()
            #expect(
                text.contains("--\(option)") || program.contains("var \(property)"),
                "\(script.path) has no option --\(option)")
        }
    }

    // MARK: Swift

    /// The words after `swift` or `scripts/swift.sh` of each command in the pages' blocks.
    private static let commands: [(page: String, words: [String])] = PageTests.blocks
        .filter { ["sh", "dockerfile", ""].contains($0.language) }.flatMap { block in
            block.text.matches(of: #/\bswift(?:\.sh)? ((?:build|run|test)\b[^\n#|&)]*)/#).map { match in
                (block.page, match.output.1.split(separator: " ").map(String.init))
            }
        }

    private static let manifests: String =
        ["Package.swift", "Examples/11-Backend/Package.swift", "Benchmarks/Package.swift"]
        .compactMap { try? text(of: $0) }.joined()

    @Test("a program or a suite that a command of Swift names exists, and so do its options")
    func swift() async throws {
        var named: [(page: String, kind: String, name: String)] = []
        for (page, words) in Self.commands {
            let takesValue = ["--package-path", "--traits", "--configuration", "-c", "--product", "--filter"]
            var rest = words.dropFirst()
            while let word = rest.first, word.hasPrefix("-") || word.hasPrefix("\"$") {
                if word.hasPrefix("-") { named.append((page, words[0], word)) }
                if word == "--product" || word == "--filter", let name = rest.dropFirst().first {
                    named.append((page, word, name))
                }
                rest = rest.dropFirst(takesValue.contains(word) ? 2 : 1)
            }
            if words[0] == "run", let name = rest.first { named.append((page, "program", name)) }
        }
        #expect(named.count > 30)
        #expect(Set(named.map(\.kind)) == ["build", "run", "test", "program", "--product", "--filter"])

        var help: [String: String] = [:]
        for command in ["build", "run", "test"] {
            help[command] = try await Program.run("/usr/bin/env", ["swift", command, "--help"]).output
        }
        for (page, kind, name) in named {
            let exists =
                switch kind {
                case "--filter":
                    FileManager.default.fileExists(atPath: Self.repository.appending(path: "Tests/\(name)").path)
                case "--product", "program": Self.manifests.contains(#"name: "\#(name)""#)
                default: help[kind]?.contains(try Regex("[ /]\(name)[ ,/\n]")) == true
                }
            #expect(exists, "\(page): \(kind) \(name)")
        }
    }

    // MARK: Packages and products

    /// The Debian packages that a line of `scripts/setup.sh` or a call of it lists.
    private static func packages(_ path: String, after start: String, until end: Character) throws -> [String] {
        let text = try text(of: path)
        let first = try #require(text.firstRange(of: start)?.upperBound, "\(path) has no \(start)")
        return text[first...].prefix { $0 != end }.split(separator: " ").map(String.init).filter { !$0.contains("$") }
    }

    @Test("the packages that the pages have a reader install are those of the scripts")
    func packages() throws {
        let build = Set(try Self.packages("scripts/setup.sh", after: "packages=(", until: ")"))
        let tests = Set(try Self.packages("scripts/test.sh", after: "\nscripts/setup.sh ", until: "\n"))
        #expect(build.count == 6 && tests.count == 7)
        for (page, text) in Self.pages {
            for name in text.matches(of: #/\b(lib[\w.-]+-dev|pkg-config)\b/#).map({ String($0.output.1) }) {
                #expect(build.contains(name), "\(page): \(name)")
            }
        }
        let readme = try Self.text(of: "README.md")
        let both = try #require(readme.firstMatch(of: #/Both install ([^:]*?) for the\s+build/#)?.output.1)
        #expect(Set(Self.words(both, in: "`")) == build)
        let more = try #require(readme.firstMatch(of: #/`scripts\/test.sh` also installs ([^\n]*)\./#)?.output.1)
        #expect(Set(Self.words(more, in: "`")) == tests)
    }

    @Test("a product of PushBridge that a page names exists")
    func products() throws {
        let manifest = try Self.text(of: "Package.swift")
        let list = try #require(manifest.firstMatch(of: #/let vendors = \[([^\]]*)\]/#)?.output.1)
        let libraries = manifest.matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.output.1) }
        let products = Set(
            libraries + Self.words(list, in: "\"").flatMap { ["Push\($0)", "\($0)Simulator"] })
        #expect(products.count > 30)

        var named: [(page: String, name: String)] = []
        for (page, text) in Self.pages {
            named += text.matches(of: #/\.product\(name: "(\w+)", package: "PushBridge"\)/#).map {
                (page, String($0.output.1))
            }
            let table = text.components(separatedBy: "\n| I want | Products |").dropFirst().first ?? ""
            for row in table.split(separator: "\n").dropFirst().prefix(while: { $0.hasPrefix("|") }) {
                let cells = row.split(separator: "|")
                let names = Self.words(cells.count > 1 ? cells[1] : "", in: "`")
                named += names.filter { $0.hasPrefix("Push") || $0.hasSuffix("Simulator") }.map { (page, $0) }
            }
        }
        #expect(named.count > 40)
        for (page, name) in named { #expect(products.contains(name), "\(page): \(name)") }
    }
}
