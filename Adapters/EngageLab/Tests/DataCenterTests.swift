import Foundation
import PushAdapter
import PushEngageLab
import TestSupport
import Testing

@Suite("EngageLab data centers")
struct DataCenterTests {
    @Test(
        "each center is found by its name and the vendor's other words, in any case",
        arguments: [
            ("Singapore", "pushapi-sgp", "SG"), ("VA", "pushapi-usva", "US"), ("frankfurt", "pushapi-defra", "DE"),
            ("HONG_KONG", "pushapi-hk", "HK"), ("Hong Kong", "pushapi-hk", "HK"), ("JPN", "pushapi-jpn", "JP"),
            ("brazil", "pushapi-bra", "BR"), ("pushapi-bra.engagelab.com", "pushapi-bra", "BR"),
        ])
    func names(name: String, host: String, region: String) async throws {
        let center = try await EngageLab.dataCenters.select(.named(name), forKey: "k")
        #expect(try center.address(of: "push") == "https://\(host).engagelab.com/v4")
        #expect(center.region == region)
    }

    @Test("Singapore is the default, six are known, and an unknown one lists them")
    func catalog() async throws {
        #expect(try await EngageLab.dataCenters.select(.standard, forKey: "k").name == "singapore")
        #expect(EngageLab.dataCenters.all.count == 6)
        await expectThrows(.error(naming: "singapore, virginia, frankfurt, hongkong, japan, brazil")) {
            try await EngageLab.dataCenters.select(.named("mars"), forKey: "k")
        }
    }

    @Test("the older hosts are custom values, and count for the region guard like the others")
    func legacy() async throws {
        let old = try EngageLab.legacyDataCenters.named("frankfurt-legacy")
        let center = try await EngageLab.dataCenters.select(.custom(old), forKey: "k", allowedRegions: ["DE"])
        #expect(try center.address(of: "push") == "https://push-defra.api.engagelab.cc/v4")
        await expectThrows(.error(.misconfigured, naming: "DE")) {
            try await EngageLab.dataCenters.select(.custom(old), forKey: "k", allowedRegions: ["SG"])
        }
    }

    // MARK: The rule of devices

    @Test(
        "the seeds' rule of versions: Singapore, then by name, then derived",
        arguments: [
            ("3.5.0", EngageLabSiteRule.standard), ("4.2.9", .standard), ("4.3", .named), ("4.3.0", .named),
            ("4.3.4", .named), ("4.3.4.9", .named), ("4.3.5", .derived), ("4.10.0", .derived), ("5.4.1", .derived),
        ])
    func versions(text: String, rule: EngageLabSiteRule) throws {
        #expect(try EngageLabSiteRule(sdkVersion: text) == rule)
    }

    @Test("what is no version is refused", arguments: ["", "4", "4.x", "4..3", "-1.0", "4.3.5.1.2", "v4.3.5"])
    func noVersions(text: String) {
        let error = refusal { () throws(PushError) in try EngageLabSiteRule(sdkVersion: text) }
        #expect((error?.kind == .invalidArgument) == (text != "4"))
    }

    @Test("G-151, G-152, G-153, G-154: a name counts before set-up and between the versions, and nowhere else")
    func selections() throws {
        func name(_ selection: DataCenterSelection) -> String? {
            switch selection {
            case .standard: "the standard"
            case .named(let name): name
            default: nil
            }
        }
        #expect(try name(EngageLabSiteRule.standard.selection(siteName: "Frankfurt")) == "the standard")
        #expect(try name(EngageLabSiteRule.named.selection(siteName: "Frankfurt")) == "Frankfurt")
        #expect(try name(EngageLabSiteRule.named.selection(siteName: "")) == "the standard")
        #expect(try name(EngageLabSiteRule.named.selection(siteName: nil, isSetUp: true)) == "the standard")
        let late = refusal { () throws(PushError) in
            try EngageLabSiteRule.named.selection(siteName: "Frankfurt", isSetUp: true)
        }
        #expect(late?.kind == .invalidState)
        let table = DataCenterTable([.init(.prefix("01"), "japan", .guessed)])
        guard case .derived = try EngageLabSiteRule.derived.selection(siteName: "Frankfurt", resolver: table) else {
            Issue.record("a name is ignored from 4.3.5 on")
            return
        }
        let blind = refusal { () throws(PushError) in try EngageLabSiteRule.derived.selection(siteName: "Frankfurt") }
        #expect(blind?.kind == .misconfigured)
    }
}
