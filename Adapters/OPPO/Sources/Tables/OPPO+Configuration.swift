public import PushAdapter
import PushWebhooks

extension ServiceName {
    /// Sends and access tokens.
    static let oppo: ServiceName = "push"
    /// Aliases and tags, in China only.
    static let oppoDevices: ServiceName = "device"
    /// The day's quota, in China only.
    static let oppoFeedback: ServiceName = "feedback"
}

extension OPPO: ConfigurableProvider {
    /// Mainland China, and everywhere else. Source: OPPO, authentication and unicast, 2023.
    public static let dataCenters = DataCenterCatalog(
        DataCenter(
            "china", region: "CN",
            services: [
                .oppo: "https://api.push.oppomobile.com/server/v1",
                .oppoDevices: "https://api-device.push.heytapmobi.com/server/v1",
                .oppoFeedback: "https://feedback.push.oppomobile.com/server/v1",
            ]),
        and: [DataCenter("international", services: [.oppo: "https://api-intl.push.oppomobile.com/server/v1"])])

    /// The meanings of the vendor's codes.
    public static var errorRows: [VendorErrorRow] { OPPOErrors.rows }

    /// The app, its secret, where receipts go, and answers to questions that the vendor's documents leave open.
    public static let settings: [ProviderSetting] =
        [
            .required("appKey", "the AppKey of the app, from the console"),
            .required("masterSecret", "the MasterSecret beside it, not the AppSecret", .secret),
            .defaultTitle,
        ] + ProviderSetting.callback(default: "none") + [
            .optional(
                "targetsPerSecond", "the rate of the app by its number of users; default 5000", .integer(1...1_000_000)),
            .keyMemoryMinutes("the vendor remembers the id of a message"),
            .dayOffsetHours,
            .optional(
                "trustsDuplicates", "whether the code 32 says that the message was sent before; default false", .flag),
            .optional(
                "templateValues", "the form of a template's values, which sources give differently; default text",
                .oneOf(["text", "object"])),
        ]

    /// Refuses with `misconfigured` a missing secret, a key that is not one, and a callback that is not complete.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        try self.init(
            appKey: settings.text("appKey"), masterSecret: settings.secret("masterSecret"), dataCenter: dataCenter)
        try apply(settings)
    }

    /// Not in the initializer, where a property's observers are silent.
    private mutating func apply(_ settings: ProviderSettings) throws(PushError) {
        defaultTitle = settings.textIfPresent("defaultTitle")
        if let (url, parameter) = try settings.callback() {
            callback = try OPPOCallback(url, parameter: parameter)
        }
        targetsPerSecond = settings.integerIfPresent("targetsPerSecond") ?? targetsPerSecond
        trustsDuplicates = settings.flagIfPresent("trustsDuplicates") ?? false
        writesTemplateObjects = settings.textIfPresent("templateValues") == "object"
        day = settings.day
        settings.applyKeyMemory(to: &capabilities)
    }
}
