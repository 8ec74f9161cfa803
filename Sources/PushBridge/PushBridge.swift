public import Configuration
public import PushClient
public import PushCore
import PushCurl

/// Vendors chosen by configuration: another vendor is another word in a file.
public enum PushBridge {
    /// A client for the vendor that a configuration names, over libcurl unless another transport is given.
    ///
    /// ```swift
    /// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), file])
    /// let client = try await PushBridge.client(from: config, providers: [JPush.self, EngageLab.self, TPNS.self])
    /// ```
    ///
    /// At the top of the configuration stand `vendor`, `allowedRegions`, and what
    /// `ClientConfiguration.init(reading:)` and `CurlConfiguration.init(reading:)` read; below the name of a vendor the
    /// settings of its adapter, and:
    /// - `dataCenter`, or `siteName` in the words of the vendors' device SDKs: the vendor's default without it;
    /// - `keyTable` instead, rows such as `a1b2=frankfurt`: keys that begin so live there;
    /// - `probe` instead, the data centres that may be asked with the app's credentials where the app lives, with a
    ///   call that reads, once each;
    /// - `origin`: an address that takes the place of the vendor's, a simulator's for example;
    /// - `limits`, such as `tag.length=30`, where a contract says otherwise.
    ///
    /// Refuses with `misconfigured` what is missing or cannot be used, and says which setting, what is allowed, and
    /// where it was looked for. Secrets are read as secrets and shown nowhere. Sends nothing but the questions of a
    /// probe.
    ///
    /// A name that nobody asks for is not seen, nor is an object where a list belongs: a configuration answers only
    /// what it is asked. ``settings`` and ``placeSettings`` list the names beside those of the adapters.
    /// - Parameters:
    ///   - config: values from the environment, from files, from memory.
    ///   - providers: every vendor that may be chosen; your own is one more.
    ///   - transport: the client's from now on, which shuts it down.
    ///   - adjust: for what no file can say: layers, a ledger, a clock.
    public static func client(
        from config: ConfigReader, providers: [any ConfigurableProvider.Type],
        transport: (any HTTPTransport)? = nil, adjusting adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws(PushError) -> PushClient {
        var network = transport
        do throws(PushError) {
            let type = try await chosen(config, providers)
            var configuration = try await ClientConfiguration(reading: config)
            let losses = configuration.acceptedLosses
            adjust(&configuration)
            let open: any HTTPTransport
            if let transport { open = transport } else { open = try await curl(config) }
            network = open
            let provider = try await provider(type, from: config, transport: open, configuration)
            let client = PushClient(provider, transport: open, configuration: configuration)
            try check(losses, client.capabilities, SettingsReader(config))
            return client
        } catch {
            await network?.shutdown()
            throw error
        }
    }

    private static func curl(_ config: ConfigReader) async throws(PushError) -> any HTTPTransport {
        do throws(PushError) {
            return try await CurlTransport(CurlConfiguration(reading: config))
        } catch {
            throw SettingsReader(config).placed(error)
        }
    }

    /// What stands at the top of a configuration.
    public static let settings: [ProviderSetting] = [
        .required("vendor", "the name of a vendor"),
        .optional("allowedRegions", "countries where the data may be, such as DE, or eu; anywhere without it", .texts),
        .optional("deadlineSeconds", "the time that a call may take; 30 without it", .number(seconds)),
        .optional("attemptSeconds", "the time that a try may take; 10 without it", .number(seconds)),
        .optional("attempts", "tries of a call, where trying again is safe; 3 without it", .integer(counts)),
        .optional(
            "concurrentSlices", "requests of one send that are under way together; 4 without it", .integer(counts)),
        .optional("acceptedLosses", "emulations whose losses you accept, such as tags.replace.clearing", .texts),
        .optional("caFile", "certificates to trust instead of the system's"),
        .optional("pinnedPublicKey", "the digest of the public key that the server must have, as libcurl writes it"),
        .optional("proxy", "a proxy's address, which may have credentials", .secret),
        .optional(
            "maxInFlight", "requests that are under way together; the transport's default without it", .integer(counts)),
        .optional(
            "connectSeconds", "the time that a connection may take; the transport's default without it",
            .number(seconds)),
    ]

    /// What stands below the name of each vendor, beside the settings of its adapter.
    public static let placeSettings: [ProviderSetting] = [
        .optional("dataCenter", "where the app lives, by name; the vendor's default without it"),
        .optional("siteName", "the same, in the words of the vendors' device SDKs"),
        .optional("keyTable", "instead: rows such as a1b2=frankfurt, how the keys of a place begin", .texts),
        .optional("probe", "instead: the places that may be asked, with the credentials, where the app lives", .texts),
        .optional("origin", "an address that takes the place of the vendor's, such as a simulator's; it has no region"),
        .optional("limits", "numbers of your contract, such as tag.length=30", .texts),
    ]

    /// Seconds that a wait may have: more than none, and at most a day.
    static let seconds = 0.001...86_400
    /// What a number of things may be.
    static let counts = 1...10_000

    /// The type of the vendor that a configuration names.
    private static func chosen(
        _ config: ConfigReader, _ providers: [any ConfigurableProvider.Type]
    ) async throws(PushError) -> any ConfigurableProvider.Type {
        let settings = SettingsReader(config)
        let known = providers.map { $0.id.rawValue }
        guard Set(known.map { $0.lowercased() }).count == known.count else {
            throw PushError(.misconfigured, "two of the providers have the same name; there are \(list(known))")
        }
        guard let name = try await settings.text("vendor") else { throw settings.missing("vendor (\(list(known)))") }
        guard let type = providers.first(where: { $0.id.rawValue.lowercased() == name.lowercased() }) else {
            throw settings.wrong("vendor", "is \(Redaction.quoted(name))", "one of \(list(known))")
        }
        return type
    }

    /// The provider of one type, at the data centre and with the limits that the configuration says.
    private static func provider<Provider: ConfigurableProvider>(
        _ type: Provider.Type, from config: ConfigReader, transport: any HTTPTransport,
        _ configuration: ClientConfiguration
    ) async throws(PushError) -> any PushProvider {
        let reader = SettingsReader(config, scope: type.id)
        let settings = try await reader.settings(type.settings)
        let regions = try await regions(SettingsReader(config))
        let place = try await DataCenterSettings(reader, type.dataCenters)
        let key = settings.textIfPresent(type.keySetting) ?? settings.integerIfPresent(type.keySetting).map(String.init)
        do throws(PushError) {
            let centre = try await place.dataCenter(of: key ?? "", allowedRegions: regions) { names in
                DataCenterProbe(allowed: names, transport: transport, configuration: configuration) {
                    (centre) throws(PushError) in try type.init(settings, dataCenter: centre)
                }
            }
            var provider = try type.init(settings, dataCenter: centre)
            var changed: Set<Limit> = []
            for change in try await reader.texts("limits") ?? [] {
                let limit = try apply(change, to: &provider.capabilities.limits, reader)
                guard changed.insert(limit).inserted else {
                    throw reader.wrong("limits", "has \(limit) twice", "each limit once")
                }
            }
            return provider
        } catch {
            var error = error
            if regions != nil, error.kind == .misconfigured, error.vendor == nil {
                error.message += "; the setting allowedRegions counts, and an origin of your own is in no region"
            }
            throw reader.placed(error)
        }
    }

    /// The countries of `allowedRegions`; nil for all. An empty list is refused: it would say nothing where somebody
    /// meant something.
    private static func regions(_ reader: SettingsReader) async throws(PushError) -> Set<String>? {
        let allowed = "country codes such as DE, or \(list(Requirements.regionWords.map(\.word)))"
        guard let texts = try await reader.texts("allowedRegions"), !texts.isEmpty else {
            if await reader.isEmpty("allowedRegions") { throw reader.wrong("allowedRegions", "is empty", allowed) }
            return nil
        }
        var countries: Set<String> = []
        for text in texts {
            do throws(PushError) {
                countries.formUnion(try Requirements.countries(text))
            } catch {
                throw reader.wrong("allowedRegions", "has \(Redaction.quoted(text))", allowed)
            }
        }
        return countries
    }

    /// Changes the number of a limit that the adapter has: `tag.length=30`.
    private static func apply(
        _ change: String, to limits: inout Limits, _ reader: SettingsReader
    ) throws(PushError) -> Limit {
        let parts = change.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let number = Int(parts[1]), number > 0, limits[Limit(parts[0])] != nil else {
            let names = limits.all.map(\.limit.rawValue)
            throw reader.wrong(
                "limits", "has \(Redaction.quoted(change))",
                "a limit and a number, such as tag.length=30, of \(list(names))")
        }
        limits[Limit(parts[0])]?.maximum = number
        limits[Limit(parts[0])]?.source = "the configuration"
        return Limit(parts[0])
    }

    /// Refuses losses that are no feature's: a misspelt name would accept nothing. One that this vendor does not lose
    /// is let through, so that a file serves several vendors.
    private static func check(
        _ losses: Set<Feature>, _ capabilities: Capabilities, _ reader: SettingsReader
    ) throws(PushError) {
        let model = Set(Feature.model.map(\.feature))
        guard let unknown = losses.filter({ !model.contains($0) && capabilities.support[$0] == nil }).min() else {
            return
        }
        let lossy = capabilities.lossyEmulations
        throw reader.wrong(
            "acceptedLosses", "has \(Redaction.quoted(unknown.rawValue)), which is no feature",
            lossy.isEmpty
                ? "nothing, because this vendor has no emulation that loses something"
                : "some of \(list(lossy.map(\.rawValue)))")
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
