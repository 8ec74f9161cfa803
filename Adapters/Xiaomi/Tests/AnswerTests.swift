import Foundation
import PushAdapter
import PushXiaomi
import TestSupport
import Testing

@Suite("Xiaomi answers")
struct AnswerTests {
    private static func answer(_ code: JSONValue, _ fields: [String: JSONValue] = [:]) -> JSONValue {
        .object(["code": code, "result": "error", "reason": "no", "trace_id": "Xdm03ab"].merging(fields) { $1 })
    }

    private func sending(
        _ audience: Audience = Shop.devices(2), _ edit: (inout Xiaomi) throws -> Void = { _ in }
    ) throws -> Exchange<SendReceipt> {
        try Shop.xiaomi(edit).send(Shop.message(), to: audience)
    }

    private func diagnose(
        _ response: WireResponse, devices: Int = 2, _ edit: (inout Xiaomi) throws -> Void = { _ in }
    ) throws -> PushError? {
        try Shop.xiaomi(edit).diagnose(response, to: sending(Shop.devices(devices)).call)
    }

    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    /// The codes that say nothing certain about what the vendor did.
    private static let unclear: Set<VendorCode> = [
        -1, 1, 10001, 10002, 10003, 20215, 20216, 20607, 26003, 26006, 65029, 65030, 66006,
    ]

    @Test("every documented code has a row, its retry and its effect")
    func table() throws {
        #expect(Self.documented.count == 78)
        for row in Self.documented {
            switch row.surface {
            case "rest":
                let error = try diagnose(Shop.answer(Self.answer(row.code.json)))
                row.check(error, isUnclear: Self.unclear.contains(row.code), in: Xiaomi.errorRows)
            case "http":
                let error = try diagnose(WireResponse(status: row.http ?? 0))
                #expect(error?.retry.isAdvised == row.retry && (error?.effect == .notApplied) == !row.retry)
            default:
                #expect(row.code.number.flatMap { XiaomiReceipts.meanings[$0] } != nil, "\(row.code)")
            }
        }
        #expect(Set(Xiaomi.errorRows.map(\.code)).count == Xiaomi.errorRows.count)
    }

    @Test("a row has the kind that a program acts on")
    func kinds() throws {
        let kinds: [(VendorCode, PushError.Kind)] = [
            (10001, .server), (10017, .invalidArgument), (65009, .tooLong), (200_002, .rateLimited),
            (200_001, .quotaExhausted), (10031, .blocked), (21301, .unauthorized), (22022, .misconfigured),
            (27001, .misconfigured), (65028, .invalidState), (26006, .unknown),
        ]
        for (code, kind) in kinds { #expect(try diagnose(Shop.answer(Self.answer(code.json)))?.kind == kind) }
        let unknown = try #require(try diagnose(Shop.answer(Self.answer(70000))))
        #expect(unknown.kind == .unknown && unknown.effect == .unknown && unknown.vendor?.code == 70000)
    }

    @Test("the code decides, whether it is a number or a text, and a failing status without one is a failure")
    func forms() throws {
        let text = try #require(try diagnose(Shop.answer(Self.answer("21301"))))
        #expect(text.kind == .unauthorized && text.vendor?.message == "no" && text.vendor?.requestID == "Xdm03ab")
        #expect(text.vendor?.messageID == nil)
        #expect(try diagnose(Shop.answer(Self.answer(0), 502))?.effect == .unknown)
        #expect(try diagnose(WireResponse(status: 502, body: Array("<html>".utf8)))?.kind == .server)
        #expect(try diagnose(WireResponse(status: 200, body: Array("<html>".utf8))) == nil)
    }

    @Test("a code that says that no target is valid makes one target suspect, and says nothing about several")
    func noTarget() throws {
        for code: JSONValue in [20301, 10029, 65003, 66007] {
            let one = try diagnose(Shop.answer(Self.answer(code)), devices: 1)
            #expect(one?.kind == .noTarget && one?.vendor?.verdict == .suspect)
            let many = try diagnose(Shop.answer(Self.answer(code)), devices: 2)
            #expect(many?.kind == .noTarget && many?.vendor?.verdict == nil && many?.vendor?.targets == [:])
        }
        #expect(try diagnose(Shop.answer(Self.answer(21301)), devices: 1)?.vendor?.verdict == nil)
    }

    @Test("a quota that is used up lasts until midnight in China, or of the days of the settings")
    func quota() throws {
        // 2026-11-20 09:00 UTC, 17:00 in China.
        let response = Shop.answer(Self.answer(200_001))
        #expect(try diagnose(response)?.retry == .after(.seconds(7 * 3600)))
        #expect(try diagnose(response) { $0.day = CalendarDay(utcOffset: .zero) }?.retry == .after(.seconds(15 * 3600)))
    }

    @Test("a send names its message and the devices that the vendor does not know")
    func receipts() throws {
        let data: JSONValue = ["id": "Xcm01ab", "bad_regids": "reg/0=,reg/1="]
        let receipt = try sending().decode(Shop.answer(Self.answer(0, ["data": data])))
        #expect(receipt.messageID == "Xcm01ab")
        #expect(receipt.exceptions == ["reg/0=": .invalid(), "reg/1=": .invalid()])
        let plain = try sending().decode(
            Shop.answer(Self.answer(0, ["data": ["id": "Xcm01ab", "day_quota": "30000"]])))
        #expect(plain == SendReceipt(messageID: "Xcm01ab"))
        for body in [Self.answer(0), Self.answer(0, ["data": ["id": ""]]), ["result": "ok"]] {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try sending().decode(Shop.answer(body)) }
        }
    }

    @Test("the quota of the class comes before the rate, so that one class does not stop another")
    func charges() throws {
        func first(_ message: JSONValue) throws -> QuotaBucket? {
            let xiaomi = try Shop.xiaomi {
                $0.sendsPassThrough = true
                $0.capabilities.classes.words = ["xiaomi": [.service: "1", .marketing: "2"]]
            }
            let charges = try xiaomi.send(Shop.message(message), to: Shop.devices(2)).charges
            #expect(charges.allSatisfy { $0.cost == 1 && xiaomi.capabilities.quotas[$0.bucket] != nil })
            #expect(charges.last?.bucket == "xiaomi.requests")
            return charges.first?.bucket
        }
        func classed(_ intent: JSONValue) -> JSONValue {
            ["notification": ["title": "T", "body": "B"], "class": ["intent": intent]]
        }
        #expect(try first(Shop.plain) == "xiaomi.default")
        #expect(try first(classed("service")) == "xiaomi.service")
        #expect(try first(classed("marketing")) == "xiaomi.marketing")
        #expect(
            try first(["notification": ["title": "T", "body": "B", "android": ["channelID": "c"]]]) == "xiaomi.channel")
        #expect(try first(["custom": ["content": "c"]]) == "xiaomi.custom")
    }
}
