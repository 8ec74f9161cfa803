import PushAdapter
import PushAdvisor
import Testing

/// The vendors of each part of a population, and the fewest vendors that reach all.
@Suite("Coverage")
struct CoverageTests {
    private static let makers: Set<ProviderID> = [.huawei, .harmony, .honor, .xiaomi, .oppo, .vivo]

    private static func vendor(
        _ id: ProviderID, _ platforms: Set<Platform>?, classesTo told: Set<ProviderID> = [],
        reaching makers: Set<ProviderID> = []
    ) -> VendorProfile {
        let centers = DataCenterCatalog(DataCenter("one", region: "CN", services: [:]), and: [])
        let capabilities = Capabilities(support: [.addTags: .native], fields: [.messageClass], platforms: platforms)
        return VendorProfile(
            id, capabilities: capabilities.passingClasses(to: told, reaching: makers), dataCenters: centers)
    }

    /// In an order that is none of nearness.
    private static let vendors: [VendorProfile] = {
        var closed = vendor("closed", [.android], classesTo: [.oppo], reaching: [.oppo])
        closed.note = "no longer sold"
        return [
            closed, vendor("silent", [.ios, .android, .harmony], classesTo: [.huawei], reaching: makers),
            vendor("telling", [.ios, .android, .harmony], classesTo: makers, reaching: makers),
            vendor("global", [.ios, .android, "web"]), vendor("apple", [.ios]), vendor("browsers", ["web"]),
            vendor("huawei", [.android], classesTo: [.huawei], reaching: [.huawei]),
            vendor("harmony", [.harmony], classesTo: [.harmony], reaching: [.harmony]),
        ]
    }()

    private func coverage(_ platforms: [String]) throws -> Coverage {
        Coverage(of: try Population(platforms, reachedBy: Self.vendors), by: Self.vendors)
    }

    @Test("a vendor reaches its platforms and the makers that it passes messages to; a maker, its own phones only")
    func reach() {
        let reaches = Dictionary(uniqueKeysWithValues: Self.vendors.map { ($0.id, $0.reach) })
        #expect(reaches["huawei"] == ["huawei"] && reaches["harmony"] == [.harmony])
        #expect(reaches["global"] == [.ios, .android, "web"])
        #expect(
            reaches["silent"] == [.ios, .android, .harmony, "huawei", "honor", "xiaomi", "oppo", "vivo"])
        #expect(Self.vendor("any", nil).reach == [.ios, .android])
    }

    @Test("a draft has a note, besides that of its vendor")
    func drafts() {
        var capabilities = Capabilities(support: [:])
        let centers = DataCenterCatalog(DataCenter("one", region: "CN", services: [:]), and: [])
        func note(_ given: String?) -> String? {
            VendorProfile("maker", capabilities: capabilities, dataCenters: centers, note: given).note
        }
        #expect(note(nil) == nil && note("no longer sold") == "no longer sold")
        capabilities.isDraft = true
        #expect(note(nil) == "not verified against the vendor's page")
        #expect(note("no longer sold") == "no longer sold; not verified against the vendor's page")
    }

    @Test("every phone maker has a row of quotas, so none is lost where a vendor declares the makers that it reaches")
    func rows() {
        #expect(Capabilities(support: [:]).passingClasses(to: [], reaching: Self.makers).makers == Self.makers)
    }

    @Test(
        "the nearest vendor is best, then one that passes the class on, and one with a note is last",
        arguments: [
            ("huawei", ["huawei", "silent", "telling"]), ("harmony", ["harmony", "telling", "silent"]),
            ("oppo", ["telling", "silent", "closed"]), ("android", ["global", "silent", "telling", "closed"]),
            ("ios", ["apple", "global", "silent", "telling"]), ("web", ["browsers", "global"]),
        ])
    func order(platform: String, vendors: [ProviderID]) throws {
        let choice = try #require(try coverage([platform]).choices.first)
        #expect(choice.options.map(\.vendor) == vendors)
        #expect(choice.best?.vendor == vendors[0] && choice.second?.vendor == vendors[1])
        #expect(choice.hasOwnVendor == !["oppo", "android"].contains(platform))
    }

    @Test("of equal second vendors, one reaches most of the other parts, or is taken already")
    func seconds() throws {
        func seconds(_ platforms: [String]) throws -> [ProviderID?] {
            try coverage(platforms).choices.map(\.second?.vendor)
        }
        // Two vendors reach both parts; the one in front is better, and is not the nearest to iPhones.
        #expect(try seconds(["ios", "huawei"]) == ["silent", "silent"])
        #expect(try seconds(["ios", "web"]) == ["global", "global"])
        // One is the best of another part already.
        #expect(try seconds(["huawei", "oppo"]) == ["telling", "silent"])
        #expect(try seconds(["xiaomi", "ios"]) == ["silent", "telling"])
    }

    @Test("the fewest vendors reach all that can be reached")
    func fewest() throws {
        #expect(try coverage(["huawei", "ios", "android"]).best == ["huawei", "apple", "global"])
        #expect(try coverage(["huawei", "ios", "android"]).fewest == ["silent"])
        #expect(try coverage(["oppo", "ios"]).fewest == ["telling"])
        #expect(try coverage(["huawei", "web"]).fewest.count == 2)
        #expect(try coverage(["huawei", "web", "ios"]).fewest == ["huawei", "global"])
        #expect(try coverage([]).fewest.isEmpty)
        // A vendor with a note reaches both, and is not among them.
        #expect(try !coverage(["oppo", "android"]).fewest.contains("closed"))
    }

    @Test("a part that no vendor reaches has no vendor, and does not count among the fewest")
    func unreached() throws {
        let population = try Population(["oppo", "ios"], reachedBy: Self.vendors)
        let coverage = Coverage(of: population, by: Self.vendors.filter { ["apple", "huawei"].contains($0.id) })
        #expect(coverage.choices[0].best == nil && coverage.choices[0].second == nil)
        #expect(coverage.best == ["apple"] && coverage.fewest == ["apple"])
    }

    @Test("a need decides before nearness, and one that the best vendor meets is not lost for fewer vendors")
    func needs() throws {
        var population = try Population(["ios", "huawei"], reachedBy: Self.vendors)
        var vendors = Self.vendors
        let global = try #require(vendors.firstIndex { $0.id == "global" })
        vendors[global].capabilities.support[.setAlias] = .native
        population.parts[0].requirements = try Requirements(["alias.set"])
        let coverage = Coverage(of: population, by: vendors)
        #expect(coverage.choices[0].best?.vendor == "global" && coverage.choices[1].best?.vendor == "huawei")
        #expect(Set(coverage.fewest) == ["global", "huawei"])
        #expect(coverage.choices[0].best?.candidate.assessment.isMet == true)
        #expect(coverage.choices[0].second?.candidate.assessment.isMet == false)
    }

    @Test("the need of a class is met where the maker gets it, and is none for other devices")
    func classes() throws {
        var population = try Population(["xiaomi", "ios"], reachedBy: Self.vendors)
        for index in population.parts.indices {
            population.parts[index].requirements = try Requirements(["message-class"])
        }
        let choices = Coverage(of: population, by: Self.vendors).choices
        #expect(choices[0].options.map(\.vendor) == ["telling", "silent"])
        #expect(choices[0].options.map(\.passesClass) == [true, false] && choices[1].best?.passesClass == nil)
        #expect(choices[0].options.map { $0.candidate.assessment.unmetCount } == [0, 1])
        #expect(choices[0].options[1].candidate.explanation(ofFinding: 0).contains("does not write it for xiaomi"))
        #expect(choices[1].best?.vendor == "apple" && choices[1].best?.candidate.assessment.findings.isEmpty == true)
    }

    @Test("a vendor of a part has the quotas and the rules of its maker only")
    func quotas() throws {
        let choices = try coverage(["xiaomi", "huawei", "android"]).choices
        let quotas = try #require(choices[0].best?.quotas)
        #expect(quotas.contains { $0.intent == .marketing && $0.holder == .device && $0.limit == 5 })
        #expect(quotas.allSatisfy { $0.maker == .xiaomi } && choices[0].best?.datedRules.isEmpty == false)
        #expect(choices[1].best?.quotas.isEmpty == false && choices[1].best?.datedRules.isEmpty == true)
        #expect(choices[2].options.allSatisfy { $0.quotas.isEmpty && $0.datedRules.isEmpty })
    }
}
