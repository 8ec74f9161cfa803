import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing
import VivoSimulator

extension VivoSimulatorTests {
    @Test("a dead target of a single send has a status: unknown, off, or long away")
    func statuses() async {
        func status(_ world: World, _ fields: [String: JSONValue] = [:]) async -> JSONValue? {
            let answer = await world.send(fields)
            return answer.code == 10_302 ? answer.json["invalidUser"]?["status"] : answer.json["result"]
        }
        let world = await World()
        #expect(await status(world, ["regId": "none"]) == 1)
        #expect(await status(world, ["regId": .string(World.foreign)]) == 1)
        for alias: JSONValue in ["none", "kim"] {
            #expect(await status(world, ["regId": .null, "alias": alias]) == 1)
        }
        await world.simulator.setGone(true, World.phone)
        #expect(await status(world) == 2)
        await world.simulator.setGone(false, World.phone)
        await world.simulator.setPushOff(true, World.phone)
        #expect(await status(world) == 2)
        await world.simulator.setPushOff(false, World.phone)
        await world.simulator.setOnline(false, World.phone, at: world.now)
        world.pass(14 * 86_400)
        await world.renew()
        #expect(await status(world) == 0)
        world.pass(1)
        #expect(await status(world) == 3)
        #expect(await world.inbox().isEmpty)
    }

    @Test("a device that cannot be pushed now may have a code of its own; an unknown one and a stranger have a status")
    func notNow() async {
        let world = await World { _, settings in settings.tellsStatus = false }
        await world.simulator.setPushOff(true, World.phone)
        #expect(await world.send().code == 10_311)
        #expect(await world.send(["regId": "none"]).code == 10_302)
        #expect(await world.send(["regId": .string(World.tablet), "pushMode": 1]).code == 10_302)
    }

    @Test("a regId wins over an alias, and the newest phone keeps an alias")
    func aliases() async {
        let world = await World()
        #expect(await world.send(["alias": "bob"]).code == 0)
        #expect(await world.inbox().count == 1)
        #expect(await world.send(["regId": .null, "alias": "bob"]).code == 0)
        #expect(await world.inbox(World.tablet).count == 1)
        await world.simulator.setAlias("bob", of: World.phone)
        #expect(await world.send(["regId": .null, "alias": "bob"]).code == 0)
        #expect(await world.inbox().count == 2)
        #expect(await world.send(["regId": .null, "alias": "ann"]).code == 10_302)
    }

    static let expressions: [(JSONValue, phone: Bool, tablet: Bool)] = [
        (["orTags": ["vip", "new"]], true, true), (["andTags": ["vip", "new"]], true, false),
        (["orTags": ["new"], "notTags": ["vip"]], false, true), (["andTags": ["new"], "orTags": ["vip"]], true, false),
    ]

    @Test("a condition has any, all and none", arguments: 0..<expressions.count)
    func tags(index: Int) async {
        let (expression, phone, tablet) = Self.expressions[index]
        let world = await World()
        for (tag, ids) in [("vip", [World.phone]), ("new", [World.phone, World.tablet])] {
            let members: JSONValue = .array(ids.map { .string($0) })
            let change = await world.call(
                "/tag/addMembers", ["name": .string(tag), "type": 1, "ids": members])
            #expect(change.code == 0)
        }
        #expect(await world.send(["tagExpression": expression], path: "/message/tagPush").code == 0)
        #expect(await world.inbox().isEmpty != phone)
        #expect(await world.inbox(World.tablet).isEmpty != tablet)
    }

    @Test("a condition that only excludes, and a tag that does not exist, are refused")
    func tagRefusals() async {
        let world = await World()
        let refused: [JSONValue] = [.null, ["notTags": ["vip"]], ["orTags": ["none"]], ["orTags": []]]
        for expression in refused {
            #expect(await world.send(["tagExpression": expression], path: "/message/tagPush").code == 10_601)
        }
        func join(_ fields: [String: JSONValue]) async -> Int? {
            let all: [String: JSONValue] = ["name": "more", "type": 1, "ids": [.string(World.phone)]]
            return await world.call("/tag/addMembers", all.merging(fields) { $1 }).code
        }
        #expect(await join([:]) == 10_601)
        #expect(await world.call("/tag/add", ["name": "more"]).code == 0)
        #expect(await join(["name": ""]) == 10_609)
        #expect(await join(["type": 3]) == 10_614)
        #expect(await join(["ids": []]) == 10_616)
        #expect(await join(["ids": .array(Array(repeating: "r", count: 1001))]) == 10_616)
        #expect(await join([:]) == 0)
        #expect(await join(["type": 2, "ids": ["bob"]]) == 0)
        for device in [World.phone, World.tablet] {
            #expect(await world.simulator.snapshot(of: device)?.tags == ["more"])
        }
        let leave: [String: JSONValue] = ["name": "more", "type": 2, "ids": ["ann", "none"]]
        #expect(await world.call("/tag/removeMembers", leave).code == 0)
        #expect(await world.simulator.snapshot(of: World.phone)?.tags == [])
    }

    @Test("everyone gets a message once a day, and not the phones of another app")
    func everyone() async {
        let world = await World()
        #expect(await world.send(path: "/message/all").code == 0)
        for device in [World.phone, World.tablet] { #expect(await world.inbox(device).count == 1) }
        #expect(await world.inbox(World.foreign).isEmpty)
        #expect(await world.send(path: "/message/all").code == 10_254)
        #expect(await world.send().code == 0)
        world.pass(57_600)
        #expect(await world.send(path: "/message/all").code == 0)
        #expect(await world.inbox().count == 3)
    }

    @Test("a repeated requestId is dropped or sent again; no document shows which", arguments: [false, true])
    func repeats(isDropped: Bool) async {
        let world = await World { _, settings in settings.dropsRepeats = isDropped }
        let ids = [await world.send(), await world.send()].map(\.task)
        #expect((ids.first == ids.last) == isDropped)
        #expect(await world.inbox().count == (isDropped ? 1 : 2))
        await world.send(["requestId": "r9"])
        #expect(await world.inbox().count == (isDropped ? 2 : 3))
    }

    @Test("a refused request uses up no requestId")
    func refusedRepeat() async {
        let world = await World { _, settings in settings.dropsRepeats = true }
        #expect(await world.send(["regId": "none"]).code == 10_302)
        #expect(await world.send().code == 0)
        #expect(await world.inbox().count == 1)
    }
}
