import JiguangDialect
public import PushAdapter

/// The adapter for JPush (Jiguang): server API v3.
///
/// ```swift
/// let jpush = try JPush(appKey: "0123456789abcdef01234567", masterSecret: Secret(text))
/// ```
///
/// Implements sending, validation, idempotency keys, tags, aliases, phone numbers, schedules and delivery counts. The
/// vendor's other calls are exchanges for `PushClient.run(_:)`.
public struct JPush: PushProvider {
    /// `jpush`: a message stores the vendor's options under this id.
    public static let id: ProviderID = "jpush"

    /// 24 letters and digits. Identifies the app and is the user name of its requests.
    public let appKey: String
    /// The data center of the app. Every request takes its address from here.
    public let dataCenter: DataCenter
    /// HTTP Basic on every request: app key and master secret, or the group's pair for group calls.
    public let authorizer: any Authorizer
    /// The documented limits. Change them if your contract differs.
    public var capabilities = JPushLimits.capabilities

    /// How far the vendor's clock is ahead of UTC. Schedules use that time. The default is China's offset; the vendor
    /// does not document it, so this is inferred.
    public var clockOffset: Duration = .seconds(8 * 3600)

    /// Creates the adapter. Refuses with `misconfigured` a key or a secret that is not 24 letters and digits.
    /// - Parameters:
    ///   - appKey: 24 letters and digits, from the console.
    ///   - masterSecret: 24 letters and digits, from the console.
    ///   - group: credentials for group pushes and reports about a group.
    ///   - dataCenter: from ``dataCenters``, or your own.
    public init(
        appKey: String, masterSecret: Secret, group: JPushGroup? = nil,
        dataCenter: DataCenter = JPush.dataCenters.standard
    ) throws(PushError) {
        self.appKey = appKey
        self.dataCenter = dataCenter
        authorizer = try JPushAuthorizer(appKey: appKey, masterSecret: masterSecret, group: group)
        capabilities.declare(roles)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.send = encode
        roles.remarks = { MakerWords.remarks(on: $0, capabilities) }
        roles.validate = { (message, audience, _) throws(PushError) in try validate(message, to: audience) }
        roles.mintKeys = mintKeys
        roles.probe = probe
        roles.readDeliveries = readDeliveries
        roles.tags.read = readTags
        roles.tags.test = testTag
        roles.tags.add = addTags
        roles.tags.remove = removeTags
        roles.tags.clear = clearTags
        roles.tags.changeMembers = changeMembers
        roles.alias.read = readAlias
        roles.alias.set = setAlias
        roles.alias.remove = removeAlias
        roles.alias.devices = readDevices
        roles.alias.delete = deleteAlias
        roles.updateDevice = updateDevice
        roles.phone.read = readPhone
        roles.phone.set = setPhone
        roles.phone.remove = removePhone
        roles.schedules.create = createSchedule
        roles.schedules.read = readSchedule
        roles.schedules.list = listSchedules
        roles.schedules.remove = removeSchedule
        return roles
    }
}

/// The credentials of a group of apps.
public struct JPushGroup: Sendable {
    /// 24 letters and digits, without the `group-` prefix on the vendor's page.
    public var key: String
    /// 24 letters and digits. The group's own secret, not that of one of its apps.
    public var masterSecret: Secret

    /// Creates a pair of credentials. ``JPush`` refuses any other form with `misconfigured`.
    public init(key: String, masterSecret: Secret) {
        self.key = key
        self.masterSecret = masterSecret
    }
}

extension JPush {
    /// JPush's dialect of Jiguang's API.
    var api: Dialect { .jpush }
}

extension Dialect {
    static let jpush = Dialect(
        JPush.id, "JPush", bucket: { JPushLimits.buckets[$0] ?? .jpushPush }, done: expectNothing,
        fields: JPushLimits.fields, platformNames: { $0.map(\.wireName).sorted() },
        outOfRange: { "\($0) is \($1); JPush takes \($2.lowerBound) to \($2.upperBound)" })

    /// Accepts the response to a successful write: an empty body or an object. Any other body is not from the vendor.
    private static func expectNothing(_ response: WireResponse) throws(PushError) {
        guard !response.body.isEmpty else { return }
        guard case .object = try response.json() else {
            throw response.malformed("to a write is not a JSON object", retry: .never)
        }
    }
}

/// One of the vendor's JSON objects, with any keys.
typealias WireObject = [String: JSONValue]
