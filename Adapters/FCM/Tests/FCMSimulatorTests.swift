import FCMSimulator
import PushAdapter
import PushSimulation
import Testing

/// Messages that the simulator refuses: checks S9 to S26, with raw requests.
@Suite("FCM simulator: messages")
struct FCMSimulatorTests {
    private typealias Firebase = SimulatedFirebase
    private static let token = #""token":"\#(SimulatedFirebase.android)""#

    // MARK: JSON

    @Test("S9: a body that is not JSON, or not an object", arguments: ["{", "[]", "7", #"{"message":{},}"#])
    func unreadable(body: String) async {
        let answer = await Firebase().ask(.post, "/v1/projects/shop/messages:send", body: body)
        #expect(answer.status == 400)
        #expect(answer.error?["status"] == "INVALID_ARGUMENT")
        #expect(answer.error?["message"]?.stringValue?.hasPrefix("Invalid JSON payload received. ") == true)
        let details = answer.error?["details"]?.arrayValue ?? []
        #expect(details.map { $0["@type"] } == ["type.googleapis.com/google.rpc.BadRequest"])
    }

    @Test(
        "S10: a key that the schema does not have, with its place",
        arguments: [
            (#""toen":"x""#, "toen", "message"), (#"\#(token),"android":{"tttl":"3s"}"#, "tttl", "message.android"),
            (#"\#(token),"android":{"notification":{"Title":"x"}}"#, "Title", "message.android.notification"),
            (#"\#(token),"apns":{"fcmOptions":{"link":"x"}}"#, "link", "message.apns.fcm_options"),
            (#"\#(token),"android_v2":{"priority":"HIGH"}"#, "priority", "message.android_v2"),
        ])
    func unknownKeys(message: String, name: String, place: String) async {
        let answer = await Firebase().send(message)
        let text = "Invalid JSON payload received. Unknown name \"\(name)\" at '\(place)': Cannot find field."
        #expect(answer.status == 400)
        #expect(answer.json == Envelope.error(400, "INVALID_ARGUMENT", text, [Envelope.field(place, text)]))
    }

    @Test(
        "S11: a value of another type, with its place",
        arguments: [
            (#""data":{"a":12}"#, "message.data[0].value", "TYPE_STRING", "12"),
            (#""data":{"a":"1","b":true}"#, "message.data[1].value", "TYPE_STRING", "true"),
            (#""notification":{"title":7}"#, "message.notification.title", "TYPE_STRING", "7"),
            (#""android":{"direct_boot_ok":"yes"}"#, "message.android.direct_boot_ok", "TYPE_BOOL", "\"yes\""),
            (
                #""android":{"notification":{"notification_count":2147483648}}"#,
                "message.android.notification.notification_count", "TYPE_INT32", "2147483648"
            ),
            (
                #""android":{"notification":{"body_loc_args":["a",1]}}"#,
                "message.android.notification.body_loc_args[1]", "TYPE_STRING", "1"
            ),
            (
                #""android":{"priority":"URGENT"}"#, "message.android.priority",
                "type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority", "\"URGENT\""
            ),
            (
                #""android":{"notification":{"visibility":"hidden"}}"#, "message.android.notification.visibility",
                "type.googleapis.com/google.firebase.fcm.v1.Visibility", "\"hidden\""
            ),
            (#""apns":{"payload":[]}"#, "message.apns.payload", "type.googleapis.com/google.protobuf.Struct", "[]"),
        ])
    func wrongTypes(rest: String, place: String, type: String, shown: String) async {
        let answer = await Firebase().send("\(Self.token),\(rest)")
        let text = "Invalid value at '\(place)' (\(type)), \(shown)"
        #expect(answer.json == Envelope.error(400, "INVALID_ARGUMENT", text, [Envelope.field(place, text)]))
    }

    @Test("S12: a duration has a number and an s", arguments: ["\"3600\"", "3600", "\"3.s\"", "\"1h\"", "\"s\""])
    func durations(value: String) async {
        let answer = await Firebase().send(#"\#(Self.token),"android":{"ttl":\#(value)}"#)
        let text =
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), "
            + "Field 'ttl', Illegal duration format"
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", text, [Envelope.field("message.android.ttl", text)])
        #expect(answer.json == expected)
    }

    @Test(
        "event times are those of RFC 3339",
        arguments: [
            ("2026-12-01T09:30:00Z", 200), ("2026-12-01T09:30:00.123456789+01:00", 200), ("2026-12-01 09:30:00Z", 400),
            ("2026-02-30T09:30:00Z", 400), ("2026-12-01T09:30:00", 400),
        ])
    func times(value: String, status: Int) async {
        let answer = await Firebase().send(
            #"\#(Self.token),"android":{"notification":{"event_time":"\#(value)"}}"#)
        #expect(answer.status == status)
    }

    // MARK: Targets

    @Test("S13: two targets")
    func twoTargets() async {
        let answer = await Firebase().send(#"\#(Self.token),"topic":"news""#)
        let text = "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"
        #expect(answer.json == Envelope.error(400, "INVALID_ARGUMENT", text, [Envelope.field("message", text)]))
    }

    @Test("S14: no target", arguments: [#"{"message":{"data":{"a":"b"}}}"#, "{}", "", #"{"message":{"token":null}}"#])
    func noTarget(body: String) async {
        let answer = await Firebase().ask(.post, "/v1/projects/shop/messages:send", body: body)
        let text = "Recipient of the message is not set."
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", text, [Envelope.field("message", text), Envelope.code("INVALID_ARGUMENT")])
        #expect(answer.json == expected)
    }

    @Test("S15: a malformed token, with and without its field")
    func malformedToken() async {
        let text = "The registration token is not a valid FCM registration token"
        let answer = await Firebase().send(to: "not-a-token")
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", text, [Envelope.code("INVALID_ARGUMENT"), Envelope.field("message.token", text)])
        #expect(answer.json == expected)
        let brief = Firebase { _, _, settings in settings.namesTokenField = false }
        let dryRun = await brief.send(to: "", isDryRun: true)
        #expect(dryRun.json == Envelope.error(400, "INVALID_ARGUMENT", text, [Envelope.code("INVALID_ARGUMENT")]))
    }

    @Test(
        "S16: a topic has up to 900 letters, digits and signs",
        arguments: ["a b", "", "/topics/a", "a/b", "\u{e9}", String(repeating: "a", count: 901)])
    func badTopics(topic: String) async {
        let text = "Topic name contains invalid characters."
        let answer = await Firebase().send(#""topic":"\#(topic)""#)
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", text, [Envelope.field("message", text), Envelope.code("INVALID_ARGUMENT")])
        #expect(answer.json == expected)
    }

    @Test("a topic may have every sign of the set, and the SDKs' prefix where the settings say so")
    func goodTopics() async {
        #expect(await Firebase().send(#""topic":"aZ9-_.~%""#).status == 200)
        #expect(await Firebase().send(#""topic":"\#(String(repeating: "a", count: 900))""#).status == 200)
        let lenient = Firebase { _, _, settings in settings.acceptsTopicPrefix = true }
        #expect(await lenient.subscribe(Firebase.android, "a") == 200)
        #expect(await lenient.send(#""topic":"/topics/a""#).status == 200)
        #expect(await lenient.inbox(Firebase.android).count == 1)
    }

    @Test(
        "S17: a malformed condition, and one with six topics, get no details",
        arguments: [
            "", "a", "'a'", "'a' in topic", "'a' in topics &&", "'a' in topics & 'b' in topics", "('a' in topics",
            "'a' in topics)", "'a b' in topics", "'a' in topics 'b' in topics", "!", #"\"a\" in topics"#,
            (0...5).map { "'\($0)' in topics" }.joined(separator: " || "), String(repeating: "(", count: 100_000),
        ])
    func badConditions(condition: String) async {
        let answer = await Firebase().send(#""condition":"\#(condition)""#)
        #expect(answer.json == Envelope.error(400, "INVALID_ARGUMENT", "Request contains an invalid argument."))
    }

    // MARK: Registrations

    @Test("S22: a token that ended, an unknown one, and any unknown installation id")
    func unregistered() async {
        let firebase = Firebase()
        let expected = Envelope.error(
            404, "NOT_FOUND", "Requested entity was not found.", [Envelope.code("UNREGISTERED")])
        #expect(await firebase.send(to: Firebase.ghost, isDryRun: true).json == expected)
        #expect(await firebase.send(#""fid":"?""#).json == expected)
        #expect(await firebase.send(#""fid":"\#(Firebase.foreign)""#).json == expected)
        #expect(await firebase.send(to: Firebase.android).status == 200)
        await firebase.simulator.unregister(Firebase.android)
        #expect(await firebase.send(to: Firebase.android).json == expected)
        #expect(await firebase.send(#""fid":"\#(Firebase.fid)""#).status == 200)
        #expect(await firebase.inbox(Firebase.fid).count == 1)
    }

    @Test("a registration may accept one message, and lose it, before its end shows")
    func slowEnd() async {
        let firebase = Firebase { _, _, settings in settings.sendsAfterUnregistering = 1 }
        await firebase.simulator.unregister(Firebase.android)
        #expect(await firebase.send(to: Firebase.android).status == 200)
        #expect(await firebase.send(to: Firebase.android).status == 404)
        #expect(await firebase.inbox(Firebase.android).isEmpty)
    }

    @Test("Android's tokens end after 270 days offline")
    func idle() async {
        let firebase = Firebase()
        for device in [Firebase.android, Firebase.ios] {
            await firebase.simulator.setOnline(false, device, at: firebase.now)
        }
        firebase.pass(270 * 86_400 - 1)
        await firebase.signIn()
        #expect(await firebase.send(to: Firebase.android).status == 200)
        firebase.pass(1)
        #expect(await firebase.send(to: Firebase.android).status == 404)
        #expect(await firebase.send(to: Firebase.ios).status == 200)
    }

    @Test("S23: a token of another project, unless that is one of the project's senders")
    func otherSender() async {
        let answer = await Firebase().send(to: Firebase.foreign)
        let expected = Envelope.error(
            403, "PERMISSION_DENIED", "SenderId mismatch", [Envelope.code("SENDER_ID_MISMATCH")])
        #expect(answer.json == expected)
        let wide = Firebase { shop, _, _ in shop.otherSenders = ["43"] }
        #expect(await wide.send(to: Firebase.foreign).status == 200)
        #expect(await wide.inbox(Firebase.foreign).count == 1)
    }

    // MARK: Rates and credentials

    @Test("S24: 240 messages a minute and 5,000 an hour to an Android device")
    func deviceRates() async {
        let firebase = Firebase()
        for _ in 0..<240 { #expect(await firebase.send(to: Firebase.android).status == 200) }
        let answer = await firebase.send(to: Firebase.android)
        #expect(answer.status == 429)
        #expect(answer.error?["status"] == "RESOURCE_EXHAUSTED")
        #expect(answer.error?["details"] == [Envelope.code("QUOTA_EXCEEDED")])
        #expect(await firebase.send(to: Firebase.ios).status == 200)
        firebase.pass(60)
        #expect(await firebase.send(to: Firebase.android).status == 200)
        let hourly = Firebase { _, _, settings in settings.deviceSendsPerHour = 2 }
        for status in [200, 200, 429] {
            #expect(await hourly.send(to: Firebase.android).status == status)
            hourly.pass(61)
        }
    }

    @Test("S24: messages to one topic, where the settings have a rate")
    func topicRate() async {
        let firebase = Firebase { _, _, settings in settings.topicSendsPerMinute = 1 }
        #expect(await firebase.send(#""topic":"a""#).status == 200)
        let expected = Envelope.error(
            429, "RESOURCE_EXHAUSTED", "Topic quota exceeded.", [Envelope.code("QUOTA_EXCEEDED")])
        #expect(await firebase.send(#""topic":"a""#).json == expected)
        #expect(await firebase.send(#""topic":"b""#).status == 200)
    }

    @Test("S25: an Apple device without a key for APNs, a browser without one for web push")
    func credentials() async {
        let firebase = Firebase { shop, _, _ in
            shop.hasAPNsKey = false
            shop.hasWebPushKey = false
        }
        let text = "Auth error from APNS or Web Push Service"
        let code = Envelope.code("THIRD_PARTY_AUTH_ERROR")
        let apple = Envelope.error(401, "UNAUTHENTICATED", text, [code, Envelope.apns(403, "InvalidProviderToken")])
        #expect(await firebase.send(to: Firebase.ios).json == apple)
        #expect(await firebase.send(to: Firebase.web).json == Envelope.error(401, "UNAUTHENTICATED", text, [code]))
        #expect(await firebase.send(to: Firebase.android).status == 200)
    }

    @Test("S26: a token that is dead at APNs")
    func deadAppleToken() async {
        let firebase = Firebase()
        await firebase.simulator.disableAppleToken(of: Firebase.ios)
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", "APNs device token is disabled.",
            [Envelope.code("INVALID_ARGUMENT"), Envelope.apns(410, "Unregistered")])
        #expect(await firebase.send(to: Firebase.ios).json == expected)
    }
}
