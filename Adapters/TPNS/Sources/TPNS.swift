public import FoundationEssentials
public import PushCore

/// The adapter for Tencent TPNS (Mobile Push, formerly XG): server API v3.
///
/// ```swift
/// let tpns = try TPNS(accessID: 1600999001, secretKey: Secret(text), platform: .ios, appName: "Shop")
/// ```
///
/// One AccessId is one app on one platform at one access point: an app for iOS and Android is two of these, each with
/// its own client, and a message for both is sent through both. What a message says for the other platform is not for
/// this one; a message that names the other platform is refused.
///
/// Implements sending, tags without reading them, accounts, attributes and delivery counts; its other calls are
/// exchanges for `PushClient.run(_:)`.
public struct TPNS: PushProvider {
    /// `tpns`: a message keeps the vendor's options under it.
    public static let id: ProviderID = "tpns"

    /// How calls prove who is asking.
    public enum Authentication: Sendable, Hashable {
        /// A signature over each request, made anew for every attempt: what the vendor recommends. Uploads go with
        /// Basic, because nobody documents how to sign them.
        case signature
        /// HTTP Basic with the secret key on every call.
        case basic
    }

    /// Which of two commands sets attributes; the vendor's page tells no difference.
    public enum AttributeCommand: Int, Sendable, Hashable {
        /// `cmd` 1, which the page calls adding.
        case add = 1
        /// `cmd` 2, which the page calls updating.
        case update = 2
    }

    /// The number of the app.
    public let accessID: UInt32
    /// iOS or Android: the one platform of the app.
    public let platform: Platform
    /// The access point where the app lives: every call takes its address from here.
    public let dataCenter: DataCenter
    /// A signature for every attempt, or HTTP Basic.
    public let authorizer: any Authorizer
    /// The account type that stands for aliases; nil for none.
    public let aliasAccountType: Int?
    /// Whether binding accounts takes accounts of other types off the device, which the vendor does not say.
    public let bindingOverwrites: Bool
    /// What the app is called: the title of notifications without one, because the vendor demands a title.
    public var appName: String?
    /// The documented limits; change them where a contract says otherwise. `writeDelay` is how long an asynchronous write
    /// may take: two seconds, which is ours, because the vendor does not say.
    public var capabilities: Capabilities
    /// How far the vendor's clock is ahead of UTC, for ``vendorTime(of:)``: China's, which is inferred.
    public var clockOffset: Duration = .seconds(8 * 3600)
    /// Which command sets attributes.
    public var attributeCommand = AttributeCommand.add
    /// Lets ``recall(_:)`` through, which the vendor documents as not available.
    public var allowsRecall = false {
        didSet { if allowsRecall { capabilities.support[.tpnsRecall] = .native } }
    }
    /// Where a custom message's parts go in the payload of a silent push on iOS, which is one JSON object and has no
    /// fields for them: a convention between backend and app, not the vendor's.
    public var silentKeys = SilentKeys()

    /// Keys of a silent push's payload beside the message's own extras.
    public struct SilentKeys: Sendable, Hashable {
        /// For the content.
        public var content = "content"
        /// For the title, where there is one.
        public var title = "title"
        /// For the type of the content, where there is one.
        public var contentType = "content_type"

        /// `content`, `title` and `content_type`.
        public init() {}
    }

    /// Refuses with `misconfigured` an empty secret key and another platform than iOS and Android.
    /// - Parameters:
    ///   - accessID: from the console.
    ///   - secretKey: the key for servers, from the console; not the access key of the client SDK.
    ///   - platform: the one that the app was created for.
    ///   - dataCenter: the access point that the console names, from ``dataCenters``, or your own.
    ///   - authentication: how calls prove who is asking.
    ///   - appName: the title of notifications without one; without it those are refused.
    ///   - aliasAccountType: an account type, 0 to 16 for one of your own, that stands for aliases. An alias is then an account:
    ///     it can be set and sent to, for callers who accept the losses, and read and removed with a ledger only.
    ///   - bindingOverwrites: whether operator 2 takes accounts of other types off the device. The vendor does not say; its client
    ///     SDK's call does not. With true, accounts are replaced by one call, and cannot be added.
    public init(
        accessID: UInt32, secretKey: Secret, platform: Platform,
        dataCenter: DataCenter = TPNS.dataCenters.standard, authentication: Authentication = .signature,
        appName: String? = nil, aliasAccountType: Int? = nil, bindingOverwrites: Bool = false
    ) throws(PushError) {
        guard [.ios, .android].contains(platform) else {
            throw PushError(
                .misconfigured,
                "a TPNS app is for ios or android, not for \(Redaction.quoted(platform.rawValue)); say which")
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

    /// `tpns`, as of the type.
    public var id: ProviderID { Self.id }

    /// The calls of the model that the vendor has.
    public var roles: Roles {
        var roles = Roles()
        roles.send = send
        roles.probe = probe
        roles.readDeliveries = readDeliveries
        roles.tags.add = addTags
        roles.tags.remove = removeTags
        roles.tags.replace = replaceTags
        roles.tags.clear = clearTags
        roles.accounts.read = readAccounts
        roles.accounts.devices = readDevices
        // One call of the vendor's binds; no page says whether it adds or replaces.
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

    /// A moment on the vendor's clock, `2026-12-01 09:30:00`, as `sendTime` of the options and loops have it.
    ///
    /// Refuses with `invalidArgument` a year that does not have four digits, with `misconfigured` a ``clockOffset``
    /// that no zone has.
    public func vendorTime(of date: Date) throws(PushError) -> String {
        try WallClock(clockOffset).text(date)
    }
}

extension TPNS {
    /// An exchange of a call whose path begins with `/v3`; every call is a POST.
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
