import Configuration
import Foundation
import PushAdapter
import PushBridge
import PushClient
import PushCrypto
import PushMemory
import PushSimulation
import Testing

/// The transport that a configuration selects.
@Suite("A transport from a configuration")
struct TransportChoiceTests {
    private func transport(
        _ values: [AbsoluteConfigKey: ConfigValue], needsHTTP2: Bool = false
    ) async throws -> any HTTPTransport {
        let config = ConfigReader(provider: InMemoryProvider(values: values))
        return try await ConfiguredTransport.make(reading: config, needsHTTP2: needsHTTP2)
    }

    @Test(
        "HTTP/1.1 by default, HTTP/2 where the setting or the vendor wants it",
        arguments: [
            (nil, false, false), ("1.1", false, false), ("2", false, true), (nil, true, true), ("2", true, true),
        ])
    func choice(version: String?, needsHTTP2: Bool, isHTTP2: Bool) async throws {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        if let version { values["httpVersion"] = ConfigValue(.string(version), isSecret: false) }
        let chosen = try await transport(values, needsHTTP2: needsHTTP2)
        #expect((chosen is HTTP2Transport) == isHTTP2 && (chosen is CurlTransport) != isHTTP2)
        #expect(chosen.concurrency == (isHTTP2 ? HTTP2Configuration().maxInFlight : CurlConfiguration().maxInFlight))
        await chosen.shutdown()
    }

    @Test(
        "a version that does not exist, or that the vendor does not speak, is refused by name",
        arguments: [("3", false), ("h2", false), ("1.1", true)])
    func refusal(version: String, needsHTTP2: Bool) async throws {
        let values = ["httpVersion": ConfigValue(.string(version), isSecret: false)] as [AbsoluteConfigKey: ConfigValue]
        let error = await #expect(throws: PushError.self) { try await transport(values, needsHTTP2: needsHTTP2) }
        #expect(
            error?.kind == .misconfigured && error?.message.contains("httpVersion") == true,
            "\(String(describing: error))")
    }

    @Test("both transports read the same settings of the network")
    func network() async throws {
        func text(_ text: String) -> ConfigValue { ConfigValue(.string(text), isSecret: false) }
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "caFile": text("/ca.pem"), "pinnedPublicKey": text("sha256//x"), "proxy": text("http://proxy:1"),
            "maxInFlight": 7, "connectSeconds": ConfigValue(.double(1.5), isSecret: false),
            "proxyChecksAddresses": true,
        ]
        let config = ConfigReader(provider: InMemoryProvider(values: values))
        let curl = try await CurlConfiguration(reading: config)
        let http2 = try await HTTP2Configuration(reading: config)
        #expect(curl.caFile == "/ca.pem" && http2.caFile == "/ca.pem")
        #expect(curl.pinnedPublicKey == "sha256//x" && http2.pinnedPublicKey == "sha256//x")
        #expect(curl.proxy == Secret("http://proxy:1") && http2.proxy == curl.proxy)
        #expect(curl.proxyChecksAddresses && http2.proxyChecksAddresses)
        #expect(curl.maxInFlight == 7 && http2.maxInFlight == 7)
        #expect(curl.connectTimeout == .milliseconds(1_500) && http2.connectTimeout == .milliseconds(1_500))
    }

    @Test("a client certificate is read from its files, over HTTP/2 only, and a missing half is named")
    func clientCertificate() async throws {
        let one = try SelfSignedCertificate()
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String) throws -> ConfigValue {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            return ConfigValue(.string(file.path), isSecret: false)
        }
        let both: [AbsoluteConfigKey: ConfigValue] = [
            "clientCertificateFile": try file("chain.pem", one.certificate),
            "clientKeyFile": try file("key.pem", one.privateKey),
        ]
        func configuration(_ values: [AbsoluteConfigKey: ConfigValue]) async throws -> HTTP2Configuration {
            try await HTTP2Configuration(reading: ConfigReader(provider: InMemoryProvider(values: values)))
        }
        let read = try await configuration(both).clientCertificate
        #expect(read?.chain == one.certificate && read?.key == Secret(one.privateKey))
        await (try transport(both, needsHTTP2: true)).shutdown()
        func refusal(_ values: [AbsoluteConfigKey: ConfigValue]) async -> String {
            await #expect(throws: PushError.self) { try await transport(values, needsHTTP2: true) }?.message ?? ""
        }
        #expect(await refusal(both.filter { $0.key != "clientKeyFile" }).contains("clientKeyFile"))
        #expect(await refusal(both.filter { $0.key == "clientKeyFile" }).contains("clientCertificateFile"))
        var lost = both
        lost["clientKeyFile"] = ConfigValue(.string("/nowhere/key.pem"), isSecret: false)
        #expect(await refusal(lost).contains("clientKeyFile"))
        // The error names a file that is not PEM, and its setting.
        var foreign = both
        foreign["clientKeyFile"] = try file("key.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n")
        let message = await refusal(foreign)
        #expect(message.contains("clientKeyFile") && message.contains("openssl pkey -in FILE"), "\(message)")
        // A byte-order mark is not part of the contents.
        var marked = both
        marked["clientCertificateFile"] = try file("chain.pem", "\u{FEFF}" + one.certificate)
        marked["clientKeyFile"] = try file("key.pem", "\u{FEFF}" + one.privateKey)
        #expect(try await configuration(marked).clientCertificate?.key == Secret(one.privateKey))
        await (try transport(marked, needsHTTP2: true)).shutdown()
        // libcurl's transport cannot present a certificate, so the client refuses the setting instead of ignoring it.
        for name in ["clientCertificateFile", "clientKeyFile"] as [AbsoluteConfigKey] {
            let half = both.filter { $0.key == name }
            let error = await #expect(throws: PushError.self) { try await transport(half) }
            #expect(error?.kind == .misconfigured && error?.message.contains("httpVersion 2") == true)
        }
    }

    @Test("over HTTP/2, plain addresses still go where the configuration allows them, and nowhere else")
    func plainHosts() async throws {
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "httpVersion": ConfigValue(.string("2"), isSecret: false),
            "plainHosts": ConfigValue(.stringArray(["plain.invalid"]), isSecret: false),
        ]
        let mixed = try await transport(values)
        func kind(_ url: String) async -> PushError.Kind? {
            let request = TransportRequest(method: .get, url: url, timeout: .seconds(20))
            return await #expect(throws: PushError.self) { try await mixed.send(request) }?.kind
        }
        // The address passes the check. The request then fails because the host does not exist.
        #expect(await kind("http://plain.invalid/") == .transport)
        #expect(await kind("http://other.invalid/") == .invalidArgument)
        #expect(await kind("https://other.invalid/") == .transport)
        await mixed.shutdown()
    }

    @Test("a vendor without HTTP/1.1 gets no client over it, and a moved data center speaks what it spoke before")
    func http2Only() async throws {
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "vendor": "modern", "httpVersion": ConfigValue(.string("1.1"), isSecret: false),
            "modern.origin": ConfigValue(.string("https://localhost:1"), isSecret: false),
            "modern.key": ConfigValue(.string("k"), isSecret: false),
        ]
        let config = ConfigReader(provider: InMemoryProvider(values: values))
        let error = await #expect(throws: PushError.self) {
            try await PushClient.configured(from: config, providers: [Modern.self])
        }
        #expect(error?.message.contains("httpVersion") == true, "\(String(describing: error))")
        let moved = Modern.dataCenters.standard.moved(to: "https://localhost:1")
        #expect(moved.http2Services == ["api"] && moved.region == nil)
        #expect(try moved.address(of: "api") == "https://localhost:1/v1")
    }
}

/// A vendor that speaks HTTP/2 only.
private struct Modern: ConfigurableProvider {
    static var errorRows: [VendorErrorRow] { [] }
    static let id: ProviderID = "modern"
    static let dataCenters: DataCenterCatalog = {
        var home = DataCenter("home", region: "DE", services: ["api": "https://modern.example/v1"])
        home.http2Services = ["api"]
        return DataCenterCatalog(home)
    }()
    static let settings: [ProviderSetting] = [.required("key", "from the vendor")]
    static let keySetting = "key"

    let dataCenter: DataCenter
    let authorizer: any Authorizer = MemoryProvider(key: Secret("x")).authorizer
    var capabilities = Capabilities(support: [:])

    init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) { self.dataCenter = dataCenter }

    var roles: Roles { Roles() }
    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? { nil }
}
