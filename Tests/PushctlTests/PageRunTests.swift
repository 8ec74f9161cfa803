import Foundation
import PushAdapter
import TestSupport
import Testing

/// Runs commands of the pages as they stand there, in a shell where `pushctl` and `swift run pushctl` are the built
/// program.
@Suite("the commands of the pages, run")
struct PageRunTests {
    private static let program = Program.folder.appending(path: "pushctl").path

    /// Who runs the block of a page that begins with these words: a test below, unless one of the others is named.
    private struct Runner {
        let page: String
        let start: String
        /// The file of a test or script, and what it runs.
        var elsewhere: (file: String, words: String)?
        /// Why only a person runs it.
        var byHand: String?

        func runs(_ block: PageTests.Block) -> Bool {
            block.text.hasPrefix(start) && (block.page == page || block.page.hasSuffix(".docc/\(page)"))
        }
    }

    private static let backend = (file: "scripts/backend.sh", words: "ABackendInTenMinutes.md")
    private static let skeleton = (file: "scripts/test.sh", words: "pushctl new-adapter Courier")

    private static let runners: [Runner] = [
        Runner(page: "README.md", start: "swift run pushctl choose"),
        Runner(page: "README.md", start: "swift run pushctl simulate"),
        Runner(page: "README.md", start: "echo '{\"notification\""),
        Runner(page: "Adapters/APNs/README.md", start: "swift run pushctl simulate apns"),
        Runner(page: "ABackendInTenMinutes.md", start: "swift run pushctl simulate"),
        Runner(page: "ChooseAVendor.md", start: "swift run pushctl choose --need"),
        Runner(page: "ChooseAVendor.md", start: "swift run pushctl choose --platform"),
        Runner(page: "MoveBetweenVendors.md", start: "swift run pushctl diff"),
        Runner(page: "MoveBetweenVendors.md", start: "swift run pushctl migrate-check"),
        Runner(page: "WebPushInTenMinutes.md", start: "umask"),
        Runner(page: outbox, start: "export PUSHBRIDGE_OUTBOX_STORE"),
        Runner(page: outbox, start: "pushctl outbox pause"),
        Runner(page: outbox, start: "pushctl outbox run"),
        Runner(page: outbox, start: "export PUSHBRIDGE_OUTBOX_PAGE_TOKEN"),
        Runner(page: outbox, start: "pushctl outbox enqueue"),
        Runner(page: "ABackendInTenMinutes.md", start: "export VENDOR", elsewhere: backend),
        Runner(page: "ABackendInTenMinutes.md", start: "curl", elsewhere: backend),
        Runner(
            page: "CONTRIBUTING.md", start: "swift format lint",
            elsewhere: ("scripts/test.sh", "swift format lint --strict")),
        Runner(page: "README.md", start: "swift run --package-path", elsewhere: skeleton),
        Runner(page: "WriteAnAdapter.md", start: "swift run --package-path", elsewhere: skeleton),
        Runner(page: "README.md", start: "swift run pushctl demo"),
        Runner(
            page: "WebPushInTenMinutes.md", start: "swift run pushctl demo",
            elsewhere: ("Tests/PushctlTests/BrowserDemoTests.swift", #"["demo", "webpush", "--open"]"#)),
        Runner(page: "README.md", start: "swift run pushctl conformance", byHand: "a minute; tests run a part of it"),
        Runner(page: "README.md", start: "scripts/demo.sh", byHand: "builds, and runs these tests"),
        Runner(page: "CONTRIBUTING.md", start: "scripts/demo.sh", byHand: "builds, and runs these tests"),
        Runner(page: "CONTRIBUTING.md", start: "scripts/swift.sh", byHand: "builds"),
        Runner(page: "CONTRIBUTING.md", start: "scripts/api-changes.sh", byHand: "builds two versions"),
        Runner(page: "Benchmarks/README.md", start: "scripts/bench.sh", byHand: "half an hour"),
        Runner(page: "WriteAnAdapter.md", start: "git init"),
        Runner(page: "WriteAnAdapter.md", start: "swift test", byHand: "builds"),
        Runner(page: "docs/Deploy.md", start: "docker build", byHand: "a registry"),
    ]

    /// The lines of the shell block that begins with these words.
    /// - Parameter page: the path of a page, or the name of an article.
    private static func block(_ start: String, of page: String = "README.md") throws -> String {
        let runner = try #require(runners.first { $0.page == page && $0.start == start })
        try #require(runner.elsewhere == nil && runner.byHand == nil)
        let block = PageTests.blocks.first { $0.language == "sh" && runner.runs($0) }
        return try #require(block?.text, "\(page) has no \(start)")
    }

    @Test("every command of the pages is run here, elsewhere, or by hand for a reason")
    func all() throws {
        let blocks = PageTests.blocks.filter { $0.language == "sh" }
        for block in blocks {
            #expect(Self.runners.count { $0.runs(block) } == 1, "\(block.testDescription): \(block.text)")
        }
        for runner in Self.runners {
            #expect(blocks.contains { runner.runs($0) }, "\(runner.page) has no \(runner.start)")
            guard let (file, words) = runner.elsewhere else { continue }
            let text = try String(contentsOf: PageTests.repository.appending(path: file), encoding: .utf8)
            #expect(text.contains(words), "\(file) has no \(words)")
        }
    }

    /// A folder with what the commands read, in which they run.
    private struct Desk {
        let folder: URL
        var environment: [String: String] = [:]

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }

        /// Runs lines of a page, and expects that they succeed.
        @discardableResult
        func run(_ lines: String) async throws -> String {
            let result = try await shell(lines)
            #expect(result.status == 0, "\(lines): \(result)")
            return result.output
        }

        func shell(_ lines: String) async throws -> Program.Result {
            try await Program.run(
                "/bin/bash", Self.arguments(lines), environment: environment, workingFolder: folder)
        }

        private static func arguments(_ lines: String) -> [String] {
            let programs = #"""
                pushctl() { "\#(PageRunTests.program)" "$@"; }
                swift() { [ "$1 $2" = "run pushctl" ]; shift; "$@"; }
                """#
            return ["-euo", "pipefail", "-c", programs + "\n" + lines]
        }

        /// Starts the simulator of a block, and returns the line that it prints.
        func simulate(_ block: String) async throws -> (Program, JSONValue) {
            let words = block.replacing("\\\n", with: " ").split { $0.isWhitespace }.map(String.init)
            #expect(words.prefix(4) == ["swift", "run", "pushctl", "simulate"])
            let simulator = try Program(PageRunTests.program, Array(words.dropFirst(3)))
            let line = try #require(try await simulator.firstLine())
            return (simulator, try JSONValue(parsing: Array(line.utf8)))
        }
    }

    private func withDesk(_ body: (inout Desk) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var desk = Desk(folder: folder)
        try await body(&desk)
    }

    @Test(
        "a command that needs no simulator",
        arguments: [
            ("README.md", "swift run pushctl choose", ["engagelab", "huawei", "tpns"]),
            ("README.md", "echo '{\"notification\"", ["POST https://"]),
            ("ChooseAVendor.md", "swift run pushctl choose --need", ["engagelab", "tags-per-device"]),
            ("ChooseAVendor.md", "swift run pushctl choose --platform", ["huawei", "70 %"]),
            ("MoveBetweenVendors.md", "swift run pushctl diff", ["engagelab", "tpns"]),
            ("MoveBetweenVendors.md", "swift run pushctl migrate-check", ["engagelab"]),
        ])
    func alone(page: String, start: String, words: [String]) async throws {
        try await withDesk { desk in
            try desk.write(#"{"notification": {"title": "Shop", "body": "Hello"}}"#, to: "message.json")
            for name in ["tags.txt", "aliases.txt"] { try desk.write("vip\nnew\n", to: name) }
            let output = try await desk.run(try Self.block(start, of: page))
            for word in words { #expect(output.contains(word), "\(output)") }
        }
    }

    @Test("a reader starts a simulator, sets a tag and sends to it")
    func sending() async throws {
        try await withDesk { desk in
            let story = try Self.block("swift run pushctl simulate").components(separatedBy: "# prints ")
            let (simulator, line) = try await desk.simulate(try #require(story.first))
            defer { simulator.send(signal: SIGTERM) }
            let (origin, file) = try (#require(line["origin"]?.stringValue), #require(line["caFile"]?.stringValue))
            let rest = try #require(story.last).split(separator: "\n").dropFirst().joined(separator: "\n")
            let output = try await desk.run(
                rest.replacing("ORIGIN=https://localhost:...", with: "ORIGIN=\(origin)")
                    .replacing("CA_FILE=...", with: "CA_FILE='\(file)'"))
            #expect(output.contains("added vip") && output.contains("accepted"), "\(output)")
        }
    }

    @Test("a demo with its inspector goes on until a signal")
    func inspector() async throws {
        let line = try #require(try Self.block("swift run pushctl demo").split(separator: "#").first)
        let demo = try Program(Self.program, line.split(separator: " ").dropFirst(3).map(String.init))
        defer { demo.send(signal: SIGTERM) }
        #expect(try await demo.line(with: "The page is at http://127.0.0.1:") != nil)
        #expect(try await demo.line(with: "malformed, not sent: 1") != nil)
    }

    @Test("a simulator of APNs says what a client needs")
    func apns() async throws {
        try await withDesk { desk in
            let (simulator, line) = try await desk.simulate(
                try Self.block("swift run pushctl simulate apns", of: "Adapters/APNs/README.md"))
            defer { simulator.send(signal: SIGTERM) }
            for name in ["production", "development", "caFile", "topic", "keyFile", "keyID", "teamID"] {
                #expect(line[name]?.stringValue?.isEmpty == false, "\(name)")
            }
        }
    }

    @Test("the key of a server for Web Push is a private key that only its owner reads")
    func key() async throws {
        try await withDesk { desk in
            try await desk.run(try Self.block("umask", of: "WebPushInTenMinutes.md"))
            let path = desk.folder.appending(path: "vapid.pem").path
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("PRIVATE KEY"))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("the first state of an adapter is committed")
    func commit() async throws {
        try await withDesk { desk in
            // No settings of this machine, and not the repository of a hook that runs the tests.
            desk.environment = [
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ann",
                "GIT_AUTHOR_EMAIL": "ann@example.com", "GIT_COMMITTER_NAME": "Ann",
                "GIT_COMMITTER_EMAIL": "ann@example.com",
            ]
            let alone = "unset $(git rev-parse --local-env-vars)\n"
            try desk.write("// Courier\n", to: "Courier.swift")
            try await desk.run(alone + Self.block("git init", of: "WriteAnAdapter.md"))
            let log = try await desk.run(alone + "git log --format=%s --name-only")
            #expect(log == "an adapter that passes\n\nCourier.swift\n")
        }
    }

    // MARK: The outbox

    private static let outbox = "OperateTheOutbox.md"

    /// A desk with an outbox, a simulator of its route, and the campaign of the page for one user.
    private func withOutbox(_ body: (inout Desk) async throws -> Void) async throws {
        try await withDesk { desk in
            let (simulator, line) = try await desk.simulate(
                try Self.block("swift run pushctl simulate", of: "ABackendInTenMinutes.md"))
            defer { simulator.send(signal: SIGTERM) }
            let origin = try #require(line["origin"]?.stringValue)
            desk.environment = ["PUSHBRIDGE_OUTBOX_STORE": desk.folder.appending(path: "outbox.db").path]
            try desk.write(
                #"""
                {"routes": ["shop"], "shop": {"vendor": "jpush", "caFile": "\#(try #require(line["caFile"]?.stringValue))", "jpush": {
                  "appKey": "0123456789abcdef01234567", "masterSecret": "simulator0simulator0only", "origin": "\#(origin)"}}}
                """#, to: "push.json")
            try desk.write(#"{"notification": {"title": "Sale", "body": "30 % off"}}"#, to: "sale.json")
            try desk.write("ann\n", to: "users.txt")
            try desk.write(
                #"{"user":"ann","installation":"a1","route":"shop","device":"190e35f7e0a1b2c3d4e","#
                    + #""boundAt":"2026-11-01T10:00:00Z"}"#, to: "bindings.txt")
            try await desk.run("pushctl route bindings --import bindings.txt --database bindings.db")
            try await desk.run(try Self.lines("pushctl outbox enqueue")[0])
            try await body(&desk)
        }
    }

    /// The lines of a block of the page, without comments.
    private static func lines(_ start: String) throws -> [String] {
        try block(start, of: outbox).split(separator: "\n").map { line in
            line.prefix(upTo: line.firstRange(of: " #")?.lowerBound ?? line.endIndex)
                .trimmingCharacters(in: .whitespaces)
        }
    }

    @Test("an operator looks at a campaign, pauses, resumes and cancels it")
    func operating() async throws {
        try await withOutbox { desk in
            let looks = try Self.lines("export PUSHBRIDGE_OUTBOX_STORE")
            let store = try #require(desk.environment["PUSHBRIDGE_OUTBOX_STORE"])
            let first = looks[0].replacing("/var/lib/shop/outbox.db", with: "'\(store)'")
            #expect(first != looks[0])
            let looked = try await desk.run(([first] + looks.dropFirst()).joined(separator: "\n"))
            #expect(looked.contains("sale-2026-11"))
            let acts = try Self.lines("pushctl outbox pause")
            #expect(acts.count == 4)
            for (act, state) in zip(acts, ["paused", "active", "cancelled"]) {
                try await desk.run(act)
                #expect(try await desk.run("pushctl outbox show sale-2026-11 --json").contains(#""state":"\#(state)""#))
            }
            let resent = try await desk.shell(acts[3])
            #expect(resent.status == 2 && resent.errors.contains("cancelled"), "\(resent)")
        }
    }

    @Test("a worker sends the campaign and ends at a signal; dead bindings are removed afterwards")
    func running() async throws {
        try await withOutbox { desk in
            let words = try Self.lines("pushctl outbox run")[0].split(separator: " ").map(String.init)
            let settings = desk.folder.appending(path: "push.json").path
            let worker = try Program(
                Self.program, words.dropFirst().map { $0 == "push.json" ? settings : $0 },
                environment: desk.environment)
            #expect(try await worker.line(with: "sale-2026-11: finished", inErrors: true) != nil)
            worker.send(signal: SIGTERM)
            let ended = await worker.result()
            #expect(ended.status == 0 && ended.errors.contains("the worker has ended"), "\(ended)")
            let retired = try await desk.run(try Self.lines("pushctl outbox enqueue")[1])
            #expect(retired.contains("pruned 0 dead bindings"), "\(retired)")
        }
    }

    @Test("the page for operators is served, with and without changes")
    func serving() async throws {
        try await withOutbox { desk in
            let lines = try Self.lines("export PUSHBRIDGE_OUTBOX_PAGE_TOKEN")
            let token = try await desk.run(lines[0] + "\nprintf '%s' \"$PUSHBRIDGE_OUTBOX_PAGE_TOKEN\"")
            #expect(token.count == 32)
            desk.environment["PUSHBRIDGE_OUTBOX_PAGE_TOKEN"] = token
            #expect(lines.count == 3)
            for line in lines.dropFirst() {
                let words = line.split(separator: " ").map { $0 == "9090" ? "0" : String($0) }
                let page = try Program(Self.program, Array(words.dropFirst()), environment: desk.environment)
                let said = try await page.line(with: "http://127.0.0.1:")
                page.send(signal: SIGTERM)
                let ended = await page.result()
                #expect(said != nil && ended.status == 0 && !"\(ended)".contains(token), "\(ended)")
            }
        }
    }
}
