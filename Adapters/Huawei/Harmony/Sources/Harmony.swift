public import HuaweiDialect
public import PushAdapter

/// The adapter for Huawei Push Kit on HarmonyOS 5 and later: version 3 of the vendor's API.
///
/// ```swift
/// let harmony = try Harmony(HuaweiServiceAccount(path: "/run/secrets/harmony.json"))
/// ```
///
/// A request has up to 1,000 tokens. The vendor has no tags, aliases, accounts or schedules. Notifications carry an
/// idempotency key that devices recognize for 24 hours: a repeated message counts, and a device shows the first only.
///
/// The vendor demands a class of every notification: see `Message.messageClass`. A class that it has not approved for
/// the app is accepted and becomes marketing, of which a device shows few a day. Uninstalled apps are reported by
/// receipts only: see `HuaweiReceipts`.
public struct Harmony: PushProvider {
    /// `harmony`, the key of the vendor's options in a message.
    public static let id: ProviderID = "harmony"

    /// The project of the app.
    public let projectID: String
    /// The app's client id, which recalls need; nil for an app that recalls nothing.
    public let clientID: String?
    /// The vendor's host, or your own data center.
    public let dataCenter: DataCenter
    /// Adds a token that the service account signed.
    public let authorizer: any Authorizer
    /// The documented limits.
    public var capabilities: Capabilities
    /// The title of notifications that have none, such as the app's name. The vendor demands a title.
    public var defaultTitle: String?
    /// Whether an HTTP 503 without a body means that nothing was sent. The vendor calls it flow control; that none of
    /// the tokens was served is this library's inference.
    public var trustsInference = true
    private let tokens: TokenMinting

    /// Creates the adapter with the key of a service account, whose project is the app's.
    ///
    /// Refuses with `misconfigured` a project or a client id that does not fit into an address.
    /// - Parameters:
    ///   - account: signs the tokens.
    ///   - clientID: the app's id for OAuth 2.0 in the console. Only recalls need it.
    ///   - dataCenter: the vendor's host, or for example a simulator's.
    public init(
        _ account: HuaweiServiceAccount, clientID: String? = nil,
        dataCenter: DataCenter = Harmony.dataCenters.standard
    ) throws(PushError) {
        try HuaweiTables.check(account.projectID, named: "the project of the service account")
        if let clientID { try HuaweiTables.check(clientID, named: "clientID") }
        projectID = account.projectID
        self.clientID = clientID
        self.dataCenter = dataCenter
        tokens = account.tokens
        authorizer = HuaweiAuthorizer("HarmonyOS")
        capabilities = HarmonyLimits.capabilities
        capabilities.declare(roles)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        return roles
    }
}
