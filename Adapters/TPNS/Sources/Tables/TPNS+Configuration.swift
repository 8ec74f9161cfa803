public import PushAdapter

extension TPNS: ConfigurableProvider {
    /// The meanings of the vendor's codes.
    public static var errorRows: [VendorErrorRow] { TPNSErrors.rows }

    /// The app's AccessId, key and platform, the authentication, and answers to questions that the vendor's documents
    /// leave open.
    public static let settings: [ProviderSetting] = [
        .required("accessId", "the AccessId of the app, from the console", .integer(1...Int(UInt32.max))),
        .required("secretKey", "the key for servers, from the console", .secret),
        .required("platform", "the platform that the app was created for", .oneOf(["android", "ios"])),
        .optional(
            "authentication", "how requests authenticate; default signature", .oneOf(["signature", "basic"])),
        .optional("appName", "the title of notifications that have none; the vendor requires a title"),
        .optional(
            "aliasAccountType", "the account type that stands for aliases; default none", .integer(0...Int(Int32.max))),
        .optional(
            "bindingOverwrites",
            "whether binding accounts removes accounts of other types from the device; default false", .flag),
        .optional("clockOffsetHours", "hours the vendor's clock is ahead of UTC; default 8", .number(-14...14)),
    ]

    /// `accessId`.
    public static var keySetting: String { "accessId" }

    /// Creates the adapter from settings.
    ///
    /// Refuses with `misconfigured` an empty secret key, any platform except iOS and Android, and a number that is not
    /// an AccessId.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        guard let accessID = UInt32(exactly: try settings.integer("accessId")) else {
            throw PushError(.misconfigured, "accessId is not a TPNS AccessId, which is a 32-bit number")
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
