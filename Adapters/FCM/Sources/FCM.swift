public import PushAdapter

/// The adapter for Firebase Cloud Messaging: HTTP v1.
///
/// ```swift
/// let account = try ServiceAccount(json: Secret(text))
/// let fcm = try FCM(account)
/// ```
///
/// One request has one target, so the client sends one request per device. A topic or a condition costs one request.
/// Tags are topics. The vendor has no aliases, accounts, schedules or idempotency keys. If the response to a send is
/// lost, the outcome stays unknown unless ``acceptsDuplicates`` is set.
///
/// Topics are public: any copy of the app may subscribe itself to any topic, and FCM does not list the subscribers.
/// Never send secrets to a tag: strangers may read them.
public struct FCM: PushProvider {
    /// `fcm`, the key of the vendor's options in a message.
    public static let id: ProviderID = "fcm"

    /// The kind of id that names a device. The vendor is moving from tokens to installation ids; a device has one at a
    /// time.
    public enum DeviceIDs: String, Sendable, Hashable, CaseIterable {
        /// FCM registration tokens.
        case tokens
        /// Firebase installation ids.
        case installations
    }

    /// The vendor's calls for topics.
    public enum TopicAPI: String, Sendable, Hashable, CaseIterable {
        /// The API of 2026: one device and one topic per request. In June 2026 it was not open to every project.
        case subscriptions
        /// Instance ID: one topic and up to 1,000 tokens per request. It ends on 2027-09-29 and closes to new projects
        /// before that. It takes registration tokens only, and works only in the account's own project.
        case instanceID
    }

    /// The app's project, by its id or its number.
    public let projectID: String
    /// The vendor's hosts, or your own data center.
    public let dataCenter: DataCenter
    /// Adds an access token to every request.
    public let authorizer: any Authorizer
    /// The kind of id that names a device.
    public let deviceIDs: DeviceIDs
    /// The calls that change tags.
    public let topicAPI: TopicAPI
    /// The prefix of every topic of this client. It keeps the client's tags apart from other topics of the project.
    public let topicPrefix: String
    /// The documented limits. The quota is per project; change it if yours differs.
    public var capabilities: Capabilities
    /// Whether the client may retry a send whose response was lost. The vendor advises a retry but does not recognize
    /// repeated messages, so a device may show one twice.
    public var acceptsDuplicates = false
    private let tokens: TokenMinting

    /// Creates the adapter with the key of a service account.
    ///
    /// Refuses with `misconfigured` a project or a prefix that does not fit into a topic or an address.
    /// - Parameters:
    ///   - account: signs with its key. It needs the role Firebase Cloud Messaging API Admin in the project.
    ///   - projectID: nil for the account's own project.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    ///   - deviceIDs: the kind of id that names a device.
    ///   - topicPrefix: letters, digits and `-_.~`; empty uses tags as they are.
    ///   - topicAPI: the calls that change tags.
    public init(
        _ account: ServiceAccount, projectID: String? = nil, dataCenter: DataCenter = FCM.dataCenters.standard,
        deviceIDs: DeviceIDs = .tokens, topicPrefix: String = "", topicAPI: TopicAPI = .subscriptions
    ) throws(PushError) {
        guard topicAPI == .subscriptions || projectID == nil || projectID == account.projectID else {
            throw PushError(
                .misconfigured,
                "Instance ID works only in the account's own project; leave projectID out, or set topicAPI to "
                    + "subscriptions")
        }
        try self.init(
            projectID ?? account.projectID, dataCenter, deviceIDs, topicPrefix, topicAPI,
            tokens: TokenMinting(renewalMargin: .seconds(300)) { (scope, now) throws(PushError) in
                .fetched(by: try FCMTokens.exchange(for: account, scope, at: now))
            })
    }

    /// Creates the adapter without a key, for a machine in Google Cloud. The machine's metadata server provides the
    /// tokens.
    ///
    /// Refuses with `misconfigured` a project or a prefix that does not fit into a topic or an address.
    /// - Parameters:
    ///   - projectID: the project of the app.
    ///   - account: the email of the machine's service account; nil for its default one.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    ///   - deviceIDs: the kind of id that names a device.
    ///   - topicPrefix: letters, digits and `-_.~`; empty uses tags as they are.
    ///   - topicAPI: the calls that change tags.
    public init(
        keylessIn projectID: String, account: String? = nil, dataCenter: DataCenter = FCM.dataCenters.standard,
        deviceIDs: DeviceIDs = .tokens, topicPrefix: String = "", topicAPI: TopicAPI = .subscriptions
    ) throws(PushError) {
        try self.init(
            projectID, dataCenter, deviceIDs, topicPrefix, topicAPI,
            tokens: TokenMinting(renewalMargin: .seconds(225)) { (_, _) throws(PushError) in
                .fetched(by: FCMTokens.metadata(of: account ?? "default"))
            })
    }

    private init(
        _ projectID: String, _ dataCenter: DataCenter, _ deviceIDs: DeviceIDs, _ topicPrefix: String,
        _ topicAPI: TopicAPI, tokens: TokenMinting
    ) throws(PushError) {
        let isProject = projectID.utf8.allSatisfy { FCMLimits.projectCharacters.utf8.contains($0) }
        guard !projectID.isEmpty, isProject, projectID.first != "." else {
            throw PushError(
                .misconfigured,
                "the project \(Redaction.quoted(projectID)) is no id of Firebase: it has lower-case letters, digits, "
                    + "hyphens, dots and colons")
        }
        guard topicPrefix.utf8.count <= 100, PercentEncoding.encode(topicPrefix) == topicPrefix else {
            throw PushError(
                .misconfigured,
                "the prefix of topics \(Redaction.quoted(topicPrefix)) has characters that topics cannot have, or more "
                    + "than 100; use letters, digits and -_.~")
        }
        guard topicAPI == .subscriptions || deviceIDs == .tokens else {
            throw PushError(
                .misconfigured,
                "Instance ID takes registration tokens only, and deviceIDs is installations; set topicAPI to "
                    + "subscriptions")
        }
        self.projectID = projectID
        self.dataCenter = dataCenter
        self.deviceIDs = deviceIDs
        self.topicPrefix = topicPrefix
        self.topicAPI = topicAPI
        self.tokens = tokens
        authorizer = FCMAuthorizer()
        capabilities = FCMLimits.capabilities(topicPrefix: topicPrefix)
        if topicAPI == .instanceID { capabilities.limits[.devicesPerTagCall] = FCMLimits.devicesPerInstanceCall }
        capabilities.declare(roles)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.validate = validate
        roles.probe = probe
        switch topicAPI {
        case .subscriptions:
            roles.tags.read = readTags
            roles.tags.add = addTags
            roles.tags.remove = removeTags
        case .instanceID:
            roles.tags.read = readInstanceTags
            roles.tags.add = { (tags, device) throws(PushError) in try changeInstance(.add([device]), tags) }
            roles.tags.remove = { (tags, device) throws(PushError) in try changeInstance(.remove([device]), tags) }
            roles.tags.changeMembers = changeInstances
        }
        return roles
    }
}
