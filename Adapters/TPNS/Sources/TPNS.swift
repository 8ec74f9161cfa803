public import FoundationEssentials
public import PushAdapter

/// The adapter for Tencent TPNS (Mobile Push, formerly XG): server API v3.
///
/// ```swift
/// let tpns = try TPNS(accessID: 1600999001, secretKey: Secret(text), platform: .ios, appName: "Shop")
/// ```
///
/// One AccessId is one app on one platform at one access point. An app for iOS and Android needs two adapters, each
/// with its own client; send a message for both platforms through both. The adapter ignores a message's fields for the
/// other platform, and refuses a message that names the other platform.
///
/// Implements sending, changing tags (not reading them), accounts, attributes and delivery counts. The vendor's other
/// calls are exchanges for `PushClient.run(_:)`.
public struct TPNS: PushProvider {
    /// `tpns`, the key of the vendor's options in a message.
    public static let id: ProviderID = "tpns"

    /// The authentication of requests.
    public enum Authentication: Sendable, Hashable {
        /// A signature over each request, new for every attempt, as the vendor recommends. Uploads use HTTP Basic,
        /// because the vendor does not document how to sign them.
        case signature
        /// HTTP Basic with the secret key on every request.
        case basic
    }

    /// The command that sets attributes. The vendor's page states no difference.
    public enum AttributeCommand: Int, Sendable, Hashable {
        /// `cmd` 1. The page calls it adding.
        case add = 1
        /// `cmd` 2. The page calls it updating.
        case update = 2
    }

    /// The AccessId of the app.
    public let accessID: UInt32
    /// The app's platform, iOS or Android.
    public let platform: Platform
    /// The access point of the app. Every request goes to it.
    public let dataCenter: DataCenter
    /// A signature for every attempt, or HTTP Basic.
    public let authorizer: any Authorizer
    /// The account type that stands for aliases; nil for none.
    public private(set) var aliasAccountType: Int?
    /// Whether binding accounts removes the device's accounts of other types. The vendor does not say.
    public let bindingOverwrites: Bool
    /// The app's name. It becomes the title of notifications without one, because the vendor requires a title.
    public var appName: String?
    /// The documented limits. Change them if your contract differs. `writeDelay` is the assumed duration of an
    /// asynchronous write: two seconds, because the vendor does not document it.
    public var capabilities: Capabilities
    /// How far the vendor's clock is ahead of UTC, for ``vendorTime(of:)``. China's offset is inferred.
    public var clockOffset: Duration = .seconds(8 * 3600)
    /// The command that sets attributes.
    public var attributeCommand = AttributeCommand.add
    /// Allows ``recall(_:)``, which the vendor documents as not available.
    public var allowsRecall = false {
        didSet { if allowsRecall { capabilities.support[.tpnsRecall] = .native } }
    }
    /// The keys for the parts of a custom message in a silent push on iOS. Its payload is one JSON object without
    /// fields for them. The keys are a convention between your backend and your app, not the vendor's.
    public var silentKeys = SilentKeys()

    /// Keys in the payload of a silent push, next to the message's extras.
    public struct SilentKeys: Sendable, Hashable {
        /// The key of the content.
        public var content = "content"
        /// The key of the title, if the message has one.
        public var title = "title"
        /// The key of the content type, if the message has one.
        public var contentType = "content_type"

        /// `content`, `title` and `content_type`.
        public init() {}
    }

    /// Creates the adapter for one app.
    ///
    /// Refuses with `misconfigured` an empty secret key, and any platform except iOS and Android.
    /// - Parameters:
    ///   - accessID: from the console.
    ///   - secretKey: the key for servers, from the console; not the access key of the client SDK.
    ///   - platform: the platform that the app was created for.
    ///   - dataCenter: the access point named by the console, from ``dataCenters``, or your own.
    ///   - authentication: the authentication of requests.
    ///   - appName: the title of notifications without one. If nil, they are refused.
    ///   - aliasAccountType: the account type that stands for aliases; 0 to 16 are types of your own. An alias is then
    ///     an account. Callers that accept the losses can set an alias and send to it; reading and removing it needs a
    ///     ledger.
    ///   - bindingOverwrites: whether operator 2 removes the device's accounts of other types. The vendor does not say;
    ///     its client SDK's call does not remove them. If true, one call replaces accounts, and accounts cannot be
    ///     added.
    public init(
        accessID: UInt32, secretKey: Secret, platform: Platform,
        dataCenter: DataCenter = TPNS.dataCenters.standard, authentication: Authentication = .signature,
        appName: String? = nil, aliasAccountType: Int? = nil, bindingOverwrites: Bool = false
    ) throws(PushError) {
        guard [.ios, .android].contains(platform) else {
            throw PushError(
                .misconfigured,
                "a TPNS app is for ios or android, not for \(Redaction.quoted(platform.rawValue)); set its platform")
        }
        self.accessID = accessID
        self.platform = platform
        self.dataCenter = dataCenter
        self.appName = appName
        self.aliasAccountType = aliasAccountType
        self.bindingOverwrites = bindingOverwrites
        authorizer = try TPNSAuthorizer(accessID: accessID, secretKey: secretKey, authentication)
        capabilities = TPNSLimits.capabilities(
            of: platform, aliasAccountType: aliasAccountType, bindingOverwrites: bindingOverwrites)
        capabilities.declare(roles)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.send = encode
        roles.remarks = { MakerWords.remarks(on: $0, capabilities, channels: [.xiaomi, .oppo]) }
        roles.probe = probe
        roles.readDeliveries = readDeliveries
        roles.tags.add = addTags
        roles.tags.remove = removeTags
        roles.tags.replace = replaceTags
        roles.tags.clear = clearTags
        roles.tags.changeMembers = changeMembers
        roles.accounts.read = readAccounts
        roles.accounts.devices = readDevices
        // The vendor has one call to bind accounts. No page says whether it adds or replaces.
        roles.accounts.add = bindingOverwrites ? nil : bindAccounts
        roles.accounts.replace = bindingOverwrites ? replaceAccounts : nil
        roles.accounts.remove = unbindAccounts
        roles.accounts.clear = clearAccounts
        roles.attributes.read = readAttributes
        roles.attributes.add = setAttributes
        roles.attributes.remove = removeAttributes
        roles.attributes.clear = clearAttributes
        return roles
    }

    /// Formats a date in the vendor's time, `2026-12-01 09:30:00`, for `sendTime` and loops in the options.
    ///
    /// Refuses a year that does not have four digits (`invalidArgument`) and a ``clockOffset`` that no time zone has
    /// (`misconfigured`).
    public func vendorTime(of date: Date) throws(PushError) -> String {
        try WallClock(clockOffset).text(date)
    }
}

extension TPNS {
    /// Creates an exchange for a path under `/v3`. Every call is a POST.
    func call<Output>(
        _ operation: Feature, _ path: [PathSegment], _ body: WireBody, _ idempotency: Idempotency = .idempotent,
        from bucket: QuotaBucket? = nil, of device: DeviceID? = nil, checking inputs: [Input] = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        Exchange(
            operation, WireRequest(.post, .tpns, path: path, body: body),
            inputs: inputs + (device.map { [.devices([$0])] } ?? []), idempotency: idempotency,
            charges: bucket.map { [QuotaCharge($0)] } ?? [], subject: device.map(Subject.device), decode: decode)
    }

    /// A body with one object.
    func object(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) -> WireBody {
        .json(try JSONWriter.bytes { (json) throws(PushError) in try json.object(body) })
    }
}

extension TPNS: AccountStandIns {
    /// A copy of the adapter with an account type that stands for aliases; 0 to 16 are types of your own.
    public func standingForAliases(accountType: Int) -> TPNS {
        var copy = self
        let own = TPNSLimits.capabilities(
            of: platform, aliasAccountType: accountType, bindingOverwrites: bindingOverwrites)
        copy.aliasAccountType = accountType
        copy.capabilities.aliasAccountType = accountType
        copy.capabilities.aliasSharing = own.aliasSharing
        copy.capabilities.support[.audienceAliases] = own.support[.audienceAliases]
        return copy
    }
}
