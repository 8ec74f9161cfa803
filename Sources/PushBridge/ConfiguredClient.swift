import Configuration
import PushAdapter
import PushClient

/// Makes a client from a configuration.
enum ConfiguredClient {
    static func make(
        _ config: ConfigReader, _ providers: [any ConfigurableProvider.Type], _ transport: (any HTTPTransport)?,
        _ adjust: (inout ClientConfiguration) -> Void
    ) async throws(PushError) -> PushClient {
        let type: any ConfigurableProvider.Type
        do throws(PushError) {
            type = try await chosen(config, providers)
        } catch {
            await transport?.shutdown()
            throw error
        }
        let network = Network(transport, config, needsHTTP2: type.dataCenters.needsHTTP2)
        do throws(PushError) {
            var configuration = try await ClientConfiguration(reading: config)
            let losses = configuration.acceptedLosses
            adjust(&configuration)
            // The credentials are read before anything is opened, so that a mistake in them costs no connection.
            let provider = try await provider(type, from: config, network, configuration)
            let client = PushClient(provider, transport: try await network.transport(), configuration: configuration)
            try check(losses, client, SettingsReader(config))
            return client
        } catch {
            await network.shutdown()
            throw error
        }
    }

    /// The range of a time limit in seconds: more than zero, at most a day.
    static let seconds = 0.001...86_400
    /// The range of a count.
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
        guard let name = try await settings.text("vendor") else {
            throw settings.missing("\(settings.path("vendor")) (\(list(known)))")
        }
        guard let type = providers.first(where: { $0.id.rawValue.lowercased() == name.lowercased() }) else {
            throw settings.wrong("vendor", "is \(Redaction.quoted(name))", "one of \(list(known))")
        }
        return type
    }

    /// The provider of one type, at the data center and with the limits that the configuration sets.
    private static func provider<Provider: ConfigurableProvider>(
        _ type: Provider.Type, from config: ConfigReader, _ network: Network, _ configuration: ClientConfiguration
    ) async throws(PushError) -> any PushProvider {
        let reader = SettingsReader(config, scope: type.id.rawValue)
        let settings = try await reader.settings(type.settings)
        let regions = try await regions(SettingsReader(config))
        let place = try await DataCenterSettings(reader, type.dataCenters)
        let key = settings.textIfPresent(type.keySetting) ?? settings.integerIfPresent(type.keySetting).map(String.init)
        do throws(PushError) {
            let center = try await place.dataCenter(of: key ?? "", allowedRegions: regions) {
                (names) async throws(PushError) in
                DataCenterProbe(
                    allowed: names, transport: try await network.transport(), configuration: configuration
                ) { (center) throws(PushError) in try type.init(settings, dataCenter: center) }
            }
            var provider = try type.init(settings, dataCenter: center)
            var changed: Set<LimitKey> = []
            for change in try await reader.texts("limits") ?? [] {
                let limit = try apply(change, to: &provider.capabilities.limits, reader)
                guard changed.insert(limit).inserted else {
                    throw reader.wrong("limits", "has \(limit) twice", "each limit once")
                }
            }
            var paced: Set<QuotaBucket> = []
            for change in try await reader.texts("quotas") ?? [] {
                let bucket = try apply(change, to: &provider.capabilities.quotas, reader)
                guard paced.insert(bucket).inserted else {
                    throw reader.wrong("quotas", "has \(bucket) twice", "each quota once")
                }
            }
            provider.capabilities.classes = try await ClassReader(reader, type.id, provider.capabilities.classMakers)
                .read()
            return provider
        } catch {
            var error = error
            if regions != nil, error.kind == .misconfigured, error.vendor == nil {
                error.message += "; the setting allowedRegions applies, and a custom origin is in no region"
            }
            throw reader.placed(error)
        }
    }

    /// The countries of `allowedRegions`; nil for all. Refuses an empty list, which would allow everything where a
    /// restriction was meant.
    private static func regions(_ reader: SettingsReader) async throws(PushError) -> Set<String>? {
        let allowed = "country codes such as DE, or \(list(Region.words.map(\.word)))"
        guard let texts = try await reader.texts("allowedRegions"), !texts.isEmpty else {
            if await reader.isEmpty("allowedRegions") { throw reader.wrong("allowedRegions", "is empty", allowed) }
            return nil
        }
        var countries: Set<String> = []
        for text in texts {
            do throws(PushError) {
                countries.formUnion(try Region.countries(of: text))
            } catch {
                throw reader.wrong("allowedRegions", "has \(Redaction.quoted(text))", allowed)
            }
        }
        return countries
    }

    /// Changes the number of a limit that the adapter has: `tag.length=30`.
    private static func apply(
        _ change: String, to limits: inout Limits, _ reader: SettingsReader
    ) throws(PushError) -> LimitKey {
        let parts = change.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let number = Int(parts[1]), number > 0, limits[LimitKey(parts[0])] != nil else {
            let names = limits.all.map(\.limit.rawValue)
            throw reader.wrong(
                "limits", "has \(Redaction.quoted(change))",
                "a limit and a number, such as tag.length=30, of \(list(names))")
        }
        limits[LimitKey(parts[0])]?.maximum = number
        limits[LimitKey(parts[0])]?.source = "the configuration"
        return LimitKey(parts[0])
    }

    /// Changes a quota that the adapter has: `push=600/60` for 600 in 60 seconds, `marketing=200000/day` for a quota that
    /// the vendor counts by calendar days.
    private static func apply(
        _ change: String, to quotas: inout [QuotaBucket: Quota], _ reader: SettingsReader
    ) throws(PushError) -> QuotaBucket {
        let parts = change.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        let bucket = QuotaBucket(parts[0])
        let size = parts.count == 2 ? parts[1].split(separator: "/", omittingEmptySubsequences: false) : []
        guard let known = quotas[bucket], size.count == 2, let limit = Int(size[0]), limit > 0,
            var changed = known.resized(limit, per: String(size[1]))
        else {
            let examples = quotas.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.example)" }
            throw reader.wrong(
                "quotas", "has \(Redaction.quoted(change))",
                examples.isEmpty
                    ? "nothing, because this vendor states no quota"
                    : "a quota with a number per seconds or per day, in the form of \(list(examples))")
        }
        changed.source = "the configuration"
        quotas[bucket] = changed
        return bucket
    }

    /// Refuses losses that are not features: a misspelled name would accept nothing. Allows a feature that this vendor
    /// does not lose, so that one file serves several vendors.
    private static func check(
        _ losses: Set<Feature>, _ client: PushClient, _ reader: SettingsReader
    ) throws(PushError) {
        let model = Set(Feature.model.map(\.feature))
        guard let unknown = losses.filter({ !model.contains($0) && client.capabilities.support[$0] == nil }).min()
        else {
            return
        }
        let lossy = client.acceptableLosses
        throw reader.wrong(
            "acceptedLosses", "has \(Redaction.quoted(unknown.rawValue)), which is not a feature",
            lossy.isEmpty
                ? "nothing, because this vendor has no lossy emulation"
                : "some of \(list(lossy.map(\.rawValue)))")
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// The transport to the vendor: the caller's, or one that opens when something needs it.
private actor Network {
    private var opened: (any HTTPTransport)?
    private let config: ConfigReader
    private let needsHTTP2: Bool

    init(_ transport: (any HTTPTransport)?, _ config: ConfigReader, needsHTTP2: Bool) {
        opened = transport
        self.config = config
        self.needsHTTP2 = needsHTTP2
    }

    func transport() async throws(PushError) -> any HTTPTransport {
        if let opened { return opened }
        let new = try await ConfiguredTransport.make(reading: config, needsHTTP2: needsHTTP2)
        opened = new
        return new
    }

    func shutdown() async { await opened?.shutdown() }
}

extension Quota {
    /// The quota with another size; nil for a time that is none, or that is not of its kind: seconds from 1 to 86,400,
    /// or `day`.
    fileprivate func resized(_ limit: Int, per time: String) -> Quota? {
        var quota = self
        quota.limit = limit
        switch window {
        case .day: return time == "day" ? quota : nil
        case .rolling:
            guard let seconds = Int(time), (1...86_400).contains(seconds) else { return nil }
            quota.window = .rolling(.seconds(seconds))
            return quota
        }
    }

    /// As in a setting.
    fileprivate var example: String {
        switch window {
        case .day: "\(limit)/day"
        case .rolling: "\(limit)/\(Int(seconds))"
        }
    }
}
