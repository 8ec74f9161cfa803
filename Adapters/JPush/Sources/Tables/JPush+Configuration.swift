public import PushAdapter

extension JPush: ConfigurableProvider {
    /// The meanings of the vendor's codes, by family of its API.
    public static var errorRows: [VendorErrorRow] { JPushErrors.rows }

    /// Keys and secrets of the app and its group, and the vendor's time zone.
    public static let settings: [ProviderSetting] = [
        .required("appKey", "24 letters and digits, from the console"),
        .required("masterSecret", "24 letters and digits, from the console", .secret),
        .optional("groupKey", "the key of a group of apps, without the group- prefix"),
        .optional("groupMasterSecret", "the group's own master secret", .secret),
        .optional("clockOffsetHours", "how far the vendor's clock is ahead of UTC; default 8", .number(-14...14)),
    ]

    /// Refuses with `misconfigured` keys and secrets that are not 24 letters and digits.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        let group = try settings.textIfPresent("groupKey").map { (key) throws(PushError) in
            JPushGroup(key: key, masterSecret: try settings.secret("groupMasterSecret"))
        }
        try self.init(
            appKey: settings.text("appKey"), masterSecret: settings.secret("masterSecret"), group: group,
            dataCenter: dataCenter)
        if let hours = settings.numberIfPresent("clockOffsetHours") { clockOffset = .seconds(hours * 3600) }
    }
}
