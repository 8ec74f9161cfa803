import FoundationEssentials
import PushAPNs
import PushAdapter
import TestSupport
import Testing

@Suite("APNs errors")
struct DiagnosisTests {
    /// A reason from the vendor's pages or seen in responses, with the expected error.
    struct Case: Sendable, CustomTestStringConvertible {
        var reason: String
        var status: Int
        var kind: PushError.Kind
        var retry = PushError.Retry.never
        var effect = PushError.Effect.notApplied
        var endsConnection = false
        var verdict: TargetVerdict?

        var testDescription: String { "\(status) \(reason)" }

        init(
            _ status: Int, _ reason: String, _ kind: PushError.Kind, retry: PushError.Retry = .never,
            endsConnection: Bool = false, verdict: TargetVerdict? = nil
        ) {
            (self.reason, self.status, self.kind, self.retry) = (reason, status, kind, retry)
            (self.endsConnection, self.verdict) = (endsConnection, verdict)
        }

        /// Refusals that did nothing and that no repetition helps.
        static func refused(_ kind: PushError.Kind, _ status: Int, _ reasons: String...) -> [Case] {
            reasons.map { Case(status, $0, kind) }
        }

        /// A failure inside the vendor, whose effect is unknown.
        static func failed(
            _ status: Int, _ reason: String, _ kind: PushError.Kind = .server, retry: PushError.Retry = .backoff,
            endsConnection: Bool = false
        ) -> Case {
            var row = Case(status, reason, kind, retry: retry, endsConnection: endsConnection)
            row.effect = .unknown
            return row
        }
    }

    private static let id = "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"

    private func diagnose(
        _ status: Int, _ text: String, for operation: Feature = .send, _ headers: [(String, String)] = [],
        at moment: Date = .distantPast
    ) throws -> PushError? {
        var response = WireResponse(status, text, headers)
        response.receivedAt = moment
        return try Shop.apns().diagnose(response, to: VendorCall(operation, WireRequest(.post, "apns")))
    }

    private func check(_ expected: Case, for operation: Feature = .send) throws {
        let text = #"{"reason":"\#(expected.reason)"}"#
        let error = try #require(try diagnose(expected.status, text, for: operation))
        // One page writes a reason with a space.
        #expect(error.vendor?.code?.rawValue == expected.reason.replacing(" ", with: ""))
        #expect(error.vendor?.httpStatus == expected.status && error.kind == expected.kind)
        #expect(error.retry == expected.retry && error.effect == expected.effect)
        #expect(error.vendor?.endsConnection == expected.endsConnection && error.vendor?.verdict == expected.verdict)
        #expect(!error.message.isEmpty)
    }

    /// Reasons that mean the same in the responses to a push and to a broadcast.
    private static let both: [Case] =
        Case.refused(.unauthorized, 403, "InvalidProviderToken", "MissingProviderToken")
        + Case.refused(.misconfigured, 403, "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken")
        + Case.refused(.misconfigured, 404, "BadPath") + Case.refused(.misconfigured, 405, "MethodNotAllowed") + [
            Case(403, "BadCertificate", .unauthorized, endsConnection: true),
            Case(403, "UnrelatedKeyIdInToken", .unauthorized, endsConnection: true),
            Case(403, "BadCertificateEnvironment", .misconfigured, endsConnection: true),
            Case(403, "ExpiredProviderToken", .unauthorized, retry: .afterRenewal, endsConnection: true),
            Case(429, "TooManyProviderTokenUpdates", .rateLimited, retry: .backoff, endsConnection: true),
            .failed(500, "InternalServerError"), .failed(503, "ServiceUnavailable"),
            .failed(503, "Shutdown", endsConnection: true),
        ]

    private static let pushes: [Case] =
        both
        + Case.refused(
            .invalidArgument, 400, "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders",
            "InvalidPushType", "MissingDeviceToken", "PayloadEmpty", "TopicDisallowed")
        + Case.refused(.misconfigured, 400, "BadTopic", "MissingTopic") + Case.refused(.tooLong, 400, "BadCollapseId")
        + Case.refused(.tooLong, 413, "PayloadTooLarge") + Case.refused(.blocked, 403, "Forbidden") + [
            Case(400, "BadDeviceToken", .noTarget, verdict: .suspect),
            Case(400, "DeviceTokenNotForTopic", .misconfigured, verdict: .suspect),
            Case(400, "IdleTimeout", .transport, retry: .backoff, endsConnection: true),
            Case(410, "ExpiredToken", .noTarget, verdict: .dead()),
            Case(410, "Unregistered", .noTarget, verdict: .dead()),
            Case(429, "TooManyRequests", .rateLimited, retry: .backoff, verdict: .isolated),
        ]

    private static let broadcasts: [Case] =
        both
        + Case.refused(
            .invalidArgument, 400, "MissingChannelId", "BadRequestParams", "BadRequestPayload", "PayloadEmpty",
            "BadMessageId", "MissingPushType", "InvalidPushType", "BadExpirationDate", "BadPriority")
        + Case.refused(.misconfigured, 400, "FeatureNotEnabled", "BroadcastFeatureNotEnabled", "TopicDisallowed")
        + Case.refused(.noTarget, 400, "BadChannelId", "ChannelNotRegistered")
        + Case.refused(.limitExceeded, 400, "CannotCreateChannelConfig")
        + Case.refused(.misconfigured, 403, "TopicMismatch") + Case.refused(.tooLong, 413, "PayloadTooLarge") + [
            Case(429, "TooManyRequests", .rateLimited, retry: .backoff), .failed(503, "Service Unavailable"),
        ]

    /// Reasons on no page. The status decides.
    private static let unknown: [Case] =
        [403, 404].map { Case($0, "NewInTheYear", .unknown) }
        + [500, 503].map { .failed($0, "NewInTheYear", .unknown) } + [
            .failed(400, "NewInTheYear", .unknown, retry: .never),
            Case(429, "NewInTheYear", .rateLimited, retry: .backoff),
        ]

    @Test("every reason of a push has its kind, retry, effect and verdict", arguments: pushes + unknown)
    func push(row: Case) throws { try check(row) }

    @Test("every reason of a broadcast has its kind, retry and effect, and no verdict", arguments: broadcasts + unknown)
    func broadcast(row: Case) throws { try check(row, for: "apns.broadcast") }

    @Test("a channel that does not exist is no target, although the vendor calls the path bad")
    func channels() throws {
        let missing: Set<Feature> = ["apns.channels.read", "apns.channels.delete"]
        let others: Set<Feature> = [.send, "apns.channels.create", "apns.channels.list", "apns.broadcast"]
        for operation in missing.union(others) {
            let kind = try diagnose(404, #"{"reason":"BadPath"}"#, for: operation)?.kind
            #expect(kind == (missing.contains(operation) ? .noTarget : .misconfigured), "\(operation)")
        }
    }

    /// The documented reasons, as read by the conformance kit.
    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    @Test("the adapter's table, the documented reasons and these cases have the same rows")
    func table() throws {
        for (surface, cases) in ["provider-push": Self.pushes, "broadcast": Self.broadcasts] {
            let names = Set(cases.map(\.reason))
            #expect(names.count == cases.count)
            let mapped = APNs.errorRows.filter { $0.surface == surface }.map(\.code.rawValue)
            #expect(Set(mapped).symmetricDifference(names).sorted() == [], "\(surface)")
            for row in Self.documented where row.surface == surface {
                let known = cases.first { $0.reason == row.code.rawValue }
                #expect(known?.status == row.http && known?.retry.isAdvised == row.retry, "\(row.code)")
            }
        }
        #expect(Self.documented.count > 60)
        for row in Self.documented {
            let mapped = try #require(APNs.errorRows.row(row.code, on: row.surface), "\(row.surface) \(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.surface) \(row.code)")
        }
        #expect(APNs.errorRows.filter { $0.advice.isEmpty || $0.source.isEmpty }.isEmpty)
        // Failures of the vendor are waited out for its 15 minutes, and throttles for no invented time.
        #expect(try Shop.apns().capabilities.leastWaits == [.server: .seconds(900)])
    }

    /// The vendor's milliseconds, and the date that they mean.
    private static let timestamps: [(timestamp: String, seconds: Double?)] = [
        ("1795161600123", 1_795_161_600.123), ("1795161600000", 1_795_161_600),
        // Up to one day after the response, because clocks may differ.
        ("1795251600000", 1_795_251_600), ("1795251601000", nil),
        // Before the service existed. A date in seconds also lands here.
        ("1230767999000", nil), ("1795161600", nil), ("0", nil), ("-1", nil),
        // Absurd, or not a number.
        ("9007199254740993", nil), (#""1795161600123""#, nil), (#""soon""#, nil), ("true", nil), ("null", nil),
        ("[]", nil), ("1e30", nil), ("1e308", nil), ("1e999", nil), ("-1e308", nil),
    ]

    @Test(
        "a token is dead since the vendor's date in milliseconds, or since an unknown one",
        arguments: ["Unregistered", "ExpiredToken"], timestamps)
    func dead(reason: String, date: (timestamp: String, seconds: Double?)) throws {
        let text = #"{"reason":"\#(reason)","timestamp":\#(date.timestamp)}"#
        let error = try diagnose(410, text, at: Shop.now)
        let since = date.seconds.map { Date(timeIntervalSince1970: $0) }
        #expect(error?.vendor?.verdict == .dead(since: since))
        #expect(error?.kind == .noTarget && error?.effect == .notApplied && error?.retry == .never)
        if date.timestamp.contains("e") { #expect(try diagnose(410, text)?.vendor?.verdict == .dead()) }
    }

    private static let isolated = ["", "gone", "{}", #"{"timestamp":1795161600123}"#, #"{"reason":"Unregis"#, "<html>"]

    /// Answers that may look like the end of a token, and their verdicts.
    private static let verdicts: [(status: Int, text: String, operation: Feature, verdict: TargetVerdict?)] =
        [400, 403, 404, 500].map { ($0, #"{"reason":"Unregistered","timestamp":1795161600123}"#, .send, .suspect) }
        + isolated.map { (410, $0, .send, .isolated) } + [
            // An unknown reason, and the date that only dead tokens have.
            (410, #"{"reason":"NewInTheYear"}"#, .send, nil),
            (
                410, #"{"reason":"NewInTheYear","timestamp":1795161600000}"#, .send,
                .dead(since: Date(timeIntervalSince1970: 1_795_161_600))
            ),
            // Calls about channels have no device.
            (410, #"{"reason":"Unregistered"}"#, "apns.broadcast", nil),
        ]

    @Test("only a 410 of the vendor's own makes a token dead", arguments: verdicts)
    func alive(status: Int, text: String, operation: Feature, verdict: TargetVerdict?) throws {
        let error = try diagnose(status, text, for: operation)
        #expect(error?.vendor?.verdict == verdict)
        #expect(error?.kind == .misconfigured || verdict != .isolated)
    }

    @Test("the bytes count, whatever the content type says; a reason that is a device token is not kept")
    func contentTypes() throws {
        for headers in [[], [("content-type", "application/json")], [("content-type", "text/html")]] {
            let error = try diagnose(400, " { \"reason\" : \"BadTopic\", \"more\": [1] }\n", headers)
            #expect(error?.vendor?.code == "BadTopic" && error?.kind == .misconfigured)
        }
        let quoting = try #require(try diagnose(400, #"{"reason":"\#(Shop.device(0))"}"#))
        #expect(quoting.vendor?.code == "…" && !"\(quoting) \(quoting.message)".contains(Shop.device(0).rawValue))
    }

    private static let unreadable: [String] = [
        "", "{}", #"{"reason":7}"#, #"{"reason":null}"#, #"{"reason":["BadTopic"]}"#, #"["BadTopic"]"#, #""BadTopic""#,
        #"{"reason":"BadTop"#, #"{"reason":"BadTopic""#, "<html>BadTopic</html>", "BadTopic", #"{"error":"BadTopic"}"#,
        String(repeating: #"{"reason":"#, count: 100),
    ]

    @Test("an answer without a readable reason is judged by its status", arguments: unreadable)
    func withoutReason(text: String) throws {
        let cases: [(Int, PushError.Kind, PushError.Effect)] = [
            (400, .unknown, .unknown), (403, .unauthorized, .notApplied), (404, .misconfigured, .notApplied),
            (429, .rateLimited, .notApplied), (502, .server, .unknown), (503, .server, .unknown),
        ]
        for (status, kind, effect) in cases {
            for operation: Feature in [.send, "apns.broadcast", .probeCredentials] {
                let error = try #require(try diagnose(status, text, for: operation))
                #expect(error.kind == kind && error.effect == effect && error.vendor?.code == nil, "\(status)")
                #expect(error.vendor?.verdict == nil && error.vendor?.endsConnection == false)
            }
        }
        #expect(try diagnose(200, text) == nil)
    }

    @Test("a reason with the status of a success is an error, and with the id of a push it may be accepted")
    func contradiction() throws {
        let bad = #"{"reason":"BadTopic"}"#
        let refused = try diagnose(200, bad)
        #expect(refused?.vendor?.code == "BadTopic" && refused?.effect == .notApplied)
        #expect(try diagnose(200, bad, [("apns-id", Self.id)])?.effect == .unknown)
        // A list of channels may contain the word.
        #expect(try diagnose(200, #"{"channels":["reason"]}"#, for: "apns.channels.list") == nil)
    }

    private static let consoleID = "7A10B3C4-52D0-93EE-0F11-0C5A1E77B2D4"
    private static let ids: [(headers: [(String, String)], id: String?)] = [
        ([("apns-id", id), ("apns-unique-id", consoleID)], consoleID), ([("apns-request-id", id)], id), ([], nil),
        // A broken server may repeat a device token in this field.
        ([("apns-unique-id", Shop.device(0).rawValue)], nil),
    ]

    @Test("the id for the vendor's support is that of the console, or of the call", arguments: ids)
    func requestIDs(headers: [(String, String)], id: String?) throws {
        #expect(try Shop.apns().facts(in: WireResponse(200, "", headers)).requestID == id)
    }

    @Test("a push is accepted by a 200 that repeats its id, and by nothing else")
    func receipts() throws {
        let context = SendContext(at: Shop.now)
        let exchange = try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context)
        for id in [context.uuid, context.uuid.uppercased()] {
            let receipt = try exchange.decode(WireResponse(200, "", [("apns-id", id)]))
            #expect(receipt.messageIDs == [MessageID(context.uuid)] && receipt.exceptions.isEmpty)
        }
        let own = [("apns-id", context.uuid)]
        for response in [
            WireResponse(200, ""), WireResponse(200, "", [("apns-id", Self.id)]), WireResponse(200, "<html>", own),
            WireResponse(200, #"{"hello":"world"}"#), WireResponse(202, "", own),
        ] {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try exchange.decode(response) }
        }
    }
}
