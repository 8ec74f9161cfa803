import FoundationEssentials
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push encoding")
struct EncodingTests {
    private static let link = "https://port.example.com/dep/7"

    private func json(_ message: Message, _ change: (inout WebPush) -> Void = { _ in }) throws -> JSONValue {
        var webPush = try Ferry.webPush()
        change(&webPush)
        return try Browser.json(webPush.exchange(message).request)
    }

    @Test("with a title and an address, a notification is a declarative message")
    func declarative() throws {
        let notification = Notification(
            title: "Fähre", body: "Gate 3", image: "https://example.com/a.png", extras: ["ferry": 7])
        let message = try Message(notification: notification).with { options in
            options.notification = .init(navigate: Self.link)
            options.notification?.lang = "de"
            options.notification?.actions = [.init("map", title: "Map", navigate: Self.link)]
            (options.mutable, options.appBadge) = (true, 3)
        }
        #expect(
            try json(message) == [
                "web_push": 8030, "mutable": true, "app_badge": 3,
                "notification": [
                    "title": "Fähre", "body": "Gate 3", "navigate": .string(Self.link), "lang": "de",
                    "image": "https://example.com/a.png", "data": ["ferry": 7],
                    "actions": [["action": "map", "title": "Map", "navigate": .string(Self.link)]],
                ],
            ])
        // Letters beyond ASCII are UTF-8, not escapes of six bytes.
        let text = String(decoding: try Browser.text(Ferry.webPush().exchange(message).request), as: UTF8.self)
        #expect(text.contains("Fähre"))
    }

    @Test("all members of a notification stand under their names")
    func members() throws {
        let message = try Message.shown.with { options in
            var own = WebPushOptions.Notification()
            (own.tag, own.dir, own.icon, own.badge) = ("t", .rtl, "https://a.org/i", "https://a.org/b")
            (own.vibrate, own.timestamp, own.renotify, own.requireInteraction) = ([100, 50], 1, true, true)
            options.notification = own
        }
        #expect(
            try json(message)["notification"] == [
                "title": "Ferry", "body": "Gate 3", "tag": "t", "dir": "rtl", "icon": "https://a.org/i",
                "badge": "https://a.org/b", "vibrate": [100, 50], "timestamp": 1, "renotify": true,
                "requireInteraction": true,
            ])
    }

    @Test("without an address, or by the setting, the same form is for the service worker")
    func worker() throws {
        #expect(try json(.shown) == ["notification": ["title": "Ferry", "body": "Gate 3"]])
        let linked = try Message.shown.with { $0.notification = .init(navigate: Self.link) }
        let forWorker = try json(linked) { $0.format = .worker }
        #expect(
            forWorker == ["notification": ["title": "Ferry", "body": "Gate 3", "navigate": .string(Self.link)]])
    }

    @Test("the defaults of title and address make a message declarative")
    func defaults() throws {
        let plain = Message(notification: Notification(body: "Gate 3"))
        #expect(try json(plain) == ["notification": ["body": "Gate 3"]])
        let whole = try json(plain) { ($0.defaultTitle, $0.defaultNavigate) = ("Ferries", Self.link) }
        #expect(
            whole == [
                "web_push": 8030,
                "notification": ["title": "Ferries", "body": "Gate 3", "navigate": .string(Self.link)],
            ])
        // An address that is not absolute makes no declarative message.
        #expect(try json(.shown) { $0.defaultNavigate = "/dep/7" }["web_push"] == nil)
    }

    @Test("data goes to the service worker, alone or beside a notification")
    func custom() throws {
        let data = CustomMessage(content: "c", title: "t", contentType: "k", extras: ["a": [1, "b"]])
        let expected: JSONValue = ["content": "c", "title": "t", "contentType": "k", "extras": ["a": [1, "b"]]]
        #expect(try json(Message(custom: data)) == ["custom": expected])
        #expect(try json(Message(custom: CustomMessage(content: ""))) == ["custom": ["content": ""]])
        let both = try json(Message(notification: Message.shown.notification, custom: data))
        #expect(both["custom"] == expected && both["notification"]?["title"] == "Ferry")
    }

    /// Messages that browsers would not show, or not in this way.
    private static let refused: [@Sendable () throws -> Message] = [
        { try Message(notification: Notification(body: "B")).with { $0.notification = .init(navigate: link) } },
        {
            try Message(notification: Notification(title: "", body: "B")).with {
                $0.notification = .init(navigate: link)
            }
        },
        { Message(notification: Notification(ios: IOSNotification(badge: .set(1)))) },
        { try Message.shown.with { $0.notification = .init(navigate: "/dep/7") } },
        { try Message.shown.with { $0.notification = .init(navigate: "javascript:alert(1)") } },
        { try Message.shown.with { $0.notification = .init(navigate: "https://") } },
        { try Message.shown.with { $0.collapseID = "" } },
        { try Message.shown.with { $0.appBadge = -1 } },
        { try Message(custom: CustomMessage(content: "c")).with { $0.mutable = true } },
        { try Message(custom: CustomMessage(content: "c")).with { $0.notification = .init(navigate: link) } },
        {
            try Message.shown.with { options in
                options.notification = .init()
                options.notification?.silent = true
                options.notification?.vibrate = [1]
            }
        },
        {
            try Message.shown.with { options in
                options.notification = .init()
                options.notification?.renotify = true
            }
        },
        {
            var message = try Message.shown.with { $0.urgency = .low }
            message.deliveryPriority = .high
            return message
        },
    ]

    @Test(
        "a message that a browser would refuse or drop is refused before anything is sent", arguments: refused.indices)
    func refusals(index: Int) throws {
        let message = try Self.refused[index]()
        expectThrows(.error(.invalidArgument, effect: .notApplied)) { try Ferry.webPush().exchange(message) }
    }

    @Test("texts that browsers would have to translate are refused by name")
    func localized() {
        let title = Message(notification: Notification(title: .localized(key: "K"), body: "B"))
        let body = Message(notification: Notification(title: "T", body: .localized(key: "K")))
        for (message, name) in [(title, "title.localized"), (body, "body.localized")] {
            expectThrows(.error(.unsupported, naming: name)) { try Ferry.webPush().exchange(message) }
        }
    }

    // MARK: Header fields

    private static let priorities: [DeliveryPriority?] = [nil, .high, .normal]

    @Test("the priority is the urgency; without one, the service decides", arguments: priorities)
    func urgency(priority: DeliveryPriority?) throws {
        for var message in [.shown, Message(custom: CustomMessage(content: "c"))] {
            message.deliveryPriority = priority
            #expect(try Ferry.webPush().exchange(message).request.header("Urgency") == priority?.rawValue)
        }
    }

    @Test("the option has all four degrees", arguments: WebPushOptions.Urgency.allCases)
    func urgencyOption(urgency: WebPushOptions.Urgency) throws {
        let message = try Message.shown.with { $0.urgency = urgency }
        #expect(try Ferry.webPush().exchange(message).request.header("Urgency") == urgency.rawValue)
    }

    private static let lives: [(endpoint: String, asked: Int?, life: String, policy: String?)] = [
        (Ferry.mozilla, nil, "86400", nil), (Ferry.mozilla, 0, "0", nil), (Ferry.mozilla, 77, "77", nil),
        (Ferry.mozilla, 2_592_001, "2592000", nil), (Ferry.apple, 9_999_999, "2592000", nil),
        (Ferry.google, 2_592_000, "2419200", nil), (Ferry.unifiedPush, 2_147_483_647, "2147483647", nil),
        (Ferry.microsoft, nil, "86400", "cache"), (Ferry.microsoft, 1, "1", "cache"),
        (Ferry.microsoft, 0, "0", "no-cache"),
    ]

    @Test("the time to live has a default and the service's maximum; Edge needs its policy beside it", arguments: lives)
    func timeToLive(endpoint: String, asked: Int?, life: String, policy: String?) throws {
        var message = Message.shown
        message.timeToLive = asked.map { .seconds($0) }
        let request = try Ferry.webPush().exchange(message, to: endpoint).request
        #expect(request.header("TTL") == life && request.header("X-WNS-Cache-Policy") == policy)
    }

    @Test("the default of the time to live is a setting")
    func defaultLife() throws {
        var webPush = try Ferry.webPush()
        webPush.defaultLife = .seconds(60)
        #expect(try webPush.exchange(.shown).request.header("TTL") == "60")
    }

    @Test("a collapse id is a topic by its digest, and a tag in the clear")
    func topic() throws {
        let message = try Message.shown.with { $0.collapseID = "ferry-77" }
        let request = try Ferry.webPush().exchange(message).request
        #expect(request.header("Topic") == "PVePhcetHN4eRso8qEZODa8e")
        #expect(try Browser.json(request)["notification"]?["tag"] == "ferry-77")
        let own = try Message.shown.with { options in
            options.collapseID = "ferry-77"
            options.notification = .init()
            options.notification?.tag = "own"
        }
        #expect(try json(own)["notification"]?["tag"] == "own")
        #expect(try Ferry.webPush().exchange(.shown).request.header("Topic") == nil)
    }

    @Test("the request has these header fields and no others")
    func headers() throws {
        let request = try Ferry.webPush().exchange(.shown).request
        #expect(Set(request.headers.map(\.name.canonicalName)) == ["content-encoding", "ttl"])
        #expect(request.header("Content-Encoding") == "aes128gcm" && request.service == "push")
    }

    // MARK: Encryption and size

    @Test("each request has fresh keys and a fresh salt, and the same text")
    func fresh() throws {
        let webPush = try Ferry.webPush()
        let encode = try #require(webPush.roles.send)
        let send = try encode(.shown, Ferry.now)
        let audience = Audience.devices([try Browser.subscription().deviceID])
        let requests = try (0..<3).map { _ in try send(audience, SendContext(at: Ferry.now)).request }
        let headers = try requests.map { request throws -> [UInt8] in
            guard case .bytes(let body, _) = request.body else { return [] }
            #expect(try Browser.json(request) == ["notification": ["title": "Ferry", "body": "Gate 3"]])
            return Array(body.prefix(86))
        }
        #expect(Set(headers.map { $0[..<16] }).count == 3 && Set(headers.map { $0[21...] }).count == 3)
    }

    /// The length of a request's body, and of its text.
    private func lengths(_ message: Message, block: Int) throws -> (body: Int, text: Int) {
        var webPush = try Ferry.webPush()
        webPush.paddingBlock = block
        let request = try webPush.exchange(message).request
        guard case .bytes(let body, _) = request.body else { return (0, 0) }
        return (body.count, try Browser.text(request).count)
    }

    @Test("padding fills up to a multiple, and never beyond 4,096 bytes")
    func padding() throws {
        // {"notification":{"body":"Gate 3","title":"Ferry"}}
        #expect(try lengths(.shown, block: 0) == (50 + 103, 50))
        #expect(try lengths(.shown, block: 64) == (64 + 103, 50))
        #expect(try lengths(.shown, block: 50) == (50 + 103, 50))
        #expect(try lengths(.shown, block: 3993) == (4096, 50))
        let long = Message(custom: CustomMessage(content: String(repeating: "a", count: 3900)))
        #expect(try lengths(long, block: 3000).body == 4096)
    }

    @Test("3,993 bytes are sent, and one more is refused")
    func size() throws {
        let frame = #"{"custom":{"content":""}}"#.utf8.count
        func message(_ count: Int) -> Message {
            Message(custom: CustomMessage(content: String(repeating: "a", count: count - frame)))
        }
        let exchange = try Ferry.webPush().exchange(message(3993))
        let capabilities = try Ferry.webPush().capabilities
        try capabilities.check(exchange.inputs, of: WebPush.id)
        #expect(try Browser.text(exchange.request).count == 3993)
        expectThrows(.error(.tooLong, effect: .notApplied)) { try Ferry.webPush().exchange(message(3994)) }
        let remarks = try #require(try Ferry.webPush().roles.remarks)
        #expect(remarks(message(2912)).isEmpty && remarks(message(2913)).count == 1)
        #expect(remarks(message(2913)).first?.contains("Firefox") == true)
    }

    @Test("one device is one request; other audiences and keys are refused")
    func audiences() throws {
        let webPush = try Ferry.webPush()
        let device = try Browser.subscription().deviceID
        expectThrows(.error(.limitExceeded)) { try webPush.send(.shown, to: .devices([device, device])) }
        expectThrows(.error(.unsupported)) { try webPush.send(.shown, to: .everyone) }
        expectThrows(.error(.unsupported)) { try webPush.send(.shown, to: .aliases(["a"])) }
        let key = IdempotencyKey("0123456789abcdef", kind: .push, mintedAt: Ferry.now, expiresAt: .distantFuture)
        expectThrows(.error(.unsupported)) {
            try webPush.send(.shown, to: .devices([device]), in: SendContext(at: Ferry.now, key: key))
        }
    }

    @Test("a send is not repeated, unless duplicates are accepted")
    func idempotency() throws {
        var webPush = try Ferry.webPush()
        #expect(try webPush.exchange(.shown).idempotency == .unkeyed)
        webPush.acceptsDuplicates = true
        #expect(try webPush.exchange(.shown).idempotency == .idempotent)
        #expect(try webPush.exchange(.shown).longestResponse == 65_536)
    }
}
