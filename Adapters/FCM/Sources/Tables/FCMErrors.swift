import PushAdapter

/// The meanings of the codes of the vendor's APIs, by the place where they appear in a response.
///
/// A refusal means that nothing was done. After a failure inside the vendor, the effect of a send is unknown, and the
/// vendor has no idempotency keys for a safe retry.
enum FCMErrors {
    typealias Row = VendorErrorRow

    /// The place where a code appears, from the most to the least specific.
    enum Surface: String {
        /// `errorCode` of a detail of the type FcmError.
        case send
        /// `reason` of a detail of the type ErrorInfo.
        case reason
        /// `status` of the envelope.
        case status
        /// `error` of Instance ID, for one token or for a whole call.
        case instance
        /// `error` of the token endpoint.
        case token
    }

    static let rows: [Row] = [
        (Surface.send, send), (.reason, reason), (.status, status), (.instance, instance), (.token, token),
    ].flatMap {
        surface, rows in rows.sorted { $0.code < $1.code }.on(surface.rawValue)
    }

    private static let codesPage = "FCM error codes, 2026"
    private static let captures = "responses captured from production, 2026-07"
    private static let reasonsPage = "google.api.ErrorReason, 2026"
    private static let oauthPage = "OAuth 2.0 for server to server applications"
    private static let retryPage = "Scale FCM, 2025"

    private static let send: [Row] = [
        Row(
            code: "UNSPECIFIED_ERROR", kind: .unknown, retry: .never, effect: .unknown,
            advice: "the vendor says no more", source: codesPage),
        .refused(
            "INVALID_ARGUMENT", .invalidArgument,
            "the message or the target is not valid; the vendor's message names the field", codesPage),
        .refused("UNREGISTERED", .noTarget, "the token or installation is gone: remove it", codesPage),
        .refused(
            "SENDER_ID_MISMATCH", .misconfigured,
            "the token belongs to another project; if many do, the key is for the wrong project", codesPage),
        .throttled("QUOTA_EXCEEDED", .rateLimited, "too many messages to the project, device or topic", codesPage),
        .failed("UNAVAILABLE", .server, "the vendor is overloaded", codesPage),
        .failed("INTERNAL", .server, "the vendor failed", codesPage),
        .refused("THIRD_PARTY_AUTH_ERROR", .misconfigured, thirdParty, codesPage),
        .refused("APNS_AUTH_ERROR", .misconfigured, thirdParty, "older name in the vendor's libraries, 2026"),
    ]

    private static let thirdParty =
        "Apple or the web push service refuses the project's key: upload a valid one in the console"

    private static let reason: [Row] = [
        .refused("CREDENTIALS_MISSING", .unauthorized, "the request has no token", captures),
        renewing("ACCESS_TOKEN_EXPIRED", "the access token has expired", captures),
        renewing("ACCESS_TOKEN_TYPE_UNSUPPORTED", "the token is of a kind that FCM does not take", reasonsPage),
        .refused(
            "ACCESS_TOKEN_SCOPE_INSUFFICIENT", .unauthorized, "the token lacks the scope firebase.messaging",
            reasonsPage),
        .refused(
            "IAM_PERMISSION_DENIED", .unauthorized,
            "the account lacks the role, or the project does not exist; a new role takes a minute", reasonsPage),
        .refused(
            "SERVICE_DISABLED", .misconfigured, "the project has not enabled the Firebase Cloud Messaging API", captures
        ),
        .refused("BILLING_DISABLED", .blocked, "the project's billing is disabled", reasonsPage),
        .refused("CONSUMER_INVALID", .misconfigured, "the project is invalid or deleted", reasonsPage),
        .refused("CONSUMER_SUSPENDED", .blocked, "the project is suspended", reasonsPage),
        .refused("USER_PROJECT_DENIED", .unauthorized, "the account may not use the project's quota", reasonsPage),
        .refused("SECURITY_POLICY_VIOLATED", .blocked, "a policy of the organization refuses the call", reasonsPage),
        .throttled(
            "RATE_LIMIT_EXCEEDED", .rateLimited, "the project's quota of messages a minute is used up", captures),
        .throttled("RESOURCE_QUOTA_EXCEEDED", .quotaExhausted, "a quota of the project is used up", reasonsPage),
    ]

    private static let status: [Row] = [
        .refused(
            "INVALID_ARGUMENT", .invalidArgument,
            "the request does not fit the vendor's schema, or a condition is malformed",
            captures),
        renewing("UNAUTHENTICATED", "the access token is refused", captures),
        .refused("PERMISSION_DENIED", .unauthorized, "the account may not do this in the project", captures),
        .refused("NOT_FOUND", .misconfigured, "no such project or path", captures),
        .throttled("RESOURCE_EXHAUSTED", .rateLimited, "too many requests", captures),
        .failed("INTERNAL", .server, "the vendor failed", retryPage),
        .failed("UNAVAILABLE", .server, "the vendor is overloaded", retryPage),
        .failed("DEADLINE_EXCEEDED", .server, "the vendor did not finish in time", retryPage),
    ]

    private static let instancePage = "Instance ID server reference; the vendor's libraries, 2026"

    private static let instance: [Row] = [
        .refused("NOT_FOUND", .noTarget, "the token is gone: remove it", instancePage),
        .refused("INVALID_ARGUMENT", .noTarget, "the token is malformed, or of another sender", instancePage),
        .refused(
            "PERMISSION_DENIED", .unauthorized,
            "the token is of another project, or the account has no access to its own", instancePage),
        .refused("TOO_MANY_TOPICS", .limitExceeded, "the device has 2,000 topics", instancePage),
        .throttled("RESOURCE_EXHAUSTED", .rateLimited, "too many changes", instancePage),
        .failed("INTERNAL", .server, "the vendor failed", instancePage),
        .failed("DEADLINE_EXCEEDED", .server, "the vendor did not finish in time", instancePage),
        .failed("UNKNOWN", .server, "the vendor says no more", instancePage),
    ]

    private static let token: [Row] = [
        .refused(
            "invalid_grant", .unauthorized,
            "Google refuses the assertion: the key or account was deleted, or this machine's clock is wrong", oauthPage),
        .refused("invalid_scope", .misconfigured, "Google does not know the scope", oauthPage),
        .refused("invalid_request", .misconfigured, "the request lacks a parameter", oauthPage),
        .refused("unsupported_grant_type", .misconfigured, "the address takes no assertions", oauthPage),
        .refused("invalid_client", .unauthorized, "the account or its key is not valid", oauthPage),
        .refused("unauthorized_client", .unauthorized, "the account may not get tokens this way", oauthPage),
        .refused("disabled_client", .unauthorized, "the account or its key is disabled", oauthPage),
        .refused("deleted_client", .unauthorized, "the account was deleted", oauthPage),
        .refused("access_denied", .unauthorized, "Google refuses the account", oauthPage),
        .refused("admin_policy_enforced", .blocked, "a policy of the organization refuses the account", oauthPage),
        .refused("org_internal", .blocked, "the account is limited to another organization", oauthPage),
        .failed("internal_failure", .server, "Google's token service failed", oauthPage),
        .failed("server_error", .server, "Google's token service failed", oauthPage),
        .failed("temporarily_unavailable", .server, "Google's token service is busy", oauthPage),
    ]

    /// A refusal that a new token may fix.
    private static func renewing(_ code: VendorCode, _ advice: String, _ source: String) -> Row {
        Row(
            code: code, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied, advice: advice, source: source)
    }
}
