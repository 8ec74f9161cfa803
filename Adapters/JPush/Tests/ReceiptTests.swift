import Foundation
import PushAdapter
import PushJPush
import PushWebhooks
import Testing

@Suite("JPush callbacks")
struct ReceiptTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func call(_ body: String, secret: String = Sample.secret, method: HTTPRequest.Method = .post) -> WebhookCall
    {
        let pair = Data("\(Sample.appKey):\(secret)".utf8).base64EncodedString()
        return WebhookCall(method: method, headers: [.authorization: "Basic \(pair)"], body: Array(body.utf8))
    }

    private func receiver(_ longest: Int = 1 << 20) throws -> JPushReceipts {
        try JPushReceipts(appKey: Sample.appKey, masterSecret: Secret(Sample.secret), longestBody: longest)
    }

    private static let body = #"""
        [{"registration_id":"190e35f7e0a1b2c3d4e","platform":"android","sent_time":1763640000,
          "notification_state":true,"callback_type":1,"channel":0,"params":{"task":"t1"},"msg_id":18103084512345678},
         {"registration_id":"191e35f7e0a1b2c3d4f","callback_type":2},{"callback_type":99}]
        """#

    @Test("events are read with device, message, time and the caller's own data")
    func events() throws {
        let answer = try receiver().receive(call(Self.body), at: Self.now)
        #expect(answer.events.map(\.kind) == [.delivered, .clicked, "jpush.99"])
        let first = try #require(answer.events.first)
        #expect(first.device == "190e35f7e0a1b2c3d4e" && first.message == "18103084512345678")
        #expect(first.date == Date(timeIntervalSince1970: 1_763_640_000))
        #expect(first.fields["params"]?["task"] == "t1")
        #expect(answer.body.isEmpty && answer.events.allSatisfy { $0.verdict == nil })
        #expect(!"\(first)".contains("190e35f7e0a1b2c3d4e"))
        var shown = "\(call(Self.body))"
        dump(call(Self.body), to: &shown)
        dump(first.device, to: &shown)
        #expect(!shown.contains("Basic") && !shown.contains("190e35f7e0a1b2c3d4e"))
    }

    @Test("a call with other credentials, or with none, is refused unread")
    func forged() throws {
        let wrong = #expect(throws: WebhookRefusal.self) {
            try receiver().receive(call("[", secret: "ffffeeeeddddccccbbbbaaaa"), at: Self.now)
        }
        #expect(wrong?.status == 401)
        let none = WebhookCall(headers: [:], body: Array(Self.body.utf8))
        #expect(#expect(throws: WebhookRefusal.self) { try receiver().receive(none, at: Self.now) }?.status == 401)
    }

    @Test(
        "what cannot be read or is too long is refused", arguments: [("{}", 400), ("[1]", 400), ("[", 400), ("", 400)])
    func malformed(body: String, status: Int) throws {
        let refusal = #expect(throws: WebhookRefusal.self) { try receiver().receive(call(body), at: Self.now) }
        #expect(refusal?.status == status)
        let long = #expect(throws: WebhookRefusal.self) { try receiver(10).receive(call(Self.body), at: Self.now) }
        #expect(long?.status == 413)
        let got = #expect(throws: WebhookRefusal.self) {
            try receiver().receive(call(Self.body, method: .get), at: Self.now)
        }
        #expect(got?.status == 405)
    }
}
