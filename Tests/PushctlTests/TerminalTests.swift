import Foundation
import PushAdapter
import TestSupport
import Testing

/// The output on a terminal.
@Suite("pushctl at a terminal")
struct TerminalTests {
    private func pushctl(_ arguments: String..., columns: String = "80") async throws -> Program.Result {
        try await Program.run(
            Program.folder.appending(path: "pushctl").path, arguments, environment: ["COLUMNS": columns])
    }

    @Test(
        "tables fit the width that there is, and lose no word",
        arguments: [
            ["vendors"], ["vendors", "tpns"], ["diff", "jpush", "tpns"], ["styles"],
            ["choose", "--need", "alias", "--need", "attributes", "--region", "eu"], ["code", "--vendor", "sdk"],
        ], [80, 100])
    func width(arguments: [String], columns: Int) async throws {
        let program = Program.folder.appending(path: "pushctl").path
        let narrow = try await Program.run(program, arguments, environment: ["COLUMNS": String(columns)])
        let wide = try await Program.run(program, arguments, environment: ["COLUMNS": "5000"])
        #expect(narrow.status == 0)
        // Notes are below a table. In a table of seven columns, each column is at least eight characters wide.
        let rows = narrow.output.split(separator: "\n").filter { $0.contains("  ") }
        #expect(rows.count > 5 && rows.allSatisfy { $0.count <= columns })
        let letters = { (text: String) in text.filter { $0.isLetter || $0.isNumber }.sorted() }
        #expect(letters(narrow.output) == letters(wide.output))
    }

    @Test("the version is one line")
    func version() async throws {
        let result = try await pushctl("--version")
        #expect(result.status == 0 && result.output.hasPrefix("pushctl ") && result.output.count < 40)
    }

    @Test("a typing mistake is answered without facts about a request that was never made")
    func typing() async throws {
        for arguments in [
            ["vendors", "jpsh"], ["choose", "--need", "alais"], ["choose", "--region", "ZZ"],
            ["diff", "jpush", "jpush"],
            ["simulate", "jpush", "--app-key", "k", "--master-secret", "s", "--fault", "explode"],
        ] {
            let result = try await Program.run(Program.folder.appending(path: "pushctl").path, arguments)
            #expect(result.status == 64, "\(arguments)")
            #expect(result.errors.hasPrefix("error: ") && !result.errors.contains("effect"), "\(result.errors)")
        }
    }

    @Test("a shell completes vendors, features and needs")
    func completion() async throws {
        let script = try await pushctl("--generate-completion-script", "bash").output
        for word in ["engagelab", "tags.replace", "tags-per-device=", "live-activity"] {
            #expect(script.contains(word), "\(word)")
        }
    }

    @Test("a simulator with a page prints its address, has a phone for each device, and ends with both")
    func inspector() async throws {
        let simulate = [
            "simulate", "jpush", "--app-key", "0123456789abcdef01234567", "--master-secret", "simulator0simulator0only",
        ]
        let program = try Program(
            Program.folder.appending(path: "pushctl").path,
            simulate + ["--plain", "--inspect", "--with-parent", "--device", "190e35f7e0a1b2c3d4e:ios"])
        let line = try #require(try await program.line(with: "inspector"))
        let address = try #require(try JSONValue(parsing: Array(line.utf8))["inspector"]?.stringValue)
        let state = try await Program.run("/usr/bin/curl", ["-s", address + "/state"])
        let phones = try JSONValue(parsing: Array(state.output.utf8))["phones"]?["items"]?.arrayValue
        #expect(phones?.map { $0["id"] } == ["190e35f7e0a1b2c3d4e"])
        program.send(signal: SIGTERM)
        #expect(await program.result().status == 0)
        for wrong in [["--inspect-port", "8080"], ["--device", "a:ios", "--device", "a:android"]] {
            let result = try await Program.run(Program.folder.appending(path: "pushctl").path, simulate + wrong)
            #expect(result.status == 64, "\(wrong)")
        }
    }

    @Test("a simulator has the faults that it was started with")
    func faults() async throws {
        let key = "0123456789abcdef01234567"
        let secret = "simulator0simulator0only"
        let simulator = try Program(
            Program.folder.appending(path: "pushctl").path,
            [
                "simulate", "jpush", "--app-key", key, "--master-secret", secret, "--device",
                "190e35f7e0a1b2c3d4e:android", "--fault", "lost@/v3/push", "--fault", "2*throttle=1@/v3/push",
            ])
        let line = try #require(try await simulator.firstLine())
        let place = try JSONValue(parsing: Array(line.utf8))
        let settings = [
            "PUSHBRIDGE_JPUSH_APP_KEY": key, "PUSHBRIDGE_JPUSH_MASTER_SECRET": secret,
            "PUSHBRIDGE_JPUSH_ORIGIN": place["origin"]?.stringValue ?? "",
            "PUSHBRIDGE_CA_FILE": place["caFile"]?.stringValue ?? "", "PUSHBRIDGE_ATTEMPTS": "1",
        ]
        func send() async throws -> Program.Result {
            try await Program.run(
                Program.folder.appending(path: "pushctl").path, ["send", "--message", "-", "--to", "everyone"],
                environment: settings, input: #"{"notification": {"body": "Hello"}}"#)
        }
        let lost = try await send()
        #expect(lost.status == 3 && lost.errors.contains("effect unknown"), "\(lost.errors)")
        let throttled = try await send()
        #expect(throttled.status == 2 && throttled.errors.contains("rateLimited"), "\(throttled.errors)")
        simulator.send(signal: SIGTERM)
        #expect(await simulator.result().status == 0)
    }
}
