import Foundation
import PushAdapter
import PushOPPO
import TestSupport
import Testing

@Suite("OPPO answers")
struct AnswerTests {
    private static func answer(_ code: JSONValue) -> JSONValue { ["code": code, "message": "no", "data": .null] }

    private func sending(_ audience: Audience = Shop.devices(2)) throws -> Exchange<SendReceipt> {
        try Shop.oppo().send(Shop.message(), to: audience)
    }

    private func diagnose(
        _ response: WireResponse, to audience: Audience = Shop.devices(2),
        _ edit: (inout OPPO) throws -> Void = { _ in }
    ) throws -> PushError? {
        try Shop.oppo(edit).diagnose(response, to: sending(audience).call)
    }

    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    /// The codes that say nothing certain about what the vendor did.
    private static let unclear: Set<VendorCode> = [-1, 32]

    @Test("every documented code has a row, its retry and its effect")
    func table() throws {
        #expect(Self.documented.count == 42)
        for row in Self.documented {
            switch row.surface {
            case "rest":
                let error = try diagnose(Shop.answer(Self.answer(row.code.json)))
                row.check(error, isUnclear: Self.unclear.contains(row.code), in: OPPO.errorRows)
            case "rest-row":
                #expect(OPPO.errorRows.contains { $0.code == row.code && $0.effect == .notApplied }, "\(row.code)")
            default: #expect(OPPOReceipts.meanings[row.code.rawValue] != nil, "\(row.code)")
            }
        }
        #expect(Set(OPPO.errorRows.map(\.code)).count == OPPO.errorRows.count)
        #expect(Set(OPPO.errorRows.map(\.code)).isSubset(of: Self.documented.map(\.code)))
    }

    @Test("a row has the kind that a program acts on")
    func kinds() throws {
        let kinds: [(VendorCode, PushError.Kind)] = [
            (-1, .server), (-2, .rateLimited), (13, .rateLimited), (69, .rateLimited), (33, .quotaExhausted),
            (11, .unauthorized), (29, .unauthorized), (16, .unauthorized), (19, .misconfigured), (12, .misconfigured),
            (27, .blocked), (41, .invalidArgument), (67, .misconfigured), (10000, .noTarget),
        ]
        for (code, kind) in kinds { #expect(try diagnose(Shop.answer(Self.answer(code.json)))?.kind == kind) }
        for code: JSONValue in [11, 29] {
            #expect(try diagnose(Shop.answer(Self.answer(code)))?.retry == .afterRenewal)
        }
        let unknown = try #require(try diagnose(Shop.answer(Self.answer(19_999))))
        #expect(unknown.kind == .unknown && unknown.effect == .unknown && unknown.vendor?.code == 19_999)
    }

    @Test("the code decides, whether it is a number or a text, and a failing status without one is a failure")
    func forms() throws {
        let text = try #require(try diagnose(Shop.answer(Self.answer("30"))))
        #expect(text.kind == .misconfigured && text.vendor?.message == "no")
        #expect(try diagnose(Shop.answer(Self.answer(0), 502))?.effect == .unknown)
        #expect(try diagnose(WireResponse(status: 502, body: Array("<html>".utf8)))?.kind == .server)
        #expect(try diagnose(WireResponse(status: 200, body: Array("<html>".utf8))) == nil)
    }

    @Test("a wrong id is dead if it has the form of a registration id, and an answer to a list names no device")
    func noTarget() throws {
        let good: [DeviceID] = [
            Shop.device(1), DeviceID(String(repeating: "0af", count: 8)),
            DeviceID("OPPO_CN_" + String(repeating: "0a", count: 16)),
        ]
        func verdict(_ audience: Audience, _ code: JSONValue = 10000) throws -> TargetVerdict? {
            let error = try #require(try diagnose(Shop.answer(Self.answer(code)), to: audience))
            #expect(error.kind == .noTarget && error.vendor?.targets == [:])
            return error.vendor?.verdict
        }
        for device in good { #expect(try verdict(.devices([device])) == .dead()) }
        for device: DeviceID in ["CN_abc", "0af", DeviceID(String(repeating: "g", count: 24))] {
            #expect(try verdict(.devices([device])) == .suspect)
            #expect(try verdict(.devices([device]), 10001) == .dead())
        }
        for code: JSONValue in [10000, 10001] { #expect(try verdict(.aliases(["ann"]), code) == .suspect) }
        #expect(try verdict(Shop.devices(2)) == nil)
        #expect(try diagnose(Shop.answer(Self.answer(41)), to: Shop.devices(1))?.vendor?.verdict == nil)
    }

    @Test("a quota that is used up lasts until midnight in China, or of the days of the settings")
    func quota() throws {
        // 2026-11-20 09:00 UTC, 17:00 in China.
        let response = Shop.answer(Self.answer(33))
        #expect(try diagnose(response)?.retry == .after(.seconds(7 * 3600)))
        #expect(try diagnose(response) { $0.day = CalendarDay(utcOffset: .zero) }?.retry == .after(.seconds(15 * 3600)))
    }

    @Test("duplicate data is unknown, or sent before if the settings trust it and the message had a key")
    func duplicates() throws {
        let key = IdempotencyKey("aB3-5678", kind: .push, mintedAt: Shop.now, expiresAt: Shop.now)
        let whole = Shop.answer(Self.answer(32))
        let common = Shop.done([Self.row(0, 32), Self.row(1, 32)])
        for response in [whole, common] {
            #expect(try diagnose(response)?.effect == .unknown)
            #expect(try diagnose(response) { $0.trustsDuplicates = true } == nil)
        }
        for (trusts, key) in [(false, nil), (false, key), (true, nil), (true, key)] {
            let oppo = try Shop.oppo { $0.trustsDuplicates = trusts }
            let exchange = try oppo.send(
                Shop.message(), to: Shop.devices(2), in: SendContext(at: Shop.now, key: key))
            let isSent = trusts && key != nil
            let receipt = try exchange.decode(Shop.done([Self.row(0), Self.row(1, 32)]))
            #expect(receipt.exceptions == (isSent ? [:] : [Shop.device(1).rawValue: .unknown]))
            for response in [whole, common] {
                #expect((try? exchange.decode(response).exceptions.isEmpty) == (isSent ? true : nil))
            }
        }
        let tagging = try #require(try Shop.oppo().roles.tags.add?(["vip"], Shop.device(1))).call
        #expect(try Shop.oppo { $0.trustsDuplicates = true }.diagnose(whole, to: tagging)?.effect == .unknown)
    }

    @Test("a send to one target names its message, in either spelling")
    func one() throws {
        let exchange = try sending(Shop.devices(1))
        for name in ["messageId", "message_id"] {
            #expect(try exchange.decode(Shop.done([name: "1-1-a"])) == SendReceipt(messageID: "1-1-a"))
        }
        for body: JSONValue in [Self.answer(0), ["code": 0, "data": ["messageId": ""]], ["message": "success"]] {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try exchange.decode(Shop.answer(body)) }
        }
    }

    @Test("a success that holds an error code is a refusal of its one target")
    func oneRefused() throws {
        func error(_ code: Int) throws -> PushError? {
            let response = Shop.done(Self.row(0, code))
            return try diagnose(response, to: Shop.devices(1))
        }
        #expect(try error(0) == nil)
        let wrong = try #require(try error(10000))
        #expect(wrong.kind == .noTarget && wrong.effect == .notApplied && wrong.vendor?.verdict == .dead())
        #expect(try error(33)?.kind == .quotaExhausted && error(10077)?.effect == .unknown)
        // What it says of another device says nothing of ours.
        for code in [nil, 10000] {
            let other = Shop.done(Self.row(7, code))
            #expect(try diagnose(other, to: Shop.devices(1)) == nil)
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try sending(Shop.devices(1)).decode(other) }
        }
    }

    private static func row(_ device: Int?, _ code: Int? = nil, _ id: String = "m") -> JSONValue {
        var fields: [String: JSONValue] = ["messageId": .string(id)]
        if let device { fields["registrationId"] = .string(Shop.device(device).rawValue) }
        if let code { fields["errorCode"] = .number(Decimal(code)) }
        return .object(fields)
    }

    @Test("a batch names the targets that the vendor refused, in any order, and the messages of the others")
    func batch() throws {
        let exchange = try sending(Shop.devices(4))
        let receipt = try exchange.decode(
            Shop.done([Self.row(3, 55), Self.row(0, nil, "a"), Self.row(1, 10000, "b"), Self.row(2, 0, "c")]))
        #expect(receipt.messageIDs == ["a", "c"])
        #expect(
            receipt.exceptions == [
                Shop.device(1).rawValue: .invalid(), Shop.device(3).rawValue: .rejected(mayRetry: true),
            ])
        #expect(try exchange.decode(Shop.done(.array((0..<4).map { Self.row($0) }))).exceptions == [:])
    }

    @Test("each code of a row has its status")
    func rows() throws {
        let exchange = try sending(Shop.devices(2))
        let cases: [(code: Int, status: TargetStatus)] = [
            (10000, .invalid()), (10001, .invalid()), (10004, .rejected(mayRetry: false)),
            (41, .rejected(mayRetry: false)), (-2, .rejected(mayRetry: true)), (33, .rejected(mayRetry: true)),
            (-1, .unknown), (10077, .unknown),
        ]
        for row in cases {
            let receipt = try exchange.decode(Shop.done([Self.row(0), Self.row(1, row.code)]))
            #expect(receipt.exceptions == [Shop.device(1).rawValue: row.status], "\(row.code)")
        }
        let aliases = try sending(.aliases(["ann", "bob"]))
        #expect(try aliases.decode(Shop.done([Self.row(nil), Self.row(nil, 10001)])).exceptions == ["bob": .suspect])
        let strange = try sending(.devices(["abc", Shop.device(0)]))
        let rows: JSONValue = [["registrationId": "abc", "errorCode": 10000], Self.row(0)]
        #expect(try strange.decode(Shop.done(rows)).exceptions == ["abc": .suspect])
    }

    @Test("rows without names count in the order of the targets, and a target without a row is unknown")
    func namelessRows() throws {
        let aliases = try sending(.aliases(["ann", "bob"]))
        #expect(
            try aliases.decode(Shop.done([Self.row(7), Self.row(8, 41)])).exceptions == [
                "bob": .rejected(mayRetry: false)
            ])
        // With a row missing, none is about a certain alias.
        #expect(throws: PushError.self) { try aliases.decode(Shop.done([Self.row(7)])) }
        let devices = try sending(Shop.devices(2))
        #expect(try devices.decode(Shop.done([Self.row(1)])).exceptions == [Shop.device(0).rawValue: .unknown])
        #expect(
            try devices.decode(Shop.done([Self.row(nil), Self.row(nil, 10001)])).exceptions
                == [Shop.device(1).rawValue: .invalid()])
        // A row of another device says nothing about ours.
        #expect(
            try devices.decode(Shop.done([Self.row(0), Self.row(7)])).exceptions
                == [Shop.device(1).rawValue: .unknown])
        #expect(try devices.decode(Shop.done([Self.row(0), [:]])).exceptions == [Shop.device(1).rawValue: .unknown])
        // The accepted row of a device counts, whatever another row says.
        let twice: JSONValue = [Self.row(0), Self.row(0, 10004), Self.row(1)]
        #expect(try devices.decode(Shop.done(twice)).exceptions == [:])
        // A row that leaves the outcome open counts before a refusal, and else the first one.
        for (codes, status) in [
            ([-1, 10004], .unknown), ([41, -1], .unknown), ([55, 10004], .rejected(mayRetry: true)),
        ] as [([Int], TargetStatus)] {
            let rows = [Self.row(0)] + codes.map { Self.row(1, $0) }
            #expect(try devices.decode(Shop.done(.array(rows))).exceptions == [Shop.device(1).rawValue: status])
        }
        let nothing: [JSONValue] = [
            [], .null, ["messageId": "m"], [[:], [:]], [Self.row(nil, 41)], [Self.row(0, 10000), Self.row(1, 10077)],
        ]
        for data in nothing {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try devices.decode(Shop.done(data)) }
        }
    }

    @Test("if all rows have a code that is about the request, the request was refused")
    func commonRefusal() throws {
        func error(_ codes: Int?...) throws -> PushError? {
            try diagnose(Shop.done(.array(codes.enumerated().map { Self.row($0, $1) })))
        }
        let usedUp = try #require(try error(33, 33))
        #expect(usedUp.kind == .quotaExhausted && usedUp.retry == .after(.seconds(7 * 3600)))
        #expect(usedUp.effect == .notApplied && usedUp.vendor?.code == 33)
        #expect(try error(-1, -1)?.effect == .unknown && error(55, 55)?.kind == .rateLimited)
        #expect(try error(33) == nil, "nothing is said about the other target")
        for strangers in [[0, 0], [0, 7], [7, 8]] {
            #expect(try diagnose(Shop.done(.array(strangers.map { Self.row($0, 33) }))) == nil, "\(strangers)")
        }
        for codes in [[33, nil], [nil, 33], [33, 55], [10000, 10000], [41, 41], [10077, 10077], [nil, nil]] {
            #expect(try error(codes[0], codes[1]) == nil, "\(codes)")
        }
    }
}
