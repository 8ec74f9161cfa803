import Configuration
import FoundationEssentials
import PushAdapter
import PushBridge
import PushClient
import PushRouter

/// Reads the part of a configuration that is a router's own.
enum RoutingSettings {
    static let seconds = ProviderSetting.Form.number(0...86_400)
    private static let section = "routing"
    private static let reserved = ["routes", section]

    /// The orders of platforms have the platforms' names.
    private static let platforms: [Platform] = [.ios, .android, .harmony]

    static func routes(_ config: ConfigReader) async throws(PushError) -> [RouteName] {
        let reader = SettingsReader(config)
        guard let names = try await reader.texts("routes"), !names.isEmpty else {
            throw reader.missing("routes (the names of the sections with the vendors' settings)")
        }
        guard Set(names).count == names.count else {
            throw reader.wrong("routes", "has a name twice", "each route once")
        }
        if let name = names.first(where: { reserved.contains($0) || $0.isEmpty || $0.contains(".") }) {
            throw reader.wrong(
                "routes", "has \(Redaction.quoted(name))",
                "names without a dot, and none of \(reserved.joined(separator: ", "))")
        }
        return names.map { RouteName($0) }
    }

    static func policy(_ config: ConfigReader, _ routes: [RouteName]) async throws(PushError) -> RoutingPolicy {
        let reader = SettingsReader(config, scope: section)
        let values = try await reader.settings(PushRouter.settings)
        var policy = RoutingPolicy()
        policy.order = try order("order", try await reader.texts("order"), routes, reader)
        for platform in platforms {
            let name = platform.rawValue + "Order"
            guard let texts = try await reader.texts(name) else { continue }
            policy.orders[platform] = try order(name, texts, routes, reader)
        }
        if values.textIfPresent("failover") == "whenNotApplied" {
            let patience = try await reader.number("patienceSeconds", in: 0...86_400) ?? 60
            policy.failover = .whenNotApplied(patience: .seconds(patience))
        }
        if let word = values.textIfPresent("preflight"), let preflight = RoutingPolicy.Preflight(rawValue: word) {
            policy.preflight = preflight
        }
        policy.circuit.failures = values.integerIfPresent("circuitFailures") ?? policy.circuit.failures
        if let pause = try await reader.number("circuitSeconds", in: 0...86_400) {
            policy.circuit.pause = .seconds(pause)
        }
        for route in routes {
            policy.platforms[route] = try await platforms(of: SettingsReader(config, scope: route.rawValue))
        }
        for name in try await reader.texts("migrations") ?? [] {
            policy.migrations.append(try await migration(name, config, routes))
        }
        return policy
    }

    private static func platforms(of reader: SettingsReader) async throws(PushError) -> Set<Platform>? {
        guard let texts = try await reader.texts("platforms") else { return nil }
        if let text = texts.first(where: { !platforms.contains(Platform($0)) }) {
            throw reader.wrong("platforms", "has \(Redaction.quoted(text))", "some of \(list(platforms))")
        }
        return Set(texts.map { Platform($0) })
    }

    /// Throws if a route's app is for other platforms than those that its section declares.
    static func check(
        _ declared: Set<Platform>?, _ route: RouteName, _ client: PushClient, _ config: ConfigReader
    ) throws(PushError) {
        guard let declared, let own = client.capabilities.platforms, !declared.isSubset(of: own) else { return }
        throw SettingsReader(config, scope: route.rawValue).wrong(
            "platforms", "is \(list(declared.sorted())), but the vendor's app is for \(list(own.sorted()))",
            "some of these, or leave it out")
    }

    private static func list(_ platforms: [Platform]) -> String { platforms.map(\.rawValue).joined(separator: ", ") }

    private static func order(
        _ name: String, _ texts: [String]?, _ routes: [RouteName], _ reader: SettingsReader
    ) throws(PushError) -> [RouteName] {
        let names = (texts ?? []).map { RouteName($0) }
        for route in names { try check(name, route, routes, reader) }
        return names
    }

    private static func check(
        _ name: String, _ route: RouteName, _ routes: [RouteName], _ reader: SettingsReader
    ) throws(PushError) {
        guard routes.contains(route) else {
            throw reader.wrong(
                name, "has the route \(Redaction.quoted(route.rawValue))",
                "one of \(routes.map(\.rawValue).joined(separator: ", "))")
        }
    }

    private static func migration(
        _ name: String, _ config: ConfigReader, _ routes: [RouteName]
    ) async throws(PushError) -> RouteMigration {
        let reader = SettingsReader(config.scoped(to: ConfigKey([section])), scope: name)
        let values = try await reader.settings(PushRouter.migrationSettings)
        let (from, to) = (RouteName(values.textIfPresent("from") ?? ""), RouteName(values.textIfPresent("to") ?? ""))
        try check("from", from, routes, reader)
        try check("to", to, routes, reader)
        let stage: RouteMigration.Stage
        switch values.textIfPresent("stage") {
        case "shadow": stage = .shadow(sample: try await reader.number("sample", in: 0...1) ?? 1)
        case "drain":
            guard let day = values.textIfPresent("since") else {
                throw reader.missing("\(reader.path("since")) (the day on which the drain began, such as 2026-11-23)")
            }
            let form = Date.ISO8601FormatStyle().year().month().day()
            // The parser accepts a day with anything behind it.
            guard let date = try? form.parse(day), form.format(date) == day else {
                throw reader.wrong("since", "is \(Redaction.quoted(day))", "a day such as 2026-11-23")
            }
            stage = .drain(since: date)
        default:
            guard let percent = try await reader.number("percent", in: 0...100) else {
                throw reader.missing("\(reader.path("percent")) (the stage percent needs it)")
            }
            stage = .percent(percent)
        }
        var migration = RouteMigration(name, from: from, to: to, stage)
        if let days = try await reader.number("keepsOldDays", in: 0...3_650) {
            migration.keepsOldFor = .seconds(days * 86_400)
        }
        return migration
    }

    // MARK: Names

    static func checkNames(in file: JSONValue, _ providers: [any ConfigurableProvider.Type]) throws(PushError) {
        guard case .object(let top) = file, case .array(let list)? = top["routes"] else {
            throw PushError(
                .misconfigured, "the settings of a router are a JSON object with the names of its \"routes\", a list")
        }
        for name in list.compactMap(\.stringValue) {
            guard case .object(var section)? = top[name] else {
                throw PushError(
                    .misconfigured, "the route \(Redaction.quoted(name)) needs an object with its vendor's settings")
            }
            for setting in PushRouter.routeSettings { section[setting.name] = nil }
            do throws(PushError) {
                try PushClient.checkNames(in: .object(section), providers: providers)
            } catch {
                var error = error
                error.message = "in \(Redaction.quoted(name)): " + error.message
                throw error
            }
        }
        guard let routing = top[section] else { return }
        guard case .object(let values) = routing else {
            throw PushError(.misconfigured, "the setting \(section) must be an object")
        }
        let migrations = values["migrations"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let known = PushRouter.settings.map(\.name) + platforms.map { $0.rawValue + "Order" }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if migrations.contains(name), case .object(let fields) = value {
                let names = PushRouter.migrationSettings.map(\.name)
                for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                    try PushClient.check("\(section).\(name).\(key)", value, isKnown: names.contains(key), names)
                }
            } else {
                try PushClient.check("\(section).\(name)", value, isKnown: known.contains(name), known)
            }
        }
    }
}
