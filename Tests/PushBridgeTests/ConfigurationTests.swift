import Configuration
import EngageLabSimulator
import HarmonySimulator
import JPushSimulator
import PushAdapter
import PushBridge
import PushClient
import PushEngageLab
import PushHarmony
import PushHuawei
import PushJPush
import PushMemory
import PushSimulation
import PushTPNS
import TPNSSimulator
import Testing

/// A client from settings: the right vendor at the right place, or an error that says which setting to change.
@Suite("A client from a configuration")
struct ConfigurationTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "fedcba9876543210fedcba98"
    private static let vendors: [any ConfigurableProvider.Type] = [
        JPush.self, EngageLab.self, TPNS.self, Harmony.self, Huawei.self,
    ]
    /// The key of a service account at Huawei.
    private static let account = JSONWriter.bytes(
        of: .object((try? HarmonyProject.generate(id: "3884218", clientID: "1042").keyFile) ?? [:]))
    /// Everything that each vendor needs.
    private static let complete: [AbsoluteConfigKey: ConfigValue] = [
        "jpush.appKey": text(key), "jpush.masterSecret": text(secret), "engagelab.appKey": text(key),
        "engagelab.masterSecret": text(secret), "tpns.accessId": 1_500_000_001, "tpns.secretKey": text(secret),
        "tpns.platform": "android", "harmony.serviceAccount": text(String(decoding: account, as: UTF8.self)),
        "huawei.clientID": "1042", "huawei.clientSecret": text(secret),
    ]

    private static func text(_ text: String) -> ConfigValue { ConfigValue(.string(text), isSecret: false) }

    private static func texts(_ texts: String...) -> ConfigValue { ConfigValue(.stringArray(texts), isSecret: false) }

    /// Creates a client from complete settings with some changes. By default, a request that reaches its transport
    /// fails the test.
    private func client(
        _ changes: [AbsoluteConfigKey: ConfigValue?], over transport: any HTTPTransport = Unreachable(),
        providers: [any ConfigurableProvider.Type] = ConfigurationTests.vendors
    ) async throws -> PushClient {
        var values = Self.complete
        for (key, value) in changes { values[key] = value }
        let config = ConfigReader(provider: InMemoryProvider(name: "test", values: values))
        return try await PushClient.configured(from: config, providers: providers, transport: transport)
    }

    private func refusal(
        _ changes: [AbsoluteConfigKey: ConfigValue?], providers: [any ConfigurableProvider.Type] = vendors
    ) async throws -> PushError {
        let error = try await #require(
            throws: PushError.self,
            performing: { _ = try await client(changes, providers: providers) })
        #expect(!error.description.contains(Self.secret))
        #expect(error.effect == .notApplied)
        return error
    }

    @Test("the vendor is a word, in any case", arguments: ["jpush", "EngageLab", "tpns", "harmony", "Huawei"])
    func vendor(name: String) async throws {
        let client = try await client(["vendor": Self.text(name)])
        #expect(client.provider.id.rawValue == name.lowercased())
        await client.shutdown()
    }

    @Test(
        "each way to say where the app lives",
        arguments: [
            (["engagelab.dataCenter": text("Frankfurt")], "frankfurt", "https://pushapi-defra.engagelab.com/v4/push"),
            (["engagelab.siteName": text("usva")], "virginia", "https://pushapi-usva.engagelab.com/v4/push"),
            (
                ["engagelab.keyTable": texts("0123=brazil", "01=japan", "9=virginia")], "brazil",
                "https://pushapi-bra.engagelab.com/v4/push"
            ),
            ([:], "singapore", "https://pushapi-sgp.engagelab.com/v4/push"),
            (
                ["engagelab.origin": text("https://localhost:1"), "engagelab.dataCenter": text("hk")], "hongkong",
                "https://localhost:1/v4/push"
            ),
            (["engagelab.dataCenter": text("frankfurt"), "allowedRegions": texts("DE", "SG")], "frankfurt", nil),
        ] as [([AbsoluteConfigKey: ConfigValue?], String, String?)])
    func dataCenter(changes: [AbsoluteConfigKey: ConfigValue?], name: String, url: String?) async throws {
        var changes = changes
        changes["vendor"] = "engagelab"
        let client = try await client(changes)
        #expect(client.provider.dataCenter.name == name)
        let steps = client.explain(Message(notification: Notification(body: "x")), to: .everyone).steps
        if let url { #expect(steps.first?.url == url) }
        await client.shutdown()
    }

    @Test("a probe asks the data centers of its list, and finds the app")
    func probe() async throws {
        let app = EngageLabSimulator.App(key: Self.key, masterSecret: Self.secret)
        let asked = Locked<[String]>([])
        let centers = Centers(
            homes: ["pushapi-defra.engagelab.com": EngageLabSimulator(app)], other: EngageLabSimulator(nil),
            asked: asked)
        let client = try await client(
            ["vendor": "engagelab", "engagelab.probe": Self.texts("singapore", "frankfurt")], over: centers)
        #expect(client.provider.dataCenter.name == "frankfurt")
        #expect(Set(asked.withLock { $0 }) == ["pushapi-sgp.engagelab.com", "pushapi-defra.engagelab.com"])
        await client.shutdown()
    }

    @Test("a limit that a contract changes counts")
    func limits() async throws {
        let client = try await client([
            "vendor": "jpush", "jpush.limits": Self.texts("tag.length=10", "send.devices=3"),
        ])
        #expect(client.capabilities.limits[.tagLength]?.maximum == 10)
        #expect(client.capabilities.limits[.tagLength]?.source == "the configuration")
        let paced = try await self.client(["vendor": "jpush", "jpush.quotas": Self.texts("push=20/2")])
        #expect(paced.capabilities.quotas["push"] == Quota(20, per: .seconds(2), source: "the configuration"))
        let devices = (0..<7).map { DeviceID("d\($0)") }
        let plan = client.explain(Message(notification: Notification(body: "x")), to: .devices(devices))
        let sends = plan.steps.filter { $0.operation == .send }
        #expect(sends.map(\.targetCount) == [3, 1] && sends.map(\.count) == [2, 1])
        await client.shutdown()
    }

    @Test("the app's agreements about classes of messages arrive, and a vendor without classes takes none")
    func classes() async throws {
        let client = try await client([
            "vendor": "jpush", "jpush.defaultClass": Self.text("service:order"),
            "jpush.categoryWords": Self.texts("xiaomi.order=137041", "oppo.travel=TODO"),
            "jpush.approvedCategories": Self.texts("huawei.order", "huawei.account"),
        ])
        #expect(
            client.capabilities.classes
                == ClassSettings(
                    defaultClass: MessageClass(.service, .order),
                    words: ["xiaomi": [.order: "137041"], "oppo": [.travel: "TODO"]],
                    approved: ["huawei": [.order, .account]]))
        let todo = Message(notification: Notification(body: "x"), messageClass: MessageClass(.service, .todo))
        #expect(client.explain(todo, to: .everyone).refusals.first?.kind == .misconfigured)
        let order = client.explain(Message(notification: Notification(body: "x")), to: .everyone)
        #expect(order.refusals.isEmpty && order.remarks.isEmpty)
        await client.shutdown()
        let ios = try await refusal([
            "vendor": "tpns", "tpns.platform": "ios", "tpns.defaultClass": Self.text("service"),
        ])
        #expect(ios.message.contains("do not reach this vendor"))
    }

    @Test("deadlines, losses, layers and a vendor's own settings arrive")
    func rest() async throws {
        let config = ConfigReader(
            provider: InMemoryProvider(
                values: Self.complete.merging([
                    "vendor": "tpns", "deadlineSeconds": 5, "attempts": 2, "tpns.appName": "Shop",
                    "tpns.aliasAccountType": 7, "tpns.authentication": "basic",
                    "acceptedLosses": Self.texts("alias.set", "tags.replace"),
                ]) { $1 }))
        let client = try await PushClient.configured(from: config, providers: Self.vendors, transport: Unreachable()) {
            $0.concurrentSlices = 9
        }
        #expect(client.configuration.deadline == .seconds(5))
        #expect(client.configuration.retry.attempts == 2)
        #expect(client.configuration.concurrentSlices == 9)
        #expect(client.configuration.acceptedLosses == [.setAlias, .replaceTags])
        let tpns = try #require(client.provider as? TPNS)
        #expect(tpns.appName == "Shop" && tpns.aliasAccountType == 7)
        await client.shutdown()
    }

    @Test("what the console says of Huawei's apps arrives")
    func huawei() async throws {
        let first = try await client([
            "vendor": "harmony", "harmony.clientID": "1042", "harmony.defaultTitle": "Shop",
            "harmony.devicesPerSecond": 9000, "harmony.trustsInference": false,
        ])
        let harmony = try #require(first.provider as? Harmony)
        #expect(harmony.projectID == "3884218" && harmony.clientID == "1042" && harmony.defaultTitle == "Shop")
        #expect(harmony.capabilities.quotas["huawei.devices"]?.limit == 9000 && !harmony.trustsInference)
        await first.shutdown()
        let second = try await client([
            "vendor": "huawei", "huawei.projectID": "3884218", "huawei.launcherClass": "com.example.Start",
            "huawei.mostInvalid": 3, "huawei.acceptsDuplicates": true,
        ])
        let huawei = try #require(second.provider as? Huawei)
        #expect(huawei.projectID == "3884218" && huawei.launcherClass == "com.example.Start")
        #expect(huawei.mostInvalid == 3 && huawei.acceptsDuplicates && huawei.trustsInference)
        #expect(huawei.capabilities.quotas["huawei.devices"] == nil)
        await second.shutdown()
    }

    @Test("a third party's vendor is one more entry of the list")
    func thirdParty() async throws {
        let client = try await client(
            ["vendor": "courier", "courier.token": "t"], providers: Self.vendors + [Courier.self])
        #expect(client.provider.id == "courier")
        await client.shutdown()
        let unknown = try await refusal(["vendor": "courier"])
        #expect(unknown.message.contains("give one of jpush, engagelab, tpns"))
    }

    @Test(
        "G-147: what is missing or wrong is named, with what is allowed and where it was looked for",
        arguments: [
            (["vendor": nil], ["vendor", "jpush, engagelab, tpns", "looked in test"]),
            (["vendor": text("moon")], ["vendor", "\"moon\"", "jpush, engagelab, tpns", "looked in test"]),
            (["jpush.masterSecret": nil], ["jpush.masterSecret", "JPUSH_MASTER_SECRET", "console"]),
            (
                ["vendor": "tpns", "tpns.secretKey": nil, "tpns.platform": nil],
                ["settings are missing", "tpns.secretKey", "tpns.platform"]
            ),
            (["vendor": "tpns", "tpns.platform": "windows"], ["tpns.platform", "windows", "android or ios"]),
            (["vendor": "tpns", "tpns.accessId": "abc"], ["tpns.accessId", "whole number"]),
            (["vendor": "tpns", "tpns.accessId": 0], ["tpns.accessId is 0", "1 to 4294967295"]),
            (["vendor": "tpns", "tpns.accessId": 4_294_967_296], ["tpns.accessId", "1 to 4294967295"]),
            (["attempts": "x"], ["attempts", "1 to 10000"]), (["attempts": 0], ["attempts is 0"]),
            (["deadlineSeconds": -1], ["deadlineSeconds"]), (["allowedRegions": 5], ["allowedRegions", "list"]),
            (["jpush.dataCenter": "mars"], ["jpush.dataCenter", "\"mars\"", "default or beijing"]),
            (["jpush.siteName": "bj", "jpush.dataCenter": "beijing"], ["jpush.dataCenter and jpush.siteName"]),
            (
                ["vendor": "engagelab", "engagelab.dataCenter": "hk", "engagelab.probe": texts("sg")],
                ["engagelab.dataCenter and engagelab.probe"]
            ),
            (["vendor": "engagelab", "engagelab.probe": texts("mars")], ["engagelab.probe", "singapore"]),
            (["jpush.keyTable": texts("beijing")], ["jpush.keyTable", "a1b2=frankfurt"]),
            (["jpush.keyTable": texts("ff=beijing")], ["no row for this app key"]),
            (["allowedRegions": texts("DE")], ["DE", "CN", "allowedRegions"]),
            (["allowedRegions": texts("europe")], ["allowedRegions", "\"europe\"", "eu"]),
            (["allowedRegions": ConfigValue(.stringArray([]), isSecret: false)], ["allowedRegions is empty"]),
            (["allowedRegions": text("")], ["allowedRegions"]),
            (["jpush.origin": text("https://user:hunter2@localhost:1")], ["jpush.origin", "scheme, host and port"]),
            (["jpush.origin": text("https://localhost:99999")], ["jpush.origin"]),
            (["jpush.origin": text("https://localhost?x=1")], ["jpush.origin"]),
            (["jpush.limits": texts("tag.length=10", "tag.length=9")], ["jpush.limits", "twice"]),
            (["jpush.origin": text("https://localhost:1/v3")], ["jpush.origin", "scheme, host and port"]),
            (["jpush.origin": text("localhost")], ["jpush.origin", "https://localhost:8443"]),
            (["jpush.limits": texts("tag.size=3")], ["jpush.limits", "tag.size=3", "tag.length"]),
            (["jpush.limits": texts("tag.length=0")], ["jpush.limits"]),
            (["jpush.quotas": texts("push=600/60", "push=9/1")], ["jpush.quotas", "twice"]),
            (["jpush.quotas": texts("pushes=600/60")], ["jpush.quotas", "pushes=600/60", "push"]),
            (["jpush.quotas": texts("push=600")], ["jpush.quotas"]),
            (["jpush.quotas": texts("push=0/60")], ["jpush.quotas"]),
            (["jpush.quotas": texts("push=600/0")], ["jpush.quotas"]),
            (["jpush.defaultClass": text("order")], ["jpush.defaultClass", "service:order"]),
            (["jpush.categoryWords": texts("xaomi.order=1")], ["jpush.categoryWords", "xaomi.order=1", "xiaomi"]),
            (["jpush.categoryWords": texts("xiaomi.order=")], ["jpush.categoryWords"]),
            (["jpush.categoryWords": texts("order=1")], ["jpush.categoryWords"]),
            (["jpush.categoryWords": texts("oppo.order=1", "oppo.order=2")], ["jpush.categoryWords", "once"]),
            (["jpush.approvedCategories": texts("huawei.news")], ["jpush.approvedCategories", "huawei.news"]),
            (["acceptedLosses": texts("tags.replase")], ["acceptedLosses", "tags.replase"]),
            (["jpush.groupKey": text(key)], ["groupMasterSecret", "under jpush", "looked in test"]),
            (["jpush.masterSecret": text("short")], ["master secret", "under jpush"]),
            (
                ["vendor": "harmony", "harmony.serviceAccount": nil],
                ["serviceAccount or serviceAccountFile", "under harmony"]
            ),
            (["vendor": "harmony", "harmony.serviceAccount": text("{}")], ["project_id", "under harmony"]),
            (["vendor": "harmony", "harmony.devicesPerSecond": 9], ["harmony.devicesPerSecond is 9", "1000"]),
            (["vendor": "huawei", "huawei.clientID": nil], ["huawei.clientID", "HUAWEI_CLIENT_ID", "console"]),
            (
                ["vendor": "huawei", "huawei.clientSecret": nil],
                ["clientSecret, serviceAccount and serviceAccountFile", "under huawei"]
            ),
        ] as [([AbsoluteConfigKey: ConfigValue?], [String])])
    func refusals(changes: [AbsoluteConfigKey: ConfigValue?], parts: [String]) async throws {
        let error = try await refusal(["vendor": "jpush"].merging(changes) { $1 })
        #expect(error.kind == .misconfigured)
        for part in parts { #expect(error.message.contains(part), "\(error.message)") }
        #expect(!error.message.contains("hunter2"))
    }

    @Test("an empty text takes a value away, whatever its form")
    func empty() async throws {
        let empty = Self.text("")
        let client = try await client([
            "vendor": "jpush", "attempts": empty, "deadlineSeconds": empty, "jpush.limits": empty, "jpush.probe": empty,
            "jpush.clockOffsetHours": empty, "jpush.dataCenter": empty, "acceptedLosses": empty,
        ])
        #expect(client.configuration.retry.attempts == ClientConfiguration().retry.attempts)
        await client.shutdown()
        let missing = try await refusal(["vendor": "tpns", "tpns.accessId": empty])
        #expect(missing.message.contains("missing: tpns.accessId"))
    }

    @Test("regions may be words", arguments: ["eu", "EU", "de"])
    func regions(region: String) async throws {
        let client = try await client([
            "vendor": "engagelab", "engagelab.dataCenter": "frankfurt", "allowedRegions": Self.texts(region),
        ])
        #expect(client.provider.dataCenter.name == "frankfurt")
        await client.shutdown()
    }

    @Test(
        "the name in the environment that an error gives is the one that is read",
        arguments: [Courier.self, Abbreviations.self] as [any ConfigurableProvider.Type])
    func environment(type: any ConfigurableProvider.Type) async throws {
        func client(_ variables: [String: String]) async throws -> PushClient {
            let provider = EnvironmentVariablesProvider(environmentVariables: variables)
            return try await PushClient.configured(
                from: ConfigReader(provider: provider), providers: [type], transport: Silent())
        }
        var variables = ["VENDOR": type.id.rawValue]
        let error = try await #require(throws: PushError.self) { _ = try await client(variables) }
        #expect(error.message.contains("looked in the environment"))
        let name = try #require(error.message.firstMatch(of: /; (\w+) in the environment\)/)?.output.1)
        variables[String(name)] = "given"
        await (try await client(variables)).shutdown()
    }

    @Test(
        "names and forms that a reader passes over are refused in a file",
        arguments: [
            (#"{"allowedRegion": ["DE"]}"#, "allowedRegions"), (#"{"allowedRegions": null}"#, "null"),
            (#"{"allowedRegions": {"DE": true}}"#, "object"), (#"{"jpush": {"masterKey": "x"}}"#, "jpush.masterKey"),
            (#"{"jpush": {"limits": {"tag.length": 10}}}"#, "jpush.limits"), (#"{"jpush": 5}"#, "jpush"),
            ("[]", "object"),
        ])
    func names(file: String, part: String) throws {
        let error = try #require(throws: PushError.self) {
            try PushClient.checkNames(in: JSONValue(parsing: Array(file.utf8)), providers: Self.vendors)
        }
        #expect(error.kind == .misconfigured && error.message.contains(part), "\(error)")
    }

    @Test("known names and other programs' sections are let through")
    func knownNames() throws {
        let file =
            #"{"vendor": "jpush", "jpush": {"appKey": "k", "limits": ["tag.length=1"]}, "database": {"host": "x"}}"#
        try PushClient.checkNames(in: JSONValue(parsing: Array(file.utf8)), providers: Self.vendors)
    }

    @Test("two vendors of one name are refused")
    func twins() async throws {
        let error = try await refusal(["vendor": "jpush"], providers: [JPush.self, JPush.self])
        #expect(error.message.contains("same name"))
    }

    @Test(
        "a refused configuration ends the transport that it was given",
        arguments: [
            ["vendor": nil], ["vendor": "moon"], ["attempts": 0], ["jpush.appKey": nil],
            ["acceptedLosses": ConfigurationTests.texts("nothing")],
        ] as [[AbsoluteConfigKey: ConfigValue?]])
    func transport(changes: [AbsoluteConfigKey: ConfigValue?]) async throws {
        let transport = Unreachable()
        await #expect(throws: PushError.self) {
            try await client(["vendor": "jpush"].merging(changes) { $1 }, over: transport)
        }
        #expect(transport.isShutDown.withLock { $0 })
    }
}

/// A transport that fails the test when a request reaches it.
private struct Unreachable: HTTPTransport {
    let isShutDown = Locked(false)

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        Issue.record("nothing may be sent")
        throw PushError(.transport, "nothing is there")
    }

    func shutdown() async { isShutDown.withLock { $0 = true } }
}

/// Data centers by host. Any other host has no apps.
private struct Centers: HTTPTransport {
    let homes: [String: EngageLabSimulator]
    let other: EngageLabSimulator
    let asked: Locked<[String]>

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        let parts = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        let host = String(parts[1])
        asked.withLock { $0.append(host) }
        var local = request
        local.url = InProcessTransport.origin + "/" + parts[2]
        return try await InProcessTransport(SimulatorHost(homes[host] ?? other)).send(local)
    }

    func shutdown() async {}
}

/// A transport that no test uses.
private struct Silent: HTTPTransport {
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        throw PushError(.transport, "nothing is there")
    }

    func shutdown() async {}
}

/// A third party's vendor. No other vendor spells its name and settings this way.
private struct Abbreviations: ConfigurableProvider {
    static var errorRows: [VendorErrorRow] { [] }
    static let id: ProviderID = "my-Vendor"
    static let dataCenters = Courier.dataCenters
    static let settings: [ProviderSetting] = [.required("p8KeyURL", "from the vendor")]
    static let keySetting = "p8KeyURL"

    let dataCenter: DataCenter
    let authorizer: any Authorizer = MemoryProvider(key: Secret("x")).authorizer
    var capabilities = Capabilities(support: [:])

    init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) { self.dataCenter = dataCenter }

    var roles: Roles { Roles() }
    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? { nil }
}

/// A third party's vendor.
private struct Courier: ConfigurableProvider {
    static var errorRows: [VendorErrorRow] { [] }
    static let id: ProviderID = "courier"
    static let dataCenters = DataCenterCatalog(DataCenter("main", services: ["api": "https://courier.example"]))
    static let settings: [ProviderSetting] = [.required("token", "from the courier", .secret)]
    static let keySetting = "token"

    let dataCenter: DataCenter
    let authorizer: any Authorizer
    var capabilities = Capabilities(support: [:])

    init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        self.dataCenter = dataCenter
        authorizer = MemoryProvider(key: try settings.secret("token")).authorizer
    }

    var roles: Roles { Roles() }
    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? { nil }
}
