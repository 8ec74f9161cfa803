import Foundation
import PushAdapter
import PushOPPO
import PushWebhooks
import TestSupport
import Testing

@Suite("OPPO receipts")
struct ReceiptTests {
    private static func receipt(_ type: JSONValue, _ fields: [String: JSONValue] = [:]) -> JSONValue {
        let plain: [String: JSONValue] = [
            "messageId": "m1", "appId": "a", "taskId": "t", "registrationIds": "r1, r2", "param": "p",
            "eventTime": "1795165203500", "eventType": type,
        ]
        return .object(plain.merging(fields) { $1 })
    }

    private static func call(_ body: JSONValue, method: HTTPRequest.Method = .post) -> WebhookCall {
        WebhookCall(method: method, headers: [:], body: JSONWriter.bytes(of: body))
    }

    private func receiver(_ parameter: String? = "p", longest: Int = 1 << 20) throws -> OPPOReceipts {
        let callback = try OPPOCallback(Secret("https://shop.example/r"), parameter: parameter.map { Secret($0) })
        return OPPOReceipts(callback, longestBody: longest)
    }

    @Test("each device of a receipt is an event, with the message, the time and the vendor's data")
    func events() throws {
        let call = Self.call([
            Self.receipt("push_arrive"), Self.receipt("regid_invalid", ["messageId": "m2", "registrationIds": "r3"]),
        ])
        let answer = try receiver().receive(call, at: Shop.now)
        let events = answer.events
        #expect(events.map(\.message) == ["m1", "m1", "m2"] && events.map(\.device) == ["r1", "r2", "r3"])
        #expect(events.map(\.kind) == [.delivered, .delivered, .notDelivered])
        #expect(events.map(\.verdict) == [nil, nil, .dead()])
        #expect(events.allSatisfy { $0.date == Date(timeIntervalSince1970: 1_795_165_203.5) })
        #expect(events.allSatisfy { $0.fields["taskId"] == "t" })
        #expect(events.allSatisfy { !$0.fields.keys.contains("param") }, "the parameter is a secret")
    }

    @Test(
        "each type has its event, and only regid_invalid is about the device",
        arguments: [
            ("push_arrive", .delivered), ("regid_invalid", .notDelivered), ("user_daily_limit", .notDelivered),
            ("app_limit", "oppo.app_limit"), ("A type", "oppo.unknown"), (nil, "oppo.unknown"),
        ] as [(String?, WebhookEvent.Kind)])
    func kinds(type: String?, kind: WebhookEvent.Kind) throws {
        let value = type.map(JSONValue.string) ?? .null
        let event = try receiver().receive(Self.call([Self.receipt(value)]), at: Shop.now).events.first
        #expect(event?.kind == kind && event?.verdict == (type == "regid_invalid" ? .dead() : nil))
    }

    @Test("a receipt without devices is still an event, and an empty list has none")
    func noDevices() throws {
        for list: JSONValue in ["", " , ", .null] {
            let call = Self.call([Self.receipt("push_arrive", ["registrationIds": list])])
            let events = try receiver().receive(call, at: Shop.now).events
            #expect(events.count == 1 && events.first?.device == nil && events.first?.message == "m1")
        }
        #expect(try receiver().receive(Self.call([]), at: Shop.now).events.isEmpty)
    }

    @Test(
        "a time that is not whole milliseconds of this age is none",
        arguments: ["", "nan", "inf", "-1", "0x10", "1795165203.5", "253402300800000", "9223372036854775807"])
    func strangeTimes(time: String) throws {
        let call = Self.call([Self.receipt("regid_invalid", ["eventTime": .string(time)])])
        #expect(try receiver().receive(call, at: Shop.now).events.map(\.date) == [nil, nil])
    }

    @Test("a receipt without the parameter, and one that cannot be read, is refused")
    func refused() async throws {
        func status(_ call: WebhookCall, _ receiver: OPPOReceipts) async -> Int? {
            await receiver.refusal(of: call, at: Shop.now)
        }
        let good: JSONValue = [Self.receipt("push_arrive")]
        #expect(try await status(Self.call(good), receiver()) == nil)
        #expect(try await status(Self.call(good), receiver(nil)) == nil)
        #expect(await status(Self.call(good), OPPOReceipts()) == nil)
        #expect(try await status(Self.call(good), receiver("other")) == 401)
        #expect(try await status(Self.call([Self.receipt("push_arrive", ["param": .null])]), receiver()) == 401)
        let second = Self.receipt("push_arrive", ["param": "q"])
        #expect(try await status(Self.call([Self.receipt("push_arrive"), second]), receiver()) == 401)
        #expect(try await status(Self.call(good, method: .get), receiver()) == 405)
        #expect(try await status(Self.call(good), receiver(longest: 10)) == 413)
        #expect(try await status(Self.call([1]), receiver()) == 400)
        #expect(try await status(Self.call(["eventType": "push_arrive"]), receiver()) == 400)
        for body in ["", "[", "data=[]"] {
            #expect(try await status(WebhookCall(headers: [:], body: Array(body.utf8)), receiver()) == 400, "\(body)")
        }
    }
}
