public import PushCore

/// The adapter for JPush (Jiguang): server API v3.
///
/// ```swift
/// let jpush = try JPush(appKey: "0123456789abcdef01234567", masterSecret: Secret(text))
/// ```
///
/// Implements sending, validation, idempotency keys, tags, aliases and delivery counts; its other calls are exchanges
/// for `PushClient.run(_:)`.
public struct JPush: PushProvider {
    public static let id: ProviderID = "jpush"

    public let appKey: String
    public let dataCenter: DataCenter
    public let authorizer: any Authorizer
    /// The documented limits; change them where a contract says otherwise.
    public var capabilities: Capabilities = JPushLimits.capabilities

    /// Refuses with `misconfigured` an app key or a master secret that is not 24 letters and digits.
    /// - Parameter dataCenter: from ``dataCenters``, or your own.
    public init(
        appKey: String, masterSecret: Secret, dataCenter: DataCenter = JPush.dataCenters.standard
    ) throws(PushError) {
        self.appKey = appKey
        self.dataCenter = dataCenter
        authorizer = try JPushAuthorizer(appKey: appKey, masterSecret: masterSecret)
    }

    public var id: ProviderID { Self.id }

    public var roles: Roles {
        Roles(
            sending: self, validating: self, keyMinting: self, tagging: self, aliasing: self, reporting: self,
            probing: self)
    }
}
