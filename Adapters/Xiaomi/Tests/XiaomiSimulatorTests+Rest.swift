import Foundation
import PushAdapter
import PushSimulation
import Testing
import XiaomiSimulator

extension XiaomiSimulatorTests {
    @Test("S16: five topics at most, joined as one operation says")
    func topics() async {
        let world = World()
        func join(_ topic: String, _ ids: String, _ verb: String = "subscribe") async -> SimulatedXiaomi.Answer {
            await world.call("/v2/topic/\(verb)", ["topic": topic, "registration_id": ids])
        }
        let both = await join("a", "\(World.phone),\(World.tablet),x")
        #expect(both.code == 0 && both["bad_regids"] == "x")
        #expect(await join("b", World.phone).code == 0)
        #expect(await join("c", "x").code == 20_215)
        #expect(await join("c", "x", "unsubscribe").code == 20_216)
        let cases: [(String, String, Int, [Int])] = [
            ("a;$;b", "UNION", 0, [1, 1]), ("a;$;b", "INTERSECTION", 0, [1, 0]), ("a;$;b", "EXCEPT", 0, [0, 1]),
            ("a;$;b", "XOR", 10_017, [0, 0]), ("a;$;b;$;c;$;d;$;e", "", 0, [1, 1]),
            ("a;$;b;$;c;$;d;$;e;$;f", "UNION", 65_035, [0, 0]),
        ]
        for (topics, operation, code, new) in cases {
            let before = await [world.inbox().count, world.inbox(World.tablet).count]
            let fields = ["topics": topics, "topic_op": operation]
            #expect(await world.sendPrivately(fields, path: World.paths.topics).code == code)
            let after = await [world.inbox().count, world.inbox(World.tablet).count]
            #expect(zip(after, before).map { $0 - $1 } == new, "\(topics) \(operation)")
        }
        let list = await world.call("/v1/topic/all", ["registration_id": World.phone], method: .get)
        #expect(list["list"] == ["a", "b"])
        #expect(await join("a", World.phone, "unsubscribe").code == 0)
        #expect(await world.simulator.snapshot(of: World.phone)?.tags == ["b"])
        #expect(await world.call("/v1/topic/all", ["registration_id": "x"], method: .get).code == 10_029)
    }

    @Test("a device has 30 topics; aliases join by their devices")
    func manyTopics() async {
        let world = World()
        for number in 1...31 {
            let answer = await world.call("/v2/topic/subscribe/alias", ["topic": "t\(number)", "aliases": "bob"])
            #expect(answer.code == (number == 31 ? 20_215 : 0))
        }
        #expect(await world.simulator.snapshot(of: World.tablet)?.tags.count == 30)
        #expect(await world.simulator.snapshot(of: World.phone)?.tags.isEmpty == true)
    }

    @Test("a scheduled message goes out at its time, unless it was deleted")
    func schedules() async {
        let world = World()
        func at(_ seconds: Double) -> [String: String] {
            ["time_to_send": String(Int(world.now.addingTimeInterval(seconds).timeIntervalSince1970 * 1000))]
        }
        func job(_ call: String, _ id: String?) async -> Int? { await world.call(call, ["job_id": id ?? ""]).code }
        let kept = await world.sendPrivately(at(3600)).id
        let deleted = await world.sendPrivately(at(3600)).id
        #expect(await world.sendPrivately(at(7 * 86_400 + 1)).code == 10_017)
        #expect(await job("/v2/schedule_job/exist", deleted) == 0)
        #expect(await job("/v2/schedule_job/delete", deleted) == 0)
        #expect(await job("/v2/schedule_job/exist", deleted) == 65_028)
        #expect(await job("/v3/schedule_job/delete", deleted) == 20_315)
        #expect(await world.inbox().isEmpty)
        world.pass(3600)
        #expect(await job("/v2/schedule_job/exist", kept) == 65_028)
        #expect(await world.inbox().map(\.messageID) == [kept])
    }

    @Test("a phone gets everything that a message has")
    func content() async {
        let world = World()
        await world.simulator.addAlias("cat", to: World.phone)
        for (path, device, list) in [
            ("alias", World.phone, ["ann", "cat"]), ("account", World.tablet, ["bob@example.com"]),
        ] as [(String, String, [JSONValue])] {
            let answer = await world.call("/v1/\(path)/all", ["registration_id": device], method: .get)
            #expect(answer["list"] == .array(list))
        }
        await world.sendPrivately([
            "notify_type": "1", "notify_id": "7", "payload": PercentEncoding.encode(#"{"order":7}"#), "extra.own": "v",
            "extra.sound_uri": "bell", "extra.badge": "3", "extra.notify_foreground": "0",
            "extra.notify_effect": "2", "extra.intent_uri": "intent:#Intent;end",
        ])
        let message = await world.inbox().first
        #expect(message?.title == "Title" && message?.alert == "Text" && message?.sound == "bell")
        #expect(message?.extras == ["order": 7, "own": "v"] && message?.badge == 3)
        #expect(message?.tap == .intentURI("intent:#Intent;end") && message?.collapseID == "7")
        #expect(message?.goesToOpenApp == true && message?.channel == "orders")
        #expect(await world.simulator.snapshot(of: World.phone)?.badge == 3)
    }

    @Test("an answer to an open question is a setting")
    func settings() async {
        let world = World { _, settings in
            settings.errorStatus = 400
            settings.cutsLongLives = true
            settings.jobKeyMemory = 60
            settings.demandsNotifyEffect = false
        }
        #expect(await world.send(["title": ""]).status == 400)
        #expect(await world.send(["time_to_live": "864000000", "extra.notify_effect": ""]).code == 0)
        for text in ["one", "two"] { await world.sendPrivately(["extra.jobkey": "k", "description": text]) }
        world.pass(60)
        await world.sendPrivately(["extra.jobkey": "k", "description": "three"])
        #expect(await world.inbox().map(\.alert) == ["Text", "one", "three"])
    }

    @Test("the quotas of an app are its rate and the day's deliveries of two classes")
    func quotas() async {
        let world = World()
        await world.send()
        let left = await world.simulator.quotas(at: world.now).filter { $0.name.hasSuffix(World.package) }
        #expect(left.map(\.limit) == [500, 10_000, 20_000] && left.map(\.remaining) == [499, 9_999, 20_000])
    }

    @Test("the day's quota may be read once a second")
    func reads() async {
        let world = World()
        for code in [0, 10_032] {
            #expect(await world.call("/v1/trace/quota/get", [:], method: .get).code == code)
        }
        world.pass(1)
        #expect(await world.call("/v1/trace/quota/get", [:], method: .get).code == 0)
    }
}
