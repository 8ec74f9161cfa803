public import PushAdapter

/// The adapter for the Apple Push Notification service, over HTTP/2.
///
/// ```swift
/// let key = try APNsKey(path: "AuthKey_K7EXAMPLE9.p8", keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
/// let apns = try APNs(key, topic: "com.example.shop")
/// let client = PushClient(apns, transport: try HTTP2Transport())
/// ```
///
/// One request reaches one device, so the client sends one request per device. `Message.environment` chooses the
/// environment of a send. The vendor has no tags, aliases, accounts, schedules, reports or idempotency keys. If the
/// response to a send is lost, the outcome stays unknown unless ``acceptsDuplicates`` is set.
public struct APNs: PushProvider {
    /// `apns`, the key of the vendor's options in a message.
    public static let id: ProviderID = "apns"

    /// The hosts that take broadcasts. The vendor's page names the ordinary hosts; its samples name others.
    public enum BroadcastHost: String, Sendable, Hashable, CaseIterable {
        /// The hosts that take pushes. Seen to work in the development environment in 2026.
        case ordinary
        /// `api-broadcast.push.apple.com`, as in the samples.
        case dedicated
    }

    /// The bundle id of the app, without a suffix.
    public let topic: String
    /// The vendor's hosts, or your own data center.
    public let dataCenter: DataCenter
    /// Adds the provider token to every request. With a certificate, it adds nothing.
    public let authorizer: any Authorizer
    /// The documented limits.
    public var capabilities: Capabilities
    /// Whether the client may retry a send whose response was lost. The vendor does not recognize a repeated push, so a
    /// device may show it twice unless both pushes have the same collapse id.
    public var acceptsDuplicates = false
    /// Where channels, broadcasts and the check of the credentials go; a send goes where its message says.
    public var environment = AppEnvironment.production
    /// Which hosts take broadcasts.
    public var broadcastHost = BroadcastHost.ordinary
    private let tokens: TokenMinting?

    /// Creates the adapter with a key of the team.
    ///
    /// Refuses a topic that is not a bundle id, with `misconfigured`.
    /// - Parameters:
    ///   - key: signs the provider tokens. It may be limited to one environment or to some topics.
    ///   - topic: the bundle id of the app; the adapter adds the suffix of the push type.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    public init(
        _ key: APNsKey, topic: String, dataCenter: DataCenter = APNs.dataCenters.standard
    ) throws(PushError) {
        try self.init(topic, dataCenter, APNsAuthorizer(group: "\(key.teamID)/\(key.keyID)"), key.tokens)
    }

    /// Creates the adapter for a provider certificate. The transport presents it: see
    /// `HTTP2Configuration.clientCertificate`.
    ///
    /// A certificate belongs to one app. It does not allow pushes of the types location, liveactivity and fileprovider.
    /// Refuses a topic that is not a bundle id, with `misconfigured`.
    /// - Parameters:
    ///   - topic: the bundle id of the app, or the topic of a certificate for device management.
    ///   - dataCenter: the vendor's hosts, or for example a simulator's.
    public init(
        certificateFor topic: String, dataCenter: DataCenter = APNs.dataCenters.standard
    ) throws(PushError) {
        try self.init(topic, dataCenter, APNsAuthorizer(group: nil), nil)
    }

    private init(
        _ topic: String, _ dataCenter: DataCenter, _ authorizer: APNsAuthorizer, _ tokens: TokenMinting?
    ) throws(PushError) {
        guard Self.isTopic(topic) else {
            throw PushError(
                .misconfigured,
                "the topic \(Redaction.quoted(topic)) is no bundle id: it has letters, digits, hyphens and dots")
        }
        if let suffix = APNsPushType.plainSuffixes.first(where: { topic.hasSuffix($0) }) {
            throw PushError(
                .misconfigured,
                "the topic \(Redaction.quoted(topic)) ends with \(suffix); give the bundle id, the adapter adds the suffix "
                    + "of the push type")
        }
        self.topic = topic
        self.dataCenter = dataCenter
        self.authorizer = authorizer
        self.tokens = tokens
        capabilities = APNsLimits.capabilities
        capabilities.declare(roles)
    }

    /// Whether the connection has a certificate. Requests then carry no token.
    var hasCertificate: Bool { tokens == nil }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.probe = probe
        return roles
    }

    static func isTopic(_ text: String) -> Bool {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."
        return (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { letters.utf8.contains($0) }
            && text.first != "." && text.last != "."
    }
}
