import FoundationEssentials
import PushAdapter
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push errors")
struct DiagnosisTests {
    /// A response to a send, and the expected error. By default, it is a refusal that did nothing, that no
    /// repetition helps, and that says nothing against the subscription.
    struct Case: Sendable, CustomTestStringConvertible {
        var endpoint: String
        var status: Int
        var body = ""
        var headers: [String: String] = [:]
        var code: VendorCode?
        var kind: PushError.Kind
        var effect: PushError.Effect = .notApplied
        var retry: PushError.Retry = .never
        var verdict: TargetVerdict? = .isolated

        var testDescription: String { "\(status) \(body) \(headers) \(endpoint.prefix(30))" }
    }

    /// A minute before the answer: a younger subscription may only be too fresh.
    private static let dead = TargetVerdict.dead(since: Ferry.now.addingTimeInterval(-60))

    private static func mozilla(
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

    private static let mozilla: [Case] = [
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

    private static let mozillaTexts: [Case] = [
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

    private static func google(
        _ status: Int, _ text: String, _ kind: PushError.Kind, _ verdict: TargetVerdict = .isolated,
        retry: PushError.Retry = .never
    ) -> Case {
        Case(
            endpoint: Ferry.google, status: status, body: "<p>\(text.uppercased())</p>", code: VendorCode(text),
            kind: kind, retry: retry, verdict: verdict)
    }

    private static let tooLong = "binary data passed in the request must be less than 4096 bytes"

    private static let google: [Case] = [
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

    private static func apple(
        _ status: Int, _ reason: String, _ kind: PushError.Kind, _ verdict: TargetVerdict? = .isolated,
        retry: PushError.Retry = .never
    ) -> Case {
        var row = Case(
            endpoint: Ferry.apple, status: status, body: #"{"reason":"\#(reason)"}"#, code: VendorCode(reason),
            kind: kind, retry: retry, verdict: verdict)
        if status >= 500 { (row.effect, row.retry, row.verdict) = (.unknown, .backoff, nil) }
        return row
    }

    private static let apple: [Case] = [
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

    private static func microsoft(
        _ status: Int, _ headers: [String: String], _ code: VendorCode?, _ kind: PushError.Kind,
        _ verdict: TargetVerdict? = .isolated, retry: PushError.Retry = .never
    ) -> Case {
        Case(
            endpoint: Ferry.microsoft, status: status, headers: headers, code: code, kind: kind, retry: retry,
            verdict: verdict)
    }

    private static let conflict = "Ttl value conflicts with X-WNS-Cache-Policy."

    private static let microsoft: [Case] = [
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

    private static func ntfy(
        _ status: Int, _ code: Int, _ kind: PushError.Kind, _ verdict: TargetVerdict?, retry: PushError.Retry
    ) -> Case {
        Case(
            endpoint: Ferry.unifiedPush, status: status,
            body: #"{"code":\#(code),"http":\#(status),"error":"e","link":"l"}"#, code: VendorCode(code), kind: kind,
            retry: retry, verdict: verdict)
    }

    private static let ntfy: [Case] = [
        ntfy(400, 40009, .invalidArgument, .isolated, retry: .never),
        ntfy(400, 40010, .invalidArgument, .isolated, retry: .never),
        ntfy(403, 40301, .unauthorized, .isolated, retry: .never),
        ntfy(429, 42901, .rateLimited, nil, retry: .backoff), ntfy(429, 42908, .rateLimited, nil, retry: .backoff),
        ntfy(507, 50701, .server, nil, retry: .backoff),
    ]

    private static let statuses: [Case] =
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

    private static let cases = mozilla + mozillaTexts + google + apple + microsoft + ntfy + statuses

    private func diagnose(_ row: Case, for operation: Feature = .send, by webPush: WebPush? = nil) throws -> PushError?
    {
        let webPush = try webPush ?? Ferry.webPush()
        let exchange = try webPush.exchange(.shown, to: row.endpoint)
        var response = WireResponse(row.status, row.body, row.headers.map { ($0.key, $0.value) })
        response.receivedAt = Ferry.now
        return webPush.diagnose(response, to: VendorCall(operation, exchange.request, inputs: exchange.inputs))
    }

    @Test("each error has its kind, retry, effect and verdict", arguments: cases)
    func rows(row: Case) throws {
        let error = try #require(try diagnose(row))
        #expect(error.kind == row.kind && error.effect == row.effect && error.retry == row.retry)
        #expect(error.vendor?.verdict == row.verdict && error.vendor?.httpStatus == row.status)
        #expect(row.code == nil ? error.vendor?.code != "dropped" : error.vendor?.code == row.code)
        #expect(!error.message.isEmpty)
        // One service, or a stranger's server, must not end a list that has others.
        #expect(error.endsList == false)
    }

    @Test("a text of Google's is kept, also one that the table does not have, and no page")
    func text() throws {
        for (body, text) in [(Self.tooLong, Self.tooLong), ("a new text", "a new text"), ("<html>", nil), (" ", nil)] {
            let row = Case(endpoint: Ferry.google, status: 400, body: body, kind: .unknown)
            #expect(try diagnose(row)?.vendor?.message == text)
        }
    }

    @Test("a description of Microsoft's is kept, also one that the table does not have")
    func description() throws {
        for text in [Self.conflict, "The channel is closed"] {
            let row = Self.microsoft(400, ["X-WNS-Error-Description": text], nil, .invalidArgument)
            #expect(try diagnose(row)?.vendor?.message == text)
        }
    }

    @Test("a call that is no send says nothing about a subscription", arguments: cases)
    func otherCalls(row: Case) throws {
        let error = try #require(try diagnose(row, for: "webpush.messages.delete"))
        #expect(error.kind == row.kind && error.effect == row.effect && error.vendor?.verdict == nil)
    }

    @Test("each row of the adapter's table has a case")
    func table() {
        let named = Set(Self.cases.compactMap(\.code))
        for row in WebPush.errorRows {
            let isStatus = row.code.rawValue.hasPrefix("HTTP ")
            let status = Int(row.code.rawValue.dropFirst(5))
            let isTried = isStatus ? Self.cases.contains { $0.status == status } : named.contains(row.code)
            #expect(isTried || row.code == "3xx", "\(row.surface) \(row.code)")
            #expect(!row.source.isEmpty && !row.advice.isEmpty)
        }
        #expect(Set(WebPush.errorRows.map { "\($0.surface) \($0.code)" }).count == WebPush.errorRows.count)
    }

    @Test("only 404 and 410 end a subscription, whatever the code is")
    func deaths() {
        for row in Self.cases { #expect((row.verdict == Self.dead) == [404, 410].contains(row.status)) }
    }

    @Test("a 200 with the code of an error is that error, and ends no subscription")
    func refusedSuccess() throws {
        let bodies = [(Ferry.mozilla, #"{"errno":106}"#), (Ferry.apple, #"{"reason":"BadPath"}"#)]
        for (endpoint, body) in bodies {
            let error = try #require(try diagnose(Case(endpoint: endpoint, status: 200, body: body, kind: .noTarget)))
            #expect(error.kind == .noTarget && error.effect == .notApplied && error.vendor?.verdict == .isolated)
        }
        let page = Case(endpoint: Ferry.mozilla, status: 200, body: "<html>", kind: .unknown)
        #expect(try diagnose(page) == nil)
    }

    @Test("another 2xx is no error, whatever the body is", arguments: [201, 202, 204])
    func successes(status: Int) throws {
        for endpoint in [Ferry.mozilla, Ferry.google, Ferry.apple, Ferry.microsoft, Ferry.unifiedPush] {
            let row = Case(
                endpoint: endpoint, status: status, body: #"{"errno":106,"reason":"BadPath"}"#,
                headers: ["X-WNS-Status": "received"], kind: .unknown)
            #expect(try diagnose(row) == nil)
        }
    }

    private static let ages: [(age: Double?, isDead: Bool)] = [
        (0, false), (59, false), (60, true), (86_400, true), (nil, true),
    ]

    @Test("a young subscription is suspect, where the backend knows its age", arguments: ages)
    func grace(age: Double?, isDead: Bool) throws {
        var webPush = try Ferry.webPush()
        webPush.registeredAt = { subscription in
            subscription.endpoint == Ferry.google ? age.map { Ferry.now.addingTimeInterval(-$0) } : nil
        }
        let gone = Case(endpoint: Ferry.google, status: 410, kind: .noTarget)
        let error = try #require(try diagnose(gone, by: webPush))
        #expect(error.vendor?.verdict == (isDead ? Self.dead : .suspect) && error.effect == .notApplied)
        #expect(error.retry == (isDead ? .never : .after(.seconds(60))))
        let other = Case(endpoint: Ferry.mozilla, status: 410, kind: .noTarget)
        #expect(try diagnose(other, by: webPush)?.vendor?.verdict == Self.dead)
    }

    @Test("the date of a death is the grace before the answer, if there is any", arguments: [0, 1, 300])
    func date(grace: Int) throws {
        var webPush = try Ferry.webPush()
        webPush.grace = .seconds(grace)
        let date = grace == 0 ? nil : Ferry.now.addingTimeInterval(-Double(grace))
        for status in [404, 410] {
            let gone = Case(endpoint: Ferry.apple, status: status, kind: .noTarget)
            #expect(try diagnose(gone, by: webPush)?.vendor?.verdict == .dead(since: date))
        }
    }

    private static let waits: [(text: String, seconds: Int?)] = [
        ("900", 900), ("1", 1), ("0", nil), ("-1", nil), ("soon", nil), ("9999999", nil), ("99999999999999999999", nil),
    ]

    @Test("Edge's own field for the wait is read", arguments: waits)
    func facts(text: String, seconds: Int?) throws {
        let response = WireResponse(406, "", [("X-WNS-CONTINUE-AFTER", text)])
        #expect(try Ferry.webPush().facts(in: response).rate?.reset == seconds.map { .seconds($0) })
        #expect(try Ferry.webPush().facts(in: response).requestID == nil)
    }

    @Test("a wait that comes with 503 is for all of the origin", arguments: waits)
    func unavailable(text: String, seconds: Int?) throws {
        let wait = seconds.map { Duration.seconds($0) }
        let response = WireResponse(503, "", [("Retry-After", text)])
        let rate = try Ferry.webPush().facts(in: response).rate
        #expect(rate == wait.map { RateFacts(remaining: 0, reset: $0) })
        // Of a throttle, the client reads the field.
        #expect(try Ferry.webPush().facts(in: WireResponse(429, "", [("Retry-After", text)])).rate == nil)
    }

    private static let hostile = [
        String(repeating: "[", count: 5000), #"{"errno":1e99,"code":-1,"http":{},"reason":[]}"#, "\u{0}\u{FFFF}",
        #"{"errno":99999999999999999999999,"message":"\#(String(repeating: "x", count: 60_000))"}"#,
        #"{"reason":"\#(String(repeating: "Secret9", count: 5000))"}"#,
    ]

    @Test("a hostile body changes nothing but its code", arguments: hostile)
    func bodies(body: String) throws {
        for endpoint in [Ferry.mozilla, Ferry.google, Ferry.apple, Ferry.microsoft, Ferry.unifiedPush] {
            let error = try #require(try diagnose(Case(endpoint: endpoint, status: 400, body: body, kind: .unknown)))
            #expect(error.kind == .invalidArgument && error.vendor?.verdict == .isolated)
            #expect(error.description.utf8.count < 1000 && !error.description.contains("Secret9"))
            #expect((error.vendor?.body.count ?? 0) <= 512 && (error.vendor?.message?.utf8.count ?? 0) <= 1200)
        }
    }
}
