import Foundation
import JPushSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@Suite("JPush and phones")
struct PhoneTests {
    private static let device = "191e35f7e0a1b2c3d4f"
    private static let target = #""audience":{"registration_id":["\#(device)"]}"#
    private static let activity = #""audience":{"live_activity_id":"order-1"}"#
    private static let update = #""live_activity":{"ios":{"event":"update","content-state":{"step":1}}}"#

    /// A device, its phone, and direct calls to the vendor without the adapter.
    private struct Stage {
        let simulator: JPushSimulator
        let phone = RecordingPhone()
        let platform: Platform
        let now = Date(timeIntervalSince1970: 1_790_000_000)

        /// Leaves the device offline until its phone connects.
        init(_ platform: Platform) {
            self.platform = platform
            simulator = JPushSimulator(
                appKey: Sample.appKey, masterSecret: Sample.secret,
                devices: [VirtualDevice(device, platform, isOnline: false)])
        }

        func connect() async { await simulator.connect(phone, as: VirtualDevice(device, platform), at: now) }
        func note(_ report: PhoneReport) async { await simulator.note(report, from: device, at: now) }

        func ask(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> JSONValue {
            await DirectCalls(simulator).json(method, path, body)
        }

        /// Sends a push and returns its id.
        func push(_ parts: String, to audience: String = target) async throws -> String {
            let answer = await ask(.post, "/v3/push", #"{"platform":"all",\#(audience),\#(parts)}"#)
            #expect(answer["error"]?["code"]?.intValue == nil, "\(parts)")
            return try #require(answer["msg_id"]?.stringValue)
        }

        /// The counts of a message.
        func counts(_ id: String) async throws -> JSONValue {
            try #require(await ask(.get, "/v3/received/detail?msg_ids=\(id)").arrayValue?.first)
        }

        /// The numbers of a message's statistics: received, display, click.
        func funnel(_ id: String) async throws -> [Int?] {
            let row = try #require(await ask(.get, "/v3/messages/detail?msg_ids=\(id)").arrayValue?.first)
            let numbers = row["details"]?["notification"]
            return ["received", "display", "click"].map { numbers?[$0]?.intValue }
        }

        func receipt(_ id: String) async throws -> Int? {
            let body = #"{"msg_id":\#(id),"registration_ids":["\#(device)"]}"#
            return await ask(.post, "/v3/status/message", body)[device]?["status"]?.intValue
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
    }

    @Test("a phone installs a device that the vendor does not know, and a known one keeps its tags")
    func installing() async throws {
        let stage = Stage(.ios)
        _ = await stage.ask(.post, "/v3/devices/\(Self.device)", #"{"tags":{"add":["vip"]}}"#)
        let development = VirtualDevice(Self.device, .ios, environment: .development)
        await stage.simulator.connect(stage.phone, as: development, at: stage.now)
        await stage.simulator.connect(stage.phone, as: VirtualDevice("100", .android), at: stage.now)
        #expect(await stage.simulator.deviceIDs() == ["100", Self.device])
        let snapshot = await stage.simulator.snapshot(of: Self.device)
        #expect(snapshot?.tags == ["vip"] && snapshot?.device == development)
    }

    // MARK: Reports

    @Test(
        "an arrival counts when the phone reports it, and once",
        arguments: [
            (Platform.android, #""notification":{"alert":"a"}"#, "jpush_received"),
            (Platform.ios, #""notification":{"ios":{"alert":"a","mutable-content":true}}"#, "ios_apns_received"),
            (Platform.ios, #""message":{"msg_content":"c"}"#, "ios_msg_received"),
            (Platform.ios, update, "live_acivity_received"),
            (Platform.harmony, #""notification":{"alert":"a"}"#, "hmos_hmpns_received"),
            (Platform.harmony, #""message":{"msg_content":"c"}"#, "hmos_msg_received"),
        ])
    func arrivals(platform: Platform, content: String, column: String) async throws {
        let stage = Stage(platform)
        await stage.connect()
        let id = try await stage.push(content)
        #expect(stage.phone.received.map(\.messageID) == [id])
        #expect(try await stage.counts(id)[column]?.intValue == 0)
        #expect(try await stage.receipt(id) == 1)
        let report = content.contains("msg_content") ? PhoneReport.customDelivered : PhoneReport.delivered
        await stage.note(report("1"))
        #expect(try await stage.counts(id)[column]?.intValue == 0)
        for _ in 0..<2 { await stage.note(report(id)) }
        #expect(try await stage.counts(id)[column]?.intValue == 1)
        #expect(try await stage.receipt(id) == 0)
    }

    @Test("a notification and a custom message in one push count apart")
    func both() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        let notification = #""notification":{"ios":{"alert":"a","mutable-content":1}}"#
        let id = try await stage.push(#"\#(notification),"message":{"msg_content":"c"}"#)
        await stage.note(.delivered(id))
        var counts = try await stage.counts(id)
        #expect(counts["ios_apns_received"]?.intValue == 1 && counts["ios_msg_received"]?.intValue == 0)
        await stage.note(.customDelivered(id))
        counts = try await stage.counts(id)
        #expect(counts["ios_apns_received"]?.intValue == 1 && counts["ios_msg_received"]?.intValue == 1)
    }

    @Test("the vendor itself counts what it sent to Apple, and no arrival without mutable-content")
    func sent() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        await stage.note(.delivered(id))
        let counts = try await stage.counts(id)
        #expect(counts["ios_apns_sent"]?.intValue == 1 && counts["ios_apns_received"] == JSONValue.null)
    }

    @Test("displays and clicks count when the phone reports them, and once")
    func clicks() async throws {
        let stage = Stage(.android)
        await stage.connect()
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        #expect(try await stage.funnel(id) == [0, 0, 0])
        for _ in 0..<2 { await stage.note(.delivered(id)) }
        #expect(try await stage.funnel(id) == [1, 0, 0])
        for _ in 0..<2 { await stage.note(.displayed(id)) }
        #expect(try await stage.funnel(id) == [1, 1, 0])
        for _ in 0..<2 { await stage.note(.opened(id)) }
        await stage.note(.dismissed(id))
        #expect(try await stage.funnel(id) == [1, 1, 1])
    }

    @Test("a device without a phone has what it receives, and its displays are unknown")
    func ideal() async throws {
        let stage = Stage(.android)
        await stage.simulator.setOnline(true, Self.device, at: stage.now)
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        #expect(try await stage.counts(id)["jpush_received"]?.intValue == 1)
        #expect(try await stage.funnel(id) == [1, nil, 0])
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
        let answer = await stage.ask(.post, "/v3/push", #"{"platform":"all",\#(Self.activity),\#(Self.update)}"#)
        #expect(answer["error"]?["code"]?.intValue == 1011)
    }

    // MARK: Taking back

    @Test("a recall takes a message off the phone, and later reports about it count nothing")
    func recall() async throws {
        let stage = Stage(.android)
        await stage.connect()
        let id = try await stage.push(#""notification":{"alert":"a"}"#)
        _ = await stage.ask(.delete, "/v3/push/\(id)")
        #expect(stage.phone.withdrawn == [id])
        #expect(await stage.simulator.inbox(of: Self.device).isEmpty)
        await stage.note(.opened(id))
        #expect(try await stage.funnel(id) == [0, 0, 0])
    }

    @Test(
        "a push that replaces another takes it off the phone, except on iOS, where it does not apply",
        arguments: [(Platform.android, true), (Platform.harmony, true), (Platform.ios, false)])
    func replacing(platform: Platform, isReplaced: Bool) async throws {
        let stage = Stage(platform)
        await stage.connect()
        let old = try await stage.push(#""notification":{"alert":"old"}"#)
        let new = try await stage.push(#""notification":{"alert":"new"},"options":{"override_msg_id":\#(old)}"#)
        #expect(stage.phone.withdrawn == (isReplaced ? [old] : []))
        #expect(await stage.simulator.inbox(of: Self.device).map(\.messageID) == (isReplaced ? [new] : [old, new]))
    }

    // MARK: Contents

    @Test(
        "a push that only wakes the app arrives without a text",
        arguments: [
            #"{"ios":{"alert":"","content-available":true}}"#, #"{"ios":{"alert":{},"content-available":1}}"#,
            #"{"alert":"for others","ios":{"alert":"","content-available":true,"extras":{"a":1}}}"#,
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

    @Test(
        "a custom message has its own title, type and extras, alone and beside a notification",
        arguments: [true, false])
    func custom(isAlone: Bool) async throws {
        let own = #""message":{"msg_content":"c","title":"T","content_type":"json","extras":{"a":1}}"#
        let shown = #""notification":{"alert":"a","ios":{"alert":{"title":"N","body":"b"},"extras":{"n":2}}},"#
        let stage = Stage(.ios)
        await stage.connect()
        _ = try await stage.push(isAlone ? own : shown + own)
        let message = try #require(stage.phone.received.first)
        #expect(message.custom == CustomMessage(content: "c", title: "T", contentType: "json", extras: ["a": 1]))
        #expect(message.title == (isAlone ? nil : "N") && message.extras == (isAlone ? [:] : ["n": 2]))
    }

    @Test("a VoIP push is a call, alone or beside a notification, on a phone that has uploaded the token for calls")
    func call() async throws {
        let stage = Stage(.ios)
        await stage.connect()
        _ = try await stage.push(#""notification":{"voip":{"caller":"Ann"}}"#)
        #expect(stage.phone.received.isEmpty)
        await stage.note(.token(.voip([1])))
        _ = try await stage.push(#""notification":{"voip":{"caller":"Ann"}}"#)
        _ = try await stage.push(#""notification":{"alert":"a","voip":{"caller":"Bob"}}"#)
        let calls: [[String: JSONValue]?] = [["caller": "Ann"], ["caller": "Bob"]]
        let alerts: [String?] = [nil, "a"]
        #expect(stage.phone.received.map(\.call) == calls)
        #expect(stage.phone.received.map(\.alert) == alerts)
    }

    @Test("a quota is read without counting a call")
    func quotas() async throws {
        let stage = Stage(.ios)
        _ = try await stage.push(#""message":{"msg_content":"c"}"#)
        _ = try await stage.push(#""message":{"msg_content":"c"}"#, to: #""audience":"all""#)
        for _ in 0..<2 {
            let quotas = await stage.simulator.quotas(at: stage.now)
            #expect(quotas.contains(QuotaReading(name: "Push API", limit: 600, remaining: 598)))
            #expect(quotas.contains(QuotaReading(name: "Device API", limit: 600, remaining: 600)))
            #expect(quotas.contains(QuotaReading(name: "broadcasts per day", limit: 10, remaining: 9)))
        }
        let later = await stage.simulator.quotas(at: stage.now + 60)
        #expect(later.contains(QuotaReading(name: "Push API", limit: 600, remaining: 600)))
    }
}
