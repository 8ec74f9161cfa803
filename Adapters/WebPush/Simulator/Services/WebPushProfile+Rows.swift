/// The rows. `[?]` marks a value that no document or observation settles; change it in a copy of the row.
extension WebPushProfile {
    /// All rows, by the order of their names here.
    public static let all = [rfc, mozilla, google, apple, windows, ntfy]

    /// A service that does exactly what RFC 8030, 8291 and 8292 say, with the statuses that they suggest.
    public static let rfc: WebPushProfile = {
        var row = WebPushProfile("rfc", .empty)
        row.openPath = "/push/open/"
        row.deletesMessages = true
        row.acceptance.hasTTL = true
        row.refusals = statuses([
            404: [.unknownPath, .gone, .stale], 405: [.method], 401: [.noAuthorization],
            403: [.badScheme, .badKey, .badToken, .badAudience, .expired, .longLife, .foreignKey], 413: [.tooLarge],
            400: [.noTTL, .negativeTTL, .badTopic, .doubledUrgency, .badEncoding, .badBody, .sharedKey],
        ])
        row.refusals[.rate] = WebPushRefusal(429, fields: ["Retry-After": "60"])
        return row
    }()

    /// Mozilla's autopush, from its source of July 2026. Its documents allow 4,096 bytes; its code, without a setting,
    /// 5,630.
    public static let mozilla: WebPushProfile = {
        var row = WebPushProfile("mozilla", .autopush)
        (row.path, row.openPath, row.idCount) = ("/wpush/v2/", "/wpush/v1/", 150)
        row.deletesMessages = true
        row.acceptance.hasTTL = true
        (row.schemes, row.takesPlainBase64) = (["vapid", "webpush", "bearer"], true)
        (row.encodings, row.takesPaddedTopics) = (["aes128gcm", "aesgcm"], true)
        row.longestTTL = 30 * 86_400
        (row.absence, row.backlog) = (60 * 86_400, 150)
        let unauthorized = { (text: String) in WebPushRefusal(401, "109", text) }
        let gone = WebPushRefusal(
            410, "106", "the subscription does not exist", fields: ["Cache-Control": "max-age=86400"])
        row.refusals = [
            .unknownPath: WebPushRefusal(404, "102").bare, .gone: gone, .stale: gone,
            .noAuthorization: unauthorized("Missing VAPID token"), .badScheme: unauthorized("Unknown auth scheme"),
            .badKey: unauthorized("Invalid VAPID public key"), .badToken: unauthorized("Invalid VAPID token"),
            .badAudience: unauthorized("Invalid VAPID audience"),
            .expired: unauthorized("Invalid VAPID token: ExpiredSignature"),
            .longLife: unauthorized("The VAPID token expiration is too long"),
            .foreignKey: unauthorized("VAPID public key mismatch"),
            .tooLarge: WebPushRefusal(413, "104", "the body is too long"),
            .noTTL: WebPushRefusal(400, "111", "TTL is missing"),
            .negativeTTL: WebPushRefusal(400, "114", "TTL is negative"),
            .badTopic: WebPushRefusal(400, "113", "Topic is invalid"),
            .badEncoding: WebPushRefusal(400, "110", "Content-Encoding is missing or unknown"),
            .mixedEncodings: WebPushRefusal(400, "110", "the header fields belong to an older encoding"),
            // [?] Autopush has no code for a rate.
            .rate: WebPushRefusal(429, "", "too many requests", fields: ["Retry-After": "60"]),
        ]
        row.failures[503] = WebPushRefusal(503, "201", "try again later", fields: ["Retry-After": "120"])
        return row
    }()

    /// Google's service for Chromium, from texts that senders published. A relay's code says that the size is checked
    /// before the token.
    public static let google: WebPushProfile = {
        var row = WebPushProfile("google", .text)
        (row.path, row.idCount) = ("/fcm/send/", 150)
        row.checks = [.frame, .size, .credentials, .serverKey, .subscription, .rate, .ttl, .encoding, .topic, .urgency]
        row.encodings = ["aes128gcm", "aesgcm"]
        // [?] Third parties say 28 days; whether a longer life is clipped or refused is unknown.
        row.longestTTL = 28 * 86_400
        row.absence = 270 * 86_400
        let lost = WebPushRefusal(
            404, "", "A valid push subscription endpoint should be specified in the URL as such: /wp/")
        let gone = WebPushRefusal(410, "", "push subscription has unsubscribed or expired.")
        let audience = "aud claim in the token MUST include the origin of the push resource URL"
        let life = "exp claim MUST NOT be more than 24 hours from the time of the request"
        let mismatch =
            "the VAPID credentials in the authorization header do not correspond to the credentials used to create "
            + "the subscriptions."
        row.refusals = [
            .unknownPath: lost, .stale: lost, .gone: gone, .fresh: gone,
            .noAuthorization: WebPushRefusal(401, "", "authorization header must be specified"),
            .badAudience: WebPushRefusal(403, "", audience), .longLife: WebPushRefusal(403, "", life),
            .foreignKey: WebPushRefusal(403, "", mismatch),
            .tooLarge: WebPushRefusal(400, "", "binary data passed in the request must be less than 4096 bytes"),
        ]
        // [?] The texts of these are not known.
        row.refusals.merge(statuses([403: [.badScheme, .badKey, .badToken, .expired]])) { old, _ in old }
        row.refusals.merge(statuses([400: [.noTTL, .negativeTTL, .badTopic, .badEncoding, .badBody]])) { old, _ in old }
        // [?] Whether the answer says how long to wait is unknown.
        row.refusals[.rate] = WebPushRefusal(429, fields: ["Retry-After": "60"])
        return row
    }()

    /// Apple's service for Safari, from its page of reasons. The page gives no status for most of them. `sub` is
    /// checked as senders observed it.
    public static let apple: WebPushProfile = {
        var row = WebPushProfile("apple", .reason)
        (row.path, row.idCount, row.messagePath) = ("/Q", 150, nil)
        row.longestTTL = 30 * 86_400
        row.acceptance.idField = "apns-id"
        row.refusals = reasons(
            403,
            [
                "BadAuthorizationHeader": [.noAuthorization, .badScheme], "BadVapidPublicKey": [.badKey],
                "BadJwtToken": [.badToken, .badAudience, .expired, .longLife, .badSubject],
            ]
        )
        .merging(
            reasons(
                400,
                [
                    // A TTL of 0 is taken. [?] The page refuses one that is "not positive".
                    "VapidPkHashMismatch": [.foreignKey], "BadTtl": [.noTTL, .negativeTTL],
                    "BadWebPushTopic": [.badTopic],
                    "BadUrgency": [.badUrgency, .doubledUrgency], "BadWebPushRequest": [.badEncoding, .badBody],
                ])
        ) { old, _ in old }
        row.refusals[.unknownPath] = WebPushRefusal(404, "BadPath")
        row.refusals[.method] = WebPushRefusal(405, "MethodNotAllowed")
        // [?] The page lists no reason for 410.
        row.refusals[.gone] = WebPushRefusal(410, "Unregistered")
        row.refusals[.tooLarge] = WebPushRefusal(413, "PayloadTooLarge")
        row.refusals[.rate] = WebPushRefusal(429, "TooManyRequests")
        // [?] The page asks for at most one token an hour. Set `tokenInterval` to 3,600 to hold senders to it.
        row.refusals[.renewedTooSoon] = WebPushRefusal(429, "TooManyRequests")
        row.failures[500] = WebPushRefusal(500, "InternalServerError")
        row.failures[503] = WebPushRefusal(503, "ServiceUnavailable")
        return row
    }()

    /// Microsoft's service for Edge. Its pages describe native apps; Web Push is known from errors that senders
    /// published, so most statuses are [?].
    public static let windows: WebPushProfile = {
        var row = WebPushProfile("windows", .windows)
        (row.path, row.query, row.idCount, row.messagePath) = ("/w/?token=", "%2fA%3d%3d", 120, nil)
        row.bodyBytes = 5000
        row.acceptance.idField = "X-WNS-Msg-ID"
        row.acceptance.fields = ["X-WNS-Status": "received"]
        row.refusals = statuses([
            404: [.unknownPath], 405: [.method], 411: [.chunked], 401: [.noAuthorization], 410: [.gone],
            403: [.badScheme, .badKey, .badToken, .badAudience, .expired, .longLife, .foreignKey], 413: [.tooLarge],
            400: [.noTTL, .negativeTTL],
        ])
        row.refusals[.zeroTTL] = WebPushRefusal(400, "", "Ttl value conflicts with X-WNS-Cache-Policy.")
        // Seen in 2022. Since 2026, 429 was seen too.
        row.refusals[.rate] = WebPushRefusal(406, "channelthrottled", fields: ["Retry-After": "900"])
        return row
    }()

    /// ntfy as a server of UnifiedPush, from its source of July 2025. It reads neither the token nor `TTL`, `Topic` and
    /// `Urgency`, cuts long bodies, and never says that a subscription ended.
    public static let ntfy: WebPushProfile = {
        var row = WebPushProfile("ntfy", .ntfy)
        (row.path, row.openPath, row.query, row.idCount) = ("/up", "/up", "?up=1", 12)
        row.checks = [.frame, .subscription, .rate, .size]
        row.messagePath = nil
        (row.cutsBodies, row.readsTTL, row.readsTopics) = (true, false, false)
        row.acceptance.status = 200
        row.acceptance.describesMessage = true
        let inactive = WebPushRefusal(507, "50701", "no subscriber of this topic has been active")
        (row.refusals[.unknownPath], row.refusals[.gone]) = (inactive, inactive)
        row.refusals[.rate] = WebPushRefusal(429, "42901", "limit reached: too many requests")
        return row
    }()

    // MARK: Tables

    /// Refusals without a code, by their status.
    private static func statuses(_ table: [Int: [WebPushFault]]) -> [WebPushFault: WebPushRefusal] {
        Dictionary(
            table.flatMap { status, faults in faults.map { ($0, WebPushRefusal(status)) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Refusals of one status, by their reason.
    private static func reasons(
        _ status: Int, _ table: [String: [WebPushFault]]
    ) -> [WebPushFault: WebPushRefusal] {
        Dictionary(
            table.flatMap { reason, faults in faults.map { ($0, WebPushRefusal(status, reason)) } },
            uniquingKeysWith: { first, _ in first })
    }
}
