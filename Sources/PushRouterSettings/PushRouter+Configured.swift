public import Configuration
public import PushAdapter
import PushBridge
public import PushClient
public import PushRouter

extension PushRouter {
    /// Makes a router, and the clients of its routes, from one configuration.
    ///
    /// ```json
    /// {
    ///     "routes": ["ios", "china"],
    ///     "ios": {
    ///         "vendor": "apns", "platforms": ["ios"],
    ///         "apns": {"keyFile": "...", "keyID": "...", "teamID": "...", "topic": "..."}
    ///     },
    ///     "china": {"vendor": "jpush", "jpush": {"appKey": "...", "masterSecret": "..."}},
    ///     "routing": {"order": ["ios", "china"], "failover": "whenNotApplied", "patienceSeconds": 60}
    /// }
    /// ```
    ///
    /// The section of a route is a whole configuration of a client, as `PushClient.configured(from:providers:)` reads
    /// it, with the route's `platforms`. ``settings``, ``routeSettings`` and ``migrationSettings`` list the names.
    /// Refuses missing and unusable settings with `misconfigured`, and then shuts down the clients that it has made.
    /// Sends nothing except the calls of a probe.
    /// - Parameters:
    ///   - config: values from the environment, from files, from memory.
    ///   - providers: every vendor that the configuration may name; add your own here.
    ///   - bindings: the store that knows how to reach each user.
    ///   - adjust: sets options that a file cannot set, for each client: layers, a ledger, a clock.
    public static func configured(
        from config: ConfigReader, providers: [any ConfigurableProvider.Type], bindings: any BindingStore,
        adjusting adjust: (RouteName, inout ClientConfiguration) -> Void = { _, _ in }
    ) async throws(PushError) -> PushRouter {
        let names = try await RoutingSettings.routes(config)
        let policy = try await RoutingSettings.policy(config, names)
        var clients: [RouteName: PushClient] = [:]
        do throws(PushError) {
            for name in names {
                let client = try await PushClient.configured(
                    from: config.scoped(to: ConfigKey([name.rawValue])), providers: providers
                ) { adjust(name, &$0) }
                clients[name] = client
                try RoutingSettings.check(policy.platforms[name], name, client, config)
            }
            return try PushRouter(routes: clients, bindings: bindings, policy: policy)
        } catch {
            for client in clients.values { await client.shutdown() }
            throw error
        }
    }

    /// The settings in the section `routing`, besides an order for each platform, such as `iosOrder`.
    public static let settings: [ProviderSetting] = [
        .optional("order", "routes, the best first", .texts),
        .optional(
            "failover", "whether a second route is tried; by default never", .oneOf(["never", "whenNotApplied"])),
        .optional(
            "patienceSeconds", "how long a throttled vendor is waited for; by default 60", RoutingSettings.seconds),
        .optional(
            "preflight", "what a send does if a vendor would refuse; by default allOrNothing",
            .oneOf(RoutingPolicy.Preflight.allCases.map(\.rawValue))),
        .optional(
            "circuitFailures", "requests in a row without an answer after which a route is passed over; by default 3",
            .integer(1...10_000)),
        .optional("circuitSeconds", "for how long; by default 30", RoutingSettings.seconds),
        .optional("migrations", "names of migrations, each with a section of its own in this one", .texts),
    ]

    /// The settings of a route, besides those of its client.
    public static let routeSettings: [ProviderSetting] = [
        .optional(
            "platforms",
            "the only platforms of its app: ios, android, harmony; broadcasts over several routes need them", .texts)
    ]

    /// The settings of a migration.
    public static let migrationSettings: [ProviderSetting] = [
        .required("from", "the route that loses installations"),
        .required("to", "the route that gets them"),
        .required("stage", "how far it is", .oneOf(["shadow", "percent", "drain"])),
        .optional("percent", "the share that moves, for the stage percent", .number(0...100)),
        .optional("sample", "the share that is asked about, for the stage shadow; by default 1", .number(0...1)),
        .optional("since", "the day on which the stage drain began, such as 2026-11-23; after a rollback, the new day"),
        .optional("keepsOldDays", "how long a drain keeps an old binding; by default 14", .number(0...3_650)),
    ]

    /// Refuses with `misconfigured` an unknown name in a settings file, as `PushClient.checkNames(in:providers:)` does for the
    /// section of each route.
    public static func checkNames(
        in file: JSONValue, providers: [any ConfigurableProvider.Type]
    ) throws(PushError) {
        try RoutingSettings.checkNames(in: file, providers)
    }
}
