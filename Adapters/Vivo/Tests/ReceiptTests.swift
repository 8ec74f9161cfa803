import Foundation
import PushAdapter
import PushVivo
import PushWebhooks
import TestSupport
import Testing

@Suite("vivo receipts")
struct ReceiptTests {
    private static func receipt(_ fields: [String: JSONValue] = [:]) -> JSONValue {
        .object(["param": "p", "targets": "150001"].merging(fields) { $1 })
    }

    private static func call(_ messages: JSONValue, method: HTTPRequest.Method = .post) -> WebhookCall {
        WebhookCall(method: method, headers: [:], body: JSONWriter.bytes(of: messages))
    }

    private func receiver(_ parameter: String? = "p", longest: Int = 1 << 20) throws -> VivoReceipts {
        let callback = try VivoCallback(Secret("https://shop.example/r"), parameter: parameter.map { Secret($0) })
        return VivoReceipts(callback, longestBody: longest)
    }

    @Test("each device of a receipt is a delivery, with the message and the vendor's data")
    func events() throws {
        let call = Self.call(["2": Self.receipt(["ack": "x"]), "1": Self.receipt(["targets": "150001,150002"])])
        let events = try receiver().receive(call, at: Shop.now).events
        #expect(events.map(\.message) == ["1", "1", "2"])
        #expect(events.map(\.device) == ["150001", "150002", "150001"])
        #expect(events.allSatisfy { $0.kind == .delivered && $0.verdict == nil && $0.date == nil })
        #expect(events[2].fields["ack"] == "x")
        #expect(events.allSatisfy { !$0.fields.keys.contains("param") }, "the parameter is a secret")
    }

    @Test("a receipt without devices is still an event")
    func noDevices() throws {
        let events = try receiver().receive(Self.call(["1": Self.receipt(["targets": .null])]), at: Shop.now).events
        #expect(events.count == 1 && events.first?.device == nil && events.first?.message == "1")
    }

    @Test("a receipt without the parameter, and one that cannot be read, is refused")
    func refused() async throws {
        func status(_ call: WebhookCall, _ receiver: VivoReceipts) async -> Int? {
            await receiver.refusal(of: call, at: Shop.now)
        }
        let good: JSONValue = ["1": Self.receipt()]
        #expect(try await status(Self.call(good), receiver()) == nil)
        #expect(try await status(Self.call(good), receiver(nil)) == nil)
        #expect(await status(Self.call(good), VivoReceipts()) == nil)
        #expect(try await status(Self.call(good), receiver("other")) == 401)
        #expect(try await status(Self.call(["1": Self.receipt(["param": .null])]), receiver()) == 401)
        #expect(
            try await status(Self.call(["1": Self.receipt(), "2": Self.receipt(["param": "q"])]), receiver()) == 401)
        #expect(try await status(Self.call(good, method: .get), receiver()) == 405)
        #expect(try await status(Self.call(good), receiver(longest: 10)) == 413)
        #expect(try await status(Self.call(["1": 1]), receiver()) == 400)
        #expect(try await status(Self.call([1]), receiver()) == 400)
        for body in ["", "{", "data=%7B%7D"] {
            #expect(try await status(WebhookCall(headers: [:], body: Array(body.utf8)), receiver()) == 400, "\(body)")
        }
    }

    @Test("nothing that is printed holds the callback's address or parameter")
    func secrecy() throws {
        let callback = try VivoCallback(Secret("https://shop.example/sesame"), parameter: Secret("p-sesame"))
        let vivo = try Shop.vivo { $0.callback = callback }
        let exchange = try vivo.send(Shop.message(), to: Shop.device)
        var texts = ["\(callback)", "\(vivo)", "\(exchange.request)", "\(VivoReceipts(callback))"]
        for value: Any in [callback, vivo, exchange.request, VivoReceipts(callback)] {
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
        }
        for code: JSONValue in [10304, 10305, 10306] {
            let answer = Shop.answer(["result": code, "desc": "https://shop.example/sesame, p-sesame"])
            let error = try #require(vivo.diagnose(answer, to: exchange.call))
            texts += ["\(error)", "\(String(reflecting: error))", error.vendor?.message ?? ""]
        }
        for text in texts { #expect(!text.contains("sesame") && !text.contains(Shop.secret)) }
    }
}
