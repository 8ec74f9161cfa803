import Configuration
import PushAdapter
import PushBridge
import PushClient
import PushJPush
import PushRouter
import PushRouterSettings
import PushTPNS
import Testing

@Suite("A router from a configuration")
struct RouterSettingsTests {
    private static let key = "0123456789abcdef01234567"
    private static let providers: [any ConfigurableProvider.Type] = [JPush.self, TPNS.self]
    private static let values: [AbsoluteConfigKey: ConfigValue] = [
        "routes": texts("china", "old"),
        "china.vendor": "jpush", "china.jpush.appKey": text(key), "china.jpush.masterSecret": text(key),
        "old.vendor": "tpns", "old.tpns.accessId": 1_500_999_001, "old.tpns.secretKey": text(key),
        "old.tpns.platform": "android", "old.deadlineSeconds": 7, "old.platforms": texts("android"),
        "routing.order": texts("old", "china"), "routing.iosOrder": texts("china"),
        "routing.failover": "whenNotApplied", "routing.patienceSeconds": 12, "routing.preflight": "whatCanBeSent",
        "routing.circuitFailures": 5, "routing.circuitSeconds": 9,
        "routing.migrations": texts("to-china", "look"),
        "routing.to-china.from": "old", "routing.to-china.to": "china", "routing.to-china.stage": "percent",
        "routing.to-china.percent": 12.5, "routing.to-china.keepsOldDays": 3,
        "routing.look.from": "china", "routing.look.to": "old", "routing.look.stage": "shadow",
    ]

    private static func texts(_ texts: String...) -> ConfigValue {
        ConfigValue(.stringArray(texts), isSecret: false)
    }

    private static func text(_ text: String) -> ConfigValue { ConfigValue(.string(text), isSecret: false) }

    private func router(
        _ changes: [AbsoluteConfigKey: ConfigValue?] = [:]
    ) async throws(PushError) -> PushRouter {
        var values = Self.values
        for (key, value) in changes { values[key] = value }
        let config = ConfigReader(provider: InMemoryProvider(values: values))
        return try await PushRouter.configured(
            from: config, providers: Self.providers, bindings: MemoryBindingStore())
    }

    @Test("the routes, the policy and the migrations are as the settings say")
    func whole() async throws {
        let router = try await router()
        #expect(router.routes.mapValues(\.provider.id) == ["china": "jpush", "old": "tpns"])
        var policy = RoutingPolicy(order: ["old", "china"])
        policy.orders = [.ios: ["china"]]
        policy.failover = .whenNotApplied(patience: .seconds(12))
        policy.preflight = .whatCanBeSent
        policy.platforms = ["old": [.android]]
        (policy.circuit.failures, policy.circuit.pause) = (5, .seconds(9))
        var migration = RouteMigration("to-china", from: "old", to: "china", .percent(12.5))
        migration.keepsOldFor = .seconds(3 * 86_400)
        policy.migrations = [migration, RouteMigration("look", from: "china", to: "old", .shadow(sample: 1))]
        #expect(router.policy == policy)
        await router.shutdownClients()
    }

    @Test("without a section about routing, the policy never sends twice and moves nobody")
    func plain() async throws {
        var changes: [AbsoluteConfigKey: ConfigValue?] = [:]
        for key in Self.values.keys where key.components.first == "routing" { changes[key] = .some(nil) }
        changes["old.platforms"] = .some(nil)
        let router = try await router(changes)
        #expect(router.policy == RoutingPolicy())
        await router.shutdownClients()
    }

    /// A wrong setting and the text of its error.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: [AbsoluteConfigKey: ConfigValue?]
        let words: [String]

        init(_ name: String, _ changes: [AbsoluteConfigKey: ConfigValue?], _ words: String...) {
            testDescription = name
            self.changes = changes
            self.words = words
        }
    }

    static let refusals = [
        Refusal("no routes", ["routes": nil], "routes", "missing"),
        Refusal("a route twice", ["routes": texts("china", "china")], "routes", "twice"),
        Refusal("a reserved name", ["routes": texts("china", "routing")], "routes", "\"routing\""),
        Refusal("a route without a vendor", ["china.vendor": nil], "china.vendor", "jpush, tpns"),
        Refusal(
            "a route without a key", ["china.jpush.appKey": nil], "china.jpush.appKey", "CHINA_JPUSH_APP_KEY"),
        Refusal("a wrong number of a route", ["old.deadlineSeconds": -1], "old.deadlineSeconds", "-1"),
        Refusal(
            "an unknown route in the order", ["routing.order": texts("lost")], "routing.order", "\"lost\"", "china, old"
        ),
        Refusal("an unknown route of a platform", ["routing.iosOrder": texts("lost")], "routing.iosOrder", "\"lost\""),
        Refusal(
            "an unknown platform", ["old.platforms": texts("iphone")], "old.platforms", "\"iphone\"", "ios, android"),
        Refusal("a platform that the app is not for", ["old.platforms": texts("ios")], "old.platforms", "for android"),
        Refusal("an unknown failover", ["routing.failover": "always"], "routing.failover", "always", "whenNotApplied"),
        Refusal("an unknown preflight", ["routing.preflight": "some"], "routing.preflight", "allOrNothing"),
        Refusal("a negative patience", ["routing.patienceSeconds": -1], "routing.patienceSeconds", "-1"),
        Refusal("no failures", ["routing.circuitFailures": 0], "routing.circuitFailures", "0"),
        Refusal("101 percent", ["routing.to-china.percent": 101], "routing.to-china.percent", "101", "100"),
        Refusal("no percent", ["routing.to-china.percent": nil], "routing.to-china.percent", "missing"),
        Refusal("an unknown stage", ["routing.to-china.stage": "jump"], "routing.to-china.stage", "jump", "drain"),
        Refusal("no stage", ["routing.to-china.stage": nil], "routing.to-china.stage", "missing"),
        Refusal("a migration to nowhere", ["routing.to-china.to": "lost"], "routing.to-china.to", "\"lost\""),
        Refusal(
            "a circle", ["routing.look.stage": "drain", "routing.look.since": "2026-11-01"], "circle", "to-china"),
        Refusal("a drain without its day", ["routing.look.stage": "drain"], "routing.look.since", "missing", "2026-"),
        Refusal(
            "a drain since no day", ["routing.look.stage": "drain", "routing.look.since": "1 Nov"],
            "routing.look.since",
            "\"1 Nov\""),
        Refusal(
            "a day with more behind it",
            ["routing.look.stage": "drain", "routing.look.since": "2026-11-01 or so"], "routing.look.since", "or so"),
    ]

    @Test("a wrong setting is refused with its whole name and what is allowed", arguments: refusals)
    func refusal(refusal: Refusal) async throws {
        let error = await #expect(throws: PushError.self) { try await router(refusal.changes) }
        let message = error?.message ?? ""
        #expect(error?.kind == .misconfigured)
        #expect(refusal.words.allSatisfy { message.contains($0) }, "\(message)")
        #expect(!message.contains(Self.key))
    }

    @Test("an unknown name in a file is refused, in a route's section and in that of the routing")
    func names() throws {
        let file: JSONValue = [
            "routes": ["china"], "china": ["vendor": "jpush", "jpush": ["appKey": "k"], "platforms": ["android"]],
            "routing": ["order": ["china"], "migrations": ["m"], "m": ["from": "china", "percent": 1]],
            "another program": ["name": "value"],
        ]
        try PushRouter.checkNames(in: file, providers: Self.providers)
        // A file may also contain the settings of one client.
        try PushClient.checkNames(
            in: ["vendor": "jpush", "routes": ["china"], "china": [:]], providers: Self.providers)
        for (file, word) in [
            (["routes": ["china"]] as JSONValue, "\"china\""), ([:], "routes"),
            (["routes": ["china"], "china": ["vendr": "jpush"]], "vendr"),
            (["routes": ["china"], "china": ["jpush": ["appKye": "k"]]], "appKye"),
            (["routes": ["china"], "china": [:], "routing": ["ordr": ["china"]]], "ordr"),
            (["routes": ["china"], "china": [:], "routing": ["m": ["from": "china"]]], "routing.m"),
            (
                ["routes": ["china"], "china": [:], "routing": ["migrations": ["m"], "m": ["form": "x"]]],
                "routing.m.form"
            ),
            (["routes": ["china"], "china": [:], "routing": ["order": ["a": 1]]], "routing.order"),
        ] {
            let error = #expect(throws: PushError.self) {
                try PushRouter.checkNames(in: file, providers: Self.providers)
            }
            #expect(error?.kind == .misconfigured && error?.message.contains(word) == true, "\(error)")
        }
    }
}
