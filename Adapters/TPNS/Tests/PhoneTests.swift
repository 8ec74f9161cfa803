import PushAdapter
import PushClient
import PushSimulation
import PushTPNS
import TPNSSimulator
import TestSupport
import Testing

/// Phones connected to the simulator, addressed through client and adapter.
@Suite("TPNS simulator: phones")
struct PhoneTests {
    private let device = Sample.device
    private let other = Sample.other

    /// An app whose first device has a phone.
    private static func connected(
        _ platform: Platform = .ios, configure: (inout ClientConfiguration, inout TPNS) -> Void = { _, _ in },
        app edit: (inout TPNSApp, inout TPNSSimulatorSettings) -> Void = { _, _ in }
    ) async throws -> (world: World, phone: RecordingPhone) {
        let world = try World(platform, configure: configure, app: edit)
        let phone = RecordingPhone()
        await world.simulator.connect(
            phone, as: VirtualDevice(Sample.device.rawValue, platform), at: world.clock.date)
        return (world, phone)
    }

    private static func note(_ report: PhoneReport, in world: World) async {
        await world.simulator.note(report, from: Sample.device.rawValue, at: world.clock.date)
    }

    // MARK: Delivery

    @Test("pushes wait while the phone is disconnected, and arrive when it connects again")
    func waiting() async throws {
        let (world, phone) = try await Self.connected()
        await world.simulator.disconnect(phone, from: device.rawValue, at: world.clock.date)
        _ = try await world.client.send(Sample.message, to: .devices([device]))
        #expect(await world.snapshot().inbox.isEmpty)
        #expect(phone.received.isEmpty)
        await world.simulator.connect(phone, as: VirtualDevice(device.rawValue, .ios), at: world.clock.date)
        #expect(phone.received.map(\.alert) == ["All"])
        #expect(await world.snapshot().inbox == phone.received)
    }

    @Test("connecting installs an unknown device in the app for its platform, and pushes reach it")
    func unknown() async throws {
        let world = try World()
        let (phone, misfit) = (RecordingPhone(), RecordingPhone())
        let new: DeviceID = "02ca13db24ec35fd46f05701788990a9cacc"
        await world.simulator.connect(phone, as: VirtualDevice(new.rawValue, .ios), at: world.clock.date)
        await world.simulator.connect(misfit, as: VirtualDevice("an Android phone", .android), at: world.clock.date)
        let push = try await world.client.send(Sample.message, to: .devices([new])).messageIDs[0]
        #expect(phone.received.map(\.messageID) == [push.rawValue])
        #expect(await world.snapshot(new).device == VirtualDevice(new.rawValue, .ios))
        #expect(await world.simulator.deviceIDs() == [device, other, new].map(\.rawValue))
    }

    @Test("connecting keeps what the vendor has about a device")
    func known() async throws {
        let world = try World()
        _ = try await world.client.updateTags(.add(["vip"]), of: device)
        await world.simulator.connect(
            RecordingPhone(), as: VirtualDevice(device.rawValue, .ios), at: world.clock.date)
        #expect(await world.snapshot().tags == ["vip"])
    }

    // MARK: Counts

    @Test("a push counts as arrived, opened and removed when the phone says so, and not before")
    func counts() async throws {
        let (world, phone) = try await Self.connected(.android)
        defer { withExtendedLifetime(phone) {} }
        let push = try await world.client.send(Sample.message, to: .devices([device])).messageIDs[0]
        let id = push.rawValue
        func funnel() async throws -> [Int?] {
            let row = try await world.client.run(try world.tpns.readStatistics(of: push))["xg"]
            return [row?.planned, row?.accepted, row?.arrivedOnAndroid, row?.clicked, row?.cleaned]
        }
        #expect(try await funnel() == [1, 1, 0, 0, 0])
        let steps: [(report: PhoneReport, counts: [Int?])] = [
            (.displayed(id), [1, 1, 0, 0, 0]), (.delivered(id), [1, 1, 1, 0, 0]), (.opened(id), [1, 1, 1, 1, 0]),
            (.dismissed(id), [1, 1, 1, 1, 1]),
        ]
        for step in steps {
            await Self.note(step.report, in: world)
            #expect(try await funnel() == step.counts, "\(step.report)")
        }
    }

    @Test("a second report does not count twice, and one about a push that the device never got does not count")
    func repeatedReports() async throws {
        let (world, phone) = try await Self.connected()
        defer { withExtendedLifetime(phone) {} }
        let push = try await world.client.send(Sample.message, to: .devices([device])).messageIDs[0]
        let foreign = try await world.client.send(Sample.message, to: .devices([other])).messageIDs[0]
        for id in [push, push, foreign, "1"] {
            await Self.note(.delivered(id.rawValue), in: world)
            await Self.note(.opened(id.rawValue), in: world)
        }
        for (id, clicks) in [(push, 1), (foreign, 0)] {
            let row = try await world.client.run(try world.tpns.readStatistics(of: id))["apns"]
            #expect(row?.arrived == 1 && row?.clicked == clicks)
        }
    }

    @Test("a device without a phone counts as an ideal one: each push arrives at once, and is not opened")
    func ideal() async throws {
        let world = try World()
        let push = try await world.client.send(Sample.message, to: .devices([device])).messageIDs[0]
        let row = try await world.client.run(try world.tpns.readStatistics(of: push))["apns"]
        #expect(row?.accepted == 1 && row?.arrived == 1 && row?.clicked == 0)
    }

    @Test("the server counts on from the badge that the phone reported")
    func badge() async throws {
        let (world, phone) = try await Self.connected()
        await Self.note(.badge(3), in: world)
        var message = Sample.message
        message.notification?.ios = IOSNotification(badge: .change(by: 1))
        _ = try await world.client.send(message, to: .devices([device]))
        #expect(phone.received.map(\.badge) == [4])
        #expect(await world.snapshot().badge == 4)
    }

    @Test("the language of a phone is kept, and tokens of the system are ignored")
    func language() async throws {
        let (world, phone) = try await Self.connected()
        defer { withExtendedLifetime(phone) {} }
        await Self.note(.language("de"), in: world)
        await Self.note(.token(.liveActivityUpdate(id: "match", [1])), in: world)
        #expect(await world.snapshot().language == "de")
        #expect(await world.snapshot().activities.isEmpty)
    }

    // MARK: Replacing

    @Test("a push that replaces an earlier one takes it off the phone; without a phone, both stay in the inbox")
    func collapsing() async throws {
        let (world, phone) = try await Self.connected()
        let push = try await world.client.send(Sample.message, to: .devices([device, other])).messageIDs[0]
        let record = try #require(try await world.client.run(try world.tpns.readPush(push)))
        let number = try #require(record.collapseID)
        var options = TPNSOptions()
        options.collapseID = number
        var message = Message(notification: Notification(title: "t", body: "new"))
        try message.set(options)
        _ = try await world.client.send(message, to: .everyone)
        #expect(phone.withdrawn == [push.rawValue])
        #expect(phone.received.map(\.collapseID) == [String(number), String(number)])
        #expect(await world.snapshot().inbox.map(\.alert) == ["new"])
        #expect(await world.snapshot(other).inbox.map(\.alert) == ["All", "new"])
    }

    @Test("a push that is recalled is taken off the phones that got it")
    func recalling() async throws {
        let (world, phone) = try await Self.connected(
            .android, configure: { _, tpns in tpns.allowsRecall = true },
            app: { _, settings in settings.recalls = true })
        let push = try await world.client.send(Sample.message, to: .devices([device])).messageIDs[0]
        let foreign = try await world.client.send(Sample.message, to: .devices([other])).messageIDs[0]
        for id in [push, foreign] { try await world.client.run(try world.tpns.recall(id)) }
        #expect(phone.withdrawn == [push.rawValue])
    }

    // MARK: Contents

    @Test("a silent push wakes the app and has the whole custom message")
    func silent() async throws {
        let (world, phone) = try await Self.connected()
        let custom = CustomMessage(content: "sync", title: "T", contentType: "json", extras: ["k": "v"])
        _ = try await world.client.send(
            Message(custom: custom), to: .devices([device]))
        #expect(phone.received.map(\.wakesApp) == [true])
        #expect(phone.received.map(\.custom) == [custom])
        #expect(phone.received.map(\.isVisible) == [false])
    }

    @Test("a notification for Apple has its level and sound, and may be changed by the extension unless it says no")
    func apple() async throws {
        let (world, phone) = try await Self.connected()
        var message = Sample.message
        message.notification?.ios = IOSNotification(sound: "bell", interruptionLevel: .timeSensitive)
        _ = try await world.client.send(message, to: .devices([device]))
        var options = TPNSOptions()
        options.ios = TPNSIOS(mutableContent: 0)
        try message.set(options)
        _ = try await world.client.send(message, to: .devices([device]))
        #expect(phone.received.map(\.interruptionLevel) == ["time-sensitive", "time-sensitive"])
        #expect(phone.received.map(\.sound) == ["bell", "bell"])
        #expect(phone.received.map(\.isMutable) == [true, false])
        #expect(phone.received.map(\.wakesApp) == [false, false])
    }

    private static let actions: [(action: JSONValue, tap: TapAction?)] = [
        (["action_type": 1, "activity": "com.example.Orders"], .activity("com.example.Orders")),
        (["activity": "com.example.Orders"], .activity("com.example.Orders")), (["action_type": 1], nil),
        (["action_type": 2, "browser": ["url": "https://example.com"], "intent": "no"], .link("https://example.com")),
        (["action_type": 3, "intent": "app://orders/42"], .intentURI("app://orders/42")),
    ]

    @Test("a tap on Android opens an activity, a web page or an intent", arguments: actions)
    func taps(action: JSONValue, tap: TapAction?) async throws {
        let (world, phone) = try await Self.connected(.android)
        var options = TPNSOptions()
        options.android = ["action": action]
        var message = Sample.message
        try message.set(options)
        _ = try await world.client.send(message, to: .devices([device]))
        #expect(phone.received.map(\.tap) == [tap])
    }

    // MARK: Quotas

    @Test("quotas are read without using them")
    func quotas() async throws {
        let (world, phone) = try await Self.connected()
        defer { withExtendedLifetime(phone) {} }
        func remaining() async -> [Int] { await world.simulator.quotas(at: world.clock.date).map(\.remaining) }
        for _ in 1...2 { #expect(await remaining() == [1, 200, 200]) }
        _ = try await world.client.send(Sample.message, to: .everyone)
        #expect(await remaining() == [0, 200, 200])
        world.clock.advance(by: .seconds(1))
        #expect(await remaining() == [1, 200, 200])
    }
}
