public import PushAdapter

extension FCM: ConfigurableProvider {
    /// The meanings of the vendor's codes.
    public static var errorRows: [VendorErrorRow] { FCMErrors.rows }
    /// `projectID`.
    public static let keySetting = "projectID"

    /// The key of a service account (as text, as a file, or none on a machine in Google Cloud), and the kind of device
    /// ids.
    public static let settings: [ProviderSetting] = [
        .optional("serviceAccount", "the JSON text of a service account's key", .secret),
        .optional("serviceAccountFile", "the path of that JSON, instead of the text"),
        .optional(
            "keyless", "whether the metadata server of this machine gives the tokens, instead of a key; default false",
            .flag),
        .optional("projectID", "the project of the app; default: the account's own. Keyless needs it"),
        .optional(
            "deviceIDs", "what device ids are; default tokens", .oneOf(DeviceIDs.allCases.map(\.rawValue))),
        .optional("topicPrefix", "what the topics of this backend start with; default: nothing"),
        .optional(
            "topicAPI", "the calls that change tags; default subscriptions. instanceID ends on 2027-09-29",
            .oneOf(TopicAPI.allCases.map(\.rawValue))),
        .optional(
            "acceptsDuplicates", "whether a send whose response was lost may be repeated; default false", .flag),
    ]

    /// Refuses with `misconfigured` missing or several keys, an unusable key, and an impossible project.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        let (text, path) = (settings.secretIfPresent("serviceAccount"), settings.textIfPresent("serviceAccountFile"))
        let isKeyless = settings.flagIfPresent("keyless") ?? false
        guard [text != nil, path != nil, isKeyless].count(where: { $0 }) == 1 else {
            throw PushError(
                .misconfigured, "set one of serviceAccount, serviceAccountFile and keyless; they say how to get tokens")
        }
        let ids = settings.textIfPresent("deviceIDs").flatMap(DeviceIDs.init) ?? .tokens
        let topicAPI = settings.textIfPresent("topicAPI").flatMap(TopicAPI.init) ?? .subscriptions
        let prefix = settings.textIfPresent("topicPrefix") ?? ""
        if isKeyless {
            try self.init(
                keylessIn: settings.text("projectID"), dataCenter: dataCenter, deviceIDs: ids, topicPrefix: prefix,
                topicAPI: topicAPI)
        } else {
            let account =
                if let path { try ServiceAccount(path: path) } else {
                    try ServiceAccount(json: settings.secret("serviceAccount"))
                }
            try self.init(
                account, projectID: settings.textIfPresent("projectID"), dataCenter: dataCenter, deviceIDs: ids,
                topicPrefix: prefix, topicAPI: topicAPI)
        }
        acceptsDuplicates = settings.flagIfPresent("acceptsDuplicates") ?? false
    }
}
