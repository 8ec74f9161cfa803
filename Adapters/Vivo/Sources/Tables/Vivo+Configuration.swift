public import PushAdapter
import PushWebhooks

extension ServiceName {
    static let vivo: ServiceName = "push"
}

extension Vivo: ConfigurableProvider {
    /// Mainland China only: vivo's phones elsewhere use FCM. Source: vivo's server SDK 3.3, 2024-04-25.
    public static let dataCenters = DataCenterCatalog(
        DataCenter("china", region: "CN", services: [.vivo: "https://api-push.vivo.com.cn"]))

    /// The meanings of the vendor's codes.
    public static var errorRows: [VendorErrorRow] { VivoErrors.rows }
    /// `appId`.
    public static let keySetting = "appId"

    /// The app, its secret, where receipts go, and answers to questions that the vendor's documents leave open.
    public static let settings: [ProviderSetting] =
        [
            .required("appId", "the id of the app in the console, a whole number"),
            .required("appKey", "the key of the app in the console"),
            .required("appSecret", "the secret of the app in the console", .secret),
            .defaultTitle,
        ] + ProviderSetting.callback(default: "the console's") + [
            .optional(
                "textMeasure",
                "how titles and texts are measured: units, of which a Chinese character has two, or characters; default "
                    + "units", .oneOf(TextMeasure.allCases.map(\.rawValue))),
            .optional(
                "isTest",
                "whether messages go only to the console's test devices, as for an app in review; default false",
                .flag),
            .optional(
                "requestsPerSecond", "the rate of the app by its number of devices; default 3000", .integer(1...100_000)
            ),
            .dayOffsetHours,
            .keyMemoryMinutes("the vendor remembers a request id"),
            .optional(
                "memberType",
                "the number for device ids in a change of a tag; no source says which of the two; default 1",
                .integer(1...2)),
        ]

    /// Refuses with `misconfigured` an id that is not a number, an empty key or secret, and a callback that is not
    /// complete.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        guard let appID = Int(try settings.text("appId")) else {
            throw PushError(.misconfigured, "appId is not a whole number; copy it from the vendor's console")
        }
        try self.init(
            appID: appID, appKey: settings.text("appKey"), appSecret: settings.secret("appSecret"),
            dataCenter: dataCenter)
        try apply(settings)
    }

    /// Not in the initializer, where a property's observers are silent.
    private mutating func apply(_ settings: ProviderSettings) throws(PushError) {
        defaultTitle = settings.textIfPresent("defaultTitle")
        if let (url, parameter) = try settings.callback() {
            callback = try VivoCallback(url, parameter: parameter)
        }
        textMeasure = settings.textIfPresent("textMeasure").flatMap(TextMeasure.init) ?? textMeasure
        isTest = settings.flagIfPresent("isTest") ?? isTest
        requestsPerSecond = settings.integerIfPresent("requestsPerSecond") ?? requestsPerSecond
        memberType = settings.integerIfPresent("memberType") ?? memberType
        day = settings.day
        settings.applyKeyMemory(to: &capabilities)
    }
}
