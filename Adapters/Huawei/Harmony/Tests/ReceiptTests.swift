import Foundation
import PushAdapter
import PushHarmony
import PushWebhooks
import TestSupport
import Testing

@Suite("Huawei receipts")
struct ReceiptTests {
    /// A vector of our own: key `k3y`, user `ops`.
    private static let header =
        "timestamp=1795132800000; nonce=a07bfa17-6d82-4b53-a9a2-07c0deadbeef; "
        + "value=hy/EAIjLqrMJInsTl3Abw29Sdcmd7UTO4RUqI4Drb6M="
    private static let now = Date(timeIntervalSince1970: 1_795_132_800)
    private static let thanks = Array(#"{"code":"0","message":"success"}"#.utf8)

    private func receiver(user: String = "ops", key: String = "k3y", isBase64: Bool = false) throws -> HuaweiReceipts {
        try HuaweiReceipts(username: user, key: Secret(key), keyIsBase64: isBase64)
    }

    private func call(_ statuses: JSONValue?, header: String? = ReceiptTests.header) -> WebhookCall {
        var headers = HTTPFields()
        if let name = HTTPField.Name("X-HUAWEI-CALLBACK-ID") { headers[name] = header }
        let body = statuses.map { JSONWriter.bytes(of: ["statuses": $0]) } ?? []
        return WebhookCall(headers: headers, body: body)
    }

    private func status(_ call: WebhookCall, _ receiver: HuaweiReceipts, at now: Date = ReceiptTests.now) async -> Int?
    {
        await receiver.refusal(of: call, at: now)
    }

    private static func second(_ result: JSONValue) -> JSONValue {
        [
            "token": "token-1", "requestId": "17", "pushType": 0, "biTag": "b",
            "deliveryStatus": ["result": result, "timestamp": 1_795_132_801_500],
        ]
    }

    @Test("version 2 is read: the result, the device, the message, the time; removed apps are dead")
    func versionTwo() async throws {
        let results: [JSONValue] = [0, 2, 5, 6, 102, 201, 999, "2"]
        let answer = try await receiver().receive(call(.array(results.map(Self.second))), at: Self.now)
        #expect(
            answer.events.map(\.kind) == [
                .delivered, .notDelivered, .notDelivered, .notDelivered, .notDelivered, "huawei.201", "huawei.999",
                .notDelivered,
            ])
        #expect(answer.events.map(\.verdict) == [nil, .dead(), .dead(), nil, nil, nil, nil, .dead()])
        let first = try #require(answer.events.first)
        #expect(first.device == "token-1" && first.message == "17" && first.fields["biTag"] == "b")
        #expect(first.date == Date(timeIntervalSince1970: 1_795_132_801.5) && answer.body == Self.thanks)
    }

    @Test("version 1 and the status of a form are read")
    func others() async throws {
        let statuses: JSONValue = [
            ["token": "a", "status": 5, "timestamp": 1_795_132_801_500, "requestId": "17", "appid": "1042"],
            ["token": "b", "formStatus": ["formId": 4, "result": 0, "timestamp": 1_795_132_801], "requestId": "18"],
        ]
        let events = try await receiver().receive(call(statuses), at: Self.now).events
        #expect(events.map(\.kind) == [.notDelivered, .delivered] && events.map(\.verdict) == [.dead(), nil])
        #expect(events[1].date == Date(timeIntervalSince1970: 1_795_132_801))
    }

    @Test(
        "a time outside the years 1970 to 9999 is none", arguments: ["", "nan", "inf", "-1", "0x10", "253402300800000"])
    func strangeTimes(time: String) async throws {
        let receipt: JSONValue = ["token": "a", "status": 2, "timestamp": .string(time)]
        let events = try await receiver().receive(call([receipt]), at: Self.now).events
        #expect(events.map(\.date) == [nil] && events.map(\.verdict) == [.dead()])
    }

    @Test("a key in Base64 is decoded first")
    func base64() async throws {
        #expect(await status(call([]), try receiver(key: "azN5", isBase64: true)) == nil)
        #expect(throws: PushError.self) { try receiver(key: "!", isBase64: true) }
        #expect(throws: PushError.self) { try receiver(key: "") }
    }

    @Test("a forged, stale or repeated receipt is refused")
    func forged() async throws {
        let receipts: JSONValue = [Self.second(0)]
        #expect(await status(call(receipts), try receiver(user: "other")) == 401)
        #expect(await status(call(receipts), try receiver(key: "other")) == 401)
        #expect(await status(call(receipts, header: nil), try receiver()) == 401)
        #expect(await status(call(receipts, header: "timestamp=1; nonce=2"), try receiver()) == 401)
        #expect(await status(call(receipts), try receiver(), at: Self.now.addingTimeInterval(301)) == 401)
        let receiver = try receiver()
        #expect(await status(call(["text"]), receiver) == 400)
        let answer = try await receiver.receive(call(receipts), at: Self.now)
        #expect(await status(call(receipts), receiver) == 409)
        try await receiver.release(answer)
        #expect(await status(call(receipts), receiver) == nil)
    }

    @Test("the console's test of the address is answered, although it has no signature")
    func check() async throws {
        for statuses: JSONValue? in [nil, []] {
            let answer = try await receiver().receive(call(statuses, header: nil), at: Self.now)
            #expect(answer.events.isEmpty && answer.body == Self.thanks && answer.nonce == nil)
        }
    }
}
