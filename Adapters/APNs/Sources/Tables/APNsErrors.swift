import PushAdapter

/// The meanings of the vendor's reasons, by the place where they appear. A refusal means that nothing was done. After a
/// failure inside the vendor, the effect is unknown.
enum APNsErrors {
    typealias Row = VendorErrorRow

    /// The place where a reason appears.
    enum Surface: String, CaseIterable {
        /// The response to a push.
        case push = "provider-push"
        /// The response to a call about channels, or to a broadcast.
        case broadcast
        /// The debug data of a GOAWAY frame. The transport reports these reasons; no response carries them.
        case goAway = "goaway"
        /// The error code of an RST_STREAM frame. The transport reports these codes; no response carries them.
        case reset = "http2-reset"
    }

    static let rows: [Row] = [(Surface.push, push), (.broadcast, broadcast), (.goAway, goAway), (.reset, reset)].flatMap
    {
        surface, rows in rows.sorted { $0.code < $1.code }.on(surface.rawValue)
    }

    private static let answers = "Handling notification responses from APNs, 2026"
    private static let errors = "Handling error responses from Apple Push Notification service, 2026"
    private static let observed = "seen in answers of 2025 and 2026"

    private static let push: [Row] =
        access(answers) + failures(answers) + [
            .refused("BadCollapseId", .tooLong, "the collapse id has more than 64 bytes", answers),
            .refused(
                "BadDeviceToken", .noTarget,
                "the token is malformed, or of the other environment; look at your environment before you remove it",
                answers),
            .refused("BadExpirationDate", .invalidArgument, "the expiration is not valid", answers),
            .refused("BadMessageId", .invalidArgument, "the id of the push is no UUID", answers),
            .refused("BadPriority", .invalidArgument, "the priority is not valid", answers),
            .refused("BadTopic", .misconfigured, "the topic is not valid", answers),
            .refused(
                "DeviceTokenNotForTopic", .misconfigured,
                "the token is of another app, or for another type of push", answers),
            .refused("DuplicateHeaders", .invalidArgument, "a header field is repeated", answers),
            Row(
                code: "IdleTimeout", kind: .transport, retry: .backoff, effect: .notApplied,
                advice: "the connection was idle for too long; another one works", source: answers
            ).endingConnection(),
            .refused(
                "InvalidPushType", .invalidArgument, "the push type is not valid, or does not fit the topic", answers),
            .refused("MissingDeviceToken", .invalidArgument, "the path has no token", answers),
            .refused("MissingTopic", .misconfigured, "the request has no topic", answers),
            .refused("PayloadEmpty", .invalidArgument, "the payload is empty", answers),
            .refused(
                "TopicDisallowed", .invalidArgument,
                "the key may not push to this topic, or the token is for another type of push", answers),
            .refused("Forbidden", .blocked, "the vendor does not allow it", answers),
            .refused("ExpiredToken", .noTarget, "the device's token has expired: remove it", answers),
            .refused("Unregistered", .noTarget, "the token is no longer valid for the topic: remove it", answers),
            .refused("PayloadTooLarge", .tooLong, "the payload has more than 4,096 bytes, of a call 5,120", answers),
            .throttled(
                "TooManyRequests", .rateLimited, "too many pushes to one device in a row; the vendor names no number",
                answers),
            .failed("ServiceUnavailable", .server, "the vendor is not available", answers),
        ]

    private static let broadcast: [Row] =
        access(errors) + failures(errors) + [
            .refused("FeatureNotEnabled", .misconfigured, capability, errors),
            .refused("BroadcastFeatureNotEnabled", .misconfigured, capability, observed),
            .refused("MissingChannelId", .invalidArgument, "the request names no channel", errors),
            .refused("BadChannelId", .noTarget, "there was never a channel with this id", errors),
            .refused("ChannelNotRegistered", .noTarget, "the channel was deleted", errors),
            .refused("BadRequestParams", .invalidArgument, "a parameter is not valid", errors),
            .refused("BadRequestPayload", .invalidArgument, "the payload is not valid", errors),
            .refused("PayloadEmpty", .invalidArgument, "the payload is empty", errors),
            .refused("BadMessageId", .invalidArgument, "the id of the request is no UUID", errors),
            .refused("MissingPushType", .invalidArgument, "the request has no push type", errors),
            .refused("InvalidPushType", .invalidArgument, "the push type is not valid", errors),
            .refused(
                "CannotCreateChannelConfig", .limitExceeded,
                "the vendor could not make the channel; an app has at most 10,000 in each environment", errors),
            .refused(
                "BadExpirationDate", .invalidArgument,
                "the expiration is missing, or is not 0 for a channel that stores nothing", errors),
            .refused("BadPriority", .invalidArgument, "the priority is not valid", errors),
            .refused("TopicDisallowed", .misconfigured, "the key may not use this app", errors),
            .refused("TopicMismatch", .misconfigured, "the certificate is of another app", errors),
            .refused("PayloadTooLarge", .tooLong, "the payload has more than 5,120 bytes", errors),
            .throttled("TooManyRequests", .rateLimited, "too many requests", errors),
            // Only this page writes it with a space.
            .failed("Service Unavailable", .server, "the vendor is not available", errors),
            .failed("ServiceUnavailable", .server, "the vendor is not available", answers),
        ]

    private static let capability = "the app id lacks the broadcast capability; turn it on in the developer account"

    private static let goAway: [Row] = [
        Row.refused(
            "BadCertificateEnvironment", .misconfigured, "the certificate is of the other environment", observed
        ).endingConnection(),
        Row.failed(
            "Maximum active streams violated for this endpoint.", .transport, "too many requests at once", observed
        ).endingConnection(),
        Row.failed("Shutdown", .server, "the server is going down", answers).endingConnection(),
    ]

    private static let reset: [Row] = [
        Row(
            code: "REFUSED_STREAM", kind: .transport, retry: .backoff, effect: .notApplied,
            advice: "more requests at once than the server allows", source: "RFC 9113, 8.7"),
        Row(
            code: "STREAM_CLOSED", kind: .transport, retry: .never, effect: .unknown,
            advice: "seen as a second reset of a refused request", source: observed),
    ]

    // MARK: Both

    private static func access(_ page: String) -> [Row] {
        let environment = "the key is of the other environment"
        return [
            .refused("BadCertificate", .unauthorized, "the certificate is not valid", page).endingConnection(),
            .refused(
                "BadCertificateEnvironment", .misconfigured, "the certificate is of the other environment", page
            ).endingConnection(),
            Row(
                code: "ExpiredProviderToken", kind: .unauthorized, retry: .afterRenewal, effect: .notApplied,
                advice: "the provider token is older than an hour; look at this machine's clock", source: page
            ).endingConnection(),
            .refused(
                "InvalidProviderToken", .unauthorized,
                "the provider token is refused: the key, its id, the team or this machine's clock is wrong, or the key was revoked",
                page),
            .refused(
                "MissingProviderToken", .unauthorized, "the request has no token, the connection no certificate", page),
            .refused(
                "UnrelatedKeyIdInToken", .unauthorized, "the connection was used with another key", answers
            ).endingConnection(),
            .refused("BadEnvironmentKeyIdInToken", .misconfigured, environment, answers),
            .refused("BadEnvironmentKeyInToken", .misconfigured, environment, observed),
            .refused("BadPath", .misconfigured, "no such path; of a channel, no such channel", page),
            .refused("MethodNotAllowed", .misconfigured, "no such method", page),
            .throttled(
                "TooManyProviderTokenUpdates", .rateLimited,
                "the provider token changed within 20 minutes; share one token among all processes", page
            ).endingConnection(),
        ]
    }

    private static func failures(_ page: String) -> [Row] {
        [
            .failed("InternalServerError", .server, "the vendor failed", page),
            .failed("Shutdown", .server, "the server is going down", page).endingConnection(),
        ]
    }
}
