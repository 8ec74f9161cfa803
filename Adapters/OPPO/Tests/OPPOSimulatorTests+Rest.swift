import Foundation
import OPPOSimulator
import PushAdapter
import PushSimulation
import Testing

extension OPPOSimulatorTests {
    // MARK: Quotas

    @Test("the day's marketing messages end with 33, until midnight in China; service messages go on")
    func marketing() async {
        let world = World { app, _ in app.marketingPerDay = 3 }
        #expect(await world.sendBatch([World.phone, World.tablet].map { World.row($0) }).code == 0)
        #expect(await world.sendBatch([World.phone, World.tablet].map { World.row($0) }).code == 33)
        #expect(await world.sendBatch([World.row(with: ["category": "ORDER"]), World.row()]).code == 0)
        #expect(await world.send().code == 33)
        #expect(await world.sendOrder().code == 0)
        #expect(await world.send(["channel_id": "chats"]).code == 0)
        world.pass(57_600)
        #expect(await world.send().code == 0)
    }

    @Test(
        "an app's quotas go with its users",
        arguments: [
            (0, 5000, 100_000), (50_000, 5000, 100_000), (60_000, 5000, 120_000), (10_000_000, 10_000, 20_000_000),
            (50_000_000, 20_000, 100_000_000), (100_000_000, 30_000, 200_000_000),
        ])
    func quotas(users: Int, rate: Int, marketing: Int) async {
        let world = World { app, _ in app.users = users }
        await world.send()
        let left = await world.simulator.quotas(at: world.now).filter { $0.name.hasSuffix(World.key) }
        #expect(left.map(\.limit) == [rate, marketing] && left.map(\.remaining) == [rate - 1, marketing - 1])
    }

    @Test("a phone shows two marketing messages a day, or five; a receipt tells of the next", arguments: [2, 5])
    func perDevice(most: Int) async {
        let world = World { app, _ in app.marketingPerDevice = most }
        let fields: [String: JSONValue] = ["category": "NEWS", "call_back_url": "https://backend.example/x"]
        for _ in 0..<(most + 1) { #expect(await world.send(fields).code == 0) }
        #expect(await world.inbox().count == most)
        #expect(await world.events() == [String?](repeating: "push_arrive", count: most) + ["user_daily_limit"])
        #expect(await world.sendOrder().code == 0)
        #expect(await world.inbox().count == most + 1)
        world.pass(57_600)
        await world.send(fields)
        #expect(await world.inbox().count == most + 2)
    }

    @Test("marketing counts when it is sent, or when a phone gets it", arguments: [false, true])
    func counting(countsDeliveries: Bool) async {
        let world = World { _, settings in settings.countsDeliveries = countsDeliveries }
        await world.simulator.setOnline(false, World.phone, at: world.now)
        await world.send()
        func remaining() async -> Int? {
            await world.simulator.quotas(at: world.now).first { $0.name.hasPrefix("marketing") }?.remaining
        }
        #expect(await remaining() == (countsDeliveries ? 100_000 : 99_999))
        await world.simulator.setOnline(true, World.phone, at: world.now)
        #expect(await remaining() == 99_999)
        #expect(await world.inbox().count == 1)
    }

    @Test("too many targets in a second are refused, those of a batch together", arguments: [13, 55, -2])
    func rate(code: Int) async {
        let world = World { app, settings in (app.targetsPerSecond, settings.rateCode) = (4, code) }
        let batch = [JSONValue](repeating: World.row("x"), count: 3)
        #expect(await world.send().code == 0)
        #expect(await world.sendBatch(batch + batch).code == code)
        #expect(await world.sendBatch(batch).code == 0)
        #expect(await world.send().code == code)
        world.pass(1)
        #expect(await world.send().code == 0)
    }

    // MARK: Repetitions

    @Test("the same id of a message to the same target is not sent again", arguments: [0, 32])
    func repetition(code: Int) async {
        let world = World { _, settings in settings.repeatAnswer = code == 0 ? .firstID : .duplicate }
        let fields: [String: JSONValue] = ["category": "ORDER", "app_message_id": "m1"]
        let first = await world.send(fields)
        let second = await world.send(fields.merging(["content": "新的"]) { $1 })
        #expect(first.code == 0 && second.code == code)
        if code == 0 { #expect(second.id == first.id) }
        let batch = await world.sendBatch([World.phone, World.tablet].map { World.row($0, with: fields) })
        #expect(batch.rows == [code, 0])
        for device in [World.phone, World.tablet] { #expect(await world.inbox(device).count == 1) }
        #expect(await world.sendOrder(["app_message_id": "m2"]).code == 0)
        #expect(await world.inbox().count == 2)
    }

    @Test("the vendor may forget an id, or not remember those of batches")
    func forgetting() async {
        let world = World { _, settings in (settings.memory, settings.remembersRows) = (60, false) }
        let fields: [String: JSONValue] = ["category": "ORDER", "app_message_id": "m1"]
        for _ in 0..<2 { await world.send(fields) }
        #expect(await world.inbox().count == 1)
        world.pass(60)
        await world.send(fields)
        #expect(await world.sendBatch([World.row(with: fields)]).rows == [0])
        #expect(await world.inbox().count == 3)
    }

    @Test("a refused message does not use up its id")
    func refusedID() async {
        let world = World()
        let fields: [String: JSONValue] = ["app_message_id": "m1"]
        #expect(await world.send(fields.merging(["title": .null]) { $1 }).code == 40)
        #expect(await world.send(fields).code == 0)
        #expect(await world.inbox().count == 1)
    }

    // MARK: Phones and receipts

    @Test("a phone gets everything that a message has")
    func content() async throws {
        let world = World { app, _ in app.hasExtras = true }
        let answer = await world.sendOrder([
            "sub_title": "快递", "channel_id": "orders", "notify_id": "7", "action_parameters": ["order": 7],
            "click_action_type": 5, "click_action_url": "intent:#Intent;end", "style": 4,
            "medium_picture_url": "https://example.com/a.png",
        ])
        let message = try #require(await world.inbox().first)
        #expect(message.messageID == answer.id && message.messageID.hasPrefix("30000001-1-1-"))
        #expect(message.title == "商店" && message.alert == "您的订单已发货" && message.subtitle == "快递")
        #expect(message.extras == ["order": 7] && message.channel == "orders" && message.category == "ORDER")
        #expect(message.tap == .intentURI("intent:#Intent;end") && message.collapseID == "7")
        #expect(message.image == "https://example.com/a.png")
    }

    @Test("a later message replaces one with the same notify_id")
    func screen() async {
        let world = World()
        for (id, text) in [(.null, "1"), (7, "2"), (.null, "3"), (7, "4")] as [(JSONValue, JSONValue)] {
            await world.sendOrder(["notify_id": id, "content": text])
        }
        #expect(await world.simulator.screen(of: World.phone).map(\.alert) == ["1", "3", "4"])
    }

    @Test("a message waits for a phone for its time to live, or not at all")
    func waiting() async {
        let world = World()
        await world.simulator.setOnline(false, World.phone, at: world.now)
        let end = JSONValue(Int(world.now.timeIntervalSince1970 * 1000) + 50_000)
        let rows: [[String: JSONValue]] = [
            ["content": "60", "off_line_ttl": 60], ["content": "61", "off_line_ttl": 61],
            ["content": "none", "off_line": false], ["content": "hour"],
            ["content": "ended", "show_time_type": 1, "show_start_time": 1, "show_end_time": end],
        ]
        for fields in rows { await world.sendOrder(fields) }
        world.pass(60)
        await world.simulator.setOnline(true, World.phone, at: world.now)
        #expect(await world.inbox().map(\.alert) == ["61", "hour"])
    }

    @Test("only a receipt tells of an app that is gone, or of a phone that was away for 30 days")
    func gone() async {
        let world = World()
        let fields: [String: JSONValue] = ["call_back_url": "https://backend.example/x", "call_back_parameter": "p1"]
        await world.simulator.setGone(true, World.phone, at: world.now)
        #expect(await world.sendOrder(fields).code == 0)
        #expect(await world.events() == ["regid_invalid"])
        await world.simulator.setGone(false, World.phone, at: world.now)
        await world.sendOrder(fields)
        #expect(await world.events() == ["push_arrive"])
        await world.simulator.setOnline(false, World.phone, at: world.now)
        world.pass(30 * 86_400)
        await world.sendOrder(fields)
        #expect(await world.events() == [])
        world.pass(1)
        await world.sendOrder(fields)
        #expect(await world.events() == ["regid_invalid"])
        #expect(await world.inbox().count == 1)
    }

    @Test("receipts to one address come together, a second later; those of aliases never")
    func receiptRows() async throws {
        let world = World()
        func fields(_ path: String) -> [String: JSONValue] {
            ["call_back_url": .string("https://backend.example/\(path)"), "call_back_parameter": "p1"]
        }
        let id = try #require(await world.send(fields("x")).id)
        await world.send(fields("x"), to: World.tablet)
        await world.send(fields("y"))
        await world.send(fields("x"), to: "ann", type: 5)
        #expect(await world.simulator.takeCallbacks(9, at: world.now).isEmpty)
        let calls = await world.receipts()
        #expect(calls.map(\.count) == [2, 1])
        #expect(
            calls.first?.first == [
                "messageId": .string(id), "appId": "30000001", "taskId": .string(id),
                "registrationIds": .string(World.phone), "eventTime": "1795737600000", "param": "p1",
                "eventType": "push_arrive",
            ])
        #expect(await world.simulator.nextCallback() == nil)
    }
}
