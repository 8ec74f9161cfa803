import Foundation
import HonorSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// Deliveries to devices, and the other readings of the responses.
extension HonorSimulatorTests {
    @Test("errors may have the status 200, codes may be texts, and sendResult may be false or missing")
    func readings() async {
        let world = World { _, settings in
            (settings.usesStatuses, settings.writesCodesAsText, settings.successCode) = (false, true, 80_000_000)
            settings.sendResult = false
        }
        let refused = await world.call(World.body(), bearer: "unknown")
        #expect(refused.status == 200 && refused.json["code"] == "401")
        let sent = await world.send()
        #expect(sent.json["code"] == "80000000" && sent.json["data"]?["sendResult"] == false)
        #expect(await world.inbox().isEmpty)
        #expect(await world.simulator.sendCount == 0)
        let silent = World { _, settings in settings.sendResult = nil }
        let answer = await silent.send()
        #expect(answer.code == 200 && answer.json["data"]?["sendResult"] == nil)
        #expect(await silent.inbox().count == 1)
    }

    @Test("an app needs the right for messages without a notification")
    func passThrough() async {
        let (world, body) = (World(), #"{"data":"text","token":["phone-token"]}"#)
        #expect(await world.result(world.call(body)) == 1)
        await world.simulator.change("104411") { $0.mayPassThrough = false }
        #expect(await world.call(body).code == 80_200_022)
        #expect(await world.send().code == 200)
    }

    @Test("a phone gets everything that a message has")
    func content() async {
        let world = World()
        let data = #""data":"{\"order\":7}","#
        await world.call(
            World.body(
                #""tag":"t","notifyId":4,"badge":{"badgeClass":"c","setNum":7},"image":"https://x/a.png","group":"g","#
                    + #""clickAction":{"type":1,"action":"com.example.ORDER"}"#, data: data))
        await world.send(
            #""badge":{"badgeClass":"c","addNum":2},"clickAction":{"type":2,"url":"https://x"},"notifyId":4"#)
        await world.send(#""notifyId":-1,"clickAction":{"type":1,"intent":"intent:#x"}"#)
        for data in ["hello", #"{\"content\":\"c\",\"n\":1}"#] {
            await world.call(#"{"data":"\#(data)",\#(World.list([World.phone]))}"#)
        }
        let inbox = await world.inbox()
        #expect(inbox.map(\.collapseID) == ["t", "4", nil, nil, nil])
        #expect(inbox.map(\.badge) == [7, 9, nil, nil, nil])
        #expect(
            inbox.prefix(3).map(\.tap) == [
                .intentAction("com.example.ORDER"), .link("https://x"), .intentURI("intent:#x"),
            ])
        #expect(inbox[0].image == "https://x/a.png" && inbox[0].thread == "g" && inbox[0].extras == ["order": 7])
        #expect(inbox[0].title == "T" && inbox[0].alert == "B")
        #expect(inbox.map(\.custom?.content) == [nil, nil, nil, "hello", "c"] && inbox[4].custom?.extras == ["n": 1])
    }

    @Test("texts and pictures may stand in the common notification")
    func common() async {
        let world = World()
        let body =
            #"{"notification":{"title":"T","body":"B","image":"https://x"},"token":["phone-token"],"android":"#
            + #"{"notification":{"title":"own","clickAction":{"type":3},"importance":"NORMAL"}}}"#
        #expect(await world.call(body).code == 200)
        let inbox = await world.inbox()
        #expect(inbox.map(\.title) == ["own"] && inbox.map(\.alert) == ["B"] && inbox.map(\.image) == ["https://x"])
    }

    @Test("a message waits for a phone as long as its ttl; a phone without the app gets nothing")
    func waiting() async {
        let world = World()
        await world.simulator.setOnline(false, World.phone, at: world.now)
        await world.send(#""tag":"short""#, android: #""ttl":"60s""#)
        let long = await world.send(#""tag":"long""#)
        let passed = await world.call(#"{"data":"text","token":["phone-token"]}"#)
        #expect(await world.result(long) == nil)
        #expect(await world.result(passed) == 0)
        world.pass(60)
        await world.simulator.setOnline(true, World.phone, at: world.now)
        #expect(await world.inbox().map(\.collapseID) == ["long", nil])
        #expect(await world.result(long) == 2)
        #expect(await world.result(passed) == 1)
        await world.simulator.setResult(3, of: World.phone)
        #expect(await world.result(world.send()) == 3)
        #expect(await world.inbox().count == 2)
        await world.simulator.setResult(nil, of: World.phone)
        #expect(await world.result(world.send()) == 2)
    }

    @Test("a new phone joins the first app; a failure of the vendor has its form")
    func newcomers() async {
        let world = World()
        await world.simulator.install(VirtualDevice("new", .android))
        #expect(await world.send(to: ["new"]).code == 200)
        let phones: any ConnectableSimulator = world.simulator
        for (id, isKnown) in [("104411", true), ("1", false), (nil, true)] {
            #expect(await phones.hasApp(id: id, key: nil, for: .android) == isKnown)
        }
        let request = SimulatedRequest(method: .post, path: World.path, query: "", headers: [:], body: [])
        #expect(world.simulator.failed(status: 500, for: request).body.isEmpty == false)
        #expect(world.simulator.failed(status: 502, for: request).status == 502)
        #expect(world.simulator.throttled(reset: 9, for: request).status == 503)
    }
}
