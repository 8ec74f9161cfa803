import Foundation
import PushAdapter
import PushEngageLab
import TestSupport
import Testing

@Suite("EngageLab answers")
struct DiagnosisTests {
    private static let rows: [DocumentedRow] = fixture("errors.json") ?? []

    private func diagnose(_ status: Int, _ body: String, for operation: Feature = .send) throws -> PushError? {
        try Sample.engageLab().diagnose(
            WireResponse(status, body), to: VendorCall(operation, WireRequest(.post, "push")))
    }

    @Test("every documented code is mapped, with the documented retry, and no code is mapped that is not documented")
    func tableIsComplete() throws {
        #expect(Self.rows.count > 40)
        for row in Self.rows {
            let mapped = try #require(EngageLab.errorRows.row(row.code), "\(row.surface) \(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.surface) \(row.code)")
            #expect(mapped.kind != .unknown, "\(row.code)")
            #expect(!row.source.isEmpty)
            // A failure inside the vendor never counts as harmless.
            if let http = row.http, http >= 500 { #expect(mapped.effect == .unknown, "\(row.code)") }
        }
        #expect(Set(EngageLab.errorRows.map(\.code)) == Set(Self.rows.map(\.code)))
        #expect(EngageLab.errorRows.allSatisfy { !$0.source.isEmpty && !$0.advice.isEmpty })
    }

    @Test("both envelopes are read, and the code comes before the status")
    func envelopes() throws {
        for row in Self.rows {
            for status in [row.http ?? 400, 400, 401, 200] {
                for body in [
                    #"{"error":{"code":\#(row.code),"message":"m"}}"#, #"{"code":\#(row.code),"message":"m"}"#,
                ] {
                    let error = try #require(try diagnose(status, body), "\(row.code)")
                    #expect(error.kind == EngageLab.errorRows.row(row.code)?.kind)
                    #expect(error.vendor?.code == row.code && error.vendor?.httpStatus == status)
                }
            }
        }
    }

    @Test(
        "a throttle that comes as 400 is a throttle, and an error of parameters that comes as 401 is none of credentials"
    )
    func statuses() throws {
        let throttle = try #require(try diagnose(400, #"{"error":{"code":23008,"message":"m"}}"#))
        #expect(
            throttle.kind == .rateLimited && throttle.effect == .notApplied && throttle.retry == .backoff)
        for code in [21_059, 21_306, 27_008, 27_009] {
            #expect(try diagnose(401, #"{"error":{"code":\#(code),"message":"m"}}"#)?.kind == .invalidArgument)
        }
        #expect(try diagnose(401, #"{"error":{"code":21038}}"#)?.kind == .blocked)
        let internalError = try #require(try diagnose(400, #"{"error":{"code":21009,"message":"m"}}"#))
        #expect(internalError.kind == .server && internalError.effect == .unknown)
    }

    @Test("a refused key hints at the other data centers", arguments: [21_004, 21_008])
    func centers(code: Int) throws {
        let error = try #require(try diagnose(401, #"{"error":{"code":\#(code),"message":"m"}}"#))
        #expect(error.message.contains("data center") && error.message.contains("Service Endpoint"))
    }

    @Test(
        "an unknown code keeps its number, and nobody guesses what it did",
        arguments: [(400, PushError.Kind.unknown), (429, .rateLimited), (503, .unknown), (200, .unknown)])
    func unknownCodes(status: Int, kind: PushError.Kind) throws {
        let error = try #require(try diagnose(status, #"{"error":{"code":99999,"message":"m"}}"#))
        #expect(error.kind == kind && error.vendor?.code == 99_999)
        if status == 200 || status == 503 { #expect(error.effect == .unknown) }
    }

    @Test("a code that is a text is a code")
    func textCodes() throws {
        #expect(try diagnose(200, #"{"code":"21003","message":7}"#)?.vendor?.code == 21_003)
        #expect(try diagnose(400, #"{"error":{"code":"23008"}}"#)?.kind == .rateLimited)
    }

    @Test("a reply without an id, or with an empty one, is no success")
    func ids() throws {
        let engageLab = try Sample.engageLab()
        let push = try engageLab.send(Sample.message, to: .everyone)
        for body in [#"{"msg_id":""}"#, #"{"request_id":"r"}"#, "{}"] {
            let error = refusal { () throws(PushError) in try push.decode(WireResponse(200, body)) }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
        let validation = try engageLab.validate(Sample.message, to: .everyone)
        #expect(try validation.decode(WireResponse(200, #"{"request_id":""}"#)).messageID == nil)
        #expect(refusal { () throws(PushError) in try validation.decode(WireResponse(200, "{}")) } != nil)
    }

    @Test(
        "an item that says that it failed is never accepted, in whichever form it says so",
        arguments: [
            #"{"success":false,"msg_id":1}"#, #"{"success":false,"error":null,"msg_id":1}"#,
            #"{"error":{},"msg_id":1}"#,
            #"{"msg_id":""}"#, "{}", "1",
        ])
    func items(row: String) throws {
        let item = EngageLabBatchItem(target: .device("d"), message: Sample.message)
        let batch = try Sample.engageLab().sendBatch([item])
        let receipt = try batch.decode(WireResponse(200, #"{"results":{"d":\#(row)}}"#))
        #expect(receipt.results[.device("d")]?.status == .unknown)
        let flat = try batch.decode(WireResponse(200, #"{"results":{"d":{"code":21011,"message":"m"}}}"#))
        #expect(flat.results[.device("d")]?.error?.kind == .noTarget)
    }

    @Test("an id that may be of another app or data center is suspect")
    func suspects() throws {
        let body = #"{"error":{"code":20101,"message":"registration_id"}}"#
        #expect(try diagnose(400, body)?.vendor?.verdict == .suspect)
        #expect(try diagnose(400, #"{"error":{"code":21011,"message":"no target"}}"#)?.vendor?.verdict == nil)
    }

    @Test("one odd row spoils no report, and a report without channels loses no count")
    func oddReports() throws {
        let engageLab = try Sample.engageLab()
        let report = try engageLab.readDeliveries(of: ["1", "2", "3"])
        let body =
            #"{"1":{},"2":{"targets":2,"sent":2,"delivered":1,"sub":{"voip":null,"notification":7}},"3":{"sent":"x"}}"#
        let rows = try report.decode(WireResponse(200, body))
        #expect(rows.map(\.messageID) == ["2"])
        #expect(rows[0].channels["unstated"] == DeliveryCount(sent: 2, received: 1))
        #expect(refusal { () throws(PushError) in try report.decode(WireResponse(200, #"{"hello":"world"}"#)) } != nil)
    }

    @Test("no device id of an answer gets into an error")
    func silentErrors() throws {
        let fates = try Sample.engageLab().readFates(of: "1", on: [Sample.ios])
        let body = #"{"171976fa8a00000a001":{"error_code":"x"}}"#
        let error = refusal { () throws(PushError) in try fates.decode(WireResponse(200, body)) }
        #expect(error != nil && error?.message.contains("a001") == false)
    }

    @Test("an answer about a schedule that is an empty list is a refusal, and a hostile one breaks nothing")
    func scheduleRows() throws {
        let engageLab = try Sample.engageLab { $0.clockOffset = .zero }
        let call = try engageLab.readSchedule("s")
        #expect(refusal { () throws(PushError) in try call.decode(WireResponse(200, "[]")) }?.kind == .invalidState)
        for time in ["2026-12-9223372036854775807 00:00:00", "9223372036854775807-01-01 00:00:00", "", "-", "x"] {
            let row = #"[{"schedule_id":"s","name":"n","enabled":true,"trigger":{"single":{"time":"\#(time)"}}}]"#
            #expect(try call.decode(WireResponse(200, row)).trigger == nil)
        }
    }

    @Test("a page and an empty error are read by their status", arguments: ["<html>502</html>", "", "[]", "{}"])
    func pages(body: String) throws {
        #expect(try diagnose(502, body)?.effect == .unknown)
        #expect(try diagnose(401, body)?.kind == .unauthorized)
        #expect(try diagnose(200, body) == nil)
    }

    @Test(
        "a write is done when it says so: by nothing, by a bare word, by an object",
        arguments: [
            "", "success", "\"success\"", " success\n", "{}", #"{"success":true}"#,
        ])
    func written(body: String) throws {
        try Sample.engageLab().addTags(["a"], to: Sample.ios).decode(WireResponse(200, body))
    }

    @Test(
        "anything else is no word of success",
        arguments: [
            "<html>", "failed", "[]", "1", #"{"success":false}"#, #"{"success":"false"}"#, #"{"success":null}"#,
            #"{"error":"x"}"#, #"{"error":{}}"#, #"{"code":5}"#,
        ])
    func notWritten(body: String) throws {
        let call = try Sample.engageLab().addTags(["a"], to: Sample.ios)
        let error = refusal { () throws(PushError) in try call.decode(WireResponse(200, body)) }
        #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
    }

    @Test("a device that has nothing answers nothing, and a foreign object is no device")
    func devices() throws {
        let call = try Sample.engageLab().readTags(of: Sample.ios)
        #expect(try call.decode(WireResponse(200, "{}")).isEmpty)
        #expect(try call.decode(WireResponse(200, #"{"alias":""}"#)).isEmpty)
        let foreign = refusal { () throws(PushError) in try call.decode(WireResponse(200, #"{"hello":1}"#)) }
        #expect(foreign?.kind == .malformedResponse)
    }

    @Test("the answer to a batch tells when the quota was met, any other nothing about quotas")
    func facts() throws {
        let engageLab = try Sample.engageLab()
        let met = WireResponse(200, #"{"results":{},"rate_limit_info":{"rate_limit_occurred":true}}"#)
        #expect(engageLab.facts(in: met).rate == RateFacts(remaining: 0, reset: .seconds(1)))
        for body in [#"{"rate_limit_info":{"rate_limit_occurred":false}}"#, "{}", "rate_limit_info"] {
            #expect(engageLab.facts(in: WireResponse(200, body)) == ResponseFacts())
        }
    }
}
