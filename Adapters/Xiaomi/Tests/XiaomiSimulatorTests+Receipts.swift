import Foundation
import PushAdapter
import PushSimulation
import Testing
import XiaomiSimulator

extension XiaomiSimulatorTests {
    private static let callback = ["extra.callback": "https://backend.example/x"]

    private static func asking(_ type: Int?, _ fields: [String: String] = [:]) -> [String: String] {
        var all = callback.merging(fields) { $1 }
        if let type { all["extra.callback.type"] = String(type) }
        return all
    }

    @Test(
        "S15: the types of receipts are a sum; adding 3 to 1 or 2 gets none", arguments: [nil, 1, 2, 3, 243, 4, 5, 246])
    func sums(type: Int?) async {
        let world = World()
        let id = await world.send(Self.asking(type)).id ?? ""
        for _ in 0..<2 { await world.simulator.note(.opened(id), from: World.phone, at: world.now) }
        await world.simulator.note(.opened("other"), from: World.phone, at: world.now)
        let expected: [Int] =
            switch type {
            case nil, 3, 243: [1, 2]
            case 1: [1]
            case 2: [2]
            default: []
            }
        #expect(await world.receipts().map(\.type) == expected)
    }

    @Test("S15: a receipt names its message and targets in a form, one second later")
    func rows() async throws {
        let world = World()
        let fields = Self.asking(
            17,
            [
                "registration_id": "\(World.phone),x,\(World.tablet),y", "extra.callback.param": "p&1",
                "extra.jobkey": "k",
            ])
        let id = try #require(await world.send(fields).id)
        #expect(await world.simulator.takeCallbacks(9, at: world.now).isEmpty)
        world.pass(1)
        let calls = await world.simulator.takeCallbacks(9, at: world.now)
        #expect(calls.allSatisfy { $0.contentType == "application/x-www-form-urlencoded" })
        #expect(calls.allSatisfy { $0.url == "https://backend.example/x" })
        func row(_ type: Int, _ targets: String) -> JSONValue {
            [
                id: [
                    "param": "p&1", "type": JSONValue(integerLiteral: type), "targets": .string(targets), "jobkey": "k",
                    "barStatus": "Enable", "timestamp": 1_795_737_600_000, "extra": [:],
                ]
            ]
        }
        let bodies = calls.map { String(decoding: $0.body, as: UTF8.self).dropFirst("data=".count) }
        let data = try bodies.compactMap { PercentEncoding.decode($0) }.map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(data == [row(16, "x,y"), row(1, "\(World.phone),\(World.tablet)")])
    }

    @Test("S15: only receipts tell of removed apps, long absences, closed push, filters and lives that end")
    func reasons() async {
        let world = World { _, settings in settings.regIDDays = 30 }
        let ask = Self.asking(1024 + 64 + 32 + 16 + 1)
        await world.simulator.setGone(true, World.phone, at: world.now)
        #expect(await world.sendPrivately(ask).code == 0)
        await world.simulator.setGone(false, World.phone, at: world.now)
        await world.simulator.setPushOff(true, World.phone)
        await world.sendPrivately(ask)
        await world.simulator.setPushOff(false, World.phone)
        await world.simulator.setTrait("model", "m1", of: World.phone)
        await world.sendPrivately(ask.merging(["extra.model": "m2,m3"]) { $1 })
        await world.sendPrivately(ask.merging(["extra.model_not_in": "m1"]) { $1 })
        await world.sendPrivately(ask.merging(["extra.model": "m1,m2"]) { $1 })
        #expect(await world.receipts().map(\.type) == [16, 32, 64, 64, 1])
        await world.simulator.setOnline(false, World.phone, at: world.now)
        await world.sendPrivately(ask.merging(["time_to_live": "60000"]) { $1 })
        await world.sendPrivately(ask.merging(["extra.only_send_once": "1"]) { $1 })
        world.pass(58)
        #expect(await world.receipts().isEmpty)
        world.pass(1)
        #expect(await world.receipts().map(\.type) == [1024])
        world.pass(31 * 86_400)
        await world.sendPrivately(ask)
        #expect(await world.receipts().map(\.type) == [16])
        #expect(await world.inbox().count == 1)
    }

    @Test("receipts name an alias or account as the message did; topics and everyone get none")
    func names() async {
        let world = World { app, _ in app.receiptURL = "https://console.example" }
        await world.sendPrivately(["alias": "bob"], path: World.paths.alias)
        await world.sendPrivately(["user_account": "bob@example.com"], path: World.paths.account)
        await world.sendPrivately(path: World.paths.all)
        #expect(await world.receipts().map(\.targets) == ["bob", "bob@example.com"])
        #expect(await world.inbox(World.tablet).count == 3)
        await world.sendPrivately(["alias": "ann,bob"], path: World.paths.alias)
        #expect(await world.inbox(World.tablet).count == 4)
    }

    @Test("a receipt does not come again; 406 ends the receipts of an address")
    func endedReceipts() async {
        let world = World()
        for (status, count) in [(500, 1), (nil, 1), (406, 1), (200, 0)] as [(Int?, Int)] {
            await world.sendPrivately(Self.asking(1))
            #expect(await world.receipts(answer: status).count == count)
            #expect(await world.simulator.nextCallback() == nil)
        }
    }
}
