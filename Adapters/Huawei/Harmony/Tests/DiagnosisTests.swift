import Foundation
import PushAdapter
import PushHarmony
import TestSupport
import Testing

@Suite("HarmonyOS errors")
struct DiagnosisTests {
    private func call(_ devices: Int, _ harmony: Harmony) throws -> VendorCall {
        try harmony.send(Shop.message(["custom": ["content": "c"]]), to: Shop.devices(devices)).call
    }

    private func diagnose(
        _ status: Int, _ body: JSONValue?, devices: Int = 2, _ edit: (inout Harmony) -> Void = { _ in }
    ) throws -> PushError? {
        let harmony = try Shop.harmony(edit)
        let response = WireResponse(
            status: status, body: body.map { JSONWriter.bytes(of: $0) } ?? [], receivedAt: Shop.now)
        return harmony.diagnose(response, to: try call(devices, harmony))
    }

    private static func answer(_ code: String, _ msg: String = "no") -> JSONValue {
        ["code": .string(code), "msg": .string(msg), "requestId": "17"]
    }

    /// A refusal of the first tokens, by these reasons.
    private static func refusal(_ reasons: String..., code: String = "80300007") -> JSONValue {
        let listed = reasons.enumerated().map { #""\#($1)":["token-\#($0)"]"# }.joined(separator: ",")
        return answer(code, #"{"success":1,"failure":\#(reasons.count),"illegalTokens":{\#(listed)}}"#)
    }

    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    @Test("every documented code has a row, its kind and its retry")
    func table() throws {
        #expect(Self.documented.count == 61)
        for row in Self.documented {
            switch row.surface {
            case "send" where ["80000000", "80100000"].contains(row.code.rawValue):
                #expect(try diagnose(200, Self.answer(row.code.rawValue)) == nil)
            case "send":
                let error = try #require(try diagnose(row.http ?? 400, Self.answer(row.code.rawValue)))
                #expect(error.vendor?.code == row.code && error.kind != .unknown, "\(row.code)")
                #expect(error.retry.isAdvised == row.retry, "\(row.code)")
                #expect(error.effect == (row.code == "81000001" ? .unknown : .notApplied), "\(row.code)")
                #expect(error.vendor?.requestID == "17")
            case "http":
                let error = try #require(try diagnose(row.http ?? 0, nil))
                #expect(error.retry.isAdvised == row.retry && error.vendor?.code == nil, "\(row.code)")
            case "token": #expect(Harmony.errorRows.row(row.code, on: "token") != nil, "\(row.code)")
            default:
                let result = try #require(row.code.number)
                #expect(HuaweiReceipts.meanings[result] != nil, "\(row.code)")
            }
        }
        #expect(Harmony.errorRows.allSatisfy { !$0.advice.isEmpty && !$0.source.isEmpty })
    }

    @Test("a bare 503 is a throttle for certain, unless the app does not trust that; a page with 503 is an outage")
    func flow() throws {
        let throttle = try diagnose(503, nil)
        #expect(throttle?.kind == .rateLimited && throttle?.effect == .notApplied)
        #expect(throttle?.vendor?.isCertain == true)
        let doubted = try diagnose(503, nil) { $0.trustsInference = false }
        #expect(doubted?.kind == .rateLimited && doubted?.effect == .unknown && doubted?.vendor?.isCertain == false)
        let page = try diagnose(503, ["html": 1])
        #expect(page?.kind == .server && page?.vendor?.isCertain == false)
    }

    @Test("the code counts whatever the status, with blanks around it, and as a number")
    func codes() throws {
        #expect(try diagnose(200, Self.answer(" 80300002 "))?.kind == .misconfigured)
        #expect(try diagnose(400, ["code": 80_300_008])?.kind == .tooLong)
        let strange = try diagnose(400, Self.answer("80999999"))
        #expect(strange?.kind == .unknown && strange?.effect == .unknown && strange?.vendor?.code == "80999999")
        #expect(try diagnose(200, ["hello": "world"]) == nil)
    }

    @Test("a status that refuses a body that accepts is no code, so the client leaves the effect unknown")
    func contradiction() throws {
        for code in ["80000000", "80100000"] {
            let error = try diagnose(429, Self.answer(code))
            #expect(error?.kind == .rateLimited && error?.vendor?.code == nil)
        }
    }

    @Test("a used-up day of test messages ends at China's midnight")
    func midnight() throws {
        // 17:00 in Shanghai.
        #expect(try diagnose(400, Self.answer("80300029"))?.retry == .after(.seconds(7 * 3600)))
    }

    private static let reasons:
        [(reason: String, kind: PushError.Kind, status: TargetStatus, verdict: TargetVerdict?)] = [
            ("tokenFormatError", .noTarget, .invalid(), .isolated),
            ("tokenPlatformNotSupport", .noTarget, .suspect, .suspect),
            ("noRight", .misconfigured, .suspect, .suspect),
            ("noPushTypeRight", .misconfigured, .rejected(mayRetry: false), nil),
            ("noRightToSendThisLiveNotificationEvent", .misconfigured, .rejected(mayRetry: false), nil),
            ("notSupportPlayVoice", .misconfigured, .rejected(mayRetry: false), nil),
            ("atomicUnableSendUnsubscribedMsg", .misconfigured, .rejected(mayRetry: false), nil),
            ("countryNotSupport", .noTarget, .rejected(mayRetry: false), .isolated),
            ("disableSendHuaweiMsgBecauseOfPenalty", .blocked, .rejected(mayRetry: false), nil),
            ("differentImgVerifyPolicy", .invalidArgument, .rejected(mayRetry: false), nil),
            ("appinfoError", .misconfigured, .rejected(mayRetry: false), nil),
        ]

    @Test("a reason decides the kind, the status of the token and the verdict on a single one", arguments: reasons)
    func reason(row: (reason: String, kind: PushError.Kind, status: TargetStatus, verdict: TargetVerdict?)) throws {
        let all = try diagnose(400, Self.refusal(row.reason, code: "80300007"), devices: 1)
        #expect(all?.kind == row.kind && all?.vendor?.targets == ["token-0": row.status])
        #expect(all?.vendor?.verdict == row.verdict)
        let some = try Shop.harmony().send(Shop.message(["custom": ["content": "c"]]), to: Shop.devices(2))
        let body = JSONWriter.bytes(of: Self.refusal(row.reason, code: "80100000"))
        let receipt = try some.decode(WireResponse(status: 200, body: body))
        #expect(receipt.messageID == "17" && receipt.exceptions == ["token-0": row.status])
    }

    @Test("tokens with different reasons have different statuses; tokens without a reason are only refused")
    func mixed() throws {
        let error = try diagnose(400, Self.refusal("tokenFormatError", "noRight"), devices: 3)
        #expect(error?.kind == .noTarget && error?.vendor?.verdict == nil)
        #expect(
            error?.vendor?.targets == [
                "token-0": .invalid(), "token-1": .suspect, "token-2": .rejected(mayRetry: false),
            ])
        let plain = try diagnose(400, Self.answer("80300007"), devices: 2)
        #expect(plain?.vendor?.targets.values.allSatisfy { $0 == .rejected(mayRetry: false) } == true)
        #expect(plain?.vendor?.message == "no")
    }

    @Test("blanks in the names of reasons are cut off; a list of tokens stays out of the error's text")
    func blanks() throws {
        let msg = #"{"success":0,"failure":1,"illegalTokens":{" tokenFormatError ":["token-0"]}}"#
        let error = try diagnose(400, Self.answer("80300007", msg), devices: 1)
        #expect(error?.vendor?.targets == ["token-0": .invalid()] && error?.vendor?.message == nil)
    }

    @Test("an accepted send without an id, or with refused tokens that it does not name, is not believed")
    func unreadable() throws {
        let exchange = try Shop.harmony().send(Shop.message(["custom": ["content": "c"]]), to: Shop.devices(2))
        let answers: [JSONValue] = [
            ["code": "80000000", "msg": "Success"], Self.answer("80100000", "some"), ["hello": "world"],
        ]
        for answer in answers {
            let error = #expect(throws: PushError.self) {
                try exchange.decode(WireResponse(status: 200, body: JSONWriter.bytes(of: answer)))
            }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }
}
