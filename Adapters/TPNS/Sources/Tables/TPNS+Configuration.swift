public import PushCore

extension TPNS: ConfigurableProvider {
    /// What the vendor's codes mean.
    public static var errorRows: [VendorErrorRow] { TPNSErrors.rows }

    /// Number, key and platform of the app, how calls are signed, and what the vendor's documents leave open.
    public static let settings: [ProviderSetting] = [
        .required("accessId", "the number of the app, from the console", .integer(1...Int(UInt32.max))),
        .required("secretKey", "the key for servers, from the console", .secret),
        .required("platform", "the one that the app was created for", .oneOf(["android", "ios"])),
        .optional(
            "authentication", "how calls prove who is asking; signature without it", .oneOf(["signature", "basic"])),
        .optional("appName", "the title of notifications without one, because the vendor demands a title"),
        .optional(
            "aliasAccountType", "an account type that stands for aliases; none without it", .integer(0...Int(Int32.max))
        ),
        .optional(
            "bindingOverwrites",
            "whether binding accounts takes accounts of other types off the device; false without it", .flag),
        .optional("clockOffsetHours", "how far the vendor's clock is ahead of UTC; 8 without it", .number(-14...14)),
    ]

    /// `accessId`.
    public static var keySetting: String { "accessId" }

    /// Refuses with `misconfigured` an empty secret key, another platform than iOS and Android, and a number that is no
    /// AccessId.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        guard let accessID = UInt32(exactly: try settings.integer("accessId")) else {
            throw PushError(.misconfigured, "accessId is no AccessId of TPNS, which has 32 bits")
        }
        try self.init(
            accessID: accessID, secretKey: settings.secret("secretKey"), platform: Platform(settings.text("platform")),
            dataCenter: dataCenter,
            authentication: settings.textIfPresent("authentication") == "basic" ? .basic : .signature,
            appName: settings.textIfPresent("appName"),
            aliasAccountType: settings.integerIfPresent("aliasAccountType"),
            bindingOverwrites: settings.flagIfPresent("bindingOverwrites") ?? false)
        if let hours = settings.numberIfPresent("clockOffsetHours") { clockOffset = .seconds(hours * 3600) }
    }
}
