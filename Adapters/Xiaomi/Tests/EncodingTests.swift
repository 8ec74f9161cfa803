import Foundation
import PushAdapter
import PushXiaomi
import TestSupport
import Testing

@Suite("Xiaomi requests")
struct EncodingTests {
    typealias Case = EncodingCase<String?>

    private static func message(_ android: JSONValue, _ other: [String: JSONValue] = [:]) -> JSONValue {
        .object(["notification": ["title": "T", "body": "B", "android": android]].merging(other) { $1 })
    }

    private static let order: JSONValue = [
        "intent": "service", "category": "order",
        "template": ["ids": ["xiaomi": "P1"], "titleValues": ["shop": "S"], "bodyValues": ["number": "7"]],
    ]

    private static let cases: [Case] = [
        Case(name: "a notification", message: Shop.plain, fields: [:]),
        Case(name: "the app's default title", message: ["notification": ["body": "B"]], fields: ["title": "Shop"]),
        Case(
            name: "texts of Android", message: message(["title": "t & t", "body": "+ü"]),
            fields: ["title": "t & t", "description": "+ü"]),
        Case(
            name: "data, encoded twice",
            message: ["notification": ["title": "T", "body": "B", "extras": ["n": "a b"]]],
            fields: ["payload": "%7B%22n%22%3A%22a%20b%22%7D"]),
        Case(
            name: "a page of the app", message: message(["tap": ["intentURI": "intent:#Intent;action=a;end"]]),
            fields: ["extra.notify_effect": "2", "extra.intent_uri": "intent:#Intent;action=a;end"]),
        Case(
            name: "a page on the web", message: message(["tap": ["link": "https://shop.example/?a=1&b=2"]]),
            fields: ["extra.notify_effect": "3", "extra.web_uri": "https://shop.example/?a=1&b=2"]),
        Case(name: "a badge", message: message(["badge": 0]), fields: ["extra.badge": "0"]),
        Case(
            name: "a time to live in milliseconds", message: message([:], ["timeToLive": 864_000]),
            fields: ["time_to_live": "864000000"]),
        Case(
            name: "a channel of the notification, which wins", message: message(["channelID": "c"], ["class": order]),
            fields: [
                "extra.channel_id": "c", "extra.template_id": "P1",
                "extra.template_param": #"{"number":"7","shop":"S"}"#,
            ]),
        Case(
            name: "a channel of the class",
            message: message([:], ["class": ["intent": "service", "category": "order"]]),
            fields: ["extra.channel_id": "137041"]),
        Case(
            name: "a channel of the intent",
            message: message([:], ["class": ["intent": "marketing", "category": "news"]]),
            fields: ["extra.channel_id": "137042"]),
        Case(
            name: "options, which win", message: message(["channelID": "c"]),
            options: [
                "notify_type": -1, "notify_id": 7, "extra": ["channel_id": "d", "callback.own": "x", "model": "m"],
            ],
            fields: [
                "notify_type": "-1", "notify_id": "7", "extra.channel_id": "d", "extra.callback.own": "x",
                "extra.model": "m",
            ]),
        Case(
            name: "a custom message", message: ["custom": ["content": "a b"]],
            fields: [
                "pass_through": "1", "payload": "a%20b", "title": nil, "description": nil, "notify_id": nil,
                "extra.notify_effect": nil,
            ]),
    ]

    @Test("each content and option has the vendor's form", arguments: cases)
    func form(row: Case) throws {
        let xiaomi = try Shop.xiaomi {
            $0.sendsPassThrough = true
            $0.capabilities.classes.words = ["xiaomi": [.order: "137041", .marketing: "137042"]]
        }
        let exchange = try xiaomi.send(Shop.message(row.message, options: row.options), to: Shop.devices(2))
        var given = try #require(exchange.request.form)
        // Made for each request, unless an option has it.
        if row.fields["notify_id"] == nil {
            #expect(given.removeValue(forKey: "notify_id").flatMap { Int32($0) }.map { $0 >= 0 } == true)
        }
        var expected = [
            "restricted_package_name": Shop.package, "pass_through": "0", "title": "T", "description": "B",
            "payload": "%7B%7D", "extra.notify_effect": "1", "registration_id": "reg/0=,reg/1=",
        ]
        for (name, value) in row.fields { expected[name] = value }
        #expect(given == expected)
        #expect(try exchange.request.target() == "/v3/message/regid" && exchange.idempotency == .unkeyed)
    }

    @Test("each audience has its call")
    func audiences() throws {
        let cases: [(audience: Audience, target: String, fields: [String: String])] = [
            (.aliases(["ann", "bob"]), "/v3/message/alias", ["alias": "ann,bob"]),
            (
                .accounts([Account(name: "a@b"), Account(name: "c")]), "/v2/message/user_account",
                ["user_account": "a@b,c"]
            ),
            (.tagged(anyOf: ["vip"]), "/v3/message/topic", ["topic": "vip"]),
            (.tagged(anyOf: ["a"], allOf: ["a"]), "/v3/message/topic", ["topic": "a"]),
            (
                .tagged(anyOf: ["b", "a"]), "/v3/message/multi_topic", ["topics": "a;$;b", "topic_op": "UNION"]
            ),
            (
                .tagged(allOf: ["b", "a"]), "/v3/message/multi_topic",
                ["topics": "a;$;b", "topic_op": "INTERSECTION"]
            ),
            (.everyone, "/v3/message/all", [:]),
        ]
        let names = ["registration_id", "alias", "user_account", "topic", "topics", "topic_op"]
        for row in cases {
            let request = try Shop.xiaomi().send(Shop.message(), to: row.audience).request
            #expect(try request.target() == row.target)
            #expect(try #require(request.form).filter { names.contains($0.key) } == row.fields)
        }
        let less = try Shop.xiaomi().send(Shop.message(options: ["except": ["b", "c"]]), to: .tagged(allOf: ["a"]))
        let fields = try #require(less.request.form)
        #expect(fields["topics"] == "a;$;b;$;c" && fields["topic_op"] == "EXCEPT")
    }

    @Test("receipts are asked for where the vendor sends them")
    func callback() throws {
        let xiaomi = try Shop.xiaomi {
            $0.callback = try XiaomiCallback(Secret("https://shop.example/r"), parameter: Secret("p"))
        }
        let names = ["extra.callback", "extra.callback.param", "extra.callback.type"]
        func written(_ audience: Audience) throws -> [String?] {
            let fields = try #require(try xiaomi.send(Shop.message(), to: audience).request.form)
            return names.map { fields[$0] }
        }
        for audience: Audience in [Shop.devices(1), .aliases(["a"]), .accounts([Account(name: "a")])] {
            #expect(try written(audience) == ["https://shop.example/r", "p", "243"])
        }
        for audience: Audience in [.everyone, .tagged(anyOf: ["a"])] {
            #expect(try written(audience) == [nil, nil, nil])
        }
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func extra(_ count: Int) -> JSONValue {
        ["extra": .object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", "v") }))]
    }

    /// A message at a limit, the same one beyond it, and the kind and a word of the refusal.
    private static let edges:
        [(kind: PushError.Kind, word: String, make: @Sendable (_ excess: Int) throws -> Message)] = [
            (
                .tooLong, "the title",
                { try Shop.message(["notification": ["title": .string(letters(49 + $0)), "body": "B"]]) }
            ),
            (
                .tooLong, "the text",
                { try Shop.message(["notification": ["title": "T", "body": .string(letters(127 + $0))]]) }
            ),
            (.limitExceeded, "the fields", { try Shop.message(options: extra(10 + $0)) }),
            (
                .tooLong, "the option extra",
                { try Shop.message(options: ["extra": ["key": .string(letters(1021 + $0))]]) }
            ),
            // The callback has 8 + 989 + 13 + 3 characters, the rest 13 + 1.
            (
                .tooLong, "all extra fields",
                { try Shop.message(options: ["extra": ["key": .string(letters(1017 + $0))]]) }
            ),
        ]

    @Test("texts and extra fields are as long as the vendor allows, and no longer", arguments: edges.indices)
    func limits(index: Int) throws {
        let (kind, word, make) = Self.edges[index]
        let xiaomi = try Shop.xiaomi {
            guard word == "all extra fields" else { return }
            $0.callback = try XiaomiCallback(Secret("https://" + Self.letters(981)))
        }
        func check(_ excess: Int) throws {
            let exchange = try xiaomi.send(make(excess), to: Shop.devices(1))
            try xiaomi.capabilities.limits.check(exchange.inputs, of: Xiaomi.id)
        }
        #expect(throws: Never.self) { try check(0) }
        expectThrows(.error(kind, naming: word)) { try check(1) }
    }

    @Test("a key becomes the job key, and the number of a notification is the same for all attempts of a request")
    func keys() throws {
        let memory = try #require(try Shop.xiaomi().capabilities.callerKeys[.push])
        #expect(memory.grade == .device && memory.scope == .message)
        var key = IdempotencyKey("aB3-5678", kind: .push, mintedAt: Shop.now, expiresAt: Shop.now)
        key.grade = .device
        let context = SendContext(at: Shop.now, key: key)
        let exchange = try Shop.xiaomi().send(Shop.message(), to: Shop.devices(1), in: context)
        let fields = try #require(exchange.request.form)
        #expect(fields["extra.jobkey"] == "aB3-5678" && exchange.idempotency == .keyed(key))
        #expect(try Shop.xiaomi().send(Shop.message(), to: Shop.devices(1), in: context).request == exchange.request)
        let limits = try Shop.xiaomi().capabilities.limits
        #expect(throws: Never.self) { try limits.check(.text("aB3-5678", .idempotencyKey, "a key"), of: Xiaomi.id) }
        for refused in ["aB3-56789", "_B3-5678"] {
            #expect(throws: PushError.self) {
                try limits.check(.text(refused, .idempotencyKey, "a key"), of: Xiaomi.id)
            }
        }
        let other = IdempotencyKey("aB3-5678", kind: .schedule, mintedAt: Shop.now, expiresAt: Shop.now)
        #expect(throws: PushError.self) {
            try Shop.xiaomi().send(Shop.message(), to: Shop.devices(1), in: SendContext(at: Shop.now, key: other))
        }
    }

    private static let refusals: [(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String)] = [
        (message(["title": ["key": "K"]]), nil, .unsupported, "android.title"),
        (message(["title": " "]), nil, .invalidArgument, "title"),
        (["notification": ["title": "T", "body": " \n"]], nil, .invalidArgument, "body"),
        (["notification": ["title": "T"]], nil, .invalidArgument, "body"),
        (message(["badge": "+1"]), nil, .unsupported, "android.badge.add"),
        (message(["tap": ["activity": "com.example.Order"]]), nil, .unsupported, "android.tap.activity"),
        (message([:], ["platforms": ["android", "ios"]]), nil, .unsupported, "ios"),
        (message([:], ["custom": ["content": "c"]]), nil, .unsupported, "one notification"),
        (["voip": ["a": 1]], nil, .unsupported, "one notification"),
        (message([:]), ["notify_id": 2_147_483_648], .invalidArgument, "notify_id"),
        (message([:]), ["notify_type": 8], .invalidArgument, "notify_type"),
        (message([:]), ["extra": ["jobkey": "a"]], .invalidArgument, "extra"),
        (message([:]), ["extra": ["model": ""]], .invalidArgument, "extra"),
        (message([:]), ["except": ["a"]], .invalidArgument, "except"),
        (message([:]), ["jobkey": "a"], .invalidArgument, "jobkey"),
    ]

    @Test("what the vendor does not take is refused by name", arguments: refusals)
    func refused(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String) throws {
        let given = try Shop.message(message, options: options)
        expectThrows(.error(kind, naming: word)) { try Shop.xiaomi().send(given, to: Shop.devices(1)) }
    }

    @Test("what the vendor cannot select is refused, and so is a target that would become two")
    func refusedAudiences() throws {
        let cases: [(audience: Audience, kind: PushError.Kind)] = [
            (.tagged(noneOf: ["a"]), .unsupported), (.tagged(anyOf: ["a", "b"], allOf: ["c"]), .unsupported),
            (.segment("s"), .unsupported), (.tagged(anyOf: ["a;$;b"]), .invalidArgument),
        ]
        for row in cases {
            expectThrows(.error(row.kind)) { try Shop.xiaomi().send(Shop.message(), to: row.audience) }
        }
        let except = try Shop.message(options: ["except": ["c"]])
        #expect(throws: PushError.self) { try Shop.xiaomi().send(except, to: .tagged(anyOf: ["a", "b"])) }
        for tags: JSONValue in [[], [""], ["a", "a"], ["a", "b", "c", "d", "e"]] {
            let wrong = try Shop.message(options: ["except": tags])
            expectThrows(.error(.invalidArgument)) { try Shop.xiaomi().send(wrong, to: .tagged(anyOf: ["x"])) }
        }
        let refusal = try #require(try Shop.xiaomi().roles.refusal)
        #expect(refusal(.device("a,b"))?.kind == .invalidArgument && refusal(.device("a+b/c=")) == nil)
        #expect(refusal(.account(Account(name: "a", type: 1)))?.kind == .unsupported)
        #expect(refusal(.account(Account(name: "a"))) == nil)
    }
}
