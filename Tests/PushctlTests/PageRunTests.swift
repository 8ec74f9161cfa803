import Foundation
import PushAdapter
import TestSupport
import Testing

/// Runs commands of README as they stand there, in a shell where `swift run pushctl` is the built program.
@Suite("the commands of the first page, run")
struct PageRunTests {
    private static let program = Program.folder.appending(path: "pushctl").path

    /// The lines of the shell block that begins with these words.
    private static func block(_ start: String) throws -> String {
        let page = try String(contentsOf: PageTests.repository.appending(path: "README.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        return try #require(blocks.first { $0.hasPrefix(start) })
    }

    private func shell(_ lines: String, files: [String: String] = [:]) async throws -> Program.Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let swift = #"swift() { [ "$1 $2" = "run pushctl" ]; shift 2; "\#(Self.program)" "$@"; }"#
        return try await Program.run(
            "/bin/bash", ["-euo", "pipefail", "-c", swift + "\n" + lines], workingFolder: folder)
    }

    @Test("a reader chooses a vendor, compares two and checks tags")
    func choosing() async throws {
        let result = try await shell(
            Self.block("swift run pushctl choose"),
            files: ["message.json": #"{"notification": {"title": "Shop", "body": "Hello"}}"#, "tags.txt": "vip\nnew\n"])
        #expect(result.status == 0, "\(result.errors)")
        for word in ["engagelab", "huawei", "tpns"] { #expect(result.output.contains(word)) }
        let explained = try await shell(Self.block("echo '{\"notification\""))
        #expect(explained.status == 0 && explained.output.contains("POST https://"), "\(explained)")
    }

    @Test("a reader starts a simulator, sets a tag and sends to it")
    func sending() async throws {
        let story = try Self.block("swift run pushctl simulate").components(separatedBy: "# prints ")
        let start = try #require(story.first).replacing("\\\n", with: " ").split(separator: " ").map(String.init)
        #expect(start.prefix(3) == ["swift", "run", "pushctl"])
        let arguments = start.dropFirst(3).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let simulator = try Program(Self.program, arguments.filter { !$0.isEmpty })
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        let fields = try JSONValue(parsing: Array(line.utf8))
        let (origin, file) = try (
            #require(fields["origin"]?.stringValue), #require(fields["caFile"]?.stringValue)
        )
        let rest = try #require(story.last).split(separator: "\n").dropFirst().joined(separator: "\n")
        let result = try await shell(
            rest.replacing("ORIGIN=https://localhost:...", with: "ORIGIN=\(origin)")
                .replacing("CA_FILE=...", with: "CA_FILE='\(file)'"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("added vip") && result.output.contains("accepted"), "\(result)")
    }
}
