import Foundation
import PushAdapter
import PushVivo
import TestSupport
import Testing

@Suite("vivo requests")
struct EncodingTests {
    typealias Case = EncodingCase<JSONValue>

    private static func message(_ android: JSONValue, _ other: [String: JSONValue] = [:]) -> JSONValue {
        .object(["notification": ["title": "标题", "body": "内容", "android": android]].merging(other) { $1 })
    }

    private static func classed(_ intent: JSONValue, _ category: JSONValue) -> JSONValue {
        message([:], ["class": ["intent": intent, "category": category]])
    }

    private static let cases: [Case] = [
        Case(name: "a notification without a class", message: message([:]), fields: [:]),
        Case(name: "the app's default title", message: ["notification": ["body": "内容"]], fields: ["title": "商城"]),
        Case(
            name: "texts of Android", message: message(["title": "新\"品", "body": "到了"]),
            fields: ["title": "新\"品", "content": "到了"]),
        Case(
            name: "data", message: ["notification": ["title": "标题", "body": "内容", "extras": ["n": "a b"]]],
            fields: ["clientCustomMap": ["n": "a b"]]),
        Case(
            name: "data of Android, which wins",
            message: [
                "notification": [
                    "title": "标题", "body": "内容", "extras": ["n": "a"], "android": ["extras": ["m": "b"]],
                ]
            ], fields: ["clientCustomMap": ["m": "b"]]),
        Case(
            name: "a page of the app", message: message(["tap": ["intentURI": "intent:#Intent;action=a;end"]]),
            fields: ["skipType": 4, "skipContent": "intent:#Intent;action=a;end"]),
        Case(
            name: "a page on the web", message: message(["tap": ["link": "https://shop.example/?a=1&b=2"]]),
            fields: ["skipType": 2, "skipContent": "https://shop.example/?a=1&b=2"]),
        Case(name: "a badge", message: message(["badge": "+1"]), fields: ["addBadge": true]),
        Case(name: "the shortest time to live", message: message([:], ["timeToLive": 60]), fields: ["timeToLive": 60]),
        Case(
            name: "a class of service", message: classed("service", "order"),
            fields: ["classification": 1, "category": "ORDER"]),
        Case(
            name: "a class of marketing", message: classed("marketing", "news"),
            fields: ["classification": 0, "category": "NEWS"]),
        Case(
            name: "a word of the settings", message: classed("service", "travel"),
            fields: ["classification": 1, "category": "TODO"]),
        Case(name: "a class without a word", message: classed("service", "mail"), fields: ["classification": 1]),
        Case(
            name: "options", message: message([:]),
            options: [
                "notifyType": 1, "networkType": -1, "notifyId": 7, "sendOnline": false, "foregroundShow": true,
                "profileId": "活动", "pushMode": 1,
            ],
            fields: [
                "notifyType": 1, "networkType": -1, "notifyId": 7, "sendOnline": false, "foregroundShow": true,
                "profileId": "活动", "pushMode": 1,
            ]),
    ]

    @Test("each content, class and option has the vendor's form", arguments: cases)
    func form(row: Case) throws {
        let vivo = try Shop.vivo { $0.capabilities.classes.words = ["vivo": [.travel: "TODO"]] }
        let context = SendContext(at: Shop.now)
        let exchange = try vivo.send(
            Shop.message(row.message, options: row.options), to: Shop.device, in: context)
        var expected: [String: JSONValue] = [
            "appId": 10004, "title": "标题", "content": "内容", "notifyType": 4, "classification": 0, "pushMode": 0,
            "skipType": 1, "regId": "15000000000000000000001", "requestId": .string(context.id),
        ]
        for (name, value) in row.fields { expected[name] = value }
        #expect(Shop.fields(exchange.request) == expected)
        #expect(try exchange.request.target() == "/message/send" && exchange.idempotency == .unkeyed)
    }

    @Test("an option is a field of the body, except for two that change more")
    func places() throws {
        let places = try #require(try Shop.vivo().capabilities.optionPlaces)
        for name in VivoOptions.keys {
            #expect(places.place(of: [name]) == (["pushMode", "except"].contains(name) ? nil : [name]))
        }
    }

    @Test("each audience has its call")
    func audiences() throws {
        let cases: [(audience: Audience, except: [String], target: String, fields: [String: JSONValue])] = [
            (.devices(["r"]), [], "/message/send", ["regId": "r"]),
            (.aliases(["ann"]), [], "/message/send", ["alias": "ann"]),
            (.everyone, [], "/message/all", [:]),
            (.tagged(anyOf: ["b", "a"]), [], "/message/tagPush", ["tagExpression": ["orTags": ["a", "b"]]]),
            (
                .tagged(anyOf: ["a"], allOf: ["c"]), ["d", "b"], "/message/tagPush",
                ["tagExpression": ["orTags": ["a"], "andTags": ["c"], "notTags": ["d", "b"]]]
            ),
        ]
        for row in cases {
            let options: JSONValue? = row.except.isEmpty ? .none : ["except": .array(row.except.map(JSONValue.string))]
            let exchange = try Shop.vivo().send(Shop.message(options: options), to: row.audience)
            #expect(try exchange.request.target() == row.target && exchange.request.method == .post)
            let given = try #require(Shop.fields(exchange.request))
            for name in ["regId", "alias", "tagExpression"] {
                #expect(given[name] == row.fields[name], "\(row.target)")
            }
        }
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
    private static func characters(_ count: Int) -> String { String(repeating: "好", count: count) }
    private static func extras(_ count: Int, of value: String = "v") -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", .string(value)) }))
    }

    /// A message at a limit or one beyond it, and a word of the refusal.
    private static let edges: [(word: String, make: @Sendable (_ excess: Int) throws -> Message)] = [
        ("the title", { try Shop.message(message(["title": .string(characters(20) + letters($0))])) }),
        ("the text", { try Shop.message(message(["body": .string(letters(98 + $0) + characters(1))])) }),
        ("the address", { try Shop.message(message(["tap": ["link": .string("https://" + letters(1016 + $0))]])) }),
        ("the extras", { try Shop.message(message(["extras": extras(10 + $0)])) }),
        (
            "the characters of the extras",
            { try Shop.message(message(["extras": extras(1, of: letters(1020 + $0))])) }
        ),
        ("timeToLive", { try Shop.message(message([:], ["timeToLive": JSONValue(integerLiteral: 86_400 + $0)])) }),
    ]

    @Test("texts, data and times are as long as the vendor allows, and no longer", arguments: edges.indices)
    func limits(index: Int) throws {
        let (word, make) = Self.edges[index]
        let vivo = try Shop.vivo()
        func check(_ excess: Int) throws {
            let exchange = try vivo.send(make(excess), to: Shop.device)
            try vivo.capabilities.limits.check(exchange.inputs, of: Vivo.id)
        }
        #expect(throws: Never.self) { try check(0) }
        expectThrows(.error(naming: word)) { try check(1) }
    }

    @Test("a setting measures texts in characters")
    func measure() throws {
        func check(_ measure: Vivo.TextMeasure, _ title: String) throws {
            let vivo = try Shop.vivo { $0.textMeasure = measure }
            let message = try Shop.message(Self.message(["title": .string(title)]))
            try vivo.capabilities.limits.check(vivo.send(message, to: Shop.device).inputs, of: Vivo.id)
        }
        #expect(throws: Never.self) { try check(.characters, Self.characters(40)) }
        #expect(throws: PushError.self) { try check(.characters, Self.characters(41)) }
        #expect(throws: Never.self) { try check(.units, Self.letters(40)) }
        #expect(throws: PushError.self) { try check(.units, Self.characters(21)) }
    }

    @Test("a key is the request id of every attempt, and no proof against a repetition")
    func keys() throws {
        let memory = try #require(try Shop.vivo().capabilities.callerKeys[.push])
        #expect(memory.grade == .unproven && memory.scope == .request)
        var key = IdempotencyKey(Self.letters(64), kind: .push, mintedAt: Shop.now, expiresAt: Shop.now)
        key.grade = .unproven
        let context = SendContext(at: Shop.now, key: key)
        let exchange = try Shop.vivo().send(Shop.message(), to: Shop.device, in: context)
        #expect(Shop.fields(exchange.request)?["requestId"] == .string(key.value))
        #expect(exchange.idempotency == .keyed(key))
        #expect(try Shop.vivo().send(Shop.message(), to: Shop.device, in: context).request == exchange.request)
        let limits = try Shop.vivo().capabilities.limits
        #expect(throws: PushError.self) {
            try limits.check(.text(Self.letters(65), .idempotencyKey, "a key"), of: Vivo.id)
        }
        let other = IdempotencyKey("12345678", kind: .schedule, mintedAt: Shop.now, expiresAt: Shop.now)
        #expect(throws: PushError.self) {
            try Shop.vivo().send(Shop.message(), to: Shop.device, in: SendContext(at: Shop.now, key: other))
        }
    }

    @Test("a live message to one target asks for receipts, and no other")
    func callback() throws {
        let vivo = try Shop.vivo {
            $0.callback = try VivoCallback(Secret("https://shop.example/r"), parameter: Secret("p"))
        }
        func extra(_ audience: Audience, _ options: JSONValue? = nil) throws -> JSONValue? {
            Shop.fields(try vivo.send(Shop.message(options: options), to: audience).request)?["extra"]
        }
        let expected: JSONValue = ["callback": "https://shop.example/r", "callback.param": "p"]
        #expect(try extra(Shop.device) == expected)
        #expect(try extra(.aliases(["ann"])) == expected)
        #expect(try extra(.everyone) == nil)
        #expect(try extra(.tagged(anyOf: ["a"])) == nil)
        #expect(try extra(Shop.device, ["pushMode": 1]) == nil)
    }

    private static let refusals: [(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String)] = [
        (message(["title": ["key": "K"]]), nil, .unsupported, "android.title"),
        (message(["title": " "]), nil, .invalidArgument, "title"),
        (["notification": ["title": "标题", "body": " \n"]], nil, .invalidArgument, "body"),
        (["notification": ["title": "标题"]], nil, .invalidArgument, "body"),
        (message(["badge": 7]), nil, .unsupported, "android.badge.set"),
        (message(["badge": "+2"]), nil, .invalidArgument, "+1"),
        (message(["tap": ["activity": "com.example.Order"]]), nil, .unsupported, "android.tap.activity"),
        (message(["extras": ["n": 1]]), nil, .invalidArgument, "\"n\""),
        (message([:], ["platforms": ["android", "ios"]]), nil, .unsupported, "ios"),
        (message([:], ["custom": ["content": "c"]]), nil, .unsupported, "one notification"),
        (["custom": ["content": "c"]], nil, .unsupported, "one notification"),
        (message([:], ["timeToLive": 59]), nil, .invalidArgument, "60 s"),
        (classed("service", "work"), nil, .misconfigured, "MARKETING"),
        (message([:]), ["notifyType": 5], .invalidArgument, "notifyType"),
        (message([:]), ["networkType": 0], .invalidArgument, "networkType"),
        (message([:]), ["notifyId": -1], .invalidArgument, "notifyId"),
        (message([:]), ["pushMode": 2], .invalidArgument, "pushMode"),
        (message([:]), ["profileId": ""], .invalidArgument, "profileId"),
        (message([:]), ["except": ["a"]], .invalidArgument, "except"),
        (message([:]), ["requestId": "a"], .invalidArgument, "requestId"),
    ]

    @Test("what the vendor does not take is refused by name", arguments: refusals)
    func refused(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String) throws {
        let vivo = try Shop.vivo { $0.capabilities.classes.words = ["vivo": [.work: "MARKETING"]] }
        let given = try Shop.message(message, options: options)
        expectThrows(.error(kind, naming: word)) { try vivo.send(given, to: Shop.device) }
    }

    @Test("what the vendor cannot select is refused, and so is a short life of a message to many")
    func refusedAudiences() throws {
        let cases: [(audience: Audience, kind: PushError.Kind)] = [
            (.tagged(noneOf: ["a"]), .unsupported), (.tagged(anyOf: ["a"], noneOf: ["b"]), .unsupported),
            (.segment("s"), .unsupported), (.accounts([Account(name: "a")]), .unsupported),
            (.devices(["a", "b"]), .limitExceeded),
        ]
        for row in cases {
            expectThrows(.error(row.kind)) { try Shop.vivo().send(Shop.message(), to: row.audience) }
        }
        let (short, long) = (
            try Shop.message(Self.message([:], ["timeToLive": 899])),
            try Shop.message(Self.message([:], ["timeToLive": 900]))
        )
        for audience: Audience in [.everyone, .tagged(anyOf: ["a"])] {
            expectThrows(.error(.invalidArgument, naming: "900 s")) { try Shop.vivo().send(short, to: audience) }
            #expect(throws: Never.self) { try Shop.vivo().send(long, to: audience) }
        }
        for tags: JSONValue in [[], [""], ["a", "a"]] {
            let wrong = try Shop.message(options: ["except": tags])
            expectThrows(.error(.invalidArgument)) { try Shop.vivo().send(wrong, to: .tagged(anyOf: ["x"])) }
        }
    }
}
