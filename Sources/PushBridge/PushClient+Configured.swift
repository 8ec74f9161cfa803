public import Configuration
public import PushAdapter
public import PushClient

extension PushClient {
    /// Makes a client for the vendor that a configuration names, over the transport that the configuration
    /// asks for unless you pass one.
    ///
    /// ```swift
    /// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), file])
    /// let client = try await PushClient.configured(from: config, providers: [JPush.self, EngageLab.self, TPNS.self])
    /// ```
    ///
    /// The top level of the configuration has `vendor`, `allowedRegions`, and the settings of
    /// `ClientConfiguration.init(reading:)` and of the transport's configuration. The section of a vendor has the
    /// settings of its adapter, and:
    /// - `dataCenter`, or `siteName` as the vendors' device SDKs call it; by default, the vendor's default;
    /// - `keyTable` instead, rows such as `a1b2=frankfurt`: keys with this prefix live there;
    /// - `probe` instead, the data centers to search for the app: one read-only call to each, with the app's
    ///   credentials;
    /// - `origin`: an address to use instead of the vendor's, such as a simulator's;
    /// - `limits`, such as `tag.length=30`, where your contract differs;
    /// - `defaultClass`, `categoryWords` and `approvedCategories`: the `ClassSettings` of the app.
    ///
    /// Refuses missing and unusable settings with `misconfigured`, and names the setting, the allowed values, and the
    /// places where it looked. Reads secrets as secrets and never shows them. Sends nothing except the calls of a
    /// probe.
    ///
    /// Unknown keys are ignored, and so is an object in place of a list, because a configuration only returns the keys
    /// that are read. ``settings`` and ``vendorSettings`` list the names, besides those of the adapters.
    /// - Parameters:
    ///   - config: values from the environment, from files, from memory.
    ///   - providers: every vendor that the configuration may name; add your own here.
    ///   - transport: the client owns it and shuts it down.
    ///   - adjust: sets options that a file cannot set: layers, a ledger, a clock.
    public static func configured(
        from config: ConfigReader, providers: [any ConfigurableProvider.Type],
        transport: (any HTTPTransport)? = nil, adjusting adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws(PushError) -> PushClient {
        try await ConfiguredClient.make(config, providers, transport, adjust)
    }

    /// The settings at the top level of a configuration.
    public static let settings: [ProviderSetting] = [
        .required("vendor", "the name of a vendor"),
        .optional("allowedRegions", "countries where the data may be, such as DE, or eu; by default anywhere", .texts),
        .optional("deadlineSeconds", "how long a call may take; by default 30", .number(ConfiguredClient.seconds)),
        .optional("attemptSeconds", "how long an attempt may take; by default 10", .number(ConfiguredClient.seconds)),
        .optional(
            "attempts", "attempts of a call, where a retry is safe; by default 3", .integer(ConfiguredClient.counts)),
        .optional(
            "concurrentSlices", "requests of one send in flight at once; by default 4",
            .integer(ConfiguredClient.counts)),
        .optional("acceptedLosses", "emulations whose losses you accept, such as tags.replace", .texts),
        .optional("httpVersion", "1.1 or 2; by default 1.1, and 2 for a vendor that has nothing else"),
        .optional("caFile", "certificates to trust instead of the system's"),
        .optional("pinnedPublicKey", "the digest of the public key that the server must have: sha256// and Base64"),
        .optional(
            "clientCertificateFile",
            "the certificate by which the server knows this client, in PEM form; over HTTP/2 only"),
        .optional("clientKeyFile", "its private key, in PEM form and not encrypted"),
        .optional("plainHosts", "hosts besides this machine that plain HTTP may go to", .texts),
        .optional("proxy", "the address of a proxy, which may include credentials", .secret),
        .optional(
            "proxyChecksAddresses",
            "whether the proxy refuses to connect to private addresses, which Web Push needs; default false", .flag),
        .optional(
            "maxInFlight", "requests in flight at once; by default the transport's",
            .integer(ConfiguredClient.counts)),
        .optional(
            "connectSeconds", "how long connecting may take; by default the transport's",
            .number(ConfiguredClient.seconds)),
    ]

    /// The settings in the section of each vendor, besides those of its adapter.
    public static let vendorSettings: [ProviderSetting] = [
        .optional("dataCenter", "where the app lives, by name; by default the vendor's"),
        .optional("siteName", "the same, as the vendors' device SDKs call it"),
        .optional("keyTable", "instead: rows such as a1b2=frankfurt, a key prefix and where such keys live", .texts),
        .optional("probe", "instead: data centers to search for the app, with its credentials", .texts),
        .optional("origin", "an address to use instead of the vendor's, such as a simulator's; it has no region"),
        .optional("limits", "numbers of your contract, such as tag.length=30", .texts),
        .optional("quotas", "units per seconds or per day of your contract: push=600/60, marketing=200000/day", .texts),
        .optional("defaultClass", "the class of messages without one: service, marketing, or such as service:order"),
        .optional(
            "categoryWords", "phone makers' words or channels for categories, such as xiaomi.order=137041", .texts),
        .optional(
            "approvedCategories",
            "categories that a phone maker has approved, such as huawei.order; others of service are refused", .texts),
    ]
}
