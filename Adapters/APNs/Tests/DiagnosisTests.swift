import Foundation
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
    }

    // MARK: Answers

    private func diagnose(_ response: WireResponse, for operation: Feature = .send) throws -> PushError? {
        try Shop.apns().diagnose(response, to: WireRequest(.post, "apns"), for: operation)
    }

    private func diagnose(
        _ status: Int, _ body: JSONValue, for operation: Feature = .send, headers: [String: String] = [:]
    ) throws -> PushError? {
        try diagnose(
            WireResponse(status: status, headers: Shop.headers(headers), body: JSONWriter.bytes(of: body)),
            for: operation)
    }

    private func diagnose(_ status: Int, text: String, for operation: Feature = .send) throws -> PushError? {
        try diagnose(WireResponse(status: status, body: Array(text.utf8)), for: operation)
    }

    private func check(_ error: PushError?, _ expected: Case) {
        // One page writes a reason with a space.
        #expect(error?.vendor?.code?.rawValue == expected.reason.replacing(" ", with: ""))
        #expect(error?.vendor?.httpStatus == expected.status)
        #expect(error?.kind == expected.kind)
        #expect(error?.retry == expected.retry)
        #expect(error?.effect == expected.effect)
        #expect(error?.vendor?.endsConnection == expected.endsConnection)
        #expect(error?.vendor?.verdict == expected.verdict)
        #expect(error?.message.isEmpty == false)
    }

    // MARK: The table

    /// Reasons in the response to a push. A refusal did nothing. After a failure inside the vendor, the effect is
    /// unknown.
    private static let pushes: [Case] = [
        Case(reason: "BadCollapseId", status: 400, kind: .tooLong),
        Case(reason: "BadDeviceToken", status: 400, kind: .noTarget, verdict: .suspect),
        Case(reason: "BadExpirationDate", status: 400, kind: .invalidArgument),
        Case(reason: "BadMessageId", status: 400, kind: .invalidArgument),
        Case(reason: "BadPriority", status: 400, kind: .invalidArgument),
        Case(reason: "BadTopic", status: 400, kind: .misconfigured),
        Case(reason: "DeviceTokenNotForTopic", status: 400, kind: .misconfigured, verdict: .suspect),
        Case(reason: "DuplicateHeaders", status: 400, kind: .invalidArgument),
        Case(reason: "IdleTimeout", status: 400, kind: .transport, retry: .backoff, endsConnection: true),
        Case(reason: "InvalidPushType", status: 400, kind: .invalidArgument),
        Case(reason: "MissingDeviceToken", status: 400, kind: .invalidArgument),
        Case(reason: "MissingTopic", status: 400, kind: .misconfigured),
        Case(reason: "PayloadEmpty", status: 400, kind: .invalidArgument),
        Case(reason: "TopicDisallowed", status: 400, kind: .invalidArgument),
        Case(reason: "BadCertificate", status: 403, kind: .unauthorized, endsConnection: true),
        Case(reason: "BadCertificateEnvironment", status: 403, kind: .misconfigured, endsConnection: true),
        Case(
            reason: "ExpiredProviderToken", status: 403, kind: .unauthorized, retry: .afterRenewal,
            endsConnection: true),
        Case(reason: "Forbidden", status: 403, kind: .blocked),
        Case(reason: "InvalidProviderToken", status: 403, kind: .unauthorized),
        Case(reason: "MissingProviderToken", status: 403, kind: .unauthorized),
        Case(reason: "UnrelatedKeyIdInToken", status: 403, kind: .unauthorized, endsConnection: true),
        Case(reason: "BadEnvironmentKeyIdInToken", status: 403, kind: .misconfigured),
        Case(reason: "BadEnvironmentKeyInToken", status: 403, kind: .misconfigured),
        Case(reason: "BadPath", status: 404, kind: .misconfigured),
        Case(reason: "MethodNotAllowed", status: 405, kind: .misconfigured),
        Case(reason: "ExpiredToken", status: 410, kind: .noTarget, verdict: .dead()),
        Case(reason: "Unregistered", status: 410, kind: .noTarget, verdict: .dead()),
        Case(reason: "PayloadTooLarge", status: 413, kind: .tooLong),
        Case(
            reason: "TooManyProviderTokenUpdates", status: 429, kind: .rateLimited, retry: .backoff,
            endsConnection: true),
        Case(reason: "TooManyRequests", status: 429, kind: .rateLimited, retry: .backoff, verdict: .isolated),
        Case(reason: "InternalServerError", status: 500, kind: .server, retry: .backoff, effect: .unknown),
        Case(reason: "ServiceUnavailable", status: 503, kind: .server, retry: .backoff, effect: .unknown),
        Case(
            reason: "Shutdown", status: 503, kind: .server, retry: .backoff, effect: .unknown, endsConnection: true),
    ]

    /// Reasons that have a meaning of their own in the response to a broadcast.
    private static let ofBroadcasts: [Case] = [
        Case(reason: "FeatureNotEnabled", status: 400, kind: .misconfigured),
        Case(reason: "BroadcastFeatureNotEnabled", status: 400, kind: .misconfigured),
        Case(reason: "MissingChannelId", status: 400, kind: .invalidArgument),
        Case(reason: "BadChannelId", status: 400, kind: .noTarget),
        Case(reason: "ChannelNotRegistered", status: 400, kind: .noTarget),
        Case(reason: "BadRequestParams", status: 400, kind: .invalidArgument),
        Case(reason: "BadRequestPayload", status: 400, kind: .invalidArgument),
        Case(reason: "PayloadEmpty", status: 400, kind: .invalidArgument),
        Case(reason: "BadMessageId", status: 400, kind: .invalidArgument),
        Case(reason: "MissingPushType", status: 400, kind: .invalidArgument),
        Case(reason: "InvalidPushType", status: 400, kind: .invalidArgument),
        Case(reason: "CannotCreateChannelConfig", status: 400, kind: .limitExceeded),
        Case(reason: "BadExpirationDate", status: 400, kind: .invalidArgument),
        Case(reason: "BadPriority", status: 400, kind: .invalidArgument),
        Case(reason: "TopicDisallowed", status: 400, kind: .misconfigured),
        Case(reason: "TopicMismatch", status: 403, kind: .misconfigured),
        Case(reason: "PayloadTooLarge", status: 413, kind: .tooLong),
        Case(reason: "TooManyRequests", status: 429, kind: .rateLimited, retry: .backoff),
        Case(reason: "Service Unavailable", status: 503, kind: .server, retry: .backoff, effect: .unknown),
    ]

    /// A reason on both pages means the same on both.
    private static let broadcasts: [Case] = {
        let both = [
            "BadCertificate", "BadCertificateEnvironment", "MissingProviderToken", "ExpiredProviderToken",
            "InvalidProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
            "BadPath", "MethodNotAllowed", "TooManyProviderTokenUpdates", "InternalServerError", "ServiceUnavailable",
            "Shutdown",
        ]
        return ofBroadcasts + pushes.filter { both.contains($0.reason) }
    }()

    @Test("every reason of a push has its kind, retry, effect and verdict", arguments: pushes)
    func push(row: Case) throws {
        check(try diagnose(row.status, ["reason": .string(row.reason)]), row)
    }

    @Test("every reason of a broadcast has its kind, retry and effect, and no verdict", arguments: broadcasts)
    func broadcast(row: Case) throws {
        check(try diagnose(row.status, ["reason": .string(row.reason)], for: "apns.broadcast"), row)
    }

    @Test("a channel that does not exist is no target, although the vendor calls the path bad")
    func channels() throws {
        for operation: Feature in ["apns.channels.read", "apns.channels.delete"] {
            #expect(try diagnose(404, ["reason": "BadPath"], for: operation)?.kind == .noTarget)
        }
        for operation: Feature in [.send, "apns.channels.create", "apns.channels.list", "apns.broadcast"] {
            #expect(try diagnose(404, ["reason": "BadPath"], for: operation)?.kind == .misconfigured)
        }
    }

    /// The documented reasons, as read by the conformance kit.
    private static let documented: [DocumentedRow] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try? Data(contentsOf: folder.appending(path: "Conformance/errors.json"))
        return data.flatMap { try? JSONDecoder().decode([DocumentedRow].self, from: $0) } ?? []
    }()

    @Test("the adapter's table, the documented reasons and these cases have the same rows")
    func table() throws {
        let surfaces = ["provider-push": Self.pushes, "broadcast": Self.broadcasts]
        for (surface, cases) in surfaces {
            let names = Set(cases.map(\.reason))
            #expect(names.count == cases.count)
            let mapped = APNs.errorRows.filter { $0.surface == surface }.map(\.code.rawValue)
            #expect(Set(mapped).symmetricDifference(names).sorted() == [], "\(surface)")
            for row in Self.documented where row.surface == surface {
                let known = cases.first { $0.reason == row.code.rawValue }
                #expect(known?.status == row.http, "\(row.code)")
                #expect(known?.retry.isAdvised == row.retry, "\(row.code)")
            }
        }
        #expect(Self.documented.count > 60)
        for row in Self.documented {
            let mapped = try #require(APNs.errorRows.row(row.code, on: row.surface), "\(row.surface) \(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.surface) \(row.code)")
        }
        let bare = APNs.errorRows.filter { $0.advice.isEmpty || $0.source.isEmpty }
        #expect(bare.isEmpty)
    }

    // MARK: Devices

    private static let timestamps: [(timestamp: JSONValue, seconds: Double?)] = [
        (1_795_161_600_123, 1_795_161_600.123), (1_795_161_600_000, 1_795_161_600),
        // Up to one day after the response, because clocks may differ.
        (1_795_251_600_000, 1_795_251_600), (1_795_251_601_000, nil),
        // Before the service existed. A date in seconds also lands here.
        (1_230_767_999_000, nil), (1_795_161_600, nil), (0, nil), (-1, nil),
        // Absurd, or not a number.
        (9_007_199_254_740_993, nil), ("1795161600123", nil), ("soon", nil), (true, nil), (nil, nil), ([], nil),
    ]

    @Test("a token is dead since the vendor's date in milliseconds, or since an unknown one", arguments: timestamps)
    func dead(timestamp: JSONValue, seconds: Double?) throws {
        for reason in ["Unregistered", "ExpiredToken"] {
            let body: JSONValue = ["reason": .string(reason), "timestamp": timestamp]
            let error = try diagnose(
                WireResponse(
                    status: 410, body: JSONWriter.bytes(of: body),
                    receivedAt: Date(timeIntervalSince1970: 1_795_165_200)))
            let since = seconds.map { Date(timeIntervalSince1970: $0) }
            #expect(error?.vendor?.verdict == .dead(since: since))
            #expect(error?.kind == .noTarget && error?.effect == .notApplied && error?.retry == .never)
        }
    }

    @Test("numbers too large for a date are no date", arguments: ["1e30", "1e308", "1e999", "-1e308"])
    func hugeDates(number: String) throws {
        let error = try diagnose(410, text: #"{"reason":"Unregistered","timestamp":\#(number)}"#)
        #expect(error?.vendor?.verdict == .dead())
    }

    @Test("only a 410 of the vendor's own makes a token dead")
    func alive() throws {
        for status in [400, 403, 404, 500] {
            let error = try diagnose(status, ["reason": "Unregistered", "timestamp": 1_795_161_600_123])
            #expect(error?.vendor?.verdict == .suspect, "\(status)")
        }
        for text in ["", "gone", "{}", #"{"timestamp":1795161600123}"#, #"{"reason":"Unregis"#, "<html>410</html>"] {
            let error = try diagnose(410, text: text)
            #expect(error?.vendor?.verdict == .isolated && error?.kind == .misconfigured, "\(text)")
        }
        // An unknown reason with the date that only dead tokens have.
        let new = try diagnose(410, ["reason": "NewInTheYear", "timestamp": 1_795_161_600_000])
        #expect(new?.vendor?.verdict == .dead(since: Date(timeIntervalSince1970: 1_795_161_600)))
        #expect(try diagnose(410, ["reason": "NewInTheYear"])?.vendor?.verdict == nil)
        // Calls about channels have no device.
        #expect(try diagnose(410, ["reason": "Unregistered"], for: "apns.broadcast")?.vendor?.verdict == nil)
    }

    // MARK: Other answers

    private static let unknown: [Case] = [
        Case(reason: "NewInTheYear", status: 400, kind: .unknown, effect: .unknown),
        Case(reason: "NewInTheYear", status: 403, kind: .unknown),
        Case(reason: "NewInTheYear", status: 404, kind: .unknown),
        Case(reason: "NewInTheYear", status: 429, kind: .rateLimited, retry: .backoff),
        Case(reason: "NewInTheYear", status: 500, kind: .unknown, retry: .backoff, effect: .unknown),
        Case(reason: "NewInTheYear", status: 503, kind: .unknown, retry: .backoff, effect: .unknown),
    ]

    @Test("an unknown reason survives as text, and the status decides", arguments: unknown)
    func unknownReason(row: Case) throws {
        check(try diagnose(row.status, ["reason": .string(row.reason)]), row)
        check(try diagnose(row.status, ["reason": .string(row.reason)], for: "apns.channels.create"), row)
    }

    @Test("a reason that is a token stands in no text")
    func secrecy() throws {
        let token = Shop.device(0).rawValue
        let error = try #require(try diagnose(400, ["reason": .string(token)]))
        var text = "\(error)" + error.message + String(reflecting: error)
        dump(error, to: &text)
        #expect(!text.contains(token) && error.vendor?.code == "…")
    }

    @Test("the bytes count, whatever the content type says or leaves out")
    func contentTypes() throws {
        for headers: [String: String] in [[:], ["content-type": "application/json"], ["content-type": "text/html"]] {
            let error = try diagnose(400, ["reason": "BadTopic"], headers: headers)
            #expect(error?.vendor?.code == "BadTopic" && error?.kind == .misconfigured)
        }
        #expect(try diagnose(400, text: " { \"reason\" : \"BadTopic\", \"more\": [1] }\n")?.vendor?.code == "BadTopic")
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
                let error = try #require(try diagnose(status, text: text, for: operation))
                #expect(error.kind == kind && error.effect == effect && error.vendor?.code == nil, "\(status)")
                #expect(error.vendor?.verdict == nil && error.vendor?.endsConnection == false)
            }
        }
        #expect(try diagnose(200, text: text)?.kind == nil)
    }

    @Test("a reason with the status of a success is an error, and with the id of a push it may be accepted")
    func contradiction() throws {
        let refused = try diagnose(200, ["reason": "BadTopic"])
        #expect(refused?.vendor?.code == "BadTopic" && refused?.effect == .notApplied)
        let both = try diagnose(200, ["reason": "BadTopic"], headers: ["apns-id": Self.id])
        #expect(both?.effect == .unknown)
        // A list of channels may contain the word.
        #expect(try diagnose(200, ["channels": ["reason"]], for: "apns.channels.list")?.kind == nil)
    }

    @Test("the id for the vendor's support is that of the console, or of the call")
    func requestIDs() throws {
        let apns = try Shop.apns()
        func id(_ headers: [String: String]) -> String? {
            apns.facts(in: WireResponse(status: 200, headers: Shop.headers(headers))).requestID
        }
        let (one, other) = ("4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55", "7A10B3C4-52D0-93EE-0F11-0C5A1E77B2D4")
        #expect(id(["apns-id": one, "apns-unique-id": other]) == other)
        #expect(id(["apns-request-id": one]) == one)
        #expect(id([:]) == nil)
        // A broken server may repeat a device token in this field.
        #expect(id(["apns-unique-id": Shop.device(0).rawValue]) == nil)
    }

    // MARK: Successes

    private static let id = "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"

    @Test("a push is accepted by a 200 that repeats its id, and by nothing else")
    func receipts() throws {
        let context = SendContext(at: Shop.now)
        let exchange = try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context)
        for id in [context.uuid, context.uuid.uppercased()] {
            let receipt = try exchange.decode(WireResponse(status: 200, headers: Shop.headers(["apns-id": id])))
            #expect(receipt.messageIDs == [MessageID(context.uuid)] && receipt.exceptions.isEmpty)
        }
        let headers = Shop.headers(["apns-id": context.uuid])
        for response in [
            WireResponse(status: 200), WireResponse(status: 200, headers: Shop.headers(["apns-id": Self.id])),
            WireResponse(status: 200, body: Array(#"{"hello":"world"}"#.utf8)),
            WireResponse(status: 200, headers: headers, body: Array("<html>".utf8)),
            WireResponse(status: 202, headers: headers),
        ] {
            let error = #expect(throws: PushError.self) { try exchange.decode(response) }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }

    @Test("failures of the vendor are waited out for its 15 minutes, and throttles for no invented time")
    func waits() throws {
        #expect(try Shop.apns().capabilities.leastWaits == [.server: .seconds(900)])
    }
}
