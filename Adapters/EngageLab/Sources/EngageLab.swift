public import PushAdapter

/// The adapter for EngageLab AppPush (MTPush): REST API v4.
///
/// ```swift
/// let center = try await EngageLab.dataCenters.select(.named("frankfurt"), forKey: appKey)
/// let engageLab = try EngageLab(appKey: appKey, masterSecret: Secret(text), dataCenter: center)
/// ```
///
/// Implements sending, validation, tags, aliases, schedules and delivery counts. The vendor's other calls are exchanges
/// for `PushClient.run(_:)`. The caller makes the idempotency keys, which the client does on its own.
public struct EngageLab: PushProvider {
    /// `engagelab`: a message stores the vendor's options under this id.
    public static let id: ProviderID = "engagelab"

    /// Identifies the app, and is the user name of its requests.
    public let appKey: String
    /// Where the app lives; every request takes its address from here, and all other centers do not know the key.
    public let dataCenter: DataCenter
    /// HTTP Basic on every request: app key and master secret, or the group's pair for group pushes.
    public let authorizer: any Authorizer
    /// The documented limits; change them where a contract says otherwise.
    public var capabilities = EngageLabLimits.capabilities

    /// How far the app's own time zone is ahead of UTC; schedules are written and read in that zone.
    ///
    /// No page says which zone an app has, so there is no default. While it is nil, the adapter refuses a schedule of
    /// the model with `misconfigured`, and a schedule that it reads has a nil trigger.
    public var clockOffset: Duration?
    /// Whether updates and the end of a Live Activity go to `Audience.liveActivity` only, as in the vendor's samples;
    /// no page says that the vendor refuses other audiences.
    public var updatesNeedActivityAudience = true
    /// Whether to delete a voice file by query, not by path. The vendor's error reference shows the query, its newer
    /// libraries the path.
    public var deletesVoicesByQuery = false

    /// Refuses with `misconfigured` a key or a secret that is empty or cannot be sent.
    /// - Parameters:
    ///   - appKey: from the console; a live app and its test mode have different ones.
    ///   - masterSecret: from the console, of the same mode.
    ///   - group: for group pushes.
    ///   - dataCenter: from ``dataCenters``, or your own; Singapore is the default of the vendor's newer libraries.
    public init(
        appKey: String, masterSecret: Secret, group: EngageLabGroup? = nil,
        dataCenter: DataCenter = EngageLab.dataCenters.standard
    ) throws(PushError) {
        self.appKey = appKey
        self.dataCenter = dataCenter
        authorizer = try EngageLabAuthorizer(appKey: appKey, masterSecret: masterSecret, group: group)
        capabilities.declare(roles)
    }

    /// `engagelab`, as the type's `id`.
    public var id: ProviderID { Self.id }

    /// The model's calls that the vendor has.
    public var roles: Roles {
        var roles = Roles()
        roles.send = { (message, audience, context) throws(PushError) in
            try send(message, to: audience, key: context.key)
        }
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
    /// Without the `group-` prefix on the vendor's page.
    public var key: String
    /// The group's own secret, not that of one of its apps.
    public var masterSecret: Secret

    /// A pair of credentials from the group management of the console.
    public init(key: String, masterSecret: Secret) {
        self.key = key
        self.masterSecret = masterSecret
    }
}

extension EngageLab {
    /// An exchange for one of the vendor's calls; by default it costs one of the app's calls per second.
    func call<Output>(
        _ operation: Feature, _ request: WireRequest, _ idempotency: Idempotency = .idempotent, cost: Int = 1,
        as credential: CredentialScope = .app, of device: DeviceID? = nil, checking inputs: [Input] = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        Exchange(
            operation, request, inputs: inputs + (device.map { [.devices([$0])] } ?? []), credential: credential,
            idempotency: idempotency, charges: [QuotaCharge(.engageLab, cost: cost)],
            subject: device.map(Subject.device), decode: decode)
    }

    /// Accepts the response of a successful write: nothing, the bare word `success`, or an object.
    static func expectDone(_ response: WireResponse) throws(PushError) {
        let word = Array("success".utf8)
        let text = response.body.filter { $0 > 0x20 && $0 != 0x22 }
        guard !text.isEmpty, text != word else { return }
        guard case .object(let fields) = try response.json(), fields["error"] == nil,
            [nil, 0].contains(fields["code"]), [nil, true].contains(fields["success"])
        else {
            throw PushError(
                .malformedResponse, "the response to a write does not report success", effect: .unknown,
                vendor: VendorDetail(httpStatus: response.status, body: response.body))
        }
    }

    static func json(_ value: JSONValue) -> WireBody { .json(JSONWriter.bytes(of: value)) }

    // MARK: Checks

    func checkMessageID(_ message: MessageID) throws(PushError) {
        guard !message.rawValue.isEmpty, message.rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw PushError(
                .invalidArgument, "\(Redaction.quoted(message.rawValue)) is not an EngageLab message id: digits only")
        }
    }

    /// Omits the key for all platforms.
    func platformQuery(_ platforms: Set<Platform>?) throws(PushError) -> [QueryItem] {
        guard let platforms else { return [] }
        guard !platforms.isEmpty else {
            throw PushError(.invalidArgument, "the list of platforms is empty; give nil to mean all")
        }
        return [QueryItem("platform", try Platform.wireNames(platforms).map(\.rawValue).joined(separator: ","))]
    }
}

extension Platform {
    /// The vendor's words in order; refuses a platform that it does not have.
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
