import Foundation
import PushAdapter
import TestSupport
import Testing
import VendorRegistry

@Suite("pushctl for authors of adapters")
struct AdapterCommandTests {
    private static var program: String { Program.folder.appending(path: "pushctl").path }
    /// This file is Tests/PushctlTests/AdapterCommandTests.swift, so the repository is three levels up.
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("the checks run in process and over loopback, as a table or as JSON", arguments: ["in-process", "loopback"])
    func conformance(level: String) async throws {
        let table = try await Program.run(
            Self.program, ["conformance", "jpush", "--level", level, "--only", "behavior.tags"])
        #expect(table.status == 0)
        #expect(table.output.contains("behavior      8          8          0          0"))
        #expect(table.output.hasSuffix("jpush, \(level): all 8 checks passed\n"))

        let data = try await Program.run(
            Self.program, ["conformance", "--all", "--level", level, "--only", "encoding.tag.", "--json"])
        let json = try JSONValue(parsing: Array(data.output.utf8))
        #expect(json["passed"] == true)
        let checks = try #require(json["reports"]?.arrayValue?.first?["checks"]?.arrayValue)
        #expect(checks.first { $0["id"] == "encoding.tag.emoji" }?["body"] == "refused")
        #expect(checks.first { $0["id"] == "encoding.tag.punctuation" }?["body"] == "supported")
    }

    @Test("the live level wants credentials, and tells a failing check by its exit status")
    func live() async throws {
        let without = try await Program.run(
            Self.program, ["conformance", "jpush", "--level", "live"],
            environment: ["PUSHBRIDGE_JPUSH_APP_KEY": "", "PUSHBRIDGE_JPUSH_MASTER_SECRET": ""])
        #expect(without.status == 78)
        // No server listens there: checks that need the vendor fail, and the others pass.
        let unreachable = try await Program.run(
            Self.program, ["conformance", "jpush", "--level", "live", "--json"],
            environment: [
                "PUSHBRIDGE_JPUSH_APP_KEY": "0123456789abcdef01234567",
                "PUSHBRIDGE_JPUSH_MASTER_SECRET": "simulator0simulator0only",
                "PUSHBRIDGE_JPUSH_ORIGIN": "https://localhost:1",
            ])
        #expect(unreachable.status == 1)
        let json = try JSONValue(parsing: Array(unreachable.output.utf8))
        let checks = try #require(json["reports"]?.arrayValue?.first?["checks"]?.arrayValue)
        let failed = checks.filter { $0["passed"] == false }.compactMap { $0["id"]?.stringValue }
        #expect(Set(failed) == ["behavior.validate.live", "behavior.keys.mint", "behavior.probe"])
        #expect(checks.count < 150)
    }

    @Test(
        "what cannot be run is refused",
        arguments: [["nobody"], [], ["jpush", "--all"], ["jpush", "--only", "nothing"]])
    func refusals(arguments: [String]) async throws {
        let result = try await Program.run(Self.program, ["conformance"] + arguments)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error: "))
    }

    /// What `--access-tokens` replaces, and by which files of the example.
    private static let tokenFiles = [
        "Sources/PushPigeon/PigeonCredentials.swift": "AccessTokens/TokenCredentials.swift",
        "Sources/PigeonSimulator/PigeonGate.swift": "AccessTokens/TokenGate.swift",
    ]

    @Test(
        "the package of a new adapter is the example under another name",
        arguments: [([], [:]), (["--access-tokens"], tokenFiles)])
    func newAdapter(options: [String], replaced: [String: String]) async throws {
        let top = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: top) }
        let folder = top.appending(path: "work")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: top.appending(path: "Package.swift"))
        func new(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(Self.program, ["new-adapter"] + arguments + options, workingFolder: folder)
        }

        // Under its own name, the new adapter equals the example, byte for byte.
        #expect(try await new("Pigeon", "--pushbridge", "../..").status == 0)
        let example = Self.repository.appending(path: "Examples/07-YourOwnAdapter")
        let files = try #require(FileManager.default.enumerator(atPath: folder.appending(path: "Pigeon").path))
        var count = 0
        for case let path as String in files where !path.hasSuffix("/") {
            let file = folder.appending(path: "Pigeon/" + path)
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            // The example uses the repository's.
            guard path != ".gitignore" else { continue }
            let source = example.appending(path: replaced[path] ?? path)
            #expect(try Data(contentsOf: file) == Data(contentsOf: source), "\(path)")
            count += 1
        }
        #expect(count == 11)

        #expect(try await new("Courier", "--pushbridge", "../..").status == 0)
        for path in ["Courier", "CourierCredentials"] {
            let file = folder.appending(path: "Courier/Sources/PushCourier/\(path).swift")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("struct \(path): ") && !text.lowercased().contains("pigeon"), "\(path)")
        }
    }

    @Test("a new adapter needs a new folder, the name of a type, and PushBridge")
    func newAdapterRefusals() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Courier"), withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "Package.swift"))
        for arguments in [
            ["Courier", "--pushbridge", ".."], ["courier", "--pushbridge", ".."], ["A/B", "--pushbridge", ".."],
            ["Nowhere", "--pushbridge", "."],
        ] {
            let result = try await Program.run(Self.program, ["new-adapter"] + arguments, workingFolder: folder)
            #expect(result.status == 64, "\(arguments)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["Courier", "Package.swift"])
    }
}

@Suite("Generated tables")
struct TableTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("each vendor has a page")
    func pages() {
        let pages = PageTests.pages.map(\.name).filter { $0.hasPrefix("Adapters/") && $0.hasSuffix("/README.md") }
        #expect(pages.count == KnownVendors.names.count)
    }

    @Test(
        "the tables of the pages are what the adapters declare",
        arguments: PageTests.pages.filter { $0.text.contains("\n<!-- pushctl ") }.map(\.name))
    func tables(page: String) async throws {
        let text = try #require(PageTests.pages.first { $0.name == page }?.text)
        let blocks = text.components(separatedBy: "<!-- pushctl ").dropFirst()
        for block in blocks {
            let parts = block.components(separatedBy: " -->\n")
            let arguments = parts[0].split(separator: " ").map(String.init)
            let expected = try await Program.run(Program.folder.appending(path: "pushctl").path, arguments)
            let table = parts.dropFirst().joined(separator: " -->\n").components(separatedBy: "<!-- end pushctl").first
            #expect(table == expected.output, "\(page) is old: run scripts/tables.sh")
            #expect(expected.status == 0)
        }
    }

    @Test("the pages count the lines that an author starts from")
    func start() throws {
        let example = Self.repository.appending(path: "Examples/07-YourOwnAdapter")
        func lines(_ path: String) throws -> Int {
            try String(contentsOf: example.appending(path: path), encoding: .utf8).count { $0 == "\n" }
        }
        func sum(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: example.appending(path: folder).path)
                .reduce(0) { try $0 + lines("\(folder)/\($1)") }
        }
        func page(_ name: String) throws -> String { try #require(PageTests.pages.first { $0.name == name }?.text) }

        let adapter = try sum("Sources/PushPigeon")
        let simulator = try sum("Sources/PigeonSimulator")
        #expect(adapter + simulator <= 400)
        let readme = try page("README.md")
        #expect(readme.contains("starts with \(adapter) lines of adapter and \(simulator) of simulator"))
        let article = try page("Sources/PushConformance/PushConformance.docc/WriteAnAdapter.md")
        #expect(article.contains("an adapter of \(adapter) lines and a simulator of \(simulator) "))
        #expect(article.contains("| \(adapter) | \(simulator) |"))
        let credentials =
            try lines("AccessTokens/TokenCredentials.swift") - lines("Sources/PushPigeon/PigeonCredentials.swift")
        let gate = try lines("AccessTokens/TokenGate.swift") - lines("Sources/PigeonSimulator/PigeonGate.swift")
        #expect(article.contains("| \(adapter + credentials) | \(simulator + gate) |"))
    }

    @Test(
        "the code of an article is the example that is compiled",
        arguments: [
            ("PushBridge/PushBridge.docc/ABackendInTenMinutes.md", 6),
            ("PushOutbox/PushOutbox.docc/OneUserSeveralVendors.md", 1),
        ])
    func article(path: String, count: Int) throws {
        let page = Self.repository.appending(path: "Sources/" + path)
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "<!-- file ").dropFirst()
        #expect(blocks.count == count)
        for block in blocks {
            let parts = block.components(separatedBy: " -->\n")
            let source = try String(contentsOf: Self.repository.appending(path: parts[0]), encoding: .utf8)
            let copy = parts[1].components(separatedBy: "<!-- end file").first
            #expect(copy == "\n```swift\n\(source)```\n\n", "\(parts[0]): run scripts/tables.sh")
        }
    }
}
