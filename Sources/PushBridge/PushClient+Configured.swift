public import Configuration
public import PushClient
public import PushCore

extension PushClient {
    /// A client for the vendor that a configuration names, over libcurl unless another transport is given.
    ///
    /// ```swift
    /// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), file])
    /// let client = try await PushClient.configured(from: config, providers: [JPush.self, EngageLab.self, TPNS.self])
    /// ```
    ///
    /// At the top of the configuration stand `vendor`, `allowedRegions`, and what
    /// `ClientConfiguration.init(reading:)` and `CurlConfiguration.init(reading:)` read; below the name of a vendor the
    /// settings of its adapter, and:
    /// - `dataCenter`, or `siteName` in the words of the vendors' device SDKs: the vendor's default without it;
    /// - `keyTable` instead, rows such as `a1b2=frankfurt`: keys that begin so live there;
    /// - `probe` instead, the data centers that may be asked with the app's credentials where the app lives, with a
    ///   call that reads, once each;
    /// - `origin`: an address that takes the place of the vendor's, a simulator's for example;
    /// - `limits`, such as `tag.length=30`, where a contract says otherwise.
    ///
    /// Refuses with `misconfigured` what is missing or cannot be used, and says which setting, what is allowed, and
    /// where it was looked for. Secrets are read as secrets and shown nowhere. Sends nothing but the questions of a
    /// probe.
    ///
    /// A name that nobody asks for is not seen, nor is an object where a list belongs: a configuration answers only
    /// what it is asked. ``settings`` and ``vendorSettings`` list the names beside those of the adapters.
    /// - Parameters:
    ///   - config: values from the environment, from files, from memory.
    ///   - providers: every vendor that may be chosen; your own is one more.
    ///   - transport: the client's from now on, which shuts it down.
    ///   - adjust: for what no file can say: layers, a ledger, a clock.
    public static func configured(
        from config: ConfigReader, providers: [any ConfigurableProvider.Type],
        transport: (any HTTPTransport)? = nil, adjusting adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws(PushError) -> PushClient {
        try await ConfiguredClient.make(config, providers, transport, adjust)
    }

    /// What stands at the top of a configuration.
    public static let settings: [ProviderSetting] = [
        .required("vendor", "the name of a vendor"),
        .optional("allowedRegions", "countries where the data may be, such as DE, or eu; anywhere without it", .texts),
        .optional("deadlineSeconds", "the time that a call may take; 30 without it", .number(ConfiguredClient.seconds)),
        .optional("attemptSeconds", "the time that a try may take; 10 without it", .number(ConfiguredClient.seconds)),
        .optional(
            "attempts", "tries of a call, where trying again is safe; 3 without it", .integer(ConfiguredClient.counts)),
        .optional(
            "concurrentSlices", "requests of one send that are under way together; 4 without it",
            .integer(ConfiguredClient.counts)),
        .optional("acceptedLosses", "emulations whose losses you accept, such as tags.replace.clearing", .texts),
        .optional("caFile", "certificates to trust instead of the system's"),
        .optional("pinnedPublicKey", "the digest of the public key that the server must have, as libcurl writes it"),
        .optional("proxy", "a proxy's address, which may have credentials", .secret),
        .optional(
            "maxInFlight", "requests that are under way together; the transport's default without it",
            .integer(ConfiguredClient.counts)),
        .optional(
            "connectSeconds", "the time that a connection may take; the transport's default without it",
            .number(ConfiguredClient.seconds)),
    ]

    /// What stands below the name of each vendor, beside the settings of its adapter.
    public static let vendorSettings: [ProviderSetting] = [
        .optional("dataCenter", "where the app lives, by name; the vendor's default without it"),
        .optional("siteName", "the same, in the words of the vendors' device SDKs"),
        .optional("keyTable", "instead: rows such as a1b2=frankfurt, how the keys of a place begin", .texts),
        .optional("probe", "instead: the places that may be asked, with the credentials, where the app lives", .texts),
        .optional("origin", "an address that takes the place of the vendor's, such as a simulator's; it has no region"),
        .optional("limits", "numbers of your contract, such as tag.length=30", .texts),
    ]
}
