public import PushSimulation

/// Answers to questions that Apple's documents leave open, and limits that a test may want to lower.
public struct APNsSimulatorSettings: Sendable {
    // Connections.

    /// Streams at once, on a connection with a certificate or after the first valid provider token. Observed in 2020.
    public var streamLimit = 1000
    /// Whether a request that passed authentication and is refused afterwards also raises the limit.
    public var raisesLimitAfterRefusal = true
    /// Whether a refusal limits the connection to one stream until the next success. Observed in 2016 and 2020.
    public var lowersLimitAfterRefusal = false
    /// How many times `BadDeviceToken` on one connection end it with GOAWAY; nil for never. Apple publishes no number;
    /// probes with made-up tokens suggest some 50.
    public var badTokensUntilGoAway: Int? = 50
    /// The debug data of GOAWAY frames, as text; nil for a reason in JSON.
    public var goAwayText: String?
    /// Whether GOAWAY comes twice, the second time without debug data.
    public var repeatsGoAway = false
    /// Whether GOAWAY ends a connection with a certificate of the other environment as soon as it opens. Its requests
    /// get status 403 in any case.
    public var endsForeignCertificates = true

    // Provider tokens.

    /// Whether `Bearer` works in capitals too.
    public var acceptsAnyBearerCase = false
    /// Seconds that a token may be issued in the future; nil for any.
    public var mostSecondsAhead: Double? = 3600
    /// Whether a connection refuses all tokens once it refused one as expired.
    public var wedgesAfterExpiry = true
    /// Whether a key of the other environment is refused with `BadEnvironmentKeyIdInToken`, as documented, instead of
    /// the observed `BadEnvironmentKeyInToken`.
    public var namesDocumentedKeyReason = false
    /// Whether the 20 minutes between two tokens of a key count across connections, instead of on each.
    public var countsUpdatesAcrossConnections = false
    /// Whether a connection with too many tokens refuses the older token too, until the 20 minutes have passed.
    public var blocksAfterTooManyUpdates = true
    /// Whether two tokens of a key that were issued in the same second are one.
    public var comparesIssueTimes = false

    // Pushes.

    /// Whether the device token is checked before headers and payload. Apple only says that authentication comes first.
    public var checksDeviceTokenFirst = false
    /// The reason for a topic of no app.
    public var unknownTopicReason = TopicReason.badTopic
    /// The reason for a topic that the key, the certificate or the connection is not for.
    public var foreignTopicReason = TopicReason.topicDisallowed
    /// Whether a background push with priority 10, which is also that of a push without one, is refused.
    public var refusesUrgentBackground = false
    /// What happens to a payload that is not a JSON object.
    public var unreadablePayload = UnreadablePayload.accept
    /// Whether hexadecimal digits of a device token may be capitals.
    public var acceptsUppercaseTokens = true
    /// Pushes in ``tokenSeconds`` to one device token; nil for no limit. Apple publishes none.
    public var pushesPerToken: Int?
    /// The span of ``pushesPerToken``, in seconds.
    public var tokenSeconds = 60.0
    /// Pushes that reach a device without the app before `Unregistered`. Until then they are accepted and lost.
    public var pushesUntilUnregistered = 1
    /// Seconds after the removal of an app before `Unregistered`.
    public var unregisteredDelay = 0.0
    /// Whether the `timestamp` of `Unregistered` is the moment when Apple found out, instead of that of the removal.
    public var datesDetection = true

    // Channels.

    /// Channels that one app can have.
    public var channelLimit = 10_000
    /// Which of Apple's host names take broadcasts. Its documents contradict each other.
    public var broadcastHosts = BroadcastHosts.both
    /// Whether an app without broadcasts gets `FeatureNotEnabled`, as documented, instead of the observed
    /// `BroadcastFeatureNotEnabled`.
    public var namesDocumentedFeatureReason = false
    /// Whether a provider certificate works for channels and broadcasts.
    public var acceptsCertificatesForChannels = true
    /// Whether the push type of broadcasts and channels may have capitals anywhere.
    public var ignoresPushTypeCase = false
    /// Whether a broadcast must have a priority.
    public var needsBroadcastPriority = true
    /// Whether a storage policy with another number than 0 and 1 is refused with `BadRequestParams`, instead of
    /// `BadRequestPayload`.
    public var namesBadPolicyParams = false
    /// The status of the answer with a new channel. One report has 200.
    public var createStatus = 201
    /// Whether the deletion of a channel that does not exist is refused with 404 `BadPath`, as observed, instead of the
    /// documented reasons.
    public var answersUnknownDeleteWithPath = true
    /// Broadcasts a minute to one channel; nil for no limit. Apple publishes none.
    public var broadcastsPerMinute: Int?
    /// Whether broadcasts in the development environment are answered with `apns-unique-id`.
    public var identifiesBroadcasts = true

    // Responses.

    /// Whether refusals have a `content-type`. Real ones were seen without.
    public var writesContentType = false
    /// Whether status 503 of channels and broadcasts says `Service Unavailable`, with a blank as documented.
    public var spacesServiceUnavailable = true
    /// Whether scripted failures with status 503 say `Shutdown`.
    public var failsWithShutdown = false

    // How tests see messages.

    /// The keys beside `aps` under which the app finds a custom message, in a push that shows nothing. The content of a
    /// push without the key of the content is everything beside `aps`, as JSON.
    public var customKeys = CustomMessageKeys()

    /// A reason to refuse a topic.
    public enum TopicReason: String, Sendable, Hashable {
        /// Status 400.
        case badTopic = "BadTopic"
        /// Status 400.
        case topicDisallowed = "TopicDisallowed"
        /// Status 403.
        case invalidProviderToken = "InvalidProviderToken"
    }

    /// What happens to a payload that is not a JSON object.
    public enum UnreadablePayload: Sendable, Hashable {
        /// It is accepted, and the device ignores it.
        case accept
        /// `PayloadEmpty`.
        case payloadEmpty
        /// `BadRequestPayload`.
        case badRequestPayload
    }

    /// Host names of Apple.
    public enum BroadcastHosts: Sendable, Hashable {
        /// `api.push.apple.com`, and the one of the development environment.
        case ordinary
        /// `api-broadcast.push.apple.com`, and the one of the development environment.
        case dedicated
        /// All of these.
        case both
    }

    /// The documented or observed answers.
    public init() {}
}
