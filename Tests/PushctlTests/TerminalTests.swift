import Foundation
import PushAdapter
import PushConformance
import PushSimulation
import TestSupport
import Testing
import VendorRegistry

/// The output on a terminal.
@Suite("pushctl at a terminal")
struct TerminalTests {
    private func pushctl(_ arguments: String..., columns: String = "80") async throws -> Program.Result {
        try await Program.run(
            Program.folder.appending(path: "pushctl").path, arguments, environment: ["COLUMNS": columns])
    }

    @Test(
        "tables fit the width that there is, lose no word and break none",
        arguments: [
            ["vendors"], ["vendors", "tpns"], ["diff", "jpush", "tpns"], ["styles"],
            ["choose", "--need", "alias", "--need", "attributes", "--region", "eu"], ["code", "--vendor", "sdk"],
            ["code", "--vendor", "apns"], ["vendors", "fcm", "--settings"], ["conformance", "--list"],
            ["choose", "--platform", "xiaomi=20", "--platform", "huawei", "--platform", "ios"],
        ], [80, 100, 140])
    func width(arguments: [String], columns: Int) async throws {
        let program = Program.folder.appending(path: "pushctl").path
        let narrow = try await Program.run(program, arguments, environment: ["COLUMNS": String(columns)])
        let wide = try await Program.run(program, arguments, environment: ["COLUMNS": "5000"])
        #expect(narrow.status == 0)
        // Notes are below a table.
        let rows = narrow.output.split(separator: "\n").filter { $0.contains("  ") }
        #expect(rows.count > 5 && rows.allSatisfy { $0.count <= columns })
        func words(_ text: String) -> [Substring: Int] {
            Dictionary(text.split { $0 == " " || $0 == "\n" }.map { ($0, 1) }, uniquingKeysWith: +)
        }
        // A block repeats the names of the columns. The matrix of vendors says a value once for several.
        let found = words(narrow.output)
        let isMatrix = arguments == ["vendors"]
        for (word, count) in words(wide.output) {
            #expect(
                isMatrix ? narrow.output.contains(word) : found[word, default: 0] >= count, "\(word): \(count)")
        }
    }

    @Test("where the matrix of vendors does not fit, each row has each vendor once, beside its value")
    func matrix() async throws {
        let rows = try JSONValue(parsing: Array(try await pushctl("vendors", "--json").output.utf8)).arrayValue ?? []
        let names = rows.compactMap { $0["vendor"]?.stringValue }
        let blocks = try await pushctl("vendors").output.components(separatedBy: "\n\n")
        #expect(names.count > 6 && blocks.count > 40)
        for block in blocks {
            // A long line goes on below, further in.
            let lines = block.replacing("\n    ", with: " ").split(separator: "\n").dropFirst()
            let holders = lines.flatMap { line in
                line.trimmingPrefix("  ").prefix { $0 != ":" }.split(separator: ", ").map(String.init)
            }
            #expect(holders == ["all"] || holders.sorted() == names.sorted(), "\(block)")
        }
        let block = try #require(blocks.first { $0.hasPrefix("to aliases\n") })
        #expect(
            block == """
                to aliases
                  jpush, engagelab, xiaomi, vivo, oppo: yes
                  tpns, fcm, apns, harmony, huawei, webpush, honor: no
                """)
    }

    @Test("a wrong word runs nothing, and the nearest known one is named")
    func suggestions() async throws {
        let mistakes: [([String], String)] = [
            (["tgas"], "there is no command 'tgas'; did you mean 'tags'?"),
            (["tags", "gett", "device"], "there is no command 'tags gett'; did you mean 'get'?"),
            (["outbox", "shw", "sale"], "there is no command 'outbox shw'; did you mean 'show'?"),
            (["route", "pln"], "there is no command 'route pln'; did you mean 'plan'?"),
            (["wxyz"], "there is no command 'wxyz'; see 'pushctl --help'"),
            (["simulate", "jpush", "--falt", "lost"], "there is no option '--falt'; did you mean '--fault'?"),
            (["send", "--to=everyone", "--mesage=-"], "there is no option '--mesage'; did you mean '--message'?"),
            (["help", "tgas"], "there is no command 'tgas'; did you mean 'tags'?"),
            (["outbox", "shw", "--help"], "there is no command 'outbox shw'; did you mean 'show'?"),
            (["send"], "missing expected argument '--message <message>'; see 'pushctl send --help'"),
            (["choose"], "say what you need"),
        ]
        for (arguments, text) in mistakes {
            let result = try await Program.run(Program.folder.appending(path: "pushctl").path, arguments)
            #expect(result.status == 64 && result.output.isEmpty, "\(arguments)")
            let lines = result.errors.split(separator: "\n")
            #expect(lines.count == 1 && lines[0].hasPrefix("error: \(text)"), "\(result.errors)")
        }
    }

    @Test("the help fits 80 columns, and names every vendor's credentials")
    func help() async throws {
        let help = try await pushctl("--help").output
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        for name in ["JPUSH_MASTER_SECRET", "ENGAGELAB_APP_KEY", "TPNS_PLATFORM", "FCM_SERVICE_ACCOUNT", "APNS_KEY_ID"]
        {
            #expect(help.contains("PUSHBRIDGE_" + name + "\n"), "\(name)")
        }
        let commands = [
            ["route", "send"], ["outbox", "enqueue"], ["schedule", "create"], ["attributes", "set"], ["choose"],
            ["simulate"], ["conformance"],
        ]
        for command in commands {
            let lines = try await Program.run(
                Program.folder.appending(path: "pushctl").path, command + ["--help"], environment: ["COLUMNS": "80"]
            ).output.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(command)")
            #expect(lines.contains { $0.hasPrefix("USAGE: pushctl \(command.joined(separator: " "))") }, "\(command)")
        }
        let device = try await pushctl("tags", "add", "--help").output
        #expect(device.contains("The device id") && device.contains("Tags, one or more"))
    }

    @Test("an error in JSON has its line", arguments: ["send", "explain"])
    func lines(command: String) async throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "pushctl-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        for (field, error) in [
            (#""body": Hello"#, "expected a value at line 3, column 13"), (#""boddy": "H""#, ", line 3: unknown key"),
            (#""body": 5"#, ", line 3: not a text, or an object with key and arguments at notification.body"),
            (#""extras": {"badge": "]},\""}, "ios": {"badge": ""}"#, ", line 3: a badge is a number"),
            ("\"title\": \"T\",\n\"body\": {\"key\": \"k\", \"arguments\": [\"[\",\n5]}", ", line 5: not a text at"),
        ] {
            try Data("{\n  \"notification\": {\n    \(field)\n  }\n}".utf8).write(to: file)
            let result = try await pushctl(command, "--message", file.path, "--to", "everyone")
            #expect(result.status == 64 && result.errors.contains(error), "\(result.errors)")
        }
        try Data("{\n  \"jpush\":\n    Hello\n}".utf8).write(to: file)
        let settings = try await pushctl("tags", "get", "d", "--config", file.path)
        #expect(settings.status == 78 && settings.errors.contains("expected a value at line 3, column 5"))
    }

    @Test(
        "explain needs no credentials, and shows the vendor's own address",
        arguments: [
            ("jpush", "https://api.jpush.cn/v3/push"), ("fcm", "https://fcm.googleapis.com/v1/projects/"),
            ("apns", "https://api.push.apple.com/3/device/"),
        ])
    func explain(vendor: String, address: String) async throws {
        let device = String(repeating: "0a", count: 32)
        let result = try await Program.run(
            Program.folder.appending(path: "pushctl").path,
            ["explain", "--vendor", vendor, "--message", "-", "--to", "devices:\(device)"],
            environment: ["COLUMNS": "200"], input: #"{"notification": {"title": "T", "body": "Hello"}}"#)
        #expect(result.output.contains(address) && result.output.contains("no settings of an app at \(vendor)"))
    }

    @Test("explain and diff show bodies without the address of receipts", arguments: ["xiaomi", "vivo", "oppo"])
    func sentSecrets(vendor: String) async throws {
        let (address, parameter) = ("https://push.example/r/9f3c-sesame", "proof+sesame/x")
        let known = try #require(KnownVendors.all.first { $0.provider.id.rawValue == vendor })
        let device = known.device(1).id
        var environment = ["COLUMNS": "400"]
        for setting in known.provider.settings where setting.isRequired {
            let given = ["appId": "10004", "packageName": "com.example.kit"][setting.name]
            environment[Self.variable(setting.name, of: vendor)] = given ?? "0123456789abcdef"
        }
        for (name, value) in ["callback": address, "callbackParameter": parameter, "defaultTitle": "T"] {
            environment[Self.variable(name, of: vendor)] = value
        }
        let message = #"{"notification": {"title": "商店", "body": "您的包裹今天送达"}}"#
        let program = Program.folder.appending(path: "pushctl").path
        for command in [
            ["explain", "--vendor", vendor, "--to", "devices:\(device)"],
            ["explain", "--vendor", vendor, "--to", "devices:\(device)", "--json"],
            ["diff", vendor, "honor", "--to", "devices:\(device)"],
            ["diff", vendor, "honor", "--to", "devices:\(device)", "--json"],
        ] {
            let result = try await Program.run(
                program, command + ["--message", "-"], environment: environment, input: message)
            let text = PercentEncoding.decode(result.output) ?? result.output
            #expect(command.count == 5 || text.contains("***"), "\(command) \(result)")
            #expect(!text.contains("sesame") && !result.errors.contains("sesame"), "\(command)")
        }
    }

    private static func variable(_ setting: String, of vendor: String) -> String {
        let words = setting.replacing(/[A-Z]/) { "_" + $0.output }
        return "PUSHBRIDGE_\(vendor)_\(words)".uppercased()
    }

    @Test("a simulator with thousands of devices starts at once, from arguments or from a file")
    func manyDevices() async throws {
        let simulate = [
            "simulate", "jpush", "--app-key", "0123456789abcdef01234567", "--master-secret", "simulator0simulator0only",
            "--plain", "--with-parent",
        ]
        let ids = (0..<3_000).map { "190e35f7e0a" + String($0 + 100_000_000).dropFirst(1) }
        let file = FileManager.default.temporaryDirectory.appending(path: "pushctl-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(ids.map { $0 + ":ios\n" }.joined().utf8).write(to: file)
        for devices in [ids.flatMap { ["--device", $0 + ":ios"] }, ["--devices-file", file.path]] {
            let program = try Program(Program.folder.appending(path: "pushctl").path, simulate + devices)
            let line = try #require(try await program.firstLine())
            let origin = try #require(try JSONValue(parsing: Array(line.utf8))["origin"]?.stringValue)
            let known = try await Program.run(
                "/usr/bin/curl",
                [
                    "-s", "-u", "0123456789abcdef01234567:simulator0simulator0only",
                    origin + "/v3/devices/" + (ids.last ?? ""),
                ])
            #expect(known.output.contains("tags"), "\(known.output)")
            program.send(signal: SIGTERM)
            #expect(await program.result().status == 0)
        }
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
            ["simulate", "jpush", "--app-key", "k", "--master-secret", "s", "--fault", "2*goaway@/v3/push"],
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

    @Test("the page of a push service sends to a browser by the name that it was started with")
    func browserInspector() async throws {
        let program = try Program(
            Program.folder.appending(path: "pushctl").path,
            [
                "simulate", "webpush", "--app-key", "mailto:push@news.example.com", "--plain", "--inspect",
                "--with-parent", "--device", "ann:web",
            ])
        let line = try #require(try await program.line(with: "inspector"))
        let address = try #require(try JSONValue(parsing: Array(line.utf8))["inspector"]?.stringValue)
        let sent = try await Program.run(
            "/usr/bin/curl",
            [
                "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Origin: " + address, "-H",
                "Content-Type: application/json", "-d", #"{"body": "Hello", "device": "ann"}"#, address + "/send",
            ])
        #expect(sent.output == "200")
        let requests = try await Program.run("/usr/bin/curl", ["-s", address + "/requests"])
        let rows = try JSONValue(parsing: Array(requests.output.utf8))["requests"]?.arrayValue
        #expect(rows?.map { $0["status"] } == [201])
        program.send(signal: SIGTERM)
        #expect(await program.result().status == 0)
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
