import Foundation
import PushAdapter
import PushOPPO
import TestSupport
import Testing

@Suite("OPPO requests")
struct EncodingTests {
    typealias Case = EncodingCase<JSONValue>

    private static func message(_ android: JSONValue, _ other: [String: JSONValue] = [:]) -> JSONValue {
        .object(["notification": ["title": "T", "body": "B", "android": android]].merging(other) { $1 })
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static let order: JSONValue = [
        "intent": "service", "category": "order",
        "template": ["ids": ["oppo": "10086"], "titleValues": ["shop": "S"], "bodyValues": ["number": "7"]],
    ]

    private static let cases: [Case] = [
        Case(name: "a notification", message: Shop.plain, fields: [:]),
        Case(name: "the app's default title", message: ["notification": ["body": "B"]], fields: ["title": "Shop"]),
        Case(
            name: "texts of Android", message: message(["title": "t & \"t\"", "body": "+ü"]),
            fields: ["title": "t & \"t\"", "content": "+ü"]),
        Case(
            name: "the longest short text", message: message(["body": .string(letters(50))]),
            fields: ["content": .string(letters(50))]),
        Case(
            name: "a long text", message: message(["body": .string(letters(51))]),
            fields: ["content": .string(letters(51)), "style": 2]),
        Case(
            name: "data as a JSON text", message: message(["extras": ["n": "a b", "m": 1]]),
            fields: ["action_parameters": #"{"m":1,"n":"a b"}"#]),
        Case(
            name: "a page by its class", message: message(["tap": ["activity": "com.example.Order"]]),
            fields: ["click_action_type": 4, "click_action_activity": "com.example.Order"]),
        Case(
            name: "a page by its action", message: message(["tap": ["intentAction": "com.example.ORDER"]]),
            fields: ["click_action_type": 1, "click_action_activity": "com.example.ORDER"]),
        Case(
            name: "a page on the web", message: message(["tap": ["link": "https://shop.example/?a=1&b=2"]]),
            fields: ["click_action_type": 2, "click_action_url": "https://shop.example/?a=1&b=2"]),
        Case(
            name: "an intent", message: message(["tap": ["intentURI": "intent:#Intent;action=a;end"]]),
            fields: ["click_action_type": 5, "click_action_url": "intent:#Intent;action=a;end"]),
        Case(
            name: "a time to live in seconds", message: message([:], ["timeToLive": 864_000]),
            fields: ["off_line": true, "off_line_ttl": 864_000]),
        Case(
            name: "a message for devices on line only", message: message([:], ["timeToLive": 0]),
            fields: ["off_line": false]),
        Case(name: "a channel", message: message(["channelID": "c"]), fields: ["channel_id": "c"]),
        Case(
            name: "a class with a template", message: message([:], ["class": order]),
            fields: [
                "category": "ORDER", "private_msg_template_id": "10086",
                "private_title_parameters": #"{"shop":"S"}"#, "private_content_parameters": #"{"number":"7"}"#,
            ]),
        Case(
            name: "a word of the settings",
            message: message([:], ["class": ["intent": "service", "category": "travel"]]),
            fields: ["category": "TODO"]),
        Case(
            name: "options, which win", message: message([:], ["class": ["intent": "marketing"]]),
            options: [
                "style": 2, "sub_title": "s", "category": "IM", "notify_level": 16, "notify_id": 7, "show_ttl": 86_400,
                "network_type": 1, "fields": ["auditResponse": true],
            ],
            fields: [
                "style": 2, "sub_title": "s", "category": "IM", "notify_level": 16, "notify_id": 7, "show_ttl": 86_400,
                "network_type": 1, "auditResponse": true,
            ]),
    ]

    @Test("each content and option has the vendor's form", arguments: cases)
    func form(row: Case) throws {
        let oppo = try Shop.oppo { $0.capabilities.classes.words = ["oppo": [.travel: "TODO"]] }
        let exchange = try oppo.send(Shop.message(row.message, options: row.options), to: Shop.devices(1))
        var expected: [String: JSONValue] = ["title": "T", "content": "B", "style": 1, "click_action_type": 0]
        for (name, value) in row.fields { expected[name] = value }
        let given = try #require(try Shop.json(exchange))
        #expect(
            given == [
                "target_type": 2, "target_value": .string(Shop.device(0).rawValue), "notification": .object(expected),
            ])
        #expect(try exchange.request.target() == "/message/notification/unicast" && exchange.idempotency == .unkeyed)
    }

    @Test("values of a template are objects if the settings say so")
    func templateObjects() throws {
        let oppo = try Shop.oppo { $0.writesTemplateObjects = true }
        let exchange = try oppo.send(Shop.message(Self.message([:], ["class": Self.order])), to: Shop.devices(1))
        let fields = try #require(try Shop.json(exchange)?["notification"])
        #expect(fields["private_title_parameters"] == ["shop": "S"])
        #expect(fields["private_content_parameters"] == ["number": "7"])
    }

    @Test("several targets are rows with the same notification, also if a target has characters of JSON and of forms")
    func rows() throws {
        let aliases: [Alias] = ["a\"&b=", "ü\\c", "d"]
        let exchange = try Shop.oppo().send(Shop.message(), to: .aliases(aliases))
        let rows = try #require(try Shop.json(exchange, "messages")?.arrayValue)
        #expect(rows.map { $0["target_value"] } == aliases.map { .string($0.rawValue) })
        #expect(rows.allSatisfy { $0["target_type"] == 5 && $0["notification"] == rows[0]["notification"] })
        #expect(try exchange.request.target() == "/message/notification/unicast_batch")
        #expect(exchange.longestResponse >= 1000 * 400)
        let many = try #require(try Shop.json(Shop.oppo().send(Shop.message(), to: Shop.devices(1000)), "messages"))
        #expect(many.arrayValue?.count == 1000 && many.arrayValue?.last?["target_type"] == 2)
    }

    @Test("a key is the id of the message in each row, and receipts are asked for where the vendor sends them")
    func keyAndCallback() throws {
        var key = IdempotencyKey("aB3-5678", kind: .push, mintedAt: Shop.now, expiresAt: Shop.now)
        key.grade = .target
        let context = SendContext(at: Shop.now, key: key)
        let oppo = try Shop.oppo {
            $0.callback = try OPPOCallback(Secret("https://shop.example/r"), parameter: Secret("p"))
        }
        let exchange = try oppo.send(Shop.message(), to: Shop.devices(2), in: context)
        for row in try #require(try Shop.json(exchange, "messages")?.arrayValue) {
            #expect(row["notification"]?["app_message_id"] == "aB3-5678")
            #expect(row["notification"]?["call_back_url"] == "https://shop.example/r")
            #expect(row["notification"]?["call_back_parameter"] == "p")
        }
        #expect(exchange.idempotency == .keyed(key))
        #expect(try oppo.send(Shop.message(), to: Shop.devices(2), in: context).request == exchange.request)
        let alias = try #require(try Shop.json(oppo.send(Shop.message(), to: .aliases(["a"]), in: context)))
        #expect(alias["notification"]?["call_back_url"] == nil)
        #expect(alias["notification"]?["app_message_id"] == "aB3-5678")
        let memory = try #require(oppo.capabilities.callerKeys[.push])
        #expect(memory.grade == .target && memory.scope == .message)
        let other = IdempotencyKey("aB3-5678", kind: .schedule, mintedAt: Shop.now, expiresAt: Shop.now)
        #expect(throws: PushError.self) {
            try oppo.send(Shop.message(), to: Shop.devices(1), in: SendContext(at: Shop.now, key: other))
        }
    }

    /// The letters that fit into the place of the sign, and the words of the refusal of one more.
    private static let edges: [(word: String, most: Int, message: String)] = [
        ("the title", 50, #"{"notification": {"title": "$", "body": "B"}}"#),
        ("the text", 128, #"{"notification": {"body": "$"}}"#),
        ("the text", 50, #"{"notification": {"body": "$"}, "options": {"oppo": {"style": 1}}}"#),
        ("sub_title", 10, #"{"notification": {"body": "B"}, "options": {"oppo": {"sub_title": "$"}}}"#),
        ("the extras", 3992, #"{"notification": {"body": "B", "extras": {"n": "$"}}}"#),
        ("the action", 500, #"{"notification": {"body": "B", "android": {"tap": {"activity": "$"}}}}"#),
        ("the action", 1992, #"{"notification": {"body": "B", "android": {"tap": {"link": "https://$"}}}}"#),
    ]

    @Test("a text is as long as the vendor allows, and no longer", arguments: edges.indices)
    func limits(index: Int) throws {
        let edge = Self.edges[index]
        func check(_ count: Int) throws {
            let text = edge.message.replacingOccurrences(of: "$", with: Self.letters(count))
            try checkLimits(Shop.message(JSONValue(parsing: Array(text.utf8))))
        }
        #expect(throws: Never.self) { try check(edge.most) }
        expectThrows(.error(.tooLong, naming: edge.word)) { try check(edge.most + 1) }
    }

    @Test("a phone shows marketing for half a day at most, and service for a day")
    func shown() throws {
        func message(_ category: JSONValue, _ seconds: Int) throws -> Message {
            try Shop.message(options: ["category": category, "show_ttl": JSONValue(seconds)])
        }
        for good in [("NEWS", 43_200), ("ORDER", 86_400)] as [(JSONValue, Int)] {
            #expect(throws: Never.self) { try checkLimits(message(good.0, good.1)) }
        }
        expectThrows(.error(.limitExceeded, naming: "show_ttl")) { try checkLimits(message("NEWS", 43_201)) }
    }

    private func checkLimits(_ message: Message) throws {
        let oppo = try Shop.oppo()
        try oppo.capabilities.limits.check(oppo.send(message, to: Shop.devices(1)).inputs, of: OPPO.id)
    }

    private static let refusals: [(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String)] = [
        (message(["title": ["key": "K"]]), nil, .unsupported, "android.title"),
        (message(["title": " "]), nil, .invalidArgument, "title"),
        (["notification": ["title": "T", "body": " \n"]], nil, .invalidArgument, "body"),
        (["notification": ["title": "T"]], nil, .invalidArgument, "body"),
        (message([:], ["platforms": ["android", "ios"]]), nil, .unsupported, "ios"),
        (["custom": ["content": "c"]], nil, .unsupported, "one notification"),
        (message([:], ["custom": ["content": "c"]]), nil, .unsupported, "one notification"),
        (["voip": ["a": 1]], nil, .unsupported, "one notification"),
        (message([:]), ["style": 3], .invalidArgument, "style"),
        (message([:]), ["sub_title": ""], .invalidArgument, "sub_title"),
        (message([:]), ["category": "order"], .invalidArgument, "category"),
        (message([:]), ["notify_level": 3], .invalidArgument, "notify_level"),
        (message([:]), ["notify_level": 2], .invalidArgument, "needs a category"),
        (message([:]), ["notify_id": 2_147_483_648], .invalidArgument, "notify_id"),
        (message([:]), ["show_ttl": 86_401], .invalidArgument, "show_ttl"),
        (message([:]), ["fields": ["title": "T"]], .invalidArgument, "fields"),
        (message([:]), ["fields": ["callBackUrl": "https://shop.example"]], .invalidArgument, "fields"),
        (message([:]), ["app_message_id": "a"], .invalidArgument, "app_message_id"),
    ]

    @Test("a message that the vendor does not take is refused by name", arguments: refusals)
    func refused(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String) throws {
        let given = try Shop.message(message, options: options)
        expectThrows(.error(kind, naming: word)) { try Shop.oppo().send(given, to: Shop.devices(1)) }
    }

    @Test("audiences that need two requests are refused")
    func audiences() throws {
        for audience: Audience in [.everyone, .tagged(anyOf: ["a"]), .segment("s"), .accounts([Account(name: "a")])] {
            expectThrows(.error(.unsupported)) { try Shop.oppo().send(Shop.message(), to: audience) }
        }
    }

    @Test("marketing, service and channels have quotas of their own, before the rate")
    func charges() throws {
        func first(_ other: [String: JSONValue], options: JSONValue? = nil) throws -> QuotaBucket? {
            let oppo = try Shop.oppo()
            let message = try Shop.message(Self.message([:], other), options: options)
            let charges = try oppo.send(message, to: Shop.devices(3)).charges
            #expect(charges.allSatisfy { $0.cost == 3 && oppo.capabilities.quotas[$0.bucket] != nil })
            #expect(charges.count == 2 && charges.last?.bucket == "oppo.targets")
            return charges.first?.bucket
        }
        let channel: JSONValue = ["title": "T", "body": "B", "android": ["channelID": "c"]]
        #expect(try first([:]) == "oppo.marketing")
        #expect(try first(["class": ["intent": "marketing", "category": "news"]]) == "oppo.marketing")
        #expect(try first(["class": ["intent": "service", "category": "order"]]) == "oppo.service")
        #expect(try first(["class": ["intent": "service"]]) == "oppo.marketing")
        #expect(try first([:], options: ["category": "IM"]) == "oppo.service")
        #expect(try first(["notification": channel]) == "oppo.channel")
    }
}
