public import PushSimulation

/// Limits that a test may want to lower, and answers to questions that the vendor's documents leave open.
public struct FCMSimulatorSettings: Sendable {
    // Rates.

    /// Messages per minute to one Android device.
    public var deviceSendsPerMinute = 240
    /// Messages per hour to one Android device.
    public var deviceSendsPerHour = 5000
    /// Messages per minute to one topic; nil for no limit. The vendor publishes none.
    public var topicSendsPerMinute: Int?
    /// Subscription changes per second, for each project.
    public var subscriptionChangesPerSecond = 3000
    /// Topics that one registration can have.
    public var topicsPerRegistration = 2000
    /// Whether a dry run uses the project's quota.
    public var countsDryRuns = true
    /// Whether a topic call uses the project's message quota.
    public var countsTopicCalls = false
    /// The `Retry-After` of responses with status 429 and 503, in seconds; nil for responses without it.
    public var retryAfter: Int?
    /// Whether the response for an exceeded project quota also has an `FcmError` with `QUOTA_EXCEEDED`.
    public var namesQuotaCode = false

    // Access tokens.

    /// The tolerance for an assertion's times, in seconds.
    public var clockSkew = 300.0
    /// The life of an access token in seconds, as written in `expires_in`.
    public var accessTokenLife = 3599
    /// Whether `expires_in` is a text.
    public var writesLifeAsText = false
    /// Whether a token signed by the service account itself works as a bearer token, without an exchange.
    public var acceptsSelfSignedTokens = false

    // The contents of a request.

    /// Bytes of keys and values in the data of a message. Production was seen accepting a value of 4,505 bytes.
    public var payloadBytes = 4096
    /// The limit for messages to topics and conditions; nil for the same limit. Older pages say 2,048.
    public var topicPayloadBytes: Int?
    /// Whether the texts of notifications and the payload for APNs count, too.
    public var countsNotifications = false
    /// Whether every data key that begins with `google` or `gcm` is refused, as in older references. Otherwise only
    /// those that begin with `google.` and `gcm.notification.` are.
    public var reservesOlderKeys = false
    /// Whether the topic of a message may begin with `/topics/`. The vendor's SDKs remove this prefix before sending.
    public var acceptsTopicPrefix = false
    /// Whether a dry run may change a Live Activity for a topic or a condition. The vendor's page says only that a
    /// change also needs a registration token, and that a dry run makes every check.
    public var acceptsBroadActivitiesInDryRuns = false
    /// Whether the server refuses the analytics labels that the SDKs refuse.
    public var checksAnalyticsLabels = true
    /// The length from which an unknown text with a colon counts as an expired token instead of a malformed one.
    public var shortestToken = 100
    /// Whether Instance ID calls need the header `access_token_auth: true`.
    public var needsAccessTokenHeader = true
    /// The end of Instance ID, in seconds since 1970: 29 September 2027. Nil for never.
    public var instanceIDEnd: Double? = 1_822_176_000

    // Responses.

    /// Whether the refusal of a malformed token names the field `message.token`.
    public var namesTokenField = true
    /// Whether refusals of the topic API have an `FcmError`.
    public var topicErrorsHaveCode = false
    /// Whether the topic API writes its keys in camel case.
    public var writesCamelCase = false
    /// Whether a subscription in a response has its `name`. One of the vendor's samples lacks it.
    public var namesSubscriptions = true
    /// Whether a dry run answers with `fake_message_id` instead of a number.
    public var fakesDryRunIDs = false

    // Delivery.

    /// Messages that a registration accepts, and loses, after it was unregistered.
    public var sendsAfterUnregistering = 0
    /// Seconds until a new subscription receives messages.
    public var topicDelay = 0.0
    /// Which waiting messages without a collapse key replace each other. They collapse under the app's package name.
    public var collapsedWithoutKey = Collapse.notifications
    /// Whether keys of the APNs payload replace the same keys of the message's data.
    public var payloadWinsOverData = true

    // How tests see messages.

    /// The data keys that carry a custom message in a message without a notification. If the content key is missing,
    /// the content is the whole data as JSON.
    public var customKeys = CustomMessageKeys()
    /// Whether a delivered message has the whole resource name as its id, as in the response.
    public var showsWholeNames = false
    /// The prefix of topics that stand for tags. A snapshot shows these decoded and without the prefix, and hides all
    /// others.
    public var tagPrefix = ""

    /// Which messages replace each other while they wait for a device.
    public enum Collapse: Sendable, Hashable {
        /// None of them.
        case never
        /// Messages with a notification.
        case notifications
        /// All of them.
        case all
    }

    /// The documented limits and the assumptions above.
    public init() {}
}
