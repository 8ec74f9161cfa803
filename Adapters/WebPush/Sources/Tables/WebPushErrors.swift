import PushAdapter

/// The meanings of the services' codes and texts, by the form in which they appear, and of the statuses by themselves.
///
/// The kinds decide the verdict on the subscription: `noTarget` means that it is gone, and `misconfigured` that it was
/// made with another server key. See `WebPush.diagnose(_:to:)`.
enum WebPushErrors {
    static let rows: [VendorErrorRow] =
        autopush.on(WebPushDialect.autopush.rawValue) + texts.on(WebPushDialect.autopushTexts)
        + google.on(WebPushDialect.fcm.rawValue) + apple.on(WebPushDialect.apple.rawValue)
        + microsoft.on(WebPushDialect.wns.rawValue) + ntfy.on(WebPushDialect.ntfy.rawValue)
        + statuses.on(WebPushDialect.statuses)

    /// Whether a throttle is about all requests to an origin. RFC 8030, section 8.4, has it about one subscription.
    static func isAboutOrigin(_ row: VendorErrorRow) -> Bool {
        row.code != channelThrottle && [WebPushDialect.wns, .ntfy].contains { $0.rawValue == row.surface }
    }

    private static let channelThrottle: VendorCode = "channelthrottled"

    private static let code = "mozilla-services/autopush-rs 4ebe2624"
    private static let page = "mozilla-services/autopush-rs 4ebe2624, docs/src/errors.md"
    private static let pages = "Sending web push notifications in web apps and browsers, Apple, 2026"
    private static let windows = "Push notification service request and response headers, Microsoft (native apps)"
    private static let seen = "seen in published answers, 2016 to 2026"
    private static let server = "binwiederhier/ntfy 81a486ad"
    private static let topics = "binwiederhier/ntfy 01fd4754, server/errors.go"
    private static let rfc = "RFC 8030"

    private static let gone = "the subscription has ended: remove it"
    private static let otherKey =
        "the subscription was made with another server key; sign with that one, or have the browser subscribe again"
    private static let tooLong = "the message is too long"
    private static let unwell = "the service failed; the message may be stored"

    private static let autopush: [VendorErrorRow] = [
        .refused(101, .invalidArgument, "the encryption is incomplete", page),
        .refused(102, .noTarget, gone, code),
        .refused(103, .noTarget, gone, code),
        .refused(104, .tooLong, tooLong + "; for Firefox on Android, more than 2,912 bytes may be", code),
        .refused(105, .noTarget, gone, code),
        .refused(106, .noTarget, gone, code),
        .refused(108, .invalidArgument, "the endpoint names an unknown kind of client", code),
        renewing(109, "the token is missing or wrong", code),
        .refused(110, .invalidArgument, "the header fields of the encryption are wrong", code),
        .refused(111, .invalidArgument, "the time to live is missing or no number", code),
        .refused(112, .invalidArgument, "the time to live is not valid", page),
        .refused(113, .invalidArgument, "the topic is not valid", code),
        .refused(114, .invalidArgument, "the time to live is negative", code),
        .failed(201, .server, "the message could not be stored", code),
        .failed(202, .server, "the service was not available for a moment", page),
        .failed(900, .server, "the bridge to the device is not set up", page),
        .failed(901, .server, "the bridge to the device refuses the service itself", code),
        .failed(902, .server, "the bridge to the device is out of reach", code),
        .failed(903, .server, "the bridge to the device did not answer in time", code),
        .failed(999, .server, unwell, page),
    ]

    private static let texts: [VendorErrorRow] = [
        .refused("Missing VAPID token", .unauthorized, "the request has no token", code),
        .refused("Missing VAPID public key", .unauthorized, "the request has no public key", code),
        .refused("Invalid VAPID public key", .unauthorized, "the public key cannot be read", code),
        .refused("VAPID public key mismatch", .misconfigured, otherKey, code),
        .refused("Invalid VAPID audience", .unauthorized, "the token is for another origin", code),
        .refused("Invalid VAPID expiry", .unauthorized, "the end of the token cannot be read", code),
        .refused(
            "The VAPID token expiration is too long", .unauthorized,
            "the token ends in more than 24 hours; look at this machine's clock", code),
        .refused("Unknown auth scheme", .unauthorized, "the service does not know the scheme vapid", code),
        renewing("Invalid VAPID token", "the token is not valid, or has ended", code),
        renewing("ExpiredSignature", "the token has ended; look at this machine's clock", code),
    ]

    private static let google: [VendorErrorRow] = [
        .refused("binary data passed in the request must be less than 4096 bytes", .tooLong, tooLong, seen),
        .refused("UnauthorizedRegistration", .unauthorized, "the token or the server key does not fit", seen),
        .refused("InvalidTtlParameter", .invalidArgument, "the time to live is not valid", seen),
        .refused("InvalidTokenFormat", .invalidArgument, "the endpoint is malformed", seen),
        .refused("authorization header must be specified", .unauthorized, "the request has no token", seen),
        // Came and went by itself for days.
        VendorErrorRow(
            code: "invalid push subscription endpoint", kind: .unauthorized, retry: .backoff, effect: .notApplied,
            advice: "the service does not take the endpoint now; it was seen to take it later", source: seen),
        .refused(
            "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.",
            .misconfigured, otherKey, seen),
        .refused(
            "aud claim in the token MUST include the origin of the push resource URL", .unauthorized,
            "the token is for another origin", seen),
        .refused(
            "exp claim MUST NOT be more than 24 hours from the time of the request", .unauthorized,
            "the token ends in more than 24 hours; look at this machine's clock", seen),
        .refused("A valid push subscription endpoint should be specified in the URL as such", .noTarget, gone, seen),
        .refused("push subscription has unsubscribed or expired.", .noTarget, gone, seen),
        .refused("NotRegistered", .noTarget, gone, seen),
    ]

    private static let apple: [VendorErrorRow] = [
        .refused("BadTtl", .invalidArgument, "the time to live is missing, or 0", pages),
        .refused("BadUrgency", .invalidArgument, "the urgency is not valid", pages),
        .refused("BadWebPushRequest", .invalidArgument, "the request is malformed", pages),
        .refused("BadWebPushTopic", .invalidArgument, "the topic is not valid", pages),
        .refused("VapidPkHashMismatch", .misconfigured, otherKey, pages),
        VendorErrorRow(
            code: "IdleTimeout", kind: .transport, retry: .backoff, effect: .notApplied,
            advice: "the connection was idle for too long; another one works", source: pages
        ).endingConnection(),
        renewing(
            "BadJwtToken",
            "the token is refused; look at the subject, which has to be a real address, and at this machine's clock",
            pages),
        .refused("BadAuthorizationHeader", .unauthorized, "the header field of the token is malformed", pages),
        .refused("BadVapidPublicKey", .unauthorized, "the public key is malformed", pages),
        .refused("BadPath", .noTarget, gone, pages),
        .refused("MethodNotAllowed", .invalidArgument, "no such method", pages),
        .refused("PayloadTooLarge", .tooLong, tooLong, pages),
        .throttled("TooManyRequests", .rateLimited, "too many messages to one device", pages),
        .failed("InternalServerError", .server, unwell, pages),
        .failed("ServiceUnavailable", .server, "the service is not available", pages),
        .failed("Shutdown", .server, "the server is going down", pages).endingConnection(),
    ]

    private static let microsoft: [VendorErrorRow] = [
        .refused(
            "Ttl value conflicts with X-WNS-Cache-Policy.", .invalidArgument,
            "the time to live does not fit the cache policy", seen),
        .refused(.status(403), .misconfigured, otherKey, windows),
        .throttled("appthrottled", .rateLimited, "too many messages of this sender", seen),
        .throttled(channelThrottle, .rateLimited, "too many messages to one device", windows),
        .throttled(.status(406), .rateLimited, "too many messages", windows),
        .throttled(.status(429), .rateLimited, "too many messages", seen),
        .refused(
            "dropped", .noTarget, "the service took the message and dropped it: the device is offline, or throttled",
            windows),
    ]

    private static let ntfy: [VendorErrorRow] = [
        .refused(40009, .invalidArgument, "the server takes no topic of this name", topics),
        .refused(40010, .invalidArgument, "the server takes no topic of this name", topics),
        .refused(40301, .unauthorized, "the server does not let everyone write to this topic", server),
        .throttled(42901, .rateLimited, "too many messages", server),
        .throttled(42908, .rateLimited, "the day's messages are used up", server),
        .throttled(50701, .server, "no app has asked for this topic lately; it may later", server).certain(at: 507),
    ]

    private static let statuses: [VendorErrorRow] = [
        .refused("3xx", .misconfigured, "a redirect, which the library never follows", "RFC 9110"),
        .refused(.status(400), .invalidArgument, "the service calls the request malformed", rfc),
        renewing(.status(401), "the token is missing or refused; look at subject, key and clock", rfc),
        renewing(.status(403), "the token is refused; look at subject, key and clock", "RFC 8292"),
        .refused(.status(404), .noTarget, gone, rfc),
        .refused(.status(405), .invalidArgument, "the service does not take the method", rfc),
        .refused(.status(406), .invalidArgument, "the service does not take the request", "RFC 9110"),
        .failed(.status(408), .server, "the service did not wait for the request", "RFC 9110"),
        .refused(.status(410), .noTarget, gone, "no RFC; every known service"),
        .refused(.status(411), .invalidArgument, "the request has no length", "RFC 9110"),
        .refused(.status(413), .tooLong, tooLong, rfc),
        .refused(.status(415), .invalidArgument, "the service does not take the content type", "RFC 9110"),
        .throttled(.status(429), .rateLimited, "too many messages to one device", rfc),
        .failed(.status(500), .server, unwell, "RFC 9110"),
        .failed(.status(502), .server, unwell, "RFC 9110"),
        .failed(.status(503), .server, "the service is not available", "RFC 9110"),
        .failed(.status(504), .server, unwell, "RFC 9110"),
        .failed(.status(507), .server, unwell, "RFC 4918"),
    ]

    /// A refusal of a token that may have ended: the client makes another, and tries once again.
    private static func renewing(_ code: VendorCode, _ advice: String, _ source: String) -> VendorErrorRow {
        VendorErrorRow(
            code: code, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied, advice: advice, source: source)
    }
}
