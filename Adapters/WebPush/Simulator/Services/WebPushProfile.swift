/// How one push service checks, answers and stores: a row of data.
///
/// Change a copy to answer a question otherwise. A service that has no refusal for a fault does not look for the fault.
public struct WebPushProfile: Sendable {
    // Addresses.

    /// The name of the row.
    public var name: String
    /// Where an endpoint's path begins: `/wpush/v2/`.
    public var path = "/push/"
    /// The same for a subscription without the key of a server; nil if the service gives none.
    public var openPath: String?
    /// The rest of an endpoint, after its id.
    public var query = ""
    /// The characters of an endpoint's id.
    public var idCount = 43
    /// Where the path of a stored message begins, which `Location` names; nil if the service names none.
    public var messagePath: String? = "/m/"
    /// Whether DELETE on the `Location` removes a stored message.
    public var deletesMessages = false

    // Checks and answers.

    /// The steps of the checks, in their order.
    public var checks: [WebPushCheck] = [
        .frame, .credentials, .serverKey, .subscription, .rate, .size, .ttl, .encoding, .topic, .urgency,
    ]
    /// The refusals.
    public var refusals: [WebPushFault: WebPushRefusal] = [:]
    /// How they are written.
    public var form: WebPushRefusal.Form
    /// The answer to an accepted push.
    public var acceptance = Acceptance()
    /// The refusal of a scripted failure, by its status. Any other status has no code.
    public var failures: [Int: WebPushRefusal] = [:]

    // Credentials.

    /// The schemes of `Authorization`, in lower case. `webpush` and `bearer` are those of the first draft.
    public var schemes: Set<String> = ["vapid"]
    /// Whether `k` may have the usual alphabet of Base64, and padding.
    public var takesPlainBase64 = false
    /// The most seconds until `exp`.
    public var tokenLife = 86_400.0
    /// The least seconds between two tokens of a key; nil for none.
    public var tokenInterval: Double?

    // Messages.

    /// The longest body in bytes.
    public var bodyBytes = 4096
    /// Whether a longer body is cut, and accepted.
    public var cutsBodies = false
    /// The encodings of bodies.
    public var encodings: Set<String> = ["aes128gcm"]
    /// Whether a topic may end in padding.
    public var takesPaddedTopics = false
    /// Whether `Topic` replaces a stored message.
    public var readsTopics = true
    /// The life of a message without a readable `TTL`, in seconds, where that is accepted.
    public var usualTTL = 43_200
    /// Whether `TTL` is read.
    public var readsTTL = true
    /// The longest life of a message in seconds.
    public var longestTTL = 1 << 31
    /// The pushes that a subscription may get in ``rateSeconds``; nil for no limit. No service publishes one.
    public var pushes: Int?
    /// The span of ``pushes``.
    public var rateSeconds = 60.0

    // Subscriptions.

    /// The seconds without a connection after which a subscription ends; nil for never.
    public var absence: Double?
    /// The seconds for which a new subscription is denied.
    public var freshSeconds = 0.0
    /// The stored messages above which a browser that connects loses all its subscriptions; nil for no limit.
    public var backlog: Int?

    init(_ name: String, _ form: WebPushRefusal.Form) { (self.name, self.form) = (name, form) }

    /// The answer to an accepted push.
    public struct Acceptance: Sendable {
        /// The HTTP status.
        public var status = 201
        /// Whether it says how long the message is kept.
        public var hasTTL = false
        /// The header field with the message's id; nil for none.
        public var idField: String?
        /// Further header fields.
        public var fields: [String: String] = [:]
        /// Whether its body describes the message, as JSON.
        public var describesMessage = false
    }

    // MARK: Refusals

    /// The refusal for a fault. A fault that the service does not know is a bad request.
    func refusal(_ fault: WebPushFault) -> WebPushRefusal { refusals[fault] ?? WebPushRefusal(400) }

    /// Refuses a fault, if it is there and the service looks for it.
    func refuse(_ fault: WebPushFault, if isThere: Bool) throws(WebPushRefusal) {
        if isThere, let refusal = refusals[fault] { throw refusal }
    }
}
