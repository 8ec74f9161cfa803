import Foundation
import PushAdapter
import PushHuawei
import TestSupport
import Testing

@Suite("Huawei requests")
struct EncodingTests {
    /// A message, and the `message` of the request without its tokens.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var message: JSONValue
        var options: JSONValue?
        var data: JSONValue?
        var android: JSONValue?

        var testDescription: String { name }
    }

    private static func shown(_ fields: [String: JSONValue] = [:], _ other: [String: JSONValue] = [:]) -> JSONValue {
        let plain: [String: JSONValue] = ["title": "T", "body": "B", "click_action": ["type": 3]]
        let notification = JSONValue.object(plain.merging(fields) { $1 }.filter { $0.value != .null })
        return .object(["notification": notification].merging(other) { $1 })
    }

    private static func message(_ android: JSONValue, _ other: [String: JSONValue] = [:]) -> JSONValue {
        .object(["notification": ["title": "T", "body": "B", "android": android]].merging(other) { $1 })
    }

    private static let cases: [Case] = [
        Case(name: "a notification", message: message([:]), android: shown()),
        Case(
            name: "the app's default title", message: ["notification": ["body": "B"]],
            android: shown(["title": "Shop"])),
        Case(
            name: "texts that the phone translates",
            message: message(["title": ["key": "K"], "body": ["key": "L", "arguments": ["7"]]]),
            android: shown([
                "title": .null, "body": .null, "title_loc_key": "K", "body_loc_key": "L", "body_loc_args": ["7"],
            ])),
        Case(
            name: "a channel, a sound and a picture",
            message: message(["channelID": "c", "sound": "s", "image": "https://shop.example/a.png"]),
            android: shown(["channel_id": "c", "sound": "s", "image": "https://shop.example/a.png"])),
        Case(
            name: "data", message: ["notification": ["title": "T", "body": "B", "extras": ["n": 1]]],
            data: #"{"n":1}"#, android: shown()),
        Case(
            name: "a badge that grows", message: message(["badge": "+2"]),
            android: shown(["badge": ["class": "com.shop.Start", "add_num": 2]])),
        Case(
            name: "a badge that is set", message: message(["badge": 0]),
            android: shown(["badge": ["class": "com.shop.Start", "set_num": 0]])),
        Case(
            name: "an id that replaces", message: message(["collapseID": "order-7"]),
            android: shown(["tag": "order-7"])),
        Case(
            name: "a page on the web", message: message(["tap": ["link": "https://shop.example"]]),
            android: shown(["click_action": ["type": 2, "url": "https://shop.example"]])),
        Case(
            name: "an intent", message: message(["tap": ["intentURI": "shop://order/7"]]),
            android: shown(["click_action": ["type": 1, "intent": "shop://order/7"]])),
        Case(
            name: "an action", message: message(["tap": ["intentAction": "com.shop.ORDER"]]),
            android: shown(["click_action": ["type": 1, "action": "com.shop.ORDER"]])),
        Case(
            name: "a class and a time to live",
            message: message([:], ["class": ["intent": "service", "category": "finance"], "timeToLive": 60]),
            android: shown([:], ["category": "FINANCE", "ttl": "60s"])),
        Case(
            name: "options", message: message([:], ["class": ["intent": "marketing"]]),
            options: [
                "android": [
                    "category": "IM", "collapse_key": 7, "bi_tag": "b",
                    "notification": ["style": 1, "big_title": "T", "big_body": "B", "importance": "LOW"],
                ]
            ],
            android: shown(
                ["style": 1, "big_title": "T", "big_body": "B", "importance": "LOW"],
                ["category": "IM", "collapse_key": 7, "bi_tag": "b"])),
        Case(
            name: "a custom message", message: ["custom": ["content": "data"], "deliveryPriority": "high"],
            data: "data", android: ["urgency": "HIGH"]),
    ]

    @Test("each content and option has the vendor's form", arguments: cases)
    func form(row: Case) throws {
        let huawei = try Shop.huawei { $0.launcherClass = "com.shop.Start" }
        let exchange = try huawei.send(Shop.message(row.message, options: row.options), to: Shop.devices(2))
        let message = try exchange.request.json()["message"]
        #expect(message?["data"] == row.data && message?["android"] == row.android)
        #expect(message?["token"] == ["token-0", "token-1"])
        #expect(try exchange.request.target() == "/v1/1042/messages:send" && exchange.idempotency == .unkeyed)
    }

    @Test("a tag is a topic, several are a condition, and a dry run only checks")
    func audiences() throws {
        let huawei = try Shop.huawei()
        func message(_ audience: Audience) throws -> JSONValue? {
            try huawei.send(Shop.message(["custom": ["content": "c"]]), to: audience).request.json()["message"]
        }
        #expect(try message(.tagged(anyOf: ["a"]))?["topic"] == "a")
        let condition = try message(.tagged(anyOf: ["a", "b"], allOf: ["c"], noneOf: ["d"]))?["condition"]
        #expect(condition == "('a' in topics || 'b' in topics) && 'c' in topics && !('d' in topics)")
        let dry = try huawei.validate(
            Shop.message(["custom": ["content": "c"]]), to: Shop.devices(1), in: SendContext(at: Shop.now))
        #expect(try dry.request.json()["validate_only"] == true && dry.idempotency == .idempotent)
        let project = try Huawei(clientID: "1042", clientSecret: Secret("s"), projectID: "388")
        let second = try project.send(Shop.message(["custom": ["content": "c"]]), to: Shop.devices(1))
        #expect(try second.request.target() == "/v2/388/messages:send")
    }

    private static let refusals: [(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String)] = [
        (message(["badge": 1]), nil, .misconfigured, "launcherClass"),
        (message(["tap": ["link": "http://shop.example"]]), nil, .invalidArgument, "https"),
        (message([:], ["deliveryPriority": "high"]), nil, .unsupported, "deliveryPriority"),
        (message([:]), ["android": ["category": "PLAY_VOICE"]], .invalidArgument, "android.category"),
        (message([:]), ["android": ["collapse_key": 101]], .invalidArgument, "android.collapse_key"),
        (
            message(["sound": "s"]), ["android": ["notification": ["default_sound": true]]], .invalidArgument,
            "default_sound"
        ),
        (message([:]), ["android": ["notification": ["buttons": [["name": ""]]]]], .invalidArgument, "buttons"),
        (["voip": ["a": 1]], nil, .unsupported, "harmony"),
        (message([:], ["class": ["intent": "service"]]), nil, .invalidArgument, "category"),
        (message([:], ["class": ["intent": "service", "category": "todo"]]), nil, .unsupported, "categoryWords"),
        (message([:], ["class": ["intent": "service", "category": "missedCall"]]), nil, .unsupported, "missedCall"),
    ]

    @Test("what the vendor does not take is refused by name", arguments: refusals)
    func refused(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String) throws {
        let given = try Shop.message(message, options: options)
        expectThrows(.error(kind, naming: word)) { try Shop.huawei().send(given, to: Shop.devices(1)) }
    }

    @Test("service needs a word of the vendor, of the settings or of the options, and marketing does not")
    func words() throws {
        func category(
            _ given: MessageClass?, options: JSONValue? = nil, _ settings: ClassSettings = ClassSettings()
        ) throws -> JSONValue? {
            let huawei = try Shop.huawei { $0.capabilities.classes = settings }
            var message = try Shop.message(Self.message([:]), options: options)
            message.messageClass = given
            return try huawei.send(message, to: Shop.devices(1)).request.json()["message"]?["android"]?["category"]
        }
        let todo = MessageClass(.service, .todo)
        #expect(try category(todo, ClassSettings(words: ["huawei": [.todo: "WORK"]])) == "WORK")
        #expect(try category(todo, options: ["android": ["category": "WORK"]]) == "WORK")
        #expect(try category(MessageClass(.marketing, "weather")) == nil)
        #expect(try category(nil) == nil)
        expectThrows(.error(.unsupported, naming: "todo")) { try category(nil, ClassSettings(defaultClass: todo)) }
    }
}
