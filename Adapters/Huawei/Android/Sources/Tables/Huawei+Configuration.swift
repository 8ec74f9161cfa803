import HuaweiDialect
public import PushAdapter

extension ServiceName {
    static let huawei: ServiceName = "push"
    static let huaweiOAuth: ServiceName = "oauth"
}

extension Huawei: ConfigurableProvider {
    /// One host for all sites; the console says where data lie. Source: HMS Core, downlink messages, 2025-08.
    public static let dataCenters = DataCenterCatalog(
        DataCenter(
            "global",
            services: [
                .huawei: "https://push-api.cloud.huawei.com",
                .huaweiOAuth: "https://oauth-login.cloud.huawei.com/oauth2/v3",
            ]))

    /// The meanings of the vendor's codes, and of those of its token service.
    public static var errorRows: [VendorErrorRow] { HuaweiRows.all }
    /// `clientID`.
    public static let keySetting = "clientID"

    /// The app's id, its secret or the key of a service account, and the app's data from the console.
    public static let settings: [ProviderSetting] =
        [
            .required("clientID", "the app's id for OAuth 2.0 in the console"),
            .optional("clientSecret", "the secret beside it; or give a service account", .secret),
        ] + HuaweiServiceAccount.settings + [
            .optional("projectID", "the project, to send through version 2 of the API; default: version 1"),
            .optional("launcherClass", "the class of the app's start page, which the vendor demands with a badge"),
            .optional(
                "acceptsDuplicates", "whether a send whose response was lost may be repeated; default false", .flag),
            .optional(
                "mostInvalid",
                "how many refused tokens of one send count as invalid; of more, all are suspect; default 10",
                .integer(0...1000)),
        ] + HuaweiTables.settings

    /// Refuses with `misconfigured` missing or several keys, and ids that do not fit into an address.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        let (id, project) = (try settings.text("clientID"), settings.textIfPresent("projectID"))
        switch (settings.secretIfPresent("clientSecret"), try HuaweiServiceAccount(settings)) {
        case (let secret?, nil):
            try self.init(clientID: id, clientSecret: secret, projectID: project, dataCenter: dataCenter)
        case (nil, let account?):
            try self.init(account, clientID: id, projectID: project, dataCenter: dataCenter)
        default:
            throw PushError(.misconfigured, "set one of clientSecret, serviceAccount and serviceAccountFile")
        }
        defaultTitle = settings.textIfPresent("defaultTitle")
        launcherClass = settings.textIfPresent("launcherClass")
        acceptsDuplicates = settings.flagIfPresent("acceptsDuplicates") ?? false
        mostInvalid = settings.integerIfPresent("mostInvalid") ?? mostInvalid
        trustsInference = settings.flagIfPresent("trustsInference") ?? true
        capabilities.quotas.merge(HuaweiTables.quota(settings.integerIfPresent("devicesPerSecond"))) { $1 }
    }
}
