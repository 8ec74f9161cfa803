import FoundationEssentials
import PushAdapter
import PushWebPush
import Testing

/// The answers of the services.
extension DiagnosisTests {
    /// A minute before the answer: a younger subscription may only be too fresh.
    static let dead = TargetVerdict.dead(since: Ferry.now.addingTimeInterval(-60))

    static func mozilla(
        _ status: Int, _ errno: Int?, _ kind: PushError.Kind, text: String = "x", code: VendorCode? = nil,
        retry: PushError.Retry = .never, verdict: TargetVerdict? = .isolated
    ) -> Case {
        let body = #"{"code":\#(status),"errno":\#(errno.map(String.init) ?? "null"),"error":"e","message":"\#(text)"}"#
        var row = Case(
            endpoint: Ferry.mozilla, status: status, body: body, code: code ?? errno.map { VendorCode($0) }, kind: kind,
            retry: retry, verdict: verdict)
        if status >= 500 { (row.effect, row.retry, row.verdict) = (.unknown, .backoff, nil) }
        return row
    }

    static let mozilla: [Case] = [
        mozilla(400, 101, .invalidArgument), mozilla(404, 102, .noTarget, verdict: dead),
        mozilla(410, 103, .noTarget, verdict: dead), mozilla(413, 104, .tooLong),
        mozilla(410, 105, .noTarget, verdict: dead), mozilla(410, 106, .noTarget, verdict: dead),
        // The same number as a dead subscription, with another status.
        mozilla(400, 106, .invalidArgument), mozilla(400, 108, .invalidArgument),
        mozilla(401, 109, .unauthorized, retry: .afterRenewal),
        mozilla(400, 110, .invalidArgument), mozilla(400, 111, .invalidArgument), mozilla(400, 112, .invalidArgument),
        mozilla(400, 113, .invalidArgument), mozilla(400, 114, .invalidArgument), mozilla(500, 201, .server),
        mozilla(503, 201, .server), mozilla(503, 202, .server), mozilla(502, 900, .server),
        mozilla(502, 901, .server), mozilla(502, 902, .server), mozilla(502, 903, .server), mozilla(500, 999, .server),
        mozilla(400, nil, .invalidArgument), mozilla(500, nil, .server), mozilla(502, nil, .server),
        mozilla(503, nil, .server), mozilla(400, 77, .invalidArgument), mozilla(410, 109, .noTarget, verdict: dead),
        // A failing server may have acted, whatever it says.
        mozilla(503, 109, .server), mozilla(502, 106, .server),
        Case(endpoint: Ferry.mozilla, status: 404, kind: .noTarget, verdict: dead),
    ]

    static let mozillaTexts: [Case] = [
        ("Missing VAPID token", PushError.Kind.unauthorized), ("Missing VAPID public key", .unauthorized),
        ("Invalid VAPID public key", .unauthorized), ("VAPID public key mismatch", .misconfigured),
        ("Invalid VAPID audience", .unauthorized), ("Invalid VAPID expiry", .unauthorized),
        ("The VAPID token expiration is too long", .unauthorized), ("Unknown auth scheme", .unauthorized),
        ("Invalid VAPID token", .unauthorized), ("ExpiredSignature", .unauthorized),
    ].map { text, kind in
        var row = mozilla(
            401, 109, kind, text: text + ": more", code: VendorCode(text),
            verdict: kind == .misconfigured ? .suspect : .isolated)
        // The client signs a new token, once.
        if ["ExpiredSignature", "Invalid VAPID token"].contains(text) { row.retry = .afterRenewal }
        return row
    }

    static func google(
        _ status: Int, _ text: String, _ kind: PushError.Kind, _ verdict: TargetVerdict = .isolated,
        retry: PushError.Retry = .never
    ) -> Case {
        Case(
            endpoint: Ferry.google, status: status, body: "<p>\(text.uppercased())</p>", code: VendorCode(text),
            kind: kind, retry: retry, verdict: verdict)
    }

    static let tooLong = "binary data passed in the request must be less than 4096 bytes"

    static let google: [Case] = [
        google(400, tooLong, .tooLong),
        google(400, "UnauthorizedRegistration", .unauthorized), google(400, "InvalidTtlParameter", .invalidArgument),
        google(400, "InvalidTokenFormat", .invalidArgument),
        google(401, "authorization header must be specified", .unauthorized),
        google(401, "invalid push subscription endpoint", .unauthorized, retry: .backoff),
        google(403, "invalid push subscription endpoint", .unauthorized, retry: .backoff),
        google(
            403,
            "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.",
            .misconfigured, .suspect),
        google(403, "aud claim in the token MUST include the origin of the push resource URL", .unauthorized),
        google(403, "exp claim MUST NOT be more than 24 hours from the time of the request", .unauthorized),
        google(404, "A valid push subscription endpoint should be specified in the URL as such", .noTarget, dead),
        google(410, "push subscription has unsubscribed or expired.", .noTarget, dead),
        google(410, "NotRegistered", .noTarget, dead),
        Case(endpoint: Ferry.google, status: 410, body: "<html>", kind: .noTarget, verdict: dead),
        Case(endpoint: Ferry.google, status: 400, body: "NotRegistered", code: "NotRegistered", kind: .invalidArgument),
        // A text of the table stays the code where the status decides. Of others, a word is one.
        Case(
            endpoint: Ferry.google, status: 500, body: tooLong, code: VendorCode(tooLong), kind: .server,
            effect: .unknown, retry: .backoff, verdict: nil),
        Case(endpoint: Ferry.google, status: 400, body: "NewInTheYear\n", code: "NewInTheYear", kind: .invalidArgument),
        Case(endpoint: Ferry.google, status: 400, body: "a new text", kind: .invalidArgument),
    ]

    static func apple(
        _ status: Int, _ reason: String, _ kind: PushError.Kind, _ verdict: TargetVerdict? = .isolated,
        retry: PushError.Retry = .never
    ) -> Case {
        var row = Case(
            endpoint: Ferry.apple, status: status, body: #"{"reason":"\#(reason)"}"#, code: VendorCode(reason),
            kind: kind, retry: retry, verdict: verdict)
        if status >= 500 { (row.effect, row.retry, row.verdict) = (.unknown, .backoff, nil) }
        return row
    }

    static let apple: [Case] = [
        apple(400, "BadTtl", .invalidArgument), apple(400, "BadUrgency", .invalidArgument),
        apple(400, "BadWebPushRequest", .invalidArgument), apple(400, "BadWebPushTopic", .invalidArgument),
        apple(400, "VapidPkHashMismatch", .misconfigured, .suspect),
        apple(403, "VapidPkHashMismatch", .misconfigured, .suspect),
        apple(400, "IdleTimeout", .transport, retry: .backoff),
        apple(403, "BadJwtToken", .unauthorized, retry: .afterRenewal),
        apple(403, "BadAuthorizationHeader", .unauthorized), apple(403, "BadVapidPublicKey", .unauthorized),
        apple(404, "BadPath", .noTarget, dead), apple(405, "MethodNotAllowed", .invalidArgument),
        apple(410, "Unregistered", .noTarget, dead), apple(413, "PayloadTooLarge", .tooLong),
        apple(429, "TooManyRequests", .rateLimited, retry: .backoff), apple(500, "InternalServerError", .server),
        apple(503, "ServiceUnavailable", .server), apple(503, "Shutdown", .server),
        apple(400, "NewInTheYear", .invalidArgument), apple(400, "BadPath", .invalidArgument),
    ]

    static func microsoft(
        _ status: Int, _ headers: [String: String], _ code: VendorCode?, _ kind: PushError.Kind,
        _ verdict: TargetVerdict? = .isolated, retry: PushError.Retry = .never
    ) -> Case {
        Case(
            endpoint: Ferry.microsoft, status: status, headers: headers, code: code, kind: kind, retry: retry,
            verdict: verdict)
    }

    static let conflict = "Ttl value conflicts with X-WNS-Cache-Policy."

    static let microsoft: [Case] = [
        microsoft(
            400, ["X-WNS-Error-Description": conflict, "X-WNS-Status": "dropped"], VendorCode(conflict),
            .invalidArgument),
        microsoft(400, [:], nil, .invalidArgument), microsoft(401, [:], nil, .unauthorized, retry: .afterRenewal),
        microsoft(403, [:], nil, .misconfigured, .suspect), microsoft(404, [:], nil, .noTarget, dead),
        microsoft(405, [:], nil, .invalidArgument),
        microsoft(410, ["X-WNS-Status": "dropped"], nil, .noTarget, dead),
        microsoft(406, ["X-WNS-Status": "appThrottled"], "appthrottled", .rateLimited, nil, retry: .backoff),
        microsoft(406, ["X-WNS-Status": "channelthrottled"], "channelthrottled", .rateLimited, retry: .backoff),
        microsoft(406, [:], nil, .rateLimited, nil, retry: .backoff),
        microsoft(429, [:], nil, .rateLimited, nil, retry: .backoff), microsoft(413, [:], nil, .tooLong),
        Case(
            endpoint: Ferry.microsoft, status: 500, headers: ["X-WNS-Error-Description": conflict],
            code: VendorCode(conflict), kind: .server, effect: .unknown, retry: .backoff, verdict: nil),
        // Words that the table does not have.
        microsoft(403, ["X-WNS-Status": "channelBlocked"], "channelblocked", .misconfigured, .suspect),
        microsoft(400, ["X-WNS-Error-Description": "The channel is closed"], .status(400), .invalidArgument),
        // Taken, and dropped.
        microsoft(200, ["X-WNS-Status": "dropped"], "dropped", .noTarget),
        microsoft(201, ["X-WNS-Status": "Dropped"], "dropped", .noTarget),
    ]

    static func ntfy(
        _ status: Int, _ code: Int, _ kind: PushError.Kind, _ verdict: TargetVerdict?, retry: PushError.Retry
    ) -> Case {
        Case(
            endpoint: Ferry.unifiedPush, status: status,
            body: #"{"code":\#(code),"http":\#(status),"error":"e","link":"l"}"#, code: VendorCode(code), kind: kind,
            retry: retry, verdict: verdict)
    }

    static let ntfy: [Case] = [
        ntfy(400, 40009, .invalidArgument, .isolated, retry: .never),
        ntfy(400, 40010, .invalidArgument, .isolated, retry: .never),
        ntfy(403, 40301, .unauthorized, .isolated, retry: .never),
        ntfy(429, 42901, .rateLimited, nil, retry: .backoff), ntfy(429, 42908, .rateLimited, nil, retry: .backoff),
        ntfy(507, 50701, .server, nil, retry: .backoff),
    ]

    static let statuses: [Case] =
        [
            (301, PushError.Kind.misconfigured, TargetVerdict.suspect), (307, .misconfigured, .suspect),
            (400, .invalidArgument, .isolated), (401, .unauthorized, .isolated), (403, .unauthorized, .isolated),
            (404, .noTarget, dead), (405, .invalidArgument, .isolated), (406, .invalidArgument, .isolated),
            (410, .noTarget, dead), (411, .invalidArgument, .isolated), (413, .tooLong, .isolated),
            (415, .invalidArgument, .isolated),
        ].map { status, kind, verdict in
            Case(
                endpoint: Ferry.unifiedPush, status: status, body: "<html>", kind: kind,
                retry: kind == .unauthorized ? .afterRenewal : .never, verdict: verdict)
        } + [
            Case(endpoint: Ferry.unifiedPush, status: 429, kind: .rateLimited, retry: .backoff),
            Case(endpoint: Ferry.google, status: 429, kind: .rateLimited, retry: .backoff),
            Case(endpoint: Ferry.unifiedPush, status: 408, kind: .server, effect: .unknown, retry: .backoff),
            Case(endpoint: Ferry.unifiedPush, status: 418, kind: .unknown, effect: .unknown),
        ]
        + [500, 501, 502, 503, 504, 507, 599].flatMap { status in
            [Ferry.unifiedPush, Ferry.google, Ferry.microsoft].map { endpoint in
                Case(
                    endpoint: endpoint, status: status, body: "down", kind: .server, effect: .unknown, retry: .backoff,
                    verdict: nil)
            }
        }

    static let cases = mozilla + mozillaTexts + google + apple + microsoft + ntfy + statuses
}
