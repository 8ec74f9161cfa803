import FoundationEssentials
import PushCore
import PushFCM
import Testing

@Suite("FCM requests")
struct EncodingTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func fcm(_ prefix: String = "", ids: FCM.DeviceIDs = .tokens) throws -> FCM {
        try FCM(Firebase.account(), deviceIDs: ids, topicPrefix: prefix)
    }

    private func body(
        of message: Message, to audience: Audience = .devices(["t"]), prefix: String = "", ids: FCM.DeviceIDs = .tokens
    ) throws -> JSONValue {
        let exchange = try fcm(prefix, ids: ids).send(message, to: audience, in: SendContext(at: Self.now))
        guard case .bytes(let bytes, _) = exchange.request.body else { return .null }
        return try JSONValue(parsing: bytes)
    }

    private func text(_ ios: IOSNotification? = nil, _ android: AndroidNotification? = nil) -> Message {
        Message(notification: Notification(title: "T", body: "B", ios: ios, android: android))
    }

    @Test("every field of a notification goes to where the vendor has it")
    func notification() throws {
        var message = text(
            IOSNotification(
                title: "iT", subtitle: "iS", body: "iB", sound: "a.caf", badge: .set(3), category: "c", threadID: "th",
                isMutable: true, isContentAvailable: true, interruptionLevel: .timeSensitive, collapseID: "col"),
            AndroidNotification(
                title: "aT", body: "aB", channelID: "ch", priority: 2, sound: "s", intentURL: "open", badgeIncrement: 4)
        )
        message.notification?.extras = ["order": "7"]
        message.timeToLive = .seconds(60)
        let sent = try body(of: message)
        let expected: JSONValue = [
            "message": [
                "token": "t", "notification": ["title": "T", "body": "B"],
                "data": ["order": "7"],
                "android": [
                    "ttl": "60s",
                    "notification": [
                        "title": "aT", "body": "aB", "channel_id": "ch", "notification_priority": "PRIORITY_MAX",
                        "sound": "s", "click_action": "open", "notification_count": 4,
                    ],
                ],
                "apns": [
                    "headers": ["apns-expiration": "1790000060", "apns-collapse-id": "col"],
                    "payload": [
                        "aps": [
                            "alert": ["title": "iT", "subtitle": "iS", "body": "iB"], "badge": 3, "sound": "a.caf",
                            "category": "c", "thread-id": "th", "interruption-level": "time-sensitive",
                            "mutable-content": 1, "content-available": 1,
                        ]
                    ],
                ],
                "webpush": ["headers": ["TTL": "60"]],
            ]
        ]
        #expect(sent == expected)
    }

    @Test("a custom message is data alone, and wakes an Apple device with the priority that the vendor demands")
    func custom() throws {
        let custom = CustomMessage(content: "c", title: "t", contentType: "json", extras: ["k": "v"])
        let sent = try body(of: Message(custom: custom))
        #expect(
            sent == [
                "message": [
                    "token": "t", "data": ["content": "c", "title": "t", "content_type": "json", "k": "v"],
                    "apns": ["headers": ["apns-priority": "5"], "payload": ["aps": ["content-available": 1]]],
                ]
            ])
    }

    @Test(
        "a target has one form",
        arguments: [
            (Audience.tagged(anyOf: ["a"]), "topic", "a"), (.tagged(allOf: ["a b/ü"]), "topic", "a%20b%2F%C3%BC"),
            (.tagged(anyOf: ["b", "a"]), "condition", "('a' in topics || 'b' in topics)"),
            (.tagged(allOf: ["b", "a"]), "condition", "'a' in topics && 'b' in topics"),
            (
                .tagged(anyOf: ["a", "b"], allOf: ["c"], noneOf: ["d"]), "condition",
                "('a' in topics || 'b' in topics) && 'c' in topics && !('d' in topics)"
            ), (.tagged(noneOf: ["d"]), "condition", "!('d' in topics)"), (.devices(["t"]), "token", "t"),
        ])
    func targets(audience: Audience, key: String, value: String) throws {
        #expect(try body(of: text(), to: audience)["message"]?[key]?.stringValue == value)
    }

    @Test("tags get the prefix of the app, device ids may be installations")
    func variants() throws {
        #expect(try body(of: text(), to: .tagged(anyOf: ["a"]), prefix: "shop-")["message"]?["topic"] == "shop-a")
        #expect(try body(of: text(), ids: .installations)["message"]?["fid"] == "t")
    }

    @Test("options add what the model lacks")
    func options() throws {
        var options = FCMOptions()
        options.analyticsLabel = "spring"
        options.image = "https://shop.example/a.png"
        options.android = .init(fields: ["collapse_key": "k"], notification: ["tag": "t1"])
        options.apns = .init(headers: ["apns-topic": "com.shop"], payload: ["own": 1])
        options.webpush = ["notification": ["icon": "i"]]
        var message = text()
        try message.set(options)
        let sent = try body(of: message)["message"]
        #expect(sent?["fcm_options"] == ["analytics_label": "spring"])
        #expect(sent?["notification"]?["image"] == "https://shop.example/a.png")
        #expect(sent?["android"] == ["collapse_key": "k", "notification": ["tag": "t1"]])
        #expect(sent?["apns"] == ["headers": ["apns-topic": "com.shop"], "payload": ["own": 1]])
        #expect(sent?["webpush"] == ["notification": ["icon": "i"]])
    }

    @Test("an option that the adapter writes from the message is refused, and never dropped")
    func collisions() throws {
        var shown = text(IOSNotification(sound: "s"), AndroidNotification(sound: "s"))
        shown.timeToLive = .seconds(60)
        let options: [FCMOptions] = [
            .init { $0.android = .init(notification: ["sound": "bell"]) },
            .init { $0.android = .init(fields: ["notification": ["tag": "t"]]) },
            .init { $0.android = .init(fields: ["ttl": "1s"]) },
            .init { $0.apns = .init(payload: ["aps": ["badge": 1]]) },
            .init { $0.apns = .init(headers: ["apns-expiration": "1"]) },
            .init { $0.webpush = ["headers": ["TTL": "1"]] },
        ]
        for option in options {
            var message = shown
            try message.set(option)
            let error = #expect(throws: PushError.self) { try body(of: message) }
            #expect(error?.kind == .invalidArgument)
        }
        // What the message does not write stays.
        var message = text(nil, AndroidNotification(channelID: "c"))
        try message.set(FCMOptions { $0.android = .init(notification: ["sound": "bell"]) })
        let android = try body(of: message)["message"]?["android"]
        #expect(android == ["notification": ["sound": "bell", "channel_id": "c"]])
        var custom = Message(custom: CustomMessage(content: "c"))
        try custom.set(FCMOptions { $0.image = "https://shop.example/a.png" })
        #expect(throws: PushError.self) { try body(of: custom) }
    }

    @Test("a token is not sent as an installation, which would look dead")
    func wrongKind() throws {
        let error = #expect(throws: PushError.self) {
            try body(of: text(), to: .devices(["abc:APA91b"]), ids: .installations)
        }
        #expect(error?.kind == .misconfigured)
    }

    @Test("a dry run says so")
    func dryRun() throws {
        let exchange = try fcm().validate(text(), to: .devices(["t"]), in: SendContext(at: Self.now))
        guard case .bytes(let bytes, _) = exchange.request.body else { return }
        #expect(try JSONValue(parsing: bytes)["validate_only"] == true)
        #expect(exchange.idempotency == .idempotent)
    }

    @Test("a send is repeated after a lost response only if the caller accepts duplicates")
    func duplicates() throws {
        var fcm = try fcm()
        let context = SendContext(at: Self.now)
        #expect(try fcm.send(text(), to: .devices(["t"]), in: context).idempotency == .unkeyed)
        fcm.acceptsDuplicates = true
        #expect(try fcm.send(text(), to: .devices(["t"]), in: context).idempotency == .idempotent)
    }

    @Test(
        "data keys that the vendor reserves are refused, by all of its lists",
        arguments: [
            "from", "message_type", "collapse_key", "gcm", "google", "google.c.a", "gcm.notification.x", "googler",
        ])
    func reserved(key: String) throws {
        let message = Message(notification: Notification(body: "B", extras: [key: "v"]))
        let error = #expect(throws: PushError.self) { try body(of: message) }
        #expect(error?.kind == .invalidArgument && error?.message.contains(key) == true)
    }

    @Test("what does not fit is refused before anything is sent, with its size")
    func size() throws {
        let fcm = try fcm()
        func check(_ bytes: Int) throws {
            let message = Message(
                custom: CustomMessage(content: String(repeating: "a", count: bytes - "content".count)))
            let exchange = try fcm.send(message, to: .devices(["t"]), in: SendContext(at: Self.now))
            try fcm.capabilities.check(exchange.inputs, of: FCM.id)
        }
        #expect(throws: Never.self) { try check(4096) }
        let error = #expect(throws: PushError.self) { try check(4097) }
        #expect(error?.kind == .tooLong && error?.message.contains("4097") == true)
    }

    @Test(
        "audiences that the vendor does not have are refused",
        arguments: [
            Audience.everyone, .aliases(["a"]), .segment("s"), .file("f"), .liveActivity("l"), .devices(["a", "b"]),
        ])
    func audiences(audience: Audience) throws {
        #expect(throws: PushError.self) { try body(of: text(), to: audience) }
    }

    @Test("six topics, a topic over 900 encoded bytes, and a blank token are refused by the limits")
    func limits() throws {
        let limits = try fcm("p-").capabilities.limits
        func refusal(_ audience: Audience) -> PushError.Kind? {
            do throws(PushError) { try limits.check(.audience(audience), of: FCM.id) } catch { return error.kind }
            return nil
        }
        #expect(refusal(.tagged(anyOf: ["a", "b", "c"], allOf: ["d"], noneOf: ["e"])) == nil)
        #expect(refusal(.tagged(anyOf: ["a", "b", "c"], allOf: ["d"], noneOf: ["e", "f"])) == .limitExceeded)
        #expect(refusal(.tagged(anyOf: [Tag(String(repeating: "a", count: 898))])) == nil)
        #expect(refusal(.tagged(anyOf: [Tag(String(repeating: "a", count: 899))])) == .tooLong)
        #expect(refusal(.tagged(anyOf: [Tag(String(repeating: "ü", count: 150))])) == .tooLong)
        #expect(refusal(.devices(["to ken"])) == .invalidArgument)
    }

    @Test("a notification and a custom message go in two messages; a strange badge or priority is refused")
    func refusals() throws {
        var both = text()
        both.custom = CustomMessage(content: "c")
        for message in [
            both, text(IOSNotification(badge: .set(-1))), text(nil, AndroidNotification(priority: 3)),
            Message(custom: CustomMessage(content: "c", extras: ["content": "x"])),
            Message(notification: Notification(body: "B", extras: ["count": 12])),
        ] {
            #expect(throws: PushError.self) { try body(of: message) }
        }
    }
}

@Suite("Service accounts")
struct ServiceAccountTests {
    @Test(
        "a file that is no usable key is refused, by name, and nothing of it is repeated",
        arguments: [
            (["type": "authorized_user"], "authorized_user"), (["type": "external_account"], "external_account"),
            (["private_key": nil], "private_key"), (["private_key": ""], "private_key"),
            (["private_key": "-----BEGIN PRIVATE KEY-----\nMIIsesame\n-----END PRIVATE KEY-----"], "private key"),
            (["client_email": 7], "client_email"), (["project_id": nil], "project_id"),
            (["private_key_id": nil], "private_key_id"),
        ] as [([String: JSONValue], String)])
    func refusals(changes: [String: JSONValue], word: String) throws {
        let error = #expect(throws: PushError.self) { try Firebase.account(changes) }
        #expect(error?.kind == .misconfigured && error?.message.contains(word) == true)
        #expect(error?.message.contains("sesame") == false)
    }

    @Test("what is no JSON, no file and no variable is refused")
    func otherRefusals() throws {
        #expect(throws: PushError.self) { try ServiceAccount(json: Secret("<html>")) }
        let error = #expect(throws: PushError.self) { try ServiceAccount(path: "/nowhere/key.json") }
        #expect(error?.message.contains("/nowhere/key.json") == true)
    }

    @Test("an account prints nothing of its key")
    func secrecy() throws {
        let account = try Firebase.account()
        var text = "\(account)" + String(reflecting: account)
        dump(account, to: &text)
        dump(try FCM(account), to: &text)
        #expect(!text.contains("PRIVATE") && !text.contains("MII"))
    }

    @Test(
        "projects and prefixes that fit no address are refused",
        arguments: [("", ""), ("a b", ""), ("p", "a b"), ("p", "ü")])
    func names(project: String, prefix: String) throws {
        let error = #expect(throws: PushError.self) {
            try FCM(Firebase.account(), projectID: project, topicPrefix: prefix)
        }
        #expect(error?.kind == .misconfigured)
    }
}

extension FCMOptions {
    fileprivate init(_ edit: (inout FCMOptions) -> Void) {
        self.init()
        edit(&self)
    }
}
