import PushAdapter
import PushHonor
import TestSupport
import Testing

@Suite("Honor requests")
struct EncodingTests {
    /// A message, and the parts of its body that differ from those of a plain notification; null removes one.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var message: JSONValue
        var options: JSONValue?
        /// Fields of the body.
        var body: [String: JSONValue] = [:]
        /// Fields of `notification`.
        var texts: [String: JSONValue] = [:]
        /// Fields of `android`.
        var android: [String: JSONValue] = [:]
        /// Fields of `android.notification`.
        var look: [String: JSONValue] = [:]

        var testDescription: String { name }

        func expected() -> JSONValue {
            func object(_ plain: [String: JSONValue], _ own: [String: JSONValue]) -> JSONValue {
                .object(plain.merging(own) { $1 }.filter { $0.value != .null })
            }
            let shown = object(["clickAction": ["type": 3]], look)
            return object(
                [
                    "notification": object(["title": "T", "body": "B"], texts),
                    "android": object(["notification": shown], android), "token": ["token-0", "token-1"],
                ], body)
        }
    }

    private static func message(_ android: JSONValue, _ other: [String: JSONValue] = [:]) -> JSONValue {
        .object(["notification": ["title": "T", "body": "B", "android": android]].merging(other) { $1 })
    }

    private static let picture = "https://shop.example/a.png"

    private static let cases: [Case] = [
        Case(name: "a notification", message: message([:])),
        Case(name: "the app's default title", message: ["notification": ["body": "B"]], texts: ["title": "Shop"]),
        Case(
            name: "texts for Android", message: message(["title": "T2", "body": "B2"]),
            texts: ["title": "T2", "body": "B2"]),
        Case(
            name: "data, as a text", message: ["notification": ["title": "T", "body": "B", "extras": ["n": 1]]],
            body: ["data": #"{"n":1}"#]),
        Case(
            name: "data of Android, which wins",
            message: [
                "notification": [
                    "title": "T", "body": "B", "extras": ["n": 1], "android": ["extras": ["m": "x"]],
                ]
            ], body: ["data": #"{"m":"x"}"#]),
        Case(
            name: "a picture with service",
            message: message(["image": .string(picture)], ["class": ["intent": "service"]]),
            texts: ["image": .string(picture)], look: ["importance": "NORMAL"]),
        Case(
            name: "a badge that grows", message: message(["badge": "+2"]),
            look: ["badge": ["badgeClass": "com.shop.Start", "addNum": 2]]),
        Case(
            name: "a badge that is set", message: message(["badge": 99]),
            look: ["badge": ["badgeClass": "com.shop.Start", "setNum": 99]]),
        Case(name: "an id that replaces", message: message(["collapseID": "order-7"]), look: ["tag": "order-7"]),
        Case(
            name: "a page on the web", message: message(["tap": ["link": "https://shop.example"]]),
            look: ["clickAction": ["type": 2, "url": "https://shop.example"]]),
        Case(
            name: "an intent", message: message(["tap": ["intentURI": "shop://order/7"]]),
            look: ["clickAction": ["type": 1, "intent": "shop://order/7"]]),
        Case(
            name: "an action", message: message(["tap": ["intentAction": "com.shop.ORDER"]]),
            look: ["clickAction": ["type": 1, "action": "com.shop.ORDER"]]),
        Case(
            name: "a time to live, as a text", message: message([:], ["timeToLive": 60]), android: ["ttl": "60s"]),
        Case(
            name: "service", message: message([:], ["class": ["intent": "service", "category": "order"]]),
            look: ["importance": "NORMAL"]),
        Case(
            name: "marketing", message: message([:], ["class": ["intent": "marketing", "category": "news"]]),
            look: ["importance": "LOW"]),
        Case(
            name: "options, which win", message: message([:], ["class": ["intent": "marketing"]]),
            options: [
                "android": [
                    "biTag": "b", "targetUserType": 1,
                    "notification": [
                        "importance": "NORMAL", "notifyId": 7, "group": "g", "when": "2026-12-01T09:30:00.000Z",
                        "buttons": [["name": "Open", "actionType": 0]],
                    ],
                ]
            ],
            android: ["biTag": "b", "targetUserType": 1],
            look: [
                "importance": "NORMAL", "notifyId": 7, "group": "g", "when": "2026-12-01T09:30:00.000Z",
                "buttons": [["name": "Open", "actionType": 0]],
            ]),
        Case(
            name: "a number and a time in the types of other clients", message: message([:]),
            options: ["android": ["notification": ["notifyId": "7", "when": 1_795_165_200]]],
            look: ["notifyId": "7", "when": 1_795_165_200]),
        Case(
            name: "a long text, which the vendor wants twice", message: message([:]),
            options: ["android": ["notification": ["style": 1]]],
            look: ["style": 1, "bigTitle": "T", "bigBody": "B"]),
        Case(
            name: "the standard style", message: message([:]),
            options: ["android": ["notification": ["style": 0]]], look: ["style": 0]),
        Case(
            name: "a custom message", message: ["custom": ["content": "a \"b\""], "timeToLive": 60],
            body: ["data": "a \"b\"", "notification": .null, "android": ["ttl": "60s"]]),
        Case(
            name: "a custom message alone", message: ["custom": ["content": "c"]],
            body: ["data": "c", "notification": .null, "android": .null]),
    ]

    @Test("each content and option has the vendor's form", arguments: cases)
    func form(row: Case) throws {
        let honor = try Shop.honor { $0.launcherClass = "com.shop.Start" }
        let exchange = try honor.send(Shop.message(row.message, options: row.options), to: Shop.devices(2))
        #expect(try exchange.request.json() == row.expected())
        #expect(try exchange.request.target() == "/api/v1/104200001/sendMessage")
        #expect(exchange.idempotency == .unkeyed)
    }

    private static let refusals: [(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String)] = [
        (message(["title": ["key": "K"]]), nil, .unsupported, "android.title"),
        (["notification": ["title": "T"]], nil, .invalidArgument, "body"),
        (["notification": ["title": "T", "body": ""]], nil, .invalidArgument, "body"),
        (message(["badge": 1]), nil, .misconfigured, "launcherClass"),
        (message(["tap": ["link": "http://shop.example"]]), nil, .invalidArgument, "https"),
        (message(["tap": ["activity": "com.shop.Order"]]), nil, .unsupported, "android.tap.activity"),
        (message(["image": "http://shop.example/a.png"]), nil, .invalidArgument, "https"),
        (
            message(["image": .string(picture)], ["class": ["intent": "marketing"]]), nil, .invalidArgument, "picture"
        ),
        (
            message(["image": .string(picture)]), ["android": ["notification": ["importance": "LOW"]]],
            .invalidArgument, "picture"
        ),
        (message([:], ["platforms": ["android", "ios"]]), nil, .unsupported, "ios"),
        (message([:], ["custom": ["content": "c"]]), nil, .unsupported, "one notification"),
        (["voip": ["a": 1]], nil, .unsupported, "one notification"),
        (message([:]), ["android": ["targetUserType": 2]], .invalidArgument, "targetUserType"),
        (message([:]), ["android": ["notification": ["importance": "HIGH"]]], .invalidArgument, "importance"),
        (message([:]), ["android": ["notification": ["style": 3]]], .invalidArgument, "style"),
        (message([:]), ["android": ["notification": ["notifyId": "seven"]]], .invalidArgument, "notifyId"),
        (message([:]), ["android": ["notification": ["when": ""]]], .invalidArgument, "when"),
        (message([:]), ["android": ["notification": ["buttons": [["name": ""]]]]], .invalidArgument, "buttons"),
        (message([:]), ["android": ["click_action": [:]]], .invalidArgument, "click_action"),
        (["custom": ["content": "c"]], ["android": ["notification": ["style": 1]]], .invalidArgument, "notification"),
    ]

    @Test("what the vendor does not take is refused by name", arguments: refusals)
    func refused(message: JSONValue, options: JSONValue?, kind: PushError.Kind, word: String) throws {
        let honor = try Shop.honor { if kind != .misconfigured { $0.launcherClass = "com.shop.Start" } }
        let error = #expect(throws: PushError.self) {
            try honor.send(Shop.message(message, options: options), to: Shop.devices(1))
        }
        #expect(error?.kind == kind && error?.message.contains(word) == true, "\(String(describing: error))")
    }

    @Test("a badge is set to 99 at most")
    func badge() throws {
        let honor = try Shop.honor { $0.launcherClass = "com.shop.Start" }
        let message = try Shop.message(Self.message(["badge": 100]))
        expectThrows(.error(.invalidArgument, naming: "99")) { try honor.send(message, to: Shop.devices(1)) }
    }

    @Test("an audience is a list of devices, and a send has no key")
    func audiences() throws {
        for audience: Audience in [.everyone, .aliases(["a"]), .tagged(anyOf: ["a"]), .segment("s")] {
            expectThrows(.error(.unsupported)) { try Shop.honor().send(Shop.message(), to: audience) }
        }
        let key = IdempotencyKey("k", kind: .push, mintedAt: Shop.now, expiresAt: Shop.now)
        #expect(throws: PushError.self) {
            try Shop.honor().send(Shop.message(), to: Shop.devices(1), in: SendContext(at: Shop.now, key: key))
        }
    }

    @Test("a message has at most 4,096 bytes without its tokens, and a limit of an app may differ")
    func size() throws {
        func check(_ count: Int, devices: Int = 1000, _ honor: Honor) throws {
            let content = String(repeating: "a", count: count)
            let exchange = try honor.send(
                Shop.message(["custom": ["content": .string(content)]]), to: Shop.devices(devices))
            try honor.capabilities.limits.check(exchange.inputs, of: Honor.id)
        }
        // {"data":"","token":[]}
        let most = 4096 - 22
        #expect(throws: Never.self) { try check(most, Shop.honor()) }
        expectThrows(.error(.tooLong)) { try check(most + 1, Shop.honor()) }
        #expect(throws: PushError.self) { try check(1, devices: 1001, Shop.honor()) }
        #expect(throws: Never.self) {
            try check(
                most + 1,
                Shop.honor {
                    $0.capabilities.limits[.payloadBytes] = Limit(8192, .utf8Bytes, .reject, source: "the app's page")
                })
        }
    }

    @Test("a send costs a request, or its devices if the rate counts them; a test message costs one of its day")
    func charges() throws {
        func costs(test: Bool = false, _ devices: Int = 900, _ edit: (inout Honor) -> Void = { _ in }) throws
            -> [String]
        {
            let honor = try Shop.honor(edit)
            let message = try Shop.message(options: test ? ["android": ["targetUserType": 1]] : nil)
            let charges = try honor.send(message, to: Shop.devices(devices)).charges
            #expect(charges.allSatisfy { honor.capabilities.quotas[$0.bucket] != nil })
            return charges.map { "\($0.cost) \($0.bucket)" }
        }
        #expect(try costs() == ["1 honor.requests"])
        #expect(try costs(test: true) == ["1 honor.tests", "1 honor.requests"])
        #expect(try costs { $0.countsDevices = true } == ["900 honor.requests"])
        #expect(try costs { ($0.countsDevices, $0.requestsPerSecond) = (true, 500) } == ["500 honor.requests"])
        #expect(
            try Shop.honor { $0.acceptsDuplicates = true }.send(Shop.message(), to: Shop.devices(1)).idempotency
                == .idempotent)
    }
}
