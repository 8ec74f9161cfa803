import EngageLabSimulator
import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@Suite("EngageLab and phones")
struct PhoneTests {
    private static let device = "171976fa8a00000a001"
    private static let target = #"{"registration_id":["\#(device)"]}"#
    private static let activity = #"{"live_activity_id":"order-1"}"#
    private static let update = #""live_activity":{"ios":{"event":"update","content-state":{"step":1}}}"#

    /// A device, its phone, a backend for callbacks, and direct calls to the vendor without the adapter.
    private struct Stage {
        let simulator: EngageLabSimulator
        let phone = RecordingPhone()
        let platform: Platform
        let now = Date(timeIntervalSince1970: 1_790_000_000)

        /// Leaves the device offline until its phone connects.
        init(_ platform: Platform, _ edit: (inout EngageLabSimulatorSettings) -> Void = { _ in }) {
            self.platform = platform
            var settings = EngageLabSimulatorSettings()
            settings.callback = .init(url: "https://backend.example", username: "", secret: Secret("s"))
            edit(&settings)
            let devices = [VirtualDevice(device, platform, isOnline: false)]
            simulator = EngageLabSimulator(
                EngageLabSimulator.App(key: Sample.appKey, masterSecret: Sample.secret, devices: devices),
                settings: settings)
        }

        func connect() async { await simulator.connect(phone, as: VirtualDevice(device, platform), at: now) }
        func note(_ report: PhoneReport) async { await simulator.note(report, from: device, at: now) }

        func ask(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> JSONValue {
            await DirectCalls(simulator).json(method, path, body)
        }

        /// Sends a push to the phone's platform and returns its id.
        func push(_ parts: String, to audience: String = target) async throws -> String {
            let answer = await ask(.post, "/push", body(parts, to: audience))
            #expect(answer["error"]?["code"]?.intValue == nil, "\(parts)")
            return try #require(answer["msg_id"]?.stringValue)
        }

        func body(_ parts: String, to audience: String) -> String {
            let name = platform == .harmony ? "hmos" : platform.rawValue
            return #"{"to":\#(audience),"body":{"platform":["\#(name)"],\#(parts)}}"#
        }

        /// The events that the vendor reported to the backend since the last call.
        func events() async throws -> [String] {
            var events: [String] = []
            for callback in await simulator.takeCallbacks(100, at: now) {
                let rows = try JSONValue(parsing: callback.body)["rows"]?.arrayValue ?? []
                events += rows.compactMap { $0["status"]?["message_status"]?.stringValue }
            }
            return events
        }

        /// The numbers of a message's statistics: targets, sent, delivered, impressions, clicks.
        func counts(_ id: String) async -> [Int?] {
            let row = await ask(.get, "/status/detail?message_ids=\(id)")[id]
            return ["targets", "sent", "delivered", "impressions", "clicks"].map { row?[$0]?.intValue }
        }
    }

    // MARK: Connecting

    @Test("a message waits for a phone, and arrives when the phone connects")
    func waiting() async throws {
        let stage = Stage(.android)
        _ = try await stage.push(#""notification":{"alert":"1"}"#)
        #expect(stage.phone.received.isEmpty)
        await stage.connect()
        _ = try await stage.push(#""notification":{"alert":"2"}"#)
        #expect(stage.phone.received.map(\.alert) == ["1", "2"])
        await stage.simulator.disconnect(stage.phone, from: Self.device, at: stage.now)
        _ = try await stage.push(#""notification":{"alert":"3"}"#)
        #expect(stage.phone.received.count == 2)
        await stage.connect()
        #expect(stage.phone.received.map(\.alert) == ["1", "2", "3"])
        #expect(await stage.simulator.inbox(of: Self.device) == stage.phone.received)
        #expect(try await stage.events() == ["sent", "sent", "sent"])
    }

    @Test("a phone installs a device that the vendor does not know, and a known one keeps its tags")
    func installing() async throws {
        let stage = Stage(.ios)
        _ = await stage.ask(.post, "/devices/\(Self.device)", #"{"tags":{"add":["vip"]}}"#)
        let development = VirtualDevice(Self.device, .ios, environment: .development)
        await stage.simulator.connect(stage.phone, as: development, at: stage.now)
        await stage.simulator.connect(stage.phone, as: VirtualDevice("100", .android), at: stage.now)
        #expect(await stage.simulator.deviceIDs() == ["100", Self.device])
        let snapshot = await stage.simulator.snapshot(of: Self.device)
        #expect(snapshot?.tags == ["vip"] && snapshot?.device == development)
    }

    @Test("a phone that connects while its device waits for deletion registers it anew")
    func deletion() async throws {
        let stage = Stage(.ios)
        _ = await stage.ask(.post, "/devices/\(Self.device)", #"{"alias":"ann"}"#)
        _ = await stage.ask(.delete, "/devices/\(Self.device)")
        await stage.connect()
        await stage.simulator.settle(at: stage.now + 60)
        let snapshot = await stage.simulator.snapshot(of: Self.device)
        #expect(snapshot?.device?.isOnline == true && snapshot?.alias == nil)
    }

    // MARK: Reports

    @Test("callbacks and statistics follow the phone's reports and nothing else, each once")
    func reports() async throws {
        let stage = Stage(.android)
        await stage.connect()
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        #expect(try await stage.events() == ["sent"])
        #expect(await stage.counts(id) == [1, 1, 0, 0, 0])
        await stage.note(.delivered("1"))
        #expect(try await stage.events().isEmpty)
        let steps: [(PhoneReport, String, [Int?])] = [
            (.delivered(id), "delivered", [1, 1, 1, 0, 0]), (.displayed(id), "impression", [1, 1, 1, 1, 0]),
            (.opened(id), "click", [1, 1, 1, 1, 1]),
        ]
        for (report, event, counts) in steps {
            for _ in 0..<2 { await stage.note(report) }
            #expect(try await stage.events() == [event])
            #expect(await stage.counts(id) == counts)
        }
        await stage.note(.dismissed(id))
        #expect(try await stage.events().isEmpty)
    }

    @Test("a message that is opened was delivered and shown, whatever was reported before")
    func opened() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        _ = try await stage.events()
        await stage.note(.opened(id))
        for report: PhoneReport in [.delivered(id), .displayed(id)] { await stage.note(report) }
        #expect(try await stage.events() == ["delivered", "impression", "click"])
    }

    @Test("an iOS notification counts as delivered when a phone says so, whatever the settings assume of extensions")
    func withoutExtension() async throws {
        let stage = Stage(.ios) { $0.hasExtension = false }
        await stage.connect()
        let id = try await stage.push(#""notification":{"ios":{"alert":"a","mutable-content":true}}"#)
        _ = try await stage.events()
        await stage.note(.delivered(id))
        #expect(try await stage.events() == ["delivered"])
    }

    @Test(
        "every kind of push counts as delivered only by the phone's report",
        arguments: [#""message":{"msg_content":"c"}"#, #""voip":{"caller":"Ann"}"#, update])
    func kinds(content: String) async throws {
        let stage = Stage(.ios)
        await stage.connect()
        await stage.note(.token(.voip([1])))
        let id = try await stage.push(content)
        #expect(try await stage.events() == ["sent"])
        await stage.note(.delivered(id))
        #expect(try await stage.events() == ["delivered"])
    }

    @Test("a phone with a token of Apple's other environment gets nothing, and the vendor knows")
    func otherEnvironment() async throws {
        let stage = Stage(.ios)
        let development = VirtualDevice(Self.device, .ios, environment: .development)
        await stage.simulator.connect(stage.phone, as: development, at: stage.now)
        _ = try await stage.push(#""notification":{"alert":"a"}"#)
        #expect(stage.phone.received.isEmpty)
        #expect(try await stage.events() == ["sent", "sent_failed"])
    }

    @Test("a device without a phone has and shows what it receives")
    func ideal() async throws {
        let stage = Stage(.android)
        await stage.simulator.setOnline(true, Self.device, at: stage.now)
        _ = try await stage.push(#""notification":{"alert":"a"}"#)
        #expect(try await stage.events() == ["sent", "delivered", "impression"])
    }

    @Test(
        "the number that the app set is the one to which a push adds; one that the SDK refuses changes nothing; the language is kept"
    )
    func badge() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        for number in [3, -1, Int.max] { await stage.note(.badge(number)) }
        await stage.note(.language("zh-Hans"))
        _ = try await stage.push(#""notification":{"ios":{"alert":"a","badge":"+1"}}"#)
        #expect(stage.phone.received.map(\.badge) == [4])
        let snapshot = await stage.simulator.snapshot(of: Self.device)
        #expect(snapshot?.badge == 4 && snapshot?.language == "zh-Hans")
    }

    @Test("a Live Activity is reachable by its id from its token until its end")
    func liveActivity() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        await stage.note(.token(.liveActivityUpdate(id: "order-1", [1])))
        #expect(await stage.simulator.snapshot(of: Self.device)?.activities == ["order-1"])
        _ = try await stage.push(Self.update, to: Self.activity)
        let change = DeliveredMessage.ActivityChange(id: "order-1", event: .update, content: ["step": 1])
        #expect(stage.phone.received.map(\.activity) == [change])
        await stage.note(.token(.liveActivityUpdate(id: "order-1", nil)))
        let answer = await stage.ask(.post, "/push", stage.body(Self.update, to: Self.activity))
        #expect(answer["error"]?["code"]?.intValue == 21_011)
    }

    // MARK: Taking back

    @Test("a recall takes a message off the phone, and later reports about it count nothing")
    func recall() async throws {
        let stage = Stage(.android)
        await stage.connect()
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        _ = await stage.ask(.delete, "/push/withdraw/\(id)")
        #expect(stage.phone.withdrawn == [id])
        #expect(await stage.simulator.inbox(of: Self.device).isEmpty)
        await stage.note(.opened(id))
        #expect(try await stage.events() == ["sent"])
    }

    @Test("a push that replaces another takes it off the phone")
    func replacing() async throws {
        let stage = Stage(.android)
        await stage.connect()
        let old = try await stage.push(#""notification":{"alert":"old"}"#)
        let new = try await stage.push(#""notification":{"alert":"new"},"options":{"override_msg_id":\#(old)}"#)
        #expect(stage.phone.withdrawn == [old])
        #expect(await stage.simulator.inbox(of: Self.device).map(\.messageID) == [new])
    }

    // MARK: Contents

    @Test(
        "a push that only wakes the app arrives without a text",
        arguments: [
            #"{"ios":{"content-available":true}}"#,
            #"{"alert":"for others","ios":{"alert":"","content-available":true}}"#,
        ])
    func silent(notification: String) async throws {
        let stage = Stage(.ios)
        await stage.connect()
        _ = try await stage.push(#""notification":\#(notification)"#)
        let message = try #require(stage.phone.received.first)
        #expect(message.wakesApp && !message.isVisible)
    }

    @Test("a phone gets the parts of a notification that its platform has")
    func parts() async throws {
        let content = #"""
            "notification":{"alert":"a","android":{"intent":{"url":"app://shop"}},"hmos":{"alert":"h",
             "intent":{"url":"home"}},"ios":{"mutable-content":true,"interruption-level":"time-sensitive"}},
            "options":{"apns_collapse_id":"order-77"}
            """#
        var messages: [Platform: DeliveredMessage] = [:]
        for platform in [Platform.ios, .android, .harmony] {
            let stage = Stage(platform)
            await stage.connect()
            _ = try await stage.push(content)
            messages[platform] = stage.phone.received.first
        }
        #expect(messages[.android]?.tap == .intentURI("app://shop") && messages[.harmony]?.tap == .intentAction("home"))
        #expect(messages[.android]?.collapseID == nil && messages[.android]?.isMutable == false)
        let apple = try #require(messages[.ios])
        #expect(apple.tap == nil && apple.collapseID == "order-77" && apple.interruptionLevel == "time-sensitive")
        #expect(apple.isMutable && !apple.wakesApp)
    }

    @Test("a HarmonyOS notification with an empty text is not shown")
    func hidden() async throws {
        let stage = Stage(.harmony)
        await stage.connect()
        _ = try await stage.push(#""notification":{"hmos":{"alert":"","title":"t"}}"#)
        #expect(stage.phone.received.map(\.isVisible) == [false])
    }

    @Test("a VoIP push is a call, on a phone that has uploaded the token for calls")
    func call() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        _ = try await stage.push(#""voip":{"caller":"Ann"}"#)
        #expect(stage.phone.received.isEmpty)
        await stage.note(.token(.voip([1])))
        _ = try await stage.push(#""voip":{"caller":"Ann"}"#)
        let payload: [String: JSONValue] = ["caller": "Ann"]
        #expect(stage.phone.received.map(\.call) == [payload])
    }

    @Test("the quota is read without taking a call")
    func quotas() async throws {
        let stage = Stage(.ios)
        _ = await stage.ask(.get, "/tags")
        for _ in 0..<2 {
            let quotas = await stage.simulator.quotas(at: stage.now)
            #expect(quotas == [QuotaReading(name: "requests per second", limit: 500, remaining: 499)])
        }
        #expect(await stage.simulator.quotas(at: stage.now + 1).map(\.remaining) == [500])
    }
}
