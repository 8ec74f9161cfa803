public import HuaweiDialect
public import PushAdapter

/// The adapter for Huawei Push Kit on Android, and on HarmonyOS 3 and 4: versions 1 and 2 of the vendor's API.
///
/// ```swift
/// let huawei = try Huawei(clientID: "100000001", clientSecret: Secret(text))
/// ```
///
/// A request has up to 1,000 tokens, or a condition over tags, which are topics. The vendor has no aliases, accounts,
/// schedules or idempotency keys. If the response to a send is lost, the outcome stays unknown unless
/// ``acceptsDuplicates`` is set.
///
/// Topics are public: any copy of the app may subscribe itself to any topic. Without a class, or without the vendor's
/// right to it, a notification is marketing: silent, and few a day. A send refuses a class of service that the vendor has
/// no word for. Uninstalled apps are reported by receipts only: see `HuaweiReceipts`.
public struct Huawei: PushProvider {
    /// `huawei`, the key of the vendor's options in a message.
    public static let id: ProviderID = "huawei"

    /// The app's id for OAuth 2.0 in the console.
    public let clientID: String
    /// The project, for sends through version 2; nil sends through version 1, to the app alone.
    public let projectID: String?
    /// The vendor's hosts, or your own data center.
    public let dataCenter: DataCenter
    /// Adds an access token to every request.
    public let authorizer: any Authorizer
    /// The documented limits.
    public var capabilities: Capabilities
    /// The title of notifications that have none, such as the app's name. The vendor demands a title.
    public var defaultTitle: String?
    /// The class of the app's start page, which the vendor demands with a badge.
    public var launcherClass: String?
    /// Whether the client may retry a send whose response was lost. The vendor does not recognize repeated messages, so
    /// a device may show one twice.
    public var acceptsDuplicates = false
    /// How many refused tokens of one accepted send count as invalid. If more are refused, all are `suspect`: the
    /// vendor gives no reasons, and tokens of another app are refused likewise. The number is this library's.
    public var mostInvalid = 10
    /// Whether an HTTP 503 without a body, and the code 80600003, mean that nothing was sent. That is this library's
    /// inference.
    public var trustsInference = true
    private let tokens: TokenMinting

    /// Creates the adapter with the app's secret. The client exchanges it for access tokens, and shares one among all
    /// calls: the vendor gives 1,000 in five minutes.
    ///
    /// Refuses with `misconfigured` an empty secret, and ids that do not fit into an address.
    /// - Parameters:
    ///   - clientID: the app's id for OAuth 2.0 in the console.
    ///   - clientSecret: the secret beside it.
    ///   - projectID: the project, to send through version 2.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    public init(
        clientID: String, clientSecret: Secret, projectID: String? = nil,
        dataCenter: DataCenter = Huawei.dataCenters.standard
    ) throws(PushError) {
        guard !clientSecret.isEmpty else {
            throw PushError(.misconfigured, "clientSecret is empty; take it from the vendor's console")
        }
        let tokens = TokenMinting(renewalMargin: .seconds(300)) { (_, _) throws(PushError) in
            .fetched(by: HuaweiTokens.exchange(clientID, clientSecret))
        }
        try self.init(clientID, projectID, dataCenter, tokens)
    }

    /// Creates the adapter with the key of a service account, which signs tokens without a request.
    ///
    /// Refuses with `misconfigured` ids that do not fit into an address, and a project that is not the key's.
    /// - Parameters:
    ///   - account: signs the tokens. Its project is the app's.
    ///   - clientID: the app's id for OAuth 2.0 in the console.
    ///   - projectID: the project, to send through version 2.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    public init(
        _ account: HuaweiServiceAccount, clientID: String, projectID: String? = nil,
        dataCenter: DataCenter = Huawei.dataCenters.standard
    ) throws(PushError) {
        guard projectID == nil || projectID == account.projectID else {
            throw PushError(.misconfigured, "projectID is not the project of the service account; leave it out")
        }
        try self.init(clientID, projectID, dataCenter, account.tokens)
    }

    private init(
        _ clientID: String, _ projectID: String?, _ dataCenter: DataCenter, _ tokens: TokenMinting
    ) throws(PushError) {
        try HuaweiTables.check(clientID, named: "clientID")
        if let projectID { try HuaweiTables.check(projectID, named: "projectID") }
        (self.clientID, self.projectID, self.dataCenter, self.tokens) = (clientID, projectID, dataCenter, tokens)
        authorizer = HuaweiAuthorizer("Huawei")
        capabilities = HuaweiLimits.capabilities
        capabilities.declare(roles)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.validate = validate
        roles.probe = probe
        roles.tags.read = readTags
        roles.tags.add = { (tags, device) throws(PushError) in try change(.add([device]), tags, of: device) }
        roles.tags.remove = { (tags, device) throws(PushError) in try change(.remove([device]), tags, of: device) }
        roles.tags.changeMembers = changeMembers
        return roles
    }
}
