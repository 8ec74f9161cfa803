import ArgumentParser
import PushAdapter
import PushAdvisor
import PushBridge
import PushConformance
import PushSimulation

struct Vendors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the features and limits that each vendor's adapter declares.")

    @Argument(help: "One vendor, with its limits' sources; without it, all side by side.", completion: .vendors)
    var name: String?

    @Flag(help: "Show the settings of a configuration: one vendor's, or the top-level ones.")
    var settings = false

    @Flag(help: "Show what each field of a message becomes at one vendor.")
    var fields = false

    @Flag(help: "Print a table for a README.")
    var markdown = false

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        if settings || fields, json { throw ValidationError("--settings and --fields print only a table") }
        if fields, name == nil { throw ValidationError("--fields needs the name of a vendor") }
    }

    func run() async throws {
        let vendors = try name.map { (name) throws(PushError) in [try Vendor.named(name)] } ?? Vendor.all
        if settings {
            let rows = name == nil ? Matrix.settings(PushClient.settings) : Matrix.settings(of: vendors[0].type)
            return Output.line(
                Tables.table(["SETTING", "FORM", "NEEDED", "WHAT"], rows, markdown ? .markdown : .plain))
        }
        if fields {
            let rows = try FieldMap.rows(of: vendors[0].harness)
            return Output.line(
                Tables.table(
                    ["FIELD", "RULE", "BECOMES"], rows.map { ["\($0.field)", $0.rule ?? "", $0.becomes] },
                    markdown ? .markdown : .plain))
        }
        var columns: [(name: String, capabilities: Capabilities)] = []
        for vendor in vendors { columns.append((vendor.id.rawValue, try await vendor.capabilities())) }
        if json { return Output.print(.array(columns.map { Matrix.json($0.name, $0.capabilities) })) }
        let style: Tables.Style = markdown ? .markdown : .plain
        if name != nil, let only = columns.first {
            Output.line(
                Tables.table(["LIMIT", "VALUE", "ABOVE IT", "SOURCE"], Matrix.limits(only.capabilities), style))
        } else {
            Output.line(Tables.matrix(columns.map(\.name), Matrix.rows(columns.map(\.capabilities)), style))
        }
    }
}

extension Vendor {
    /// The capabilities of a client over this vendor, emulations included.
    func capabilities() async throws(PushError) -> Capabilities {
        var capabilities = try await withClient { $0.capabilities }
        try addClasses(to: &capabilities)
        return capabilities
    }

    /// The advisor's data about the vendor, including clients with a ledger and with the adapter's optional settings.
    func profile() async throws(PushError) -> VendorProfile {
        var configuration = ClientConfiguration()
        configuration.ledger = MemoryLedger()
        var variants = [
            VendorProfile.Variant(
                setting: "a ledger",
                capabilities: try await withClient(configuration: configuration) { $0.capabilities })
        ]
        for variant in try harness.makeVariants() {
            let alone = try await withClient(of: variant.provider) { $0.capabilities }
            let both = try await withClient(of: variant.provider, configuration: configuration) { $0.capabilities }
            variants.append(VendorProfile.Variant(setting: variant.setting, capabilities: alone))
            variants.append(VendorProfile.Variant(setting: "\(variant.setting) and a ledger", capabilities: both))
        }
        var profile = VendorProfile(
            of: type, capabilities: try await capabilities(), variants: variants, note: harness.note)
        profile.reach = try reach()
        return profile
    }

    /// The platforms that any of the vendor's apps reaches.
    func reach() throws(PushError) -> Set<Platform> {
        try harness.makeApps().reduce(into: []) { $0.formUnion($1.provider.capabilities.reach(of: id)) }
    }

    /// Runs a body with a client that has no account and sends nothing: its vendor is a simulator in this process.
    func withClient<Output>(
        of provider: (any PushProvider)? = nil, configuration: ClientConfiguration = ClientConfiguration(),
        _ body: (PushClient) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        let known: any PushProvider
        if let provider { known = provider } else { known = try harness.makeProvider(at: InProcessTransport.origin) }
        let client = PushClient(
            known, transport: InProcessTransport(SimulatorHost(harness.makeSimulator(devices: []))),
            configuration: configuration)
        return try await ending(by: await client.shutdown()) { () async throws(PushError) in
            try await body(client)
        }
    }
}

/// Capabilities as rows of a table.
enum Matrix {
    /// The settings of one vendor, below its name in a configuration.
    static func settings(of type: any ConfigurableProvider.Type) -> [[String]] {
        let places = type.dataCenters.all.map { center in
            center.name + (center.aliases.isEmpty ? "" : " (\(center.aliases.joined(separator: ", ")))")
        }
        var common = PushClient.vendorSettings
        common[0].summary = "where the app lives: \(places.joined(separator: ", ")); by default the first"
        return settings(type.settings + common, below: "\(type.id).")
    }

    static func settings(_ settings: [ProviderSetting], below scope: String = "") -> [[String]] {
        settings.map { setting in
            [scope + setting.name, setting.form.description, setting.isRequired ? "yes" : "no", setting.summary]
        }
    }

    static func rows(_ columns: [Capabilities]) -> [[String]] {
        Feature.model.map { row in [row.label] + columns.map { $0[row.feature].summary } }
            + LimitKey.model.filter { row in columns.contains { $0.limits[row.limit] != nil } }.map { row in
                [row.label]
                    + columns.map { capabilities in
                        let isThere = capabilities[row.feature].isPossible
                        return capabilities.limits[row.limit]?.summary ?? (isThere ? "not stated" : "–")
                    }
            }
            + [
                ["an alias is for"] + columns.map(\.aliasSharing.summary),
                ["a key of your own is remembered"] + columns.map(memory),
                ["a draft"] + columns.map { $0.draftNote ?? "no" },
            ] + classes(columns)
    }

    /// Every limit of one vendor, including the vendor's own ones, then its quotas and those of phone makers. A draft of
    /// an adapter says so first.
    static func limits(_ capabilities: Capabilities) -> [[String]] {
        let labels = Dictionary(uniqueKeysWithValues: LimitKey.model.map { ($0.limit, $0.label) })
        let bounds = capabilities.limits.all.map { limit, bound in
            let letters = capabilities.limits[charactersOf: limit].map { "; \($0.summary)" } ?? ""
            return [labels[limit] ?? limit.rawValue, bound.summary + letters, bound.overflow.summary, bound.source]
        }
        let quotas = capabilities.quotas.sorted { $0.key < $1.key }.map { bucket, quota in
            ["calls: \(bucket)", quota.summary, quota.overflow, quota.source]
        }
        let late = "applied after the response; the delay is assumed"
        let waits =
            capabilities.minimumInterval.map {
                ("\($0.key) of one subject", $0.value, "the vendor's minimum interval")
            }
            + capabilities.writeDelay.map { ("after \($0.key)", $0.value, late) }
        let rows = waits.sorted { $0.0 < $1.0 }.map { name, time, source in
            [name, "\(time.seconds) s", "the client waits", source]
        }
        let keys = capabilities.callerKeys.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, memory in
            [
                "your key for a \(kind.rawValue)", "\(memory.duration.components.seconds) s",
                memory.grade == .vendor ? "forgotten" : "forgotten; \(memory.grade.summary)", memory.source,
            ]
        }
        let draft = capabilities.draftNote.map { [["the adapter", "a draft", "", $0]] } ?? []
        return draft + bounds + quotas + rows + keys + Matrix.rows(capabilities.classQuotas)
    }

    static func json(_ name: String, _ capabilities: Capabilities) -> JSONValue {
        let support = capabilities.support.map { ($0.key.rawValue, JSONValue.string($0.value.summary)) }
        let limits = capabilities.limits.all.map { limit, bound -> (String, JSONValue) in
            (
                limit.rawValue,
                [
                    "maximum": JSONValue(integerLiteral: bound.maximum), "unit": .string(bound.unit.rawValue),
                    "overflow": .string(bound.overflow.rawValue), "source": .string(bound.source),
                ]
            )
        }
        let keys = capabilities.callerKeys.map { kind, memory -> (String, JSONValue) in
            (kind.rawValue, JSONValue(integerLiteral: Int(memory.duration.components.seconds)))
        }
        let grades = capabilities.callerKeys.map { ($0.key.rawValue, JSONValue.string($0.value.grade.rawValue)) }
        return [
            "callerKeySeconds": .object(Dictionary(keys, uniquingKeysWith: { $1 })),
            "callerKeyGrades": .object(Dictionary(grades, uniquingKeysWith: { $1 })),
            "vendor": .string(name), "isDraft": .bool(capabilities.isDraft),
            "features": .object(Dictionary(support, uniquingKeysWith: { $1 })),
            "limits": .object(Dictionary(limits, uniquingKeysWith: { $1 })),
            "class": .string(capabilities.summary(of: .messageClass)),
            "template": .string(capabilities.summary(of: .template)),
            "classQuotas": .array(capabilities.classQuotas.map(json)),
        ]
    }

    private static func memory(_ capabilities: Capabilities) -> String {
        let kinds = capabilities.callerKeys.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !kinds.isEmpty else { return "no" }
        return kinds.map { kind, memory in
            let grade = memory.grade == .vendor ? "" : " (\(memory.grade.rawValue))"
            return "\(kind.rawValue): \(memory.duration.components.seconds) s\(grade)"
        }.joined(separator: ", ")
    }
}
