import FCMSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The messages that devices receive, and when.
@Suite("FCM simulator: delivery")
struct FCMSimulatorDeliveryTests {
    private typealias Firebase = SimulatedFirebase

    // MARK: Contents

    private static let everywhere = """
        "notification":{"title":"T","body":"B","image":"I"},"data":{"k":"v"},\
        "android":{"data":{"k":"a"},"notification":{"body":"AB","sound":"bell","channel_id":"c","notification_count":3,\
        "click_action":"open"}},\
        "apns":{"payload":{"own":1,"aps":{"alert":{"title":"AT","subtitle":"S"},"badge":0,"sound":{"name":"s"},\
        "category":"cat","thread-id":"th"}},"fcm_options":{"image":"AI"}},\
        "webpush":{"notification":{"title":"WT","tag":"g"}}
        """

    @Test("a platform's own settings replace the common ones on Android")
    func android() async throws {
        let firebase = Firebase()
        let answer = await firebase.send(to: Firebase.android, Self.everywhere)
        var expected = DeliveredMessage(
            messageID: answer.messageID, alert: "AB", title: "T", badge: 3, extras: ["k": "a"])
        expected.sound = "bell"
        expected.channel = "c"
        expected.tap = .intentAction("open")
        expected.image = "I"
        expected.goesToOpenApp = true
        #expect(answer.messageID.hasPrefix("0:"))
        #expect(await firebase.inbox(Firebase.android) == [expected])
    }

    @Test("a platform's own settings replace the common ones on Apple's devices")
    func apple() async {
        let firebase = Firebase()
        let answer = await firebase.send(to: Firebase.ios, Self.everywhere)
        var expected = DeliveredMessage(
            messageID: answer.messageID, alert: "B", title: "AT", badge: 0, extras: ["k": "v", "own": 1])
        expected.subtitle = "S"
        expected.sound = "s"
        expected.category = "cat"
        expected.thread = "th"
        expected.image = "AI"
        #expect(await firebase.inbox(Firebase.ios) == [expected])
    }

    @Test("a platform's own settings replace the common ones in browsers")
    func web() async {
        let firebase = Firebase()
        let answer = await firebase.send(to: Firebase.web, Self.everywhere)
        var expected = DeliveredMessage(messageID: answer.messageID, alert: "B", title: "WT", extras: ["k": "v"])
        expected.thread = "g"
        expected.collapseID = "g"
        expected.image = "I"
        #expect(await firebase.inbox(Firebase.web) == [expected])
    }

    @Test("an alert for Apple that is one text replaces title and body; own keys win over data, or lose")
    func merging() async {
        let rest =
            #""notification":{"title":"T","body":"B"},"data":{"k":"v"},"apns":{"payload":{"k":"p","aps":{"alert":"A"}}}"#
        for wins in [true, false] {
            let firebase = Firebase { _, _, settings in settings.payloadWinsOverData = wins }
            _ = await firebase.send(to: Firebase.ios, rest)
            let delivered = await firebase.inbox(Firebase.ios).first
            #expect(delivered?.alert == "A")
            #expect(delivered?.title == nil)
            #expect(delivered?.extras == ["k": wins ? "p" : "v"])
        }
    }

    @Test("the content of a message without a notification is one of its data, or all of it as JSON")
    func content() async {
        for device in [Firebase.android, Firebase.ios, Firebase.web] {
            let firebase = Firebase()
            _ = await firebase.send(to: device, #""data":{"content":"C","k":"v"}"#)
            _ = await firebase.send(to: device, #""data":{"b":"2","a":"1"}"#)
            _ = await firebase.send(to: device)
            let inbox = await firebase.inbox(device)
            #expect(inbox.map(\.custom?.content) == ["C", #"{"a":"1","b":"2"}"#, nil])
            #expect(inbox.map(\.custom?.extras) == [["k": "v"], ["a": "1", "b": "2"], nil])
            #expect(inbox.map(\.extras) == [[:], [:], [:]])
            #expect(inbox.allSatisfy { $0.alert == nil && $0.title == nil })
        }
    }

    @Test("the second form of settings for Android shows its notification, or none")
    func secondAndroid() async {
        let firebase = Firebase()
        let shown = #""android_v2":{"remote_notification":{"notification":{"title":"T","default_sound":true}}}"#
        _ = await firebase.send(to: Firebase.android, shown)
        _ = await firebase.send(
            to: Firebase.android,
            #""android_v2":{"background_sync":{},"data":{"content":"C"}},"notification":{"body":"B"}"#)
        let inbox = await firebase.inbox(Firebase.android)
        #expect(inbox.map(\.title) == ["T", nil])
        #expect(inbox.map(\.sound) == ["default", nil])
        #expect(inbox.map(\.custom?.content) == [nil, "C"])
        #expect(inbox.map(\.alert) == [nil, nil])
    }

    private static func activity(_ event: String, at timestamp: Int, _ more: String = "") -> String {
        #""apns":{"live_activity_token":"ab01","headers":{"apns-priority":"10"},"payload":{"aps":{"#
            + #""timestamp":\#(timestamp),"event":"\#(event)"\#(more)}}}"#
    }

    @Test("a Live Activity changes with the token of the registration, its own token and aps alone")
    func liveActivity() async {
        let firebase = Firebase()
        let update = Self.activity("update", at: 1, #","content-state":{"score":3}"#)
        #expect(await firebase.send(to: Firebase.ios, update).status == 200)
        #expect(await firebase.send(to: Firebase.ios, Self.activity("end", at: 2)).status == 200)
        let inbox = await firebase.inbox(Firebase.ios)
        #expect(inbox.map(\.activity?.content) == [["score": 3], [:]])
        #expect(inbox.map(\.extras) == [[:], [:]])
    }

    @Test("a device ignores a change that is older than the last one, or more than eight hours ahead")
    func staleActivity() async {
        let firebase = Firebase()
        let now = Int(firebase.now.timeIntervalSince1970)
        for timestamp in [now, now - 1, now, now + 28_801, now + 28_800] {
            let update = Self.activity("update", at: timestamp, #","content-state":{"at":\#(timestamp)}"#)
            #expect(await firebase.send(to: Firebase.ios, update).status == 200)
        }
        let seen = await firebase.inbox(Firebase.ios).map { $0.activity?.content["at"]?.intValue }
        #expect(seen == [now, now, now + 28_800])
    }

    @Test(
        "a Live Activity needs a registration as its target; a dry run to a topic may be accepted",
        arguments: [false, true])
    func broadActivity(isAccepted: Bool) async {
        let firebase = Firebase { _, _, settings in settings.acceptsBroadActivitiesInDryRuns = isAccepted }
        let update = Self.activity("update", at: 1, #","content-state":{}"#)
        for target in [#""topic":"a""#, #""condition":"'a' in topics""#] {
            let broad = await firebase.send("\(target),\(update)")
            #expect(broad.error?["details"]?.arrayValue?.last == Envelope.code("INVALID_ARGUMENT"))
            let dryRun = await firebase.send("\(target),\(update)", isDryRun: true)
            #expect(dryRun.status == (isAccepted ? 200 : 400))
        }
    }

    @Test("delivered messages may have the whole name")
    func names() async {
        let firebase = Firebase { _, _, settings in settings.showsWholeNames = true }
        let answer = await firebase.send(to: Firebase.android)
        let name = answer.json["name"]?.stringValue ?? ""
        #expect(name.hasPrefix("projects/shop/messages/0:"))
        #expect(await firebase.inbox(Firebase.android).map(\.messageID) == [name])
        #expect(await firebase.simulator.receivers(of: answer.messageID) == [Firebase.android])
    }

    // MARK: Dry runs and repetitions

    @Test("a dry run delivers nothing and makes every check; its id is a number, or fixed")
    func dryRuns() async {
        let firebase = Firebase { shop, _, _ in shop.hasAPNsKey = false }
        let good = await firebase.send(to: Firebase.android, isDryRun: true)
        #expect(good.status == 200)
        #expect(Int(good.messageID) != nil)
        #expect(await firebase.inbox(Firebase.android).isEmpty)
        #expect(await firebase.simulator.sendCount == 0)
        for target in [
            #""token":"x""#, #""fid":"x""#, #""token":"\#(Firebase.foreign)""#, #""token":"\#(Firebase.ios)""#,
        ] {
            let dry = await firebase.send(target, isDryRun: true)
            #expect(dry.status >= 400)
            let real = await firebase.send(target)
            #expect(dry.body == real.body)
        }
        let fixed = Firebase { _, _, settings in settings.fakesDryRunIDs = true }
        let answer = await fixed.send(to: Firebase.android, isDryRun: true)
        #expect(answer.json == ["name": "projects/shop/messages/fake_message_id"])
    }

    @Test("the same message twice is two messages")
    func repetitions() async {
        let firebase = Firebase()
        let ids = [
            await firebase.send(to: Firebase.android).messageID, await firebase.send(to: Firebase.android).messageID,
        ]
        #expect(Set(ids).count == 2)
        #expect(await firebase.inbox(Firebase.android).map(\.messageID) == ids)
        #expect(await firebase.simulator.sendCount == 2)
    }

    // MARK: Waiting

    /// Takes a device offline, sends one message per title, brings it back later, and returns the received titles.
    private static func titles(
        _ device: String, _ messages: [String], after seconds: Double = 1,
        _ edit: (inout FCMSimulatorSettings) -> Void = { _ in }
    ) async -> [String] {
        let firebase = Firebase { _, _, settings in edit(&settings) }
        await firebase.simulator.setOnline(false, device, at: firebase.now)
        for (number, message) in messages.enumerated() {
            let data = #""data":{"content":"\#(number)"}"#
            #expect(await firebase.send(to: device, message.isEmpty ? data : "\(data),\(message)").status == 200)
        }
        #expect(await firebase.inbox(device).isEmpty)
        firebase.pass(seconds)
        await firebase.simulator.setOnline(true, device, at: firebase.now)
        return await firebase.inbox(device).map { $0.custom?.content ?? $0.extras["content"]?.stringValue ?? "" }
    }

    @Test("messages wait as long as their lifetime says, and not at all for a lifetime of 0")
    func lifetimes() async {
        let android = [#""android":{"ttl":"0s"}"#, #""android":{"ttl":"10.9s"}"#, #""android":{"ttl":"11s"}"#, ""]
        #expect(await Self.titles(Firebase.android, android, after: 10) == ["2", "3"])
        #expect(await Self.titles(Firebase.android, android, after: 2_419_200) == [])
        #expect(await Self.titles(Firebase.android, android, after: 2_419_199) == ["3"])
        let apple =
            ["0", "1795132810", "1795132811"].map { #""apns":{"headers":{"apns-expiration":"\#($0)"}}"# } + [""]
        #expect(await Self.titles(Firebase.ios, apple, after: 10) == ["2", "3"])
        #expect(await Self.titles(Firebase.ios, apple, after: 2_591_999) == ["3"])
        #expect(await Self.titles(Firebase.ios, apple, after: 2_592_000) == [])
        let web = ["0", "10", "11"].map { #""webpush":{"headers":{"ttl":"\#($0)"}}"# }
        #expect(await Self.titles(Firebase.web, web, after: 10) == ["2"])
    }

    @Test("waiting messages with the same key replace each other; four keys stay")
    func collapsing() async {
        func android(_ keys: String) -> [String] { keys.map { #""android":{"collapse_key":"\#($0)"}"# } }
        #expect(await Self.titles(Firebase.android, android("aba") + [""]) == ["1", "2", "3"])
        #expect(await Self.titles(Firebase.android, android("abcdebf")) == ["3", "4", "5", "6"])
        let apple = "aba".map { #""apns":{"headers":{"apns-collapse-id":"\#($0)"}}"# }
        #expect(await Self.titles(Firebase.ios, apple) == ["1", "2"])
        let web = "aba".map { #""webpush":{"headers":{"Topic":"\#($0)"}}"# }
        #expect(await Self.titles(Firebase.web, web) == ["1", "2"])
    }

    @Test("messages without a key replace each other by package: notifications, all, or none")
    func collapsingWithoutKey() async {
        let messages = ["", #""notification":{"title":"t"}"#, "", #""notification":{"title":"t"}"#]
        #expect(await Self.titles(Firebase.android, messages) == ["0", "2", "3"])
        #expect(await Self.titles(Firebase.android, messages) { $0.collapsedWithoutKey = .all } == ["3"])
        #expect(
            await Self.titles(Firebase.android, messages) { $0.collapsedWithoutKey = .never } == ["0", "1", "2", "3"])
    }

    @Test("100 messages wait without a key; the next one drops them all")
    func overflow() async {
        let firebase = Firebase()
        await firebase.simulator.setOnline(false, Firebase.android, at: firebase.now)
        for _ in 0..<100 { _ = await firebase.send(to: Firebase.android, #""data":{"a":"b"}"#) }
        #expect(await firebase.simulator.overflows(of: Firebase.android) == 0)
        _ = await firebase.send(to: Firebase.android, #""android":{"collapse_key":"k"},"data":{"content":"kept"}"#)
        _ = await firebase.send(to: Firebase.android, #""data":{"content":"dropped"}"#)
        #expect(await firebase.simulator.overflows(of: Firebase.android) == 1)
        _ = await firebase.send(to: Firebase.android, #""data":{"content":"new"}"#)
        await firebase.simulator.setOnline(true, Firebase.android, at: firebase.now)
        #expect(await firebase.inbox(Firebase.android).map(\.custom?.content) == ["kept", "new"])
    }
}
