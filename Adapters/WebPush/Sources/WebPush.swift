public import FoundationEssentials
public import PushAdapter

/// The adapter for Web Push: the push services of browsers, and UnifiedPush (RFC 8030, 8188, 8291, 8292).
///
/// ```swift
/// let webpush = try WebPush(WebPushKey(path: "/run/secrets/vapid.pem"), subject: "mailto:push@example.com")
/// let subscription = try webpush.subscription(from: json)   // the browser's JSON
/// let device = subscription.deviceID                        // to store, and to send to
/// ```
///
/// A target is a subscription: an address at a service, two keys for the encryption, and the id of the server key with
/// which the browser subscribed. One request has one target and a body of its own, encrypted for it.
///
/// There is no account with a service, and no receipt: accepted does not mean delivered.
public struct WebPush: PushProvider {
    /// `webpush`, the key of the vendor's options in a message.
    public static let id: ProviderID = "webpush"

    /// The form of the JSON in a message.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// A declarative message where a title and the address that a tap opens are known, else as for a worker. A
        /// browser that does not know declarative messages gives the same JSON to the service worker.
        case declarative
        /// Always for the service worker, which shows the notification.
        case worker
    }

    /// The contact of the sender, in each token: a `mailto:` or `https:` address.
    public let subject: String
    /// The key with which browsers subscribe from now on.
    public let primaryKey: WebPushKey
    /// All keys, by their ids. A message is signed with the key of its subscription.
    let keys: [String: WebPushKey]
    /// The standard one is only a name: each subscription brings the address of its service. Requests for all of them
    /// go to any other one: a simulator, or a gateway of yours that passes them on. Their tokens stay for the services.
    public let dataCenter: DataCenter
    /// Writes the token and the public key.
    public let authorizer: any Authorizer
    /// The documented limits.
    public var capabilities: Capabilities
    /// The services that the adapter sends to; the first that has a host counts. Add your own before the known ones.
    public var services: [Service] = Service.known
    /// Whether subscriptions may be at any public host, as UnifiedPush needs. Strangers then choose where this backend
    /// connects to, although never to a private address.
    public var allowsAnyPublicHost = false
    /// The form of the JSON in a message.
    public var format = Format.declarative
    /// The title of notifications that have none.
    public var defaultTitle: String?
    /// The address that a tap opens, for notifications without the option `notification.navigate`.
    public var defaultNavigate: String?
    /// How long a service keeps a message that has no time to live.
    public var defaultLife: Duration = .seconds(86_400)
    /// Messages get zeros up to a multiple of this many bytes, which hides their length from the service. 0 adds none;
    /// 3,993 makes all messages equally long, and too long for Firefox on Android. No message gets longer than its
    /// service takes, or than the limit `payloadBytes`.
    public var paddingBlock = 0
    /// Whether the client may retry a send whose response was lost. The device may show the message twice then, unless
    /// both have the same `notification.tag`.
    public var acceptsDuplicates = false
    /// Whether the message id is the address of the message at the service, which ``recall(_:)`` needs. It is a secret:
    /// whoever knows it may delete the message. Otherwise the id is a digest of the address, as it is for an address at
    /// another origin, or of more than 256 bytes.
    public var keepsLocations = false
    /// When a subscription was registered, if the backend can say so at once; see ``grace``.
    public var registeredAt: (@Sendable (WebPushSubscription) -> Date?)?
    /// A subscription younger than this does not count as dead. Google was seen to call fresh ones gone, and to take
    /// them a moment later. So the date of `invalid(since:)` is this long before the answer: a subscription that was
    /// registered later may be good, and a router keeps its binding. Zero gives no date.
    public var grace: Duration = .seconds(60)

    /// Creates the adapter with the server's keys.
    ///
    /// Refuses with `misconfigured` a subject that a service would not accept.
    /// - Parameters:
    ///   - primary: the key with which browsers subscribe from now on.
    ///   - olderKeys: the keys of older subscriptions. Without its key, a subscription cannot be used.
    ///   - subject: `mailto:` and an address, or an `https:` address. Apple refuses reserved and local domains.
    ///   - dataCenter: see ``dataCenter``.
    public init(
        _ primary: WebPushKey, olderKeys: [WebPushKey] = [], subject: String,
        dataCenter: DataCenter = WebPush.dataCenters.standard
    ) throws(PushError) {
        try WebPushSubject.check(subject)
        self.subject = subject
        primaryKey = primary
        keys = Dictionary((olderKeys + [primary]).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.dataCenter = dataCenter
        authorizer = WebPushAuthorizer()
        capabilities = WebPushLimits.capabilities
        capabilities.declare(roles)
    }

    /// `webpush`, as for the type.
    public var id: ProviderID { Self.id }

    /// The model's calls that Web Push has.
    public var roles: Roles {
        var roles = Roles()
        roles.tokens = tokens
        roles.send = encode
        roles.refusal = refusal
        roles.remarks = remarks
        return roles
    }

    /// Reads the subscription that a browser sent to the backend, for registration. Every fault is found here, not at
    /// the first send.
    ///
    /// Refuses with `invalidArgument` JSON or keys that cannot be used, a host that is not allowed, and a server key
    /// that this adapter does not have.
    /// - Parameters:
    ///   - json: the text of `JSON.stringify(subscription)` in the browser.
    ///   - vapidKey: the id of the server key with which the browser subscribed; nil for the primary one.
    public func subscription(from json: String, vapidKey: String? = nil) throws(PushError) -> WebPushSubscription {
        let subscription = try WebPushSubscription(json: json, vapidKey: vapidKey ?? primaryKey.id)
        _ = try place(of: subscription.endpoint)
        _ = try key(of: subscription)
        return subscription
    }

    /// Whether requests go to a data center of the caller's.
    var isPassing: Bool { dataCenter.services != Self.dataCenters.standard.services }

    /// The key with which a subscription was made.
    func key(of subscription: WebPushSubscription) throws(PushError) -> WebPushKey {
        guard let key = keys[subscription.vapidKey] else {
            throw PushError(
                .invalidArgument,
                "the subscription was made with the server key \(subscription.vapidKey), which this adapter does not "
                    + "have; add it to olderKeys, or have the browser subscribe again")
        }
        return key
    }
}
