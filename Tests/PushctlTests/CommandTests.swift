import Foundation
import PushAdapter
import TestSupport
import Testing
import VendorRegistry

@Suite("pushctl")
struct CommandTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "simulator0simulator0only"
    private static let device = "190e35f7e0a1b2c3d4e"
    private static var program: String { Program.folder.appending(path: "pushctl").path }

    /// Runs a simulator in its own process, with the environment to reach it.
    private func withSimulator(
        _ options: [String] = [], _ body: ([String: String], Program) async throws -> Void
    ) async throws {
        let simulator = try Program(
            Self.program,
            [
                "simulate", "jpush", "--port", "0", "--with-parent", "--app-key", Self.key, "--master-secret",
                Self.secret,
            ]
                + ["--device", "\(Self.device):android", "--device", "191e35f7e0a1b2c3d4f:ios"] + options)
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        let fields = try JSONValue(parsing: Array(line.utf8))
        var environment = [
            "PUSHBRIDGE_JPUSH_APP_KEY": Self.key, "PUSHBRIDGE_JPUSH_MASTER_SECRET": Self.secret,
            "PUSHBRIDGE_JPUSH_ORIGIN": try #require(fields["origin"]?.stringValue),
        ]
        environment["PUSHBRIDGE_CA_FILE"] = fields["caFile"]?.stringValue
        try await body(environment, simulator)
    }

    private func pushctl(_ arguments: [String], _ environment: [String: String] = [:], input: String = "") async throws
        -> Program.Result
    {
        try await Program.run(Self.program, arguments, environment: environment, input: input)
    }

    private func withFile<Output>(_ bytes: [UInt8], _ body: (String) async throws -> Output) async throws -> Output {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path)
    }

    @Test("output that cannot be written is a failure, whatever was to be printed", arguments: ["vendors", "--help"])
    func fullDisk(argument: String) async throws {
        let result = try await Program.run("/bin/sh", ["-c", "'\(Self.program)' \(argument) > /dev/full"])
        #expect(result.status == 74 && result.errors.contains("error: the output could not be written"))
    }

    @Test("a simulator has the groups, segments, Live Activities, HarmonyOS phones and daily broadcasts it is given")
    func simulatorOptions() async throws {
        let phone = "1a0e35f7e0a1b2c3d4e"
        try await withSimulator([
            "--device", "\(phone):harmony", "--segment", "gold:\(phone)", "--live-activity", "match:\(Self.device)",
            "--group", "groupkeygroupkeygroupke:simulator0simulator0only", "--broadcasts-per-day", "1",
        ]) { environment, _ in
            try await withFile(Self.hello) { file in
                func send(_ audience: String) async throws -> Program.Result {
                    try await pushctl(["send", "--message", file, "--to", audience], environment)
                }
                let gold = try await send("{\"segment\":\"gold\"}")
                let silver = try await send("{\"segment\":\"silver\"}")
                let (harmony, first) = (try await send("devices:\(phone)"), try await send("everyone"))
                let second = try await send("everyone")
                #expect(gold.status == 0 && silver.status != 0 && harmony.status == 0, "\(gold) \(silver) \(harmony)")
                #expect(first.status == 0 && second.errors.contains("2008"), "\(first) \(second)")
            }
        }
        for (option, value) in [
            ("--group", "one"), ("--segment", "gold"), ("--segment", "gold:stranger"), ("--live-activity", ":x"),
            ("--broadcasts-per-day", "-1"), ("--pushes-per-minute", "-1"),
        ] {
            let arguments = [
                "simulate", "jpush", "--app-key", Self.key, "--master-secret", Self.secret, "\(option)=\(value)",
            ]
            let result = try await pushctl(arguments)
            #expect(result.status == 64 && result.errors.contains(option), "\(option) \(value): \(result)")
        }
        let tpns = ["simulate", "tpns", "--app-key", "1500000001", "--master-secret", "s", "--broadcasts-per-day", "3"]
        #expect(try await pushctl(tpns).status == 64)
        #expect(try await pushctl(["simulate", "--help"]).output.contains("ID:harmony"))
    }

    @Test("a device is shown by one request, and an explanation says why it leaves a target out")
    func oneRequest() async throws {
        try await withSimulator { environment, _ in
            let log = try await pushctl(["device", Self.device, "--json"], environment)
            #expect(try JSONValue(parsing: Array(log.output.utf8))["device"]?.stringValue == Self.device)
            try await withFile(Self.hello) { file in
                let ids = "devices:\(Self.device),\(Self.device),a b"
                let text = try await pushctl(["explain", "--message", file, "--to", ids], environment).output
                #expect(text.contains("it repeats position 0") && text.contains("contains the character U+0020"))
                let json = try await pushctl(["explain", "--message", file, "--to", ids, "--json"], environment).output
                let reasons = try JSONValue(parsing: Array(json.utf8))["notSent"]?.arrayValue?.map { $0["reason"] }
                #expect(reasons?.count == 2)
            }
        }
    }

    private static let hello = Array(#"{"notification":{"body":"Hello"}}"#.utf8)

    @Test("tags, alias, device, send and validate, over HTTPS and plain HTTP", arguments: [[], ["--plain"]])
    func story(options: [String]) async throws {
        try await withSimulator(options) { environment, _ in
            func run(_ arguments: String...) async throws -> String {
                let result = try await pushctl(arguments, environment)
                #expect(result.status == 0, "\(arguments): \(result.errors)")
                return result.output
            }
            #expect(try await run("tags", "add", Self.device, "vip", "城市_上海").contains("added vip, 城市_上海; 1 request"))
            #expect(try await run("tags", "get", Self.device) == "vip\n城市_上海\n")
            #expect(try await run("tags", "has", Self.device, "vip") == "yes\n")
            #expect(try await run("tags", "set", Self.device, "gold", "--json").contains(#""isAtomic":false"#))
            #expect(try await run("alias", "set", Self.device, "user_1") == "alias set\n")
            #expect(try await run("alias", "get", Self.device) == "user_1\n")
            #expect(
                try await run("device", Self.device, "--json")
                    == "{\"alias\":\"user_1\",\"device\":\"\(Self.device)\",\"phone\":null,\"tags\":[\"gold\"]}\n")
            #expect(try await run("alias", "remove", Self.device) == "alias removed\n")
            #expect(try await run("tags", "clear", Self.device).contains("1 request"))
            try await withFile(Self.hello) { file in
                #expect(try await run("send", "--message", file, "--to", "everyone").contains("accepted"))
                #expect(try await run("send", "--message", file, "--to", "everyone", "--validate").contains("accepts"))
                let json = try JSONValue(
                    parsing: Array(
                        try await run("send", "--message", file, "--to", "devices:\(Self.device)", "--json").utf8))
                #expect(json["accepted"]?.intValue == 1)
                #expect(json["slices"]?.arrayValue?.first?["keyed"] == true)
            }
        }
    }

    @Test("a schedule is made, shown, listed and ended; a report counts what was received")
    func schedules() async throws {
        try await withSimulator { environment, _ in
            func run(_ arguments: String...) async throws -> String {
                let result = try await pushctl(arguments, environment)
                #expect(result.status == 0, "\(arguments): \(result.errors)")
                return result.output
            }
            try await withFile(Self.hello) { file in
                let moment = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
                let made = try await run(
                    "schedule", "create", "--name", "digest", "--message", file, "--to", "everyone", "--at", moment)
                let id = made.trimmingCharacters(in: .newlines)
                #expect(try await run("schedule", "show", id).contains("once, at \(moment)"))
                #expect(try await run("schedule", "list", "--json").contains(#""name":"digest""#))
                #expect(try await run("schedule", "remove", id) == "schedule removed\n")
                let gone = try await pushctl(["schedule", "show", id], environment)
                #expect(gone.status == 2 && gone.errors.contains("vendor code 8104"))
                let bad = try await pushctl(
                    ["schedule", "create", "--name", "d", "--message", file, "--to", "everyone", "--at", "tomorrow"],
                    environment)
                #expect(bad.status == 64)

                let sent = try JSONValue(
                    parsing: Array(try await run("send", "--message", file, "--to", "everyone", "--json").utf8))
                let message = try #require(sent["slices"]?.arrayValue?.first?["messageID"]?.stringValue)
                #expect(try await run("report", message).contains("vendor"))
                #expect(try await run("report", message, "--json").contains(#""vendor":{"received":1"#))
            }
        }
    }

    @Test("a list from a file is read line by line, and what was not accepted sets the exit status")
    func lists() async throws {
        try await withSimulator { environment, _ in
            try await withFile(Self.hello) { message in
                try await withFile(Array("\(Self.device)\n\n\(Self.device)\r\nhas blank\n".utf8)) { list in
                    let result = try await pushctl(
                        ["send", "--message", message, "--to", "devices:@\(list)", "--json"], environment)
                    #expect(result.status == 1)
                    let json = try JSONValue(parsing: Array(result.output.utf8))
                    #expect(json["accepted"]?.intValue == 1)
                    #expect(json["exceptions"]?.arrayValue?.count == 2)
                }
                try await withFile([0x61, 0x0A, 0xFF, 0xFE, 0x0A]) { list in
                    let result = try await pushctl(
                        ["explain", "--message", message, "--to", "devices:@\(list)"], environment)
                    #expect(result.status == 64)
                    #expect(result.errors.contains("line 2"))
                }
            }
        }
    }

    @Test("a vendor's refusal and a lost connection have exit statuses of their own, and errors as data")
    func refusals() async throws {
        try await withSimulator { environment, simulator in
            var wrong = environment
            wrong["PUSHBRIDGE_JPUSH_MASTER_SECRET"] = "ffffeeeeddddccccbbbbaaaa"
            let refused = try await pushctl(["tags", "get", Self.device], wrong)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("unauthorized"))
            #expect(!refused.errors.contains("ffffeeee"))
            let json = try await pushctl(["tags", "get", "1f0e35f7e0a1b2c3dff", "--json"], environment)
            #expect(json.status == 2)
            #expect(try JSONValue(parsing: Array(json.output.utf8))["error"]?["vendorCode"]?.intValue == 7002)
            simulator.send(signal: SIGTERM)
            #expect(await simulator.result().status == 0)
            let gone = try await pushctl(["tags", "get", Self.device], environment)
            #expect(gone.status == 78 || gone.status == 2)
        }
    }

    @Test("the error of a setting in a file names its line, unless the value came from elsewhere")
    func lines() async throws {
        let start = """
            {"routes": ["shop"],
             "shop": {"vendor": "jpush",
              "jpush": {"appKey": "\(Self.key)", "masterSecret": "\(Self.secret)",

            """
        let (center, moon) = (#""dataCenter": "mars"}}}"#, ["PUSHBRIDGE_SHOP_JPUSH_DATA_CENTER": "moon"])
        let cases: [(end: String, environment: [String: String], word: String)] = [
            (center, [:], "mars"), (#""dataCentre": "x"}}}"#, [:], "dataCentre"), (#""origin": {}}}}"#, [:], "origin"),
            (center, moon, "moon"),
        ]
        for (end, environment, word) in cases {
            try await withFile(Array((start + end).utf8)) { file in
                let route = ["route", "migration", "--bindings", "/dev/null", "--config", file]
                let wrong = try await pushctl(route, environment)
                #expect(wrong.status == 78 && wrong.errors.contains(word), "\(wrong)")
                #expect(wrong.errors.contains(", line 4: ") == environment.isEmpty, "\(wrong)")
            }
        }
        try await withFile(Array(#"{"vendor": "mars"}"#.utf8)) { file in
            let read = ["tags", "get", "d", "--config", file]
            #expect(try await pushctl(read).errors.contains(", line 1: the setting vendor"))
            let given = try await pushctl(read + ["--vendor", "moon"]).errors
            #expect(given.contains("moon") && !given.contains(", line "), "\(given)")
        }
    }

    @Test("missing and broken settings say which, and where to put them")
    func settings() async throws {
        let none = ["PUSHBRIDGE_JPUSH_APP_KEY": "", "PUSHBRIDGE_JPUSH_MASTER_SECRET": ""]
        let missing = try await pushctl(["tags", "get", "d"], none)
        #expect(missing.status == 78)
        try await withFile(Array(#"{"jpush": {"appKey": "\#(Self.key)", "masterSecret": "short"}}"#.utf8)) { file in
            let short = try await pushctl(["tags", "get", "d", "--config", file])
            #expect(short.status == 78)
            #expect(short.errors.contains("master secret"))
        }
        try await withFile(Array("secret: nonsense".utf8)) { file in
            let broken = try await pushctl(["tags", "get", "d", "--config", file])
            #expect(broken.status == 78)
            #expect(!broken.errors.contains("nonsense"))
        }
        let credentials = [
            "PUSHBRIDGE_JPUSH_APP_KEY": Self.key, "PUSHBRIDGE_JPUSH_MASTER_SECRET": Self.secret,
            "PUSHBRIDGE_JPUSH_DATA_CENTER": "mars",
        ]
        let center = try await pushctl(["tags", "get", "d"], credentials)
        #expect(center.status == 78)
        #expect(center.errors.contains("default or beijing"))
    }

    @Test(
        "input that cannot be right is refused before anything is sent",
        arguments: [
            (#"{"notification":{"body":"\ud800"}}"#, "everyone", 64),
            (#"{"notification":{"bodi":"x"}}"#, "everyone", 64),
            ("", "everyone", 64), ("[]", "everyone", 64), (#"{"notification":{"body":"x"}}"#, "nobody", 64),
            (#"{"notification":{"body":"x"}}"#, "tags:", 64), (#"{"notification":{"body":"x"}}"#, "tags:a b", 64),
            (#"{"notification":{"body":"x"}}"#, #"{"tagged":{"any":["a"]}}"#, 64),
            (#"{"notification":{"body":"x"}}"#, #"{"accounts":[{"name":"x"}]}"#, 2), ("{}", "everyone", 64),
        ] as [(String, String, Int32)])
    func badInput(message: String, audience: String, status: Int32) async throws {
        let credentials = [
            "PUSHBRIDGE_JPUSH_APP_KEY": Self.key, "PUSHBRIDGE_JPUSH_MASTER_SECRET": Self.secret,
            // No server listens there: an attempt to send would fail to connect.
            "PUSHBRIDGE_JPUSH_ORIGIN": "https://127.0.0.1:9",
        ]
        let result = try await pushctl(["explain", "--message", "-", "--to", audience], credentials, input: message)
        #expect(result.status == status, "\(result.output) \(result.errors)")
        let sent = try await pushctl(["send", "--message", "-", "--to", audience], credentials, input: message)
        #expect(sent.status == status, "\(sent.output) \(sent.errors)")
        #expect(!sent.errors.contains("connection"))
    }

    @Test("a message and a file of settings may begin with a byte-order mark")
    func marks() async throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let settings = #"{"jpush": {"appKey": "\#(Self.key)", "masterSecret": "\#(Self.secret)"}}"#
        try await withFile(mark + settings.utf8) { file in
            try await withFile(mark + Self.hello) { message in
                let result = try await pushctl([
                    "explain", "--config", file, "--message", message, "--to", "everyone",
                ])
                #expect(result.status == 0, "\(result)")
            }
        }
    }

    @Test("files that are no UTF-8, missing or folders are refused")
    func files() async throws {
        let credentials = ["PUSHBRIDGE_JPUSH_APP_KEY": Self.key, "PUSHBRIDGE_JPUSH_MASTER_SECRET": Self.secret]
        try await withFile([0x7B, 0xFF, 0x7D]) { file in
            let broken = try await pushctl(["explain", "--message", file, "--to", "everyone"], credentials)
            #expect(broken.status == 64)
            #expect(broken.errors.contains("not UTF-8"))
        }
        try await withFile([0xFF, 0xFE, 0x7B, 0x00]) { file in
            let wide = try await pushctl(["explain", "--message", file, "--to", "everyone"], credentials)
            #expect(wide.status == 64)
            #expect(wide.errors.contains("is UTF-16; save it as UTF-8"))
        }
        for path in ["/nowhere/message.json", "/"] {
            #expect(try await pushctl(["explain", "--message", path, "--to", "everyone"], credentials).status == 64)
        }
    }

    @Test("explain shows the slices and the cost, and needs no network")
    func explain() async throws {
        let credentials = ["PUSHBRIDGE_JPUSH_APP_KEY": Self.key, "PUSHBRIDGE_JPUSH_MASTER_SECRET": Self.secret]
        let list = (0..<2300).map { "id\($0)" }.joined(separator: "\n")
        try await withFile(Array(list.utf8)) { file in
            try await withFile(Self.hello) { message in
                let result = try await pushctl(
                    ["explain", "--message", message, "--to", "devices:@\(file)", "--json"], credentials)
                let json = try JSONValue(parsing: Array(result.output.utf8))
                let steps = json["steps"]?.arrayValue
                #expect(steps?.map { $0["targets"]?.intValue } == [0, 1000, 300])
                #expect(steps?.map { $0["count"]?.intValue } == [1, 2, 1])
                #expect(json["cost"]?["push"]?.intValue == 4)
                #expect(json["steps"]?.arrayValue?.last?["url"] == "https://api.jpush.cn/v3/push")
                #expect(!result.output.contains(Self.secret))
            }
        }
    }

    @Test("a code is explained, an unknown one refused")
    func codes() async throws {
        let known = try await pushctl(["code", "1011"])
        #expect(known.output.contains("noTarget"))
        #expect(try await pushctl(["code", "2002", "--json"]).output.contains(#""mayRetry":true"#))
        #expect(try await pushctl(["code", "4242"]).status == 64)
        // A number of the device SDKs, and the number that a server's code becomes for their callers.
        let busy = try await pushctl(["code", "6021"]).output
        #expect(busy.contains("sdk") && busy.contains("another request about tags is in flight"))
        let translated = try await pushctl(["code", "7002", "--vendor", "jpush", "--json"]).output
        #expect(translated.contains(#""client":{"any":6017}"#))
        let tooLong = try await pushctl(["code", "1005", "--vendor", "jpush", "--json"]).output
        #expect(tooLong.contains(#""client":{"alias":6004,"any":9009,"phone":6025,"tags":6006}"#))
        #expect(try await pushctl(["code", "--vendor", "sdk", "--json"]).output.contains(#""client":{"any":6024}"#))
        #expect(try await pushctl(["code", "1", "--vendor", "nobody"]).status == 64)
    }

    @Test("the table of the styles has every call of them, and says what each vendor makes of it")
    func styles() async throws {
        let rows = try #require(
            try JSONValue(parsing: Array(try await pushctl(["styles", "--json"]).output.utf8)).arrayValue)
        func vendors(_ call: String) -> JSONValue? { rows.first { $0["call"]?.stringValue == call }?["vendors"] }
        #expect(Set(rows.compactMap { $0["style"]?.stringValue }) == ["sequenced", "selector", "xg"])
        #expect(vendors("appendTags:")?["jpush"] == "native")
        #expect(vendors("upsertAttributes:")?["jpush"] == "refused")
        #expect(vendors("setAlias:completion:seq:")?["tpns"] == "refused")
        #expect(vendors("setBadge:")?["engagelab"] == "by the device")
        #expect(vendors("setTags:completion:seq:")?["engagelab"]?.stringValue?.hasPrefix("emulated: ") == true)
        let table = try await pushctl(["styles"]).output
        #expect(table.contains("emulated with consent (") && table.contains("1. reads, then adds and removes"))
    }

    @Test("wrong arguments end with the usual status", arguments: [["nonsense"], ["send"], ["simulate", "jpush"]])
    func usage(arguments: [String]) async throws {
        #expect(try await pushctl(arguments).status == 64)
    }

    @Test("an argument that is no UTF-8 is refused")
    func brokenArgument() async throws {
        let result = try await Program.run(
            "/bin/sh", ["-c", "exec \"$0\" tags get \"$(printf 'a\\377b')\"", Self.program])
        #expect(result.status == 64)
        #expect(result.errors.contains("not UTF-8"))
    }

    @Test("a simulator ends on a signal and takes its CA file along", arguments: [SIGINT, SIGTERM])
    func simulatorEnds(signal: Int32) async throws {
        try await withSimulator { environment, simulator in
            let file = try #require(environment["PUSHBRIDGE_CA_FILE"])
            #expect(FileManager.default.fileExists(atPath: file))
            simulator.send(signal: signal)
            #expect(await simulator.result().status == 0)
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test("a simulator that is told to ends with the process that started it")
    func withParent() async throws {
        // The shell ends once the simulator has printed that it serves.
        let script = """
            "$0" simulate jpush --with-parent --app-key a --master-secret b > "$1" &
            while [ ! -s "$1" ]; do sleep 0.1; done
            echo $!
            """
        let result = try await withFile([]) { file in
            try await Program.run("/bin/sh", ["-c", script, Self.program, file])
        }
        let simulator = try #require(pid_t(result.output.split(separator: "\n").first ?? ""))
        await until { kill(simulator, 0) != 0 }
    }

    @Test("TPNS: an access point each, accounts, attributes, and what it has no call for")
    func tpns() async throws {
        let device = "0123456789abcdef0123456789abcdef0123"
        let simulator = try Program(
            Self.program,
            [
                "simulate", "tpns", "--with-parent", "--app-key", "1680000001", "--master-secret", Self.secret,
                "--data-center", "Shanghai", "--device", "\(device):ios",
            ])
        defer { simulator.send(signal: SIGTERM) }
        let fields = try JSONValue(parsing: Array(try #require(try await simulator.firstLine()).utf8))
        let points = ["shanghai", "guangzhou", "hongkong", "singapore"].compactMap { fields[$0]?.stringValue }
        #expect(Set(points).count == 4 && fields["origin"]?.stringValue == points[0])
        var environment = [
            "PUSHBRIDGE_TPNS_ACCESS_ID": "1680000001", "PUSHBRIDGE_TPNS_SECRET_KEY": Self.secret,
            "PUSHBRIDGE_TPNS_PLATFORM": "ios", "PUSHBRIDGE_TPNS_ORIGIN": points[0],
        ]
        environment["PUSHBRIDGE_CA_FILE"] = fields["caFile"]?.stringValue
        let settings = environment
        func run(_ arguments: String..., at point: Int = 0) async throws -> Program.Result {
            var environment = settings
            environment["PUSHBRIDGE_TPNS_ORIGIN"] = points[point]
            return try await pushctl(arguments + ["--vendor", "tpns"], environment)
        }
        #expect(try await run("tags", "add", device, "vip").output.contains("added vip; 1 request"))
        #expect(try await run("tags", "get", device).status == 2)
        #expect(try await run("tags", "set", device, "a:b").errors.contains("tags.replace"))
        let replaced = try await run("tags", "set", device, "a:b", "--accept", "tags.replace")
        #expect(replaced.output.contains("2 requests, not atomic"))
        let misspelt = try await run("tags", "set", device, "a:b", "--accept", "tags.replace.clear")
        #expect(misspelt.status == 64 && misspelt.errors.contains("tags.replace"))
        #expect(try await run("accounts", "add", device, "1002:+8613711112222", "1:ann").status == 0)
        #expect(
            try await run("attributes", "set", device, "nickname=Ann B", "ghost=x").output.contains("rejected ghost")
        )
        #expect(try await run("attributes", "get", device).output == "nickname=Ann B\n")
        // The vendor binds the account some time after its response.
        try await until { try await run("accounts", "get", device).output != "no accounts\n" }
        let shown = try await run("device", device, "--json")
        #expect(shown.output.contains(#""accounts":["+8613711112222","ann"]"#), "\(shown.output)")
        #expect(try await run("accounts", "devices", "ann").output == device + "\n")
        let sent = try await withFile(Array(#"{"notification":{"title":"T","body":"Hello"}}"#.utf8)) { file in
            try await run("send", "--message", file, "--to", "accounts:1:ann")
        }
        #expect(sent.output.contains("accepted"))
        let elsewhere = try await run("attributes", "get", device, at: 1)
        #expect(elsewhere.status == 2 && elsewhere.errors.contains("seen at shanghai"))
        #expect(!elsewhere.errors.contains(Self.secret))
        let missing = try await pushctl(["tags", "clear", device, "--vendor", "tpns"])
        #expect(
            missing.status == 78 && missing.errors.contains("; PUSHBRIDGE_TPNS_SECRET_KEY in the environment")
        )
    }

    @Test("EngageLab: six data centers, aliases by their names, and a key that lives in one center")
    func engageLab() async throws {
        let (phone, tablet) = ("171976fa8a00000a001", "170976fa8a00000a002")
        let simulator = try Program(
            Self.program,
            [
                "simulate", "engagelab", "--with-parent", "--app-key", Self.key, "--master-secret", Self.secret,
                "--data-center", "Frankfurt", "--device", "\(phone):ios", "--device", "\(tablet):android",
            ])
        defer { simulator.send(signal: SIGTERM) }
        let fields = try JSONValue(parsing: Array(try #require(try await simulator.firstLine()).utf8))
        let centers = ["frankfurt", "singapore", "virginia", "hongkong", "japan", "brazil"].compactMap {
            fields[$0]?.stringValue
        }
        #expect(Set(centers).count == 6 && fields["origin"]?.stringValue == centers.first)
        var environment = ["PUSHBRIDGE_ENGAGELAB_APP_KEY": Self.key]
        environment["PUSHBRIDGE_ENGAGELAB_MASTER_SECRET"] = Self.secret
        environment["PUSHBRIDGE_CA_FILE"] = fields["caFile"]?.stringValue
        let settings = environment
        func run(_ arguments: String..., at center: Int = 0) async throws -> Program.Result {
            var environment = settings
            environment["PUSHBRIDGE_ENGAGELAB_ORIGIN"] = centers[center]
            return try await pushctl(arguments + ["--vendor", "engagelab"], environment)
        }
        #expect(try await run("tags", "set", phone, "vip", "gold").output.contains("not atomic"))
        #expect(try await run("alias", "set", phone, "ann").status == 0)
        #expect(try await run("alias", "set", tablet, "ann").status == 0)
        #expect(try await run("alias", "devices", "ann").output == tablet + "\n")
        #expect(try await run("alias", "remove", tablet).status == 0)
        #expect(try await run("alias", "devices", "ann", "--json").output == #"{"devices":[]}"# + "\n")
        #expect(try await run("alias", "set", phone, "bob").status == 0)
        #expect(try await run("alias", "delete", "bob").output == "alias deleted\n")
        #expect(try await run("alias", "get", phone).output == "no alias\n")
        let sent = try await withFile(Array(#"{"notification":{"body":"Hello"}}"#.utf8)) { file in
            [
                try await run("send", "--message", file, "--to", "tags:vip", "--key", "order-1", "--json"),
                try await run("send", "--message", file, "--to", "tags:vip", "--key", "order-1", "--json"),
            ]
        }
        #expect(sent[0].status == 0 && sent[0].output == sent[1].output)
        let elsewhere = try await run("tags", "get", phone, at: 3)
        #expect(elsewhere.status == 2 && elsewhere.errors.contains("Service Endpoint"))
        #expect(!elsewhere.errors.contains(Self.secret))
        let missing = try await pushctl(["tags", "get", phone, "--vendor", "engagelab"])
        #expect(missing.status == 78 && missing.errors.contains("PUSHBRIDGE_ENGAGELAB_MASTER_SECRET"))
    }

    @Test("FCM: a new service account, topics, one request for each device, and what a wrong key file causes")
    func fcm() async throws {
        let padding = String(repeating: "x", count: 134)
        let ids = (1...4).map { "dEvIcE\($0):APA91b\(padding)" }
        let simulator = try Program(
            Self.program,
            [
                "simulate", "fcm", "--with-parent", "--app-key", "shop", "--device", "\(ids[0]):android", "--device",
                "\(ids[1]):ios", "--foreign-device", "\(ids[2]):android",
            ])
        defer { simulator.send(signal: SIGTERM) }
        let fields = try JSONValue(parsing: Array(try #require(try await simulator.firstLine()).utf8))
        let file = try #require(fields["serviceAccountFile"]?.stringValue)
        let key = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try #require(FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int) == 0o600)
        var environment = ["PUSHBRIDGE_FCM_ORIGIN": try #require(fields["origin"]?.stringValue)]
        environment["PUSHBRIDGE_CA_FILE"] = fields["caFile"]?.stringValue
        let base = environment
        environment["PUSHBRIDGE_FCM_SERVICE_ACCOUNT_FILE"] = file
        let settings = environment
        func run(_ arguments: String..., with settings: [String: String]) async throws -> Program.Result {
            let result = try await pushctl(arguments + ["--vendor", "fcm"], settings)
            #expect(!result.errors.contains("PRIVATE KEY") && !result.output.contains("PRIVATE KEY"))
            return result
        }
        #expect(try await run("tags", "add", ids[0], "vip", "城市", with: settings).output.contains("2 requests"))
        #expect(try await run("tags", "get", ids[0], with: settings).output == "vip\n城市\n")
        #expect(try await run("alias", "set", ids[0], "ann", with: settings).errors.contains("FCM has no aliases"))
        try await withFile(Self.hello) { message in
            func send(_ audience: String, _ more: [String] = [], with settings: [String: String]) async throws
                -> Program.Result
            {
                let arguments = ["send", "--vendor", "fcm", "--message", message, "--to", audience, "--json"] + more
                return try await pushctl(arguments, settings)
            }
            #expect(try await send("tags:vip", with: settings).status == 0)
            #expect(try await send("devices:\(ids[0])", ["--validate"], with: settings).status == 0)
            let list = try await send("devices:\(ids.joined(separator: ","))", with: settings)
            let json = try JSONValue(parsing: Array(list.output.utf8))
            #expect(list.status == 1 && json["accepted"] == 2, "\(list)")
            #expect(try await send("everyone", with: settings).output.contains("FCM cannot send to everyone"))
            // The key as a text, as a container gets it from its secrets.
            var text = base
            text["PUSHBRIDGE_FCM_SERVICE_ACCOUNT"] = key
            #expect(try await send("devices:\(ids[1])", with: text).status == 0)
            text["PUSHBRIDGE_FCM_SERVICE_ACCOUNT"] = key.replacing("BEGIN", with: "BEGUN")
            let broken = try await send("devices:\(ids[1])", with: text)
            #expect(broken.status == 78 && broken.output.contains("service account"), "\(broken)")
            let none = try await send("devices:\(ids[1])", with: base)
            #expect(none.status == 78 && none.output.contains("serviceAccountFile"), "\(none)")
        }
        let secret = ["simulate", "fcm", "--app-key", "shop", "--master-secret", "x"]
        #expect(try await pushctl(secret).errors.contains("has no --master-secret"))
        #expect(try await pushctl(["simulate", "jpush", "--app-key", "k"]).errors.contains("needs --master-secret"))
        simulator.send(signal: SIGTERM)
        #expect(await simulator.result().status == 0)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("Web Push: a key for tests, subscriptions in the output, one request for each browser")
    func webPush() async throws {
        let simulator = try Program(
            Self.program,
            [
                "simulate", "webpush", "--with-parent", "--app-key", "mailto:push@news.example.com", "--device",
                "ann:web",
                "--device", "bob:web",
            ])
        defer { simulator.send(signal: SIGTERM) }
        let fields = try JSONValue(parsing: Array(try #require(try await simulator.firstLine()).utf8))
        let settings = [
            "PUSHBRIDGE_CA_FILE": try #require(fields["caFile"]?.stringValue),
            "PUSHBRIDGE_WEBPUSH_ORIGIN": try #require(fields["origin"]?.stringValue),
            "PUSHBRIDGE_WEBPUSH_KEY_FILE": try #require(fields["keyFile"]?.stringValue),
            "PUSHBRIDGE_WEBPUSH_SUBJECT": try #require(fields["subject"]?.stringValue),
            "PUSHBRIDGE_WEBPUSH_PRIVATE_HOSTS": try #require(fields["privateHosts"]?.stringValue),
        ]
        let ids = try ["ann", "bob"].map { try #require(fields["devices"]?[$0]?.stringValue) }
        let list = FileManager.default.temporaryDirectory.appending(path: "browsers-\(UUID().uuidString)")
        try Data((ids + ["nobody"]).joined(separator: "\n").utf8).write(to: list)
        defer { try? FileManager.default.removeItem(at: list) }
        try await withFile(Self.hello) { message in
            let arguments = ["send", "--vendor", "webpush", "--message", message, "--to", "devices:@\(list.path)"]
            let sent = try await pushctl(arguments + ["--json"], settings)
            let json = try JSONValue(parsing: Array(sent.output.utf8))
            #expect(sent.status == 1 && json["accepted"] == 2, "\(sent)")
            #expect(!sent.errors.contains("/wpush/") && !sent.errors.contains("PRIVATE KEY"))
        }
    }

    @Test("APNs: two environments, a new key, one request for each device, and what a wrong token says")
    func apns() async throws {
        let ids = (1...4).map { "7c1e" + String(repeating: "0", count: 59) + "\($0)" }
        let simulator = try Program(
            Self.program,
            [
                "simulate", "apns", "--with-parent", "--app-key", "com.example.shop", "--device", "\(ids[0]):ios",
                "--device", "\(ids[1]):ios", "--device", "\(ids[2]):ios:development", "--foreign-device",
                "\(ids[3]):ios", "--fault", "goaway@/nowhere",
            ])
        defer { simulator.send(signal: SIGTERM) }
        let fields = try JSONValue(parsing: Array(try #require(try await simulator.firstLine()).utf8))
        var environment: [String: String] = [
            "PUSHBRIDGE_CA_FILE": try #require(fields["caFile"]?.stringValue),
            "PUSHBRIDGE_APNS_KEY_FILE": try #require(fields["keyFile"]?.stringValue),
        ]
        for (variable, field) in [("KEY_ID", "keyID"), ("TEAM_ID", "teamID"), ("TOPIC", "topic")] {
            environment["PUSHBRIDGE_APNS_\(variable)"] = try #require(fields[field]?.stringValue)
        }
        let base = environment
        let file = FileManager.default.temporaryDirectory.appending(path: "message-\(UUID().uuidString).json")
        try Data(#"{"notification": {"body": "Hello"}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let message = file.path()
        func send(_ devices: [String], at place: String) async throws -> JSONValue {
            let origin = try #require(fields[place]?.stringValue)
            let settings = base.merging(["PUSHBRIDGE_APNS_ORIGIN": origin]) { $1 }
            let audience = "devices:" + devices.joined(separator: ",")
            let arguments = ["send", "--vendor", "apns", "--message", message, "--to", audience, "--json"]
            return try JSONValue(parsing: Array(try await pushctl(arguments, settings).output.utf8))
        }
        let production = try await send(ids, at: "production")
        #expect(production["accepted"] == 2, "\(production)")
        let development = try await send([ids[2]], at: "development")
        #expect(development["accepted"] == 1, "\(development)")
        let refused = ["simulate", "apns", "--app-key", "a.b", "--group", "a:b"]
        #expect(try await pushctl(refused).errors.contains("has no --group"))
        simulator.send(signal: SIGTERM)
        #expect(await simulator.result().status == 0)
    }

    @Test("the demo tells the same story as data")
    func demo() async throws {
        async let asData = pushctl(["demo", "--json"])
        async let asText = pushctl(["demo"], ["COLUMNS": "80"])
        let result = try await asData
        #expect(result.status == 0)
        let story = try JSONValue(parsing: Array(result.output.utf8))
        #expect(story["isRight"] == true)
        let narrow = try await asText.output
        #expect(!narrow.contains("\u{1B}"), "there are colors in a pipe")
        let people = narrow.split(separator: "\n")
        let titles = KnownVendors.names.map { vendor in
            story["vendors"]?[vendor]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
        }
        // Every vendor runs the same program, step by step.
        #expect(titles[0].count == 11 && titles.allSatisfy { $0.dropFirst() == titles[0].dropFirst() })
        let last = story["outbox"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
        #expect(people.filter { $0.hasPrefix("ok") }.map { String($0.dropFirst(4)) } == titles.flatMap(\.self) + last)
        let killed = story["outbox"]?.arrayValue?.first?["facts"]
        #expect(killed?["phones with the message"] == 6_000 && killed?["phones that got it twice"] == 0)
        let differences = story["differences"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
        #expect(people.filter { $0.hasPrefix("differs: ") }.map { String($0.dropFirst(9)) } == differences)
        #expect(differences.contains("Tags are set") && differences.count >= 5)
        let facts = story["differences"]?.arrayValue?.flatMap { $0["facts"]?.arrayValue ?? [] } ?? []
        // Where the table does not fit, each fact has each vendor once, beside its value. Three blanks are in front of a
        // fact, five in front of a value, seven where a value goes on.
        let blocks = narrow.components(separatedBy: "\ndiffers: ").dropFirst()
            .flatMap { $0.components(separatedBy: "\n   \n") }
        #expect(blocks.count >= differences.count)
        for block in blocks {
            let lines = block.replacing("\n       ", with: " ").split(separator: "\n").filter { $0.hasPrefix("     ") }
            let holders = lines.flatMap { line in
                line.trimmingPrefix("     ").prefix { $0 != ":" }.split(separator: ", ").map(String.init)
            }
            #expect(holders.sorted() == KnownVendors.names.sorted(), "\(block)")
        }
        func values(_ fact: String, _ vendor: String) -> [String] {
            facts.filter { $0["fact"]?.stringValue == fact }.compactMap { $0["values"]?[vendor]?.stringValue }
        }
        #expect(values("tags.read", "tpns").contains { $0.hasPrefix("not here: TPNS lists tags") })
        #expect(values("the caller learns", "tpns").contains("transport, effect unknown"))
        #expect(values("requests", "fcm").contains("2300"))
        #expect(values("idempotency keys", "engagelab").contains("made by the client, remembered by the vendor"))
        for vendor in ["harmony", "huawei", "xiaomi", "oppo"] { #expect(values("bindings removed", vendor) == ["1"]) }
        // vivo reports deliveries only, and the draft of Honor reads no receipts.
        for vendor in ["vivo", "honor"] { #expect(values("bindings removed", vendor) == ["-"]) }
    }

    @Test("the demo of one vendor has nothing to compare")
    func oneDemo() async throws {
        let result = try await pushctl(["demo", "TPNS", "--json"])
        let story = try JSONValue(parsing: Array(result.output.utf8))
        #expect(result.status == 0 && story["vendors"]?["jpush"] == nil && story["differences"] == [])
        #expect(try await pushctl(["demo", "nobody"]).status == 64)
    }
}
