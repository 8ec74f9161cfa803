import PushAdapter
import PushAdvisor
import Testing

/// The requirements that a vendor meets, their cost, and the best vendor.
@Suite("Requirements")
struct RequirementsTests {
    private static let recipe = Recipe(.faithful, isAtomic: false, requests: 3, caveat: "three requests")
    private static let loss = Recipe(.lossy, isAtomic: true, requests: 0, caveat: "forgets")

    private static let capabilities = Capabilities(
        support: [
            .setAlias: .native, .removeAlias: .emulated(recipe), .readTags: .emulated(loss),
            .addAttributes: .unsupported("no attributes; use tags"), .addTags: .native, .audienceDevices: .native,
            .createSchedule: .native,
        ],
        limits: Limits([
            .tagsPerDevice: Limit(100, .count, .reject, source: "a page"),
            .devicesPerSend: Limit(1000, .count, .split, source: "a page"),
            .schedules: Limit(50, .count, .leaveToVendor, source: "a page"),
        ]),
        callerKeys: [.push: KeyMemory(.seconds(60), source: "a page")], aliasSharing: .one)

    private static let centers = DataCenterCatalog(
        DataCenter("singapore", region: "SG", services: [:]),
        and: [DataCenter("frankfurt", region: "DE", services: [:]), DataCenter("nowhere", services: [:])])

    private func verdict(_ need: String) throws -> Assessment.Verdict {
        let assessment = try Requirements([need]).assess(Self.capabilities)
        return try #require(assessment.findings.count == 1 ? assessment.findings[0].verdict : nil)
    }

    @Test("each kind of need has its verdict")
    func verdicts() throws {
        #expect(try verdict("alias.set") == .met)
        #expect(try verdict("alias.remove") == .emulated(Self.recipe))
        #expect(try verdict("attributes.add") == .unmet("no attributes; use tags"))
        #expect(try verdict("tags.replace") == .unmet("the adapter knows no vendor call for it"))
        #expect(try verdict("tags-per-device=100") == .met)
        #expect(try verdict("tags-per-device=101") == .unmet("at most 100 (a page)"))
        #expect(try verdict("schedule.count=51") == .unmet("at most 50 (a page)"))
        #expect(try verdict("tag-length=40") == .unstated)
        // A limit on a feature that the vendor does not have.
        #expect(try verdict("attributes-per-device=5") == .unmet("no attributes; use tags"))
        #expect(try verdict("own-alias") == .met)
        #expect(try verdict("shared-alias") == .unmet("an alias is for one device"))
        #expect(try verdict("idempotency") == .met)
        guard case .emulated(let recipe) = try verdict("devices-per-request=2001") else {
            Issue.record("several requests are the client's work")
            return
        }
        #expect(recipe.requests == 3 && recipe.fidelity == .faithful)
    }

    @Test(
        "a key of a weaker grade meets the need with a loss, or nothing is known of it",
        arguments: KeyMemory.Grade.allCases)
    func grades(grade: KeyMemory.Grade) throws {
        var capabilities = Self.capabilities
        capabilities.callerKeys[.push]?.grade = grade
        let verdict = try #require(try Requirements(["idempotency"]).assess(capabilities).findings.first?.verdict)
        switch verdict {
        case .met: #expect(grade == .vendor)
        case .emulated(let recipe):
            #expect([.target, .device].contains(grade) && recipe.fidelity == .lossy)
            #expect(recipe.caveat.contains(grade.summary))
        case .unstated: #expect(grade == .unproven)
        case .unmet: Issue.record("there are keys")
        }
    }

    @Test("a class of messages is met where a vendor carries it, and rules of makers come with their dates")
    func classes() throws {
        let requirements = try Requirements(["message-class", "message-template"])
        var carrying = Capabilities(support: [:], fields: [.messageClass], absentFields: [.template: "no field for it"])
        #expect(requirements.assess(carrying).findings.map(\.verdict) == [.met, .unmet("no: no field for it")])
        #expect(DatedRule.of(carrying).isEmpty)
        carrying = carrying.passingClasses(to: [.huawei], reaching: [.huawei, .xiaomi])
        #expect(!DatedRule.of(carrying).isEmpty && DatedRule.of(carrying).allSatisfy { $0.maker == .xiaomi })
        var ignoring = Capabilities(support: [:])
        ignoring.ignoreClasses("this vendor has no classes")
        #expect(
            requirements.assess(ignoring).findings.map(\.verdict)
                == [.unmet("ignored: this vendor has no classes"), .unmet("ignored: this vendor has no classes")])
    }

    @Test("without keys a lost push is not repeated, and aliases may be unstated")
    func others() throws {
        let requirements = try Requirements(["idempotency", "own-alias"])
        let findings = requirements.assess(Capabilities(support: [:])).findings
        guard case .unmet(let reason) = findings[0].verdict else {
            Issue.record("there are no keys")
            return
        }
        #expect(reason.contains("lost"))
        guard case .unmet = findings[1].verdict else {
            Issue.record("there are no aliases, so nothing is to be said of their devices")
            return
        }
        let unstated = Capabilities(support: [.setAlias: .native])
        #expect(requirements.assess(unstated).findings[1].verdict == .unstated)
    }

    @Test(
        "a region keeps the centers that are in it",
        arguments: [("eu", ["frankfurt"]), ("sg", ["singapore"]), ("US", [])])
    func regions(region: String, names: [String]) throws {
        let assessment = try Requirements([], region: region).assess(Self.capabilities, in: Self.centers)
        #expect(assessment.dataCenters?.map(\.name) == names)
        #expect(assessment.isMet == !names.isEmpty)
        #expect(try Requirements(["alias.set"]).assess(Self.capabilities, in: Self.centers).dataCenters == nil)
    }

    @Test("unmet counts most, then loss, then what is unstated, then emulations, then requests")
    func order() {
        func assessment(_ verdicts: Assessment.Verdict...) -> Assessment {
            let items = verdicts.indices.map { Requirements.Item("\($0)", [.idempotencyKeys]) }
            var result = Requirements(items).assess(Self.capabilities)
            for index in verdicts.indices { result.findings[index].verdict = verdicts[index] }
            return result
        }
        let cheap = Recipe(.faithful, isAtomic: true, requests: 2, caveat: "")
        let ranked = [
            assessment(.met), assessment(.emulated(cheap)), assessment(.emulated(Self.recipe)),
            assessment(.emulated(cheap), .emulated(cheap)), assessment(.unstated), assessment(.emulated(Self.loss)),
            assessment(.unmet("x")), assessment(.unmet("x"), .emulated(cheap)),
        ]
        for (better, worse) in zip(ranked, ranked.dropFirst()) {
            #expect(better.isBetter(than: worse) && !worse.isBetter(than: better))
        }
        #expect(!ranked[0].isBetter(than: ranked[0]))
    }

    @Test("a thing that takes several needs counts once, and requests without number do not overflow")
    func counting() throws {
        let none = try Requirements(["accounts", "attributes"]).assess(Capabilities(support: [:]))
        #expect(none.findings.count == 5 && none.unmetCount == 2 && none.unstatedCount == 0)
        let half = try Requirements(["alias"]).assess(Self.capabilities)
        #expect(half.unmetCount == 1)
        let most = Requirements([
            .init("a", [.limit(.devicesPerSend, atLeast: .max)]), .init("b", [.limit(.devicesPerSend, atLeast: .max)]),
        ])
        var capabilities = Self.capabilities
        capabilities.limits[.devicesPerSend]?.maximum = 1
        #expect(!most.assess(capabilities).isBetter(than: most.assess(Self.capabilities)))
        #expect(most.assess(capabilities).isMet)
    }

    @Test("every word names needs of the model, once")
    func words() throws {
        let names = Requirements.words.map(\.word)
        #expect(Set(names).count == names.count)
        for name in names { #expect(try Requirements([name]).items.first?.needs.isEmpty == false) }
        for (word, limit) in Requirements.limitWords {
            #expect(try Requirements(["\(word)=7"]).items.map(\.needs) == [[.limit(limit, atLeast: 7)]])
        }
        #expect(try Requirements(["alias", "alias.set", "alias"]).items.map(\.name) == ["alias", "alias.set"])
        #expect(Requirements([], regions: ["de"]).regions == ["DE"])
    }

    @Test(
        "what is no need is refused, with what is known",
        arguments: [
            ("moon", "live-activity"), ("moon=5", "tags-per-device"), ("tags-per-device=0", "from 1"),
            ("tags-per-device=many", "from 1"), ("tags-per-device=99999999999999999999", "from 1"), ("", "alias"),
            ("=5", "limits"), ("tags-per-device", "tags-per-device=N"),
        ])
    func refusals(need: String, part: String) throws {
        let error = try #require(throws: PushError.self) { try Requirements([need]) }
        #expect(error.kind == .invalidArgument && error.message.contains(part), "\(error)")
    }

    @Test("a region is a country or a word", arguments: ["europe", "", "D", "1A", "ÄÖ"])
    func noRegion(text: String) throws {
        let error = try #require(throws: PushError.self) { try Requirements([], region: text) }
        #expect(error.message.contains("eu"))
    }
}
