import Foundation
import PushAdapter
import PushJPush
import TestSupport
import Testing

@Suite("JPush answers")
struct DiagnosisTests {
    private static let rows: [DocumentedRow] = fixture("errors.json") ?? []

    private static let services: [String: ServiceName] = [
        "rest-push": "push", "rest-device": "devices", "rest-report": "report",
    ]

    private func diagnose(_ status: Int, _ body: String, _ service: ServiceName = "push") throws -> PushError? {
        try Sample.jpush().diagnose(WireResponse(status, body), to: VendorCall(.send, WireRequest(.post, service)))
    }

    @Test("every documented code is mapped, with the documented retry, and no code is mapped that is not documented")
    func tableIsComplete() throws {
        #expect(Self.rows.count > 40)
        for row in Self.rows {
            let mapped = try #require(JPush.errorRows.row(row.code, on: row.surface), "\(row.surface) \(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.surface) \(row.code)")
            #expect(mapped.kind != .unknown || row.code == 8000, "\(row.surface) \(row.code)")
            // A failure inside the vendor never counts as harmless.
            if let http = row.http, http >= 500 { #expect(mapped.effect == .unknown, "\(row.code)") }
            if let http = row.http, (400..<500).contains(http) { #expect(mapped.effect == .notApplied, "\(row.code)") }
        }
        let documented = Set(Self.rows.map { "\($0.surface) \($0.code)" })
        #expect(Set(JPush.errorRows.map { "\($0.surface) \($0.code)" }) == documented)
        #expect(JPush.errorRows.count == documented.count && JPush.errorRows.allSatisfy { !$0.source.isEmpty })
    }

    @Test(
        "both envelopes are read, and the code comes before the status",
        arguments: ["rest-push", "rest-device", "rest-report"])
    func envelopes(surface: String) throws {
        let service = try #require(Self.services[surface])
        for row in Self.rows where row.surface == surface {
            // The result does not depend on the status that comes with the code.
            for status in [row.http ?? 400, 400, 401, 200] {
                for body in [
                    #"{"error":{"code":\#(row.code),"message":"m"}}"#,
                    #"{"code":\#(row.code),"message":"m","data":{}}"#,
                ] {
                    let error = try #require(try diagnose(status, body, service), "\(row.code) \(status)")
                    #expect(error.vendor?.code == row.code)
                    #expect(error.kind == JPush.errorRows.row(row.code, on: surface)?.kind)
                    #expect(error.vendor?.httpStatus == status)
                }
            }
        }
    }

    @Test(
        "successes are no errors",
        arguments: ["", "{}", #"{"sendno":"0","msg_id":"1"}"#, #"{"code":0,"message":"success"}"#])
    func successes(body: String) throws {
        #expect(try diagnose(200, body) == nil)
    }

    @Test("an unknown code survives, and a failure without a code keeps its effect")
    func unknownCodes() throws {
        let unknown = try #require(try diagnose(400, #"{"error":{"code":4242,"message":"new"}}"#))
        #expect(unknown.kind == .unknown)
        #expect(unknown.vendor?.code == 4242)
        #expect(unknown.retry == .never)
        let failing = try #require(try diagnose(503, #"{"error":{"code":4242}}"#))
        #expect(failing.effect == .unknown)
        #expect(failing.retry == .backoff)
        let throttled = try #require(try diagnose(429, #"{"error":{"code":4242}}"#))
        #expect(throttled.kind == .rateLimited)
        #expect(throttled.effect == .notApplied)
    }

    @Test("pages of something in front of the vendor are read by their status", arguments: [502, 503, 504])
    func html(status: Int) throws {
        let error = try #require(try diagnose(status, "<html>Bad gateway</html>"))
        #expect(error.kind == .server)
        #expect(error.effect == .unknown)
        #expect(error.retry == .backoff)
    }

    @Test(
        "a message id that was allocated although the push failed is kept, as number or text",
        arguments: ["18103084512345679", "\"18103084512345679\""])
    func failedMessageID(id: String) throws {
        let error = try #require(
            try diagnose(400, #"{"msg_id":\#(id),"error":{"code":1011,"message":"cannot find user"}}"#))
        #expect(error.kind == .noTarget)
        #expect(error.vendor?.messageID == "18103084512345679")
    }

    @Test(
        "devices the vendor names are found in all three places, and in no printed text",
        arguments: [
            #"{"error":{"code":1003,"message":"The registration_id 190e35f7e0a1b2c3dff is invalid!"}}"#,
            #"{"error":{"code":1003,"message":"m","illegal_rids":["190e35f7e0a1b2c3dff"]}}"#,
            #"{"illegal_rids":["190e35f7e0a1b2c3dff"],"error":{"code":1003,"message":"m"}}"#,
        ])
    func namedDevices(body: String) throws {
        let error = try #require(try diagnose(400, body))
        #expect(error.vendor?.targets == ["190e35f7e0a1b2c3dff": .invalid()])
        #expect(!"\(error) \(String(describing: error.vendor))".contains("190e35f7e0a1b2c3dff"))
    }

    @Test(
        "a receipt keeps every digit of the id, as text or number",
        arguments: ["\"18446744073709551615\"", "18446744073709551615"])
    func receipts(id: String) throws {
        let exchange = try Sample.jpush().send(Sample.message, to: .everyone)
        #expect(
            try exchange.decode(WireResponse(200, #"{"sendno":"0","msg_id":\#(id)}"#)).messageID
                == "18446744073709551615")
        let partly = try exchange.decode(WireResponse(200, #"{"msg_id":\#(id),"illegal_rids":["x"]}"#))
        #expect(partly.exceptions == ["x": .invalid()])
        let replies = [
            "", "{}", "[]", "<html>", #"{"msg_id":null}"#, #"{"msg_id":{}}"#, #"{"msg_id":""}"#,
            #"{"msg_id":"1","illegal_rids":"x"}"#, #"{"msg_id":"1","illegal_rids":[1]}"#,
        ]
        for bad in replies {
            expectThrows(.error(effect: .unknown)) { try exchange.decode(WireResponse(200, bad)) }
        }
    }

    @Test("a device is read with nulls, and a write succeeds on an empty body only")
    func devices() throws {
        let jpush = try Sample.jpush()
        let read = jpush.readDevice("r")
        let full = try read.decode(WireResponse(200, #"{"tags":["a"],"alias":"x","mobile":"1"}"#))
        #expect(full.tags == ["a"] && full.alias == "x" && full.mobile == "1")
        let bare = try read.decode(WireResponse(200, #"{"tags":null,"alias":null,"mobile":null}"#))
        #expect(bare.tags.isEmpty && bare.alias == nil && bare.mobile == nil)
        let write = try jpush.clearTags(of: "r")
        try write.decode(WireResponse(200, ""))
        try write.decode(WireResponse(204, ""))
        #expect(throws: PushError.self) { try write.decode(WireResponse(200, "<html>login</html>")) }
    }

    @Test("a report keeps the vendor's nulls as unknown")
    func reports() throws {
        let exchange = try Sample.jpush().readDeliveries(of: ["1"])
        let body =
            #"[{"msg_id":18103084512345678,"jpush_received":62,"ios_apns_sent":9,"ios_apns_received":null,"live_acivity_sent":1}]"#
        let report = try #require(try exchange.decode(WireResponse(200, body)).first)
        #expect(report.messageID == "18103084512345678")
        #expect(report.channels[.vendor] == DeliveryCount(received: 62))
        #expect(report.channels[.apns] == DeliveryCount(sent: 9))
        #expect(report.channels["liveActivity"] == DeliveryCount(sent: 1))
        #expect(report.channels[.manufacturer] == nil)
        #expect(throws: PushError.self) { try Sample.jpush().readDeliveries(of: ["1,2"]) }
        #expect(throws: PushError.self) { try Sample.jpush().readDeliveries(of: [""]) }
        #expect(refusal { () throws(PushError) in try Sample.jpush().readDeliveries(of: []) } != nil)
    }

    @Test("rate headers are read by either name, and each may be missing")
    func rates() throws {
        let jpush = try Sample.jpush()
        func rate(_ headers: [(String, String)]) -> RateFacts? { jpush.facts(in: WireResponse(200, "", headers)).rate }
        #expect(rate([]) == nil)
        #expect(
            rate([("X-Rate-Limit-Limit", "600"), ("x-rate-limit-remaining", "599"), ("X-RATE-LIMIT-RESET", "60")])
                == RateFacts(limit: 600, remaining: 599, reset: .seconds(60)))
        #expect(rate([("X-Rate-Limit-Quota", "600")]) == RateFacts(limit: 600))
        #expect(rate([("X-Rate-Limit-Reset", "soon")]) == nil)
    }

    @Test("an error in a success is seen wherever it stands, and however it is written")
    func hiddenError() throws {
        let jpush = try Sample.jpush()
        let call = try jpush.send(Sample.message, to: .everyone).call
        for body in [
            #"{"msg_id":"1","error":{"code":1011,"message":"m"}}"#,
            String(repeating: " ", count: 5_000) + #"{"error":{"code":1011,"message":"m"}}"#,
            #"{"padding":"\#(String(repeating: "x", count: 300))","error":{"code":1011,"message":"m"}}"#,
            #"{"err\u006fr":{"c\u006fde":1011,"message":"m"}}"#,
        ] {
            #expect(jpush.diagnose(WireResponse(200, body), to: call)?.kind == .noTarget, "\(body)")
        }
        #expect(jpush.diagnose(WireResponse(200, #"{"msg_id":"1","sendno":"0"}"#), to: call) == nil)
    }

    @Test("keys live a day from when they came")
    func keys() throws {
        let now = Date(timeIntervalSince1970: 1000)
        var response = WireResponse(200, #"{"cidlist":["a","b"]}"#)
        response.receivedAt = now
        let keys = try Sample.jpush().mintKeys(2, for: .send).decode(response)
        #expect(keys.map(\.value) == ["a", "b"])
        #expect(keys.first?.expiresAt == now.addingTimeInterval(86_400))
        for count in [0, -1, 1001] {
            #expect(refusal { () throws(PushError) in try Sample.jpush().mintKeys(count, for: .send) } != nil)
        }
    }
}
