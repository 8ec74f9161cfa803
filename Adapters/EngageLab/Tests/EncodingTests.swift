import Foundation
import PushAdapter
import PushEngageLab
import TestSupport
import Testing

@Suite("EngageLab requests")
struct EncodingTests {
    private func error(_ message: Message, to audience: Audience = .everyone) throws -> PushError? {
        let engageLab = try Sample.engageLab()
        return refusal { () throws(PushError) in try engageLab.send(message, to: audience) }
    }

    private func body(_ message: Message, to audience: Audience = .everyone) throws -> JSONValue {
        try JSONValue(
            parsing: Array(try Sample.engageLab().send(message, to: audience).request.body.text.utf8))
    }

    @Test("the options and the message's own fields share an object, and every digit of an id is kept")
    func together() throws {
        let options = #"""
            {"override_msg_id":9007199254740993,"android":{"style":1,"big_text":"long"},
             "hmos":{"style":3,"inbox_content":["a","b"]}}
            """#
        let message = try Sample.message(
            Message(
                notification: Notification(
                    body: "Hello", ios: IOSNotification(collapseID: "c"),
                    android: AndroidNotification(channelID: "ch", priority: 2, badge: .change(by: 1)),
                    harmony: HarmonyNotification(category: "IM", tap: .intentURI("app:x"), badge: .change(by: 2)))),
            options: options)
        let written = try body(message)["body"]
        #expect(
            written?["options"] == [
                "override_msg_id": 9_007_199_254_740_993, "apns_production": true, "apns_collapse_id": "c",
            ])
        #expect(
            written?["notification"]?["android"] == [
                "alert": "Hello", "channel_id": "ch", "priority": 2, "badge_add_num": 1, "style": 1, "big_text": "long",
            ])
        #expect(
            written?["notification"]?["hmos"] == [
                "alert": "Hello", "category": "IM", "intent": ["url": "app:x"], "badge_add_num": 2, "style": 3,
                "inbox_content": ["a", "b"],
            ])
    }

    @Test("each platform has its own texts, data and picture; the app translates Apple's texts")
    func platforms() throws {
        let notification = Notification(
            title: "T", body: "B", extras: ["k": "common"],
            ios: IOSNotification(
                title: .localized(key: "TITLE"), body: .localized(key: "BODY", arguments: ["1", "2"]),
                extras: ["k": "ios"]),
            android: AndroidNotification(image: "https://example.com/a.png", extras: [:]),
            harmony: HarmonyNotification(title: "H", body: "HB", extras: ["k": "harmony"]))
        let written = try body(Message(notification: notification))["body"]?["notification"]
        #expect(
            written?["ios"]?["alert"] == [
                "title-loc-key": "TITLE", "loc-key": "BODY", "loc-args": ["1", "2"],
            ])
        #expect(written?["ios"]?["extras"] == ["k": "ios"] && written?["android"]?["extras"] == nil)
        #expect(written?["android"]?["big_pic_path"] == "https://example.com/a.png")
        #expect(written?["android"]?["style"] == 3)
        #expect(written?["hmos"] == ["alert": "HB", "title": "H", "extras": ["k": "harmony"]])
        let twice = try Sample.message(Message(notification: notification), options: #"{"android":{"style":1}}"#)
        #expect(try error(twice)?.message.contains("not both") == true)
        var badge = Message(notification: notification)
        badge.notification?.harmony?.badge = .change(by: 0)
        #expect(try error(badge)?.kind == .invalidArgument)
        let loc = try Sample.message(
            Message(notification: notification), options: #"{"ios":{"alert":{"loc-key":"x"}}}"#)
        #expect(try error(loc)?.message.contains("loc-key") == true)
    }

    @Test("each audience has the vendor's key")
    func audiences() throws {
        let audiences: [(Audience, JSONValue)] = [
            (.everyone, "all"), (.devices(["r1", "r2"]), ["registration_id": ["r1", "r2"]]),
            (.aliases(["a"]), ["alias": ["a"]]), (.segment("s1"), ["seg": ["id": "s1"]]),
            (.liveActivity("l1"), ["live_activity_id": "l1"]),
        ]
        for (audience, expected) in audiences { #expect(try body(Sample.message, to: audience)["to"] == expected) }
        #expect(try error(Sample.message, to: .accounts([Account(name: "a")]))?.kind == .unsupported)
        #expect(try error(Sample.message, to: .file("f"))?.kind == .unsupported)
        let long = String(repeating: "l", count: 25)
        #expect(try error(Sample.message, to: .liveActivity(long))?.kind == .tooLong)
    }

    @Test("a push has one content")
    func mixtures() throws {
        var both = Sample.message
        both.custom = CustomMessage(content: "c")
        #expect(try error(both)?.kind == .unsupported)
        var activity = Sample.message
        activity.liveActivity = ["event": "start", "attributes-type": "A", "content-state": [:]]
        #expect(try error(activity)?.kind == .unsupported)
        #expect(try error(Message(custom: CustomMessage(content: "c"), voip: ["a": 1]))?.kind == .unsupported)
    }

    @Test("VoIP pushes and live activities go to iOS alone, and say so")
    func onlyIOS() throws {
        #expect(try body(Message(voip: ["caller": "Ann"]))["body"]?["platform"] == ["ios"])
        #expect(try error(Message(voip: ["a": 1], platforms: [.ios, .android]))?.kind == .invalidArgument)
        #expect(try error(Message(voip: "no object"))?.kind == .invalidArgument)
        let start: JSONValue = ["event": "start", "attributes-type": "A", "content-state": ["s": 1]]
        #expect(try body(Message(liveActivity: start))["body"]?["platform"] == ["ios"])
        #expect(try error(Message(liveActivity: start, platforms: [.android]))?.kind == .invalidArgument)
    }

    private static let brokenActivities = [
        #"{"event":"go","content-state":{}}"#, #"{"content-state":{}}"#, #"{"event":"start","content-state":{}}"#,
        #"{"event":"start","attributes-type":"","content-state":{}}"#, #"{"event":"start","attributes-type":"A"}"#,
        #"{"event":"start","attributes-type":"A","content-state":1}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"relevance-score":0}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"relevance-score":101}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"apns-priority":7}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"stale-date":"soon"}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"dismissal-date":-1}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"alert":{"text":"x"}}"#,
        #"{"event":"start","attributes-type":"A","content-state":{},"attributesType":"A"}"#, #""start""#,
    ]

    @Test("every rule of a live activity is checked before it is sent", arguments: brokenActivities)
    func liveActivity(text: String) throws {
        let activity = try JSONValue(parsing: Array(text.utf8))
        let refused = try error(Message(liveActivity: activity))
        #expect(refused?.kind == .invalidArgument && refused?.message.contains("live activity") == true)
    }

    @Test("a live activity starts for everyone or devices, and is updated by its id")
    func liveActivityAudiences() throws {
        func activity(_ event: String) -> Message {
            Message(liveActivity: ["event": .string(event), "attributes-type": "A", "content-state": ["s": 1]])
        }
        #expect(try error(activity("start"), to: .devices(["r"])) == nil)
        #expect(try error(activity("start"), to: .tagged(anyOf: ["a"]))?.kind == .invalidArgument)
        #expect(try error(activity("start"), to: .liveActivity("l"))?.kind == .invalidArgument)
        for event in ["update", "end"] {
            #expect(try error(activity(event), to: .liveActivity("l")) == nil)
            #expect(try error(activity(event), to: .devices(["r"]))?.message.contains("updatesNeed") == true)
            let lenient = try Sample.engageLab { $0.updatesNeedActivityAudience = false }
            #expect(throws: Never.self) { try lenient.send(activity(event), to: .devices(["r"])) }
        }
    }

    private static let brokenOptions = [
        #"{"big_push_duration":1441}"#, #"{"big_push_duration":9223372036854775807}"#, #"{"plan_id":"a-b"}"#,
        #"{"ios":{"alert":{"title":"t"}}}"#, #"{"cid":"caller"}"#, #"{"sendno":1}"#, #"{"android":{"color":"x"}}"#,
    ]

    @Test(
        "options that the vendor would refuse, or does not have, are refused before the wire", arguments: brokenOptions)
    func options(text: String) throws {
        let refused = try error(try Sample.message(options: text))
        #expect([.invalidArgument, .limitExceeded].contains(refused?.kind), "\(refused.map { "\($0)" } ?? "nothing")")
    }

    @Test("a distribution needs a notification with a text")
    func distribution() throws {
        let options = #"{"third_party_channel":{"fcm":{"distribution":"mtpush"}}}"#
        let silent = Message(notification: Notification(body: ""))
        #expect(try error(try Sample.message(silent, options: options))?.kind == .invalidArgument)
        let custom = Message(custom: CustomMessage(content: "c"))
        #expect(try error(try Sample.message(custom, options: options)) == nil)
        let onAndroid = Message(notification: Notification(body: "", android: AndroidNotification(body: "x")))
        #expect(try error(try Sample.message(onAndroid, options: options)) == nil)
        #expect(try error(try Sample.message(options: options)) == nil)
    }

    @Test("custom_args has at most 128 characters, as an object or as a text")
    func arguments() throws {
        let fits = String(repeating: "x", count: 128)
        #expect(try error(try Sample.message(options: #"{"custom_args":"\#(fits)"}"#)) == nil)
        #expect(try error(try Sample.message(options: #"{"custom_args":"\#(fits)x"}"#))?.kind == .tooLong)
        #expect(try error(try Sample.message(options: #"{"custom_args":{"a":"\#(fits)"}}"#))?.kind == .tooLong)
    }

    @Test("a custom message can be an object, in place of its text")
    func customObject() throws {
        let options = #"{"message":{"msg_content":{"a":1},"test_message":true}}"#
        let empty = Message(custom: CustomMessage(content: ""))
        let written = try body(try Sample.message(empty, options: options))["body"]?["message"]
        #expect(written == ["msg_content": ["a": 1], "test_message": true])
        let text = Message(custom: CustomMessage(content: "c"))
        #expect(try error(try Sample.message(text, options: options))?.kind == .invalidArgument)
    }

    @Test("a notification of 4000 bytes passes, and one more is refused, unless the vendor may shorten it")
    func sizes() throws {
        let frame = #"{"alert":""}"#.utf8.count
        func message(_ count: Int) -> Message {
            Message(notification: Notification(body: String(repeating: "x", count: count - frame)))
        }
        #expect(try error(message(4000)) == nil)
        #expect(try error(message(4001))?.kind == .tooLong)
        #expect(try error(try Sample.message(message(5000), options: #"{"auto_truncation":true}"#)) == nil)
        let custom = Message(custom: CustomMessage(content: String(repeating: "x", count: 4000)))
        #expect(try error(custom)?.kind == .tooLong)
    }

    @Test("a key is 64 letters, digits, _ and - at most, of kind push")
    func keys() throws {
        let engageLab = try Sample.engageLab()
        func refused(_ key: IdempotencyKey) -> PushError? {
            refusal { () throws(PushError) in
                try engageLab.send(Sample.message, to: .everyone, in: SendContext(at: .distantPast, key: key))
            }
        }
        #expect(refused(Sample.key(String(repeating: "k", count: 64))) == nil)
        #expect(refused(Sample.key(String(repeating: "k", count: 65)))?.kind == .tooLong)
        #expect(refused(Sample.key("a b"))?.kind == .invalidArgument)
        #expect(refused(Sample.key("a.b"))?.kind == .invalidArgument)
        #expect(refused(Sample.key("k", .schedule))?.kind == .invalidArgument)
    }

    @Test("badges below zero, and platforms that the vendor does not have, are refused")
    func ranges() throws {
        func ios(_ badge: Badge) -> Message {
            Message(notification: Notification(body: "b", ios: IOSNotification(badge: badge)))
        }
        #expect(try error(ios(.set(0))) == nil)
        #expect(try error(ios(.set(-1)))?.kind == .invalidArgument)
        // Adding is documented, subtracting is not.
        #expect(try error(ios(.change(by: -1)))?.kind == .unsupported)
        var quick = Sample.message
        quick.platforms = ["quickapp"]
        #expect(try error(quick)?.kind == .unsupported)
    }

    @Test("a batch has every target once, of one kind, and no more than 500")
    func batches() throws {
        let engageLab = try Sample.engageLab()
        func refused(_ targets: [Target], _ message: Message = Sample.message) -> PushError? {
            let items = targets.map { EngageLabBatchItem(target: $0, message: message) }
            return refusal { () throws(PushError) in try engageLab.sendBatch(items) }
        }
        #expect(refused([])?.kind == .invalidArgument)
        #expect(refused([.device("a"), .device("a")])?.kind == .invalidArgument)
        #expect(refused([.device("a"), .alias("b")])?.kind == .invalidArgument)
        #expect(refused([.account(Account(name: "a"))])?.kind == .unsupported)
        #expect(refused([.device("a")], Message(voip: ["a": 1]))?.kind == .unsupported)
        let many = (0..<501).map { Target.device(DeviceID("d\($0)")) }
        #expect(refused(many)?.kind == .limitExceeded)
        let batch = try engageLab.sendBatch(
            many.dropLast().map { EngageLabBatchItem(target: $0, message: Sample.message, key: Sample.key($0.text)) })
        #expect(batch.charges.map(\.cost) == [500] && batch.idempotency != .unkeyed)
        let twice = [Target.device("a"), .device("b")].map {
            EngageLabBatchItem(target: $0, message: Sample.message, key: Sample.key("k"))
        }
        let collision = refusal { () throws(PushError) in try engageLab.sendBatch(twice) }
        #expect(collision?.kind == .invalidArgument)
        let unkeyed = try engageLab.sendBatch([
            EngageLabBatchItem(target: .device("a"), message: Sample.message, key: Sample.key("k")),
            EngageLabBatchItem(target: .device("b"), message: Sample.message),
        ])
        #expect(unkeyed.idempotency == .unkeyed)
    }

    @Test("the credentials go with HTTP Basic, the group's with its prefix, and nowhere else")
    func credentials() throws {
        let engageLab = try Sample.engageLab()
        func field(_ scope: CredentialScope) throws -> HTTPField? {
            try engageLab.authorizer.authorize(WireRequest(.get, "push"), as: scope, with: nil, at: Date()).first
        }
        #expect(
            try field(.app)?.value
                == "Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3OmZlZGNiYTk4NzY1NDMyMTBmZWRjYmE5OA==")
        let group = Data("group-\(Sample.groupKey):\(Sample.secret)".utf8).base64EncodedString()
        #expect(try field(.group)?.value == "Basic \(group)")
        #expect(try field(.app)?.indexingStrategy == .disallow)
        #expect(throws: PushError.self) { try field(.account) }
        for (key, secret) in [("", "s"), ("k", ""), ("a b", "s"), ("a:b", "s"), ("k", "s\n"), ("ключ", "s")] {
            let error = refusal { () throws(PushError) in try EngageLab(appKey: key, masterSecret: Secret(secret)) }
            #expect(error?.kind == .misconfigured, "\(key)")
        }
    }
}
