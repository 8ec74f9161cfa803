import APNsSimulator
import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushSimulation
import Testing

/// The messages that a connected phone gets from the client.
@Suite("APNs, adapter and phones")
struct APNsPhoneTests {
    private static let device = Shop.device(0)

    private static func connect(to shop: ShopClient) async -> PocketPhone {
        let phone = PocketPhone()
        await shop.production.connect(phone, as: VirtualDevice(device.rawValue, .ios), at: shop.clock.date)
        return phone
    }

    private static func note(_ token: DeviceToken, _ shop: ShopClient) async {
        await shop.production.note(.token(token), from: device.rawValue, at: shop.clock.date)
    }

    /// Sends to the phone's app.
    private static func send(_ message: Message, _ shop: ShopClient) async throws {
        let report = try await shop.client.send(message, to: .devices([device]))
        #expect(report.isComplete)
    }

    // MARK: Contents

    @Test("a notification arrives with all its fields")
    func notification() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        var message = Shop.shown(
            IOSNotification(
                subtitle: "S", sound: "a.caf", badge: .set(3), category: "c", threadID: "th", isMutable: true,
                isContentAvailable: true, interruptionLevel: .timeSensitive, collapseID: "col"))
        message.notification?.extras = ["order": 17]
        try await Self.send(message, shop)
        var expected = DeliveredMessage(
            messageID: "", alert: "B", title: "T", badge: 3, extras: ["order": 17])
        expected.subtitle = "S"
        expected.sound = "a.caf"
        expected.category = "c"
        expected.thread = "th"
        expected.collapseID = "col"
        expected.interruptionLevel = "time-sensitive"
        expected.isMutable = true
        expected.wakesApp = true
        let received = try #require(phone.received.first)
        expected.messageID = received.messageID
        #expect(phone.received == [expected])
    }

    @Test("a text that the app translates arrives as its key, and a critical sound by its name")
    func localized() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        let text = IOSNotification(title: .localized(key: "HELLO", arguments: ["Ann"]))
        let message = try Shop.changed(Message(notification: Notification(body: "B", ios: text))) {
            $0.aps = APSOptions()
            $0.aps?.sound = APSOptions.CriticalSound("alarm.caf", volume: 1)
        }
        try await Self.send(message, shop)
        #expect(phone.received.map(\.title) == ["HELLO"] && phone.received.map(\.alert) == ["B"])
        #expect(phone.received.map(\.sound) == ["alarm.caf"])
    }

    @Test("a custom message wakes the app and shows nothing")
    func custom() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        let custom = CustomMessage(content: "sync", title: "t", extras: ["k": ["deep": 1]])
        try await Self.send(Message(custom: custom), shop)
        let received = try #require(phone.received.first)
        #expect(received.custom == custom && received.wakesApp && !received.isVisible)
    }

    @Test("a call arrives at the token that the app got for calls")
    func call() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        await Self.note(.voip([0xCA, 0x11]), shop)
        let payload: [String: JSONValue] = ["caller": "Ann", "list": [1, nil]]
        let report = try await shop.client.send(Message(voip: .object(payload)), to: .devices(["ca11"]))
        #expect(report.isComplete)
        #expect(phone.received.map(\.call) == [payload])
    }

    // MARK: Live Activities

    private static func beginning(_ input: LiveActivityUpdate.Input) -> LiveActivityUpdate {
        var start = LiveActivityUpdate(.start, content: ["eta": 9])
        start.attributesType = "Parcel"
        start.attributes = ["id": 17]
        start.alert = ["title": "Parcel", "body": "On its way"]
        start.input = input
        return start
    }

    @Test("an activity is started, changed and ended by its tokens")
    func activity() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        await Self.note(.liveActivityStart(attributes: "Parcel", [0x51]), shop)
        await Self.note(.liveActivityUpdate(id: "parcel-17", [0x52]), shop)
        let changes: [(update: LiveActivityUpdate, token: DeviceID)] = [
            (Self.beginning(.token), "51"), (LiveActivityUpdate(.update, content: ["eta": 4]), "52"),
            (LiveActivityUpdate(.end, content: ["eta": 0]), "52"),
        ]
        for (update, token) in changes {
            let report = try await shop.client.send(Message(liveActivity: update.json), to: .devices([token]))
            #expect(report.isComplete)
            shop.clock.advance(by: .seconds(60))
        }
        let received = phone.received.compactMap(\.activity)
        #expect(received.map(\.id) == ["Parcel", "parcel-17", "parcel-17"])
        #expect(received.map(\.event) == [.start, .update, .end])
        #expect(received.map(\.content) == [["eta": 9], ["eta": 4], ["eta": 0]])
        #expect(phone.received.first?.title == "Parcel")
    }

    @Test("the moment of the send orders changes, and an older one is accepted and ignored")
    func order() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        await Self.note(.liveActivityUpdate(id: "parcel-17", [0x52]), shop)
        var old = LiveActivityUpdate(.update, content: ["eta": 8])
        old.timestamp = Shop.now.addingTimeInterval(-1)
        for update in [LiveActivityUpdate(.update, content: ["eta": 9]), old] {
            let report = try await shop.client.send(Message(liveActivity: update.json), to: .devices(["52"]))
            #expect(report.isComplete)
        }
        let contents = phone.received.compactMap(\.activity?.content)
        #expect(contents == [["eta": 9]])
    }

    @Test("an activity that a push started follows its channel to its end")
    func channel() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        await Self.note(.liveActivityStart(attributes: "Parcel", [0x51]), shop)
        let channel = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        let start = Message(liveActivity: Self.beginning(.channel(channel)).json)
        let report = try await shop.client.send(start, to: .devices(["51"]))
        #expect(report.isComplete)
        for update in [LiveActivityUpdate(.update, content: ["eta": 4]), LiveActivityUpdate(.end), .init(.end)] {
            shop.clock.advance(by: .seconds(60))
            try await shop.client.run(shop.apns.broadcast(update, to: channel, at: shop.clock.date))
        }
        let events = phone.received.compactMap(\.activity?.event)
        #expect(events == [.start, .update, .end])
    }

    // MARK: Waiting

    private static let lives: [(life: Int?, wait: Int, arrives: Bool)] = [
        (nil, 86_400, true), (3600, 3599, true), (3600, 3600, false), (0, 1, false),
    ]

    @Test("a push waits for a phone that is offline, as long as its life", arguments: lives)
    func waiting(life: Int?, wait: Int, arrives: Bool) async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        await shop.production.disconnect(phone, from: Self.device.rawValue, at: shop.clock.date)
        var message = Shop.shown()
        message.timeToLive = life.map { .seconds($0) }
        try await Self.send(message, shop)
        shop.clock.advance(by: .seconds(wait))
        let later = await Self.connect(to: shop)
        #expect(later.received.count == (arrives ? 1 : 0))
        #expect(phone.received.isEmpty)
    }

    @Test("only the last push waits, although all were accepted")
    func last() async throws {
        let shop = try ShopClient()
        let phone = await Self.connect(to: shop)
        await shop.production.disconnect(phone, from: Self.device.rawValue, at: shop.clock.date)
        for text in ["one", "two", "three"] {
            try await Self.send(Message(notification: Notification(body: text)), shop)
        }
        let later = await Self.connect(to: shop)
        #expect(later.received.map(\.alert) == ["three"])
        #expect(phone.received.isEmpty)
    }
}

/// A phone that keeps its messages.
private final class PocketPhone: ConnectedPhone {
    private let messages = Locked<[DeliveredMessage]>([])

    var received: [DeliveredMessage] { messages.withLock { $0 } }

    func receive(_ message: DeliveredMessage) { messages.withLock { $0.append(message) } }
    func withdraw(_ messageID: String) { messages.withLock { $0.removeAll { $0.messageID == messageID } } }
}
