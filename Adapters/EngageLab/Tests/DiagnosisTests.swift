import Foundation
import PushCore
import PushEngageLab
import Testing

@Suite("EngageLab answers")
struct DiagnosisTests {
    private struct Row: Decodable {
        var surface: String
        var code: Int
        var http: Int?
        var retry: Bool
        var source: String
    }

    private static let rows: [Row] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try? Data(contentsOf: folder.appending(path: "Fixtures/errors.json"))
        return data.flatMap { try? JSONDecoder().decode([Row].self, from: $0) } ?? []
    }()

    private func diagnose(_ status: Int, _ body: String, for operation: Feature = .send) throws -> PushError? {
        try Sample.engageLab().diagnose(WireResponse(status, body), to: WireRequest(.post, "push"), for: operation)
    }

    @Test("every documented code is mapped, with the documented retry, and no code is mapped that is not documented")
    func tableIsComplete() throws {
        #expect(Self.rows.count > 40)
        for row in Self.rows {
            let mapped = try #require(EngageLabErrors.row(row.code), "\(row.surface) \(row.code)")
            #expect(mapped.retry.isAdvised == row.retry, "\(row.surface) \(row.code)")
            #expect(mapped.kind != .unknown, "\(row.code)")
            #expect(!row.source.isEmpty)
            // A failure inside the vendor never counts as harmless.
            if let http = row.http, http >= 500 { #expect(mapped.effect == .unknown, "\(row.code)") }
        }
        #expect(Set(EngageLabErrors.rows.map(\.code)) == Set(Self.rows.map(\.code)))
        #expect(EngageLabErrors.rows.allSatisfy { !$0.source.isEmpty && !$0.advice.isEmpty })
    }

    @Test("both envelopes are read, and the code comes before the status")
    func envelopes() throws {
        for row in Self.rows {
            for status in [row.http ?? 400, 400, 401, 200] {
                for body in [
                    #"{"error":{"code":\#(row.code),"message":"m"}}"#, #"{"code":\#(row.code),"message":"m"}"#,
                ] {
                    let error = try #require(try diagnose(status, body), "\(row.code)")
                    #expect(error.kind == EngageLabErrors.row(row.code)?.kind)
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
            throttle.kind == .rateLimited && throttle.effect == .notApplied && throttle.retry == .after(.seconds(1)))
        for code in [21_059, 21_306, 27_008, 27_009] {
            #expect(try diagnose(401, #"{"error":{"code":\#(code),"message":"m"}}"#)?.kind == .invalidArgument)
        }
        #expect(try diagnose(401, #"{"error":{"code":21038}}"#)?.kind == .blocked)
        let internalError = try #require(try diagnose(400, #"{"error":{"code":21009,"message":"m"}}"#))
        #expect(internalError.kind == .server && internalError.effect == .unknown)
    }

    @Test("a refused key hints at the other data centres", arguments: [21_004, 21_008])
    func centres(code: Int) throws {
        let error = try #require(try diagnose(401, #"{"error":{"code":\#(code),"message":"m"}}"#))
        #expect(error.message.contains("data centre") && error.message.contains("Service Endpoint"))
    }

    @Test(
        "an unknown code keeps its number, and nobody guesses what it did",
        arguments: [(400, PushError.Kind.unknown), (429, .rateLimited), (503, .unknown), (200, .unknown)])
    func unknownCodes(status: Int, kind: PushError.Kind) throws {
        let error = try #require(try diagnose(status, #"{"error":{"code":99999,"message":"m"}}"#))
        #expect(error.kind == kind && error.vendor?.code == 99_999)
        if status == 200 || status == 503 { #expect(error.effect == .unknown) }
    }

    @Test("a page and an empty error are read by their status", arguments: ["<html>502</html>", "", "[]", "{}"])
    func pages(body: String) throws {
        #expect(try diagnose(502, body)?.effect == .unknown)
        #expect(try diagnose(401, body)?.kind == .unauthorised)
        #expect(try diagnose(200, body) == nil)
    }

    @Test("whatever a code says, a failing server may have acted")
    func failing() throws {
        #expect(try diagnose(503, #"{"error":{"code":21003,"message":"m"}}"#)?.effect == .unknown)
    }

    @Test(
        "a write is done when it says so: by nothing, by a bare word, by an object",
        arguments: [
            "", "success", "\"success\"", " success\n", "{}", #"{"success":true}"#,
        ])
    func written(body: String) throws {
        try Sample.engageLab().updateTags(.add(["a"]), of: Sample.ios).decode(WireResponse(200, body))
    }

    @Test("anything else is no word of success", arguments: ["<html>", "failed", "[]", "1", #"{"success":false}"#])
    func notWritten(body: String) throws {
        let call = try Sample.engageLab().updateTags(.add(["a"]), of: Sample.ios)
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
