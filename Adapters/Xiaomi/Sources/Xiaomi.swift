public import PushAdapter
import PushWebhooks

/// The adapter for Xiaomi's MiPush in mainland China, which is the only place where the vendor still offers it.
///
/// ```swift
/// var xiaomi = try Xiaomi(packageName: "com.example.shop", appSecret: Secret(text))
/// xiaomi.defaultTitle = "Shop"
/// xiaomi.capabilities.classes = ClassSettings(words: ["xiaomi": [.order: "137041"]])
/// ```
///
/// A request has up to 1,000 devices, aliases or accounts, or up to five tags, which are topics, or goes to everyone.
/// The vendor schedules messages, and takes idempotency keys by which phones hide repetitions.
///
/// A class becomes a channel of the app's settings. Without a channel, a device shows one notification a day, and an
/// app that has moved to the new classes gets an error. The vendor reports devices that are gone by receipts only: see
/// ``XiaomiReceipts``.
public struct Xiaomi: PushProvider {
    /// `xiaomi`, the key of the vendor's options in a message.
    public static let id: ProviderID = "xiaomi"

    /// The package of the app.
    public let packageName: String
    /// The vendor's host, or your own data center.
    public let dataCenter: DataCenter
    /// Adds the app's secret to every request.
    public let authorizer: any Authorizer
    /// The documented limits.
    public var capabilities: Capabilities
    /// The title of notifications that have none, such as the app's name. The vendor demands a title.
    public var defaultTitle: String?
    /// Where the vendor sends receipts of messages to devices, aliases and accounts; nil for the console's setting.
    public var callback: XiaomiCallback?
    /// The address and the parameter of receipts.
    public var sentSecrets: [Secret] { callback?.address.secrets ?? [] }
    /// Requests a second, from the app's band: 500 for fewer than 100,000 devices that show notifications, up to 3,000
    /// for 10 million. The vendor may count devices instead; its sources differ.
    public var requestsPerSecond = XiaomiLimits.requestsPerSecond { didSet { updateQuotas() } }
    /// The days by which the vendor counts an app's messages. No source names the time zone.
    public var day = CalendarDay.china { didSet { updateQuotas() } }
    /// Whether custom messages are sent, as pass-through messages. The vendor is ending those, and names no date.
    public var sendsPassThrough = false {
        didSet {
            capabilities.support[.contentCustom] =
                sendsPassThrough ? .native : .unsupported(XiaomiLimits.noPassThrough)
        }
    }

    /// Creates the adapter of one app.
    ///
    /// Refuses with `misconfigured` a package name that is not one, and a secret that does not fit into a header field.
    /// - Parameters:
    ///   - packageName: the package of the app, as in the console.
    ///   - appSecret: the AppSecret in the console.
    ///   - dataCenter: the vendor's host, or for example a simulator's.
    public init(
        packageName: String, appSecret: Secret, dataCenter: DataCenter = Xiaomi.dataCenters.standard
    ) throws(PushError) {
        guard packageName.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+/) != nil else {
            throw PushError(
                .misconfigured,
                "packageName is \(Redaction.quoted(packageName)), which is not the package of an app, such as "
                    + "com.example.shop")
        }
        (self.packageName, self.dataCenter) = (packageName, dataCenter)
        authorizer = try XiaomiAuthorizer(appSecret)
        capabilities = XiaomiLimits.capabilities
        capabilities.declare(roles)
    }

    private mutating func updateQuotas() {
        capabilities.quotas = XiaomiLimits.quotas(requestsPerSecond, day)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.send = encode
        roles.remarks = remarks
        roles.refusal = XiaomiTarget.refusal
        roles.probe = probe
        roles.tags.read = readTags
        roles.tags.add = { (tags, device) throws(PushError) in try change(.add([device]), tags, of: device) }
        roles.tags.remove = { (tags, device) throws(PushError) in try change(.remove([device]), tags, of: device) }
        roles.tags.changeMembers = changeMembers
        roles.accounts.read = readAccounts
        roles.schedules.create = createSchedule
        roles.schedules.remove = removeSchedule
        return roles
    }
}
