import FoundationEssentials
import PushAdapter
import PushFCM
import TestSupport
import Testing

/// Each field's place is in `Fixtures/fields.json`.
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

    /// A message in its JSON form.
    private func message(_ json: String) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(json.utf8))
    }

    @Test("typed options are written under the vendor's keys")
    func options() throws {
        var shown = FCMOptions.Android.Notification()
        shown.color = "#12aBcd"
        shown.isSticky = true
        shown.visibility = .public
        shown.proxy = .ifPriorityLowered
        shown.eventTime = Self.now
        shown.vibration = [.zero, .milliseconds(1500)]
        shown.lights = .init(.init(red: 1, green: 0, blue: 0, alpha: 1), on: .seconds(1), off: .milliseconds(250))
        var android = FCMOptions.Android()
        android.collapseKey = "k"
        android.analyticsLabel = "a"
        android.notification = shown
        var aps = APSOptions()
        aps.sound = .init("alarm.caf", volume: 1)
        aps.filterCriteria = "work"
        var apns = FCMOptions.APNs()
        apns.headers = ["apns-topic": "com.shop"]
        apns.payload = .init(aps: aps, own: ["own": 1])
        var webpush = FCMOptions.Webpush()
        webpush.link = "https://shop.example"
        webpush.analyticsLabel = "w"
        var options = FCMOptions()
        options.analyticsLabel = "spring"
        options.android = android
        options.apns = apns
        options.webpush = webpush
        var message = text()
        try message.set(options)
        let sent = try body(of: message)["message"]
        #expect(try message.options(FCMOptions.self) == options)
        #expect(sent?["fcm_options"] == ["analytics_label": "spring"])
        let expected: JSONValue = [
            "collapse_key": "k", "fcm_options": ["analytics_label": "a"],
            "notification": [
                "color": "#12aBcd", "sticky": true, "visibility": "PUBLIC", "proxy": "IF_PRIORITY_LOWERED",
                "event_time": "2026-09-21T14:13:20.000Z", "vibrate_timings": ["0s", "1.500000000s"],
                "light_settings": [
                    "color": ["red": 1, "green": 0, "blue": 0, "alpha": 1], "light_on_duration": "1s",
                    "light_off_duration": "0.250000000s",
                ],
            ],
        ]
        #expect(sent?["android"] == expected)
        let payload: JSONValue = [
            "own": 1,
            "aps": [
                "sound": ["name": "alarm.caf", "volume": 1, "critical": 1], "filter-criteria": "work",
            ],
        ]
        #expect(sent?["apns"] == ["headers": ["apns-topic": "com.shop"], "payload": payload])
        #expect(sent?["webpush"] == ["fcm_options": ["link": "https://shop.example", "analytics_label": "w"]])
    }

    @Test("durations and moments are read as they were set")
    func wireTexts() {
        var shown = FCMOptions.Android.Notification()
        shown.eventTime = Self.now
        shown.vibration = [.nanoseconds(1), .seconds(3), .milliseconds(20)]
        #expect(shown.eventTime == Self.now)
        #expect(shown.vibration == [.nanoseconds(1), .seconds(3), .milliseconds(20)])
        let lights = FCMOptions.Android.Lights(
            .init(red: 0, green: 0, blue: 0), on: .milliseconds(20), off: .seconds(1))
        #expect(lights.on == .milliseconds(20) && lights.off == .seconds(1))
    }

    @Test(
        "an option that the adapter writes from the message is refused, and never dropped",
        arguments: [
            (#""timeToLive":60"#, "{}", #"{"apns":{"headers":{"Apns-Expiration":"1"}}}"#, "Apns-Expiration"),
            (#""timeToLive":60"#, "{}", #"{"webpush":{"headers":{"TTL":"1"}}}"#, "TTL"),
            (#""deliveryPriority":"high""#, "{}", #"{"webpush":{"headers":{"urgency":"low"}}}"#, "urgency"),
            (#""deliveryPriority":"high""#, "{}", #"{"apns":{"headers":{"apns-priority":"1"}}}"#, "apns-priority"),
            ("", #"{"ios":{"sound":"s"}}"#, #"{"apns":{"payload":{"aps":{"sound":{"name":"a"}}}}}"#, "sound"),
            ("", #"{"ios":{"collapseID":"c"}}"#, #"{"apns":{"headers":{"apns-collapse-id":"d"}}}"#, "apns-collapse-id"),
            ("", #"{"ios":{"extras":{"own":1}}}"#, #"{"apns":{"payload":{"own":1}}}"#, "own"),
            (#""timeToLive":60"#, "{}", #"{"android_v2":{"background_sync":{}}}"#, "android.ttl"),
            (#""deliveryPriority":"high""#, "{}", #"{"android_v2":{"background_sync":{}}}"#, "android.priority"),
            ("", #"{"android":{"title":"t"}}"#, #"{"android_v2":{"background_sync":{}}}"#, "android.notification"),
            ("", #"{"android":{"extras":{"k":"v"}}}"#, #"{"android_v2":{"background_sync":{}}}"#, "android.data"),
            (
                "", "{}", #"{"android":{"collapse_key":"k"},"android_v2":{"background_sync":{}}}"#,
                "android.collapse_key"
            ),
        ])
    func collisions(rest: String, shown: String, options: String, word: String) throws {
        let body = shown == "{}" ? #"{"body":"B"}"# : #"{"body":"B","# + String(shown.dropFirst())
        let comma = rest.isEmpty ? "" : ","
        let message = try message(#"{"notification":\#(body),"options":{"fcm":\#(options)}\#(comma)\#(rest)}"#)
        expectThrows(.error(.invalidArgument, naming: word)) { try self.body(of: message) }
    }

    private static let badOptions: [(options: String, word: String)] = [
        (#"{"image":"https://shop.example/a.png"}"#, "image"),
        (#"{"android":{"ttl":"1s"}}"#, "android.ttl"),
        (#"{"android":{"notification":{"sound":"s"}}}"#, "android.notification.sound"),
        (#"{"android":{"notification":{"visibility":"LOUD"}}}"#, "android.notification.visibility"),
        (#"{"android":{"notification":{"proxy":"MAYBE"}}}"#, "android.notification.proxy"),
        (
            #"{"android":{"notification":{"light_settings":{"color":{},"light_on_duration":"1s"}}}}"#,
            "light_off_duration"
        ),
        (#"{"apns":{"fcm_options":{"image":"https://shop.example/a.png"}}}"#, "apns.fcm_options.image"),
        (#"{"apns":{"payload":{"aps":{"badge":1}}}}"#, "apns.payload.aps.badge"),
        (#"{"apns":{"payload":{"aps":{"event":"update"}}}}"#, "apns.payload.aps.event"),
        (#"{"apns":{"payload":{"aps":{"stale-date":1}}}}"#, "apns.payload.aps.stale-date"),
        (#"{"apns":{"payload":{"aps":{"alert":{"title":"T"}}}}}"#, "apns.payload.aps.alert.title"),
        (#"{"webpush":{"data":{"a":1}}}"#, "webpush.data"),
    ]

    @Test("an option that the vendor does not have is refused by name", arguments: badOptions)
    func badOption(options: String, word: String) throws {
        let message = try message(#"{"notification":{"body":"B"},"options":{"fcm":\#(options)}}"#)
        expectThrows(.error(.invalidArgument, naming: word)) { try body(of: message) }
    }

    @Test(
        "extras of a platform that the vendor cannot carry are refused",
        arguments: [
            (#""android":{"extras":{"count":12}}"#, PushError.Kind.invalidArgument, "count"),
            (#""android":{"extras":{"google.a":"v"}}"#, .invalidArgument, "google.a"),
        ])
    func platformExtras(rest: String, kind: PushError.Kind, word: String) throws {
        let message = try message(#"{"notification":{"body":"B",\#(rest)}}"#)
        expectThrows(.error(kind, naming: word)) { try body(of: message) }
    }

    @Test("extras of one platform keep the common ones from it, because the vendor adds them to what it has")
    func splitExtras() throws {
        let common = #""extras":{"k":"v"}"#
        let android = try body(of: try message(#"{"notification":{"body":"B",\#(common),"android":{"extras":{}}}}"#))[
            "message"]
        #expect(android?["data"] == nil && android?["android"] == nil)
        #expect(android?["apns"]?["payload"] == ["k": "v"] && android?["webpush"]?["data"] == ["k": "v"])
        let ios = try body(of: try message(#"{"notification":{"body":"B",\#(common),"ios":{"extras":{"own":1}}}}"#))[
            "message"]
        #expect(ios?["data"] == nil && ios?["apns"]?["payload"] == ["own": 1])
        #expect(ios?["android"]?["data"] == ["k": "v"] && ios?["webpush"]?["data"] == ["k": "v"])
    }

    @Test("empty extras of a platform add nothing where there are no common ones")
    func emptyExtras() throws {
        let message = text(IOSNotification(extras: [:]), AndroidNotification(extras: [:]))
        #expect(try body(of: message) == body(of: text()))
    }

    @Test("an empty picture is refused before anything is sent")
    func emptyImage() throws {
        let fcm = try fcm()
        for message in [
            Message(notification: Notification(body: "B", image: "")), text(IOSNotification(image: "")),
            text(nil, AndroidNotification(image: "")),
        ] {
            let exchange = try fcm.send(message, to: .devices(["t"]), in: SendContext(at: Self.now))
            expectThrows(.error(.invalidArgument)) { try fcm.capabilities.check(exchange.inputs, of: FCM.id) }
        }
    }

    @Test("a token is not sent as an installation, which would look dead")
    func wrongKind() throws {
        expectThrows(.error(.misconfigured)) { try body(of: text(), to: .devices(["abc:APA91b"]), ids: .installations) }
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
        expectThrows(.error(.invalidArgument, naming: key)) { try body(of: message) }
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
        expectThrows(.error(.tooLong, naming: "4097")) { try check(4097) }
    }

    @Test(
        "a long text or long data of one platform counts as well, and Apple's payload has Apple's limit",
        arguments: [
            (AndroidNotification(body: .plain(long)), nil), (nil, IOSNotification(body: .plain(long))),
            (nil, IOSNotification(extras: ["own": .string(long)])),
            (AndroidNotification(body: .localized(key: "K", arguments: [long])), nil),
        ] as [(AndroidNotification?, IOSNotification?)])
    func sizeOfPlatforms(android: AndroidNotification?, ios: IOSNotification?) throws {
        let fcm = try fcm()
        let exchange = try fcm.send(text(ios, android), to: .devices(["t"]), in: SendContext(at: Self.now))
        expectThrows(.error(.tooLong)) { try fcm.capabilities.check(exchange.inputs, of: FCM.id) }
    }

    private static let long = String(repeating: "a", count: 5000)

    @Test("of the common data and a platform's own, the larger counts")
    func sizeOfData() throws {
        let fcm = try fcm()
        func check(_ bytes: Int) throws {
            // The body takes one byte and each key takes one.
            let value = JSONValue.string(String(repeating: "a", count: bytes - 2))
            let android = AndroidNotification(extras: ["k": value])
            let message = Message(
                notification: Notification(body: "B", extras: ["k": "common"], android: android))
            let exchange = try fcm.send(message, to: .devices(["t"]), in: SendContext(at: Self.now))
            try fcm.capabilities.check(exchange.inputs, of: FCM.id)
        }
        #expect(throws: Never.self) { try check(4096) }
        #expect(throws: PushError.self) { try check(4097) }
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

    @Test("a notification and a custom message go in two messages; data that is no text is refused")
    func refusals() throws {
        var both = text()
        both.custom = CustomMessage(content: "c")
        for message in [
            both,
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
            (["private_key": .null], "private_key"), (["private_key": ""], "private_key"),
            (["private_key": "-----BEGIN PRIVATE KEY-----\nMIIsesame\n-----END PRIVATE KEY-----"], "private key"),
            (["client_email": 7], "client_email"), (["project_id": .null], "project_id"),
            (["private_key_id": .null], "private_key_id"),
        ] as [([String: JSONValue], String)])
    func refusals(changes: [String: JSONValue], word: String) throws {
        let error = expectThrows(.error(.misconfigured, naming: word)) { try Firebase.account(changes) }
        #expect(error?.message.contains("sesame") == false)
    }

    @Test("what is no JSON, no file and no variable is refused")
    func otherRefusals() throws {
        #expect(throws: PushError.self) { try ServiceAccount(json: Secret("<html>")) }
        expectThrows(.error(naming: "/nowhere/key.json")) { try ServiceAccount(path: "/nowhere/key.json") }
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
        expectThrows(.error(.misconfigured)) { try FCM(Firebase.account(), projectID: project, topicPrefix: prefix) }
    }
}
