public import PushAdapter

extension EngageLab: ConfigurableProvider {
    /// The meanings of the vendor's codes.
    public static var errorRows: [VendorErrorRow] { EngageLabErrors.rows }

    /// Keys and secrets of the app and its group, the app's time zone, and answers to questions that the vendor's
    /// documents leave open.
    public static let settings: [ProviderSetting] = [
        .required("appKey", "from the console; a live app and its test mode have different ones"),
        .required("masterSecret", "from the console, of the same mode", .secret),
        .optional("groupKey", "the key of a group of apps, without the group- prefix"),
        .optional("groupMasterSecret", "the group's own master secret", .secret),
        .optional(
            "clockOffsetHours", "how far the app's time zone is ahead of UTC; schedules need it", .number(-14...14)),
        .optional(
            "updatesNeedActivityAudience",
            "whether updates of a Live Activity go to its own audience only; default true", .flag),
        .optional("deletesVoicesByQuery", "whether to delete a voice by query; default false", .flag),
    ]

    /// Refuses with `misconfigured` an empty key or secret, and one that cannot be sent.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        let group = try settings.textIfPresent("groupKey").map { (key) throws(PushError) in
            EngageLabGroup(key: key, masterSecret: try settings.secret("groupMasterSecret"))
        }
        try self.init(
            appKey: settings.text("appKey"), masterSecret: settings.secret("masterSecret"), group: group,
            dataCenter: dataCenter)
        clockOffset = settings.numberIfPresent("clockOffsetHours").map { .seconds($0 * 3600) }
        if let flag = settings.flagIfPresent("updatesNeedActivityAudience") { updatesNeedActivityAudience = flag }
        if let flag = settings.flagIfPresent("deletesVoicesByQuery") { deletesVoicesByQuery = flag }
    }
}
