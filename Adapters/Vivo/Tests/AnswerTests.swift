import Foundation
import PushAdapter
import PushVivo
import TestSupport
import Testing

@Suite("vivo answers")
struct AnswerTests {
    private static func answer(_ code: JSONValue, _ fields: [String: JSONValue] = [:]) -> JSONValue {
        .object(["result": code, "desc": "no"].merging(fields) { $1 })
    }

    private func sending(_ audience: Audience = Shop.device) throws -> Exchange<SendReceipt> {
        try Shop.vivo().send(Shop.message(), to: audience)
    }

    private func diagnose(
        _ response: WireResponse, to audience: Audience = Shop.device, _ edit: (inout Vivo) throws -> Void = { _ in }
    ) throws -> PushError? {
        try Shop.vivo(edit).diagnose(response, to: sending(audience).call)
    }

    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    @Test("every documented code has a row, its retry and its effect")
    func table() throws {
        #expect(Self.documented.count == 100)
        for row in Self.documented {
            switch row.surface {
            case "rest":
                let error = try diagnose(Shop.answer(Self.answer(row.code.json)))
                row.check(error, isUnclear: row.code == 10040, in: Vivo.errorRows)
            case "http":
                let error = try diagnose(WireResponse(status: row.http ?? 0))
                #expect(error?.retry.isAdvised == row.retry && error?.effect == .unknown)
            case "receipt": #expect(row.code.number.flatMap { VivoReceipts.meanings[$0] } != nil, "\(row.code)")
            default: #expect(row.surface == "target" && Self.verdicts.contains { $0.status == row.code.json })
            }
        }
        let codes = Set(Self.documented.filter { $0.surface == "rest" && $0.code != 0 }.map(\.code))
        #expect(Set(Vivo.errorRows.map(\.code)) == codes && Vivo.errorRows.count == codes.count)
        #expect(VivoReceipts.meanings.count == Self.documented.count { $0.surface == "receipt" })
    }

    @Test("a row has the kind that a program acts on")
    func kinds() throws {
        let kinds: [(VendorCode, PushError.Kind)] = [
            (10000, .unauthorized), (10043, .blocked), (10054, .invalidArgument), (10056, .tooLong),
            (10070, .quotaExhausted), (10071, .quotaExhausted), (10072, .rateLimited), (10089, .misconfigured),
            (10094, .misconfigured), (10104, .invalidArgument), (10206, .unauthorized), (10302, .noTarget),
            (10311, .noTarget), (10040, .unknown),
        ]
        for (code, kind) in kinds { #expect(try diagnose(Shop.answer(Self.answer(code.json)))?.kind == kind) }
        #expect(try diagnose(Shop.answer(Self.answer(10000)))?.retry == .afterRenewal)
        let unknown = try #require(try diagnose(Shop.answer(Self.answer(70000))))
        #expect(unknown.kind == .unknown && unknown.effect == .unknown && unknown.vendor?.code == 70000)
    }

    @Test("the code decides, whether it is a number or a text, and a failing status without one is a failure")
    func forms() throws {
        let text = try #require(try diagnose(Shop.answer(Self.answer("10206"))))
        #expect(text.kind == .unauthorized && text.vendor?.message == "no")
        #expect(try diagnose(Shop.answer(Self.answer(0), 502))?.effect == .unknown)
        #expect(try diagnose(WireResponse(status: 502, body: Array("<html>".utf8)))?.kind == .server)
        #expect(try diagnose(WireResponse(status: 200, body: Array("<html>".utf8))) == nil)
    }

    /// What each status of a refused target means; none is a missing one.
    private static let verdicts: [(status: JSONValue?, verdict: TargetVerdict)] = [
        (.none, .dead()), (1, .dead()), ("1", .dead()), (2, .suspect), (3, .suspect), (4, .isolated), (9, .suspect),
        ("x", .suspect),
    ]

    @Test("a device is dead only if the vendor does not know it, and an alias never", arguments: verdicts)
    func refusedTarget(status: JSONValue?, verdict: TargetVerdict) throws {
        var user: [String: JSONValue] = ["userid": "15000000000000000000001"]
        user["status"] = status
        var nameless = user
        nameless["userid"] = Optional<JSONValue>.none
        for fields: [String: JSONValue] in [
            ["invalidUser": .object(user)], ["invalidUser": .null, "invalidUsers": [], "data": [.object(user)]],
            ["invalidUser": .object(nameless), "data": [:]],
        ] {
            let response = Shop.answer(Self.answer(10302, fields))
            let error = try #require(try diagnose(response))
            #expect(error.kind == .noTarget && error.vendor?.verdict == verdict)
            let alias = try diagnose(response, to: .aliases(["ann"]))?.vendor?.verdict
            #expect(alias == (verdict == .dead() ? .suspect : verdict))
            #expect(try diagnose(response, to: .everyone)?.vendor?.verdict == nil)
        }
    }

    @Test("what the vendor says about another device is not about this one, and of two reasons the milder counts")
    func contradictions() throws {
        let own: JSONValue = "15000000000000000000001"
        func verdict(_ rows: JSONValue, _ audience: Audience = Shop.device) throws -> TargetVerdict? {
            try diagnose(Shop.answer(Self.answer(10302, ["data": rows])), to: audience)?.vendor?.verdict
        }
        #expect(try verdict([["userid": "150009", "status": 1]]) == .suspect)
        #expect(try verdict([["userid": "150009", "status": 2], ["userid": own, "status": 1]]) == .dead())
        #expect(try verdict([["userid": own, "status": 1], ["userid": own, "status": 2]]) == .suspect)
        #expect(try verdict([["userid": own, "status": 1], ["status": 4]]) == .isolated)
        #expect(try verdict([["userid": own, "status": 4]], .aliases(["ann"])) == .isolated)
    }

    @Test("an accepted request whose only target the vendor refuses is a refusal, and dead only by a status of 1")
    func acceptedAndRefused() throws {
        func error(_ user: JSONValue, _ audience: Audience = Shop.device) throws -> PushError? {
            try diagnose(Shop.answer(["result": 0, "taskId": "1", "invalidUser": user]), to: audience)
        }
        let own: JSONValue = "15000000000000000000001"
        for (status, verdict): (JSONValue, TargetVerdict) in [(1, .dead()), (.null, .suspect), (2, .suspect)] {
            let refusal = try #require(try error(["userid": own, "status": status]))
            #expect(refusal.kind == .noTarget && refusal.effect == .notApplied && refusal.retry == .never)
            #expect(refusal.vendor?.verdict == verdict)
        }
        #expect(try error(["status": 1])?.vendor?.verdict == .dead())
        #expect(try error(["userid": "ann", "status": 1], .aliases(["ann"]))?.vendor?.verdict == .suspect)
        for user: JSONValue in [.null, [:], ["userid": .null, "status": .null], ["userid": "", "status": 0]] {
            for audience: Audience in [Shop.device, .aliases(["ann"]), .everyone] {
                #expect(try error(user, audience) == nil)
            }
        }
        #expect(try error(["userid": "150009", "status": 1]) == nil)
        #expect(try error(["userid": own, "status": 1], .everyone) == nil)
    }

    @Test("a device that takes no messages now is alive, and other refusals say nothing about it")
    func alive() throws {
        #expect(try diagnose(Shop.answer(Self.answer(10302)))?.vendor?.verdict == .dead())
        #expect(try diagnose(Shop.answer(Self.answer(10311)))?.vendor?.verdict == .isolated)
        #expect(try diagnose(Shop.answer(Self.answer(10054)))?.vendor?.verdict == nil)
        #expect(
            VivoReceipts.meanings.keys.filter { VivoReceipts.verdict(on: $0) != nil }.sorted() == [
                2183, 20002, 31004, 32005,
            ])
    }

    @Test("a quota that is used up lasts until a minute after midnight in China, or of the days of the settings")
    func quota() throws {
        for code: JSONValue in [10070, 10073, 10252, 10254] {
            func wait(_ date: Date, offset hours: Int = 8) throws -> PushError.Retry? {
                let day = CalendarDay(utcOffset: .seconds(hours * 3600))
                return try diagnose(Shop.answer(Self.answer(code), at: date)) { $0.day = day }?.retry
            }
            // 08:00 in China.
            #expect(try wait(Shop.now) == .after(.seconds(16 * 3600 + 60)))
            #expect(try wait(Shop.now, offset: 1) == .after(.seconds(23 * 3600 + 60)))
            let midnight = Shop.now.addingTimeInterval(16 * 3600)
            #expect(try wait(midnight.addingTimeInterval(-1)) == .after(.seconds(61)))
            #expect(try wait(midnight.addingTimeInterval(59)) == .after(.seconds(60)), "it may be about yesterday")
            #expect(try wait(midnight.addingTimeInterval(60)) == .after(.seconds(86_400)))
        }
    }

    @Test("a code of a class names the quota of the class, of live messages or of tests")
    func named() throws {
        func quota(_ code: JSONValue, _ options: JSONValue? = nil) throws -> QuotaBucket? {
            let call = try Shop.vivo().send(Shop.message(options: options), to: .everyone).call
            return try Shop.vivo().diagnose(Shop.answer(Self.answer(code)), to: call)?.vendor?.usedUp
        }
        for code: JSONValue in [10070, 10071] { #expect(try quota(code) == "vivo.operational") }
        #expect(try quota(10073) == "vivo.system" && quota(10073, ["pushMode": 1]) == "vivo.system.tests")
        #expect(try quota(10070, ["pushMode": 1]) == "vivo.operational.tests")
        #expect(try quota(10254) == "vivo.everyone" && quota(10072) == nil)
    }

    @Test("a used up class does not stop calls that send nothing")
    func otherCalls() throws {
        let vivo = try Shop.vivo()
        let change = try vivo.changeMembers(of: "会员", .add(["a"]))
        for (code, quota): (JSONValue, QuotaBucket) in [
            (10070, "vivo.operational"), (10073, "vivo.system"), (10254, "vivo.everyone"),
        ] {
            #expect(vivo.diagnose(Shop.answer(Self.answer(code)), to: change.call)?.vendor?.usedUp == quota)
        }
    }

    @Test(
        "an operational message waits for seven in the morning in China, and only ten minutes if the clocks differ",
        arguments: [(15, 28_800), (17.5, 19_800), (22.75, 900), (23, 600), (14.99, 600)] as [(Double, Double)])
    func night(hours: Double, wait: Double) throws {
        // From 08:00 in China.
        let response = Shop.answer(Self.answer(10071), at: Shop.now.addingTimeInterval(hours * 3600))
        let error = try #require(try diagnose(response))
        #expect(error.kind == .quotaExhausted && error.retry == .after(.seconds(wait)))
    }

    @Test("a send names its message, whose id may be a number")
    func receipts() throws {
        for id: JSONValue in ["121397329", 121_397_329] {
            let receipt = try sending().decode(Shop.answer(["result": 0, "desc": "请求成功", "taskId": id]))
            #expect(receipt == SendReceipt(messageID: "121397329"))
        }
        for body: JSONValue in [["result": 0], ["result": 0, "taskId": ""], ["taskId": "1"]] {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try sending().decode(Shop.answer(body)) }
        }
    }

    @Test("the quota that the vendor means comes first, so that one class does not stop another")
    func charges() throws {
        func buckets(
            _ intent: JSONValue?, _ audience: Audience = Shop.device, _ options: JSONValue? = nil
        ) throws -> [QuotaBucket] {
            let vivo = try Shop.vivo()
            var message = try Shop.message(options: options)
            message.messageClass = intent.map { MessageClass($0 == "service" ? .service : .marketing) }
            let charges = try vivo.send(message, to: audience).charges
            #expect(charges.allSatisfy { $0.cost == 1 && vivo.capabilities.quotas[$0.bucket] != nil })
            return charges.map(\.bucket)
        }
        #expect(try buckets(nil) == ["vivo.operational", "vivo.requests"])
        #expect(try buckets("marketing") == ["vivo.operational", "vivo.requests"])
        #expect(try buckets("service") == ["vivo.system", "vivo.requests"])
        #expect(try buckets("service", .everyone) == ["vivo.everyone", "vivo.system", "vivo.requests"])
        #expect(try buckets("service", Shop.device, ["pushMode": 1]) == ["vivo.system.tests", "vivo.requests"])
        #expect(try buckets(nil, Shop.device, ["pushMode": 1]) == ["vivo.operational.tests", "vivo.requests"])
    }
}
