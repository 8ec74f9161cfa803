import FCMSimulator
import FoundationEssentials
import PushAdapter
import PushClient
import PushFCM
import PushSimulation
import TestSupport
import Testing

/// The wire forms are in `Fixtures/fields.json`.
@Suite("FCM Live Activities")
struct LiveActivityTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let update = LiveActivityUpdate(.update, content: ["eta": 4]).json

    private static func message(_ activity: JSONValue = update, token: String = "a1b2c3") throws -> Message {
        var message = Message(liveActivity: activity)
        try message.set(FCMOptions(liveActivityToken: token))
        return message
    }

    private func body(
        of message: Message, to audience: Audience = .devices(["t"]), at moment: Date = now, by fcm: FCM? = nil
    ) throws -> JSONValue {
        let fcm = try fcm ?? FCM(Firebase.account())
        let exchange = try fcm.send(message, to: audience, in: SendContext(at: moment))
        try fcm.capabilities.check(exchange.inputs, of: FCM.id)
        guard case .bytes(let bytes, _) = exchange.request.body else { return .null }
        return try JSONValue(parsing: bytes)
    }

    @Test("a change has the token of the activity and aps, and no data, notification or content-available")
    func alone() throws {
        let expected: JSONValue = [
            "message": [
                "token": "t",
                "apns": [
                    "live_activity_token": "a1b2c3",
                    "payload": [
                        "aps": ["event": "update", "content-state": ["eta": 4], "timestamp": 1_790_000_000]
                    ],
                ],
            ]
        ]
        #expect(try body(of: Self.message()) == expected)
    }

    @Test("the timestamp is the moment of each send, also of one message that is sent twice")
    func timestamp() throws {
        let fcm = try FCM(Firebase.account())
        let message = try Self.message()
        for seconds in [0.0, 61.7] {
            let sent = try body(of: message, at: Self.now.addingTimeInterval(seconds), by: fcm)
            let aps = sent["message"]?["apns"]?["payload"]?["aps"]
            #expect(aps?["timestamp"] == JSONValue(integerLiteral: 1_790_000_000 + Int(seconds)))
        }
    }

    @Test("the delivery priority is 5 or 10 at Apple", arguments: [(DeliveryPriority.normal, "5"), (.high, "10")])
    func priority(priority: DeliveryPriority, number: String) throws {
        var message = try Self.message()
        message.deliveryPriority = priority
        let sent = try body(of: message)["message"]
        #expect(sent?["apns"]?["headers"] == ["apns-priority": .string(number)])
        #expect(sent?["android"] == nil && sent?["webpush"] == nil)
    }

    // MARK: Refusals

    @Test("a change without the token of its activity is refused, and the error says where it goes")
    func missingToken() throws {
        expectThrows(.error(.invalidArgument, naming: "apns.live_activity_token")) {
            try body(of: Message(liveActivity: Self.update))
        }
        for token in ["", "a b", "ä"] {
            expectThrows(.error(.invalidArgument, naming: "live_activity_token")) {
                try body(of: Self.message(token: token))
            }
        }
    }

    @Test("a change goes to a device, and not to tags or to the activity's own token")
    func audiences() throws {
        expectThrows(.error(.invalidArgument, naming: "device")) {
            try body(of: Self.message(), to: .tagged(anyOf: ["a"]))
        }
        expectThrows(.error(.unsupported)) { try body(of: Self.message(), to: .liveActivity("a")) }
    }

    @Test("a change has no other content beside it")
    func otherContents() throws {
        for add in [
            { $0.notification = Notification(body: "B") }, { $0.custom = CustomMessage(content: "c") },
            { $0.voip = [:] },
        ] as [(inout Message) -> Void] {
            var message = try Self.message()
            add(&message)
            expectThrows(.error(.unsupported)) { try body(of: message) }
        }
    }

    private static let flaws: [(activity: String, options: String, word: String)] = [
        (#"{"event":"stop"}"#, "", "event"), (#"{"event":"update"}"#, "", "content-state"),
        (#"{"event":"start","content-state":{},"attributes":{},"attributes-type":"T"}"#, "", "alert"),
        (#"{"event":"update","content-state":{},"apns-priority":5}"#, "", "apns-priority"),
        (#"{"event":"update","content-state":{},"timestamp":1790028801}"#, "", "eight hours"),
        (#"{"event":"end"}"#, #","headers":{"apns-priority":"1"}"#, "apns.headers.apns-priority"),
        (#"{"event":"end"}"#, #","headers":{"Apns-Push-Type":"alert"}"#, "apns.headers.Apns-Push-Type"),
        (#"{"event":"end"}"#, #","headers":{"apns-topic":"com.example.app"}"#, "apns.headers.apns-topic"),
        (#"{"event":"end"}"#, #","payload":{"aps":{"relevance-score":0.5}}"#, "in the Live Activity"),
        (#"{"event":"end"}"#, #","payload":{"aps":{"sound":{"name":"a"}}}"#, "aps.sound"),
        (#"{"event":"end"}"#, #","payload":{"aps":{"alert":{"launch-image":"l"}}}"#, "aps.alert"),
        (#"{"event":"end"}"#, #"},"android":{"collapse_key":"k""#, "android"),
        (#"{"event":"end"}"#, #"},"webpush":{"data":{"k":"v"}"#, "webpush"),
        (#"{"event":"end"}"#, #"},"android_v2":{"background_sync":{}"#, "android_v2"),
    ]

    @Test("what a device would ignore, or what does not fit a Live Activity, is refused by name", arguments: flaws)
    func refusals(activity: String, options: String, word: String) throws {
        let text =
            #"{"liveActivity":\#(activity),"options":{"fcm":{"apns":{"live_activity_token":"a1"\#(options)}}}}"#
        let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
        expectThrows(.error(.invalidArgument, naming: word)) { try body(of: message) }
    }

    @Test("the payload has Apple's limit")
    func size() throws {
        func activity(_ bytes: Int) throws -> Message {
            // The rest of the payload.
            let rest = #"{"aps":{"content-state":{"t":""},"event":"update","timestamp":1790000000}}"#.utf8.count
            let text = String(repeating: "x", count: bytes - rest)
            return try Self.message(LiveActivityUpdate(.update, content: ["t": .string(text)]).json)
        }
        #expect(throws: Never.self) { try body(of: activity(4096)) }
        expectThrows(.error(.tooLong, naming: "payload")) { try body(of: activity(4097)) }
    }

    // MARK: Against the simulator

    @Test("start, update and end reach the phone, and a dry run does not")
    func delivery() async throws {
        let firebase = try Firebase()
        let phone = Firebase.device(1)
        await firebase.simulator.note(
            .token(.liveActivityUpdate(id: "parcel-17", [0xA1, 0xB2])), from: phone.rawValue, at: Self.now)
        var start = LiveActivityUpdate(.start, content: ["eta": 9])
        start.attributesType = "Parcel"
        start.attributes = ["id": 17]
        start.alert = ["title": "Parcel", "body": ["loc-key": "ON_ITS_WAY"], "sound": "chime.caf"]
        let end = LiveActivityUpdate(.end).json
        for (activity, token) in [(start.json, "ffee"), (Self.update, "a1b2"), (end, "A1B2")] {
            let message = try Self.message(activity, token: token)
            #expect(try await firebase.client.send(message, to: .devices([phone])).isComplete)
        }
        _ = try await firebase.client.validate(Self.message(token: "a1b2"), to: .devices([phone]))
        let inbox = await firebase.simulator.inbox(of: phone.rawValue)
        #expect(inbox.map(\.activity?.event) == [.start, .update, .end])
        #expect(inbox.map(\.activity?.id) == ["Parcel", "parcel-17", "parcel-17"])
        #expect(inbox.map(\.activity?.content) == [["eta": 9], ["eta": 4], [:]])
        #expect(inbox.first?.title == "Parcel" && inbox.first?.alert == "ON_ITS_WAY")
        #expect(inbox.first?.sound == "chime.caf")
        #expect(inbox.allSatisfy { $0.custom == nil && $0.extras.isEmpty && !$0.wakesApp })
    }

    @Test("FCM has Live Activities, in its capabilities")
    func capability() throws {
        #expect(try FCM(Firebase.account()).capabilities[.contentLiveActivity] == .native)
    }
}
