public import PushSimulation

/// Limits that a test may want to lower, and answers to questions that the vendor's documents leave open.
public struct FCMSimulatorSettings: Sendable {
    // Rates.

    /// Messages a minute to one Android device.
    public var deviceSendsPerMinute = 240
    /// Messages an hour to one Android device.
    public var deviceSendsPerHour = 5000
    /// Messages a minute to one topic; nil for no limit. The vendor publishes none.
    public var topicSendsPerMinute: Int?
    /// Changes of subscriptions a second, for each project.
    public var subscriptionChangesPerSecond = 3000
    /// Topics that one registration can have.
    public var topicsPerRegistration = 2000
    /// Whether a dry run uses the project's quota.
    public var countsDryRuns = true
    /// Whether a call for topics uses the project's quota for messages.
    public var countsTopicCalls = false
    /// Seconds that responses with status 429 and 503 name in `Retry-After`; nil for responses without it.
    public var retryAfter: Int?
    /// Whether the response over a project's quota also has an `FcmError` with `QUOTA_EXCEEDED`.
    public var namesQuotaCode = false

    // Access tokens.

    /// Seconds by which the times of an assertion may differ from the clock.
    public var clockSkew = 300.0
    /// Seconds that an access token is valid, as `expires_in` says.
    public var accessTokenLife = 3599
    /// Whether `expires_in` is a text.
    public var writesLifeAsText = false
    /// Whether a token that a service account signed itself works as a bearer, without an exchange.
    public var acceptsSelfSignedTokens = false

    // What a request may contain.

    /// Bytes of keys and values in the data of a message. Production was seen to accept a value of 4,505 bytes.
    public var payloadBytes = 4096
    /// The same for messages to topics and conditions; nil for the same limit. Older pages say 2,048.
    public var topicPayloadBytes: Int?
    /// Whether the texts of notifications and the payload for APNs also count.
    public var countsNotifications = false
    /// Whether every data key that begins with `google` or `gcm` is refused, as in older references, instead of those
    /// that begin with `google.` and `gcm.notification.`.
    public var reservesOlderKeys = false
    /// Whether the topic of a message may begin with `/topics/`. The vendor's SDKs remove it before they send.
    public var acceptsTopicPrefix = false
    /// Whether a dry run of a change of a Live Activity may be for a topic or a condition. The vendor's page only says that a
    /// change also needs a registration token, and that a dry run makes every check.
    public var acceptsBroadActivitiesInDryRuns = false
    /// Whether the server refuses the analytics labels that SDKs refuse.
    public var checksAnalyticsLabels = true
    /// Characters from which an unknown text with a colon counts as a token that has expired, not as malformed.
    public var shortestToken = 100
    /// Whether Instance ID calls need the header `access_token_auth: true`.
    public var needsAccessTokenHeader = true
    /// Seconds since 1970 when Instance ID stops: 29 September 2027. Nil for never.
    public var instanceIDEnd: Double? = 1_822_176_000

    // Responses.

    /// Whether the refusal of a malformed token names the field `message.token`.
    public var namesTokenField = true
    /// Whether refusals of the topic API have an `FcmError`.
    public var topicErrorsHaveCode = false
    /// Whether the topic API writes its keys in camel case.
    public var writesCamelCase = false
    /// Whether a subscription in a response has its `name`; a sample of the vendor lacks it.
    public var namesSubscriptions = true
    /// Whether a dry run answers with `fake_message_id` instead of a number.
    public var fakesDryRunIDs = false

    // Delivery.

    /// Messages that a registration accepts, and loses, after it was unregistered.
    public var sendsAfterUnregistering = 0
    /// Seconds until a new subscription receives messages.
    public var topicDelay = 0.0
    /// Which stored messages without a collapse key replace each other, by the name of the app's package.
    public var collapsedWithoutKey = Collapse.notifications
    /// Whether keys of the payload for APNs replace the same keys of the message's data.
    public var payloadWinsOverData = true

    // How tests see messages.

    /// The data keys under which the app finds a message without a notification. The content of a message without the
    /// key of the content is its data as JSON.
    public var customKeys = CustomMessageKeys()
    /// Whether a delivered message has the whole resource name as its id, as in the response.
    public var showsWholeNames = false
    /// The start of topics that stand for tags; a snapshot shows them decoded and without it, and hides all others.
    public var tagPrefix = ""

    /// Messages that replace each other while they wait for a device.
    public enum Collapse: Sendable, Hashable {
        /// None of them.
        case never
        /// Messages with a notification.
        case notifications
        /// All of them.
        case all
    }

    /// The documented limits, and the assumptions above.
    public init() {}
}
