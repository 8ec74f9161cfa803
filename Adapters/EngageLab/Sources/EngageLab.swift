import JiguangDialect
public import PushAdapter

/// The adapter for EngageLab AppPush (MTPush): REST API v4.
///
/// ```swift
/// let center = try await EngageLab.dataCenters.select(.named("frankfurt"), forKey: appKey)
/// let engageLab = try EngageLab(appKey: appKey, masterSecret: Secret(text), dataCenter: center)
/// ```
///
/// Implements sending, validation, tags, aliases, schedules and delivery counts. The vendor's other calls are exchanges
/// for `PushClient.run(_:)`. Idempotency keys come from the caller, not from the vendor; the client generates them by
/// itself.
public struct EngageLab: PushProvider {
    /// `engagelab`: a message stores the vendor's options under this id.
    public static let id: ProviderID = "engagelab"

    /// The key of the app, and the user name of its requests.
    public let appKey: String
    /// The data center of the app. Every request takes its address from here. No other center knows the key.
    public let dataCenter: DataCenter
    /// HTTP Basic on every request: app key and master secret, or the group's pair for group pushes.
    public let authorizer: any Authorizer
    /// The documented limits. Change them if your contract differs.
    public var capabilities = EngageLabLimits.capabilities

    /// How far the app's own time zone is ahead of UTC. Schedules use that zone.
    ///
    /// No page says which zone an app has, so there is no default. While it is nil, the adapter refuses the model's
    /// schedules with `misconfigured`, and schedules that it reads have a nil trigger.
    public var clockOffset: Duration?
    /// Whether updates and the end of a Live Activity go only to `Audience.liveActivity`, as in the vendor's samples.
    /// No page says that the vendor refuses other audiences.
    public var updatesNeedActivityAudience = true
    /// Whether to delete a voice file by query instead of by path. The vendor's error reference shows the query, its
    /// newer libraries the path.
    public var deletesVoicesByQuery = false

    /// Creates the adapter. Refuses with `misconfigured` an empty key or secret, and one that cannot be sent.
    /// - Parameters:
    ///   - appKey: from the console. A live app and its test mode have different keys.
    ///   - masterSecret: from the console, for the same mode.
    ///   - group: credentials for group pushes.
    ///   - dataCenter: from ``dataCenters``, or your own. Singapore is the default of the vendor's newer libraries.
    public init(
        appKey: String, masterSecret: Secret, group: EngageLabGroup? = nil,
        dataCenter: DataCenter = EngageLab.dataCenters.standard
    ) throws(PushError) {
        self.appKey = appKey
        self.dataCenter = dataCenter
        authorizer = try EngageLabAuthorizer(appKey: appKey, masterSecret: masterSecret, group: group)
        capabilities.declare(roles)
    }

    /// The model's calls that the vendor supports.
    public var roles: Roles {
        var roles = Roles()
        roles.send = encode
        roles.remarks = { MakerWords.remarks(on: $0, capabilities) }
        roles.validate = { (message, audience, _) throws(PushError) in try validate(message, to: audience) }
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
        roles.alias.devices = readDevices
        roles.alias.delete = deleteAlias
        roles.updateDevice = updateDevice
        roles.schedules.create = createSchedule
        roles.schedules.read = readSchedule
        roles.schedules.list = listSchedules
        roles.schedules.remove = removeSchedule
        return roles
    }
}

/// The credentials of a group of apps.
public struct EngageLabGroup: Sendable {
    /// The key without the `group-` prefix of the vendor's page.
    public var key: String
    /// The group's own secret, not that of one of its apps.
    public var masterSecret: Secret

    /// Creates a pair of credentials from the group management of the console.
    public init(key: String, masterSecret: Secret) {
        self.key = key
        self.masterSecret = masterSecret
    }
}

extension Dialect {
    static let engageLab = Dialect(
        EngageLab.id, "EngageLab", service: .engageLab, bucket: { _ in .engageLab },
        done: expectDone, fields: EngageLabLimits.fields, platformNames: Platform.wireNames,
        outOfRange: { "the engagelab options: \($0) is \($1); give \($2.lowerBound) to \($2.upperBound)" })

    /// Accepts the response to a successful write: no body, the bare word `success`, or an object.
    private static func expectDone(_ response: WireResponse) throws(PushError) {
        let word = Array("success".utf8)
        let text = response.body.filter { $0 > 0x20 && $0 != 0x22 }
        guard !text.isEmpty, text != word else { return }
        guard case .object(let fields) = try response.json(), fields["error"] == nil,
            [nil, 0].contains(fields["code"]), [nil, true].contains(fields["success"])
        else { throw response.malformed("to a write does not report success", retry: .never) }
    }
}

extension EngageLab {
    /// EngageLab's dialect of Jiguang's API.
    var api: Dialect { .engageLab }

    func checkMessageID(_ message: MessageID) throws(PushError) {
        guard !message.rawValue.isEmpty, message.rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw PushError(
                .invalidArgument, "\(Redaction.quoted(message.rawValue)) is not an EngageLab message id: digits only")
        }
    }
}

extension Platform {
    /// The vendor's words, in order. Refuses a platform that the vendor does not have.
    static func wireNames(_ platforms: Set<Platform>) throws(PushError) -> [Platform] {
        let known: [Platform: Platform] = [.android: "android", .ios: "ios", .harmony: "hmos"]
        if let other = platforms.filter({ known[$0] == nil }).min() {
            throw PushError(
                .unsupported,
                "EngageLab has no platform \(Redaction.quoted(other.rawValue)); it has android, harmony and ios")
        }
        return platforms.compactMap { known[$0] }.sorted()
    }
}
