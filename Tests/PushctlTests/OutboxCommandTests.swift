import Foundation
import PostgresServer
import PushAdapter
import TestSupport
import Testing

@Suite("pushctl outbox")
struct OutboxCommandTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "simulator0simulator0only"
    private static let device = "190e35f7e0a1b2c3d4e"
    private static let stranger = "190e35f7e0a1b2c3d4f"
    /// The AccessId and the token at TPNS.
    private static let accessID = "1500999001"
    private static let token = "0123456789abcdef0123456789abcdef0123"
    private static var program: String { Program.folder.appending(path: "pushctl").path }

    /// A folder with settings, a message and the path of an outbox, and a simulator in its own process.
    private struct World {
        let folder: URL
        let environment: [String: String]

        func path(_ name: String) -> String { folder.appending(path: name).path }

        /// Starts `pushctl outbox`. Commands with clients also get the settings.
        /// - Parameter launcher: a program that becomes this one, with its arguments.
        func start(
            _ arguments: [String], _ changes: [String: String] = [:], by launcher: [String] = [], input: String = ""
        ) throws -> Program {
            let hasClients = ["enqueue", "run", "retire"].contains(arguments[0])
            let all =
                launcher + [OutboxCommandTests.program, "outbox"] + arguments
                + (hasClients ? ["--config", path("push.json")] : [])
            return try Program(
                all[0], Array(all.dropFirst()), environment: environment.merging(changes) { $1 }, input: input)
        }

        func run(_ arguments: [String], _ changes: [String: String] = [:]) async throws -> Program.Result {
            try await start(arguments, changes).result()
        }

        func enqueue(to audience: String, at route: String = "shop") async throws -> Program.Result {
            try await run(["enqueue", "sale", "--message", path("message.json"), "--to", audience, "--at", route])
        }

        func shown() async throws -> JSONValue {
            try JSONValue(parsing: Array(try await run(["show", "sale", "--json"]).output.utf8))
        }
    }

    private func withWorld(
        vendor: String = "jpush", secret: String = Self.secret, faults: [String] = [], store: String? = nil,
        _ body: (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushctl-outbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = [
            ("push.json", #"{"routes": ["shop"], "shop": {"vendor": "\#(vendor)", "\#(vendor)": {}}}"#),
            ("message.json", #"{"notification":{"title":"Shop","body":"Hello"}}"#),
            ("devices.txt", "\(Self.device)\n\(Self.stranger)\n\(Self.device)\n"),
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let (app, device) = vendor == "tpns" ? (Self.accessID, Self.token) : (Self.key, Self.device)
        let simulator = try Program(
            Self.program,
            [
                "simulate", vendor, "--port", "0", "--with-parent", "--app-key", app, "--master-secret", Self.secret,
                "--device", "\(device):android",
            ] + faults.flatMap { ["--fault", $0] })
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        let fields = try JSONValue(parsing: Array(line.utf8))
        let route = "PUSHBRIDGE_SHOP_"
        let origin = try #require(fields["origin"]?.stringValue)
        var environment = [
            "PUSHBRIDGE_OUTBOX_STORE": store ?? folder.appending(path: "outbox.db").path,
            route + "CA_FILE": fields["caFile"]?.stringValue ?? "", route + vendor.uppercased() + "_ORIGIN": origin,
        ]
        if vendor == "tpns" {
            environment[route + "TPNS_ACCESS_ID"] = app
            environment[route + "TPNS_SECRET_KEY"] = secret
            environment[route + "TPNS_PLATFORM"] = "android"
        } else {
            environment[route + "JPUSH_APP_KEY"] = app
            environment[route + "JPUSH_MASTER_SECRET"] = secret
        }
        try await body(World(folder: folder, environment: environment))
    }

    @Test("a campaign is enqueued by one process, sent by another and shown by a third")
    func campaign() async throws {
        try await withWorld { world in
            for _ in 0..<2 {
                let enqueued = try await world.enqueue(to: "devices:@" + world.path("devices.txt"))
                #expect(
                    enqueued.status == 0 && enqueued.output.contains("sale is active: 0 of 1 slices"), "\(enqueued)")
            }
            let sent = try await world.run(["run", "--until-idle"])
            #expect(sent.status == 0 && sent.errors.contains("sale: finished"), "\(sent)")
            // Progress is for terminals. Only a report that the user requests names targets.
            #expect(!sent.errors.contains(Self.device) && !sent.errors.contains(Self.stranger), "\(sent)")
            let all = try await world.run(["show", "sale", "--exceptions", "all"])
            #expect(all.errors.contains("finished: 1 of 1 slices, 1 accepted, 1 invalid, 1 repeated"), "\(all)")
            let exceptions = try all.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(exceptions.map { $0["position"] } == [1, 2], "\(all)")
            #expect(exceptions.first?["target"] == .string(Self.stranger))
            let invalid = try await world.run(["show", "sale", "--exceptions", "invalid", "--json"])
            #expect(invalid.output.split(separator: "\n").count == 1 && invalid.errors == "", "\(invalid)")
            let listed = try await world.run(["list", "--json"])
            let campaigns = try JSONValue(parsing: Array(listed.output.utf8)).arrayValue
            #expect(campaigns?.count == 1 && campaigns?.first?["accepted"] == 1, "\(listed)")
            #expect(campaigns?.first?["duplicate"] == 1 && campaigns?.first?["needsPerson"] == false, "\(listed)")
            #expect(campaigns?.first?["routes"] == ["shop"], "\(listed)")
            let late = try await world.run(["pause", "sale"])
            #expect(late.status == 2 && late.errors.contains("is finished and cannot be paused"), "\(late)")
        }
    }

    @Test("users are reached over their bindings, and bindings with dead targets are removed afterwards")
    func users() async throws {
        try await withWorld { world in
            let bindings = [("ann", Self.device), ("bob", Self.stranger)].map { user, device in
                #"{"user":"\#(user)","installation":"\#(user)-1","route":"shop","device":"\#(device)","#
                    + #""boundAt":"2026-11-01T10:00:00Z"}"#
            }
            try Data(bindings.joined(separator: "\n").utf8).write(to: world.folder.appending(path: "bindings.txt"))
            try Data("ann\nbob\nzoe\n".utf8).write(to: world.folder.appending(path: "users.txt"))
            let database = ["--database", world.path("bindings.db")]
            let imported = try await Program.run(
                Self.program, ["route", "bindings", "--import", world.path("bindings.txt")] + database)
            #expect(imported.status == 0, "\(imported)")
            let enqueue = ["enqueue", "sale", "--message", world.path("message.json")]
            for wrong in [[], ["--users", world.path("users.txt")], ["--to", "everyone", "--at", "shop"] + database] {
                let result = try await world.run(enqueue + wrong)
                #expect(result.status == 64 && result.errors.hasPrefix("error: give --to and --at"), "\(result)")
            }
            let enqueued = try await world.start(enqueue + ["--users", "-"] + database, input: "ann\nbob\nzoe\n")
                .result()
            #expect(enqueued.status == 0, "\(enqueued)")
            let sent = try await world.run(["run", "--until-idle"] + database)
            #expect(sent.status == 0 && sent.errors.contains("sale: finished"), "\(sent)")
            let retired = try await world.run(["retire", "sale", "--json"] + database)
            #expect(retired.status == 0 && retired.output.contains(#""retired":1"#), "\(retired)")
            let again = try await world.run(["retire", "sale"] + database)
            #expect(again.output == "pruned 0 dead bindings, kept 1, drained 0\n", "\(again)")
            let rest = try await Program.run(
                Self.program, ["route", "bindings", "--user", "ann", "--user", "bob", "--json"] + database)
            #expect(rest.output.contains(Self.device) && !rest.output.contains(Self.stranger), "\(rest)")
        }
    }

    @Test("the list has pages and states, and says when there is more")
    func pages() async throws {
        try await withWorld { world in
            for name in ["first", "second", "third"] {
                let message = ["--message", world.path("message.json")]
                let audience = ["--to", "devices:\(Self.device)", "--at", "shop"]
                #expect(try await world.run(["enqueue", name] + message + audience).status == 0)
            }
            #expect(try await world.run(["pause", "second"]).status == 0)
            func names(_ arguments: [String]) async throws -> [JSONValue] {
                let listed = try await world.run(["list", "--json"] + arguments)
                return try JSONValue(parsing: Array(listed.output.utf8)).arrayValue?.compactMap { $0["campaign"] } ?? []
            }
            #expect(try await names([]) == ["third", "second", "first"])
            #expect(try await names(["--limit", "2"]) == ["third", "second"])
            #expect(try await names(["--before", "second"]) == ["first"])
            #expect(try await names(["--state", "paused", "--state", "finished"]) == ["second"])
            let page = try await world.run(["list", "--limit", "2"])
            #expect(page.errors.contains("there may be more: --before second"), "\(page)")
        }
    }

    @Test("a wrong key pauses the part, the exit status and the list say so")
    func wrongKey() async throws {
        try await withWorld(secret: "another0another0another0") { world in
            _ = try await world.enqueue(to: "devices:\(Self.device)")
            let sent = try await world.run(["run", "--until-idle"])
            #expect(sent.status == 1 && sent.errors.contains("part 0 at shop is paused: unauthorized"), "\(sent)")
            let listed = try await world.run(["list"])
            #expect(listed.output.contains("needs you"), "\(listed)")
            let shown = try await world.shown()
            #expect(shown["open"] == 1 && shown["pausedParts"]?["0"] != nil && shown["needsPerson"] == true)
            #expect(sent.errors.contains("sale: part 0 at shop is paused"), "\(sent)")
            #expect(sent.errors.contains("(vendor code 1004)"), "\(sent)")
            let both = try await world.run(["resume", "sale", "--at", "shop"])
            #expect(both.status == 64 && both.errors.contains("--at"), "\(both)")
            let elsewhere = try await world.run(["resume", "--at", "other"])
            #expect(elsewhere.status == 0 && elsewhere.errors.contains("nothing at this route"), "\(elsewhere)")
            let atRoute = try await world.run(["resume", "--at", "shop"])
            #expect(atRoute.output.contains("sale is active") && !atRoute.output.contains("paused"), "\(atRoute)")
            _ = try await world.run(["run", "--until-idle"])
            #expect(try await world.shown()["needsPerson"] == true)
            let resumed = try await world.run(["resume", "sale", "--json"])
            let json = try JSONValue(parsing: Array(resumed.output.utf8))
            #expect(json["needsPerson"] == false && json["state"] == "active", "\(resumed)")
            let cancelled = try await world.run(["cancel", "sale"])
            #expect(
                cancelled.output.contains("cancelled") && cancelled.output.contains("1 not attempted"), "\(cancelled)")
        }
    }

    @Test("without keys a lost answer is unknown, and is sent again only when asked for")
    func unknown() async throws {
        try await withWorld(vendor: "tpns", faults: ["lost"]) { world in
            _ = try await world.enqueue(to: "devices:\(Self.token)")
            let sent = try await world.run(["run", "--until-idle"])
            #expect(sent.status == 0 && sent.errors.contains("sale: finished"), "\(sent)")
            let unknown = try await world.run(["show", "sale", "--exceptions", "unknown"])
            let item = try JSONValue(parsing: Array(unknown.output.utf8))
            #expect(item["target"] == .string(Self.token) && item["status"] == "unknown", "\(unknown)")
            let resent = try await world.run(["resend", "sale", "--unknown"])
            #expect(resent.status == 0 && resent.errors.contains("1 target will get it once more"), "\(resent)")
            let shown = try await world.shown()
            #expect(shown["state"] == "active" && shown["open"] == 1 && shown["resent"] == 1)
            #expect(shown["mayHaveBeenSent"] == 1 && shown["unknown"] == 0)
            let again = try await world.run(["resend", "sale", "--unknown"])
            #expect(again.status == 0 && again.errors.contains("no target is unknown"), "\(again)")
            // The target waits for a minute, so nothing can be sent now.
            let idle = try await world.run(["run", "--until-idle"])
            let still = try await world.shown()
            #expect(idle.status == 0 && still["open"] == 1, "\(idle)")
        }
    }

    @Test("what may have been sent says why it waits, how often it was tried, and until when its key lives")
    func waiting() async throws {
        let faults = ["100*lost@/v3/push"]
        try await withWorld(faults: faults) { world in
            _ = try await world.enqueue(to: "devices:\(Self.device)")
            let sent = try await world.run(["run", "--until-idle"])
            #expect(
                sent.status == 0
                    && sent.errors.contains("sale: part 0 at shop: 1 target of a slice not accepted: transport"),
                "\(sent)")
            let shown = try await world.run(["show", "sale"])
            for text in [
                "part 0 at shop: 1 target waiting, 1 may have been sent, tried once, ", "Z, repeated until ",
                "Z: transport: ",
            ] { #expect(shown.output.contains(text), "\(shown)") }
            let wait = try #require(try await world.shown()["waits"]?.arrayValue?.first)
            #expect(wait["mayHaveBeenSent"] == 1 && wait["attempts"] == 1 && wait["isQuarantined"] == false, "\(wait)")
            #expect(wait["reason"]?.stringValue?.hasPrefix("transport: ") == true, "\(wait)")
            let nextTry = try #require(try wait["nextTry"]?.stringValue.map { try Date($0, strategy: .iso8601) })
            let keyUntil = try #require(try wait["repeatedUntil"]?.stringValue.map { try Date($0, strategy: .iso8601) })
            #expect(keyUntil.timeIntervalSince(nextTry) > 20 * 3_600)
            let examined = try await world.run(["doctor"])
            #expect(examined.output.contains("sale: part 0 at shop: 1 target waiting"), "\(examined)")
            let fields = try JSONValue(parsing: Array(try await world.run(["doctor", "--json"]).output.utf8))
            #expect(fields["campaigns"]?.arrayValue?.first?["waits"]?.arrayValue == [wait], "\(fields)")
            _ = try await world.run(["pause", "sale"])
            let paused = try await world.run(["doctor"])
            #expect(paused.output.contains("sale was paused by a person; pushctl outbox resume sale"), "\(paused)")
            let listed = try await world.run(["list", "--json"])
            #expect(!listed.output.contains("waits"), "\(listed)")
        }
    }

    @Test("a worker says once why slices of a part fail, however many there are")
    func repeats() async throws {
        try await withWorld(faults: ["1000*throttle@/v3/push"]) { world in
            let devices = (0..<1_500).map { "190e35f7e0a1b2c" + String($0 + 4_096, radix: 16) }
            try Data(devices.joined(separator: "\n").utf8).write(to: world.folder.appending(path: "devices.txt"))
            _ = try await world.enqueue(to: "devices:@" + world.path("devices.txt"))
            let sent = try await world.run(["run", "--until-idle"])
            #expect(try await world.shown()["slices"] == 2)
            let lines = sent.errors.split(separator: "\n").filter { $0.contains("not accepted") }
            #expect(lines.count == 1, "\(sent)")
        }
    }

    @Test("one worker at a time: another stands by, takes over, and ends at a signal")
    func standby() async throws {
        try await withWorld { world in
            _ = try await world.enqueue(to: "devices:\(Self.device)")
            let worker = try world.start(["run"])
            while worker.isRunning, try await world.shown()["state"] != "finished" {}
            let second = try await world.run(["run", "--until-idle"])
            #expect(second.status == 2 && second.errors.contains("another process works on this store"), "\(second)")
            let standby = try world.start(["run"])
            #expect(try await standby.line(with: "Z another process works on this store", inErrors: true) != nil)
            worker.send(signal: SIGTERM)
            let ended = await worker.result()
            #expect(ended.status == 0 && ended.errors.contains("Z the worker has ended"), "\(ended)")
            #expect(try await standby.line(with: "Z the worker starts", inErrors: true) != nil, "it did not take over")
            let third = try await world.run(["run", "--until-idle"])
            #expect(third.status == 2, "\(third)")
            standby.send(signal: SIGINT)
            let last = await standby.result()
            #expect(last.status == 0 && last.errors.contains("Z the worker has ended"), "\(last)")
        }
    }

    private static let taskset = "/usr/bin/taskset"

    @Test(
        "on one processor, the connections of a worker are open when it starts",
        .enabled(if: FileManager.default.isExecutableFile(atPath: taskset), "util-linux has taskset"))
    func oneProcessor() async throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let allowed = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
        let first = allowed.drop { !$0.isNumber }.prefix { $0.isNumber }
        try await withWorld { world in
            let worker = try world.start(["run"], by: [Self.taskset, "-c", String(first)])
            #expect(try await worker.line(with: "Z the worker starts", inErrors: true) != nil)
            let folder = "/proc/\(worker.number)/fd"
            let links = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            // The writer and both readers. One that opened later would not notice that the file was moved.
            #expect(links.count { $0.hasSuffix("/outbox.db") } == 3, "\(links)")
        }
    }

    @Test("the doctor tells what is wrong, and tables are created, printed and pruned")
    func tending() async throws {
        try await withWorld(secret: "another0another0another0") { world in
            let absent = try await world.run(["doctor"])
            #expect(absent.status == 64, "\(absent)")
            let migrated = try await world.run(["migrate"])
            #expect(migrated.status == 0 && migrated.output.contains("tables of version 1"), "\(migrated)")
            let well = try await world.run(["doctor", "--json"])
            let fields = try JSONValue(parsing: Array(well.output.utf8))
            #expect(well.status == 0 && fields["problems"] == .array([]) && fields["waitingTargets"] == 0, "\(well)")
            #expect(fields["durability"]?["synchronous"] == "FULL" && fields["workers"] == .array([]), "\(well)")
            _ = try await world.enqueue(to: "devices:\(Self.device)")
            let idle = try await world.run(["doctor"])
            #expect(idle.status == 1 && idle.output.contains("no worker runs"), "\(idle)")
            #expect(idle.output.contains("waits longest: sale") && idle.output.contains("1 target waiting"), "\(idle)")
            _ = try await world.run(["run", "--until-idle"])
            let paused = try await world.run(["doctor"])
            #expect(paused.status == 1 && paused.output.contains("sale needs you: active"), "\(paused)")
            let worker = try world.start(["run"])
            var hasWorker = false
            while worker.isRunning, !hasWorker {
                let output = try await world.run(["doctor"]).output
                hasWorker = output.contains("workers: this machine, process \(worker.number)\n")
            }
            #expect(hasWorker)
            worker.send(signal: SIGSTOP)
            let stopped = try await world.run(["doctor"])
            #expect(stopped.output.contains("process \(worker.number), is stopped"), "\(stopped)")
            worker.send(signal: SIGCONT)
            worker.send(signal: SIGTERM)
            _ = await worker.result()
            let pruned = try await world.run(["prune"])
            #expect(pruned.status == 0 && pruned.output == "0 removed\n", "\(pruned)")
            let sql = try await world.run(["migrate", "--print"])
            #expect(sql.status == 0 && sql.output.contains("CREATE TABLE outbox_slice"), "\(sql)")
        }
    }

    @Test("what is paused is not sent until it is resumed")
    func pausing() async throws {
        try await withWorld { world in
            _ = try await world.enqueue(to: "devices:\(Self.device)")
            let paused = try await world.run(["pause", "sale"])
            #expect(paused.status == 0 && paused.output.contains("sale is paused"), "\(paused)")
            let idle = try await world.run(["run", "--until-idle"])
            let waiting = try await world.shown()
            #expect(waiting["state"] == "paused" && waiting["open"] == 1, "\(idle)")
            let resumed = try await world.run(["resume", "sale"])
            #expect(resumed.status == 0 && resumed.output.contains("sale is active"), "\(resumed)")
            let sent = try await world.run(["run", "--until-idle"])
            #expect(sent.status == 0 && sent.errors.contains("sale: finished"), "\(sent)")
        }
    }

    @Test("the same over PostgreSQL, once its tables are created")
    func database() async throws {
        let server = try await PostgresServer.shared()
        let database = "pushctl_" + UUID().uuidString.prefix(8).lowercased()
        func sql(_ text: String, in database: String) async throws {
            let arguments = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-U", "push", "-d", database]
            let result = try await Program("/usr/bin/psql", arguments + ["-c", text]).result()
            try #require(result.status == 0, "\(result)")
        }
        try await sql("CREATE DATABASE \(database)", in: "postgres")
        let store = "postgresql:///\(database)?host=\(server.folder)&user=push"
        try await withWorld(store: store) { world in
            let early = try await world.enqueue(to: "devices:\(Self.device)")
            #expect(early.status != 0 && early.errors.contains("pushctl outbox migrate"), "\(early)")
            for _ in 0..<2 {
                let migrated = try await world.run(["migrate"])
                #expect(migrated.status == 0 && migrated.output.contains("tables of version 1"), "\(migrated)")
            }
            let enqueued = try await world.enqueue(to: "devices:@" + world.path("devices.txt"))
            #expect(enqueued.status == 0, "\(enqueued)")
            let paused = try await world.run(["pause", "sale"])
            #expect(paused.output.contains("sale is paused"), "\(paused)")
            let examined = try await world.run(["doctor"])
            #expect(examined.output.hasPrefix("PostgreSQL 1"), "\(examined)")
            #expect(examined.status == 1 && examined.output.contains("2 targets waiting"), "\(examined)")
            _ = try await world.run(["resume", "sale"])
            let sent = try await world.run(["run", "--until-idle"])
            #expect(sent.status == 0 && sent.errors.contains("sale: finished"), "\(sent)")
            let invalid = try await world.run(["show", "sale", "--exceptions", "invalid"])
            #expect(invalid.output.contains(Self.stranger), "\(invalid)")
            let kept = try await world.run(["prune"])
            #expect(kept.output == "0 removed\n", "\(kept)")
            try await sql("UPDATE pushbridge.outbox_campaign SET ended_at = ended_at - 15 * 86400", in: database)
            let pruned = try await world.run(["prune"])
            #expect(pruned.status == 0 && pruned.output == "1 removed\n", "\(pruned)")
            let listed = try await world.run(["list", "--json"])
            #expect(listed.output == "[]\n", "\(listed)")
        }
        try await sql("DROP DATABASE \(database)", in: "postgres")
    }

    /// Whether this machine lets a program mount its own small disk.
    private static func hasOwnMounts() async throws -> Bool {
        try await Program("/usr/bin/unshare", ["-rm", "/bin/mount", "-t", "tmpfs", "tmpfs", "/mnt"]).result().status
            == 0
    }

    @Test("a full disk is called that, also by commands that only read", .enabled { try await hasOwnMounts() })
    func fullDisk() async throws {
        try await withWorld { world in
            _ = try await world.enqueue(to: "devices:\(Self.device)")
            let script = """
                mount -t tmpfs -o size=256k tmpfs /mnt && cp "$1" /mnt/outbox.db
                dd if=/dev/zero of=/mnt/rest bs=1k 2>/dev/null
                "$0" outbox list --store /mnt/outbox.db; echo $?
                rm /mnt/rest && "$0" outbox list --store /mnt/outbox.db
                """
            let result = try await Program(
                "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script, Self.program, world.path("outbox.db")]
            ).result()
            #expect(result.errors.contains("the disk is full; free some space"), "\(result)")
            #expect(result.output.hasPrefix("2\n") && result.output.contains("sale"), "\(result)")
        }
    }

    @Test("the name of a campaign that will not be sent ends enqueue with status 1, and says why")
    func spentName() async throws {
        try await withWorld { world in
            let first = try await world.enqueue(to: "devices:\(Self.device)")
            #expect(first.status == 0, "\(first)")
            let again = try await world.enqueue(to: "devices:\(Self.device)")
            #expect(again.status == 0, "\(again)")
            _ = try await world.run(["cancel", "sale"])
            let cancelled = try await world.enqueue(to: "devices:\(Self.device)")
            #expect(
                cancelled.status == 1 && cancelled.errors.contains("error: sale is cancelled already"), "\(cancelled)")
        }
    }

    @Test("the page is for the token, which no output has; without one there must be a terminal")
    func page() async throws {
        try await withWorld { world in
            #expect(try await world.enqueue(to: "devices:\(Self.device)").status == 0)
            let variable = "PUSHBRIDGE_OUTBOX_PAGE_TOKEN"
            let refused = try await world.run(["page"])
            #expect(refused.status == 78 && refused.errors.contains(variable), "\(refused.errors)")
            let token = "0123456789abcdef-token"
            let page = try world.start(["page", "--json"], [variable: token])
            let line = try #require(try await page.firstLine())
            let address = try #require(try JSONValue(parsing: Array(line.utf8))["page"]?.stringValue)
            let answer = try await Program.run(
                "/usr/bin/curl", ["-sS", "-H", "Authorization: Bearer \(token)", address + "/campaigns"])
            let campaigns = try JSONValue(parsing: Array(answer.output.utf8))["campaigns"]?.arrayValue
            #expect(campaigns?.map { $0["name"] } == ["sale"], "\(answer.errors)")
            page.send(signal: SIGTERM)
            let end = await page.result()
            #expect(end.status == 0 && !(end.output + end.errors).contains(token), "\(end.errors)")
        }
    }

    @Test("wrong arguments are refused, and create no file")
    func refusals() async throws {
        try await withWorld { world in
            let missing = try await world.run(["list", "--store", world.path("other.db")])
            #expect(missing.status == 64 && missing.errors.contains("there is no outbox"), "\(missing)")
            #expect(!FileManager.default.fileExists(atPath: world.path("other.db")))
            let nowhere = try await world.run(["list"], ["PUSHBRIDGE_OUTBOX_STORE": ""])
            #expect(nowhere.status == 64 && nowhere.errors.contains("PUSHBRIDGE_OUTBOX_STORE"), "\(nowhere)")
            for store in [
                "host=/nowhere user=a password=s3cret", " password = s3cret host = /nowhere ",
                "postgresql://a:s3cret@/shop?host=/nowhere", "postgres+tls://a:s3cret@db/shop",
            ] {
                for command in [["list"], ["doctor"], ["migrate"]] {
                    let result = try await world.run(command, ["PUSHBRIDGE_OUTBOX_STORE": store])
                    #expect(result.status != 0 && !result.errors.contains("file"), "\(result)")
                    #expect(!(result.output + result.errors).contains("s3cret"), "\(result)")
                }
            }
            let route = try await world.enqueue(to: "everyone", at: "nowhere")
            #expect(route.status == 64 && route.errors.contains("no route \"nowhere\""), "\(route)")
            let unknown = try await world.run(["show", "nothing"])
            #expect(unknown.status == 64 && unknown.errors.contains("there is no campaign \"nothing\""), "\(unknown)")
            let silent = try await world.run(["resend", "sale"])
            #expect(silent.status == 64 && silent.errors.contains("--unknown"), "\(silent)")
            let file = try await world.enqueue(to: "devices:@" + world.path("nothing.txt"))
            #expect(file.status == 64 && file.errors.contains("cannot be read"), "\(file)")
        }
    }
}
