import FCMSimulator
import PushAdapter
import PushSimulation
import Testing

/// Fields of a message that the simulator refuses: checks S18 to S21.
@Suite("FCM simulator: fields")
struct FCMSimulatorFieldTests {
    private typealias Firebase = SimulatedFirebase
    private static let token = #""token":"\#(SimulatedFirebase.android)""#

    @Test(
        "S18: data keys of the vendor, in every list",
        arguments: [
            ("from", true, true), ("message_type", true, true), ("google.a", true, true),
            ("gcm.notification.a", true, true), ("googlea", false, true), ("gcm", false, true), ("gcm.a", false, true),
            ("collapse_key", false, false), ("sender", false, false),
        ])
    func reservedKeys(key: String, isRefused: Bool, isRefusedByOlderRule: Bool) async {
        let message = #"\#(Self.token),"data":{"\#(key)":"v"}"#
        let answer = await Firebase().send(message)
        let text = "Invalid data payload key: \(key)"
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", text, [Envelope.field("message.data", text), Envelope.code("INVALID_ARGUMENT")])
        #expect((answer.json == expected) == isRefused)
        #expect((answer.status == 200) == !isRefused)
        let older = Firebase { _, _, settings in settings.reservesOlderKeys = true }
        #expect((await older.send(message).status == 400) == isRefusedByOlderRule)
    }

    private static let lights = #""light_on_duration":"1s","light_off_duration":"0.5s""#

    private static let badCases: [(rest: String, field: String)] = [
        (#""android":{"ttl":"2419201s"}"#, "android.ttl"), (#""android":{"ttl":"-1s"}"#, "android.ttl"),
        (#""android_v2":{"background_sync":{},"ttl":"2419201s"}"#, "android_v2.ttl"),
        (#""android":{"notification":{"color":"red"}}"#, "android.notification.color"),
        (##""android":{"notification":{"color":"#12345g"}}"##, "android.notification.color"),
        (
            #""android":{"notification":{"light_settings":{"color":{"red":1}}}}"#,
            "android.notification.light_settings"
        ),
        (
            #""android":{"notification":{"light_settings":{"color":{"red":1.5},\#(lights)}}}"#,
            "android.notification.light_settings.color"
        ),
        (#""android":{},"android_v2":{"background_sync":{}}"#, "android_v2"),
        (#""android_v2":{}"#, "android_v2"),
        (#""android_v2":{"background_sync":{},"remote_notification":{"notification":{}}}"#, "android_v2"),
        (#""android_v2":{"remote_notification":{}}"#, "android_v2.remote_notification"),
        (#""data":{"a":"b"},"apns":{"headers":{"apns-priority":"10"}}"#, "apns.headers.apns-priority"),
        (#""android":{"restricted_package_name":"com.other"}"#, "android.restricted_package_name"),
        (#""webpush":{"fcm_options":{"link":"http://example.com"}}"#, "webpush.fcm_options.link"),
        (#""fcm_options":{"analytics_label":"a b"}"#, "fcm_options.analytics_label"),
        (
            #""apns":{"fcm_options":{"analytics_label":"\#(String(repeating: "a", count: 51))"}}"#,
            "apns.fcm_options.analytics_label"
        ),
        (#""apns":{"live_activity_token":"t"}"#, "apns.payload"),
        (#""apns":{"live_activity_token":"t","payload":{"aps":{"event":"update","timestamp":1}}}"#, "apns.payload"),
        (#""apns":{"live_activity_token":"t","payload":{"aps":{"event":"stop","timestamp":1}}}"#, "apns.payload"),
        (
            #""apns":{"live_activity_token":"t","payload":{"aps":{"event":"start","timestamp":1,"content-state":{}}}}"#,
            "apns.payload"
        ),
    ]

    @Test("S19: values that fit the schema and not the rules", arguments: badCases)
    func badFields(rest: String, field: String) async {
        let answer = await Firebase().send("\(Self.token),\(rest)")
        #expect(answer.status == 400)
        #expect(answer.error?["status"] == "INVALID_ARGUMENT")
        let text = answer.error?["message"]?.stringValue ?? ""
        #expect(!text.isEmpty)
        let expected: JSONValue = [Envelope.field("message.\(field)", text), Envelope.code("INVALID_ARGUMENT")]
        #expect(answer.error?["details"] == expected)
    }

    private static let goodCases = [
        ##""android":{"ttl":"2419200.999s","priority":"high","notification":{"color":"#12aBcd"}}"##,
        #""android":{"ttl":"0s","notification":{"light_settings":{"color":{"red":1,"alpha":0.5},\#(lights)}}}"#,
        #""android":{"restricted_package_name":"com.example.app","notification":{"vibrate_timings":["3.5s"]}}"#,
        #""android":{"notification":{"notification_priority":"PRIORITY_LOW","visibility":"SECRET","proxy":"DENY"}}"#,
        #""android":{"notification":{"visibility":"private","proxy":"if_priority_lowered"}}"#,
        #""android_v2":{"remote_notification":{"notification":{"id":7,"title":"t"},"mutable_content":true}}"#,
        #""android_v2":{"remote_notification":{"notification":{"id":"7"}}}"#,
        #""apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"badge":0}}}"#,
        #""notification":{"title":"t"},"apns":{"headers":{"apns-priority":"10"}}"#,
        #""data":{"a":"b"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1}}}"#,
        #""webpush":{"headers":{"TTL":"0","Urgency":"high"},"notification":{"actions":[{"action":"a"}]}}"#,
        #""fcm_options":{"analytics_label":"aZ-_.~%9"}"#, #""data":null"#, "\"data\":{}",
        #""apns":{"live_activity_token":"t","payload":{"aps":{"event":"end","timestamp":1,"content-state":{}}}}"#,
        #""apns":{"live_activity_token":"t","payload":{"aps":{"event":"end","timestamp":1}}}"#,
    ]

    @Test("what the reference documents is accepted", arguments: goodCases)
    func goodFields(rest: String) async {
        let answer = await Firebase().send("\(Self.token),\(rest)")
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("keys may have both spellings, but a field only one")
    func spellings() async {
        let firebase = Firebase()
        let camel =
            #"{"validateOnly":true,"message":{"token":"\#(Firebase.android)","fcmOptions":{"analyticsLabel":"a"},"#
            + #""android":{"collapseKey":"k","notification":{"titleLocKey":"x","channelId":"c"}},"#
            + #""androidV2":null}}"#
        #expect(await firebase.ask(.post, "/v1/projects/shop/messages:send", body: camel).status == 200)
        #expect(await firebase.inbox(Firebase.android).isEmpty)
        let twice = #"\#(Self.token),"android":{"collapse_key":"a","collapseKey":"b"}"#
        #expect(await firebase.send(twice).status == 400)
    }

    @Test("S20: the TTL of web push is a number without a sign", arguments: ["abc", "-1", "", "1.5", "+1"])
    func webLife(value: String) async {
        let answer = await Firebase().send(#"\#(Self.token),"webpush":{"headers":{"TTL":"\#(value)"}}"#)
        let text = "TTL must be a non-negative integer."
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", text,
            [Envelope.field("message.webpush.headers.TTL", text), Envelope.code("INVALID_ARGUMENT")])
        #expect(answer.json == expected)
    }

    @Test("S21: keys and values of data have 4,096 bytes together; a platform's data counts instead of the common")
    func sizes() async {
        func data(_ bytes: Int) -> String { #"{"key":"\#(String(repeating: "a", count: bytes - 3))"}"# }
        let firebase = Firebase()
        #expect(await firebase.send(#"\#(Self.token),"data":\#(data(4096))"#).status == 200)
        let both = #""data":\#(data(4000)),"android":{"data":\#(data(4000))}"#
        #expect(await firebase.send("\(Self.token),\(both)").status == 200)
        let bare: JSONValue = ["@type": "type.googleapis.com/google.rpc.BadRequest"]
        let expected = Envelope.error(
            400, "INVALID_ARGUMENT", "Message is too large. The maximum is 4K (4096 bytes).",
            [bare, Envelope.code("INVALID_ARGUMENT")])
        #expect(await firebase.send(#"\#(Self.token),"data":\#(data(4097))"#).json == expected)
        #expect(await firebase.send(#"\#(Self.token),"webpush":{"data":\#(data(4097))}"#).json == expected)
        let loose = Firebase { _, _, settings in settings.payloadBytes = 4508 }
        #expect(await loose.send(#"\#(Self.token),"data":\#(data(4508))"#).status == 200)
        #expect(await loose.send(#"\#(Self.token),"data":\#(data(4509))"#).json == expected)
    }

    @Test("topics have a smaller limit, and notifications count, where the settings say so")
    func otherSizes() async {
        let firebase = Firebase { _, _, settings in
            settings.topicPayloadBytes = 2048
            settings.countsNotifications = true
        }
        let large = String(repeating: "a", count: 2048)
        #expect(await firebase.send(#""topic":"t","data":{"k":"\#(large)"}"#).status == 400)
        #expect(await firebase.send(#"\#(Self.token),"data":{"k":"\#(large)"}"#).status == 200)
        #expect(
            await firebase.send(#"\#(Self.token),"data":{"k":"\#(large)"},"notification":{"body":"\#(large)"}"#).status
                == 400)
    }

    @Test("labels that SDKs refuse pass where the settings say so")
    func labels() async {
        let firebase = Firebase { _, _, settings in settings.checksAnalyticsLabels = false }
        #expect(await firebase.send(#"\#(Self.token),"fcm_options":{"analytics_label":"a b"}"#).status == 200)
    }
}
