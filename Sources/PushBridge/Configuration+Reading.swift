public import Configuration
public import PushClient
public import PushCore
public import PushCurl
public import PushHTTP2

extension ClientConfiguration {
    /// The defaults, changed by what a configuration sets: `deadlineSeconds`, `attemptSeconds`, `attempts`,
    /// `concurrentSlices`, `acceptedLosses`.
    ///
    /// Refuses an unusable value with `misconfigured` and names the key. `PushClient.configured(from:providers:)`,
    /// which knows the vendor, checks that each accepted loss is a feature.
    public init(reading config: ConfigReader) async throws(PushError) {
        self.init()
        let settings = SettingsReader(config)
        if let value = try await settings.number("deadlineSeconds", in: ConfiguredClient.seconds) {
            deadline = .seconds(value)
        }
        if let value = try await settings.number("attemptSeconds", in: ConfiguredClient.seconds) {
            attemptTimeout = .seconds(value)
        }
        if let value = try await settings.integer("attempts", in: ConfiguredClient.counts) { retry.attempts = value }
        if let value = try await settings.integer("concurrentSlices", in: ConfiguredClient.counts) {
            concurrentSlices = value
        }
        if let names = try await settings.texts("acceptedLosses") { acceptedLosses = Set(names.map { Feature($0) }) }
    }
}

extension CurlConfiguration {
    /// The defaults, changed by what a configuration sets: `caFile`, `pinnedPublicKey`, `plainHosts`, `proxy`, `maxInFlight`,
    /// `connectSeconds`.
    ///
    /// Refuses an unusable value with `misconfigured` and names the key.
    public init(reading config: ConfigReader) async throws(PushError) {
        self.init()
        let settings = try await NetworkSettings(SettingsReader(config))
        (caFile, pinnedPublicKey, proxy) = (settings.caFile, settings.pinnedPublicKey, settings.proxy)
        plainHosts = settings.plainHosts
        maxInFlight = settings.maxInFlight ?? maxInFlight
        connectTimeout = settings.connectTimeout ?? connectTimeout
    }
}

extension HTTP2Configuration {
    /// The defaults, changed by what a configuration sets: `caFile`, `pinnedPublicKey`, `proxy`, `maxInFlight`,
    /// `connectSeconds`.
    ///
    /// Refuses an unusable value with `misconfigured` and names the key.
    public init(reading config: ConfigReader) async throws(PushError) {
        self.init()
        let settings = try await NetworkSettings(SettingsReader(config))
        (caFile, pinnedPublicKey, proxy) = (settings.caFile, settings.pinnedPublicKey, settings.proxy)
        maxInFlight = settings.maxInFlight ?? maxInFlight
        connectTimeout = settings.connectTimeout ?? connectTimeout
    }
}

/// The settings of a configuration that are about connections.
struct NetworkSettings {
    let caFile: String?
    let pinnedPublicKey: String?
    let plainHosts: Set<String>
    let proxy: Secret?
    let maxInFlight: Int?
    let connectTimeout: Duration?

    init(_ settings: SettingsReader) async throws(PushError) {
        caFile = try await settings.text("caFile")
        pinnedPublicKey = try await settings.text("pinnedPublicKey")
        plainHosts = Set(try await settings.texts("plainHosts") ?? [])
        proxy = try await settings.text("proxy", isSecret: true).map { Secret($0) }
        maxInFlight = try await settings.integer("maxInFlight", in: ConfiguredClient.counts)
        connectTimeout = try await settings.number("connectSeconds", in: ConfiguredClient.seconds).map { .seconds($0) }
    }
}
