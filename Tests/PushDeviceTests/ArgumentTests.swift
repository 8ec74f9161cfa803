import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import Testing

/// The errors in a call's own arguments, with their numbers. The ids are those of `Tests/Contract/cases.json`.
@Suite("Arguments of device calls")
struct ArgumentTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var id: String
        var rules: SessionRules
        var call: SessionCall
        /// The expected number; 0 for a call that must succeed.
        var code: Int
        var testDescription: String { "\(id) \(rules.name) \(call.kind)" }

        init(_ id: String, _ rules: SessionRules, _ call: SessionCall, _ code: Int = 0) {
            self.id = id
            self.rules = rules
            self.call = call
            self.code = code
        }
    }

    static let mtpush = SessionRules.mtpush(SDKVersion(4, 4, 0))

    /// Numbers in order, with leading zeros.
    static func numbers(_ range: Range<Int>, width: Int) -> [String] {
        range.map { String(repeating: "0", count: max(0, width - String($0).count)) + String($0) }
    }

    /// Different tags of this many bytes each.
    static func tags(_ count: Int, bytes: Int) -> [String] {
        numbers(0..<count, width: 4).map { String(repeating: "x", count: bytes - $0.utf8.count) + $0 }
    }

    static func chinese(_ count: Int) -> String { String(repeating: "字", count: count) }

    /// Cases of both families with ten special characters.
    private static let shared: [(String, SessionCall, Int)] =
        [
            ("G-001", .addTags([chinese(13) + "a"]), 0),
            ("G-002", .addTags([chinese(13) + "ab"]), 6006),
            ("G-003", .addTags([chinese(14)]), 6006),
            ("G-004", .addTags([String(repeating: "a", count: 40)]), 0),
            ("G-006", .setTags(numbers(0..<1000, width: 3)), 0),
            ("G-007", .setTags(numbers(0..<1001, width: 4)), 6007),
            ("G-008", .addTags(tags(128, bytes: 40)), 0),
            ("G-009", .addTags(tags(128, bytes: 40) + ["y"]), 6008),
            ("G-018", .addTags(nil), 6001), ("G-019", .addTags([]), 6001),
            ("G-020", .setTags([]), 6001), ("G-021", .deleteTags(nil), 6001), ("G-021", .deleteTags([]), 6001),
            ("G-026", .deleteTags(numbers(0..<1001, width: 4)), 6007),
            ("G-027", .deleteTags(tags(128, bytes: 40) + ["y"]), 6008),
            ("G-032", .validTag(nil), 6001), ("G-032", .validTag(""), 6001),
            ("G-033", .validTag(String(repeating: "a", count: 41)), 6006),
            ("G-034", .setTags(["ok", "bad tag", "x"]), 6005),
            ("G-042", .setAlias(chinese(13) + "ab"), 6004),
            ("G-043", .setAlias("a b"), 6003),
            ("G-044", .setAlias(nil), 6001), ("G-044", .setAlias(""), 6001),
            ("G-096", .setPhone("138-0000-0000"), 0),
            ("G-098", .setPhone("+1234567890123456789"), 0),
            ("G-099", .setPhone("+12345678901234567890"), 6025),
            ("G-102", .setPhone("+"), 0),
            ("G-103", .setPhone("+1234567890123456789x"), 6023),
            // A keycap is a digit plus two more scalars, so it is not a digit.
            ("G-097", .setPhone("1️⃣23"), 6023), ("G-015", .addTags(["e\u{301}"]), 6005),
            ("G-108", .setBadge(0), 0), ("G-108", .setBadge(99_999), 0),
        ]
        + ["@", "!", "#", "$", "&", "*", "+", "=", ".", "|"].map { ("G-014", .addTags([$0]), 0) }
        + ["a b", "a\tb", "a,b", "a-b", "a/b", "50%", "😀"].map { ("G-015", .addTags([$0]), 6005) }
        + ["-138", "13a", "1+3", "+86 137", "(138)"].map { ("G-097", .setPhone($0), 6023) }

    private static let own: [Sample] = [
        Sample("G-012", .jpush, .overlay(tags: tags(179, bytes: 40) + ["12345678"], alias: nil)),
        Sample("G-013", .jpush, .overlay(tags: tags(179, bytes: 40) + ["123456789"], alias: nil), 6008),
        Sample("G-052", .jpush, .overlayAlias(nil), 6001),
        Sample("G-057", .jpushLegacy, .overlay(tags: nil, alias: nil), 6001),
        Sample("G-058", .jpush, .overlay(tags: nil, alias: nil), 6001),
        Sample("G-063", .jpushLegacy, .overlay(tags: numbers(0..<100, width: 2), alias: nil)),
        Sample("G-064", .jpushLegacy, .overlay(tags: numbers(0..<101, width: 3), alias: nil), 6007),
        Sample(
            "G-066", .jpushLegacy,
            .overlay(tags: tags(25, bytes: 40) + [String(repeating: "z", count: 25)], alias: nil), 6008),
        Sample("G-067", .jpushLegacy, .overlay(tags: tags(25, bytes: 40), alias: String(repeating: "a", count: 24))),
        Sample(
            "G-067", .jpushLegacy, .overlay(tags: tags(25, bytes: 40), alias: String(repeating: "a", count: 25)), 6008),
        Sample("G-068", .jpushLegacy, .overlay(tags: ["a@b"], alias: nil), 6005),
        Sample("G-069", .jpushLegacy, .overlay(tags: nil, alias: "a@b"), 6003),
        Sample("G-070", .jpush(SDKVersion(2, 1, 8)), .overlay(tags: ["a@b"], alias: nil), 6005),
        Sample("G-070", .jpush(SDKVersion(2, 1, 9)), .overlay(tags: ["a@b"], alias: nil)),
        Sample("G-105", .tpns, .setPhone("13711112222"), 6023),
        Sample("G-105", .tpns, .setPhone("+8613711112222")), Sample("", .tpns, .setPhone(""), 6001),
        Sample("G-105", .tpns, .upsertAccounts([1002: "13711112222"]), 6023),
        Sample("G-116", .tpns, .addTags(["a b"]), 6005), Sample("G-116", .tpns, .addTags(["a\tb"]), 6005),
        Sample("G-116", .tpns, .addTags([" a"]), 6005), Sample("G-116", .tpns, .addTags(["a "]), 6005),
        // A space with a combining scalar is still a space.
        Sample("G-116", .tpns, .addTags(["a \u{301}"]), 6005),
        Sample("G-117", .tpns, .addTags(["a-b", chinese(20)])),
        Sample("G-123", .tpns, .queryTags(offset: 0, limit: 201), 6017),
        Sample("G-122", .tpns, .queryTags(offset: 0, limit: 200)),
        Sample("G-157", mtpush, .liveActivityUpdate(id: chinese(8), token: [1])),
        Sample("G-158", mtpush, .liveActivityUpdate(id: chinese(8) + "a", token: [1]), 9009),
        Sample("G-159", mtpush, .liveActivityUpdate(id: nil, token: [1]), 6001),
        Sample("G-159", mtpush, .liveActivityUpdate(id: "", token: [1]), 6001),
        Sample("G-160", .mtpush(SDKVersion(4, 3, 9)), .liveActivityUpdate(id: "a", token: [1]), 9001),
        Sample("G-160", .mtpush(SDKVersion(4, 3, 9)), .liveActivityStart(attributes: "a", token: [1]), 9001),
        Sample("G-162", .mtpush(SDKVersion(3, 4, 9)), .addTags(["a"]), 9001),
        Sample("G-162", .mtpush(SDKVersion(3, 5, 0)), .addTags(["a"])),
        Sample("G-186", .jpushLegacy, .setPhone("1"), 9001), Sample("G-186", .jpushLegacy, .setBadge(1), 9001),
        Sample("G-186", .jpushLegacy, .setLanguage("en"), 9001),
        Sample("", .tpns, .upsertAccounts([:]), 6001), Sample("", .tpns, .deleteAccounts([]), 6001),
        Sample("", .tpns, .upsertAttributes([:]), 6001), Sample("", .tpns, .deleteAttributes([]), 6001),
        Sample("", .tpns, .replaceAttributes([:]), 6001), Sample("", .tpns, .queryTags(offset: 0, limit: 0), 6017),
        Sample("", .tpns, .queryTags(offset: -1, limit: 1), 6017),
        Sample("", .tpns, .upsertAttributes(["k": String(repeating: "v", count: 50)])),
        Sample("", .tpns, .upsertAttributes(["k": String(repeating: "v", count: 51)]), 9009),
        Sample("", mtpush, .setLanguage(""), 6001), Sample("", mtpush, .voipToken([]), 6001),
        Sample("", mtpush, .liveActivityStart(attributes: "", token: [1]), 6001),
        Sample("", mtpush, .liveActivityStart(attributes: "a", token: nil), 6001),
        Sample("", mtpush, .liveActivityUpdate(id: "a", token: []), 6001),
        Sample("", mtpush, .liveActivityUpdate(id: "a", token: nil)),
    ]

    static let all =
        shared.flatMap { id, call, code in [Sample(id, .jpush, call, code), Sample(id, mtpush, call, code)] } + own

    @Test("a call succeeds, or is refused for the first thing that is wrong with it", arguments: all)
    func argument(sample: Sample) async throws {
        let stage = Stage(sample.rules, isRegistered: false)
        try await stage.session.start()
        let fault = await stage.fault(of: sample.call)
        #expect(
            fault.map { ResultCodes.code(for: $0, of: sample.call.kind) } ?? 0 == sample.code,
            "\(fault?.description ?? "success")")
        guard sample.code != 0 else { return }
        #expect(stage.requests == 0)
        #expect(fault?.error.effect == .notApplied)
        #expect(stage.phone.tokens.isEmpty && stage.phone.badge == nil && stage.phone.language == nil)
    }

    @Test("a refusal takes nothing away", arguments: [SessionRules.jpush, mtpush])
    func unchanged(rules: SessionRules) async {
        let stage = Stage(rules)
        #expect(await stage.fault(of: .setTags(["a"])) == nil)
        #expect(await stage.fault(of: .setAlias("u1")) == nil)
        for call: SessionCall in [.setTags([]), .deleteTags([]), .setTags(["ok", "bad tag"]), .setAlias("")] {
            #expect(await stage.fault(of: call) != nil)
        }
        #expect(await stage.tags == ["a"])
        #expect(await stage.alias == "u1")
    }

    @Test("G-010: how many bytes a kilobyte has is the rules' business")
    func kilobyte() async {
        var rules = SessionRules.jpush
        rules.bytes[.addTags] = 5000
        let stage = Stage(rules)
        let tags = Self.tags(125, bytes: 40)
        #expect(await stage.fault(of: .addTags(tags)) == nil)
        #expect(await stage.fault(of: .addTags(tags + ["y"]))?.reason == .tooManyBytes)
    }

    @Test("what is wrong comes in one order: characters, one length, the number, the bytes")
    func order() async {
        let stage = Stage(.jpush)
        let long = String(repeating: "a", count: 41)
        let many = Self.tags(1001, bytes: 40)
        #expect(await stage.fault(of: .addTags([long, "a b"] + many))?.reason == .characters)
        #expect(await stage.fault(of: .addTags([long] + many))?.reason == .tooLong)
        #expect(await stage.fault(of: .addTags(many))?.reason == .tooMany)
        // Of the two halves, tags come first. But bad characters in either come before a bad length in either.
        let overlay = await stage.fault(of: .overlay(tags: [long], alias: "a b"))
        #expect(overlay?.reason == .characters && overlay?.subject == .alias)
        #expect(await stage.fault(of: .overlay(tags: [long], alias: long))?.subject == .tags)
    }

    @Test("G-109: a badge outside its range", arguments: [SessionRules.jpush, mtpush], [100_000, -1])
    func badges(rules: SessionRules, number: Int) async throws {
        let stage = Stage(rules, isRegistered: false)
        try await stage.session.start()
        #expect(await stage.fault(of: .setBadge(number))?.reason == .outOfRange)
        #expect(!stage.session.isBadge(number) && stage.session.isBadge(99_999))
        #expect(stage.phone.badge == nil)
    }

    @Test("G-037, G-038, G-039, G-040: what can be set is filtered in its order, without a request")
    func filter() async throws {
        let stage = Stage(.jpush)
        #expect(stage.session.validTags(of: ["ok", "bad tag"]) == ["ok"])
        let many = Self.numbers(0..<1001, width: 4).reversed().map { $0 }
        #expect(stage.session.validTags(of: many) == Array(many.prefix(1000)))
        let legacy = Stage(.jpushLegacy)
        #expect(legacy.session.validTags(of: Array(many.prefix(101))) == Array(many.prefix(100)))
        #expect(stage.session.validTags(of: ["b", "a", "b"]) == ["b", "a"])
        #expect(stage.requests == 0 && legacy.requests == 0)
        #expect(await stage.fault(of: .setTags(stage.session.validTags(of: ["ok", "bad tag"]))) == nil)
    }
}
