import EngageLabSimulator
import Foundation
import PushAdapter
import PushClient
import PushEngageLab
import PushSimulation
import TestSupport
import Testing

/// The simulator alone, with bodies that the adapter would never send.
@Suite("EngageLab's simulator")
struct SimulatorTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        var code: Int
        var status: Int
        var body: String
        var testDescription: String { "\(code): \(body.prefix(60))" }

        init(_ code: Int, _ body: String, status: Int = 400) {
            self.code = code
            self.status = status
            self.body = body
        }
    }

    private static let ios = #""to":{"registration_id":["171976fa8a00000a001"]}"#
    private static let state = #""content-state":{}"#

    private static func push(_ body: String, to: String = #""to":"all""#) -> String { #"{\#(to),"body":{\#(body)}}"# }
    private static func activity(_ fields: String, to: String = ios, platform: String = #"["ios"]"#) -> String {
        push(#""platform":\#(platform),"live_activity":{"ios":{\#(fields)}}"#, to: to)
    }
    private static func shown(_ audience: String, _ more: String = "") -> String {
        #"{"to":\#(audience)\#(more),"body":{"platform":"all","notification":{"alert":"x"}}}"#
    }
    private static func options(_ options: String) -> String {
        push(#""platform":"all","notification":{"alert":"x"},"options":{\#(options)}"#)
    }

    static let rules: [Rule] =
        [
            Rule(21_015, "no JSON"), Rule(21_015, "[]"), Rule(21_015, #"{"to":"all","body":{},"audience":1}"#),
            Rule(21_002, #"{"body":{}}"#), Rule(21_002, #"{"to":"all"}"#),
            Rule(21_002, push(#""platform":"all""#)), Rule(21_002, push(#""notification":{"alert":"x"}"#)),
            Rule(21_002, push(#""platform":"all","message":{"title":"t"}"#)),
            Rule(21_002, push(#""platform":"all","notification":{}"#)),
            Rule(21_002, push(#""platform":"all","notification":{"ios":{"sound":"s"}}"#)),
            Rule(21_002, push(#""platform":"all","notification":{"alert":"x","hmos":{"title":"t"}}"#)),
            Rule(21_002, push(#""platform":"all","notification":{"hmos":{"alert":"","push_type":2}}"#)),
            Rule(21_015, push(#""platform":"all","notification":{"alert":"x","ios":{"content_available":true}}"#)),
            Rule(21_016, push(#""platform":"all","notification":{"alert":7}"#)),
            Rule(21_016, push(#""platform":"all","message":{"msg_content":7}"#)),
            Rule(21_015, push(#""platform":["ios"],"live_activity":{"ios":{"event":"end",\#(state)},"android":{}}"#)),
            Rule(21_016, push(#""platform":"all","notification":"x""#)),
            Rule(21_016, push(#""platform":7,"notification":{"alert":"x"}"#)),
            Rule(21_003, push(#""platform":["winphone"],"notification":{"alert":"x"}"#)),
            Rule(21_003, push(#""platform":[],"notification":{"alert":"x"}"#)),
            Rule(21_003, push(#""platform":"all","notification":{"alert":"x","ios":{"badge":"1"}}"#)),
            Rule(21_003, push(#""platform":"all","notification":{"hmos":{"alert":"x","style":2}}"#)),
        ]
        + [
            Rule(21_016, options(#""apns_production":1"#)), Rule(21_003, options(#""time_to_live":-1"#)),
            Rule(21_003, options(#""time_to_live":1296001"#)), Rule(23_006, options(#""big_push_duration":1441"#)),
            Rule(21_003, options(#""classification":2"#)), Rule(23_003, options(#""cid":"a b""#)),
            Rule(23_003, options(#""cid":"\#(String(repeating: "a", count: 65))""#)),
            Rule(23_003, options(#""cid":"""#)),
            Rule(1003, options(#""override_msg_id":5"#)), Rule(1003, options(#""override_msg_id":-1"#)),
            Rule(21_003, options(#""plan_id":"none""#)),
            Rule(21_015, options(#""enhance_message":true"#)),
            Rule(21_016, options(#""apns_collapse_id":"\#(String(repeating: "c", count: 65))""#)),
            Rule(27_009, options(#""third_party_channel":{"xiaomi":{"distribution":""}}"#), status: 401),
            Rule(
                27_008,
                push(
                    #""platform":"all","notification":{"alert":""},"#
                        + #""options":{"third_party_channel":{"fcm":{"distribution":"mtpush"}}}"#), status: 401),
            Rule(21_016, options(#""third_party_channel":{"fcm":1}"#)),
            Rule(
                21_005,
                push(#""platform":"all","notification":{"alert":"\#(String(repeating: "x", count: 4000))"}"#)),
            Rule(
                21_306, push(#""platform":"all","notification":{"alert":"x"},"message":{"msg_content":"x"}"#),
                status: 401),
        ]
        + [
            Rule(21_050, activity(#""event":"go",\#(state)"#)),
            Rule(21_051, activity(#""event":"start","attributes-type":"A",\#(state)"#, to: #""to":{"tag":["a"]}"#)),
            Rule(21_052, activity(#""event":"start",\#(state)"#)),
            Rule(21_053, activity(#""event":"start","attributes-type":"A""#)),
            Rule(21_056, activity(#""event":"end",\#(state)"#, platform: #""all""#)),
            Rule(21_003, activity(#""event":"end",\#(state),"relevance-score":0"#)),
            Rule(21_003, activity(#""event":"end",\#(state),"apns-priority":7"#)),
            Rule(
                21_054,
                push(
                    #""platform":["ios"],"live_activity":{"ios":{"event":"end",\#(state)}},"message":{"msg_content":"x"}"#
                )
            ),
            Rule(21_057, push(#""platform":["ios"],"voip":{"a":1},"notification":{"alert":"x"}"#)),
            Rule(21_058, push(#""platform":["android"],"voip":{"a":1}"#)),
            Rule(
                21_059, push(#""platform":["ios"],"voip":{"a":1},"options":{"big_push_duration":5}"#), status: 401),
        ]
        + [
            Rule(21_011, shown(#"{}"#)),
            Rule(21_011, shown(#"{"tag":[]}"#)),
            Rule(21_011, shown(#"{"tag":["nobody"]}"#)),
            Rule(21_003, shown(#"{"tag":["a-b"]}"#)),
            Rule(21_016, shown(#"{"tag":"a"}"#)),
            Rule(21_016, shown(#""everyone""#)),
            Rule(21_015, shown(#"{"segment":["a"]}"#)),
            Rule(20_101, shown(#"{"registration_id":["nobody"]}"#)),
            Rule(21_016, shown(#""all""#, #","custom_args":7"#)),
            Rule(21_016, shown(#""all""#, #","custom_args":"\#(String(repeating: "x", count: 129))""#)),
        ]

    @Test("each rule of a push has its code, for a push and for a validation", arguments: rules)
    func push(rule: Rule) async throws {
        let world = try World()
        for path in ["/push", "/push/validate"] {
            let answer = try await world.code(.post, path, rule.body)
            #expect(answer.code == rule.code && answer.status == rule.status, "\(answer) \(path)")
        }
        #expect(await world.simulator.pushCount == 0)
    }

    @Test("what the vendor's samples and libraries send is taken")
    func taken() async throws {
        let world = try World()
        for body in [
            Self.push(#""platform":"ios","notification":{"ios":{"alert":"x"}}"#),
            Self.push(#""platform":["ios","hmos"],"notification":{"alert":{"title":"t","body":"b"}}"#),
            Self.push(#""platform":"all","message":{"msg_content":{"a":1}}"#),
            Self.push(#""platform":["ios"],"notification":{"ios":{"content-available":true}}"#),
            Self.push(
                #""platform":"all","notification":{"android":{"alert":"x"},"ios":{"alert":"x"},"hmos":{"alert":"x"}},"#
                    + #""options":{"third_party_channel":{"fcm":{"distribution":"mtpush"}}}"#),
            Self.push(
                #""platform":"all","notification":{"alert":"\#(String(repeating: "x", count: 4000))"},"#
                    + #""options":{"auto_truncation":true}"#),
            Self.push(#""platform":"all","notification":{"alert":"x"},"options":{"cid":"a_B-9"}"#),
            #"{"from":"push","to":"all","request_id":"r","custom_args":"text","body":{"platform":"all","#
                + #""notification":{"alert":"x","android":{"display_foreground":"1","badge_add_num":1}}}}"#,
        ] {
            #expect(try await world.code(.post, "/push", body).status == 200, "\(body)")
        }
    }

    @Test("credentials come first, and a center that does not know the key answers as the settings say")
    func credentials() async throws {
        let world = try World()
        func answer(_ simulator: EngageLabSimulator, _ pair: String?, _ path: String = "/v4/tags") async -> [Int?] {
            let fields: HTTPFields =
                pair.map { [.authorization: "Basic \(Data($0.utf8).base64EncodedString())"] } ?? [:]
            let response = await simulator.respond(
                to: SimulatedRequest(method: .get, path: path, query: "", headers: fields, body: []),
                at: world.clock.date)
            let body = try? JSONValue(parsing: response.body)
            return [response.status, body?["error"]?["code"]?.intValue ?? body?["code"]?.intValue]
        }
        let pair = "\(Sample.appKey):\(Sample.secret)"
        #expect(await answer(world.simulator, pair) == [200, nil])
        #expect(await answer(world.simulator, nil) == [401, 27_001])
        #expect(await answer(world.simulator, "\(Sample.appKey):wrong") == [401, 21_004])
        #expect(await answer(world.simulator, pair, "/v4/nothing") == [404, nil])
        #expect(await answer(world.simulator, pair, "/v3/push") == [404, nil])
        let elsewhere = EngageLabSimulator(nil)
        #expect(await answer(elsewhere, pair) == [401, 21_004])
        var settings = EngageLabSimulatorSettings()
        settings.unknownKeyAnswer = .invalidKey
        settings.sendsFlatErrors = true
        #expect(await answer(EngageLabSimulator(nil, settings: settings), pair) == [400, 21_008])
        // The app's own pair cannot sign a group push.
        #expect(try await world.code(.post, "/grouppush", "{}").code == 21_004)
        #expect(try await world.code(.get, "/push").status == 405)
        #expect(try await world.code(.get, "/push").code == 21_001)
    }

    @Test("an app without plan, key of Apple's or allowed address is refused")
    func blocked() async throws {
        let push = Self.push(#""platform":"all","notification":{"alert":"x"}"#)
        let unpaid = try World(settings: { $0.isPaid = false })
        let answer = try await unpaid.code(.post, "/push", push)
        #expect(answer.status == 401 && answer.code == 21_038)
        let certificate = try World(settings: { $0.hasP8Key = false })
        let activity = Self.activity(#""event":"end",\#(Self.state)"#)
        #expect(try await certificate.code(.post, "/push", activity).code == 21_055)
        let foreign = try World(settings: { $0.isAddressAllowed = false })
        #expect(try await foreign.code(.get, "/tags").code == 23_009)
    }

    @Test("the switch for mixed contents lets a notification and a custom message through")
    func mixed() async throws {
        let world = try World(settings: { $0.allowsMixedContents = true })
        let both = Self.push(#""platform":"all","notification":{"alert":"x"},"message":{"msg_content":"c"}"#)
        #expect(try await world.code(.post, "/push", both).status == 200)
        #expect(await world.simulator.inbox(of: Sample.ios.rawValue).first?.custom?.content == "c")
    }

    @Test(
        "devices: tags and aliases keep to the limits of the server",
        arguments: [
            (#"{"tags":{"add":["a-b"]}}"#, 21_003),
            (#"{"tags":{"add":["\#(String(repeating: "a", count: 41))"]}}"#, 21_016),
            (#"{"tags":{"add":"a"}}"#, 21_016), (#"{"tags":{"set":["a"]}}"#, 21_015), (#"{"tags":7}"#, 21_016),
            (#"{"alias":"a b"}"#, 21_003), (#"{"alias":7}"#, 21_016),
            (#"{"mobile":"138"}"#, 21_015),
            (#"{"tags":{"add":[\#((0...100).map { "\"t\($0)\"" }.joined(separator: ","))]}}"#, 21_003),
        ])
    func devices(body: String, code: Int) async throws {
        let world = try World()
        #expect(try await world.code(.post, "/devices/\(Sample.ios.rawValue)", body).code == code)
        #expect(await world.simulator.snapshot(of: Sample.ios.rawValue)?.tags == [])
    }

    @Test("a taken alias moves, or is refused; an empty one clears, or is refused by the switch")
    func aliases() async throws {
        let path = "/devices/\(Sample.ios.rawValue)"
        let other = "/devices/\(Sample.android.rawValue)"
        let moving = try World()
        _ = try await moving.code(.post, path, #"{"alias":"ann"}"#)
        #expect(try await moving.code(.post, other, #"{"alias":"ann"}"#).status == 200)
        #expect(await moving.simulator.snapshot(of: Sample.ios.rawValue)?.alias == nil)
        #expect(try await moving.code(.post, other, #"{"alias":""}"#).status == 200)
        #expect(await moving.simulator.snapshot(of: Sample.android.rawValue)?.alias == nil)
        let strict = try World(settings: {
            $0.movesTakenAliases = false
            $0.clearsEmptyAliases = false
        })
        _ = try await strict.code(.post, path, #"{"alias":"ann"}"#)
        #expect(try await strict.code(.post, other, #"{"alias":"ann"}"#).code == 21_003)
        #expect(try await strict.code(.post, path, #"{"alias":"ann"}"#).status == 200)
        #expect(try await strict.code(.post, path, #"{"alias":""}"#).code == 21_003)
        #expect(await strict.simulator.snapshot(of: Sample.ios.rawValue)?.alias == "ann")
    }

    @Test(
        "months of users follow each other, whatever their length",
        arguments: [
            ("2026-01", "2026-02"), ("2026-07", "2026-08"), ("2026-12", "2027-01"), ("2026-02", "2026-03"),
        ])
    func months(first: String, second: String) async throws {
        let world = try World()
        let counts = try await world.client.run(world.engageLab.readUsers(by: .month, from: first, count: 2))
        #expect(counts.map(\.time) == [first, second])
    }

    @Test(
        "the other calls refuse what they cannot read",
        arguments: [
            ("POST", "/batch/push/regid", "{}", 21_002), ("POST", "/batch/push/regid", #"{"requests":[]}"#, 21_016),
            ("POST", "/batch/push/regid", #"{"requests":[{"target":"a"},{"target":"a"}]}"#, 21_003),
            ("POST", "/batch/push/regid", #"{"requests":[{}]}"#, 21_002),
            ("DELETE", "/push/withdraw/5", "", 21_003), ("POST", "/push_plan", #"{"plan_id":""}"#, 27_303),
            ("POST", "/push_plan", #"{"plan_id":"_a","plan_description":"d"}"#, 21_003),
            ("POST", "/push_plan", #"{"plan_id":"a"}"#, 21_002), ("GET", "/push_plan/list?page_size=101", "", 21_003),
            ("GET", "/tags_count?tags=a", "", 21_003), ("GET", "/tags_count?platform=ios", "", 21_002),
            ("POST", "/tags/a", "{}", 21_002),
            ("POST", "/tags/a", #"{"registration_ids":{"add":["nobody"]}}"#, 21_003),
            ("DELETE", "/aliases/ann?platform=mars", "", 21_003), ("GET", "/devices/nobody", "", 21_003),
            ("POST", "/devices/status", "{}", 21_002), ("POST", "/devices/token/registration_id", "{}", 21_003),
            ("GET", "/status/detail", "", 1003), ("GET", "/status/message?message_id=1", "", 1003),
            ("GET", "/status/users?time_unit=day&start=2026&duration=1", "", 1003),
            ("GET", "/status/plan/msg/?plan_ids=a&start_date=2020-01-01&end_date=2020-01-02", "", 1003),
            ("POST", "/schedules", "{}", 21_002), ("GET", "/schedules/none", "", 21_003),
            ("POST", "/voices", "", 21_002), ("GET", "/voices/fr", "", 21_003),
            ("DELETE", "/voices?language=fr", "", 21_003),
            ("POST", "/image/oppo", "{}", 21_002), ("POST", "/image/oppo", #"{"big_picture_url":"x"}"#, 21_003),
        ])
    func others(method: String, path: String, body: String, code: Int) async throws {
        let world = try World()
        let answer = try await world.code(try #require(HTTPRequest.Method(method)), path, body)
        #expect(answer.code == code)
    }

    @Test(
        "schedules keep to the vendor's forms",
        arguments: [
            #"{"single":{"time":"2026-12-1 9:30:00"}}"#, #"{"single":{"time":"2020-01-01 00:00:00"}}"#,
            #"{"single":{"time":"2026-02-30 00:00:00"}}"#, #"{"single":{"time":"2030-01-01 00:00:00"}}"#,
            #"{"single":{"time":"2026-12-01 09:30:00","zone_type":3}}"#, #"{"intelligent":{"backup_time":"soon"}}"#,
            #"{"periodical":{"start":"2026-12-01 00:00:00","end":"2026-12-31 00:00:00","time":"25:00:00","time_unit":"day"}}"#,
            #"{"periodical":{"start":"2026-12-01 00:00:00","end":"2028-12-31 00:00:00","time":"08:00:00","time_unit":"day"}}"#,
            #"{"periodical":{"start":"2026-12-01 00:00:00","end":"2026-12-31 00:00:00","time":"08:00:00","time_unit":"week"}}"#,
            "{}",
        ])
    func schedules(trigger: String) async throws {
        let world = try World()
        let push = Self.push(#""platform":"all","notification":{"alert":"x"}"#)
        let body = #"{"name":"n","enabled":true,"trigger":\#(trigger),"push":\#(push)}"#
        #expect(try await world.code(.post, "/schedules", body).code == 21_003)
    }

    @Test("the quota of a second fills up again, and its overflow is a 400, or a 429 by the switch")
    func quota() async throws {
        let world = try World(settings: { $0.callsPerSecond = 2 })
        var codes: [Int?] = []
        for _ in 0..<3 { codes.append(try await world.code(.get, "/tags").code) }
        #expect(codes == [nil, nil, 23_008])
        world.clock.advance(by: .milliseconds(500))
        #expect(try await world.code(.get, "/tags").code == nil)
        #expect(try await world.code(.get, "/tags").status == 400)
        let strict = try World(settings: {
            $0.callsPerSecond = 0
            $0.throttleStatus = 429
        })
        #expect(try await strict.code(.get, "/tags").status == 429)
    }

    // MARK: State

    private func device(_ world: World, _ id: String) async -> DeviceSnapshot? {
        await world.simulator.snapshot(of: id)
    }

    private func register(_ world: World, _ token: String) async throws -> String {
        var calls = DirectCalls(world.simulator)
        calls.now = world.clock.date
        let path = "/devices/token/registration_id"
        let row = await calls.json(.post, path, #"{"platform":"android","tokens":["\#(token)"]}"#)["results"]?
            .arrayValue?.first
        return try #require(row?["registration_id"]?.stringValue)
    }

    @Test("a device that registers after another was deleted gets an id of its own")
    func newIDs() async throws {
        let world = try World()
        let first = try await register(world, "t1")
        let second = try await register(world, "t2")
        _ = try await world.code(.delete, "/devices/\(first)")
        world.clock.advance(by: .seconds(2))
        let third = try await register(world, "t3")
        #expect(Set([first, second, third]).count == 3)
        #expect(await device(world, first) == nil)
    }

    @Test("a device that is installed anew while its deletion is under way stays")
    func reinstalled() async throws {
        let world = try World()
        for _ in 0..<2 { _ = try await world.code(.delete, "/devices/\(Sample.ios.rawValue)") }
        await world.simulator.install(VirtualDevice(Sample.ios.rawValue, .ios))
        world.clock.advance(by: .seconds(60))
        #expect(try await world.code(.get, "/devices/\(Sample.ios.rawValue)").status == 200)
    }

    @Test("a push that replaces another takes it off the devices, and from those that wait for it")
    func replaced() async throws {
        let world = try World()
        await world.simulator.setOnline(false, Sample.android.rawValue, at: world.clock.date)
        _ = try await world.code(.post, "/push", Self.push(#""platform":"all","notification":{"alert":"old"}"#))
        let old = try #require(await world.simulator.inbox(of: Sample.ios.rawValue).first?.messageID)
        let new = Self.push(
            #""platform":"all","notification":{"alert":"new"},"options":{"override_msg_id":\#(old)}"#)
        #expect(try await world.code(.post, "/push", new).status == 200)
        await world.simulator.setOnline(true, Sample.android.rawValue, at: world.clock.date)
        for device in [Sample.ios, Sample.android] {
            #expect(await world.simulator.inbox(of: device.rawValue).map(\.alert) == ["new"])
        }
    }

    @Test("a message that waited longer than its life does not arrive, and is a failure")
    func expired() async throws {
        let world = try World()
        await world.simulator.setOnline(false, Sample.android.rawValue, at: world.clock.date)
        let push = Self.push(#""platform":"all","notification":{"alert":"x"},"options":{"time_to_live":60}"#)
        _ = try await world.code(.post, "/push", push)
        world.clock.advance(by: .seconds(61))
        await world.simulator.setOnline(true, Sample.android.rawValue, at: world.clock.date)
        #expect(await world.simulator.inbox(of: Sample.android.rawValue).isEmpty)
        #expect(await world.simulator.inbox(of: Sample.ios.rawValue).count == 1)
    }

    @Test(
        "a recall counts for a day; the list of plans is answered by its path; a schedule that says now keeps the word")
    func odds() async throws {
        let world = try World()
        _ = try await world.code(.post, "/push", Self.push(#""platform":"all","notification":{"alert":"x"}"#))
        let id = try #require(await world.simulator.inbox(of: Sample.ios.rawValue).first?.messageID)
        world.clock.advance(by: .seconds(86_401))
        #expect(try await world.code(.delete, "/push/withdraw/\(id)").code == 21_003)
        #expect(try await world.code(.delete, "/push_plan/batch/,").code == 27_303)
        #expect(try await world.code(.delete, "/push_plan/batch/one").status == 200)
        let push = Self.push(#""platform":"all","notification":{"alert":"x"}"#)
        let body = #"{"name":"n","enabled":true,"trigger":{"intelligent":{"backup_time":"now"}},"push":\#(push)}"#
        #expect(try await world.code(.post, "/schedules", body).status == 200)
        let engageLab = world.engageLab
        let page = try await world.client.run(try engageLab.listSchedules(page: 1))
        let id2 = try #require(page.elements.first?.id)
        let whole = try await world.client.run(try engageLab.readWholeSchedule(id2))
        #expect(whole.trigger == ["intelligent": ["backup_time": "now"]] && whole.push["to"] == "all")
    }

    @Test("an app keeps so many schedules and no more, and a schedule that skips days skips them")
    func manySchedules() async throws {
        let world = try World(settings: { $0.schedulesPerApp = 2 })
        let push = Self.push(#""platform":"all","notification":{"alert":"x"}"#)
        let trigger = #"""
            {"periodical":{"start":"2026-10-01 00:00:00","end":"2026-10-09 23:59:59","time":"08:00:00",
             "time_unit":"day","frequency":2}}
            """#
        let body = #"{"name":"n","enabled":true,"trigger":\#(trigger),"push":\#(push)}"#
        for code in [nil, nil, 21_003] { #expect(try await world.code(.post, "/schedules", body).code == code) }
        world.clock.advance(by: .seconds(60 * 86_400))
        await world.simulator.settle(at: world.clock.date)
        // Both schedules send on the odd days from the 1st to the 9th.
        #expect(await world.simulator.inbox(of: Sample.ios.rawValue).count == 10)
    }

    @Test("an empty list of an audience is ignored, or matches no device by the switch")
    func emptyLists() async throws {
        let push = Self.push(
            #""platform":"all","notification":{"alert":"x"}"#,
            to: #""to":{"registration_id":[],"alias":["ann"]}"#)
        let strict = try World(settings: { $0.ignoresEmptyLists = false })
        let lenient = try World()
        for world in [strict, lenient] {
            _ = try await world.code(.post, "/devices/\(Sample.ios.rawValue)", #"{"alias":"ann"}"#)
        }
        #expect(try await strict.code(.post, "/push", push).code == 21_011)
        #expect(try await lenient.code(.post, "/push", push).status == 200)
    }

    @Test("the words of a distribution can be demanded")
    func distributions() async throws {
        let world = try World(settings: { $0.distributions = ["mtpush"] })
        let push = Self.options(#""third_party_channel":{"fcm":{"distribution":"bogus"}}"#)
        #expect(try await world.code(.post, "/push", push).code == 27_009)
    }
}
