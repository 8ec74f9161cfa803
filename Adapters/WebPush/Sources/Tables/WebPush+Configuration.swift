public import PushAdapter

extension ServiceName {
    static let webPush: ServiceName = "push"
}

extension WebPush: ConfigurableProvider {
    /// One, of which the address is never used: each subscription brings its own. See ``dataCenter`` for another.
    public static let dataCenters = DataCenterCatalog(
        DataCenter("browsers", services: [.webPush: "https://push.invalid"]))

    /// The meanings of the services' codes and texts.
    public static var errorRows: [VendorErrorRow] { WebPushErrors.rows }
    /// `subject`.
    public static let keySetting = "subject"

    /// The server's key, who sends, the allowed hosts, and the defaults of messages.
    public static let settings: [ProviderSetting] = [
        .required("subject", "the contact of the sender: mailto:push@example.com, or an https address"),
        .optional("key", "the server's private key: 32 bytes as base64, or PEM", .secret),
        .optional("keyFile", "the path of a file with it, instead of the text"),
        .optional("publicKey", "its public half, only to compare"),
        .optional("olderKeyFiles", "the files of keys that older subscriptions were made with", .texts),
        .optional(
            "hosts", "further push services, such as push.example, .push.example or push.example=mozilla", .texts),
        .optional(
            "privateHosts", "the same for hosts of yours: also http, any port, and private addresses", .texts),
        .optional(
            "anyPublicHost", "whether subscriptions may be at any public host, for UnifiedPush; default false", .flag),
        .optional(
            "format", "the JSON of a message; default declarative", .oneOf(Format.allCases.map(\.rawValue))),
        .optional("defaultTitle", "the title of notifications that have none"),
        .optional("defaultNavigate", "the address that a tap opens, if the message names none"),
        .optional(
            "defaultLife", "seconds for which a service keeps a message without a time to live; default 86400",
            .integer(0...Int(Int32.max))),
        .optional(
            "paddingBlock", "messages are padded to a multiple of this many bytes; default 0, for none",
            .integer(0...3993)),
        .optional(
            "keepsLocations", "whether message ids are addresses, which a recall needs; default false", .flag),
        .optional(
            "acceptsDuplicates", "whether a send whose response was lost may be repeated; default false", .flag),
        .optional(
            "grace", "seconds for which a new subscription does not count as dead; default 60", .integer(0...86_400)),
    ]

    /// Refuses with `misconfigured` missing or several keys, a key that cannot be used, and a subject that Apple would
    /// not accept.
    public init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError) {
        let older = try (settings.textsIfPresent("olderKeyFiles") ?? []).map { (path) throws(PushError) in
            try WebPushKey(path: path)
        }
        try self.init(
            Self.key(settings), olderKeys: older, subject: settings.text("subject"), dataCenter: dataCenter)
        let own = try (settings.textsIfPresent("privateHosts") ?? []).map { (row) throws(PushError) in
            try Service(row: row, isPrivate: true)
        }
        let others = try (settings.textsIfPresent("hosts") ?? []).map { (row) throws(PushError) in
            try Service(row: row, isPrivate: false)
        }
        services = own + others + Service.known
        allowsAnyPublicHost = settings.flagIfPresent("anyPublicHost") ?? false
        format = settings.textIfPresent("format").flatMap(Format.init) ?? .declarative
        defaultTitle = settings.textIfPresent("defaultTitle")
        defaultNavigate = settings.textIfPresent("defaultNavigate")
        if let defaultNavigate, !WebPushOptions.isAddress(defaultNavigate) {
            throw PushError(.misconfigured, "defaultNavigate is no absolute https: or http: address; correct it")
        }
        defaultLife = settings.integerIfPresent("defaultLife").map { .seconds($0) } ?? defaultLife
        paddingBlock = settings.integerIfPresent("paddingBlock") ?? 0
        keepsLocations = settings.flagIfPresent("keepsLocations") ?? false
        acceptsDuplicates = settings.flagIfPresent("acceptsDuplicates") ?? false
        grace = settings.integerIfPresent("grace").map { .seconds($0) } ?? grace
    }

    private static func key(_ settings: ProviderSettings) throws(PushError) -> WebPushKey {
        let publicKey = settings.textIfPresent("publicKey")
        switch (settings.secretIfPresent("key"), settings.textIfPresent("keyFile")) {
        case (let text?, nil): return try WebPushKey(text, publicKey: publicKey)
        case (nil, let path?): return try WebPushKey(path: path, publicKey: publicKey)
        default: throw PushError(.misconfigured, "set one of key and keyFile; it identifies the server")
        }
    }
}

extension WebPush.Service {
    /// `push.example`, or `push.example=mozilla` for a host that behaves as a known service.
    fileprivate init(row: String, isPrivate: Bool) throws(PushError) {
        let parts = row.split(separator: "=", omittingEmptySubsequences: false)
        let known = parts.count == 2 ? Self.known.first { $0.name == parts[1] } : nil
        guard let host = parts.first, parts.count == 1 || known != nil, Self.isHost(host) else {
            throw PushError(
                .misconfigured,
                "the host \(Redaction.quoted(row)) is not in the form push.example or push.example=mozilla; the "
                    + "services are \(Self.known.map(\.name).joined(separator: ", "))")
        }
        self.init(known?.name ?? String(host), hosts: [String(host)], as: known, isPrivate: isPrivate)
    }

    /// Whether an endpoint may be at the host: one with a port or an asterisk would fit none.
    private static func isHost(_ text: Substring) -> Bool {
        let name = String(text.first == "." ? text.dropFirst() : text)
        let isIPv6 = name.count { $0 == ":" } > 1
        let origin = try? PlainOrigin(of: "https://" + (isIPv6 ? "[\(name)]" : name))
        return name == name.lowercased() && origin?.host == name
    }
}
