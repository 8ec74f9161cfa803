import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

@Suite("APNs requests")
struct EncodingTests {
    // MARK: Notifications

    @Test("every field of a notification goes to where the vendor has it")
    func notification() throws {
        var message = Shop.shown(
            IOSNotification(
                title: "iT", subtitle: "iS", body: "iB", sound: "a.caf", badge: .set(3), category: "c", threadID: "th",
                isMutable: true, isContentAvailable: true, interruptionLevel: .timeSensitive, collapseID: "col"))
        message.notification?.extras = ["order": 17]
        message.timeToLive = .seconds(60)
        message.deliveryPriority = .high
        let context = SendContext(at: Shop.now)
        let exchange = try Shop.apns().send(message, to: Shop.devices(1), in: context)
        let request = exchange.request
        let expected: JSONValue = [
            "aps": [
                "alert": ["title": "iT", "subtitle": "iS", "body": "iB"], "badge": 3, "sound": "a.caf",
                "category": "c", "thread-id": "th", "interruption-level": "time-sensitive", "mutable-content": 1,
                "content-available": 1,
            ], "order": 17,
        ]
        #expect(try Shop.body(of: request) == expected)
        #expect(request.method == .post && exchange.operation == .send && exchange.credential == .app)
        #expect(try request.target() == "/3/device/" + Shop.device(0).rawValue)
        #expect(
            Shop.headers(of: request) == [
                "apns-topic": Shop.topic, "apns-push-type": "alert", "apns-priority": "10",
                "apns-expiration": "1795165260", "apns-collapse-id": "col", "apns-id": context.uuid,
            ])
    }

    @Test("the body is JSON without blanks")
    func text() throws {
        let request = try Shop.request(of: Shop.shown(IOSNotification(badge: .set(2))))
        let text = String(decoding: Shop.bytes(of: request), as: UTF8.self)
        #expect(text == #"{"aps":{"alert":{"body":"B","title":"T"},"badge":2}}"#)
        #expect(request.body == .json(Array(text.utf8)))
    }

    @Test("what a message does not say is left to the vendor")
    func defaults() throws {
        let request = try Shop.request(of: Message(notification: Notification(body: "B")))
        #expect(try Shop.body(of: request) == ["aps": ["alert": "B"]])
        #expect(Set(Shop.headers(of: request).keys) == ["apns-topic", "apns-push-type", "apns-id"])
    }

    private static let localized: [(ios: IOSNotification, alert: JSONValue)] = [
        (
            IOSNotification(title: .localized(key: "HELLO", arguments: ["Ann", "Bob"])),
            ["title-loc-key": "HELLO", "title-loc-args": ["Ann", "Bob"], "body": "B"]
        ),
        (
            IOSNotification(subtitle: .localized(key: "SUB")),
            ["subtitle-loc-key": "SUB", "title": "T", "body": "B"]
        ),
        (
            IOSNotification(body: .localized(key: "ARRIVES", arguments: ["Tuesday"])),
            ["loc-key": "ARRIVES", "loc-args": ["Tuesday"], "title": "T"]
        ),
    ]

    @Test("a localized text stands in the alert under Apple's keys, in place of a plain one", arguments: localized)
    func localizedTexts(ios: IOSNotification, alert: JSONValue) throws {
        #expect(try Shop.body(of: Shop.shown(ios)) == ["aps": ["alert": alert]])
    }

    @Test("the iOS extras replace the common ones, keep their form, and cannot stand for aps")
    func extras() throws {
        var message = Shop.shown(IOSNotification(extras: ["own": [1, nil, true]]))
        message.notification?.extras = ["common": 1]
        #expect(try Shop.body(of: message) == ["aps": ["alert": ["title": "T", "body": "B"]], "own": [1, nil, true]])
        message.notification?.ios?.extras = ["aps": 1]
        let refusal = try Shop.refusal(of: message)
        #expect(refusal?.kind == .invalidArgument && refusal?.message.contains("aps") == true)
    }

    @Test("a badge is a number of 0 or more, because the vendor keeps none to add to")
    func badge() throws {
        #expect(try Shop.body(of: Shop.shown(IOSNotification(badge: .set(0))))["aps"]?["badge"] == 0)
        #expect(try Shop.refusal(of: Shop.shown(IOSNotification(badge: .set(-1))))?.kind == .invalidArgument)
        let change = Shop.shown(IOSNotification(badge: .change(by: 1)))
        let capabilities = try Shop.apns().capabilities
        let unsupported = change.features.filter { capabilities[$0] != .native }
        #expect(unsupported == [.contentBadgeArithmetic])
    }

    @Test("a picture has no field, and the refusal says what to do instead")
    func picture() throws {
        for message in [
            Message(notification: Notification(body: "B", image: "https://shop.example/a.png")),
            Shop.shown(IOSNotification(image: "https://shop.example/a.png")),
        ] {
            let refusal = try Shop.refusal(of: message)
            #expect(refusal?.kind == .unsupported && refusal?.message.contains("isMutable") == true)
        }
    }

    // MARK: Other contents

    @Test("a custom message is a background push with priority 5, whatever the message asks for")
    func background() throws {
        var message = Message(
            custom: CustomMessage(content: "c", title: "t", contentType: "json", extras: ["k": ["deep": 1]]))
        message.deliveryPriority = .high
        let request = try Shop.request(of: message)
        let expected: JSONValue = [
            "aps": ["content-available": 1], "content": "c", "title": "t", "content_type": "json", "k": ["deep": 1],
        ]
        #expect(try Shop.body(of: request) == expected)
        #expect(Shop.header("apns-priority", of: request) == "5")
        #expect(Shop.header("apns-push-type", of: request) == "background")
        #expect(Shop.header("apns-topic", of: request) == Shop.topic)
    }

    @Test("an empty content writes no key, and the extras cannot stand for a part of the message")
    func parts() throws {
        let empty = Message(custom: CustomMessage(content: "", extras: ["k": 1]))
        #expect(try Shop.body(of: empty) == ["aps": ["content-available": 1], "k": 1])
        for key in ["content", "aps"] {
            let refusal = try Shop.refusal(of: Message(custom: CustomMessage(content: "c", extras: [key: "x"])))
            #expect(refusal?.kind == .invalidArgument && refusal?.message.contains(key) == true)
        }
        // If the message sets no title, the app may use the key itself.
        let titled = Message(custom: CustomMessage(content: "c", extras: ["title": "own"]))
        #expect(try Shop.body(of: titled)["title"] == "own")
    }

    @Test("a custom message is an alert if the options say so")
    func customAlert() throws {
        let message = try Shop.changed(Shop.custom(.alert, content: "c")) {
            $0.aps = APSOptions()
            $0.aps?.sound = APSOptions.CriticalSound("a.caf")
        }
        let request = try Shop.request(of: message)
        #expect(
            try Shop.body(of: request) == ["aps": ["sound": ["critical": 1, "name": "a.caf"]], "content": "c"])
        #expect(
            Shop.headers(of: request).filter { $0.key != "apns-id" } == [
                "apns-topic": Shop.topic, "apns-push-type": "alert",
            ])
    }

    @Test("a call is the payload itself, and the options add to its aps")
    func call() throws {
        let call: JSONValue = ["caller": "Ann", "aps": ["alert": "A"], "list": [1, [:], nil]]
        let request = try Shop.request(of: Message(voip: call))
        #expect(try Shop.body(of: request) == call)
        #expect(
            Shop.headers(of: request).filter { $0.key != "apns-id" } == [
                "apns-topic": "com.example.shop.voip", "apns-push-type": "voip",
            ])
        #expect(try Shop.body(of: Message(voip: [:])) == [:])
        let filtered = try Shop.changed(Message(voip: ["caller": "Ann"])) {
            $0.aps = APSOptions()
            $0.aps?.filterCriteria = "work"
        }
        #expect(try Shop.body(of: filtered) == ["caller": "Ann", "aps": ["filter-criteria": "work"]])
        let twice = try Shop.changed(Message(voip: call)) { $0.aps = filteredAPS }
        for message in [twice, Message(voip: "text"), Message(voip: [])] {
            #expect(try Shop.refusal(of: message)?.kind == .invalidArgument)
        }
    }

    private var filteredAPS: APSOptions {
        var aps = APSOptions()
        aps.filterCriteria = "work"
        return aps
    }

    @Test("a push that reloads something says so and nothing else", arguments: [APNsPushType.widgets, .controls])
    func reloads(type: APNsPushType) throws {
        #expect(try Shop.body(of: Shop.message(type)) == ["aps": ["content-changed": true]])
    }

    @Test("device management gets the content alone, to the topic of its certificate")
    func management() throws {
        #expect(try Shop.body(of: Shop.message(.mdm)) == ["mdm": "magic"])
        for message in [
            try Shop.custom(.mdm, content: "magic"), try Shop.custom(.mdm, content: "magic", topic: Shop.topic),
            try Shop.custom(.mdm, topic: Shop.management),
            try Shop.custom(.mdm, content: "magic", extras: ["k": 1], topic: Shop.management),
        ] {
            #expect(try Shop.refusal(of: message)?.kind == .invalidArgument)
        }
    }

    @Test("a client with the certificate for device management needs no topic in its messages")
    func managementCertificate() throws {
        let apns = try APNs(certificateFor: Shop.management)
        let request = try Shop.request(of: Shop.custom(.mdm, content: "magic"), from: apns)
        #expect(Shop.header("apns-topic", of: request) == Shop.management)
    }

    @Test("Push to Talk goes at once or not at all")
    func pushToTalk() throws {
        var message = try Shop.changed(Shop.message(.pushToTalk)) {
            $0.pushToTalkType = "service-update"
        }
        let request = try Shop.request(of: message)
        #expect(try Shop.body(of: request)["aps"] == ["ptt-push-type": "service-update"])
        #expect(Shop.header("apns-priority", of: request) == "10")
        #expect(Shop.header("apns-expiration", of: request) == "0")
        message.timeToLive = .seconds(1)
        #expect(try Shop.refusal(of: message)?.kind == .invalidArgument)
        message.timeToLive = .zero
        #expect(try Shop.refusal(of: message)?.kind == nil)
    }

    // MARK: Header fields

    private static let lives: [(seconds: Int, text: String)] = [
        (0, "0"), (1, "1795165201"), (60, "1795165260"), (2_592_000, "1797757200"),
    ]

    @Test("a life becomes a moment, and none tries once", arguments: lives)
    func expiration(seconds: Int, text: String) throws {
        var message = Shop.shown()
        message.timeToLive = .seconds(seconds)
        #expect(try Shop.header("apns-expiration", of: Shop.request(of: message)) == text)
        let late = Shop.now.addingTimeInterval(0.9)
        #expect(try Shop.header("apns-expiration", of: Shop.request(of: message, at: late)) == text)
    }

    @Test("a life of a part of a second or below 0 is refused, and one over 30 days is the vendor's business")
    func lifetimes() throws {
        var message = Shop.shown()
        let cases: [(Duration, PushError.Kind?)] = [
            (.seconds(2_592_001), nil), (.milliseconds(1500), .invalidArgument), (.seconds(-1), .invalidArgument),
        ]
        for (life, kind) in cases {
            message.timeToLive = life
            #expect(try Shop.refusal(of: message)?.kind == kind, "\(life)")
        }
    }

    @Test("a collapse id has 64 bytes at most, and stands in a header field")
    func collapseID() throws {
        func message(_ id: String) throws -> Message {
            try Shop.changed(Shop.message(.background)) { $0.collapseID = id }
        }
        let longest = String(repeating: "é", count: 32)
        for id in [longest, "a b", "a"] {
            #expect(try Shop.header("apns-collapse-id", of: Shop.request(of: message(id))) == id)
            #expect(try Shop.refusal(of: message(id))?.kind == nil)
        }
        let cases: [(String, PushError.Kind)] = [
            (longest + "x", .tooLong), ("", .invalidArgument), ("a\nb", .invalidArgument), (" a", .invalidArgument),
            ("a ", .invalidArgument), ("a\u{7F}", .invalidArgument),
        ]
        for (id, kind) in cases { #expect(try Shop.refusal(of: message(id))?.kind == kind, "\(id)") }
    }

    @Test("the environment of a message chooses the host")
    func environment() throws {
        var message = Shop.shown()
        let center = APNs.dataCenters.standard
        let production = try Shop.request(of: message)
        #expect(try center.address(of: production.service) == "https://api.push.apple.com")
        message.environment = .development
        let development = try Shop.request(of: message)
        #expect(try center.address(of: development.service) == "https://api.sandbox.push.apple.com")
        #expect(development.body == production.body)
    }

    @Test("the id of a push is a UUID in lower case, without zeros lost")
    func ids() throws {
        for _ in 0..<200 {
            let context = SendContext(at: Shop.now)
            let request = try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context).request
            let id = try #require(Shop.header("apns-id", of: request))
            #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
            #expect(id.replacing("-", with: "") == context.id)
        }
    }

    // MARK: Requests

    @Test("a list shares all but the path and the id, and a message with times is written anew each second")
    func list() throws {
        let apns = try Shop.apns()
        var message = Shop.shown()
        message.timeToLive = .seconds(60)
        let first = try Shop.request(of: message, from: apns)
        let second = try Shop.request(of: message, from: apns, to: "00ff")
        #expect(first.body == second.body)
        #expect(try second.target() == "/3/device/00ff")
        #expect(Shop.header("apns-id", of: first) != Shop.header("apns-id", of: second))
        let later = try Shop.request(of: message, from: apns, at: Shop.now.addingTimeInterval(1))
        #expect(Shop.header("apns-expiration", of: later) == "1795165261")
        var other = message
        other.notification?.body = "other"
        let changed = try Shop.request(of: other, from: apns)
        #expect(try Shop.body(of: changed)["aps"]?["alert"]?["body"] == "other")
        #expect(try Shop.request(of: message, from: apns).body == first.body)
    }

    @Test("a request has one device, whose token is hexadecimal, and longer than any that was seen")
    func targets() throws {
        let apns = try Shop.apns()
        let context = SendContext(at: Shop.now)
        #expect(try Shop.request(of: Shop.shown(), to: "00FF").target() == "/3/device/00ff")
        for audience: Audience in [.devices(["00", "11"]), .devices([]), .everyone, .tagged(anyOf: ["a"])] {
            #expect(throws: PushError.self) { try apns.send(Shop.shown(), to: audience, in: context) }
        }
        for count in [8, 64, 160, 200, 1000] {
            let token = DeviceID(String(repeating: "a", count: count))
            #expect(throws: Never.self) { try apns.capabilities.check(.devices([token]), of: APNs.id) }
        }
        let refused: [(String, PushError.Kind)] = [
            ("00zz", .invalidArgument), ("", .invalidArgument), (String(repeating: "0", count: 1002), .tooLong),
        ]
        for (token, kind) in refused {
            let error = #expect(throws: PushError.self) {
                try apns.capabilities.check(.devices([DeviceID(token)]), of: APNs.id)
            }
            #expect(error?.kind == kind)
        }
    }

    @Test("a key that makes a repeated send harmless does not exist, and is refused")
    func keys() throws {
        let key = IdempotencyKey("k", kind: .push, mintedAt: .distantPast, expiresAt: .distantFuture)
        let context = SendContext(at: Shop.now, key: key)
        let apns = try Shop.apns()
        let error = #expect(throws: PushError.self) { try apns.send(Shop.shown(), to: Shop.devices(1), in: context) }
        #expect(error?.kind == .unsupported)
    }

    @Test("a send is repeated after a lost response only if the caller accepts duplicates")
    func duplicates() throws {
        var apns = try Shop.apns()
        #expect(try Shop.exchange(of: Shop.shown(), from: apns).idempotency == .unkeyed)
        apns.acceptsDuplicates = true
        #expect(try Shop.exchange(of: Shop.shown(), from: apns).idempotency == .idempotent)
    }

    @Test("a message for other platforms is refused, one for Apple's is like one for all")
    func platforms() throws {
        var message = Shop.shown()
        let all = try Shop.request(of: message).body
        message.platforms = [.ios]
        #expect(try Shop.request(of: message).body == all)
        for platforms: Set<Platform> in [[.android], [.ios, .android]] {
            message.platforms = platforms
            #expect(try Shop.refusal(of: message)?.kind == .unsupported)
        }
    }
}
