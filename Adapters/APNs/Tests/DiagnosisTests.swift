import FoundationEssentials
import PushAPNs
import PushAdapter
import TestSupport
import Testing

@Suite("APNs errors")
struct DiagnosisTests {
    /// A reason from the vendor's pages, or seen in responses, with the expected error: a row of `reasons.json`. What a
    /// row leaves out is a refusal that did nothing and that no repetition helps.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        /// The calls that may get it.
        var on: [Feature]
        var status: Int
        var reason: String
        var kind: PushError.Kind
        var retry: String?
        var effect: String?
        var endsConnection: Bool?
        var verdict: String?

        var testDescription: String { "\(status) \(reason)" }
    }

    private static let cases: [Case] = fixture("reasons.json") ?? []
    /// The reason of the rows for a reason on no page, whose status decides.
    private static let unknown = "NewInTheYear"
    private static let id = "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"

    private func diagnose(
        _ status: Int, _ text: String, for operation: Feature = .send, _ headers: [(String, String)] = [],
        at moment: Date = .distantPast
    ) throws -> PushError? {
        var response = WireResponse(status, text, headers)
        response.receivedAt = moment
        return try Shop.apns().diagnose(response, to: VendorCall(operation, WireRequest(.post, "apns")))
    }

    @Test("every reason has its kind, retry and effect, and for a push its verdict", arguments: cases)
    func reason(row: Case) throws {
        for operation in row.on {
            let error = try #require(try diagnose(row.status, #"{"reason":"\#(row.reason)"}"#, for: operation))
            // One page writes a reason with a space.
            #expect(error.vendor?.code?.rawValue == row.reason.replacing(" ", with: ""))
            #expect(error.vendor?.httpStatus == row.status && error.kind == row.kind && !error.message.isEmpty)
            #expect("\(error.retry)" == row.retry ?? "never" && "\(error.effect)" == row.effect ?? "notApplied")
            #expect(error.vendor?.endsConnection == row.endsConnection ?? false)
            #expect(error.vendor?.verdict.map { "\($0)" } == row.verdict)
        }
    }

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
        for (surface, operation) in ["provider-push": Feature.send, "broadcast": "apns.broadcast"] {
            let cases = Self.cases.filter { $0.on.contains(operation) && $0.reason != Self.unknown }
            let names = Set(cases.map(\.reason))
            #expect(names.count == cases.count)
            let mapped = APNs.errorRows.filter { $0.surface == surface }.map(\.code.rawValue)
            #expect(Set(mapped).symmetricDifference(names).sorted() == [], "\(surface)")
            for row in Self.documented where row.surface == surface {
                let known = cases.first { $0.reason == row.code.rawValue }
                #expect(known?.status == row.http && (known?.retry != nil) == row.retry, "\(row.code)")
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
        exchange.expectUnreadable(
            WireResponse(200, ""), WireResponse(200, "", [("apns-id", Self.id)]), WireResponse(200, "<html>", own),
            WireResponse(200, #"{"hello":"world"}"#), WireResponse(202, "", own))
    }
}
