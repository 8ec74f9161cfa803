import Foundation
import PushAdapter
import PushJPush
import TestSupport
import Testing

@Suite("JPush requests on the wire")
struct EncodingTests {
    private func body(_ message: Message, _ audience: Audience, key: IdempotencyKey? = nil) throws -> String {
        try Sample.jpush().send(message, to: audience, in: SendContext(at: .distantPast, key: key)).request.body.text
    }

    @Test("the smallest push names audience, platform, text and Apple's environment")
    func smallest() throws {
        #expect(
            try body(Sample.message, .everyone)
                == #"{"audience":"all","platform":"all","notification":{"alert":"Hello"},"options":{"apns_production":true}}"#
        )
    }

    @Test("a whole push, with its key first and sets sorted")
    func whole() throws {
        var message = Message(
            notification: Notification(
                title: "Shop", body: "Order shipped", extras: ["order": "77"],
                ios: IOSNotification(
                    subtitle: "Sub", sound: "default", badge: .change(by: 1), category: "c", threadID: "t",
                    isMutable: true, isContentAvailable: true, interruptionLevel: .timeSensitive,
                    collapseID: "order-77"),
                android: AndroidNotification(
                    body: "On Android", channelID: "news", priority: -1, category: "m", sound: "s",
                    tap: .intentURI("app://x"), badge: .change(by: 2))),
            custom: CustomMessage(content: "sync", title: "t", contentType: "text", extras: ["a": 1]),
            platforms: [.ios, .android], timeToLive: .seconds(3600), environment: .development)
        var options = JPushOptions()
        options.sendNumber = 4711
        try message.set(options)
        let key = Sample.key("app-uuid")
        let expected = [
            #"{"cid":"app-uuid","audience":{"tag":["a","b"],"tag_and":["c"],"tag_not":["d"]},"#,
            #""platform":["android","ios"],"#,
            #""notification":{"alert":"Order shipped","#,
            #""android":{"alert":"On Android","title":"Shop","channel_id":"news","priority":-1,"category":"m","#,
            #""sound":"s","intent":{"url":"app://x"},"badge_add_num":2,"extras":{"order":"77"}},"#,
            #""ios":{"alert":{"body":"Order shipped","subtitle":"Sub","title":"Shop"},"sound":"default","badge":"+1","#,
            #""content-available":true,"mutable-content":true,"category":"c","thread-id":"t","#,
            #""interruption-level":"time-sensitive","extras":{"order":"77"}}},"#,
            #""message":{"content_type":"text","extras":{"a":1},"msg_content":"sync","title":"t"},"#,
            #""options":{"apns_production":false,"time_to_live":3600,"apns_collapse_id":"order-77","sendno":4711}}"#,
        ].joined()
        #expect(try body(message, .tagged(anyOf: ["b", "a"], allOf: ["c"], noneOf: ["d"]), key: key) == expected)
    }

    @Test("each platform has its own texts, data and picture; the app translates Apple's texts")
    func platforms() throws {
        let notification = Notification(
            title: "T", body: "B", extras: ["k": "common"],
            ios: IOSNotification(
                title: .localized(key: "TITLE"), body: .localized(key: "BODY", arguments: ["1"]),
                extras: ["k": "ios"]),
            android: AndroidNotification(image: "https://example.com/a.png", extras: [:]),
            harmony: HarmonyNotification(
                title: "H", body: "HB", category: "WORK", tap: .intentURI("app://x"), sound: "s", badge: .change(by: 2),
                extras: ["k": "harmony"]))
        let expected = [
            #"{"alert":"B","android":{"alert":"B","title":"T","style":3,"big_pic_path":"https://example.com/a.png"},"#,
            #""ios":{"alert":{"loc-args":["1"],"loc-key":"BODY","title-loc-key":"TITLE"},"#,
            #""extras":{"k":"ios"}},"hmos":{"alert":"HB","title":"H","category":"WORK","intent":{"url":"app://x"},"#,
            #""sound":"s","badge_add_num":2,"extras":{"k":"harmony"}}}"#,
        ].joined()
        let written = try body(Message(notification: notification), .everyone)
        #expect(written.contains(expected), "\(written)")
        for options in [#"{"android":{"style":2}}"#, #"{"ios":{"alert":{"loc-key":"x"}}}"#] {
            var twice = try Sample.message(options: options)
            twice.notification = notification
            let message = twice
            expectThrows(.error(.invalidArgument)) { try body(message, .everyone) }
        }
    }

    @Test(
        "every audience has its key",
        arguments: [
            (Audience.devices(["r1", "r2"]), #""audience":{"registration_id":["r1","r2"]}"#),
            (.aliases(["a@b"]), #""audience":{"alias":["a@b"]}"#),
            (.tagged(noneOf: ["x"]), #""audience":{"tag_not":["x"]}"#),
        ])
    func audiences(audience: Audience, part: String) throws {
        #expect(try body(Sample.message, audience).contains(part))
    }

    @Test("a key makes a push repeatable, except to an uploaded list, for which no page says that the key counts")
    func idempotency() throws {
        let jpush = try Sample.jpush()
        func idempotency(_ audience: Audience, _ key: IdempotencyKey?) throws -> Idempotency {
            try jpush.send(Sample.message, to: audience, in: SendContext(at: .distantPast, key: key)).idempotency
        }
        let key = Sample.key("k")
        #expect(try idempotency(.everyone, key) == .keyed(key) && idempotency(.everyone, nil) == .unkeyed)
        #expect(try idempotency(.file("f1"), key) == .unkeyed)
        expectThrows { try idempotency(.everyone, Sample.key("k", .schedule)) }
    }

    @Test(
        "each family has its path in both data centers",
        arguments: [
            (
                "default",
                [
                    "https://api.jpush.cn/v3/push", "https://api.jpush.cn/v3/push/validate",
                    "https://api.jpush.cn/v3/push/cid?count=5&type=push", "https://device.jpush.cn/v3/devices/r1",
                    "https://device.jpush.cn/v3/tags/%E5%AD%97%23/registration_ids/r1",
                    "https://report.jpush.cn/v3/received/detail?msg_ids=1,2",
                ]
            ),
            (
                "BJ",
                [
                    "https://bjapi.push.jiguang.cn/v3/push", "https://bjapi.push.jiguang.cn/v3/push/validate",
                    "https://bjapi.push.jiguang.cn/v3/push/cid?count=5&type=push",
                    "https://bjapi.push.jiguang.cn/v3/device/r1",
                    "https://bjapi.push.jiguang.cn/v3/device/tags/%E5%AD%97%23/registration_ids/r1",
                    "https://bjapi.push.jiguang.cn/v3/report/received/detail?msg_ids=1,2",
                ]
            ),
        ])
    func paths(name: String, urls: [String]) throws {
        let center = try JPush.dataCenters.named(name)
        let jpush = try Sample.jpush(center)
        let requests = [
            try jpush.send(Sample.message, to: .everyone).request,
            try jpush.validate(Sample.message, to: .everyone).request, jpush.mintKeys(5, for: .send).request,
            jpush.readDevice("r1").request, try jpush.testTag("字#", of: "r1").request,
            try jpush.readDeliveries(of: ["1", "2"]).request,
        ]
        let made = try requests.map { try center.address(of: $0.service) + $0.target() }
        #expect(made == urls)
    }

    @Test(
        "a device update writes only what changes",
        arguments: [
            (DeviceUpdate(tags: .add(["b", "a"])), #"{"tags":{"add":["a","b"]}}"#),
            (DeviceUpdate(tags: .remove(["a"])), #"{"tags":{"remove":["a"]}}"#),
            (DeviceUpdate(tags: .clear), #"{"tags":""}"#),
            (DeviceUpdate(alias: .set("x"), phone: .clear), #"{"alias":"x","mobile":""}"#),
        ])
    func deviceUpdates(update: DeviceUpdate, expected: String) throws {
        #expect(try Sample.jpush().updateDevice(update, of: "r1").request.body.text == expected)
    }

    @Test("an update without a change and a replacement of tags are refused")
    func refusedUpdates() throws {
        for empty in [DeviceUpdate(), DeviceUpdate(alias: .set("")), DeviceUpdate(phone: .set(""))] {
            expectThrows { try Sample.jpush().updateDevice(empty, of: "r1") }
        }
        expectThrows(.error(.unsupported)) {
            try Sample.jpush().updateDevice(DeviceUpdate(tags: .replace(["a"])), of: "r1")
        }
    }

    @Test("sizes are measured as the vendor does, at the edge and one beyond")
    func sizes() throws {
        // In {"alert":"..."}, 12 bytes surround the text.
        func android(_ count: Int) -> Message {
            Message(
                notification: Notification(
                    body: "b", android: AndroidNotification(body: .plain(String(repeating: "x", count: count)))),
                platforms: [.android])
        }
        _ = try body(android(4000 - 12), .everyone)
        #expect(throws: PushError.self) { try body(android(4001 - 12), .everyone) }
        func ios(_ text: String) -> Message {
            Message(notification: Notification(body: "b", ios: IOSNotification(body: .plain(text))), platforms: [.ios])
        }
        _ = try body(ios(String(repeating: "字", count: (2000 - 12) / 3)), .everyone)
        expectThrows(.error(.tooLong)) { try body(ios(String(repeating: "字", count: (2000 - 12) / 3 + 1)), .everyone) }
        var relaxed = try Sample.jpush()
        relaxed.capabilities.limits["jpush.message.ios.bytes"] = Limit(
            4096, .utf8Bytes, .reject, source: "our contract")
        _ = try relaxed.send(ios(String(repeating: "字", count: 1000)), to: .everyone)
    }

    @Test("the common text counts for every platform, and platforms nobody can write are refused")
    func commonText() throws {
        func plain(_ count: Int, _ platform: Platform?) -> Message {
            Message(
                notification: Notification(body: String(repeating: "x", count: count)),
                platforms: platform.map { [$0] })
        }
        _ = try body(plain(2000 - 12, nil), .everyone)
        #expect(throws: PushError.self) { try body(plain(2001 - 12, nil), .everyone) }
        _ = try body(plain(4000 - 12, .android), .everyone)
        #expect(throws: PushError.self) { try body(plain(4001 - 12, .android), .everyone) }
        expectThrows(.error(.invalidArgument)) { try body(plain(1, "quickapp"), .everyone) }
        for platform in ["hmos", "winphone"] as [Platform] {
            expectThrows(.error(.unsupported)) { try body(plain(1, platform), .everyone) }
        }
        let silent = Message(notification: Notification(title: "t", body: ""))
        #expect(throws: PushError.self) { try body(silent, .everyone) }
        var named = silent
        named.platforms = [.android]
        _ = try body(named, .everyone)
    }

    @Test("badges out of the vendor's range are refused")
    func ranges() {
        for badge in [Badge.set(-1), .set(100), .change(by: 100)] {
            for notification in [
                Notification(body: "b", ios: IOSNotification(badge: badge)),
                Notification(body: "b", android: AndroidNotification(badge: badge)),
            ] { expectThrows { try body(Message(notification: notification), .everyone) } }
        }
        let (ios, android) = (IOSNotification(badge: .change(by: -100)), AndroidNotification(badge: .change(by: 0)))
        expectThrows { try body(Message(notification: Notification(body: "b", ios: ios)), .everyone) }
        expectThrows { try body(Message(notification: Notification(body: "b", android: android)), .everyone) }
    }

    @Test("options of the vendor are written, and those of others ignored")
    func options() throws {
        let foreign = #"{"custom":{"content":"c"},"options":{"engagelab":{"x":1}}}"#
        let message = try JSONDecoder().decode(Message.self, from: Data(foreign.utf8))
        #expect(try body(message, .everyone).contains(#""options":{"apns_production":true}"#))
        let own = try Sample.message(#""custom":{"content":"c"}"#, options: #"{"classification":1}"#)
        #expect(try body(own, .everyone).contains(#""classification":1"#))
    }

    @Test("credentials are Basic, marked as sensitive, and refused when they cannot be right")
    func credentials() throws {
        let jpush = try Sample.jpush()
        let fields = try jpush.authorizer.authorize(WireRequest(.get, "push"), as: .app, with: nil, at: .now)
        let encoded = Data("\(Sample.appKey):\(Sample.secret)".utf8).base64EncodedString()
        #expect(fields[.authorization] == "Basic \(encoded)")
        #expect(fields.first?.indexingStrategy == .disallow)
        #expect(throws: PushError.self) {
            try jpush.authorizer.authorize(WireRequest(.get, "push"), as: .group, with: nil, at: .now)
        }
        var dumped = ""
        dump(jpush, to: &dumped)
        #expect(!dumped.contains(Sample.secret))
        #expect(!dumped.contains(encoded))
        for (key, secret) in [
            ("short", Sample.secret), (Sample.appKey, ""), (Sample.appKey, Sample.secret + "x"),
            ("0123456789abcdef0123456\n", Sample.secret),
        ] {
            let error = expectThrows(.error(.misconfigured)) { try JPush(appKey: key, masterSecret: Secret(secret)) }
            #expect(error.map { !$0.description.contains(Sample.secret) } == true)
        }
    }
}
