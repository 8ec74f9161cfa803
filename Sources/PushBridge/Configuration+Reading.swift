public import Configuration
public import PushAdapter
public import PushClient
public import PushCurl
public import PushHTTP2
import PushIO

extension ClientConfiguration {
    /// The defaults, changed by the values of a configuration: `deadlineSeconds`, `attemptSeconds`, `attempts`,
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
    /// The defaults, changed by the values of a configuration: `caFile`, `pinnedPublicKey`, `plainHosts`, `proxy`,
    /// `proxyChecksAddresses`, `maxInFlight`, `connectSeconds`.
    ///
    /// Refuses an unusable value with `misconfigured` and names the key.
    public init(reading config: ConfigReader) async throws(PushError) {
        self.init()
        let settings = SettingsReader(config)
        plainHosts = Set(try await settings.texts("plainHosts") ?? [])
        try await read(settings)
    }
}

extension HTTP2Configuration {
    /// The defaults, changed by the values of a configuration: `caFile`, `pinnedPublicKey`, `clientCertificateFile`
    /// with `clientKeyFile`, `proxy`, `proxyChecksAddresses`, `maxInFlight`, `connectSeconds`.
    ///
    /// Refuses an unusable value with `misconfigured` and names the key.
    public init(reading config: ConfigReader) async throws(PushError) {
        self.init()
        let settings = SettingsReader(config)
        try await read(settings)
        clientCertificate = try await ClientCertificate(reading: settings)
    }
}

extension ClientCertificate {
    /// Reads both files; nil if neither is set.
    fileprivate init?(reading settings: SettingsReader) async throws(PushError) {
        let (chain, key) = (
            try await settings.text("clientCertificateFile"), try await settings.text("clientKeyFile")
        )
        guard let chain, let key else {
            guard chain == nil, key == nil else {
                throw settings.missing(chain == nil ? "clientCertificateFile" : "clientKeyFile")
            }
            return nil
        }
        do throws(PushError) { try self.init(chainFile: chain, keyFile: key) } catch {
            throw settings.unusable(["clientCertificateFile", "clientKeyFile"], error)
        }
    }
}

extension NetworkConfiguration {
    /// Applies the settings of a configuration.
    fileprivate mutating func read(_ settings: SettingsReader) async throws(PushError) {
        caFile = try await settings.text("caFile")
        pinnedPublicKey = try await settings.text("pinnedPublicKey")
        proxy = try await settings.text("proxy", isSecret: true).map { Secret($0) }
        proxyChecksAddresses = try await settings.flag("proxyChecksAddresses") ?? false
        if let value = try await settings.integer("maxInFlight", in: ConfiguredClient.counts) { maxInFlight = value }
        if let value = try await settings.number("connectSeconds", in: ConfiguredClient.seconds) {
            connectTimeout = .seconds(value)
        }
    }
}
