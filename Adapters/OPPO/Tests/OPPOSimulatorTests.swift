import Foundation
import OPPOSimulator
import PushAdapter
import PushSimulation
import Testing

/// The simulator alone: forms in, responses and screens out.
@Suite("OPPO simulator")
struct OPPOSimulatorTests {
    typealias World = SimulatedOPPO
    private static let unicast = World.message + "/unicast"

    @Test("only POST is a method, and an unknown path has no answer")
    func methods() async {
        let world = World()
        let answer = await world.post(Self.unicast, [:], method: .get)
        #expect(answer.status == 200 && answer.code == 12)
        #expect(await world.call("/server/v1/message/none", [:]).status == 404)
        #expect(await world.post(Self.unicast, Array("message=%zz".utf8)).code == 25)
    }

    @Test("a token is needed, lasts a day, and may be in the form or in a header field")
    func tokens() async throws {
        let world = World()
        let message = World.text(World.row())
        #expect(await world.post(Self.unicast, ["message": message]).code == 29)
        #expect(await world.post(Self.unicast, ["message": message, "auth_token": "x"]).code == 11)
        let token = await world.newToken()
        let name = try #require(HTTPField.Name("auth_token"))
        let strict = World { _, settings in settings.takesHeaderTokens = false }
        let other = await strict.newToken()
        #expect(await world.post(Self.unicast, ["message": message], headers: [name: token]).code == 0)
        #expect(await strict.post(Self.unicast, ["message": message], headers: [name: other]).code == 29)
        let form = ["message": message, "auth_token": token]
        world.pass(86_399)
        #expect(await world.post(Self.unicast, form).code == 0)
        world.pass(1)
        #expect(await world.post(Self.unicast, form).code == 11)
        #expect(await world.simulator.tokenCount == 1)
    }

    @Test("a token ends early, or with the next one, or with the app")
    func endedTokens() async {
        for endsOthers in [false, true] {
            let world = World { _, settings in settings.newTokenEndsOthers = endsOthers }
            let form = ["message": World.text(World.row()), "auth_token": await world.newToken()]
            _ = await world.newToken()
            #expect(await world.post(Self.unicast, form).code == (endsOthers ? 11 : 0))
            await world.simulator.endTokens()
            #expect(await world.post(Self.unicast, form).code == 11)
            await world.simulator.change(World.key) { $0.isOn = false }
            let late = form.merging(["auth_token": await world.newToken()]) { $1 }
            #expect(await world.post(Self.unicast, late).code == 28)
        }
    }

    @Test(
        "each wrong or missing part of a sign-in has its code",
        arguments: [
            ("app_key", "wrong", 14), ("app_key", "", 15), ("sign", "wrong", 16), ("sign", "", 17),
            ("timestamp", "1795737600001", 16), ("timestamp", "", 18), ("other", "x", 0),
        ])
    func signIn(name: String, value: String, code: Int) async {
        #expect(await World().authenticate([name: value]).code == code)
    }

    @Test(
        "the clock of a caller may be ten minutes off",
        arguments: [(-601.0, 19), (-600, 0), (0, 0), (600, 0), (601, 19)])
    func clock(offset: Double, code: Int) async {
        let world = World()
        let answer = await world.authenticate(at: world.now.addingTimeInterval(offset))
        #expect(answer.code == code)
        #expect(answer.data?["create_time"]?.intValue == (code == 0 ? 1_795_737_600_000 : nil))
    }

    @Test("a signature is as in the example")
    func signature() async {
        let world = World()
        let sign = "e9b1991efc0918d3c88d8e4b5dc96a64e50865539cfb8f967b43936cfcc657c8"
        world.pass(1_795_132_800 - world.now.timeIntervalSince1970)
        #expect(await world.authenticate(["timestamp": "1795132800000", "sign": sign]).code == 0)
    }

    private static func long(_ count: Int) -> JSONValue { .string(String(repeating: "文", count: count)) }
    static let rules: [(code: Int, fields: [String: JSONValue])] = [
        (0, ["title": long(50)]), (41, ["title": long(51)]), (40, ["title": .null]), (40, ["title": ""]),
        (0, ["content": long(50)]), (41, ["content": long(51)]), (40, ["content": .null]),
        (0, ["style": 2, "content": long(128)]), (41, ["style": 2, "content": long(129)]),
        (41, ["style": 4, "content": long(51)]), (41, ["style": 3]), (41, ["style": 5]), (41, ["style": "long"]),
        (0, ["sub_title": long(10)]), (41, ["sub_title": long(11)]),
        (40, ["click_action_type": 1]), (40, ["click_action_type": 2]), (41, ["click_action_type": 3]),
        (40, ["click_action_type": 4]), (40, ["click_action_type": 5]),
        (0, ["click_action_type": 4, "click_action_activity": long(500)]),
        (41, ["click_action_type": 4, "click_action_activity": long(501)]),
        (0, ["click_action_type": 2, "click_action_url": long(2000)]),
        (41, ["click_action_type": 2, "click_action_url": long(2001)]),
        (0, ["action_parameters": #"{"a":1}"#]), (41, ["action_parameters": "[1]"]),
        (41, ["action_parameters": .string(#"{"a":""# + String(repeating: "x", count: 4000) + #""}"#)]),
        (0, ["off_line_ttl": 864_000]), (41, ["off_line_ttl": 864_001]), (41, ["off_line": "no"]),
        (0, ["show_ttl": 43_200]), (41, ["show_ttl": 43_201]), (41, ["network_type": 2]),
        (0, ["category": "ORDER", "show_ttl": 86_400]), (41, ["category": "ORDER", "show_ttl": 86_401]),
        (40, ["show_time_type": 1]), (41, ["show_time_type": 1, "show_start_time": 1, "show_end_time": 1]),
        (41, ["notify_id": -1]), (41, ["notify_level": 3]), (41, ["category": "order"]),
        (0, ["call_back_url": long(200)]), (41, ["call_back_url": long(201)]),
        (0, ["call_back_parameter": long(100)]), (41, ["call_back_parameter": long(101)]),
        (59, ["buttons": []]), (59, ["big_picture_url": "https://example.com/a.png"]),
    ]

    @Test("each rule of a field has its code", arguments: 0..<rules.count)
    func fields(index: Int) async {
        let (code, fields) = Self.rules[index]
        let world = World()
        #expect(await world.send(fields).code == code, "\(fields)")
        #expect(await world.inbox().count == (code == 0 ? 1 : 0))
    }

    @Test("a call without a message, with broken JSON, or with two targets is refused")
    func broken() async {
        let world = World()
        #expect(await world.call(Self.unicast, [:]).code == 40)
        for text in ["{", "[]", "7"] { #expect(await world.call(Self.unicast, ["message": text]).code == 41) }
        for separator in [";", ","] {
            #expect(await world.send(to: World.phone + separator + World.tablet).code == 41)
        }
        #expect(await world.send(to: World.phone, type: 3).code == 41)
        // JSON belongs into a field of a form.
        let body: JSONValue = ["message": World.row(), "auth_token": .string(await world.newToken())]
        #expect(await world.post(Self.unicast, JSONWriter.bytes(of: body)).code == 29)
        #expect(await world.inbox().isEmpty)
    }

    @Test("an id that is unknown, of another app, or of another region is wrong, alone and in a batch")
    func wrongIDs() async {
        let (wrong, good) = (["x", World.foreign, World.abroad], [World.phone, World.tablet, World.old])
        let world = World()
        for id in wrong { #expect(await world.send(to: id).code == 10_000) }
        for id in good { #expect(await world.send(to: id).code == 0) }
        let batch = await world.sendBatch((wrong + good).map { World.row($0) })
        #expect(batch.code == 0 && batch.rows == [10_000, 10_000, 10_000, 0, 0, 0])
        #expect(batch.data?.arrayValue?.map { $0["registrationId"] } == (wrong + good).map { .string($0) })
        #expect(batch.data?.arrayValue?.allSatisfy { $0["messageId"] != nil } == true)
        #expect(await world.inbox().count == 2)
        let intl = World(region: .abroad)
        #expect(
            await intl.sendBatch((good + [World.abroad]).map { World.row($0) }).rows == [10_000, 10_000, 10_000, 0])
    }

    @Test("a batch has 1 to 1,000 rows, and a fault of one message refuses all", arguments: [0, 1, 1000, 1001])
    func batches(count: Int) async {
        let world = World()
        let rows = (0..<count).map { World.row("x\($0)") }
        #expect(await world.sendBatch(rows).code == ((1...1000).contains(count) ? 0 : 41))
        #expect(await world.sendBatch([World.row(), World.row(with: ["title": .null])]).code == 40)
        #expect(await world.inbox().isEmpty)
    }

    @Test("a level needs a category and a right")
    func levels() async {
        let world = World()
        #expect(await world.send(["notify_level": 2]).code == 67)
        #expect(await world.sendOrder(["notify_level": 16]).code == 67)
        #expect(await world.sendOrder(["notify_level": 2]).code == 0)
    }

    @Test("an unknown channel hides a message, or is refused")
    func channels() async {
        let world = World()
        let strict = World { _, settings in settings.tellsChannelFaults = true }
        for (channel, count, code) in [("none", 0, 41), ("orders", 1, 0), ("chats", 2, 0)] {
            #expect(await world.sendOrder(["channel_id": .string(channel)]).code == 0)
            #expect(await world.inbox().count == count)
            #expect(await strict.sendOrder(["channel_id": .string(channel)]).code == code)
        }
    }

    @Test("a template needs its values, and phones show its wording")
    func templates() async {
        let values: [String: JSONValue] = [
            "title": .null, "content": .null, "private_msg_template_id": "t1",
            "private_title_parameters": #"{"shop":"小店"}"#, "private_content_parameters": ["number": "7"],
        ]
        let faults: [[String: JSONValue]] = [
            ["private_msg_template_id": "t9"], ["private_title_parameters": .null],
            ["private_content_parameters": #"{"number":""}"#],
            ["private_content_parameters": #"{"number":"7","a":"b"}"#],
        ]
        let world = World()
        let silent = World { _, settings in settings.tellsTemplateFaults = false }
        for fault in faults {
            #expect(await world.sendOrder(values.merging(fault) { $1 }).code == 41)
            #expect(await silent.sendOrder(values.merging(fault) { $1 }).code == 0)
        }
        #expect(await silent.inbox().isEmpty)
        #expect(await world.sendOrder(values).code == 0)
        #expect(await world.inbox().map(\.title) == ["小店"])
        #expect(await world.inbox().map(\.alert) == ["订单 7 已发货"])
    }

    @Test("a service category without approval is refused, or is marketing")
    func approval() async {
        #expect(await World().send(["category": "TODO"]).code == 67)
        let lenient = World { app, settings in
            settings.refusesUnapproved = false
            app.marketingPerDevice = 1
        }
        for _ in 0..<2 { #expect(await lenient.send(["category": "TODO"]).code == 0) }
        #expect(await lenient.inbox().count == 1)
    }
}
