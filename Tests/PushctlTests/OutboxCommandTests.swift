import Foundation
import PushCore
import TestSupport
import Testing

@Suite("pushctl outbox")
struct OutboxCommandTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "simulator0simulator0only"
    private static let device = "190e35f7e0a1b2c3d4e"
    private static let stranger = "190e35f7e0a1b2c3d4f"
    private static var program: String { Program.folder.appending(path: "pushctl").path }

    /// A folder with settings and a message, and a simulator in a process of its own.
    private func withWorld(
        secret: String = Self.secret,
        _ body: (_ folder: URL, _ run: ([String]) async throws -> Program.Result) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushctl-outbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings =
            #"{"routes": ["shop"], "shop": {"vendor": "jpush", "jpush": {}}, "routing": {"order": ["shop"]}}"#
        let files = [
            ("push.json", settings), ("message.json", #"{"notification":{"body":"Hello"}}"#),
            ("devices.txt", "\(Self.device)\n\(Self.stranger)\n\(Self.device)\n"),
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let simulator = try Program(
            Self.program,
            [
                "simulate", "jpush", "--port", "0", "--with-parent", "--app-key", Self.key, "--master-secret",
                Self.secret, "--device", "\(Self.device):android",
            ])
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        let fields = try JSONValue(parsing: Array(line.utf8))
        let environment = [
            "PUSHBRIDGE_SHOP_JPUSH_APP_KEY": Self.key, "PUSHBRIDGE_SHOP_JPUSH_MASTER_SECRET": secret,
            "PUSHBRIDGE_SHOP_CA_FILE": fields["caFile"]?.stringValue ?? "",
            "PUSHBRIDGE_SHOP_JPUSH_ORIGIN": fields["origin"]?.stringValue ?? "",
        ]
        try await body(folder) { arguments in
            var all = ["outbox"] + arguments + ["--store", folder.appending(path: "outbox.db").path]
            if ["enqueue", "run"].contains(arguments[0]) {
                all += ["--config", folder.appending(path: "push.json").path]
            }
            return try await Program.run(Self.program, all, environment: environment)
        }
    }

    private func enqueue(_ folder: URL, to: String) -> [String] {
        ["enqueue", "sale", "--message", folder.appending(path: "message.json").path, "--to", to, "--at", "shop"]
    }

    @Test("a campaign is enqueued by one process, sent by another and shown by a third")
    func campaign() async throws {
        try await withWorld { folder, run in
            let list = "devices:@" + folder.appending(path: "devices.txt").path
            for _ in 0..<2 {
                let enqueued = try await run(enqueue(folder, to: list))
                #expect(
                    enqueued.status == 0 && enqueued.output.contains("sale is active: 0 of 1 slices"), "\(enqueued)")
            }
            let sent = try await run(["run", "--until-idle"])
            #expect(sent.status == 0 && sent.errors.contains("sale: finished"), "\(sent)")
            let shown = try await run(["show", "sale", "--exceptions", "all"])
            #expect(shown.output.contains("finished: 1 of 1 slices, 1 accepted, 1 invalid, 1 repeated"), "\(shown)")
            let exceptions = try shown.output.split(separator: "\n").dropFirst().map { line in
                try JSONValue(parsing: Array(line.utf8))
            }
            #expect(exceptions.map { $0["position"] } == [1, 2], "\(shown)")
            #expect(exceptions.first?["target"] == .string(Self.stranger))
            let listed = try await run(["list", "--json"])
            let campaigns = try JSONValue(parsing: Array(listed.output.utf8)).arrayValue
            #expect(campaigns?.count == 1 && campaigns?.first?["accepted"] == 1, "\(listed)")
            let late = try await run(["pause", "sale"])
            #expect(late.status == 2 && late.errors.contains("is finished and cannot be paused"), "\(late)")
        }
    }

    @Test("a wrong key pauses the part, and the list says that it needs somebody")
    func wrongKey() async throws {
        try await withWorld(secret: "another0another0another0") { folder, run in
            _ = try await run(enqueue(folder, to: "devices:\(Self.device)"))
            let sent = try await run(["run", "--until-idle"])
            #expect(sent.status == 0 && sent.errors.contains("part 0 at shop is paused: unauthorized"), "\(sent)")
            let listed = try await run(["list"])
            #expect(listed.output.contains("needs you"), "\(listed)")
            let shown = try await run(["show", "sale", "--json"])
            let json = try JSONValue(parsing: Array(shown.output.utf8))
            #expect(json["open"] == 1 && json["pausedParts"]?["0"] != nil, "\(shown)")
            let cancelled = try await run(["cancel", "sale"])
            #expect(
                cancelled.output.contains("cancelled") && cancelled.output.contains("1 not attempted"), "\(cancelled)")
        }
    }

    @Test("wrong arguments are refused")
    func refusals() async throws {
        try await withWorld { folder, run in
            var other = enqueue(folder, to: "everyone")
            other[other.count - 1] = "nowhere"
            let route = try await run(other)
            #expect(route.status == 64 && route.errors.contains("no route \"nowhere\""), "\(route)")
            let unknown = try await run(["show", "nothing"])
            #expect(unknown.status == 64 && unknown.errors.contains("there is no campaign \"nothing\""), "\(unknown)")
            let silent = try await run(["resend", "sale"])
            #expect(silent.status == 64 && silent.errors.contains("--unknown"), "\(silent)")
        }
    }
}
