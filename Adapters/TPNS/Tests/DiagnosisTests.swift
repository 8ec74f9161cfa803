import Foundation
import PushAdapter
import PushTPNS
import TestSupport
import Testing

@Suite("TPNS answers")
struct DiagnosisTests {
    private static let rows: [DocumentedRow] = fixture("errors.json") ?? []

    private func diagnose(_ status: Int, _ body: String, _ operation: Feature = .send) throws -> PushError? {
        try Sample.tpns().diagnose(WireResponse(status, body), to: VendorCall(operation, WireRequest(.post, "tpns")))
    }

    @Test("every documented code is mapped, with the documented retry, and no code is mapped that is not documented")
    func tableIsComplete() throws {
        #expect(Self.rows.count == 31)
        for row in Self.rows {
            let mapped = try #require(TPNS.errorRows.row(row.code), "\(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.code)")
            #expect(mapped.kind != .unknown && !mapped.advice.isEmpty && !mapped.source.isEmpty, "\(row.code)")
        }
        #expect(Set(TPNS.errorRows.map(\.code)) == Set(Self.rows.map(\.code)))
    }

    @Test("all spellings of the envelope are read, with any status, and nothing of them is lost")
    func envelopes() throws {
        for row in Self.rows where ![1_008_026, 1_008_027].contains(row.code) {
            for body in [
                #"{"ret_code":\#(row.code),"err_msg":"m"}"#, #"{"retCode":\#(row.code),"errMsg":"m"}"#,
                #"{"retCode":"\#(row.code)","ErrMsg":"m"}"#,
            ] {
                for status in [200, 400, 403] {
                    let error = try #require(try diagnose(status, body), "\(body)")
                    #expect(error.vendor?.code == row.code && error.kind == TPNS.errorRows.row(row.code)?.kind)
                    #expect(error.vendor?.httpStatus == status)
                }
            }
        }
        #expect(try diagnose(200, #"{"ret_code":0}"#) == nil)
        #expect(try diagnose(500, #"{"ret_code":0}"#)?.kind == .server)
    }

    @Test("another access point is explained, by code and by status, with a guess where there is one")
    func misplaced() throws {
        for (status, body) in [
            (200, #"{"ret_code":1008035,"err_msg":"x"}"#), (403, ""), (403, "<html></html>"),
            (403, #"{"ret_code":403}"#),
            (403, #"{"ret_code":0}"#),
        ] {
            let error = try #require(try diagnose(status, body))
            #expect(error.kind == .misconfigured && error.effect == .notApplied && error.retry == .never)
            #expect(error.message.contains("access point") && error.message.contains("guangzhou"))
            #expect(!error.message.contains("shanghai"))
        }
        let shanghai = try TPNS(accessID: 1_680_000_001, secretKey: Secret("k"), platform: .ios)
        let error = shanghai.diagnose(WireResponse(403, ""), to: VendorCall(.send, WireRequest(.post, "tpns")))
        #expect(error?.message.contains("seen at shanghai") == true)
    }

    @Test("a token that the vendor calls not valid is dead, and only a send says so")
    func deadTokens() throws {
        for code in [1_008_006, 1_008_029] {
            let body = #"{"ret_code":\#(code),"err_msg":"token invalid"}"#
            #expect(try diagnose(200, body)?.vendor?.verdict == .dead())
            #expect(try diagnose(200, body, .addTags)?.vendor?.verdict == nil)
        }
        #expect(try diagnose(200, #"{"ret_code":10110008,"err_msg":"no account"}"#)?.vendor?.verdict == nil)
    }

    @Test("a refused signature speaks of key and clock")
    func signature() throws {
        let error = try #require(try diagnose(200, #"{"ret_code":1008003,"err_msg":"auth failure"}"#))
        #expect(error.kind == .unauthorized)
        #expect(error.message.contains("secret key") && error.message.contains("clock"))
    }

    @Test("nothing found is an answer where something is looked up, and an error elsewhere")
    func lookups() throws {
        let unknown = #"{"retCode":10110008,"errMsg":"no token, no account"}"#
        for operation in [Feature.readAccounts, .readAccountDevices, .probeCredentials] {
            #expect(try diagnose(200, unknown, operation) == nil)
        }
        #expect(try diagnose(200, unknown, .removeAccounts) == nil)
        #expect(try diagnose(200, unknown, .addAccounts)?.kind == .noTarget)
        let unsent = #"{"retCode":1008015,"errMsg":"push id not exist"}"#
        #expect(try diagnose(200, unsent, .readDeliveries) == nil)
        #expect(try diagnose(200, unsent, "tpns.push.cancel")?.kind == .invalidState)
        let reply = try Sample.tpns().readDeliveries(of: ["1"]).decode(WireResponse(200, unsent))
        #expect(reply.isEmpty)
    }

    @Test("of a batch of one, the code of the element counts")
    func elements() throws {
        let body = #"{"ret_code":1008027,"err_msg":"batch op, total error","result":["1008006"]}"#
        #expect(try diagnose(200, body, .replaceAccounts)?.kind == (try diagnose(200, body, .addAccounts))?.kind)
        let error = try #require(try diagnose(200, body, .addAccounts))
        #expect(error.vendor?.code == 1_008_006 && error.kind == .noTarget)
        let found = #"{"retCode":1008027,"errMsg":"batch op, total error","result":["10110008"]}"#
        #expect(try diagnose(200, found, .readAccounts) == nil)
        #expect(try Sample.tpns().readAccounts(of: Sample.device).decode(WireResponse(200, found)).isEmpty)
    }

    @Test("a batch has a status for each element, whatever form its codes have")
    func batches() throws {
        let bindings = [Sample.device, Sample.other].map { TPNSBinding($0, [Account(name: "a", type: 1)]) }
        let exchange = try Sample.tpns().bindAccounts(bindings)
        for (body, statuses) in [
            (#"{"ret_code":0,"result":["ok","ok"]}"#, [TargetStatus.accepted, .accepted]),
            (#"{"ret_code":0}"#, [.accepted, .accepted]),
            (#"{"ret_code":1008026,"result":[0,1008006]}"#, [.accepted, .invalid()]),
            (#"{"ret_code":1008026,"result":["1008004","1008028"]}"#, [.unknown, .rejected(mayRetry: true)]),
            (#"{"ret_code":1008027,"result":"{}"}"#, [.rejected(mayRetry: false), .rejected(mayRetry: false)]),
        ] { #expect(try exchange.decode(WireResponse(200, body)).map(\.status) == statuses, "\(body)") }
        #expect(throws: PushError.self) { try exchange.decode(WireResponse(200, #"{"ret_code":1008026}"#)) }
        let query = try Sample.tpns().readAccounts(of: [Sample.device, Sample.other])
        let failed = #"{"retCode":1008026,"result":["0","1008004"],"token_accounts":[]}"#
        #expect(throws: PushError.self) { try query.decode(WireResponse(200, failed)) }
    }

    @Test("an unknown code keeps its number and is no success")
    func unknownCode() throws {
        let error = try #require(try diagnose(200, #"{"ret_code":424242,"err_msg":"surprise"}"#))
        #expect(error.kind == .unknown && error.effect == .unknown && error.retry == .never)
        #expect(error.vendor?.code == 424_242 && error.vendor?.message == "surprise")
    }

    @Test(
        "an answer without a code is no success of any call",
        arguments: ["", "[]", "{}", #"{"hello":"world"}"#, #"{"ret_code":null}"#, #"{"ret_code":"many"}"#, "<html>"])
    func noCode(body: String) throws {
        for endpoint in EndpointTests.all {
            let made = try #require(try EndpointTests.make(endpoint.id))
            #expect(throws: PushError.self, "\(endpoint.id)") { try made.exchange.decode(WireResponse(200, body)) }
        }
        #expect(try diagnose(200, body) == nil)
    }

    @Test("ids come as text, number or list, with all their digits; a push without one has none")
    func pushIDs() throws {
        let exchange = try Sample.tpns().send(Sample.message, to: .everyone)
        for (id, expected) in [
            (#""1979000000000000001""#, ["1979000000000000001"]), ("1979000000000000001", ["1979000000000000001"]),
            (#"["1","2"]"#, ["1", "2"]), ("[1979000000000000001,2]", ["1979000000000000001", "2"]),
        ] {
            let receipt = try exchange.decode(WireResponse(200, #"{"ret_code":0,"push_id":\#(id)}"#))
            #expect(receipt.messageIDs.map(\.rawValue) == expected)
        }
        #expect(throws: PushError.self) { try exchange.decode(WireResponse(200, #"{"ret_code":0}"#)) }
    }

    @Test("phone makers' channels are counted together, the sum of all is left out, and huge figures do not overflow")
    func deliveries() throws {
        let body = """
            {"retCode":0,"errMsg":"NO_ERROR","pushStatDataAll":[
              {"channel":"xg","pushState":{"pushOnlineUv":1,"arrivalUv":1}},
              {"channel":"hw","pushState":{"pushOnlineUv":9223372036854775807,"verifySvcUv":0,"arrivalUv":2}},
              {"channel":"xm","pushState":{"pushOnlineUv":4,"arrivalUv":3}},
              {"channel":"all","pushState":{"pushOnlineUv":99,"arrivalUv":99}}]}
            """
        let report = try #require(
            try Sample.tpns(.android).readDeliveries(of: ["7"]).decode(WireResponse(200, body)).first)
        #expect(report.channels[.vendor] == DeliveryCount(sent: 1, received: 1))
        #expect(report.channels[.manufacturer] == DeliveryCount(sent: .max, received: 5))
        #expect(report.received == 6)
    }
}
