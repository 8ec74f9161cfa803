import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing
import VivoSimulator

/// Totals, hours and what phones do not show.
extension VivoSimulatorTests {
    @Test("the day's total of a class counts arrivals; who asks again has half of it the next day")
    func totals() async {
        for (code, sale) in [(10_070, true), (10_073, false)] {
            let world = await World { app, settings in
                (settings.leastDevices, app.systemFactor, app.operationalPerDevice) = (1, 2, 9)
            }
            func send(_ text: String) async -> Int? {
                sale ? await world.sell(text).code : await world.send(["content": .string(text)]).code
            }
            #expect(await send("一号商品") == 0)
            #expect(await send("二号商品") == 0)
            #expect(await send("三号商品") == code)
            #expect(await world.simulator.callsAfterQuota(of: World.shop, at: world.now) == 0)
            #expect(await (sale ? world.send().code : world.sell("四号商品").code) == 0)
            world.pass(86_400)
            await world.renew()
            #expect(await send("五号商品") == 0)
            #expect(await send("六号商品") == 0)
            for _ in 0..<2 { #expect(await send("七号商品") == code) }
            #expect(await world.simulator.callsAfterQuota(of: World.shop, at: world.now) == 1)
            world.pass(86_400)
            await world.renew()
            #expect(await send("八号商品") == 0)
            #expect(await send("九号商品") == code)
        }
    }

    @Test(
        "so do the numbers of messages to everyone and of stored messages",
        arguments: [("/message/all", 10_254), ("/message/saveListPayload", 10_252)])
    func counted(path: String, code: Int) async {
        let world = await World { app, settings in (app.broadcastsPerDay, settings.listsPerDay) = (2, 2) }
        for expected in [0, 0, code, code] { #expect(await world.send(path: path).code == expected) }
        #expect(await world.simulator.callsAfterQuota(of: World.shop, at: world.now) == 1)
        #expect(await world.send().code == 0)
        for codes in [[0, code], [0, 0, code]] {
            world.pass(86_400)
            await world.renew()
            for expected in codes { #expect(await world.send(path: path).code == expected) }
        }
    }

    @Test("a phone that is offline counts when it comes back; what is over the total then is not shown")
    func lateArrival() async {
        let world = await World { app, settings in (settings.leastDevices, app.systemFactor) = (1, 1) }
        await world.simulator.setOnline(false, World.tablet, at: world.now)
        let late = await world.send(["regId": .string(World.tablet)]).task
        #expect(await world.send().code == 0)
        await world.simulator.setOnline(true, World.tablet, at: world.now)
        #expect(await world.inbox(World.tablet).isEmpty)
        #expect(await world.simulator.reason(for: late, on: World.tablet) == 11_001)
    }

    @Test("operational messages rest from 23:00 to 7:00 in China; others do not")
    func night() async {
        let world = await World()
        for (seconds, code) in [(53_999.0, 0), (1, 10_071), (28_799, 10_071), (1, 0)] {
            world.pass(seconds)
            #expect(await world.sell("新品上市").code == code)
            #expect(await world.send().code == 0)
        }
    }

    @Test("a phone shows two operational messages a day, and none with the text of an earlier one")
    func deviceLimit() async {
        let world = await World()
        var reasons: [Int?] = []
        for text in ["新品上市", "新品上市", "限时优惠", "周末活动"] {
            let answer = await world.sell(text)
            #expect(answer.code == 0)
            reasons.append(await world.simulator.reason(for: answer.task, on: World.phone))
        }
        #expect(reasons == [nil, 2124, nil, 12_000])
        #expect(await world.inbox().count == 2)
        world.pass(57_600 + 7 * 3600)
        await world.renew()
        #expect(await world.sell("新品上市").code == 0)
        #expect(await world.inbox().count == 3)
    }

    @Test("a system category that is not approved is accepted, and counts as operational")
    func approval() async {
        let world = await World { app, _ in app.approved = ["IM"] }
        for text in ["一号订单", "二号订单", "三号订单"] {
            #expect(await world.send(["content": .string(text)]).code == 0)
        }
        for _ in 0..<3 { #expect(await world.send(["category": "IM"]).code == 0) }
        #expect(await world.send(["category": .null]).code == 0)
        #expect(await world.inbox().map(\.category) == ["ORDER", "ORDER", "IM", "IM", "IM", nil])
        world.pass(54_000)
        let task = await world.send(["content": "四号订单"]).task
        #expect(await world.simulator.reason(for: task, on: World.phone) == 1017)
    }

    @Test("tests have totals of their own, and a phone shows all of them")
    func tests() async {
        let world = await World { app, settings in
            (settings.leastDevices, app.systemFactor, app.testDevices) = (1, 1, [World.phone])
            (settings.operationalTestsPerDay, settings.systemTestsPerDay) = (3, 2)
        }
        for code in [0, 0, 10_073] { #expect(await world.send(["pushMode": 1]).code == code) }
        for code in [0, 0, 0, 10_070] { #expect(await world.sell("新品上市", ["pushMode": 1]).code == code) }
        #expect(await world.send().code == 0)
        #expect(await world.send().code == 10_073)
        #expect(await world.inbox().count == 6)
        world.pass(57_600)
        #expect(await world.send(["pushMode": 1], path: "/message/all").code == 0)
        #expect(await world.inbox().count == 7)
        #expect(await world.inbox(World.tablet).isEmpty)
    }

    @Test("a message waits for its life, by default a day for system and eight hours for operational ones")
    func waiting() async {
        for (fields, life) in [([:], 86_400.0), (World.sale, 28_800), (["timeToLive": 60], 60)] {
            for isLate in [false, true] {
                let world = await World()
                await world.simulator.setOnline(false, World.phone, at: world.now)
                let task = await world.send(fields).task
                world.pass(isLate ? life : life - 1)
                await world.simulator.setOnline(true, World.phone, at: world.now)
                #expect(await world.inbox().count == (isLate ? 0 : 1))
                #expect(await world.simulator.reason(for: task, on: World.phone) == (isLate ? 2144 : nil))
            }
        }
        let world = await World()
        await world.simulator.setOnline(false, World.phone, at: world.now)
        #expect(await world.send(["sendOnline": true]).code == 0)
        await world.simulator.setOnline(true, World.phone, at: world.now)
        #expect(await world.inbox().isEmpty)
    }

    @Test("a message to everyone leaves out phones that are gone, off or long away, and says why")
    func leftOut() async {
        let world = await World()
        await world.simulator.setGone(true, World.phone)
        await world.simulator.setPushOff(true, World.tablet)
        let first = await world.send(path: "/message/all").task
        #expect(await world.simulator.reason(for: first, on: World.phone) == 20_002)
        #expect(await world.simulator.reason(for: first, on: World.tablet) == 20_001)
        await world.simulator.setPushOff(false, World.tablet)
        await world.simulator.setOnline(false, World.tablet, at: world.now)
        world.pass(15 * 86_400)
        await world.renew()
        let second = await world.send(path: "/message/all").task
        #expect(await world.simulator.reason(for: second, on: World.tablet) == 20_006)
    }

    @Test("receipts tell of deliveries of single sends; two of one second share a call")
    func receipts() async {
        let world = await World { app, _ in app.testDevices = [World.phone] }
        let ask: [String: JSONValue] = ["extra": ["callback": "https://backend.example/x", "callback.param": "p"]]
        let first = await world.send(ask).task
        let second = await world.send(ask.merging(["regId": .string(World.tablet)]) { $1 }).task
        await world.send(ask.merging(["pushMode": 1]) { $1 })
        await world.send(ask, path: "/message/all")
        await world.sendList([World.phone, World.tablet], task: world.store(ask).task)
        await world.send(["extra": ["callback": "https://backend.example/x", "callback.id": "1"]])
        #expect(await world.simulator.takeCallbacks(9, at: world.now).isEmpty)
        let expected: JSONValue = .object([
            first: ["param": "p", "targets": .string(World.phone)],
            second: ["param": "p", "targets": .string(World.tablet)],
        ])
        #expect(await world.receipts() == [expected])
        #expect(await world.simulator.nextCallback() == nil)
    }

    @Test("the counts of a message: tried, arrived and shown, tapped once a device; at most 100 messages")
    func statistics() async {
        let world = await World()
        await world.simulator.setPushOff(true, World.tablet)
        let task = await world.send(path: "/message/all").task
        for device in [World.phone, World.phone, World.tablet] {
            await world.simulator.note(.opened(task), from: device, at: world.now)
        }
        let row: JSONValue = ["taskId": .string(task), "send": 2, "receive": 1, "display": 1, "click": 1]
        #expect(await world.statistics("none,\(task)").json["statistics"] == [row])
        #expect(await world.statistics("").code == 10_471)
        #expect(await world.statistics((0...100).map(String.init).joined(separator: ",")).code == 10_473)
        await world.simulator.endTokens()
        #expect(await world.statistics(task).code == 10_000)
    }

    @Test("a phone that connects joins the first app, and a known one keeps its state")
    func phones() async {
        let world = await World()
        let new = VirtualDevice("regid-new", .android)
        await world.simulator.install(new)
        #expect(await world.send(["regId": "regid-new"]).code == 0)
        #expect(await world.inbox("regid-new").count == 1)
        #expect(await world.simulator.snapshot(of: World.phone)?.alias == "ann")
    }

    @Test("an observer sees the rate and what is left of each quota of the day")
    func readings() async {
        let world = await World()
        await world.send(path: "/message/all")
        let left = await world.simulator.quotas(at: world.now).filter { $0.name.hasSuffix("10004") }.map(\.remaining)
        #expect(left == [2999, 20_000, 199_998, 100, 10_000, 10_000, 0])
        for (devices, rate) in [(20_000, 3000), (5_000_000, 4000), (7_999_999, 4000), (8_000_000, 5000)] {
            let large = await World { app, _ in app.enabledDevices = devices }
            let limits = await large.simulator.quotas(at: large.now).prefix(3).map(\.limit)
            #expect(limits == [rate, 2 * devices, 20 * devices])
        }
    }
}
