import Foundation
import Testing

/// `scripts/docs.sh` finds every link that leads nowhere, but it builds everything anew. This finds the usual ones.
@Suite("The links in comments")
struct CommentLinkTests {
    private struct Module {
        var declared: Set<Substring> = ["init", "subscript"]
        var links: [(name: Substring, place: String)] = []
    }

    private static let keywords: Set<Substring> = [
        "actor", "associatedtype", "case", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]

    /// DocC looks for the name of a link only in the module whose comment has it.
    @Test("a link in double backticks begins with a name that its module declares")
    func links() throws {
        let modules = try Self.modules()
        #expect(modules.values.reduce(0) { $0 + $1.links.count } > 400)
        for (name, module) in modules {
            for link in module.links where !module.declared.contains(link.name) && link.name != name {
                Issue.record("\(link.place): \(link.name)")
            }
        }
    }

    private static func modules() throws -> [String: Module] {
        var modules: [String: Module] = [:]
        for root in ["Sources", "Adapters"] {
            let folder = PageTests.repository.appending(path: root)
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            while let file = files.nextObject() as? URL {
                let path = file.standardizedFileURL.path.dropFirst(PageTests.repository.path.count + 1)
                let parts = path.split(separator: "/")
                let isPage = path.hasSuffix(".md") && path.contains(".docc/")
                guard parts.count > 2, !parts.contains("Tests"), isPage || path.hasSuffix(".swift") else { continue }
                let name = root == "Sources" ? String(parts[1]) : parts.prefix(3).joined(separator: "/")
                let text = try String(contentsOf: file, encoding: .utf8)
                for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    if isPage || line.contains("///") {
                        read(line, at: "\(path):\(number + 1)", into: &modules[name, default: Module()].links)
                    } else {
                        modules[name, default: Module()].declared.formUnion(declared(line))
                    }
                }
            }
        }
        return modules
    }

    /// The first name of each link: `A` of `A/b(_:)`.
    private static func read(_ line: Substring, at place: String, into links: inout [(name: Substring, place: String)])
    {
        // Three backticks begin or end code.
        guard !line.contains("```") else { return }
        let texts = line.components(separatedBy: "``").enumerated().filter { !$0.offset.isMultiple(of: 2) }
        for (_, text) in texts { links.append((text.prefix { $0.isLetter || $0.isNumber }, place)) }
    }

    private static func declared(_ line: Substring) -> [Substring] {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(where: keywords.contains) else { return [] }
        let names = words[keyword...].dropFirst()
        // Only a line of cases has several.
        return names.prefix(words[keyword] == "case" ? names.count : 1).map { word in
            word.drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        }
    }
}
