public import PushSimulation

/// Answers to questions that Apple's documents leave open, and limits that a test may want to lower.
public struct APNsSimulatorSettings: Sendable {
    // Connections.

    /// Concurrent streams on a connection with a certificate or after the first valid provider token. Observed in 2020.
    public var streamLimit = 1000
    /// Whether a request that passes authentication but is refused later also raises the limit.
    public var raisesLimitAfterRefusal = true
    /// Whether a refusal limits the connection to one stream until the next success. Observed in 2016 and 2020.
    public var lowersLimitAfterRefusal = false
    /// The number of `BadDeviceToken` refusals after which a connection ends with GOAWAY; nil for never. Apple
    /// publishes no number; probes with made-up tokens suggest about 50.
    public var badTokensUntilGoAway: Int? = 50
    /// The debug data of GOAWAY frames, as text; nil for a reason in JSON.
    public var goAwayText: String?
    /// Whether GOAWAY is sent twice, the second time without debug data.
    public var repeatsGoAway = false
    /// Whether a connection with a certificate of the other environment gets GOAWAY as soon as it opens. Its requests
    /// get status 403 in any case.
    public var endsForeignCertificates = true

    // Provider tokens.

    /// Whether the scheme `Bearer` may contain capitals.
    public var acceptsAnyBearerCase = false
    /// How far in the future a token may be issued, in seconds; nil for no limit.
    public var mostSecondsAhead: Double? = 3600
    /// Whether a connection refuses all tokens after it refused one as expired.
    public var wedgesAfterExpiry = true
    /// Whether a key of the other environment is refused with `BadEnvironmentKeyIdInToken`, as documented, instead of
    /// the observed `BadEnvironmentKeyInToken`.
    public var namesDocumentedKeyReason = false
    /// Whether the 20 minutes between two tokens of a key count across connections, instead of on each.
    public var countsUpdatesAcrossConnections = false
    /// Whether a connection with too many tokens refuses the older token too, until the 20 minutes have passed.
    public var blocksAfterTooManyUpdates = true
    /// Whether two tokens of a key count as one if they were issued in the same second.
    public var comparesIssueTimes = false

    // Pushes.

    /// Whether the device token is checked before headers and payload. Apple only says that authentication comes first.
    public var checksDeviceTokenFirst = false
    /// The reason for a topic that belongs to no app.
    public var unknownTopicReason = TopicReason.badTopic
    /// The reason for a topic that the key, the certificate or the connection does not cover.
    public var foreignTopicReason = TopicReason.topicDisallowed
    /// Whether a background push with priority 10 is refused. A push without a priority has 10.
    public var refusesUrgentBackground = false
    /// The handling of a payload that is not a JSON object.
    public var unreadablePayload = UnreadablePayload.accept
    /// Whether the hexadecimal digits of a device token may be capitals.
    public var acceptsUppercaseTokens = true
    /// The pushes that one device token may get in ``tokenSeconds``; nil for no limit. Apple publishes none.
    public var pushesPerToken: Int?
    /// The span of ``pushesPerToken``, in seconds.
    public var tokenSeconds = 60.0
    /// The pushes that a device without the app must get before `Unregistered`. Until then they are accepted and lost.
    public var pushesUntilUnregistered = 1
    /// The seconds between the removal of an app and `Unregistered`.
    public var unregisteredDelay = 0.0
    /// Whether the `timestamp` of `Unregistered` is the time of Apple's discovery, not of the removal.
    public var datesDetection = true

    // Channels.

    /// The number of channels that one app can have.
    public var channelLimit = 10_000
    /// The host names that take broadcasts. Apple's documents contradict each other.
    public var broadcastHosts = BroadcastHosts.both
    /// Whether an app without broadcasts gets `FeatureNotEnabled`, as documented, instead of the observed
    /// `BroadcastFeatureNotEnabled`.
    public var namesDocumentedFeatureReason = false
    /// Whether a provider certificate allows channels and broadcasts.
    public var acceptsCertificatesForChannels = true
    /// Whether the push type of broadcasts and channels ignores case.
    public var ignoresPushTypeCase = false
    /// Whether a broadcast must have a priority.
    public var needsBroadcastPriority = true
    /// Whether a storage policy other than 0 and 1 is refused with `BadRequestParams`, not `BadRequestPayload`.
    public var namesBadPolicyParams = false
    /// The status of the response to a new channel. One report has 200.
    public var createStatus = 201
    /// Whether deleting a missing channel is refused with 404 `BadPath`, as observed, instead of the documented
    /// reasons.
    public var answersUnknownDeleteWithPath = true
    /// Broadcasts per minute to one channel; nil for no limit. Apple publishes none.
    public var broadcastsPerMinute: Int?
    /// Whether broadcasts in the development environment are answered with an `apns-unique-id`.
    public var identifiesBroadcasts = true

    // Responses.

    /// Whether refusals have a `content-type`. Real refusals were seen without.
    public var writesContentType = false
    /// Whether status 503 of channels and broadcasts says `Service Unavailable`, with a space as documented.
    public var spacesServiceUnavailable = true
    /// Whether scripted failures with status 503 say `Shutdown`.
    public var failsWithShutdown = false

    // How tests see messages.

    /// The keys beside `aps` that carry a custom message, in a push that shows nothing. If the content key is missing,
    /// the content is everything beside `aps`, as JSON.
    public var customKeys = CustomMessageKeys()

    /// The reason for refusing a topic.
    public enum TopicReason: String, Sendable, Hashable {
        /// Status 400.
        case badTopic = "BadTopic"
        /// Status 400.
        case topicDisallowed = "TopicDisallowed"
        /// Status 403.
        case invalidProviderToken = "InvalidProviderToken"
    }

    /// The handling of a payload that is not a JSON object.
    public enum UnreadablePayload: Sendable, Hashable {
        /// Accepts it; the device ignores it.
        case accept
        /// Refuses it with `PayloadEmpty`.
        case payloadEmpty
        /// Refuses it with `BadRequestPayload`.
        case badRequestPayload
    }

    /// Apple's host names.
    public enum BroadcastHosts: Sendable, Hashable {
        /// `api.push.apple.com` and its counterpart in the development environment.
        case ordinary
        /// `api-broadcast.push.apple.com` and its counterpart in the development environment.
        case dedicated
        /// All four.
        case both
    }

    /// The documented or observed behavior.
    public init() {}
}
