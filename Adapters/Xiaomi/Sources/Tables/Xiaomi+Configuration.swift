public import PushAdapter
import PushWebhooks

extension ServiceName {
    static let xiaomi: ServiceName = "push"
}

extension Xiaomi: ConfigurableProvider {
    /// Mainland China only: the service elsewhere ended on 2024-04-02. Source: Xiaomi, message push API, 2024-10-21.
    public static let dataCenters = DataCenterCatalog(
        DataCenter("china", region: "CN", services: [.xiaomi: "https://api.xmpush.xiaomi.com"]))

    /// The meanings of the vendor's codes.
    public static var errorRows: [VendorErrorRow] { XiaomiErrors.rows }
    /// `packageName`.
    public static let keySetting = "packageName"

    /// The app, its secret, where receipts go, and answers to questions that the vendor's documents leave open.
    public static let settings: [ProviderSetting] =
        [
            .required("packageName", "the package of the app, such as com.example.shop"),
            .required("appSecret", "the AppSecret of the app, from the console", .secret),
            .defaultTitle,
        ] + ProviderSetting.callback(default: "the console's") + [
            .optional(
                "callbackKinds", "the sum of the kinds of receipts; default 243: all but those of a time to live",
                .integer(1...1267)),
            .optional(
                "requestsPerSecond", "the rate of the app by its number of devices; default 500", .integer(1...100_000)),
            .keyMemoryMinutes("phones remember a job key"),
            .dayOffsetHours,
            .optional(
                "sendsPassThrough", "whether custom messages are sent, which the vendor is ending; default false", .flag
            ),
        ]

    /// Refuses with `misconfigured` a missing secret, a package name that is not one, and a callback that is not
    /// complete.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        try self.init(
            packageName: settings.text("packageName"), appSecret: settings.secret("appSecret"), dataCenter: dataCenter)
        try apply(settings)
    }

    /// Not in the initializer, where a property's observers are silent.
    private mutating func apply(_ settings: ProviderSettings) throws(PushError) {
        defaultTitle = settings.textIfPresent("defaultTitle")
        callback = try Self.callback(settings)
        requestsPerSecond = settings.integerIfPresent("requestsPerSecond") ?? requestsPerSecond
        sendsPassThrough = settings.flagIfPresent("sendsPassThrough") ?? false
        day = settings.day
        settings.applyKeyMemory(to: &capabilities)
    }

    private static func callback(_ settings: ProviderSettings) throws(PushError) -> XiaomiCallback? {
        let kinds = settings.integerIfPresent("callbackKinds")
        guard let (url, parameter) = try settings.callback() else {
            guard kinds == nil else { throw PushError(.misconfigured, "callbackKinds needs callback; set it") }
            return nil
        }
        return try XiaomiCallback(url, parameter: parameter, kinds: kinds ?? XiaomiCallback.defaultKinds)
    }
}
