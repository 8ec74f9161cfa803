import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing
import VivoSimulator

/// Lists: one call stores a message, another sends it.
extension VivoSimulatorTests {
    private static let both: [String] = [World.phone, World.tablet]
    private static func ids(_ count: Int) -> [String: JSONValue] {
        ["regIds": .array((both + (0..<count).map { "r\($0)" }).prefix(count).map { .string($0) })]
    }

    static let lists: [(code: Int, fields: [String: JSONValue])] = [
        (0, ["appId": .null]), (10_094, ["appId": JSONValue(World.bank)]), (10_151, ["taskId": .null]),
        (10_152, ["taskId": "1"]), (10_150, ["regIds": .null]), (10_150, ["regIds": "regid-a"]), (10_150, ids(0)),
        (10_153, ids(1)), (0, ids(2)), (0, ids(1000)), (10_154, ids(1001)), (10_352, ["requestId": .null]),
        (0, ["requestId": .string(String(repeating: "r", count: 64))]),
        (10_353, ["requestId": .string(String(repeating: "r", count: 65))]),
        (0, ["regIds": .null, "aliases": ["ann", "bob"]]), (0, ["aliases": ["none", "kim"]]),
    ]

    @Test("each rule of a list has its code; a list has 2 to 1,000 targets", arguments: 0..<lists.count)
    func listRules(index: Int) async {
        let (code, fields) = Self.lists[index]
        let world = await World()
        #expect(await world.sendList(Self.both, fields).code == code, "\(fields)")
        for device in Self.both { #expect(await world.inbox(device).count == (code == 0 ? 1 : 0)) }
    }

    @Test("a list names the targets that get nothing, in one of two fields", arguments: ["invalidUsers", "data"])
    func listRows(field: String) async {
        let world = await World { app, settings in
            (app.testDevices, settings.listsInData) = ([World.tablet], field == "data")
        }
        await world.simulator.setGone(true, World.tablet)
        func rows(_ ids: [String], _ fields: [String: JSONValue] = [:]) async -> JSONValue? {
            await world.sendList(ids, task: world.store(fields).task).json[field]
        }
        let gone: JSONValue = ["status": 2, "userid": .string(World.tablet)]
        #expect(await rows(["none", World.phone, World.tablet]) == [["status": 1, "userid": "none"], gone])
        #expect(await rows([World.phone, World.phone]) == nil)
        #expect(await world.inbox().count == 2)
        #expect(await rows(Self.both, ["pushMode": 1]) == [["status": 4, "userid": .string(World.phone)], gone])
        await world.simulator.setGone(false, World.tablet)
        await world.simulator.setOnline(false, World.tablet, at: world.now)
        world.pass(14 * 86_400 + 1)
        await world.renew()
        #expect(await rows(Self.both) == [["status": 3, "userid": .string(World.tablet)]])
        #expect(await world.inbox(World.tablet).isEmpty)
    }

    @Test("a stored message can be sent for its time to live, by its app, at its hours")
    func storedLife() async {
        let world = await World()
        #expect(await world.store(["timeToLive": 899]).code == 10_059)
        let task = await world.store(["timeToLive": 900]).task
        world.pass(899)
        #expect(await world.sendList(Self.both, task: task).code == 0)
        let bank = await world.authenticate(["appId": JSONValue(World.bank), "appKey": "key"]).json["authToken"]
        let list: [String: JSONValue] = ["taskId": .string(task), "regIds": ["a", "b"], "requestId": "r3"]
        #expect(await world.call("/message/pushToList", list, token: bank?.stringValue).code == 10_152)
        world.pass(1)
        #expect(await world.sendList(Self.both, task: task).code == 10_155)
        world.pass(53_099)
        let sale = await world.store(World.sale.merging(["timeToLive": 86_400]) { $1 }).task
        world.pass(1)
        #expect(await world.sendList(Self.both, task: sale).code == 10_071)
        #expect(await world.store(World.sale).code == 10_071)
        world.pass(28_800)
        #expect(await world.sendList(Self.both, task: sale).code == 0)
    }

    @Test("lists count arrivals, and after the day's total neither call works")
    func listTotals() async {
        let world = await World { app, settings in (settings.leastDevices, app.systemFactor) = (1, 3) }
        let task = await world.store().task
        await world.simulator.setPushOff(true, World.tablet)
        #expect(await world.sendList(Self.both, task: task).code == 0)
        await world.simulator.setPushOff(false, World.tablet)
        #expect(await world.sendList([World.tablet, "none"], task: task).code == 0)
        let row: JSONValue = ["taskId": .string(task), "send": 2, "receive": 2, "display": 2, "click": 0]
        #expect(await world.statistics(task).json["statistics"] == [row])
        let last = await world.store().task
        #expect(await world.sendList(Self.both, task: last).code == 0)
        #expect(await world.simulator.reason(for: last, on: World.tablet) == 11_001)
        #expect(await world.sendList(Self.both, task: last).code == 10_073)
        #expect(await world.store().code == 10_073)
        #expect(await world.simulator.callsAfterQuota(of: World.shop, at: world.now) == 1)
    }

    @Test("a repeated requestId of a list is dropped or sent again", arguments: [false, true])
    func repeatedList(isDropped: Bool) async {
        let world = await World { _, settings in settings.dropsRepeats = isDropped }
        for _ in 0..<2 {
            let answer = await world.sendList(Self.both)
            #expect(answer.code == 0 && answer.json["requestId"] == "r2")
        }
        for device in Self.both { #expect(await world.inbox(device).count == (isDropped ? 1 : 2)) }
    }
}
