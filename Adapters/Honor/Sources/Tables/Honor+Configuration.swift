public import PushAdapter

extension ServiceName {
    static let honor: ServiceName = "push"
    static let honorAccounts: ServiceName = "accounts"
}

extension Honor: ConfigurableProvider {
    /// One pair of hosts. Source: an article of the vendor's account, 2023-11-01, and public clients, 2024 to 2026.
    public static let dataCenters = DataCenterCatalog(
        DataCenter(
            "china", region: "CN",
            services: [
                .honor: "https://push-api.cloud.honor.com", .honorAccounts: "https://iam.developer.honor.com",
            ]))

    /// The meanings of the vendor's codes, and of those of its token service.
    public static var errorRows: [VendorErrorRow] { HonorErrors.rows }
    /// `appID`.
    public static let keySetting = "appID"

    /// The app, its secret, and answers to questions that the sources leave open.
    public static let settings: [ProviderSetting] = [
        .required("appID", "the App ID in the console"),
        .required("clientID", "the Client ID in the console, which is not the App ID"),
        .required("clientSecret", "the Client Secret beside it, not the App Secret", .secret),
        .defaultTitle,
        .optional("launcherClass", "the class of the app's start page, which the vendor demands with a badge"),
        .optional(
            "acceptsDuplicates", "whether a send whose response was lost may be repeated; default false", .flag),
        .optional(
            "trustsInference",
            "whether 503 means that nothing was sent, as this library infers; default true", .flag),
        .optional("requestsPerSecond", "the vendor's rate; default 3000", .integer(1...100_000)),
        .optional("countsDevices", "whether the rate counts devices instead of requests; default false", .flag),
        .dayOffsetHours,
        .optional(
            "timestampInSeconds", "whether the header field timestamp has seconds, not milliseconds; default false",
            .flag),
    ]

    /// Refuses with `misconfigured` a missing secret, and an App ID that does not fit into an address.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        try self.init(
            appID: settings.text("appID"), clientID: settings.text("clientID"),
            clientSecret: settings.secret("clientSecret"), dataCenter: dataCenter)
        apply(settings)
    }

    /// Not in the initializer, where a property's observers are silent.
    private mutating func apply(_ settings: ProviderSettings) {
        defaultTitle = settings.textIfPresent("defaultTitle")
        launcherClass = settings.textIfPresent("launcherClass")
        acceptsDuplicates = settings.flagIfPresent("acceptsDuplicates") ?? false
        trustsInference = settings.flagIfPresent("trustsInference") ?? true
        requestsPerSecond = settings.integerIfPresent("requestsPerSecond") ?? requestsPerSecond
        countsDevices = settings.flagIfPresent("countsDevices") ?? false
        timestampUnit = settings.flagIfPresent("timestampInSeconds") == true ? .seconds : .milliseconds
        day = settings.day
    }
}
