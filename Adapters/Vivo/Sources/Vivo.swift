public import PushAdapter
import PushWebhooks

/// The adapter for vivo Push, which reaches phones of vivo and iQOO in mainland China.
///
/// ```swift
/// var vivo = try Vivo(appID: 10004, appKey: "2550-aaaa", appSecret: Secret(text))
/// vivo.defaultTitle = "商城"
/// vivo.capabilities.classes = ClassSettings(defaultClass: MessageClass(.marketing))
/// ```
///
/// A request has one device, one alias, a condition over tags, or everyone, so the client sends one request per device.
/// The vendor counts the messages of an app by class and day. When it says that an amount is used up, the client stops
/// that class until the next day in China, because the vendor lowers the amount of an app that asks again.
///
/// The vendor refuses texts that look like tests: only digits, Latin letters or signs, braces, or the word 测试.
public struct Vivo: PushProvider {
    /// `vivo`, the key of the vendor's options in a message.
    public static let id: ProviderID = "vivo"

    /// How the vendor measures titles and texts. Its pages differ by their age.
    public enum TextMeasure: String, Sendable, Hashable, CaseIterable {
        /// A character of ASCII counts as one, any other as two. Pages until 2023.
        case units
        /// Each character counts as one. Pages of 2025.
        case characters
    }

    /// The app's id in the console.
    public let appID: Int
    /// The app's key in the console. It is no secret: the app has it too.
    public let appKey: String
    /// The vendor's host, or your own data center.
    public let dataCenter: DataCenter
    /// Adds an access token to every request.
    public let authorizer: any Authorizer
    /// The documented limits.
    public var capabilities: Capabilities
    /// The title of notifications that have none, such as the app's name. The vendor demands a title.
    public var defaultTitle: String?
    /// Where the vendor sends receipts of messages to devices and aliases; nil for the console's setting.
    public var callback: VivoCallback?
    /// The address and the parameter of receipts.
    public var sentSecrets: [Secret] { callback?.address.secrets ?? [] }
    /// How the client measures titles and texts; by default the stricter way.
    public var textMeasure = TextMeasure.units
    /// Whether messages go only to the console's test devices, at most 20. An app in review can send no others. The
    /// vendor does deliver them.
    public var isTest = false
    /// Requests a second, from the app's band: 3,000 for fewer than 5 million devices that show notifications, 4,000 up
    /// to 8 million, else 5,000.
    public var requestsPerSecond = VivoLimits.requestsPerSecond { didSet { updateQuotas() } }
    /// The days by which the vendor counts an app's messages. No source names the time zone.
    public var day = CalendarDay.china { didSet { updateQuotas() } }
    /// The vendor's number for device ids in a change of a tag's devices: 1 or 2. No source says which one it is.
    public var memberType = 1
    private let tokens: TokenMinting

    /// Creates the adapter of one app. The client exchanges the secret for access tokens that last a day.
    ///
    /// Refuses with `misconfigured` an id that is not positive, and an empty key or secret.
    /// - Parameters:
    ///   - appID: the app's id in the console.
    ///   - appKey: the app's key there.
    ///   - appSecret: the app's secret there.
    ///   - dataCenter: the vendor's host, or for example a simulator's.
    public init(
        appID: Int, appKey: String, appSecret: Secret, dataCenter: DataCenter = Vivo.dataCenters.standard
    ) throws(PushError) {
        guard appID > 0, !appKey.isEmpty, !appSecret.isEmpty else {
            throw PushError(
                .misconfigured, "appId, appKey or appSecret is empty; copy all three from the vendor's console")
        }
        (self.appID, self.appKey, self.dataCenter) = (appID, appKey, dataCenter)
        tokens = VivoTokens(appID: appID, appKey: appKey, secret: appSecret).minting
        authorizer = VivoAuthorizer()
        capabilities = VivoLimits.capabilities
        capabilities.declare(roles)
    }

    /// Whether a message goes to test devices only.
    func isTest(_ options: VivoOptions) -> Bool { options.pushMode.map { $0 == 1 } ?? isTest }

    private mutating func updateQuotas() {
        capabilities.quotas = VivoLimits.quotas(requestsPerSecond, day)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.remarks = remarks
        roles.probe = probe
        roles.tags.add = { (tags, device) throws(PushError) in try change(.add([device]), tags, of: device) }
        roles.tags.remove = { (tags, device) throws(PushError) in try change(.remove([device]), tags, of: device) }
        roles.tags.changeMembers = changeMembers
        return roles
    }
}
