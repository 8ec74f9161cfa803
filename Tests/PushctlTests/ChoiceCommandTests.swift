import Foundation
import PushAdapter
import TestSupport
import Testing
import VendorRegistry

/// Choosing a vendor and moving between vendors. The output must match the capability tables.
@Suite("pushctl choose, diff and migrate-check")
struct ChoiceCommandTests {
    private static let vendors = KnownVendors.names

    private func pushctl(_ arguments: [String], input: String = "") async throws -> Program.Result {
        try await Program.run(Program.folder.appending(path: "pushctl").path, arguments, input: input)
    }

    private func json(_ arguments: String...) async throws -> JSONValue {
        let result = try await pushctl(arguments + ["--json"])
        #expect(result.status == 0, "\(result.errors)")
        return try JSONValue(parsing: Array(result.output.utf8))
    }

    /// The tables of `pushctl vendors`.
    private func tables() async throws -> [String: JSONValue] {
        let rows = try #require(try await json("vendors").arrayValue)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["vendor"]?.stringValue ?? "", $0) })
    }

    private func features(_ table: JSONValue?) -> [String: JSONValue] {
        if case .object(let fields) = table?["features"] { fields } else { [:] }
    }

    @Test("a need of a platform ranks the vendors for each platform, without those that do not reach it")
    func platforms() async throws {
        let program = Program.folder.appending(path: "pushctl").path
        let needs = ["choose", "--need", "ios:live-activity", "--need", "android:tags", "--need", "validation"]
        let json = try JSONValue(parsing: Array(try await Program.run(program, needs + ["--json"]).output.utf8))
        func vendors(_ platform: String) -> [String] {
            json["platforms"]?[platform]?.arrayValue?.compactMap { $0["vendor"]?.stringValue } ?? []
        }
        #expect(vendors("ios").contains("apns") && !vendors("android").contains("apns"))
        let android = Set(Self.vendors).subtracting(["apns", "harmony", "webpush"])
        #expect(Set(vendors("android")) == android)
        let shown = try await Program.run(program, needs).output
        #expect(shown.contains("for android\n") && shown.contains("for ios\n"))
        #expect(shown.contains("together: \(vendors("ios")[0]) for ios ("), "\(shown)")
        let near = try await Program.run(program, ["choose", "--need", "liveactivity"])
        #expect(near.status == 64 && near.errors.contains("did you mean 'live-activity'?"), "\(near)")
        let wrong = try await Program.run(program, ["choose", "--need", "windows:alias"])
        #expect(wrong.status == 64 && wrong.errors.contains("ios: or android:"), "\(wrong)")
    }

    @Test("choose agrees with the tables in every feature of the model")
    func everyFeature() async throws {
        let tables = try await tables()
        var arguments = ["choose", "--json"]
        for row in Feature.model { arguments += ["--need", row.feature.rawValue] }
        let result = try await pushctl(arguments)
        let answer = try #require(try JSONValue(parsing: Array(result.output.utf8)).arrayValue)
        #expect(Set(answer.compactMap { $0["vendor"]?.stringValue }) == Set(Self.vendors))
        for candidate in answer {
            let declared = features(tables[candidate["vendor"]?.stringValue ?? ""])
            let findings = try #require(candidate["findings"]?.arrayValue)
            #expect(findings.count == Feature.model.count)
            for finding in findings {
                let support = declared[finding["feature"]?.stringValue ?? ""]?.stringValue ?? "no"
                let wanted = support.hasPrefix("emulated") ? "by the client" : support
                #expect(finding["met"]?.stringValue == wanted, "\(finding)")
                if support.hasPrefix("emulated") {
                    #expect(support.contains("\(finding["requests"]?.intValue ?? -1) requests"))
                    #expect(finding["isLossy"]?.boolValue == support.contains("lossy"))
                }
                #expect((finding["how"]?.stringValue ?? "").isEmpty == (wanted == "yes"))
            }
        }
    }

    @Test("choose agrees with the tables in every limit, at the number and one above it")
    func everyLimit() async throws {
        let tables = try await tables()
        for name in Self.vendors {
            guard case .object(let limits) = tables[name]?["limits"] else {
                Issue.record("no limits of \(name)")
                continue
            }
            let model = Set(LimitKey.model.map(\.limit.rawValue))
            let known = limits.filter { model.contains($0.key) }
            for step in 0...1 {
                var arguments = ["choose", "--json"]
                for (limit, bound) in known {
                    arguments += ["--need", "\(limit)=\((bound["maximum"]?.intValue ?? 0) + step)"]
                }
                let output = try await pushctl(arguments).output
                let answer = try #require(try JSONValue(parsing: Array(output.utf8)).arrayValue)
                let candidate = try #require(answer.first { $0["vendor"]?.stringValue == name })
                for finding in candidate["findings"]?.arrayValue ?? [] {
                    let bound = known[finding["limit"]?.stringValue ?? ""]
                    let row = try #require(LimitKey.model.first { $0.limit.rawValue == finding["limit"]?.stringValue })
                    let hasSubject = features(tables[name])[row.feature.rawValue].map { $0 != "no" } ?? false
                    let above = bound?["overflow"]?.stringValue == "split" ? "by the client" : "no"
                    // Limits of unsupported features do not count.
                    let wanted = !hasSubject ? "no" : step == 0 ? "yes" : above
                    #expect(finding["met"]?.stringValue == wanted, "\(name) \(finding)")
                }
                #expect(candidate["findings"]?.arrayValue?.count == known.count)
            }
        }
    }

    @Test("the best vendor comes first, with what an emulation costs and where it serves the region")
    func ranking() async throws {
        let text = try await pushctl([
            "choose", "--need", "alias", "--need", "tags-per-device=500", "--need", "live-activity", "--need",
            "attributes",
            "--region", "eu",
        ]).output
        for part in [
            "1. ", "at most 100", "frankfurt (DE)", "its data centers are in CN", "3 requests or more, not atomic",
            "with aliasAccountType by the client", "; closed to new sales since 2024", "tags-per-device=500",
            "with a loss that you have to accept",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let aliases = try #require(try await json("choose", "--need", "devices-per-alias=50").arrayValue)
        #expect(aliases.allSatisfy { $0["isMet"] == false })
        let accounts = try await json("choose", "--need", "accounts", "--need", "live-activity", "--need", "segments")
        #expect(accounts.arrayValue?.first?["vendor"] == "jpush")
        let most = String(Int.max)
        let huge = try await pushctl(["choose", "--need", "messages=1", "--need", "devices-per-request=\(most)"])
        #expect(huge.status == 64)
        let large = ["choose", "--need", "report.messages=\(most)", "--need", "send.aliases=\(most)"]
        #expect(try await pushctl(large).status == 0)
        #expect(try await pushctl(["choose", "--region", "eu", "--region", "SG"]).status == 64)
        let answer = try #require(try await json("choose", "--need", "own-alias", "--region", "SG").arrayValue)
        #expect(answer.first?["vendor"] == "engagelab" && answer.first?["isMet"] == true)
        // All vendors send; the one that is no longer sold and the draft come last.
        let equal = try #require(try await json("choose", "--need", "send").arrayValue)
        #expect(equal.allSatisfy { $0["isMet"] == true })
        #expect(equal.suffix(2).map { $0["vendor"] } == ["tpns", "honor"])
        // A need with several calls has one row where they are answered alike, else one for each call.
        #expect(text.contains("   alias ") && text.contains("alias: remove an alias"))
        #expect(answer.last?["isMet"] == false)
    }

    @Test("choose knows which vendors have Live Activities")
    func liveActivities() async throws {
        let answer = try #require(try await json("choose", "--need", "live-activity").arrayValue)
        let met = answer.filter { $0["isMet"] == true }.compactMap { $0["vendor"]?.stringValue }
        // HarmonyOS has live views of its own.
        #expect(met.sorted() == ["apns", "engagelab", "fcm", "harmony", "jpush"])
        #expect(answer.suffix(answer.count - met.count).allSatisfy { $0["isMet"] == false })
    }

    @Test("choose and diff know classes of messages, and warn of makers' rules that begin on a day")
    func classes() async throws {
        let answer = try #require(try await json("choose", "--need", "message-class").arrayValue)
        let met = answer.filter { $0["isMet"] == true }.compactMap { $0["vendor"]?.stringValue }
        #expect(Set(met) == Set(Self.vendors).subtracting(["apns", "fcm", "webpush"]))
        let fcm = answer.first { $0["vendor"] == "fcm" }?["findings"]?.arrayValue?.first
        #expect(fcm?["how"]?.stringValue == "ignored: FCM has no classes of messages")
        let shown = try await pushctl(["choose", "--need", "message-template"]).output
        #expect(shown.contains("a rule of xiaomi") && shown.contains("from 2026-12-31"))
        let diff = try await json("diff", "fcm", "jpush")
        let rule = diff["rules"]?.arrayValue?.first { $0["rule"] == "the class of a message" }
        #expect(rule?["fcm"] == "ignored: FCM has no classes of messages" && rule?["jpush"] == "yes")
        #expect(diff["dates"]?.arrayValue?.first?["day"] == "2026-12-31")
    }

    @Test("choose never takes topics for aliases or accounts, and says where a vendor names no region")
    func publicTopics() async throws {
        let answer = try await json(
            "choose", "--need", "alias", "--need", "accounts", "--need", "tags.add", "--region", "eu")
        let fcm = try #require(answer.arrayValue?.first { $0["vendor"] == "fcm" })
        let findings = try #require(fcm["findings"]?.arrayValue)
        let met = findings.map { $0["met"]?.stringValue }
        #expect(met.count { $0 == "yes" } == 1, "\(findings)")
        #expect(met.count { $0 == "no" } == met.count - 1)
        let reasons = findings.filter { $0["met"]?.stringValue == "no" }.compactMap { $0["how"]?.stringValue }
        #expect(reasons.allSatisfy { $0.contains("any copy of the app may subscribe") }, "\(reasons)")
        #expect(
            try await pushctl(["choose", "--need", "tags.add", "--region", "eu"]).output.contains("names no region"))
    }

    @Test(
        "diff agrees with the tables in every row of the matrix",
        arguments: [
            ("jpush", "tpns"), ("jpush", "engagelab"), ("engagelab", "tpns"), ("tpns", "jpush"), ("jpush", "fcm"),
            ("fcm", "tpns"), ("fcm", "apns"), ("apns", "jpush"),
        ])
    func differences(from: String, to: String) async throws {
        let tables = try await tables()
        let diff = try await json("diff", from, to)
        let (old, new) = (features(tables[from]), features(tables[to]))
        let rows = try #require(diff["features"]?.arrayValue)
        for (feature, label) in Feature.model {
            let before = old[feature.rawValue]?.stringValue ?? "no"
            let after = new[feature.rawValue]?.stringValue ?? "no"
            let row = rows.first { $0["feature"]?.stringValue == label }
            #expect((row == nil) == (before == after), "\(label): \(before), \(after)")
            guard let row else { continue }
            #expect(row[from]?.stringValue == before && row[to]?.stringValue == after)
            #expect(row["meaning"]?.stringValue?.isEmpty == false)
        }
        let limits = try #require(diff["limits"]?.arrayValue)
        for (limit, label, _) in LimitKey.model {
            let (before, after) = (tables[from]?["limits"]?[limit.rawValue], tables[to]?["limits"]?[limit.rawValue])
            let parts = ["maximum", "unit", "overflow"]
            let differs = parts.contains { before?[$0] != after?[$0] }
            #expect((limits.first { $0["limit"]?.stringValue == label } != nil) == differs, "\(label)")
        }
    }

    @Test("diff names what has to be moved, and shows a message on both wires")
    func message() async throws {
        let input = #"{"notification":{"title":"Shop","body":"Hello"}}"#
        let result = try await pushctl(
            ["diff", "jpush", "tpns", "--message", "-", "--to", "tags:vip"], input: input)
        #expect(result.status == 0)
        for part in [
            "each device registers", "POST /v3/push ", "POST /v3/push/app", "\"tag_rules\"",
            "devices with more than 100 tags",
            "What you have to move", "no code", "TPNS FOR IOS", "idempotency key",
        ] {
            #expect(result.output.contains(part), "\(part)")
        }
        let moving = try await pushctl(["diff", "jpush", "engagelab"]).output
        #expect(moving.contains("one device for each alias"))
        #expect(moving.contains("1003"))
        #expect(moving.contains("engagelab refuses some that jpush takes"))
        #expect(try await pushctl(["diff", "jpush", "tpns"]).output.contains("tpns takes every tag that jpush takes"))
        #expect(try await pushctl(["diff", "tpns", "jpush"]).output.contains("tpns cannot list them"))
        #expect(try await pushctl(["diff", "jpush", "tpns", "--to", "everyone"]).status == 64)
        #expect(try await pushctl(["diff", "jpush", "jpush"]).status == 64)
        #expect(try await pushctl(["diff", "jpush", "moon"]).status == 64)
        let refused = try await pushctl(
            ["diff", "jpush", "tpns", "--message", "-", "--to", "aliases:ann"], input: input)
        #expect(refused.output.contains("refused: unsupported"))
    }

    @Test("migrate-check names every value that the new vendor refuses, with line and reason")
    func migration() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tags, aliases) = (folder.appending(path: "tags.txt"), folder.appending(path: "aliases.txt"))
        let long = String(repeating: "x", count: 41)
        try Data(("vip\r\n\nx+y\n\(long)\nb d\n".utf8 + [0xFF, 0x0A] + "城市".utf8)).write(to: tags)
        try Data("ann\nb@c\n".utf8).write(to: aliases)
        let check = ["migrate-check", "--from", "jpush", "--to", "engagelab", tags.path, aliases.path]
        let result = try await pushctl(check)
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n").map { String($0.replacing(folder.path + "/", with: "")) }
        #expect(lines.count == 7, "\(result.output)")
        for (line, part) in zip(
            lines,
            [
                "tags.txt:3: \"x+y\": a tag contains the character U+002B; engagelab allows letters, digits, _ and Chinese",
                "tags.txt:4: ", "tags.txt:5: \"b d\"", "tags.txt:6: not UTF-8", "tags.txt: 6 tags, 4 of them refused",
                "aliases.txt:2: \"b@c\"", "aliases.txt: 2 aliases, 1 of them refused",
            ])
        { #expect(line.hasPrefix(part), "\(line)") }
        #expect(lines[2].contains("jpush refuses it too") && !lines[0].contains("jpush"))
        let rows = try await pushctl(check + ["--json"]).output.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8))
        }
        #expect(rows.compactMap { $0["line"]?.intValue } == [3, 4, 5, 6, 2])
        let fine = try await pushctl(["migrate-check", "--from", "jpush", "--to", "tpns", "-"], input: "a\nb\n")
        #expect(fine.status == 0 && fine.output.contains("2 tags, 0 of them refused"))
        let missing = try await pushctl(["migrate-check", "--from", "jpush", "--to", "tpns", "/nowhere"])
        #expect(missing.status == 64)
        let accounts = try await pushctl(["migrate-check", "--from", "jpush", "--to", "tpns", tags.path, aliases.path])
        #expect(
            accounts.errors.contains("with the setting aliasAccountType") && accounts.output.contains("2 aliases, 0"))
        let same = try await pushctl(["migrate-check", "--from", "jpush", "--to", "jpush", tags.path])
        #expect(same.status == 64)
        let absent = try await pushctl(["migrate-check", "--from", "jpush", "--to", "engagelab", tags.path, "/nowhere"])
        #expect(absent.status == 64 && absent.output.isEmpty)
    }

    @Test(
        "lines end with LF, CR or both, a mark of the byte order is no part of a tag, and a line has an end",
        arguments: [
            ("\u{FEFF}first\nx\n", 2, [Int]()), ("a\rb b\rc", 3, [2]), ("a\r\n\r\nb b\r\n", 2, [3]), ("", 0, []),
            ("\n\n", 0, []), ("a", 1, []), ("a\u{FEFF}b", 1, [1]),
            ("a\n" + String(repeating: "x", count: 200_000) + "\nb", 3, [2]),
            (String(repeating: "y", count: 65_535) + "\r\nb b", 2, [1, 2]),
        ])
    func lines(text: String, count: Int, refused: [Int]) async throws {
        let arguments = ["migrate-check", "--from", "jpush", "--to", "engagelab", "-", "--json"]
        let output = try await pushctl(arguments, input: text).output
        let rows = try output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(rows.compactMap { $0["line"]?.intValue } == refused)
        #expect(rows.last?["values"]?.intValue == count)
        #expect(output.utf8.count < 10_000)
    }

    @Test("migrate-check reads a long list as a stream")
    func longList() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        var text = ""
        for number in 1...300_000 { text += number == 299_999 ? "a b\n" : "tag_\(number)\n" }
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await pushctl(["migrate-check", "--from", "jpush", "--to", "engagelab", file.path])
        #expect(result.status == 1)
        #expect(result.output.contains(":299999: \"a b\"") && result.output.contains("300000 tags, 1 of them refused"))
    }
}
