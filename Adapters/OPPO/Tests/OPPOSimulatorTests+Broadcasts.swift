import Foundation
import OPPOSimulator
import PushAdapter
import PushSimulation
import Testing

extension OPPOSimulatorTests {
    // MARK: Broadcasts

    private func store(_ world: World, _ fields: [String: String] = [:]) async -> World.Answer {
        let all = ["title": "商店", "content": "上新", "style": "3"].merging(fields) { $1 }
        return await world.call(World.message + "/save_message_content", all)
    }

    private func broadcast(_ world: World, _ id: String?, _ type: Int, _ value: String = "") async -> World.Answer {
        let fields = ["message_id": id ?? "", "target_type": String(type), "target_value": value]
        return await world.call(World.message + "/broadcast", fields)
    }

    @Test("a stored message goes to everyone, each time anew; an unknown one is not there")
    func broadcasts() async {
        let world = World()
        #expect(await broadcast(world, "none", 1).code == 31)
        let id = await store(world).id
        let answers = [await broadcast(world, id, 1), await broadcast(world, id, 1)]
        #expect(answers.map(\.code) == [0, 0] && answers.map(\.id) == [id, id])
        #expect(answers[0].data?["task_id"] != answers[1].data?["task_id"])
        for device in [World.phone, World.tablet] { #expect(await world.inbox(device).count == 2) }
        #expect(await world.inbox(World.foreign).isEmpty)
        let other = [
            "message_id": id ?? "", "target_type": "1", "auth_token": await world.newToken(as: ("other", "s")),
        ]
        #expect(await world.call(World.message + "/broadcast", other).code == 31)
    }

    @Test("the response to a list has wrong ids, and repeated ones, under their codes")
    func lists() async {
        let world = World()
        let id = await store(world, ["call_back_url": "https://backend.example/x"]).id
        let list = [World.phone, "x", World.phone, World.tablet, World.foreign].joined(separator: ";")
        let answer = await broadcast(world, id, 2, list)
        #expect(answer.code == 0 && answer.data?["10000"] == .array([.string("x"), .string(World.foreign)]))
        #expect(answer.data?["10004"] == .array([.string(World.phone)]))
        #expect(await world.inbox().count == 1)
        let rows = await world.receipts()
        #expect(rows.count == 1 && rows[0].count == 1)
        #expect(rows.first?.first?["registrationIds"] == .string("\(World.phone), \(World.tablet)"))
        await world.simulator.setGone(true, World.tablet, at: world.now)
        _ = await broadcast(world, id, 2, "\(World.phone);\(World.tablet)")
        _ = await broadcast(world, id, 1)
        // None for everyone.
        #expect(await world.events() == ["push_arrive", "regid_invalid"])
        #expect(await broadcast(world, id, 5, "ann;bob").data?["10000"] == ["bob"])
        #expect(await broadcast(world, id, 2, (0...1000).map { "x\($0)" }.joined(separator: ";")).code == 41)
        #expect(await broadcast(world, id, 7, "x").code == 41)
    }

    @Test("the same id of a message is stored once", arguments: [0, 32])
    func storedOnce(code: Int) async {
        let world = World { _, settings in settings.repeatAnswer = code == 0 ? .firstID : .duplicate }
        let answers = [
            await store(world, ["app_message_id": "m1"]), await store(world, ["app_message_id": "m1"]),
        ]
        #expect(answers.map(\.code) == [0, code])
        #expect(answers[1].id == (code == 0 ? answers[0].id : nil))
    }

    @Test(
        "tags select devices by any, all and none",
        arguments: [
            (#"{"or":["a","b"]}"#, [1, 1]), (#"{"and":["a","b"]}"#, [1, 0]), (#"{"or":["a"],"not":["b"]}"#, [0, 1]),
            (#"{"or":["c"]}"#, [0, 0]),
        ])
    func tags(value: String, counts: [Int]) async {
        let world = World()
        _ = await device(world, "subscribe_tags", ["registration_id": .string(World.phone), "tags": ["a", "b"]])
        _ = await device(world, "add_tags", ["registration_id": .string(World.tablet), "tags": "a"])
        #expect(await broadcast(world, await store(world).id, 6, value).code == 0)
        #expect([await world.inbox().count, await world.inbox(World.tablet).count] == counts)
    }

    // MARK: Aliases and tags

    private func device(_ world: World, _ name: String, _ fields: [String: JSONValue]) async -> World.Answer {
        let token = await world.newToken()
        let body = JSONValue.object(fields.merging(["auth_token": .string(token)]) { $1 })
        return await world.post("/server/v1/device/\(name)", JSONWriter.bytes(of: body))
    }

    @Test("an alias has one device, the newest, and may be a target")
    func aliases() async {
        let world = World()
        #expect(await world.send(to: "ann", type: 5).code == 0)
        #expect(await world.inbox(World.tablet).count == 1)
        let fields: [String: JSONValue] = ["registration_id": .string(World.phone), "alias": "ann"]
        #expect(await device(world, "set_alias", fields).code == 0)
        #expect(await world.simulator.snapshot(of: World.tablet)?.alias == nil)
        #expect(await world.sendBatch([World.row("ann", type: 5), World.row("bob", type: 5)]).rows == [0, 10_000])
        #expect(await world.inbox().count == 1)
        #expect(await device(world, "delete_alias", ["alias": "ann"]).code == 0)
        #expect(await world.send(to: "ann", type: 5).code == 10_000)
        for (alias, code) in [
            (String(repeating: "名", count: 64), 0), (String(repeating: "名", count: 65), 41), ("a;b", 41),
        ] {
            #expect(await device(world, "set_alias", fields.merging(["alias": .string(alias)]) { $1 }).code == code)
        }
    }

    @Test("tags join and leave a device of the app")
    func changes() async {
        let world = World()
        let fields: [String: JSONValue] = ["registration_id": .string(World.phone), "tags": "a;b"]
        #expect(await device(world, "subscribe_tags", fields).code == 0)
        #expect(await device(world, "unsubscribe_tags", fields.merging(["tags": ["b"]]) { $1 }).code == 0)
        #expect(await world.simulator.snapshot(of: World.phone)?.tags == ["a"])
        #expect(await device(world, "subscribe_tags", ["registration_id": .string(World.phone)]).code == 40)
        let foreign = fields.merging(["registration_id": .string(World.foreign)]) { $1 }
        #expect(await device(world, "subscribe_tags", foreign).code == 10_000)
    }
}
