public import PushAdapter

extension APNs: ConfigurableProvider {
    /// The meanings of the vendor's reasons.
    public static var errorRows: [VendorErrorRow] { APNsErrors.rows }
    /// `topic`.
    public static let keySetting = "topic"

    /// The app, and either the key (as text or as a file) with its ids, or a certificate of the connection.
    public static let settings: [ProviderSetting] = [
        .required("topic", "the bundle id of the app"),
        .optional("key", "the text of the team's key, a .p8 file", .secret),
        .optional("keyFile", "the path of that file, instead of the text"),
        .optional("keyID", "the id of the key: ten letters and digits; needed with a key"),
        .optional("teamID", "the id of the team: ten letters and digits; needed with a key"),
        .optional(
            "certificate",
            "whether the connection has a provider certificate (clientCertificateFile), in place of a key; default false",
            .flag),
        .optional(
            "environment", "where channels, broadcasts and the check of the credentials go; default production",
            .oneOf(["production", "development"])),
        .optional(
            "broadcastHost", "which hosts take broadcasts; default ordinary",
            .oneOf(BroadcastHost.allCases.map(\.rawValue))),
        .optional(
            "acceptsDuplicates", "whether a send whose response was lost may be repeated; default false", .flag),
    ]

    /// Refuses with `misconfigured` missing or several credentials, and a key or a topic that cannot be used.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        let (text, path) = (settings.secretIfPresent("key"), settings.textIfPresent("keyFile"))
        let hasCertificate = settings.flagIfPresent("certificate") ?? false
        guard [text != nil, path != nil, hasCertificate].count(where: { $0 }) == 1 else {
            throw PushError(.misconfigured, "set one of key, keyFile and certificate; they say who sends")
        }
        let topic = try settings.text("topic")
        if hasCertificate {
            try self.init(certificateFor: topic, dataCenter: dataCenter)
        } else {
            let (keyID, teamID) = (try settings.text("keyID"), try settings.text("teamID"))
            let key =
                if let path { try APNsKey(path: path, keyID: keyID, teamID: teamID) } else {
                    try APNsKey(pem: settings.secret("key"), keyID: keyID, teamID: teamID)
                }
            try self.init(key, topic: topic, dataCenter: dataCenter)
        }
        environment = settings.textIfPresent("environment").flatMap(AppEnvironment.init) ?? .production
        broadcastHost = settings.textIfPresent("broadcastHost").flatMap(BroadcastHost.init) ?? .ordinary
        acceptsDuplicates = settings.flagIfPresent("acceptsDuplicates") ?? false
    }
}
