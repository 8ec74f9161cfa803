import FoundationEssentials
import JPushSimulator
import PushAdapter
import PushClient
import PushDevice
import PushJPush
import PushPhone
import PushSimulation
import Testing

@Suite("A phone and its vendor")
struct VendorTests {
    @Test("reports count what the phone did: arrival by the extension, display, taps")
    func reports() async throws {
        let stage = try await Stage.pocket()
        let id = try await stage.send(.hello { $0.isMutable = true })
        #expect(try await received(stage, id) == 1)
        let silent = try await stage.send(.hello())
        // Only the extension reports an arrival, and this message does not go through it.
        #expect(try await received(stage, silent) == nil)
        #expect(try await funnel(stage, id) == [1, 0])
        await stage.phone.tap(id.rawValue)
        #expect(try await funnel(stage, id) == [1, 1])
        #expect(try await funnel(stage, silent) == [1, 0])
    }

    /// How often the vendor counts a message as shown and opened.
    private func funnel(_ stage: Stage, _ id: MessageID) async throws -> [Int?] {
        let statistics = try await stage.client.run(stage.jpush.readStatistics(of: [id])).first?.totals["notification"]
        return [statistics?.display, statistics?.click]
    }

    @Test("two messages with one collapse id are counted apart, and a local notification is not counted at all")
    func collapsed() async throws {
        let stage = try await Stage.pocket()
        let held = HoldingExtension()
        let app = DiaryApp(serviceExtension: held)
        stage.phone.install(app)
        func send() async throws -> MessageID {
            try await stage.send(
                .hello {
                    $0.isMutable = true
                    $0.collapseID = "score"
                })
        }
        let (first, second) = (try await send(), try await send())
        #expect(held.requests.map(\.messageID) == [first.rawValue, second.rawValue])
        stage.phone.confirmDelivery(of: held.requests[0])
        held.passAll()
        await stage.phone.reported()
        #expect(try await received(stage, first) == 1)
        #expect(try await received(stage, second) == 0)
        #expect(stage.phone.center.count == 1)
        var content = PhoneNotification.Content()
        content.body = "local"
        try stage.phone.add(.init(identifier: "score", content: content))
        await stage.phone.tap("score")
        #expect(try await funnel(stage, first) == [1, 0])
        #expect(try await funnel(stage, second) == [1, 0])
    }

    @Test("a message that is recalled while the app has it is never shown")
    func recalled() async throws {
        let stage = try await Stage.pocket()
        let held = HoldingExtension()
        let app = DiaryApp(isSilent: true, serviceExtension: held)
        stage.phone.install(app)
        stage.phone.receive(mutable("1"))
        stage.phone.withdraw("1")
        held.passAll()
        #expect(stage.phone.center.isEmpty)
        await stage.phone.openApp()
        stage.phone.receive(DeliveredMessage(messageID: "2", alert: "Hello"))
        stage.phone.withdraw("2")
        app.answerAll()
        #expect(stage.phone.center.isEmpty && stage.phone.banners.isEmpty)
    }

    private func mutable(_ id: String) -> DeliveredMessage {
        var message = DeliveredMessage(messageID: id, alert: "Hello")
        message.isMutable = true
        return message
    }

    @Test("without a network nothing reaches the vendor: calls are refused, taps are reported when it is back")
    func offline() async throws {
        let stage = try await Stage.pocket()
        let id = try await stage.send(.hello())
        await stage.phone.setReachable(false)
        await #expect(throws: PushError.self) { try await stage.phone.setBadge(3) }
        await #expect(throws: PushError.self) { try await stage.phone.upload(.voip([1])) }
        await #expect(throws: PushError.self) { try await stage.phone.register() }
        await stage.phone.tap(id.rawValue)
        #expect(try await funnel(stage, id) == [1, 0])
        await stage.phone.setReachable(true)
        #expect(try await funnel(stage, id) == [1, 1] && stage.phone.badge == nil)
    }

    @Test("a second phone with the same id replaces the first, which can no longer disconnect it")
    func replaced() async throws {
        let stage = try await Stage.pocket()
        let second = VirtualPhone(stage.phone.device, at: stage.simulator, clock: stage.clock)
        _ = try await second.register()
        await second.leaveApp()
        try await stage.phone.stop()
        _ = try await stage.send(.hello())
        #expect(stage.phone.center.isEmpty && second.center.count == 1)
    }

    @Test("a phone that nobody keeps is gone, although it was connected")
    func released() async throws {
        let stage = try Stage()
        weak var gone: VirtualPhone?
        do {
            let phone = VirtualPhone(
                VirtualDevice("190e35f7e0a1b2c3d50", .ios), at: stage.simulator, clock: stage.clock)
            _ = try await phone.register()
            gone = phone
        }
        #expect(gone == nil)
    }

    @Test("a phone gets calls and started Live Activities only with the tokens for them")
    func tokensNeeded() async throws {
        let stage = try await Stage.pocket()
        var message = Message.hello()
        message.voip = ["from": "Ann"]
        _ = try await stage.send(message)
        #expect(stage.phone.calls.isEmpty)
        try await stage.phone.upload(.voip([1]))
        _ = try await stage.send(message)
        #expect(stage.phone.calls.map(\.payload) == [["from": "Ann"]])
    }

    private func received(_ stage: Stage, _ id: MessageID) async throws -> Int? {
        let reports = try await stage.client.readDeliveries(of: [id])
        return reports.first?.channels[.apns]?.received
    }

    @Test("a phone without a network gets what waited for it when it is back")
    func network() async throws {
        let stage = try await Stage.pocket()
        await stage.phone.setReachable(false)
        _ = try await stage.send(.hello())
        #expect(stage.phone.center.isEmpty)
        await #expect(throws: PushError.self) { try await stage.phone.connect() }
        await stage.phone.setReachable(true)
        #expect(stage.phone.center.count == 1)
    }

    @Test("a stopped app gets nothing until it registers again")
    func stopped() async throws {
        let stage = try await Stage.pocket()
        try await stage.phone.stop()
        _ = try await stage.send(.hello())
        #expect(stage.phone.center.isEmpty && stage.phone.stops == 1)
        _ = try await stage.phone.register()
        #expect(stage.phone.isRegistered)
    }

    @Test("+1 after the app stored a badge of 3 is 4, on the phone and at the vendor")
    func badge() async throws {
        let stage = try await Stage.pocket()
        try await stage.phone.setBadge(3)
        _ = try await stage.send(.hello { $0.badge = .change(by: 1) })
        #expect(stage.phone.icon == 4)
        #expect(await stage.simulator.snapshot(of: Stage.id)?.badge == 4)
    }

    @Test("the language and the tokens of a phone reach its vendor; a Live Activity is then addressed by its id")
    func tokens() async throws {
        let stage = try await Stage.pocket()
        try await stage.phone.setLanguage("zh-Hans")
        try await stage.phone.upload(.liveActivityUpdate(id: "match-1", [1, 2]))
        let snapshot = try #require(await stage.simulator.snapshot(of: Stage.id))
        #expect(snapshot.language == "zh-Hans" && snapshot.activities == ["match-1"])
        #expect(stage.phone.language == "zh-Hans" && stage.phone.tokens.count == 1)
    }

    @Test("an Apple phone gets a custom message when its app is opened; an Android phone gets it at once")
    func custom() async throws {
        for platform in [Platform.ios, .android] {
            let stage = try await Stage.pocket(platform)
            let app = DiaryApp()
            stage.phone.install(app)
            _ = try await stage.send(Message(custom: CustomMessage(content: "ping")))
            #expect(app.lines == (platform == .ios ? [] : ["custom ping"]))
            await stage.phone.openApp()
            #expect(app.lines == ["custom ping"] && stage.phone.customMessages.count == 1)
        }
    }

    @Test("a push that wakes the app has 30 seconds; an app that the user ended is not woken")
    func wakes() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp(isSilent: true)
        stage.phone.install(app)
        var message = DeliveredMessage(messageID: "1")
        message.wakesApp = true
        stage.phone.receive(message)
        app.answerAll()
        #expect(stage.phone.wakes == [.newData])
        stage.phone.receive(message)
        stage.clock.advance(by: .seconds(30))
        app.answerAll()
        #expect(stage.phone.wakes == [.newData, nil])
        await stage.phone.killApp()
        stage.phone.receive(message)
        #expect(app.lines == ["woken", "woken"] && stage.phone.wakes.count == 2)
    }

    @Test("a push that wakes the app brings its message with it, also to a phone without the app's code")
    func wakesWithContent() async throws {
        let stage = try await Stage.pocket()
        let custom = CustomMessage(content: "sync", title: "T", contentType: "json", extras: ["k": "v"])
        var message = DeliveredMessage(messageID: "1", custom: custom)
        (message.wakesApp, message.isCustomInPush) = (true, true)
        stage.phone.receive(message)
        let expected: [String: JSONValue] = [
            "content": "sync", "title": "T", "content_type": "json", "k": "v", "aps": ["content-available": 1],
        ]
        #expect(stage.phone.customMessages == [expected])
        await stage.phone.openApp()
        #expect(stage.phone.customMessages.count == 1)
    }

    @Test("in-app messages are shown at the next poll while the app is open; its button reaches the app")
    func inApp() async throws {
        let stage = try Stage()
        let app = DiaryApp()
        stage.phone.install(app)
        _ = try await stage.phone.register(DeviceStart(pollingInterval: .seconds(258)))
        let message = InAppMessage(title: "Sale", body: "30 %", parameters: ["page": "sale"])
        stage.clock.advance(by: .seconds(300))
        await stage.phone.offer(message)
        stage.clock.advance(by: .seconds(215))
        #expect(stage.phone.inAppMessages.isEmpty)
        await stage.phone.leaveApp()
        stage.clock.advance(by: .seconds(1))
        #expect(stage.phone.inAppMessages.isEmpty)
        await stage.phone.openApp()
        stage.clock.advance(by: .seconds(258))
        #expect(stage.phone.inAppMessages == [message])
        await stage.phone.press(message)
        await stage.phone.press(InAppMessage(title: "never", body: "shown"))
        #expect(app.lines.filter { $0 == "in-app" }.count == 1)
    }

    @Test("a call starts the app, which must report it to the system")
    func call() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp(isSilent: true)
        stage.phone.install(app)
        await stage.phone.killApp()
        var message = DeliveredMessage(messageID: "1")
        message.call = ["from": "Ann"]
        stage.phone.receive(message)
        #expect(app.lines == ["launched by icon", "call"])
        #expect(stage.phone.calls.map(\.isReported) == [false])
        app.answerAll()
        #expect(stage.phone.calls.map(\.isReported) == [true] && stage.phone.calls.first?.payload["from"] == "Ann")
    }

    @Test("a Live Activity appears, changes and ends")
    func activity() async throws {
        let phone = VirtualPhone(VirtualDevice("1", .ios))
        func receive(_ event: DeliveredMessage.ActivityChange.Event, _ score: JSONValue) {
            var message = DeliveredMessage(messageID: "1")
            message.activity = .init(id: "match-1", event: event, content: ["score": score])
            phone.receive(message)
        }
        receive(.start, "0:0")
        receive(.update, "1:0")
        #expect(phone.activities == ["match-1": ["score": "1:0"]])
        receive(.end, "1:0")
        #expect(phone.activities.isEmpty)
    }

    @Test("every change is told to observers, and a dump shows no token")
    func observers() async throws {
        let stage = try await Stage.pocket()
        let count = Locked(0)
        stage.phone.onChange { count.withLock { $0 += 1 } }
        try await stage.phone.upload(.voip([0xAB, 0xCD]))
        await stage.phone.openApp()
        #expect(count.withLock { $0 } >= 2)
        var text = ""
        dump(stage.phone, to: &text)
        dump(stage.phone.state, to: &text)
        #expect(!text.contains("171") && !text.contains("205"))
    }
}
