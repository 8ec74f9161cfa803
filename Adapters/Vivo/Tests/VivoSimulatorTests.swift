import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing
import VivoSimulator

/// The simulator alone: objects in, responses and screens out.
@Suite("vivo simulator")
struct VivoSimulatorTests {
    typealias World = SimulatedVivo

    static let signings: [(code: Int, fields: [String: JSONValue])] = [
        (0, [:]), (0, ["timestamp": 1_795_737_000_000]), (10_200, ["appId": .null]), (10_201, ["appId": "x"]),
        (10_202, ["appKey": ""]), (10_203, ["timestamp": .null]), (10_204, ["sign": ""]), (10_205, ["appId": 10_009]),
        (10_205, ["appKey": "wrong"]), (10_206, ["sign": "0123456789abcdef0123456789abcdef"]),
        (10_207, ["timestamp": 1_795_736_999_999]), (10_207, ["timestamp": 1_795_738_200_001]),
        (10_207, ["timestamp": "soon"]),
    ]

    @Test("a token needs each part of its request, and a clock within ten minutes", arguments: 0..<signings.count)
    func signing(index: Int) async {
        let (code, fields) = Self.signings[index]
        let answer = await World().authenticate(fields)
        #expect(answer.status == 200 && answer.code == code, "\(fields)")
        #expect((answer.json["authToken"] != nil) == (code == 0))
    }

    @Test("the signature is the one that the documents describe")
    func vector() async {
        let app = VivoApp(
            appID: 10_004, key: "25509283-aaaa-4b9e-83fe-b6e55ac6243e",
            secret: Secret("00112233-4455-6677-8899-aabbccddeeff"))
        let body = JSONWriter.bytes(of: [
            "appId": 10_004, "appKey": .string(app.key), "timestamp": 1_795_132_800_000,
            "sign": "736493ab6e7971040e5e6b2a3b6a6a84",
        ])
        let response = await VivoSimulator([app]).respond(
            to: SimulatedRequest(method: .post, path: "/message/auth", query: "", headers: [:], body: body),
            at: Date(timeIntervalSince1970: 1_795_132_800))
        #expect((try? JSONValue(parsing: response.body))?["result"] == 0)
    }

    @Test("an app has ten tokens a second, and all of them are good")
    func tokens() async {
        let world = await World()
        var last = ""
        for _ in 0..<9 { last = await world.authenticate().json["authToken"]?.stringValue ?? "" }
        #expect(await world.authenticate().code == 10_093)
        #expect(await world.send().code == 0)
        #expect(await world.call("/message/send", World.order.merging(["alias": "ann"]) { $1 }, token: last).code == 0)
        world.pass(1)
        #expect(await world.authenticate().code == 0)
    }

    @Test("a token lives for a day, unless the vendor ends it")
    func life() async {
        let world = await World()
        #expect(await world.call("/message/send", World.order, token: "").code == 10_000)
        #expect(await world.call("/message/send", World.order, token: "other").code == 10_000)
        world.pass(86_399)
        #expect(await world.send().code == 0)
        world.pass(1)
        #expect(await world.send().code == 10_000)
        await world.renew()
        #expect(await world.send().code == 0)
        await world.simulator.endTokens()
        #expect(await world.send().code == 10_000)
    }

    private static func text(_ sign: Character, _ count: Int, _ rest: String = "") -> JSONValue {
        .string(String(repeating: sign, count: count) + rest)
    }

    static let rules: [(code: Int, fields: [String: JSONValue])] = [
        (10_094, ["appId": .null]), (10_094, ["appId": JSONValue(World.bank)]), (10_054, ["notifyType": .null]),
        (10_054, ["notifyType": 0]), (10_054, ["notifyType": "4"]), (0, ["notifyType": 1]), (10_055, ["title": ""]),
        (0, ["title": text("标", 20)]), (10_056, ["title": text("标", 20, "a")]),
        (0, ["title": text("a", 38, "标")]), (10_057, ["content": .null]), (0, ["content": text("文", 50)]),
        (10_058, ["content": text("文", 50, "a")]), (10_059, ["timeToLive": 59]), (0, ["timeToLive": 60]),
        (0, ["timeToLive": 86_400]), (10_059, ["timeToLive": 86_401]), (10_060, ["skipType": .null]),
        (10_060, ["skipType": 5]), (10_061, ["skipType": 2]), (10_063, ["skipType": 3]),
        (10_068, ["skipType": 4, "skipContent": ""]), (0, ["skipType": 2, "skipContent": text("l", 1024)]),
        (10_062, ["skipType": 2, "skipContent": text("l", 1025)]),
        (10_064, ["skipType": 3, "skipContent": text("c", 1025)]),
        (10_069, ["skipType": 4, "skipContent": text("p", 1025)]), (0, ["networkType": -1]),
        (10_065, ["networkType": 0]), (10_066, ["clientCustomMap": ["a": 1]]), (10_066, ["clientCustomMap": []]),
        (0, ["clientCustomMap": ["a": text("v", 1023)]]), (10_067, ["clientCustomMap": ["a": text("v", 1024)]]),
        (
            10_066,
            ["clientCustomMap": .object(Dictionary(uniqueKeysWithValues: (0...10).map { (String($0), "v") }))]
        ),
        (10_051, ["classification": 2]), (10_095, ["notifyId": -1]), (10_352, ["requestId": .null]),
        (0, ["requestId": text("r", 64)]), (10_353, ["requestId": text("r", 65)]),
        (10_304, ["extra": ["other": "x"]]), (10_305, ["extra": ["callback": text("u", 129)]]),
        (0, ["extra": ["callback": text("u", 128), "callback.param": text("p", 64)]]),
        (10_306, ["extra": ["callback": "u", "callback.param": text("p", 65)]]), (10_050, ["regId": .null]),
        (10_301, ["regId": .null, "alias": text("a", 41)]), (10_089, ["addBadge": true]),
        (10_104, ["title": "测试消息"]), (10_104, ["content": "您好{name}"]), (10_104, ["content": "您好[1]"]),
        (10_104, ["title": "Hello"]), (10_104, ["content": "12:30!"]), (0, ["content": "iPhone 到货"]),
        (10_097, World.sale.merging(["classification": 1]) { $1 }), (10_097, ["classification": 0, "category": "IM"]),
        (10_096, ["category": "order"]), (0, ["category": .null]),
    ]

    @Test("each rule of a field has its code", arguments: 0..<rules.count)
    func fields(index: Int) async {
        let (code, fields) = Self.rules[index]
        let world = await World()
        #expect(await world.send(fields).code == code, "\(fields)")
        #expect(await world.inbox().count == (code == 0 ? 1 : 0))
    }

    @Test("newer documents count characters, and the class of a message without one differs")
    func measures() async {
        let world = await World { _, settings in
            (settings.countsWideTwice, settings.defaultClassification) = (false, 1)
        }
        #expect(await world.send(["title": Self.text("标", 40), "content": Self.text("文", 100)]).code == 0)
        #expect(await world.send(["title": Self.text("标", 41)]).code == 10_056)
        #expect(await world.send(["content": Self.text("文", 101)]).code == 10_058)
        #expect(await world.send(["classification": .null]).code == 0)
        #expect(await World().send(["classification": .null]).code == 10_097)
    }

    @Test("a body that is no object, an unknown path, and a field of a wrong type that has no code")
    func broken() async {
        let world = await World()
        #expect(await world.call("/message/other", [:]).status == 404)
        #expect(await world.send(["sendOnline": "yes"]).status == 400)
        let response = await world.simulator.respond(
            to: SimulatedRequest(method: .post, path: "/message/auth", query: "", headers: [:], body: [0x5B]),
            at: world.now)
        #expect(response.status == 400)
    }

    @Test("an app in review sends tests only, and only to entered phones; a closed one sends nothing")
    func review() async {
        let world = await World { app, _ in (app.isInReview, app.testDevices) = (true, [World.phone]) }
        #expect(await world.send().code == 10_045)
        #expect(await world.send(["pushMode": 1, "title": "test {1}"]).code == 0)
        let stranger = await world.send(["pushMode": 1, "regId": .string(World.tablet)])
        #expect(stranger.code == 10_302)
        #expect(stranger.json["invalidUser"] == ["status": 4, "userid": .string(World.tablet)])
        #expect(await world.inbox().count == 1)
        #expect(await World { app, _ in app.isClosed = true }.send().code == 10_043)
    }

    @Test("an app has a number of sends per second, by its devices", arguments: [(0, 3000), (5_000_000, 4000)])
    func rate(devices: Int, limit: Int) async {
        let world = await World { app, _ in app.enabledDevices = devices }
        for _ in 0..<limit { await world.send(["regId": "unknown"]) }
        #expect(await world.send().code == 10_072)
        world.pass(1)
        #expect(await world.send().code == 0)
    }

    @Test("a phone shows what the message says; a later one with the same notifyId replaces it")
    func content() async {
        let world = await World { app, _ in app.mayBadge = true }
        let id = await world.send([
            "skipType": 2, "skipContent": "https://example.com/7", "notifyId": 7, "addBadge": true,
            "foregroundShow": false, "clientCustomMap": ["order": "7"],
        ]).task
        await world.send(["notifyId": 7, "notifyType": 1, "skipType": 4, "skipContent": "intent:#Intent;end"])
        await world.send(["skipType": 4, "skipContent": "com.example.Page"])
        let inbox = await world.inbox()
        var first = DeliveredMessage(
            messageID: id, alert: "您的包裹今天送达", title: "订单已发货", badge: 1, extras: ["order": "7"])
        (first.sound, first.category, first.collapseID) = ("default", "ORDER", "7")
        (first.tap, first.goesToOpenApp) = (.link("https://example.com/7"), true)
        #expect(inbox.first == first)
        #expect(inbox.map(\.sound) == ["default", nil, "default"])
        #expect(
            inbox.map(\.tap)
                == [.link("https://example.com/7"), .intentURI("intent:#Intent;end"), .intentURI("com.example.Page")])
        #expect(await world.simulator.screen(of: World.phone) == Array(inbox.dropFirst()))
    }
}
