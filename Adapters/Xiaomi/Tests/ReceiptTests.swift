import Foundation
import PushAdapter
import PushWebhooks
import PushXiaomi
import TestSupport
import Testing

@Suite("Xiaomi receipts")
struct ReceiptTests {
    private static func receipt(_ type: JSONValue, _ fields: [String: JSONValue] = [:]) -> JSONValue {
        let plain: [String: JSONValue] = [
            "param": "p", "type": type, "targets": "reg/0=,reg+1", "timestamp": 1_795_165_203_500,
        ]
        return .object(plain.merging(fields) { $1 })
    }

    /// A form with the receipts, escaped like the forms of Java: blanks are plus signs.
    private static func call(_ messages: JSONValue, method: HTTPRequest.Method = .post) -> WebhookCall {
        let text = PercentEncoding.encode(String(decoding: JSONWriter.bytes(of: messages), as: UTF8.self))
        let form = "a=1&data=" + text.replacing("%20", with: "+")
        return WebhookCall(method: method, headers: [:], body: Array(form.utf8))
    }

    private func receiver(_ parameter: String? = "p", longest: Int = 1 << 20) throws -> XiaomiReceipts {
        let callback = try XiaomiCallback(Secret("https://shop.example/r"), parameter: parameter.map { Secret($0) })
        return XiaomiReceipts(callback, longestBody: longest)
    }

    @Test("each device of a receipt is an event, with the message, the time and the vendor's data")
    func events() throws {
        let call = Self.call(["Xcm2": Self.receipt(1, ["jobkey": "a b+c"]), "Xcm1": Self.receipt("16")])
        let events = try receiver().receive(call, at: Shop.now).events
        #expect(events.map(\.message) == ["Xcm1", "Xcm1", "Xcm2", "Xcm2"])
        #expect(events.map(\.device) == ["reg/0=", "reg+1", "reg/0=", "reg+1"])
        #expect(events.map(\.kind) == [.notDelivered, .notDelivered, .delivered, .delivered])
        #expect(events.map(\.verdict) == [.dead(), .dead(), nil, nil])
        #expect(events.allSatisfy { $0.date == Date(timeIntervalSince1970: 1_795_165_203.5) })
        #expect(events[3].fields["jobkey"] == "a b+c" && events[3].fields["targets"] == "reg/0=,reg+1")
        #expect(events.allSatisfy { !$0.fields.keys.contains("param") }, "the parameter is a secret")
    }

    @Test(
        "each kind has its event, and only the kind 16 is about the device",
        arguments: [
            (1, .delivered), (2, .clicked), (16, .notDelivered), (32, .notDelivered), (64, .notDelivered),
            (128, .notDelivered), (1024, .notDelivered), (4, "xiaomi.4"), (nil, "xiaomi.unknown"),
        ] as [(Int?, WebhookEvent.Kind)])
    func kinds(number: Int?, kind: WebhookEvent.Kind) throws {
        let type = number.map { JSONValue(integerLiteral: $0) } ?? .null
        let event = try receiver().receive(Self.call(["Xcm1": Self.receipt(type)]), at: Shop.now).events.first
        #expect(event?.kind == kind && event?.verdict == (number == 16 ? .dead() : nil))
    }

    @Test("a receipt without devices is still an event")
    func noDevices() throws {
        let call = Self.call(["Xcm1": Self.receipt(128, ["targets": "", "extra": ["ack": "9", "quota": "9"]])])
        let events = try receiver().receive(call, at: Shop.now).events
        #expect(events.count == 1 && events.first?.device == nil && events.first?.message == "Xcm1")
    }

    @Test(
        "a time that is not whole milliseconds of this age is none",
        arguments: ["nan", "inf", "-1", "0x10", "253402300800000", "9223372036854775807"])
    func strangeTimes(time: String) throws {
        let call = Self.call(["m1": Self.receipt(16, ["timestamp": .string(time)])])
        #expect(try receiver().receive(call, at: Shop.now).events.map(\.date) == [nil, nil])
    }

    @Test("a receipt without the parameter, and one that cannot be read, is refused")
    func refused() async throws {
        func status(_ call: WebhookCall, _ receiver: XiaomiReceipts) async -> Int? {
            await receiver.refusal(of: call, at: Shop.now)
        }
        let good: JSONValue = ["Xcm1": Self.receipt(1)]
        #expect(try await status(Self.call(good), receiver()) == nil)
        #expect(try await status(Self.call(good), receiver(nil)) == nil)
        #expect(await status(Self.call(good), XiaomiReceipts()) == nil)
        #expect(try await status(Self.call(good), receiver("other")) == 401)
        #expect(try await status(Self.call(["Xcm1": Self.receipt(1, ["param": .null])]), receiver()) == 401)
        #expect(
            try await status(Self.call(["Xcm1": Self.receipt(1), "Xcm2": Self.receipt(1, ["param": "q"])]), receiver())
                == 401
        )
        #expect(try await status(Self.call(good, method: .get), receiver()) == 405)
        #expect(try await status(Self.call(good), receiver(longest: 10)) == 413)
        #expect(try await status(Self.call(["Xcm1": 1]), receiver()) == 400)
        #expect(try await status(Self.call([1]), receiver()) == 400)
        for body in ["", "data=", "data=%7B", "data=%ZZ", "other=%7B%7D"] {
            #expect(try await status(WebhookCall(headers: [:], body: Array(body.utf8)), receiver()) == 400, "\(body)")
        }
    }
}
