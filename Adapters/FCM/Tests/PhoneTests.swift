import FCMSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// Phones connected to the simulator, with raw requests.
@Suite("FCM simulator: phones")
struct PhoneTests {
    private typealias Firebase = SimulatedFirebase

    private static func connect(_ device: String, _ platform: Platform, to firebase: Firebase) async -> RecordingPhone {
        let phone = RecordingPhone()
        await firebase.simulator.connect(phone, as: VirtualDevice(device, platform), at: firebase.now)
        return phone
    }

    // MARK: Delivery

    @Test("messages wait while the phone is disconnected, and arrive when it connects again")
    func waiting() async {
        let firebase = Firebase()
        let phone = await Self.connect(Firebase.android, .android, to: firebase)
        await firebase.simulator.disconnect(phone, from: Firebase.android, at: firebase.now)
        _ = await firebase.send(to: Firebase.android, #""notification":{"body":"B"}"#)
        #expect(phone.shown.isEmpty)
        let later = await Self.connect(Firebase.android, .android, to: firebase)
        #expect(later.shown.map(\.alert) == ["B"])
        #expect(await firebase.inbox(Firebase.android) == later.shown)
        #expect(phone.shown.isEmpty)
    }

    @Test("connecting registers an unknown device in the first project, with its id as the token")
    func unknown() async {
        let firebase = Firebase()
        let phone = await Self.connect("new-device", .android, to: firebase)
        // The first project by id is not the sender's project.
        let refused = await firebase.send(to: "new-device")
        #expect(refused.error?["status"] == "PERMISSION_DENIED")
        let single = Firebase { shop, account, _ in
            shop.id = "a-shop"
            account.permissions = ["a-shop": Set(FCMServiceAccount.Permission.allCases)]
        }
        let other = await Self.connect("new-device", .ios, to: single)
        let answer = await single.send(#""token":"new-device""#, project: "a-shop")
        #expect(other.shown.map(\.messageID) == [answer.messageID])
        #expect(await single.simulator.snapshot(of: "new-device")?.device == VirtualDevice("new-device", .ios))
        #expect(await single.simulator.deviceIDs().contains("new-device"))
        #expect(phone.shown.isEmpty)
    }

    @Test("connecting keeps what the vendor has about a device")
    func known() async {
        let firebase = Firebase()
        #expect(await firebase.subscribe(Firebase.android, "news") == 200)
        let phone = await Self.connect(Firebase.android, .android, to: firebase)
        _ = await firebase.send(#""topic":"news""#)
        #expect(phone.shown.count == 1)
    }

    // MARK: Reports

    @Test("reports of a phone do not change the report on deliveries")
    func counts() async {
        let firebase = Firebase { shop, _, _ in
            shop.deliveries = [
                FCMDeliveryRow(app: "app", day: (2026, 11, 19), accepted: 2, outcomes: ["delivered": 50])
            ]
        }
        let path = "/v1beta1/projects/shop/androidApps/app/deliveryData"
        _ = await Self.connect(Firebase.android, .android, to: firebase)
        let id = await firebase.send(to: Firebase.android).messageID
        let before = await firebase.ask(.get, path).json
        for report in [PhoneReport.delivered(id), .displayed(id), .opened(id), .dismissed(id), .badge(3)] {
            await firebase.simulator.note(report, from: Firebase.android, at: firebase.now)
        }
        #expect(await firebase.ask(.get, path).json == before)
        #expect(await firebase.simulator.snapshot(of: Firebase.android)?.badge == nil)
    }

    @Test("the language of a phone is kept")
    func language() async {
        let firebase = Firebase()
        await firebase.simulator.note(.language("de"), from: Firebase.ios, at: firebase.now)
        #expect(await firebase.simulator.snapshot(of: Firebase.ios)?.language == "de")
    }

    // MARK: Contents

    @Test("a silent message for Apple wakes the app")
    func silent() async {
        let firebase = Firebase()
        let phone = await Self.connect(Firebase.ios, .ios, to: firebase)
        let rest =
            #""data":{"content":"sync","title":"T","content_type":"json","k":"v"},"apns":{"payload":{"aps":{"content-available":1}}}"#
        #expect(await firebase.send(to: Firebase.ios, rest).status == 200)
        #expect(phone.shown.map(\.wakesApp) == [true])
        let custom = CustomMessage(content: "sync", title: "T", contentType: "json", extras: ["k": "v"])
        #expect(phone.shown.map(\.custom) == [custom] && phone.shown.map(\.title) == [nil])
        #expect(phone.shown.map(\.isVisible) == [false])
    }

    @Test("a notification for Apple has its level, its collapse id, and whether the extension may change it")
    func apple() async {
        let firebase = Firebase()
        let phone = await Self.connect(Firebase.ios, .ios, to: firebase)
        let rest =
            #""notification":{"body":"B"},"apns":{"headers":{"Apns-Collapse-Id":"match"},"#
            + #""payload":{"aps":{"mutable-content":1,"interruption-level":"passive"}}}"#
        #expect(await firebase.send(to: Firebase.ios, rest).status == 200)
        #expect(phone.shown.map(\.collapseID) == ["match"])
        #expect(phone.shown.map(\.interruptionLevel) == ["passive"])
        #expect(phone.shown.map(\.isMutable) == [true])
        #expect(phone.shown.map(\.wakesApp) == [false])
    }

    @Test("a notification replaces the one with the same tag on Android, and in browsers, where a tap opens its link")
    func tags() async {
        let firebase = Firebase()
        let android = await Self.connect(Firebase.android, .android, to: firebase)
        let web = await Self.connect(Firebase.web, "web", to: firebase)
        let rest =
            #""notification":{"body":"B"},"android":{"collapse_key":"k","notification":{"tag":"a"}},"#
            + #""webpush":{"notification":{"tag":"w"},"fcm_options":{"link":"https://example.com"}}"#
        for device in [Firebase.android, Firebase.web] { _ = await firebase.send(to: device, rest) }
        #expect(android.shown.map(\.collapseID) == ["a"])
        #expect(android.shown.map(\.tap) == [nil])
        #expect(web.shown.map(\.collapseID) == ["w"])
        #expect(web.shown.map(\.tap) == [.link("https://example.com")])
    }

    // MARK: Live Activities

    private static func activity(_ event: String, token: String, _ more: String = "") -> String {
        #""notification":{"title":"T","body":"B"},"apns":{"live_activity_token":"\#(token)","#
            + #""payload":{"aps":{"timestamp":1,"event":"\#(event)","content-state":{"score":3}\#(more)}}}"#
    }

    @Test("a change of a Live Activity names the activity that the phone registered with the token")
    func activities() async {
        let firebase = Firebase()
        let phone = await Self.connect(Firebase.ios, .ios, to: firebase)
        func register(_ token: [UInt8]?) async {
            await firebase.simulator.note(
                .token(.liveActivityUpdate(id: "match", token)), from: Firebase.ios, at: firebase.now)
        }
        await register([0xAB, 0x01])
        #expect(await firebase.simulator.snapshot(of: Firebase.ios)?.activities == ["match"])
        let start = Self.activity("start", token: "ff", #","attributes-type":"Game","attributes":{},"alert":"A""#)
        for message in [start, Self.activity("update", token: "AB01"), Self.activity("end", token: "cd")] {
            #expect(await firebase.send(to: Firebase.ios, message).status == 200)
        }
        #expect(phone.shown.map(\.activity?.id) == ["Game", "match", "cd"])
        #expect(phone.shown.map(\.activity?.event) == [.start, .update, .end])
        #expect(phone.shown.map(\.activity?.content) == [["score": 3], ["score": 3], ["score": 3]])
        await register(nil)
        #expect(await firebase.simulator.snapshot(of: Firebase.ios)?.activities == [])
    }

    // MARK: Quotas

    @Test("quotas are read without using them")
    func quotas() async {
        let firebase = Firebase { shop, _, settings in
            shop.sendsPerMinute = 10
            settings.topicSendsPerMinute = 5
        }
        func shop() async -> [Int] {
            await firebase.simulator.quotas(at: firebase.now).filter { $0.name.hasSuffix("project shop") }
                .map(\.remaining)
        }
        for _ in 1...2 { #expect(await shop() == [10, 3000]) }
        _ = await firebase.send(#""topic":"news""#)
        #expect(await shop() == [9, 3000, 4])
        firebase.pass(60)
        #expect(await shop() == [10, 3000, 5])
    }
}
