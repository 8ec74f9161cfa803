import HuaweiDialect
public import PushAdapter

extension ServiceName {
    static let harmony: ServiceName = "push"
}

extension Harmony: ConfigurableProvider {
    /// One host; the vendor names no region. Source: Push Kit, introduction to scenario messages, 2026.
    public static let dataCenters = DataCenterCatalog(
        DataCenter("global", services: [.harmony: "https://push-api.cloud.huawei.com"]))

    /// The meanings of the vendor's codes, and of its reasons for refusing a token.
    public static var errorRows: [VendorErrorRow] { HarmonyErrors.rows }
    /// `clientID`.
    public static let keySetting = "clientID"

    /// The key of a service account, as text or as a file, and the app's data from the console.
    public static let settings: [ProviderSetting] =
        HuaweiServiceAccount.settings + [
            .optional("clientID", "the app's id for OAuth 2.0 in the console; only recalls need it")
        ] + HuaweiTables.settings

    /// Refuses with `misconfigured` a missing or unusable key.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        guard let account = try HuaweiServiceAccount(settings) else {
            throw PushError(.misconfigured, "set serviceAccount or serviceAccountFile")
        }
        try self.init(account, clientID: settings.textIfPresent("clientID"), dataCenter: dataCenter)
        defaultTitle = settings.textIfPresent("defaultTitle")
        trustsInference = settings.flagIfPresent("trustsInference") ?? true
        capabilities.quotas.merge(HuaweiTables.quota(settings.integerIfPresent("devicesPerSecond"))) { $1 }
    }
}
