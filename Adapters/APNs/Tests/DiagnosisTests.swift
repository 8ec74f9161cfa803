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

        /// Refusals that did nothing and that no repetition helps.
        static func refused(_ kind: PushError.Kind, _ status: Int, _ reasons: String...) -> [Case] {
            reasons.map { Case(reason: $0, status: status, kind: kind) }
        }

        static func failed(_ status: Int, _ reason: String, endsConnection: Bool = false) -> Case {
            Case(
                reason: reason, status: status, kind: .server, retry: .backoff, effect: .unknown,
                endsConnection: endsConnection)
        }
    }

    private static let id = "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"

    private func diagnose(
        _ status: Int, text: String, for operation: Feature = .send, headers: [String: String] = [:],
        at moment: Date = .distantPast
    ) throws -> PushError? {
        let response = WireResponse(
            status: status, headers: Shop.headers(headers), body: Array(text.utf8), receivedAt: moment)
        return try Shop.apns().diagnose(response, to: VendorCall(operation, WireRequest(.post, "apns")))
    }

    private func diagnose(
        _ status: Int, _ body: JSONValue, for operation: Feature = .send, headers: [String: String] = [:]
    ) throws -> PushError? {
        let text = String(decoding: JSONWriter.bytes(of: body), as: UTF8.self)
        return try diagnose(status, text: text, for: operation, headers: headers)
    }

    private func check(_ expected: Case, for operation: Feature = .send) throws {
        let error = try #require(
            try diagnose(expected.status, ["reason": .string(expected.reason)], for: operation))
        // One page writes a reason with a space.
        #expect(error.vendor?.code?.rawValue == expected.reason.replacing(" ", with: ""))
        #expect(error.vendor?.httpStatus == expected.status && error.kind == expected.kind)
        #expect(error.retry == expected.retry && error.effect == expected.effect)
        #expect(error.vendor?.endsConnection == expected.endsConnection && error.vendor?.verdict == expected.verdict)
        #expect(!error.message.isEmpty)
    }

    /// Reasons that mean the same in the responses to a push and to a broadcast. A refusal did nothing. After a failure
    /// inside the vendor, the effect is unknown.
    private static let both: [Case] =
        Case.refused(.unauthorized, 403, "InvalidProviderToken", "MissingProviderToken")
        + Case.refused(.misconfigured, 403, "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken")
        + Case.refused(.misconfigured, 404, "BadPath") + Case.refused(.misconfigured, 405, "MethodNotAllowed") + [
            Case(reason: "BadCertificate", status: 403, kind: .unauthorized, endsConnection: true),
            Case(reason: "UnrelatedKeyIdInToken", status: 403, kind: .unauthorized, endsConnection: true),
            Case(reason: "BadCertificateEnvironment", status: 403, kind: .misconfigured, endsConnection: true),
            Case(
                reason: "ExpiredProviderToken", status: 403, kind: .unauthorized, retry: .afterRenewal,
                endsConnection: true),
            Case(
                reason: "TooManyProviderTokenUpdates", status: 429, kind: .rateLimited, retry: .backoff,
                endsConnection: true),
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
            Case(reason: "BadDeviceToken", status: 400, kind: .noTarget, verdict: .suspect),
            Case(reason: "DeviceTokenNotForTopic", status: 400, kind: .misconfigured, verdict: .suspect),
            Case(reason: "IdleTimeout", status: 400, kind: .transport, retry: .backoff, endsConnection: true),
            Case(reason: "ExpiredToken", status: 410, kind: .noTarget, verdict: .dead()),
            Case(reason: "Unregistered", status: 410, kind: .noTarget, verdict: .dead()),
            Case(reason: "TooManyRequests", status: 429, kind: .rateLimited, retry: .backoff, verdict: .isolated),
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
            Case(reason: "TooManyRequests", status: 429, kind: .rateLimited, retry: .backoff),
            .failed(503, "Service Unavailable"),
        ]

    /// Reasons on no page. The status decides.
    private static let unknown: [Case] =
        Case.refused(.unknown, 403, "NewInTheYear") + Case.refused(.unknown, 404, "NewInTheYear") + [
            Case(reason: "NewInTheYear", status: 400, kind: .unknown, effect: .unknown),
            Case(reason: "NewInTheYear", status: 429, kind: .rateLimited, retry: .backoff),
            Case(reason: "NewInTheYear", status: 500, kind: .unknown, retry: .backoff, effect: .unknown),
            Case(reason: "NewInTheYear", status: 503, kind: .unknown, retry: .backoff, effect: .unknown),
        ]

    @Test("every reason of a push has its kind, retry, effect and verdict", arguments: pushes + unknown)
    func push(row: Case) throws { try check(row) }

    @Test("every reason of a broadcast has its kind, retry and effect, and no verdict", arguments: broadcasts + unknown)
    func broadcast(row: Case) throws { try check(row, for: "apns.broadcast") }

    @Test("a channel that does not exist is no target, although the vendor calls the path bad")
    func channels() throws {
        let operations: [(Feature, PushError.Kind)] = [
            ("apns.channels.read", .noTarget), ("apns.channels.delete", .noTarget), (.send, .misconfigured),
            ("apns.channels.create", .misconfigured), ("apns.channels.list", .misconfigured),
            ("apns.broadcast", .misconfigured),
        ]
        for (operation, kind) in operations {
            #expect(try diagnose(404, ["reason": "BadPath"], for: operation)?.kind == kind, "\(operation)")
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
        let error = try diagnose(410, text: text, at: Shop.now)
        let since = date.seconds.map { Date(timeIntervalSince1970: $0) }
        #expect(error?.vendor?.verdict == .dead(since: since))
        #expect(error?.kind == .noTarget && error?.effect == .notApplied && error?.retry == .never)
        if date.timestamp.contains("e") { #expect(try diagnose(410, text: text)?.vendor?.verdict == .dead()) }
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
            let error = try diagnose(400, text: " { \"reason\" : \"BadTopic\", \"more\": [1] }\n", headers: headers)
            #expect(error?.vendor?.code == "BadTopic" && error?.kind == .misconfigured)
        }
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
        #expect(try diagnose(200, text: text) == nil)
    }

    @Test("a reason with the status of a success is an error, and with the id of a push it may be accepted")
    func contradiction() throws {
        let refused = try diagnose(200, ["reason": "BadTopic"])
        #expect(refused?.vendor?.code == "BadTopic" && refused?.effect == .notApplied)
        #expect(try diagnose(200, ["reason": "BadTopic"], headers: ["apns-id": Self.id])?.effect == .unknown)
        // A list of channels may contain the word.
        #expect(try diagnose(200, ["channels": ["reason"]], for: "apns.channels.list") == nil)
    }

    @Test("the id for the vendor's support is that of the console, or of the call")
    func requestIDs() throws {
        let apns = try Shop.apns()
        func id(_ headers: [String: String]) -> String? {
            apns.facts(in: WireResponse(status: 200, headers: Shop.headers(headers))).requestID
        }
        let other = "7A10B3C4-52D0-93EE-0F11-0C5A1E77B2D4"
        #expect(id(["apns-id": Self.id, "apns-unique-id": other]) == other)
        #expect(id(["apns-request-id": Self.id]) == Self.id)
        #expect(id([:]) == nil)
        // A broken server may repeat a device token in this field.
        #expect(id(["apns-unique-id": Shop.device(0).rawValue]) == nil)
    }

    @Test("a push is accepted by a 200 that repeats its id, and by nothing else")
    func receipts() throws {
        let context = SendContext(at: Shop.now)
        let exchange = try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context)
        func answer(_ status: Int, _ id: String?, _ text: String = "") -> WireResponse {
            let headers = id.map { ["apns-id": $0] } ?? [:]
            return WireResponse(status: status, headers: Shop.headers(headers), body: Array(text.utf8))
        }
        for id in [context.uuid, context.uuid.uppercased()] {
            let receipt = try exchange.decode(answer(200, id))
            #expect(receipt.messageIDs == [MessageID(context.uuid)] && receipt.exceptions.isEmpty)
        }
        for response in [
            answer(200, nil), answer(200, Self.id), answer(200, nil, #"{"hello":"world"}"#),
            answer(200, context.uuid, "<html>"), answer(202, context.uuid),
        ] {
            #expect(expectError(.malformedResponse) { try exchange.decode(response) }?.effect == .unknown)
        }
    }
}
