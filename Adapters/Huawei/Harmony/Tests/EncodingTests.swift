import Foundation
import PushAdapter
import PushHarmony
import TestSupport
import Testing

@Suite("HarmonyOS requests")
struct EncodingTests {
    /// A message, and the request that the adapter writes.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var message: JSONValue
        var options: JSONValue?
        var type = "0"
        var payload: JSONValue
        var pushOptions: JSONValue?

        var testDescription: String { name }
    }

    /// A notification of the class order, with these fields.
    private static func order(_ fields: [String: JSONValue] = [:]) -> JSONValue {
        let notification = ["title": "T", "body": "B"].merging(fields) { $1 }
        return ["notification": .object(notification), "class": ["intent": "service", "category": "order"]]
    }

    private static func alert(_ fields: [String: JSONValue] = [:], data: JSONValue? = nil) -> JSONValue {
        var click: [String: JSONValue] = ["actionType": 0]
        click["data"] = data
        let plain: [String: JSONValue] = [
            "category": "EXPRESS", "title": "T", "body": "B", "clickAction": .object(click),
        ]
        return ["notification": .object(plain.merging(fields) { $1 })]
    }

    private static let cases: [Case] = [
        Case(name: "a notification", message: order(), payload: alert()),
        Case(
            name: "the app's default title", message: order(["title": .null]), payload: alert(["title": "Shop"])),
        Case(
            name: "texts for HarmonyOS", message: order(["harmony": ["title": "HT", "body": "HB"]]),
            payload: alert(["title": "HT", "body": "HB"])),
        Case(
            name: "a picture and a sound",
            message: order(["image": "https://shop.example/a.png", "harmony": ["sound": "a.mp3"]]),
            payload: alert(["image": "https://shop.example/a.png", "sound": "a.mp3"])),
        Case(
            name: "data of any form", message: order(["extras": ["n": 1, "deep": ["a": .null]]]),
            payload: alert(data: ["n": 1, "deep": ["a": .null]])),
        Case(
            name: "data for HarmonyOS instead", message: order(["extras": ["n": 1], "harmony": ["extras": ["m": 2]]]),
            payload: alert(data: ["m": 2])),
        Case(
            name: "a badge that is set", message: order(["harmony": ["badge": 0]]),
            payload: alert(["badge": ["setNum": 0]])),
        Case(
            name: "a badge that grows", message: order(["harmony": ["badge": "+2"]]),
            payload: alert(["badge": ["addNum": 2]])),
        Case(
            name: "a number that replaces", message: order(["harmony": ["collapseID": 7]]),
            payload: alert(["notifyId": 7])),
        Case(
            name: "a page by its action", message: order(["harmony": ["tap": ["intentAction": "com.shop.ORDER"]]]),
            payload: alert(["clickAction": ["actionType": 1, "action": "com.shop.ORDER"]])),
        Case(
            name: "a page by its URI", message: order(["harmony": ["tap": ["intentURI": "shop://order/7"]]]),
            payload: alert(["clickAction": ["actionType": 1, "uri": "shop://order/7"]])),
        Case(
            name: "options of the notification", message: order(),
            options: [
                "notification": ["style": 3, "inboxContent": ["a", "b"], "foregroundShow": false]
            ],
            payload: alert(["style": 3, "inboxContent": ["a", "b"], "foregroundShow": false])),
        Case(
            name: "options of the delivery, and a time to live",
            message: [
                "notification": ["title": "T", "body": "B"], "class": ["intent": "marketing"], "timeToLive": 60,
            ],
            options: ["pushOptions": ["collapseKey": 7, "biTag": "b", "receiptId": "r", "testMessage": true]],
            payload: alert(["category": "MARKETING"]),
            pushOptions: ["collapseKey": 7, "biTag": "b", "receiptId": "r", "testMessage": true, "ttl": 60]),
        Case(
            name: "a spoken notification", message: ["notification": ["title": "T", "body": "B"]],
            options: ["extraData": "Speak"], type: "2",
            payload: [
                "extraData": "Speak",
                "notification": [
                    "category": "PLAY_VOICE", "title": "T", "body": "B", "clickAction": ["actionType": 0],
                ],
            ]),
        Case(
            name: "a custom message", message: ["custom": ["content": "data"]], type: "6",
            payload: ["extraData": "data"]),
        Case(
            name: "a custom message with more than its content",
            message: ["custom": ["content": "data", "title": "t", "contentType": "k", "extras": ["n": 1]]],
            options: ["proxyData": "ENABLE", "pushOptions": ["backgroundMode": 1]], type: "6",
            payload: [
                "extraData": #"{"content":"data","content_type":"k","n":1,"title":"t"}"#, "proxyData": "ENABLE",
            ], pushOptions: ["backgroundMode": 1]),
        Case(
            name: "a live view", message: ["liveActivity": ["activityId": 7, "operation": 2]], type: "7",
            payload: ["activityId": 7, "operation": 2]),
        Case(
            name: "a call", message: ["voip": ["caller": "Ann"]], type: "10",
            payload: ["extraData": #"{"caller":"Ann"}"#]),
    ]

    @Test("each content and option has the vendor's form", arguments: cases)
    func form(row: Case) throws {
        let exchange = try Shop.harmony().send(
            Shop.message(row.message, options: row.options), to: Shop.devices(2), in: SendContext(at: Shop.now))
        let body = try exchange.request.json()
        #expect(body["payload"] == row.payload)
        #expect(body["pushOptions"] == row.pushOptions)
        #expect(body["target"] == ["token": ["token-0", "token-1"]])
        #expect(Shop.pushType(exchange.request) == row.type)
        #expect(try exchange.request.target() == "/v3/3884218/messages:send")
        #expect(exchange.idempotency == .unkeyed)
    }

    @Test("the word for the class comes from the options, then HarmonyOS' own field, then the class, then the default")
    func classes() throws {
        func category(_ message: JSONValue, options: JSONValue? = nil) throws -> JSONValue? {
            let harmony = try Shop.harmony { $0.capabilities.classes.defaultClass = MessageClass(.marketing) }
            let exchange = try harmony.send(Shop.message(message, options: options), to: Shop.devices(1))
            return try exchange.request.json()["payload"]?["notification"]?["category"]
        }
        let own = Self.order(["harmony": ["category": "WORK"]])
        #expect(try category(own, options: ["notification": ["category": "IM"]]) == "IM")
        #expect(try category(own) == "WORK")
        #expect(try category(Self.order()) == "EXPRESS")
        #expect(try category(["notification": ["body": "B"]]) == "MARKETING")
    }

    private static let refusals: [(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String)] = [
        (["notification": ["title": "T", "body": "B"]], nil, .invalidArgument, "defaultClass"),
        (
            ["notification": ["title": "T", "body": "B"], "class": ["intent": "service"]], nil, .invalidArgument,
            "category"
        ),
        (
            ["notification": ["title": "T", "body": "B"], "class": ["intent": "service", "category": "todo"]], nil,
            .unsupported, "categoryWords"
        ),
        (order(["body": .null]), nil, .invalidArgument, "body"),
        (order(["image": "http://shop.example/a.png"]), nil, .invalidArgument, "https"),
        (order(["harmony": ["badge": 100]]), nil, .invalidArgument, "99"),
        (order(["harmony": ["tap": ["link": "https://shop.example"]]]), nil, .unsupported, "harmony.tap.link"),
        (order(["harmony": ["category": "PLAY_VOICE"]]), nil, .invalidArgument, "extraData"),
        (order(["harmony": ["category": "IM"]]), ["extraData": "Speak"], .invalidArgument, "PLAY_VOICE"),
        (order(), ["notification": ["style": 3]], .invalidArgument, "notification.style"),
        (order(), ["notification": ["soundDuration": 5]], .invalidArgument, "notification.soundDuration"),
        (order(), ["pushOptions": ["backgroundMode": 1]], .invalidArgument, "pushOptions.backgroundMode"),
        (order(), ["unknown": 1], .invalidArgument, "unknown"),
        (["custom": ["content": "c", "extras": ["content": "x"]]], nil, .invalidArgument, "content"),
        (["custom": ["content": "c"], "platforms": ["ios", "harmony"]], nil, .unsupported, "platforms"),
        (["liveActivity": ["event": "update", "content-state": [:]]], nil, .invalidArgument, "Apple"),
        (["liveActivity": ["activityId": 7, "operation": 0, "event": "SCORE"]], nil, .invalidArgument, "FLIGHT"),
    ]

    @Test("what the vendor does not take is refused by name", arguments: refusals)
    func refused(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String) throws {
        let given = try Shop.message(message, options: options)
        expectThrows(.error(kind, naming: word)) { try Shop.harmony().send(given, to: Shop.devices(1)) }
    }
}
