import Foundation
import PushAdapter
import Testing

@Suite("Messages and audiences as JSON")
struct MessageTests {
    private struct ShopOptions: ProviderOptions, Equatable {
        static let provider: ProviderID = "shop"
        static let keys = ["speed", "label"]
        var speed: Int?
        var label: String?
    }

    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test("a message survives a round trip, also with another vendor's options and long numbers")
    func messageRoundTrip() throws {
        let text = """
            {"notification": {"title": "T", "body": "B", "extras": {"order": 18446744073709551615},
              "ios": {"badge": "+1", "isMutable": true, "interruptionLevel": "time-sensitive", "collapseID": "c"},
              "android": {"channelID": "news", "priority": -2}},
             "custom": {"content": "c", "extras": {"deep": [1, {"x": null}]}},
             "platforms": ["ios", "android"], "timeToLive": 3600, "environment": "development",
             "options": {"nobody": {"id": 12345678901234567890, "list": [true, "é"]}}}
            """
        let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
        #expect(message.timeToLive == .seconds(3600))
        #expect(message.environment == .development)
        #expect(message.notification?.ios?.badge == .change(by: 1))
        #expect(message.notification?.extras["order"]?.identifier == "18446744073709551615")
        #expect(message.options["nobody"]?["id"]?.identifier == "12345678901234567890")
        #expect(try roundTrip(message) == message)
    }

    @Test(
        "a typing mistake is named, with what is known",
        arguments: [
            (#"{"notificaton": {"body": "B"}}"#, "notificaton"), (#"{"notification": {"bodi": "B"}}"#, "bodi"),
            (#"{"notification": {"body": "B", "ios": {"badgee": 1}}}"#, "badgee"),
            (#"{"custom": {"content": "B", "contenttype": "x"}}"#, "contenttype"),
        ])
    func unknownKeys(text: String, key: String) {
        do {
            _ = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
            Issue.record("decoded")
        } catch {
            #expect(JSONValue.reason(for: error).contains("\"\(key)\""))
        }
    }

    @Test("vendor options are stored and read by type")
    func options() throws {
        var message = Message(notification: Notification(body: "B"))
        #expect(try message.options(ShopOptions.self) == nil)
        try message.set(ShopOptions(speed: 3))
        #expect(try message.options(ShopOptions.self) == ShopOptions(speed: 3))
        #expect(message.options["shop"] == ["speed": 3])
    }

    @Test("options that are set again, copied or read as another type are what they are")
    func changedOptions() throws {
        struct OtherOptions: ProviderOptions, Equatable {
            static let provider: ProviderID = "shop"
            static let keys = ["speed"]
            var speed: Double?
        }
        /// Writes a key that is not in its list.
        struct DeafOptions: ProviderOptions {
            static let provider: ProviderID = "deaf"
            static let keys = ["b"]
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws { try ["a": ["b": 1]].encode(to: encoder) }
        }
        var message = Message(notification: Notification(body: "B"))
        try message.set(ShopOptions(speed: 3))
        let copy = message
        try message.set(ShopOptions(speed: 4))
        #expect(try copy.options(ShopOptions.self) == ShopOptions(speed: 3))
        #expect(try message.options(ShopOptions.self) == ShopOptions(speed: 4))
        #expect(try message.options(OtherOptions.self) == OtherOptions(speed: 4))
        #expect(message != copy)

        let read = try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
        #expect(read == message)
        #expect(Set([read, message]).count == 1)
        #expect(try read.options(ShopOptions.self) == ShopOptions(speed: 4))

        try message.set(DeafOptions())
        let deaf = message
        #expect(throws: PushError.self) { try deaf.options(DeafOptions.self) }
    }

    @Test(
        "options name the first unknown or ill-typed key",
        arguments: [(#"{"sped": 1, "speed": 2}"#, "sped"), (#"{"speed": "fast"}"#, "speed")])
    func badOptions(options: String, key: String) throws {
        let text = #"{"notification": {"body": "B"}, "options": {"shop": \#(options)}}"#
        let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
        let error = #expect(throws: PushError.self) { try message.options(ShopOptions.self) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains(key) == true)
    }

    @Test(
        "every audience survives a round trip",
        arguments: [
            Audience.everyone, .devices(["a", "b"]), .aliases(["x"]), .accounts([Account(name: "n", type: 2)]),
            .tagged(anyOf: ["a", "b"], allOf: ["c"], noneOf: ["d"]), .tagged(noneOf: ["d"]), .segment("s"),
            .liveActivity("l"), .file("f"),
        ])
    func audiences(audience: Audience) throws {
        #expect(try roundTrip(audience) == audience)
    }

    @Test("the documented audience forms are read")
    func audienceForms() throws {
        func read(_ text: String) throws -> Audience { try JSONDecoder().decode(Audience.self, from: Data(text.utf8)) }
        #expect(try read(#""everyone""#) == .everyone)
        #expect(try read(#"{"tagged":{"anyOf":["a"],"noneOf":["b"]}}"#) == .tagged(anyOf: ["a"], noneOf: ["b"]))
        for bad in [#""everybody""#, "{}", #"{"devices":["a"],"aliases":["b"]}"#, #"{"tagged":{"any":["a"]}}"#, "7"] {
            #expect(throws: (any Error).self) { try read(bad) }
        }
    }
}
