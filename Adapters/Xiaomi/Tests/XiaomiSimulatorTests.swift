import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing
import XiaomiSimulator

/// The simulator alone: forms in, responses and screens out. The checks have the numbers of the vendor's rules, S1 to
/// S18.
@Suite("Xiaomi simulator")
struct XiaomiSimulatorTests {
    typealias World = SimulatedXiaomi

    @Test(
        "S1 and S2: a secret needs its word in lower case, and the package of its own app",
        arguments: [
            ("", World.package, 21_301), ("key=wrong", World.package, 21_301), ("Key=s3cret", World.package, 21_301),
            ("Bearer s3cret", World.package, 21_301), ("key=other", World.package, 22_022),
            ("key=s3cret", "com.example.bank", 22_022), ("key=s3cret", "", 10_016), ("key=s3cret", World.package, 0),
        ])
    func credentials(key: String, package: String, code: Int) async {
        let world = World()
        var form = World.notification
        form["registration_id"] = World.phone
        form["restricted_package_name"] = package
        let answer = await world.call(World.paths.regID, form, key: key)
        #expect(answer.status == 200 && answer.code == code)
        #expect(answer.json["result"] == (code == 0 ? "ok" : "error"))
        #expect(await world.inbox().count == (code == 0 ? 1 : 0))
    }

    static let rules: [(code: Int, fields: [String: String])] = [
        (0, ["title": String(repeating: "标", count: 49)]), (10_017, ["title": String(repeating: "t", count: 50)]),
        (0, ["description": String(repeating: "文", count: 127)]),
        (10_017, ["description": String(repeating: "d", count: 128)]), (10_017, ["title": " \u{3000}"]),
        (10_017, ["description": "  "]), (10_016, ["title": ""]), (10_016, ["description": ""]),
        (10_016, ["payload": ""]), (0, ["payload": String(repeating: "p", count: 4096)]),
        (65_009, ["payload": String(repeating: "p", count: 4097)]), (10_017, ["pass_through": "2"]),
        (0, ["notify_type": "-1"]), (0, ["notify_type": "7"]), (10_017, ["notify_type": "8"]),
        (0, ["notify_id": "2147483647"]), (10_017, ["notify_id": "2147483648"]), (10_017, ["notify_id": "-1"]),
        (0, ["time_to_live": "86400000"]), (10_017, ["time_to_live": "86400001"]), (10_017, ["time_to_live": "1s"]),
        (10_016, ["extra.notify_effect": ""]), (10_017, ["extra.notify_effect": "4"]),
        (10_016, ["extra.notify_effect": "2"]), (10_016, ["extra.notify_effect": "3"]),
        (0, ["extra.notify_effect": "3", "extra.web_uri": "https://example.com"]),
        (0, ["extra.jobkey": "a-b_4567"]), (10_017, ["extra.jobkey": "123456789"]), (10_017, ["extra.jobkey": "_a"]),
        (10_017, ["extra.jobkey": "a b"]), (10_017, ["extra.badge": "-1"]), (10_017, ["extra.only_send_once": "2"]),
        (10_017, ["extra.flow_control": "2999"]), (0, ["extra.flow_control": "3000"]),
        (0, ["extra.callback": "https://x", "extra.callback.param": String(repeating: "c", count: 256)]),
        (10_017, ["extra.callback": "https://x", "extra.callback.param": String(repeating: "c", count: 257)]),
        (10_017, ["extra.callback": "https://x", "extra.callback.type": "all"]),
    ]

    @Test("S3: each rule of a field has its code", arguments: 0..<rules.count)
    func fields(index: Int) async {
        let (code, fields) = Self.rules[index]
        let answer = await World().send(fields)
        #expect(answer.code == code, "\(fields)")
    }

    @Test("S4: all extras together have fewer than 2,048 characters")
    func extras() async {
        let world = World()
        // The names, and the value of notify_effect.
        let rest = "notify_effect".count + 1 + "long".count
        for (count, code) in [(2047, 0), (2048, 65_015)] {
            let answer = await world.send(["extra.long": String(repeating: "x", count: count - rest)])
            #expect(answer.code == code)
        }
    }

    @Test("S5: an app that moved to the classes needs a channel; another's unknown channel shows nothing")
    func channels() async {
        let strict = World { app, _ in app.isStrict = true }
        #expect(await strict.send().code == 27_001)
        #expect(await strict.send(["extra.channel_id": "none"]).code == 27_001)
        #expect(await strict.send(["extra.channel_id": "news"]).code == 0)
        #expect(await strict.inbox().map(\.channel) == ["news"])
        let world = World()
        #expect(await world.send(["extra.channel_id": "none"]).code == 0)
        #expect(await world.inbox().isEmpty)
        #expect(await world.send().code == 0)
        #expect(await world.inbox().count == 1)
    }

    static let faults: [[String: String]] = [
        ["extra.template_id": ""], ["extra.template_id": "t9"], ["extra.template_param": ""],
        ["extra.template_param": "[]"], ["extra.template_param": #"{"name":"Ann"}"#],
        ["extra.template_param": #"{"name":"Ann","day":"Monday","hour":"9"}"#],
        ["extra.template_param": #"{"name":"Ann","day":"\#(String(repeating: "x", count: 129))"}"#],
        ["extra.template_param": #"{"name":"Ann","day":" "}"#], ["extra.template_param": #"{"name":"Ann","day":""}"#],
        ["extra.template_param": #"{"name":"Ann","day":"🎉"}"#], ["extra.template_param": #"{"name":"Ann","day":"℃"}"#],
        ["extra.template_param": #"{"name":"Ann","day":"\#u{0378}"}"#],
        ["extra.template_param": #"{"name":"Ann","day":1}"#],
    ]

    @Test("S6: a private channel checks the template and its values", arguments: 0..<faults.count)
    func templates(index: Int) async {
        let world = World()
        #expect(await world.sendPrivately(Self.faults[index]).code == 10_017)
        let silent = World { _, settings in settings.tellsTemplateFaults = false }
        #expect(await silent.sendPrivately(Self.faults[index]).code == 0)
        for world in [world, silent] { #expect(await world.inbox().isEmpty) }
    }

    @Test("S6: values of 128 characters pass, and a template may have no variables")
    func goodTemplates() async {
        let world = World()
        let day = String(repeating: "日", count: 128)
        let values = ["extra.template_param": #"{"name":"Ann","day":"\#(day)"}"#]
        #expect(await world.sendPrivately(values).code == 0)
        #expect(await world.inbox().map(\.channel) == ["orders"])
        let match = ["extra.channel_id": "match", "extra.template_id": "t2"]
        #expect(await world.send(match).code == 0)
        #expect(await world.inbox().count == 1)
        await world.simulator.setConsent(true, to: "match", World.phone)
        #expect(await world.send(match).code == 0)
        #expect(await world.inbox().map(\.channel) == ["orders", "match"])
        let lenient = World { _, settings in settings.demandsTemplates = false }
        #expect(await lenient.send(["extra.channel_id": "orders"]).code == 0)
        #expect(await lenient.inbox().count == 1)
    }

    @Test("S7: a list has at most 1,000 targets", arguments: [(1000, 0), (1001, 10_017)])
    func targets(count: Int, code: Int) async {
        let world = World()
        let others = (1..<count).map { "r\($0)" }.joined(separator: ",")
        #expect(await world.send(["registration_id": "\(World.phone),\(others)"]).code == code)
        let aliases = ["alias": "ann,\(others)"]
        #expect(await world.sendPrivately(aliases, path: World.paths.alias).code == code)
    }

    @Test("S8: a response lists some bad regids; if all are bad, it refuses them with what looks like a message id")
    func badRegIDs() async {
        let world = World()
        let some = await world.send(["registration_id": "x,\(World.phone),\(World.foreign)"])
        #expect(some.code == 0 && some["bad_regids"] == .string("x,\(World.foreign)"))
        #expect(await world.inbox().count == 1)
        let all = await world.send(["registration_id": "x,\(World.foreign)"])
        #expect(all.code == 20_301 && all.json["reason"] == "No valid targets!" && all.json["data"] == nil)
        #expect(all.json["trace_id"]?.stringValue?.hasPrefix("Xdm") == true)
        #expect(await world.sendPrivately(["alias": "nobody"], path: World.paths.alias).code == 20_301)
        #expect(await world.sendPrivately(["user_account": "ann"], path: World.paths.account).code == 20_301)
    }

    @Test("S9: the day's quota counts deliveries, until midnight in China")
    func quota() async {
        let world = World { app, settings in (app.publicFactor, settings.leastDevices) = (1.5, 2) }
        let news = ["extra.channel_id": "news", "registration_id": "\(World.phone),\(World.tablet)"]
        let url = ["extra.callback": "https://x", "extra.callback.type": "128"]
        let first = await world.send(news)
        #expect(first["day_quota"] == "3" && first["day_acked"] == "2")
        #expect(await world.send(news.merging(url) { $1 }).code == 0)
        let counts = await [world.inbox().count, world.inbox(World.tablet).count]
        #expect(counts == [2, 1])
        let full = await world.receipts()
        #expect(full.map(\.type) == [128] && full.map(\.targets) == [World.tablet])
        #expect(full.first?.row["extra"] == ["ack": "3", "quota": "3"])
        let over = await world.send(news)
        #expect(over.code == 200_001 && over.json["reason"] == "exceed quota, quota: 3, have acked: 3")
        #expect(await world.sendPrivately().code == 0)
        world.pass(57_600)
        #expect(await world.send(news).code == 0)
    }

    @Test("S9: a phone that is offline counts when it comes back; what is over the quota then is not shown")
    func lateDelivery() async {
        let world = World { app, settings in (app.publicFactor, settings.leastDevices) = (1, 1) }
        await world.simulator.setOnline(false, World.tablet, at: world.now)
        let late = ["extra.channel_id": "news", "registration_id": World.tablet]
        #expect(await world.send(late)["day_acked"] == "0")
        #expect(await world.send(["extra.channel_id": "news"]).code == 0)
        await world.simulator.setOnline(true, World.tablet, at: world.now)
        #expect(await world.inbox(World.tablet).isEmpty)
        #expect(await world.inbox().count == 1)
    }

    @Test("S9: several messages are never refused for a quota; those above it are counted by channel")
    func manyMessages() async throws {
        let world = World { app, settings in (app.publicFactor, settings.leastDevices) = (1, 1) }
        func item(_ target: String, _ channel: String?) -> JSONValue {
            var extra: [String: JSONValue] = ["notify_effect": "1"]
            if let channel { extra["channel_id"] = .string(channel) }
            return [
                "target": .string(target),
                "message": [
                    "title": "Title", "description": .string(target), "payload": "p", "pass_through": 0,
                    "restricted_package_name": .string(World.package), "extra": .object(extra),
                ],
            ]
        }
        let items: [JSONValue] = [
            item(World.phone, nil), item(World.tablet, nil), item(World.phone, "news"), item(World.tablet, "news"),
            item(World.phone, "news"), item("x", nil),
        ]
        let text = String(decoding: JSONWriter.bytes(of: .array(items)), as: UTF8.self)
        let answer = await world.call(
            "/v2/multi_messages/regids", ["messages": text, "restricted_package_name": ""])
        #expect(answer.code == 0 && answer["channel_exceed_quota"] == "news:2 no_channel:1")
        #expect(await world.inbox().map(\.channel) == [nil, "news"])
        #expect(await world.inbox(World.tablet).isEmpty)
    }

    @Test("S10: an app has a number of requests per second, by its devices", arguments: [(0, 500), (100_000, 1000)])
    func rate(devices: Int, limit: Int) async {
        let world = World { app, _ in app.enabledDevices = devices }
        for _ in 0..<limit { await world.send(["registration_id": "x"]) }
        #expect(await world.send().code == 200_002)
        world.pass(1)
        #expect(await world.send().code == 0)
    }

    @Test("S11 and S12: a phone shows one message of the default class a day, and five or eight public ones")
    func caps() async {
        for (channel, cap) in [("", 1), ("news", 5), ("news", 8), ("orders", 12)] {
            let world = World { app, _ in app.publicPerDevice = cap }
            var fields = channel == "orders" ? World.order : [:]
            fields["extra.channel_id"] = channel
            for _ in 0..<(cap + (channel == "orders" ? 0 : 1)) { #expect(await world.send(fields).code == 0) }
            #expect(await world.inbox().count == cap)
            world.pass(57_600)
            #expect(await world.send(fields).code == 0)
            #expect(await world.inbox().count == cap + 1)
        }
    }

    @Test("S13: a phone shows the first message with a job key only, however different the second is")
    func jobKeys() async {
        let world = World()
        let texts = ["one", "two"]
        for text in texts {
            #expect(await world.sendPrivately(["extra.jobkey": "k1", "description": text]).code == 0)
        }
        #expect(await world.inbox().map(\.alert) == ["one"])
        let other = ["extra.jobkey": "k1", "registration_id": World.tablet]
        #expect(await world.sendPrivately(other).code == 0)
        #expect(await world.inbox(World.tablet).count == 1)
    }

    @Test("S14: a later message replaces one with the same notify_id, and all without one have the same")
    func notifyIDs() async {
        let world = World()
        for (id, text) in [("", "1"), ("", "2"), ("7", "3"), ("0", "4"), ("7", "5")] {
            await world.sendPrivately(["notify_id": id, "description": text])
        }
        #expect(await world.inbox().map(\.collapseID) == ["0", "0", "7", "0", "7"])
        #expect(await world.simulator.screen(of: World.phone).map(\.alert) == ["4", "5"])
    }

    @Test("S17: the old recalls end on 2026-12-01 in China")
    func recalls() async {
        let world = World()
        for path in ["/v1/message/regid/revoke", "/v2/message/alias/revoke"] {
            #expect(await world.call(path, [:]).code == 10_016)
        }
        world.pass(316_800)
        for path in ["/v1/message/regid/revoke", "/v2/message/alias/revoke", "/v9/message/regid"] {
            #expect(await world.call(path, [:]).status == 404)
        }
    }

    @Test("S18: a payload arrives as it was if the caller encoded it before the form did; otherwise broken")
    func payload() async {
        let world = World()
        let payload = "a+b 100% 好"
        for text in [PercentEncoding.encode(payload), payload] {
            #expect(await world.send(["payload": text, "pass_through": "1"]).code == 0)
        }
        let contents = await world.inbox().map(\.custom?.content)
        #expect(contents.count == 2 && contents.first == payload && contents.last != payload)
    }
}
