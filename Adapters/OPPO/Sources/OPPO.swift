import FoundationEssentials
public import PushAdapter
import PushWebhooks

/// The adapter for OPPO PUSH, which also reaches phones of OnePlus and realme.
///
/// ```swift
/// var oppo = try OPPO(appKey: "8899aa77bb", masterSecret: Secret(text))
/// oppo.defaultTitle = "Shop"
/// let client = PushClient(oppo, transport: try CurlTransport())
/// ```
///
/// Phones in mainland China and phones abroad have hosts of their own, so a backend with both has two adapters. Ask
/// ``region(of:)`` when you bind a device. The adapter refuses a device of the other region before it sends anything.
///
/// A request has up to 1,000 devices or aliases. The vendor sends to tags and to everyone in two requests, which the
/// library has no call for. A class becomes the vendor's category; without one, a notification counts as marketing. The
/// vendor reports most devices that are gone by receipts only: see ``OPPOReceipts``.
public struct OPPO: PushProvider {
    /// `oppo`, the key of the vendor's options in a message.
    public static let id: ProviderID = "oppo"

    /// The app's key in the console.
    public let appKey: String
    /// The vendor's hosts for one region, or your own data center.
    public let dataCenter: DataCenter
    /// Adds an access token to every request.
    public let authorizer: any Authorizer = OPPOAuthorizer()
    /// The documented limits.
    public var capabilities: Capabilities
    /// The region whose devices the adapter takes: that of the data center's name, or else China.
    public var region: Region
    /// The title of notifications that have none, such as the app's name. The vendor demands a title.
    public var defaultTitle: String?
    /// Where the vendor sends receipts of messages to devices; nil for none.
    public var callback: OPPOCallback?
    /// The address and the parameter of receipts.
    public var sentSecrets: [Secret] { callback?.address.secrets ?? [] }
    /// Devices and aliases a second, from the app's number of users: 5,000 below 10 million, up to 30,000 from 100
    /// million.
    public var targetsPerSecond = OPPOLimits.targetsPerSecond { didSet { updateQuotas() } }
    /// The days by which the vendor counts an app's messages. No source names the time zone.
    public var day = CalendarDay.china { didSet { updateQuotas() } }
    /// Whether the code 32, *duplicate data*, says that an earlier request sent a message with a key. Then it counts as
    /// accepted. No source says so; by default the outcome is unknown.
    public var trustsDuplicates = false
    /// Whether the values of a template are JSON objects. The vendor's page has JSON texts, one public client has
    /// objects.
    public var writesTemplateObjects = false
    private let tokens: TokenMinting

    /// Creates the adapter of one app in one region. The client gets an access token for a day, and shares it among
    /// all calls.
    ///
    /// Refuses with `misconfigured` a key that is not letters and digits, and an empty secret.
    /// - Parameters:
    ///   - appKey: the AppKey in the console.
    ///   - masterSecret: the MasterSecret, not the AppSecret, which is for the app on the phone.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    public init(
        appKey: String, masterSecret: Secret, dataCenter: DataCenter = OPPO.dataCenters.standard
    ) throws(PushError) {
        guard appKey.wholeMatch(of: /[A-Za-z0-9]{1,128}/) != nil else {
            throw PushError(
                .misconfigured,
                "appKey is \(Redaction.quoted(appKey)); it has letters and digits: take it from the vendor's console")
        }
        guard !masterSecret.isEmpty else {
            throw PushError(.misconfigured, "masterSecret is empty; copy the MasterSecret from the vendor's console")
        }
        (self.appKey, self.dataCenter) = (appKey, dataCenter)
        tokens = OPPOTokens.minting(appKey, masterSecret)
        region = Region(rawValue: dataCenter.name) ?? .china
        capabilities = OPPOLimits.capabilities
        capabilities.declare(roles)
        capabilities.support.merge(OPPOLimits.absent(in: dataCenter)) { native, _ in native }
    }

    private mutating func updateQuotas() {
        capabilities.quotas = OPPOLimits.quotas(targetsPerSecond, day)
    }

    /// The model's calls that the vendor supports in the region. Aliases, tags and the check of credentials have hosts
    /// in China only.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.remarks = remarks
        roles.refusal = refusal
        if dataCenter.services[.oppoFeedback] != nil { roles.probe = probe }
        guard dataCenter.services[.oppoDevices] != nil else { return roles }
        roles.alias.set = setAlias
        roles.alias.delete = deleteAlias
        roles.tags.add = { (tags, device) throws(PushError) in try change(.addTags, tags, of: device) }
        roles.tags.remove = { (tags, device) throws(PushError) in try change(.removeTags, tags, of: device) }
        return roles
    }
}
