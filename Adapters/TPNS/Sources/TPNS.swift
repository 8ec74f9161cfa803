public import FoundationEssentials
public import PushAdapter

/// The adapter for Tencent TPNS (Mobile Push, formerly XG): server API v3.
///
/// ```swift
/// let tpns = try TPNS(accessID: 1600999001, secretKey: Secret(text), platform: .ios, appName: "Shop")
/// ```
///
/// One AccessId is one app on one platform at one access point. An app for iOS and Android needs two of these, each
/// with its own client; send a message for both through both. The adapter ignores a message's fields for the other
/// platform, and refuses a message that names the other platform.
///
/// Implements sending, changing tags (not reading them), accounts, attributes and delivery counts. Its other calls are
/// exchanges for `PushClient.run(_:)`.
public struct TPNS: PushProvider {
    /// `tpns`, the key of the vendor's options in a message.
    public static let id: ProviderID = "tpns"

    /// How requests authenticate.
    public enum Authentication: Sendable, Hashable {
        /// A signature over each request, new for every attempt, as the vendor recommends. Uploads use HTTP Basic,
        /// because how to sign them is undocumented.
        case signature
        /// HTTP Basic with the secret key on every request.
        case basic
    }

    /// Which of two commands sets attributes; the vendor's page states no difference.
    public enum AttributeCommand: Int, Sendable, Hashable {
        /// `cmd` 1, which the page calls adding.
        case add = 1
        /// `cmd` 2, which the page calls updating.
        case update = 2
    }

    /// The AccessId of the app.
    public let accessID: UInt32
    /// The app's platform, iOS or Android.
    public let platform: Platform
    /// The access point where the app lives; every request goes to it.
    public let dataCenter: DataCenter
    /// A signature for every attempt, or HTTP Basic.
    public let authorizer: any Authorizer
    /// The account type that stands for aliases; nil for none.
    public private(set) var aliasAccountType: Int?
    /// Whether binding accounts removes accounts of other types from the device. The vendor does not say.
    public let bindingOverwrites: Bool
    /// The app's name: the title of notifications that have none, because the vendor requires one.
    public var appName: String?
    /// The documented limits; change them if your contract differs. `writeDelay` is how long an asynchronous write may
    /// take: two seconds, our assumption, because the vendor does not say.
    public var capabilities: Capabilities
    /// How far the vendor's clock is ahead of UTC, for ``vendorTime(of:)``. That it is China's is inferred.
    public var clockOffset: Duration = .seconds(8 * 3600)
    /// Which command sets attributes.
    public var attributeCommand = AttributeCommand.add
    /// Allows ``recall(_:)``, which the vendor documents as not available.
    public var allowsRecall = false {
        didSet { if allowsRecall { capabilities.support[.tpnsRecall] = .native } }
    }
    /// The keys for a custom message's parts in a silent push on iOS, whose payload is one JSON object without fields
    /// for them. They are a convention between your backend and your app, not the vendor's.
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
    /// Refuses with `misconfigured` an empty secret key and any platform but iOS and Android.
    /// - Parameters:
    ///   - accessID: from the console.
    ///   - secretKey: the key for servers, from the console; not the access key of the client SDK.
    ///   - platform: the platform that the app was created for.
    ///   - dataCenter: the access point that the console names, from ``dataCenters``, or your own.
    ///   - authentication: how requests authenticate.
    ///   - appName: the title of notifications that have none; if nil, those are refused.
    ///   - aliasAccountType: the account type that stands for aliases; 0 to 16 are types of your own. An alias is then
    ///     an account: callers who accept the losses can set it and send to it; reading and removing it needs a ledger.
    ///   - bindingOverwrites: whether operator 2 removes accounts of other types from the device. The vendor does not
    ///     say; the call of its client SDK does not. If true, one call replaces accounts, and they cannot be added.
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

    /// `tpns`, as for the type.
    public var id: ProviderID { Self.id }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.send = { (message, audience, context) throws(PushError) in
            try send(message, to: audience, key: context.key)
        }
        roles.probe = probe
        roles.readDeliveries = readDeliveries
        roles.tags.add = addTags
        roles.tags.remove = removeTags
        roles.tags.replace = replaceTags
        roles.tags.clear = clearTags
        roles.tags.changeMembers = changeMembers
        roles.accounts.read = readAccounts
        roles.accounts.devices = readDevices
        // The vendor has one call to bind accounts; no page says whether it adds or replaces.
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

    /// Formats a date in the vendor's time, `2026-12-01 09:30:00`, as `sendTime` and loops of the options take it.
    ///
    /// Refuses a year that does not have four digits (`invalidArgument`) and a ``clockOffset`` that no time zone has
    /// (`misconfigured`).
    public func vendorTime(of date: Date) throws(PushError) -> String {
        try WallClock(clockOffset).text(date)
    }
}

extension TPNS {
    /// Makes an exchange for a path under `/v3`; every call is a POST.
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

    /// A body that is one object.
    func object(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) -> WireBody {
        .json(try JSONWriter.bytes { (json) throws(PushError) in try json.object(body) })
    }
}

extension TPNS: AccountStandIns {
    /// The same app, with an account type that stands for aliases; 0 to 16 are types of your own.
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
