import FoundationEssentials
import PushAdapter
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push errors")
struct DiagnosisTests {
    /// A response to a send, and the expected error. By default, it is a refusal that did nothing, that no
    /// repetition helps, and that says nothing against the subscription.
    struct Case: Sendable, CustomTestStringConvertible {
        var endpoint: String
        var status: Int
        var body = ""
        var headers: [String: String] = [:]
        var code: VendorCode?
        var kind: PushError.Kind
        var effect: PushError.Effect = .notApplied
        var retry: PushError.Retry = .never
        var verdict: TargetVerdict? = .isolated

        var testDescription: String { "\(status) \(body) \(headers) \(endpoint.prefix(30))" }
    }

    private func diagnose(_ row: Case, for operation: Feature = .send, by webPush: WebPush? = nil) throws -> PushError?
    {
        let webPush = try webPush ?? Ferry.webPush()
        let exchange = try webPush.exchange(.shown, to: row.endpoint)
        var response = WireResponse(row.status, row.body, row.headers.map { ($0.key, $0.value) })
        response.receivedAt = Ferry.now
        return webPush.diagnose(response, to: VendorCall(operation, exchange.request, inputs: exchange.inputs))
    }

    @Test("each error has its kind, retry, effect and verdict", arguments: cases)
    func rows(row: Case) throws {
        let error = try #require(try diagnose(row))
        #expect(error.kind == row.kind && error.effect == row.effect && error.retry == row.retry)
        #expect(error.vendor?.verdict == row.verdict && error.vendor?.httpStatus == row.status)
        #expect(row.code == nil ? error.vendor?.code != "dropped" : error.vendor?.code == row.code)
        #expect(!error.message.isEmpty)
        // One service, or a stranger's server, must not end a list that has others.
        #expect(error.endsList == false)
    }

    @Test("a text of Google's is kept, also one that the table does not have, and no page")
    func text() throws {
        for (body, text) in [(Self.tooLong, Self.tooLong), ("a new text", "a new text"), ("<html>", nil), (" ", nil)] {
            let row = Case(endpoint: Ferry.google, status: 400, body: body, kind: .unknown)
            #expect(try diagnose(row)?.vendor?.message == text)
        }
    }

    @Test("a description of Microsoft's is kept, also one that the table does not have")
    func description() throws {
        for text in [Self.conflict, "The channel is closed"] {
            let row = Self.microsoft(400, ["X-WNS-Error-Description": text], nil, .invalidArgument)
            #expect(try diagnose(row)?.vendor?.message == text)
        }
    }

    @Test("a call that is no send says nothing about a subscription", arguments: cases)
    func otherCalls(row: Case) throws {
        let error = try #require(try diagnose(row, for: "webpush.messages.delete"))
        #expect(error.kind == row.kind && error.effect == row.effect && error.vendor?.verdict == nil)
    }

    @Test("each row of the adapter's table has a case")
    func table() {
        let named = Set(Self.cases.compactMap(\.code))
        for row in WebPush.errorRows {
            let isStatus = row.code.rawValue.hasPrefix("HTTP ")
            let status = Int(row.code.rawValue.dropFirst(5))
            let isTried = isStatus ? Self.cases.contains { $0.status == status } : named.contains(row.code)
            #expect(isTried || row.code == "3xx", "\(row.surface) \(row.code)")
            #expect(!row.source.isEmpty && !row.advice.isEmpty)
        }
        #expect(Set(WebPush.errorRows.map { "\($0.surface) \($0.code)" }).count == WebPush.errorRows.count)
    }

    @Test("only 404 and 410 end a subscription, whatever the code is")
    func deaths() {
        for row in Self.cases { #expect((row.verdict == Self.dead) == [404, 410].contains(row.status)) }
    }

    @Test("a 200 with the code of an error is that error, and ends no subscription")
    func refusedSuccess() throws {
        let bodies = [(Ferry.mozilla, #"{"errno":106}"#), (Ferry.apple, #"{"reason":"BadPath"}"#)]
        for (endpoint, body) in bodies {
            let error = try #require(try diagnose(Case(endpoint: endpoint, status: 200, body: body, kind: .noTarget)))
            #expect(error.kind == .noTarget && error.effect == .notApplied && error.vendor?.verdict == .isolated)
        }
        let page = Case(endpoint: Ferry.mozilla, status: 200, body: "<html>", kind: .unknown)
        #expect(try diagnose(page) == nil)
    }

    @Test("another 2xx is no error, whatever the body is", arguments: [201, 202, 204])
    func successes(status: Int) throws {
        for endpoint in [Ferry.mozilla, Ferry.google, Ferry.apple, Ferry.microsoft, Ferry.unifiedPush] {
            let row = Case(
                endpoint: endpoint, status: status, body: #"{"errno":106,"reason":"BadPath"}"#,
                headers: ["X-WNS-Status": "received"], kind: .unknown)
            #expect(try diagnose(row) == nil)
        }
    }

    private static let ages: [(age: Double?, isDead: Bool)] = [
        (0, false), (59, false), (60, true), (86_400, true), (nil, true),
    ]

    @Test("a young subscription is suspect, where the backend knows its age", arguments: ages)
    func grace(age: Double?, isDead: Bool) throws {
        var webPush = try Ferry.webPush()
        webPush.registeredAt = { subscription in
            subscription.endpoint == Ferry.google ? age.map { Ferry.now.addingTimeInterval(-$0) } : nil
        }
        let gone = Case(endpoint: Ferry.google, status: 410, kind: .noTarget)
        let error = try #require(try diagnose(gone, by: webPush))
        #expect(error.vendor?.verdict == (isDead ? Self.dead : .suspect) && error.effect == .notApplied)
        #expect(error.retry == (isDead ? .never : .after(.seconds(60))))
        let other = Case(endpoint: Ferry.mozilla, status: 410, kind: .noTarget)
        #expect(try diagnose(other, by: webPush)?.vendor?.verdict == Self.dead)
    }

    @Test("the date of a death is the grace before the answer, if there is any", arguments: [0, 1, 300])
    func date(grace: Int) throws {
        var webPush = try Ferry.webPush()
        webPush.grace = .seconds(grace)
        let date = grace == 0 ? nil : Ferry.now.addingTimeInterval(-Double(grace))
        for status in [404, 410] {
            let gone = Case(endpoint: Ferry.apple, status: status, kind: .noTarget)
            #expect(try diagnose(gone, by: webPush)?.vendor?.verdict == .dead(since: date))
        }
    }

    private static let waits: [(text: String, seconds: Int?)] = [
        ("900", 900), ("1", 1), ("0", nil), ("-1", nil), ("soon", nil), ("9999999", nil), ("99999999999999999999", nil),
    ]

    @Test("Edge's own field for the wait is read", arguments: waits)
    func facts(text: String, seconds: Int?) throws {
        let response = WireResponse(406, "", [("X-WNS-CONTINUE-AFTER", text)])
        #expect(try Ferry.webPush().facts(in: response).rate?.reset == seconds.map { .seconds($0) })
        #expect(try Ferry.webPush().facts(in: response).requestID == nil)
    }

    @Test("a wait that comes with 503 is for all of the origin", arguments: waits)
    func unavailable(text: String, seconds: Int?) throws {
        let wait = seconds.map { Duration.seconds($0) }
        let response = WireResponse(503, "", [("Retry-After", text)])
        let rate = try Ferry.webPush().facts(in: response).rate
        #expect(rate == wait.map { RateFacts(remaining: 0, reset: $0) })
        // Of a throttle, the client reads the field.
        #expect(try Ferry.webPush().facts(in: WireResponse(429, "", [("Retry-After", text)])).rate == nil)
    }

    @Test("a date that comes with 503 counts from the moment of the response")
    func unavailableUntil() throws {
        var response = WireResponse(503, "", [("Retry-After", "Sat, 28 Nov 2026 18:15:00 GMT")])
        response.receivedAt = Date(timeIntervalSince1970: 1_795_889_100)
        #expect(try Ferry.webPush().facts(in: response).rate == RateFacts(remaining: 0, reset: .seconds(600)))
    }

    private static let hostile = [
        String(repeating: "[", count: 5000), #"{"errno":1e99,"code":-1,"http":{},"reason":[]}"#, "\u{0}\u{FFFF}",
        #"{"errno":99999999999999999999999,"message":"\#(String(repeating: "x", count: 60_000))"}"#,
        #"{"reason":"\#(String(repeating: "Secret9", count: 5000))"}"#,
    ]

    @Test("a hostile body changes nothing but its code", arguments: hostile)
    func bodies(body: String) throws {
        for endpoint in [Ferry.mozilla, Ferry.google, Ferry.apple, Ferry.microsoft, Ferry.unifiedPush] {
            let error = try #require(try diagnose(Case(endpoint: endpoint, status: 400, body: body, kind: .unknown)))
            #expect(error.kind == .invalidArgument && error.vendor?.verdict == .isolated)
            #expect(error.description.utf8.count < 1000 && !error.description.contains("Secret9"))
            #expect((error.vendor?.body.count ?? 0) <= 512 && (error.vendor?.message?.utf8.count ?? 0) <= 1200)
        }
    }
}
