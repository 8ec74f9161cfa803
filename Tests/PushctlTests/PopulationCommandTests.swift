import Foundation
import PushAdapter
import TestSupport
import Testing

/// A set of vendors for a population.
@Suite("pushctl choose --platform")
struct PopulationCommandTests {
    private func choose(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(Program.folder.appending(path: "pushctl").path, ["choose"] + arguments)
    }

    /// The answer, and its part for each platform.
    private func routes(_ arguments: String...) async throws -> (json: JSONValue, routes: [String: JSONValue]) {
        let json = try JSONValue(parsing: Array(try await choose(arguments + ["--json"]).output.utf8))
        let rows = json["population"]?.arrayValue ?? []
        return (json, Dictionary(uniqueKeysWithValues: rows.map { ($0["platform"]?.stringValue ?? "", $0) }))
    }

    @Test("each platform has its best way and a second one, and few vendors are named that reach all")
    func ways() async throws {
        let (json, routes) = try await routes(
            "--platform", "huawei=70", "--platform", "oppo=20", "--platform", "android=10", "--platform", "ios",
            "--platform", "web", "--platform", "harmony", "--platform", "xiaomi")
        let best = routes.compactMapValues { $0["best"]?["vendor"]?.stringValue }
        #expect(
            best == [
                "huawei": "huawei", "oppo": "oppo", "android": "fcm", "ios": "apns", "web": "webpush",
                "harmony": "harmony", "xiaomi": "xiaomi",
            ])
        let second = routes.compactMapValues { $0["second"]?["vendor"]?.stringValue }
        #expect(second["huawei"] == "jpush" && second["ios"] == "jpush" && second["web"] == "fcm", "\(second)")
        // FCM reaches no maker's phones in mainland China, and TPNS no HarmonyOS.
        #expect(routes["huawei"]?["vendors"] == ["huawei", "jpush", "engagelab", "tpns"])
        #expect(routes["harmony"]?["vendors"] == ["harmony", "jpush", "engagelab"])
        #expect(routes["huawei"]?["share"] == 70 && routes["ios"]?["share"] == nil)
        #expect(routes["android"]?["hasOwnVendor"] == false && routes["oppo"]?["hasOwnVendor"] == true)
        #expect(json["fewest"]?.arrayValue?.count == 2, "\(json["fewest"] ?? .null)")
    }

    @Test("the quotas are those of the maker")
    func text() async throws {
        let shown = try await choose(["--platform", "huawei=70", "--platform", "oppo=30"]).output
        for part in [
            "huawei: marketing", "2 a day", "oppo: service", "no number stated", "best ways: huawei, oppo",
            "fewest vendors that meet as many needs: jpush",
        ] {
            #expect(shown.contains(part), "\(part) in \(shown)")
        }
        #expect(!shown.contains("vivo") && !shown.contains("NEEDS") && !shown.contains("no adapter"))
        #expect(try await choose(["--platform", "xiaomi"]).output.contains("2026-12-31"))
    }

    @Test("needs of a platform and a region count, a maker's phones being Android's")
    func needs() async throws {
        let tags = try await routes(
            "--platform", "huawei", "--platform", "ios", "--need", "android:alias", "--need", "ios:live-activity")
        #expect(tags.routes["huawei"]?["best"]?["vendor"] == "jpush")
        #expect(tags.routes["ios"]?["best"]?["vendor"] == "apns")
        #expect(tags.json["fewest"] == ["jpush"])
        let region = try await routes("--platform", "huawei", "--platform", "ios", "--region", "eu")
        #expect(region.json["best"] == ["engagelab"])
        // EngageLab's adapter writes no class for OPPO.
        let classes = try await routes("--platform", "oppo", "--platform", "ios", "--need", "message-class")
        #expect(classes.routes["oppo"]?["best"]?["vendor"] == "oppo")
        #expect(classes.routes["oppo"]?["second"]?["vendor"] == "jpush")
        #expect(classes.routes["oppo"]?["second"]?["passesClass"] == true)
        #expect(classes.routes["ios"]?["best"]?["vendor"] == "apns")
    }

    @Test(
        "bad input is refused, with what exists",
        arguments: [
            (["--platform", "windows"], "known are android, harmony, honor, huawei, ios"),
            (["--platform", "huawei=101"], "from 1 to 100"), (["--platform", "ios", "--platform", "ios"], "twice"),
            (["--platform", "ios=60", "--platform", "web=41"], "101 %"),
            (["--platform", "ios", "--need", "android:tags"], "--platform \"android\""),
            (["--platform", "ios", "--need", "moon"], "unknown need"),
        ])
    func refusals(arguments: [String], part: String) async throws {
        let result = try await choose(arguments)
        #expect(result.status == 64 && result.errors.contains(part), "\(result)")
    }
}
