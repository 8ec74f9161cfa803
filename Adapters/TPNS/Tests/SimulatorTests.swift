import Foundation
import PushAdapter
import PushSimulation
import TPNSSimulator
import Testing

/// The simulator alone, with requests from the vendor's documents. No adapter is involved.
@Suite("TPNS simulator")
struct SimulatorTests {
    private static let one = "00aa11bb22cc33dd44ee55ff66778899aabb"
    private static let two = "01ba12cb23dc34ed45fe5600677889a9babb"

    /// One iOS app, and a clock that the test moves.
    private final class Place: Sendable {
        let simulator: TPNSSimulator
        private let time = Locked(Date(timeIntervalSince1970: 1_795_132_800))

        init(
            platform: Platform = .ios, _ edit: (inout TPNSApp, inout TPNSSimulatorSettings) -> Void = { _, _ in }
        ) {
            var app = TPNSApp(
                accessID: 1_600_999_001, secretKey: "secret", platform: platform,
                devices: [VirtualDevice(one, platform), VirtualDevice(two, platform)],
                attributeNames: ["nickname", "tier"])
            var settings = TPNSSimulatorSettings()
            edit(&app, &settings)
            simulator = TPNSSimulator(apps: [app], settings: settings)
        }

        var now: Date { time.withLock { $0 } }
        func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

        func post(_ path: String, _ body: String, basic: String = "1600999001:secret") async -> SimulatedResponse {
            let headers: HTTPFields = [.authorization: "Basic \(Data(basic.utf8).base64EncodedString())"]
            return await simulator.respond(
                to: SimulatedRequest(
                    method: .post, path: "/v3/" + path, query: "", headers: headers, body: Array(body.utf8)), at: now)
        }

        /// The response as JSON, and its code in any spelling.
        func ask(_ path: String, _ body: String) async -> JSONValue {
            (try? JSONValue(parsing: await post(path, body).body)) ?? .null
        }

        func code(_ path: String, _ body: String) async -> Int? {
            let answer = await ask(path, body)
            return (answer["ret_code"] ?? answer["retCode"])?.intValue
        }

        func snapshot(_ device: String = one) async -> DeviceSnapshot {
            await simulator.settle(at: now.addingTimeInterval(1))
            return await simulator.snapshot(of: device) ?? DeviceSnapshot()
        }
    }

    private static func push(_ rest: String, text: String = "c", badge: String = "") -> String {
        """
        {"environment":"product","message_type":"notify","message":{"title":"t","content":"\(text)","ios":{"aps":{"alert":{}\
        \(badge)}},"android":{}},\(rest)}
        """
    }

    @Test(
        "what the vendor's own libraries send is accepted, and refused by the switch where the table says otherwise",
        arguments: [
            (#""ios":{"aps":{"alert":{},"content-available":0}}"#, #","collapse_id":0"#, false),
            (#""android":{}"#, #","collapse_id":0"#, true), (#""ios":{}"#, "", true), (#""ios":{"aps":{}}"#, "", true),
        ])
    func libraries(platform: String, option: String, isStrict: Bool) async {
        let push =
            #"{"environment":"product","message_type":"notify","audience_type":"token","token_list":["\#(Self.one)"]\#(option),"#
            + #""message":{"title":"t","content":"c",\#(platform)}}"#
        #expect(await Place().code("push/app", push) == 0)
        let strict = Place { _, settings in settings.needsIOSObject = true }
        #expect((await strict.code("push/app", push) == 0) == !isStrict)
    }

    // MARK: Credentials

    @Test("the signature is over the bytes as they came, whatever the case of the header names")
    func signatures() async throws {
        let place = Place()
        // Computed by another program: `printf '1795132800' '1600999001' '{ }'` under the key `secret`.
        let sign =
            "ZjEzYTZjMWIyZGI0MmIzYmQyZjFmYTQ2OGJjNzU2NzBiYTJlMWVmNjY3MjUyNjUyNzQ0Mzk1YjU0MTQ2MmZhYQ=="
        func code(_ body: String, _ sign: String, _ time: String = "1795132800") async throws -> Int? {
            var headers = HTTPFields()
            for (name, value) in [("accessid", "1600999001"), ("TIMESTAMP", time), ("sIGN", sign)] {
                headers[try #require(HTTPField.Name(name))] = value
            }
            let answer = await place.simulator.respond(
                to: SimulatedRequest(
                    method: .post, path: "//v3/device/tag/", query: "", headers: headers, body: Array(body.utf8)),
                at: place.now)
            return try JSONValue(parsing: answer.body)["ret_code"]?.intValue
        }
        #expect(try await code("{ }", sign) == 1_008_002)
        #expect(try await code("{}", sign) == 1_008_003)
        #expect(try await code("{ }", sign, "1795132801") == 1_008_003)
        #expect(try await code("{ }", sign, "1795132800.0") == 1_008_003)
        place.pass(600)
        #expect(try await code("{ }", sign) == 1_008_002)
        place.pass(1)
        #expect(try await code("{ }", sign) == 1_008_003)
    }

    @Test("JSON comes before credentials, credentials before the contract, the contract before fields")
    func order() async throws {
        let place = Place { app, _ in app.contract = .suspended }
        func code(_ body: String, _ basic: String) async throws -> Int? {
            try JSONValue(parsing: await place.post("push/app", body, basic: basic).body)["ret_code"]?.intValue
        }
        #expect(try await code("no json", "x:y") == 1_008_001)
        #expect(try await code("{}", "1500000000:secret") == 1_008_035)
        #expect(try await code("{}", "1600999001:wrong") == 1_008_003)
        #expect(try await code("{}", "1600999001:secret") == 1_008_030)
        #expect(await place.code("device/tag", "{}") == 1_008_002)
        let expired = Place { app, _ in app.contract = .expired }
        #expect(await expired.code("device/tag", "{}") == 1_008_031)
        let strict = Place { _, settings in settings.refusesWithStatus403 = true }
        #expect(await strict.post("device/tag", "{}", basic: "1600999001:wrong").status == 403)
    }

    @Test("another method and another path are no calls of the vendor")
    func paths() async {
        let place = Place()
        #expect(await place.post("nowhere", "{}").status == 404)
        let get = SimulatedRequest(method: .get, path: "/v3/device/tag", query: "", headers: [:], body: [])
        #expect(await place.simulator.respond(to: get, at: place.now).status == 405)
        // An escaped slash belongs to the name.
        #expect(await place.post("statistics%2Fget_push_record", "{}").status == 404)
        #expect(await place.post("toolbox%2FgetPushListByToken", "{}").status == 404)
    }

    // MARK: Tags

    private static let colonCases: [(before: [String], list: [String], after: Set<String>)] = [
        (["level:1", "level:2", "male"], ["level:3"], ["male", "level:3"]),
        (["test", "level:1"], ["test:2", "level:3"], ["test", "test:2", "level:3"]),
        (["a:1", "b:2", "x"], ["a:9", "a:8"], ["b:2", "x", "a:9", "a:8"]), (["a:b:c"], ["a:z"], ["a:z"]),
        (["a:1", "x"], ["a:2", "y"], ["a:2", "y"]),
    ]

    @Test("operator 6 replaces categories when every tag has a colon, and everything else", arguments: colonCases)
    func colons(before: [String], list: [String], after: Set<String>) async {
        let place = Place()
        func body(_ number: Int, _ tags: [String]) -> String {
            let names = tags.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"operator_type":\#(number),"token_list":["\#(Self.one)"],"tag_list":[\#(names)]}"#
        }
        #expect(await place.code("device/tag", body(3, before)) == 0)
        #expect(await place.code("device/tag", body(6, list)) == 0)
        // The change is not there yet: the vendor applies writes after its response.
        #expect(await place.simulator.snapshot(of: Self.one)?.tags == Set(before))
        #expect(await place.snapshot().tags == after)
    }

    @Test("operators 1 to 6 take the first token, 1 and 2 the first tag, and the rest is not even looked at")
    func firsts() async {
        let place = Place()
        let list = #""token_list":["\#(Self.one)","unknown"],"tag_list":["a","has blank"]"#
        #expect(await place.code("device/tag", #"{"operator_type":1,\#(list)}"#) == 0)
        #expect(await place.snapshot().tags == ["a"])
        #expect(await place.code("device/tag", #"{"operator_type":3,\#(list)}"#) == 1_008_007)
        #expect(await place.code("device/tag", #"{"operator_type":2,\#(list)}"#) == 0)
        #expect(await place.snapshot().tags == [])
        #expect(await place.code("device/tag", #"{"operator_type":7,\#(list)}"#) == 1_008_006)
    }

    @Test("limits of tags are those of the documents, for operator 6 too")
    func tagLimits() async {
        let place = Place { _, settings in
            settings.tagsPerDevice = 3
            settings.tagsPerApp = 4
        }
        func code(_ number: Int, _ tags: String, _ token: String = SimulatorTests.one) async -> Int? {
            let names = tags.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
            return await place.code(
                "device/tag", #"{"operator_type":\#(number),"token_list":["\#(token)"],"tag_list":[\#(names)]}"#)
        }
        #expect(await code(3, "a b c") == 0)
        #expect(await code(1, "d") == 1_008_007)
        #expect(await code(6, "d e f g") == 1_008_007)
        #expect(await code(6, "x:1") == 1_008_007)
        #expect(await code(3, "d", Self.two) == 0)
        #expect(await code(3, "e", Self.two) == 1_008_007)
        #expect(await code(1, String(repeating: "\u{4E2D}", count: 17)) == 1_008_007)
        #expect(await code(1, "a", String(repeating: "0", count: 37)) == 1_008_029)
        #expect(await place.snapshot().tags == ["a", "b", "c"])
        let pairs = (0...20).map { _ in #"{"tag":"a","token":"\#(Self.one)"}"# }.joined(separator: ",")
        #expect(await place.code("device/tag", #"{"operator_type":9,"tag_token_list":[\#(pairs)]}"#) == 1_008_007)
    }

    @Test("keys count in any case; of two spellings the same one counts every time")
    func cases() async {
        let place = Place()
        #expect(
            await place.code("device/tag", #"{"Operator_Type":1,"TOKEN_LIST":["\#(Self.one)"],"tag_List":["a"]}"#) == 0)
        for _ in 0..<20 {
            let body = #"{"operator_type":2,"Operator_Type":1,"token_list":["\#(Self.one)"],"tag_list":["a"]}"#
            #expect(await place.code("device/tag", body) == 0)
            #expect(await place.snapshot().tags == ["a"])
        }
    }

    // MARK: Accounts and attributes

    @Test("accounts have a code for each element; one of a type stays; queries tell no types")
    func accounts() async {
        let place = Place()
        let bind = """
            {"operator_type":1,"token_accounts":[{"token":"\(Self.one)","account_list":[{"account":"a"},{"account":"b"},\
            {"account":"p","account_type":1002}]},{"token":"nobody","account_list":[{"account":"a"}]}]}
            """
        let answer = await place.ask("device/account/batchoperate", bind)
        #expect(answer["ret_code"] == 1_008_026 && answer["result"] == ["0", "1008006"])
        #expect(
            await place.snapshot().accounts == [Account(name: "b", type: 0), Account(name: "p", type: 1002)])
        let query = await place.ask(
            "device/account/query", #"{"operator_type":2,"token_list":["\#(Self.one)","\#(Self.two)"]}"#)
        #expect(query["retCode"] == 1_008_026)
        #expect(query["token_accounts"]?.arrayValue?.first?["account_list"] == [["account": "b"], ["account": "p"]])
        #expect(
            await place.code("device/account/query", #"{"operator_type":2,"token_list":["\#(Self.two)"]}"#)
                == 10_110_008)
        let none = await place.ask(
            "device/account/batchoperate", #"{"operator_type":4,"token_list":["nobody"]}"#)
        #expect(none["ret_code"] == 1_008_027 && none["result"] == ["1008006"])
    }

    @Test("an account keeps its hundred newest devices")
    func holders() async {
        let tokens = (0...100).map { "t\($0)" }
        let place = Place { app, _ in app.devices = tokens.map { VirtualDevice($0, .ios) } }
        for token in tokens {
            _ = await place.ask(
                "device/account/batchoperate",
                #"{"operator_type":2,"token_accounts":[{"token":"\#(token)","account_list":[{"account":"a"}]}]}"#)
        }
        #expect(await place.snapshot("t0").accounts.isEmpty)
        #expect(await place.snapshot("t100").accounts.count == 1)
    }

    @Test("unknown attributes are listed, and only the names count when they are removed")
    func attributes() async {
        let place = Place()
        func ask(_ command: Int, _ map: String = "") async -> JSONValue {
            let info = map.isEmpty ? "" : #","attributeInfo":{"attributeMap":{\#(map)}}"#
            return await place.ask(
                "device/set_custom_attribute", #"{"cmd":\#(command),"token":"\#(Self.one)"\#(info)}"#)
        }
        #expect(await ask(1, #""nickname":"Ann","ghost":"x""#)["invalidAttribute"] == ["ghost"])
        #expect(await ask(2, #""tier":"3""#)["retCode"] == 0)
        #expect(await ask(5)["attributeInfo"]?["attributeMap"] == ["nickname": "Ann", "tier": "3"])
        #expect(await ask(3, #""tier":"other""#)["retCode"] == 0)
        #expect(await ask(5)["attributeInfo"]?["attributeMap"] == ["nickname": "Ann"])
        #expect(await ask(4)["retCode"] == 0)
        #expect(await ask(5)["attributeInfo"]?["attributeMap"] == [:])
        #expect(await ask(1, #""tier":3"#)["retCode"] == 1_008_001)
        #expect(await ask(1)["retCode"] == 1_008_002)
        #expect(await ask(6)["retCode"] == 1_008_007)
    }

    // MARK: Pushes

    @Test("one broad push a second, and the same to everyone once an hour")
    func rates() async {
        let place = Place()
        let all = Self.push(#""audience_type":"all""#)
        #expect(await place.code("push/app", all) == 0)
        #expect(await place.code("push/app", Self.push(#""audience_type":"all""#, text: "other")) == 1_008_028)
        place.pass(1)
        #expect(await place.code("push/app", all) == 10_010_018)
        place.pass(3600)
        #expect(await place.code("push/app", all) == 0)
        let token = Self.push(#""audience_type":"token","token_list":["\#(Self.one)"]"#)
        for _ in 0..<5 { #expect(await place.code("push/app", token) == 0) }
    }

    @Test("tokens that are not valid refuse a push, or are listed; each device gets it once")
    func tokens() async {
        let place = Place()
        func ask(_ tokens: String, _ ignore: Int, _ type: String = "token_list") async -> JSONValue {
            await place.ask(
                "push/app",
                Self.push(
                    #""audience_type":"\#(type)","ignore_invalid_token":\#(ignore),"token_list":[\#(tokens)]"#))
        }
        let known = "\"\(Self.one)\""
        #expect(await ask("\"x\"", 0, "token")["ret_code"] == 1_008_029)
        #expect(await ask("\(known),\"x\"", 0)["ret_code"] == 1_008_006)
        let answer = await ask("\(known),\"x\",\(known),\"x\"", 1)
        #expect(answer["ret_code"] == 0 && answer["invalid_targe_list"] == ["x"])
        #expect(await place.snapshot().inbox.count == 1)
    }

    @Test("badges: the app's own number is counted on; a number that is set is only shown")
    func badges() async {
        let place = Place()
        await place.simulator.setBadge(5, of: Self.one)
        for badge in [9, -2, -1, 0, Int(Int32.max), -2] {
            _ = await place.ask(
                "push/app",
                Self.push(
                    #""audience_type":"token","token_list":["\#(Self.one)"]"#, badge: #","badge_type":\#(badge)"#))
        }
        #expect(await place.snapshot().inbox.map(\.badge) == [9, 6, nil, 0, Int(Int32.max), 7])
        await place.simulator.setBadge(.max, of: Self.one)
        for badge in ["-2", "9223372036854775807", "-3"] {
            _ = await place.ask(
                "push/app",
                Self.push(#""audience_type":"token","token_list":["\#(Self.one)"]"#, badge: #","badge_type":\#(badge)"#)
            )
        }
        #expect(await place.snapshot().inbox.count == 7)
    }

    private static let ruleCases: [(body: String, code: Int)] = [
        (#"{}"#, 1_008_002), (#"{"audience_type":"all","message_type":"notify"}"#, 1_008_002),
        (#"{"audience_type":"nobody","message_type":"notify","environment":"product","message":{}}"#, 1_008_007),
        (#"{"audience_type":"all","message_type":"notify","environment":"test","message":{}}"#, 1_008_007),
        (
            #"{"audience_type":"all","message_type":"notify","environment":"dev","message":{"ios":{"aps":{"alert":5}},"#
                + #""title":"t","content":"c"}}"#, 1_008_001
        ),
        (
            #"{"audience_type":"all","message_type":"notify","environment":"dev","message":{"title":"t","content":"c","#
                + #""ios":{"aps":{"alert":{},"content-available":1}}}}"#, 1_008_007
        ),
        (
            #"{"audience_type":"all","message_type":"message","environment":"dev","message":{"ios":{"aps":{}}}}"#,
            1_008_002
        ),
        (
            #"{"audience_type":"all","message_type":"message","environment":"dev","message":{"ios":{"custom_content":"#
                + #""no json","aps":{"content-available":1}}}}"#, 1_008_007
        ),
        (push(#""audience_type":"all","expire_time":259201"#), 1_008_007),
        (push(#""audience_type":"all","push_speed":10"#), 1_008_007),
        (push(#""audience_type":"all","collapse_id":1"#), 1_008_007),
        (push(#""audience_type":"package_token_push","upload_id":1"#), 1_008_007),
        (push(#""audience_type":"token","token_list":["x"],"send_time":"2026-12-01 00:00:00""#), 1_008_007),
        (push(#""audience_type":"tag""#), 1_008_002),
        (push(#""audience_type":"account","account_list":["nobody"]"#), 10_010_005),
        (push(#""audience_type":"all""#, text: String(repeating: "x", count: 4096)), 1_008_007),
    ]

    @Test("what a push must have and must not have", arguments: ruleCases)
    func rules(body: String, code: Int) async {
        #expect(await Place().code("push/app", body) == code)
    }

    @Test(
        "moments that do not exist, are long past or too far ahead are refused, however odd they are written",
        arguments: [
            "2026-02-30 09:00:00", "2026-11-20", "20 11 2026", "2026-11-20T08:00:00", "2027-03-01 09:00:00",
            "+026-11-20 09:00:00", "2026-11-20 24:00:00",
        ])
    func moments(text: String) async {
        #expect(await Place().code("push/app", Self.push(#""audience_type":"all","send_time":"\#(text)""#)) != 0)
    }

    @Test("loops that are too long or odd are refused at once")
    func loops() async {
        let place = Place()
        func code(_ loop: String) async -> Int? {
            place.pass(2)
            return await place.code(
                "push/app", Self.push(#""audience_type":"all","loop_param":{\#(loop)}"#, text: loop.filter(\.isNumber)))
        }
        let day = #""startDate":"2026-11-20","endDate":"2026-11-29","loopType""#
        #expect(await code(#"\#(day):1,"loopDayIndexs":[0],"dayTimes":["23:00:00","23:00:00"]"#) == 0)
        #expect(await place.simulator.pushCount == 10)
        // 0 means Sunday; the 22nd and the 29th are Sundays.
        #expect(await code(#"\#(day):2,"loopDayIndexs":[0],"dayTimes":["22:00:00"]"#) == 0)
        #expect(await place.simulator.pushCount == 12)
        for loop in [
            #""startDate":"0001-01-01","endDate":"9999-12-31","loopType":1,"loopDayIndexs":[0],"dayTimes":["09:00:00"]"#,
            #""startDate":"999999-1-1","endDate":"999999-1-2","loopType":1,"loopDayIndexs":[0],"dayTimes":["09:00:00"]"#,
            #"\#(day):2,"loopDayIndexs":[7],"dayTimes":["09:00:00"]"#,
            #"\#(day):4,"loopDayIndexs":[0],"dayTimes":["09:00:00"]"#,
            #"\#(day):1,"loopDayIndexs":[0],"dayTimes":["a:1:2:03"]"#,
            #"\#(day):1,"loopDayIndexs":[],"dayTimes":["09:00:00"]"#,
        ] { #expect(await code(loop) == 1_008_007, "\(loop)") }
        let times = (0..<2000).map { "\"\(10 + $0 % 10):\(10 + $0 % 50):\(10 + $0 / 50 % 50)\"" }.joined(separator: ",")
        #expect(await code(#"\#(day):1,"loopDayIndexs":[0],"dayTimes":[\#(times)]"#) == 1_008_007)
    }

    @Test("what is due happens in the order of its moments")
    func dueOrder() async {
        let place = Place()
        for (text, time) in [("late", "08:00:20"), ("early", "08:00:10")] {
            #expect(
                await place.code(
                    "push/app", Self.push(#""audience_type":"all","send_time":"2026-11-20 \#(time)""#, text: text)) == 0
            )
            place.pass(1)
        }
        place.pass(60)
        #expect(await place.snapshot().inbox.map(\.alert) == ["early", "late"])
    }

    @Test("rules: values, then items with AND before OR, then rules; the vendor's own tags count too")
    func tagRules() async {
        let place = Place { _, settings in
            settings.presetTags = [Self.one: ["xg_auto_province": ["guangdong"]]]
        }
        _ = await place.ask(
            "device/tag", #"{"operator_type":3,"token_list":["\#(Self.two)"],"tag_list":["a","b"]}"#)
        func item(_ type: String, _ tags: String, _ how: String, _ join: String, _ isNot: Bool = false) -> String {
            #"{"tag_type":"\#(type)","tags":[\#(tags)],"tags_operator":"\#(how)","items_operator":"\#(join)","is_not":\#(isNot)}"#
        }
        let custom = "xg_user_define"
        let province = item("xg_auto_province", "\"guangdong\",\"hunan\"", "OR", "OR")
        for (number, (items, isNot, reached)) in [
            (province, false, [Self.one]), (item(custom, "\"a\",\"b\"", "AND", "OR"), false, [Self.two]),
            (item(custom, "\"a\",\"x\"", "AND", "OR"), false, []),
            (item(custom, "\"a\"", "OR", "OR", true), false, [Self.one]), (province, true, [Self.two]),
            // province OR (a AND x)
            (
                province + "," + item(custom, "\"a\"", "OR", "OR") + "," + item(custom, "\"x\"", "OR", "AND"), false,
                [Self.one]
            ),
        ].enumerated() {
            place.pass(2)
            let rules = #""tag_rules":[{"operator":"AND","is_not":\#(isNot),"tag_items":[\#(items)]}]"#
            let answer = await place.ask("push/app", Self.push(#""audience_type":"tag",\#(rules)"#, text: "\(number)"))
            #expect(await place.simulator.receivers(of: answer["push_id"]?.stringValue ?? "") == reached, "\(number)")
        }
        place.pass(2)
        let old = await place.ask(
            "push/app", Self.push(#""audience_type":"tag","tag_list":{"tags":["a","x"],"op":"OR"}"#))
        #expect(await place.simulator.receivers(of: old["push_id"]?.stringValue ?? "") == [Self.two])
    }

    @Test("the other environment is accepted and reaches nobody; who is offline gets it later, while it lives")
    func delivery() async {
        let place = Place { app, _ in
            app.devices = [
                VirtualDevice(Self.one, .ios, environment: .development),
                VirtualDevice(Self.two, .ios, isOnline: false),
            ]
        }
        func send(_ token: String, _ life: Int, _ more: String = "") async -> Int? {
            await place.code(
                "push/app",
                Self.push(#""audience_type":"token","token_list":["\#(token)"],"expire_time":\#(life)\#(more)"#))
        }
        #expect(await send(Self.one, 86_400) == 0)
        #expect(await place.snapshot().inbox.isEmpty)
        #expect(await send(Self.two, 0) == 0)
        // The vendor raises this life to 800 seconds.
        #expect(await send(Self.two, 1) == 0)
        #expect(await send(Self.two, 3600, #","channel_rules":[{"channel":"apns","disable":true}]"#) == 0)
        place.pass(799)
        await place.simulator.setOnline(true, Self.two, at: place.now)
        #expect(await place.snapshot(Self.two).inbox.count == 1)
    }

    @Test("gaps are filled from attributes, or the standard text stands in")
    func gaps() async {
        let place = Place()
        _ = await place.ask(
            "device/set_custom_attribute",
            #"{"cmd":1,"token":"\#(Self.one)","attributeInfo":{"attributeMap":{"nickname":"Ann"}}}"#)
        let body = """
            {"audience_type":"all","environment":"product","message_type":"notify","ntf_wt_attrs":true,"message":{"title":"t",\
            "content":"Hi {{nickname}}","default_content":"Hi","ios":{"aps":{"alert":{}}}}}
            """
        #expect(await place.code("push/app", body) == 0)
        #expect(await place.snapshot().inbox.map(\.alert) == ["Hi Ann"])
        #expect(await place.snapshot(Self.two).inbox.map(\.alert) == ["Hi"])
    }

    // MARK: Statistics and the rest

    @Test("two hundred statistics an hour, and fields are looked at before they are counted")
    func statisticsQuota() async {
        let place = Place()
        let path = "statistics/get_push_task_stat_channel"
        for _ in 0..<201 { #expect(await place.code(path, "{}") == 1_008_002) }
        for _ in 0..<200 { #expect(await place.code(path, #"{"pushId":"1"}"#) == 1_008_015) }
        #expect(await place.code(path, #"{"pushId":"1"}"#) == 1_008_028)
        place.pass(3600)
        #expect(await place.code(path, #"{"pushId":"1"}"#) == 1_008_015)
    }

    @Test(
        "days that do not exist, are too far back or out of order are refused",
        arguments: [
            ("statistics/get_push_channel_stat_overview", #""startDate":"20260231","endDate":"20261120""#),
            ("statistics/get_push_channel_stat_overview", #""startDate":"20261001","endDate":"20261120""#),
            ("statistics/get_push_channel_stat_overview", #""startDate":"20261120","endDate":"20261101""#),
            ("statistics/get_push_record", #""startDate":"20261101","endDate":"20261120""#),
            ("statistics/get_device_stat_overview", #""startDate":"20261101","endDate":"99991231""#),
            ("statistics/get_device_distribute_info", #""date":"19990101","type":"city""#),
        ])
    func days(path: String, fields: String) async {
        #expect(await Place().code(path, "{\(fields)}") == 1_008_016)
    }

    @Test("uploads are read as forms are written, and refused where they are none")
    func uploads() async throws {
        let place = Place()
        func upload(_ name: String, _ lines: String, type: String = "multipart/form-data; boundary=abc") async throws
            -> Int?
        {
            let body =
                "--abc\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n\(lines)\r\n--abc--\r\n"
            var headers: HTTPFields = [.contentType: type]
            headers[.authorization] = "Basic \(Data("1600999001:secret".utf8).base64EncodedString())"
            let answer = await place.simulator.respond(
                to: SimulatedRequest(
                    method: .post, path: "/v3/push/package/upload", query: "", headers: headers, body: Array(body.utf8)),
                at: place.now)
            return try JSONValue(parsing: answer.body)["retCode"]?.intValue
        }
        #expect(try await upload("a;b.txt", Self.one) == 0)
        #expect(try await upload("a.csv", Self.one, type: #"Multipart/Form-Data; boundary="abc"; charset=utf-8"#) == 0)
        #expect(try await upload("a.txt", "") == 1_008_012)
        #expect(try await upload("a.doc", Self.one) == 1_008_011)
        #expect(try await upload("a.txt", Self.one, type: "text/plain") == 1_008_002)
        #expect(try await upload("a.txt", Self.one, type: "multipart/form-data") == 1_008_002)
    }

    private static let oddBodies: [String] = [
        "", "[]", "null", "{", #"{"operator_type":1e400}"#, #"{"operator_type":99999999999999999999999}"#,
        #"{"audience_type":"all","message_type":"notify","environment":"dev","message":{"ios":[]}}"#,
        #"{"pushId":99999999999999999999}"#, #"{"cmd":-1,"token":""}"#, #"{"token_list":[[]],"operator_type":1}"#,
        #"{"startDate":"","endDate":""}"#, String(repeating: "[", count: 400),
    ]

    @Test("no request ends the simulator, and each has an answer", arguments: oddBodies)
    func anything(body: String) async {
        let place = Place()
        for path in [
            "push/app", "push/package/upload", "push/plan/add_plan_push", "push/stop_push_msg", "push/revoke_push_msg",
            "push/cancel_timing_task", "device/tag", "device/tag/delete_all_device", "device/account/batchoperate",
            "device/account/query", "device/set_custom_attribute", "statistics/get_push_record",
            "statistics/get_push_task_stat_channel", "statistics/get_push_group_stat_channel",
            "statistics/get_push_channel_stat_overview", "statistics/get_device_stat_overview",
            "statistics/get_device_distribute_info", "toolbox/getPushListByToken",
        ] {
            let answer = await place.ask(path, body)
            let code = answer["ret_code"] ?? answer["retCode"]
            #expect(code != nil && code != 0, "\(path)")
        }
    }

    @Test("access points keep different numbers, so that an id of one is none of another")
    func isolation() async {
        let app = TPNSApp(
            accessID: 1_600_999_001, secretKey: "k", platform: .ios, devices: [VirtualDevice(Self.one, .ios)])
        var ids: Set<String> = []
        for point in ["guangzhou", "shanghai", "hongkong", "singapore"] {
            let simulator = TPNSSimulator(apps: [app], accessPoint: point)
            let headers: HTTPFields = [.authorization: "Basic \(Data("1600999001:k".utf8).base64EncodedString())"]
            let request = SimulatedRequest(
                method: .post, path: "/v3/push/app", query: "", headers: headers,
                body: Array(Self.push(#""audience_type":"all""#).utf8))
            let answer = await simulator.respond(to: request, at: .now)
            let id = (try? JSONValue(parsing: answer.body))?["push_id"]?.stringValue ?? ""
            #expect(id.count == 19)
            ids.insert(id)
        }
        #expect(ids.count == 4)
    }
}
