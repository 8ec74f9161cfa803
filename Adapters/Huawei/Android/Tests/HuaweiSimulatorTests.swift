import Foundation
import HuaweiSimulator
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// The simulator alone: raw requests in, responses out. The checks have the numbers of the vendor's rules, S1 to S23.
@Suite("Huawei simulator")
struct HuaweiSimulatorTests {
    typealias World = SimulatedHuawei

    @Test("S1: another path and another method get 404; the token endpoint answers 405 to the latter")
    func paths() async throws {
        let world = try World()
        for (method, path, status) in [
            (HTTPRequest.Method.post, "/v1/1001/messages", 404), (.post, "/v3/demo/messages:send", 404),
            (.get, World.path, 404), (.get, "/oauth2/v3/token", 405),
        ] {
            let answer = try await world.call(path, World.body(), method: method)
            #expect(answer.status == status && answer.body.isEmpty)
        }
    }

    @Test("S2 and S3: both kinds of tokens work for their app, until they end")
    func bearers() async throws {
        let world = try World()
        let good = try #require(try await world.exchange().json["access_token"]?.stringValue)
        let other = try #require(
            try await world.exchange("client_id=1002&client_secret=other").json["access_token"]?.stringValue)
        let cases: [(String, String, String)] = [
            (good, World.path, "80000000"), (try world.token(), World.path, "80000000"),
            (good, "/v2/demo/messages:send", "80000000"), (try world.token(), "/v2/demo/messages:send", "80000000"),
            ("", World.path, "80200001"), ("unknown", World.path, "80200001"), (other, World.path, "80200001"),
            (good, "/v2/bank/messages:send", "80200001"), (try world.token(), "/v1/1002/messages:send", "80200001"),
            (try world.token([:], .rs256), World.path, "80200001"),
            (try world.token(["iat": 1_795_129_200, "exp": 1_795_132_800]), World.path, "80200005"),
            (try world.token(["exp": 1_795_219_201]), World.path, "80300036"),
        ]
        for (bearer, path, code) in cases {
            let answer = try await world.call(path, World.body(), bearer: bearer)
            #expect(answer.code == code && answer.status == (code == "80000000" ? 200 : 401))
        }
        world.pass(3600)
        #expect(try await world.call(World.path, World.body(), bearer: good).code == "80200003")
        let early = try #require(try await world.exchange().json["access_token"]?.stringValue)
        await world.simulator.endTokens()
        #expect(try await world.call(World.path, World.body(), bearer: early).code == "80200003")
    }

    @Test("S4: the token endpoint names what is wrong, escapes slashes, and limits the tokens of five minutes")
    func exchange() async throws {
        let world = try World { _, settings in settings.tokensPerFiveMinutes = 2 }
        for (form, code) in [
            ("client_id=x&client_secret=s3cret", 20_002 as JSONValue), ("client_id=9&client_secret=s3cret", 20_003),
            ("client_id=1001&client_secret=wrong", 12_304), ("client_id=1001", 20_171),
            ("client_id=1001&client_secret=s%203", 20_172),
        ] {
            let answer = try await world.exchange(form)
            #expect(answer.status == 400 && answer.json["error"] == 1101 && answer.json["sub_error"] == code)
        }
        #expect(try await world.call("/oauth2/v3/token", "grant_type=password").json["sub_error"] == 20_182)
        let answer = try await world.exchange()
        #expect(answer.text.contains(#"CF\/"#) && answer.json["access_token"]?.stringValue?.hasPrefix("CF/") == true)
        #expect(answer.json["expires_in"] == 3600 && answer.json["token_type"] == "Bearer")
        #expect(try await world.exchange().status == 200)
        #expect(try await world.exchange().status == 503)
        world.pass(300)
        #expect(try await world.exchange().status == 200)
    }

    @Test("S5, S12: an app needs Push Kit, and a right for urgent messages")
    func rights() async throws {
        let off = try World { app, _ in app.isPushOn = false }
        #expect(try await off.send().code == "80300002")
        let slow = try World { app, _ in app.maySendUrgently = false }
        #expect(try await slow.send(android: #""urgency":"HIGH""#).code == "80300011")
        #expect(try await slow.send(android: #""urgency":"NORMAL""#).code == "80000000")
    }

    private static let many = String(repeating: #""phone-token","#, count: 1000)

    static let rules: [(code: String, body: String)] =
        [
            ("80100003", "no JSON"), ("80300010", "{}"), ("80300010", #"{"messages":{"token":["x"]}}"#),
            ("80100001", World.body(to: #""tokens":["x"]"#)),
            ("80100001", World.body(to: World.list("phone-token") + #","topic":"news""#)),
            ("80300010", World.body(to: #""token":[]"#)),
            ("80000000", World.body(to: #""token":[\#(many.dropLast())]"#)),
            ("80300010", World.body(to: #""token":[\#(many)"phone-token"]"#)),
            ("80100003", #"{"message":{"token":["phone-token"]}}"#),
            ("80100003", #"{"message":{"notification":{"title":"T","body":"B"},"token":["phone-token"]}}"#),
            ("80100016", World.body().replacing(#""T""#, with: #""a rude word""#)),
            ("80100018", World.body().replacing(#"{"message""#, with: #"{"review":[{}],"message""#)),
        ]
        + [
            ("80100004", #""ttl":"0x""#), ("80100004", #""ttl":"1296001s""#), ("80100004", #""ttl":86400"#),
            ("80000000", #""ttl":"1296000s""#), ("80100013", #""collapse_key":101"#),
            ("80100013", #""collapse_key":-2"#), ("80000000", #""collapse_key":100"#),
            ("80100003", #""urgency":"LOW""#), ("80100003", #""target_user_type":2"#),
            ("80100003", #""category":"SPAM""#), ("80100003", #""category":"PLAY_VOICE""#),
        ].map { ($0.0, World.body(android: $0.1)) }
        + [
            #""click_action":null"#, #""click_action":{"type":1}"#, #""click_action":{"type":4}"#,
            #""click_action":{"type":2,"url":"http://x"}"#, #""badge":{"add_num":100,"class":"c"}"#,
            #""badge":{"add_num":1}"#, #""buttons":[{"name":"1"},{"name":"2"},{"name":"3"},{"name":"4"}]"#,
            #""importance":"HIGH""#, #""color":"red""#, #""image":"http://x""#, #""style":3"#, #""style":1"#,
            #""inbox_content":["1","2","3","4","5","6"]"#, #""multi_lang_key":{"k":{"a":"","b":"","c":"","d":""}}"#,
            #""profile_id":"\#(String(repeating: "p", count: 65))""#,
        ].map { ("80100003", World.body($0)) }
        + [
            "'a' in topics &&", "a in topics", "('a' in topics", "'a' in topics & 'b' in topics", "'#' in topics",
            "'1' in topics || '2' in topics || '3' in topics || '4' in topics || '5' in topics || '6' in topics",
        ].map { ("80100001", World.body(to: #""condition":"\#($0)""#)) }

    @Test("S6 to S8, S10, S11, S20: each rule of a field has its code", arguments: 0..<rules.count)
    func fields(index: Int) async throws {
        let (code, body) = Self.rules[index]
        let world = try World { _, settings in
            settings.sensitiveWords = ["rude"]
            settings.trustsReviews = false
        }
        let answer = try await world.call(World.path, body)
        #expect(answer.code == code && answer.status == (code == "80000000" ? 200 : 400), "\(body.prefix(200))")
    }

    @Test("S9 and S22: the size counts 4,096 bytes without the tokens; a dry run checks, and delivers nothing")
    func size() async throws {
        let world = try World()
        let empty = World.body(#""tag":"""#, to: #""token":[]"#).utf8.count
        for (extra, code) in [(0, "80000000"), (1, "80300008")] {
            let tag = String(repeating: "x", count: 4096 - empty + extra)
            let answer = try await world.send(#""tag":"\#(tag)""#, to: World.list(World.phone, World.tablet))
            #expect(answer.code == code)
        }
        let dry = World.body().replacing(#"{"message""#, with: #"{"validate_only":true,"message""#)
        #expect(try await world.call(World.path, dry).code == "80000000")
        #expect(await world.simulator.inbox(of: World.phone).count == 1)
        #expect(await world.results() == [0, 0])
    }

    @Test("S13 and S14: dead and foreign tokens have no reasons, and a token in a list twice gets two messages")
    func deadTokens() async throws {
        let world = try World()
        await world.simulator.setDead(true, World.tablet)
        let some = try await world.send(to: World.list(World.phone, World.tablet, World.phone, World.foreign))
        #expect(some.code == "80100000" && some.message["success"] == 2 && some.message["failure"] == 2)
        #expect(some.message["illegal_tokens"] == [.string(World.tablet), .string(World.foreign)])
        #expect(await world.simulator.inbox(of: World.phone).count == 2)
        for token in [World.tablet, World.foreign, "nothing"] {
            #expect(try await world.send(to: World.list(token)).code == "80300007")
        }
    }

    @Test("S15 and S16: messages without a category or its right are marketing, which is silent and capped")
    func marketing() async throws {
        let world = try World { app, _ in app.categories = ["IM"] }
        for category in [#""category":"TRAVEL""#, #""category":null"#, #""category":"MARKETING""#, ""] {
            #expect(try await world.send(#""sound":"s""#, android: category).code == "80000000")
        }
        #expect(await world.results() == [0, 0, 256, 0])
        let inbox = await world.simulator.inbox(of: World.phone)
        #expect(inbox.map(\.category) == ["MARKETING", "MARKETING", "IM"] && inbox.map(\.sound) == [nil, nil, "s"])
    }

    @Test("S17 and S18: a device gets so many messages until midnight in China; test messages do not count")
    func caps() async throws {
        let world = try World { app, _ in (app.messagesPerDevice, app.testMessagesPerDay) = (2, 1) }
        for _ in 0..<3 { _ = try await world.send() }
        for _ in 0..<2 { _ = try await world.send(android: #""target_user_type":1"#) }
        #expect(await world.results() == [0, 0, 102, 0, 256])
        world.pass(57_600)
        _ = try await world.send()
        #expect(await world.results() == [0])
        let strict = try World { app, settings in (app.testMessagesPerDay, settings.acceptsTestOverflow) = (0, false) }
        #expect(try await strict.send(android: #""target_user_type":1"#).code == "80100001")
    }

    @Test("which operator of a condition binds tighter is a setting", arguments: [false, true])
    func precedence(isTighter: Bool) async throws {
        let world = try World { _, settings in settings.bindsAndTighter = isTighter }
        _ = try await world.call("/v1/1001/topic:subscribe", #"{"topic":"a","tokenArray":["phone-token"]}"#)
        let condition = "'a' in topics || 'b' in topics && 'c' in topics"
        #expect(try await world.send(to: #""condition":"\#(condition)""#).code == "80000000")
        #expect(await world.simulator.inbox(of: World.phone).count == (isTighter ? 1 : 0))
    }

    @Test("S19 to S21: rates of devices and topic tasks; a condition chooses devices")
    func topics() async throws {
        let world = try World { app, settings in (app.devicesPerSecond, settings.topicTasks) = (2, 3) }
        func join(_ topic: String, _ tokens: String, _ verb: String = "subscribe") async throws -> JSONValue {
            try await world.call("/v1/1001/topic:\(verb)", #"{"topic":"\#(topic)","tokenArray":[\#(tokens)]}"#).json
        }
        let answer = try await join("news", #""phone-token","nothing","tablet-token""#)
        #expect(answer["successCount"] == 2 && answer["failureCount"] == 1)
        #expect(answer["errors"]?.arrayValue?.first?["index"] == 1)
        _ = try await join("体育", #""tablet-token""#)
        _ = try await join("news", #""tablet-token""#, "unsubscribe")
        #expect(try await join("a b", #""phone-token""#)["code"] == "80100001")
        #expect(try await join("a", "")["code"] == "80300010")
        let list = try await world.call("/v1/1001/topic:list", #"{"token":"tablet-token"}"#).json
        #expect(list["topics"] == [["name": "体育", "addDate": "2026-11-20"]])
        #expect(await world.simulator.snapshot(of: World.phone)?.tags == ["news"])
        for target in [
            #""topic":"news""#, #""condition":"'体育' in topics && !('news' in topics)""#,
            #""condition":"('体育' in topics || 'news' in topics) && 'none' in topics""#,
        ] {
            #expect(try await world.send(to: target).code == "80000000")
        }
        for token in [World.phone, World.tablet] { #expect(await world.simulator.inbox(of: token).count == 1) }
        #expect(try await world.send(to: #""topic":"news""#).code == "80100017")
        #expect(try await world.send().body.isEmpty)
        world.pass(60)
        #expect(try await world.send(to: #""topic":"news""#).code == "80000000")
    }

    @Test("a device gets everything that a message has")
    func content() async throws {
        let world = try World()
        _ = try await world.send(
            #""tag":"t","notify_id":4,"badge":{"class":"c","set_num":7},"channel_id":"ch","foreground_show":false,"#
                + #""click_action":{"type":1,"action":"com.example.ORDER"},"image":"https://x/a.png","group":"g""#,
            android: #""data":"{\"order\":7}""#)
        _ = try await world.send(#""badge":{"class":"c"},"click_action":{"type":2,"url":"https://x"},"notify_id":4"#)
        for data in ["hello", #"{\"content\":\"c\",\"n\":1}"#] {
            _ = try await world.call(World.path, #"{"message":{"data":"\#(data)",\#(World.list(World.phone))}}"#)
        }
        let inbox = await world.simulator.inbox(of: World.phone)
        #expect(inbox.map(\.collapseID) == ["t", "4", nil, nil] && inbox.map(\.badge) == [7, 8, nil, nil])
        #expect(inbox[0].tap == .intentAction("com.example.ORDER") && inbox[1].tap == .link("https://x"))
        #expect(inbox[0].channel == "ch" && inbox[0].thread == "g" && inbox[0].goesToOpenApp)
        #expect(inbox[0].image == "https://x/a.png" && inbox[0].extras == ["order": 7])
        #expect(inbox.map(\.custom?.content) == [nil, nil, "hello", "c"] && inbox[3].custom?.extras == ["n": 1])
    }

    @Test("S23: receipts have one of two forms; what the vendor held back may still arrive", arguments: [false, true])
    func receipts(isFirst: Bool) async throws {
        let world = try World { _, settings in
            settings.receipts?.version = isFirst ? .first : .second
            settings.receipts?.isRepeated = true
        }
        await world.simulator.setResult(201, of: World.phone, at: world.now)
        let answer = try await world.send(android: #""bi_tag":"tag""#)
        let first = await world.simulator.takeCallbacks(9, at: world.now)
        await world.simulator.noteAnswer(SimulatedResponse(status: 200), to: first[0], at: world.now)
        let again = await world.simulator.takeCallbacks(9, at: world.now)
        #expect(again.map(\.body) == first.map(\.body) && first.count == 1)
        var row: [String: JSONValue] = [
            "token": .string(World.phone), "requestId": answer.json["requestId"] ?? .null, "biTag": "tag",
        ]
        if isFirst {
            row.merge(["appid": "1001", "status": 201, "timestamp": 1_795_132_800_000]) { $1 }
        } else {
            let status: JSONValue = ["result": 201, "timestamp": 1_795_132_800_000]
            row.merge(["pushType": 0, "appPackageName": "com.example.app", "deliveryStatus": status]) { $1 }
        }
        #expect(try JSONValue(parsing: first[0].body) == ["statuses": [.object(row)]])
        let name = try #require(HTTPField.Name("X-HUAWEI-CALLBACK-ID"))
        let parts = try #require(first[0].headers[name]).split(separator: "; ").map {
            $0.drop { $0 != "=" }.dropFirst()
        }
        let code = Digests.hmacSHA256(Array("\(parts[0])\(parts[1])ops".utf8), key: Secret("k3y"))
        #expect(parts[2] == Data(code).base64EncodedString() && parts[0] == "1795132800000")
        await world.simulator.setResult(nil, of: World.phone, at: world.now)
        #expect(await world.results().contains(0))
        #expect(await world.simulator.inbox(of: World.phone).count == 1)
    }

    @Test("a device that is offline keeps 120 messages, or the newest of a group")
    func offline() async throws {
        let world = try World { _, settings in settings.storedMessages = 2 }
        await world.simulator.setOnline(false, World.phone, at: world.now)
        for (tag, key) in [("a", 5), ("b", 5), ("c", -1), ("d", -1)] {
            _ = try await world.send(#""tag":"\#(tag)""#, android: #""collapse_key":\#(key)"#)
        }
        #expect(await world.results() == [15, 15])
        await world.simulator.setOnline(true, World.phone, at: world.now)
        #expect(await world.simulator.inbox(of: World.phone).map(\.collapseID) == ["c", "d"])
    }
}
