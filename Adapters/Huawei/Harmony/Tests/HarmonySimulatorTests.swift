import Foundation
import HarmonySimulator
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// The simulator alone: raw requests in, responses out. The checks have the numbers of the vendor's rules, S1 to S21.
@Suite("HarmonyOS simulator")
struct HarmonySimulatorTests {
    typealias World = SimulatedHarmony

    // MARK: S1 to S4: path, token, project

    @Test("S1: another path and another method get 404 without a body")
    func paths() async throws {
        let world = try World()
        for (method, path) in [
            (HTTPRequest.Method.post, "/v3/demo/messages"), (.post, "/v1/demo/messages:send"), (.post, "/"),
            (.get, "/v3/demo/messages:send"), (.put, "/v1/9001/messages:revoke"),
        ] {
            let answer = try await world.call(method, path, World.alert())
            #expect(answer.status == 404 && answer.body.isEmpty)
        }
    }

    struct Token: Sendable, CustomTestStringConvertible {
        var code: String
        var claims: [String: JSONValue] = [:]
        var header: [String: JSONValue] = [:]
        var isRSA = false
        var isForeign = false
        var testDescription: String { "\(code) \(claims) \(header) \(isRSA) \(isForeign)" }
    }

    static let tokens: [Token] = [
        Token(code: "80000000"), Token(code: "80200001", isRSA: true), Token(code: "80200001", isForeign: true),
        Token(code: "80200001", header: ["kid": "other"]), Token(code: "80200001", header: ["kid": nil]),
        Token(code: "80200001", header: ["typ": "JOSE"]), Token(code: "80200001", claims: ["iss": "other"]),
        Token(code: "80200001", claims: ["aud": "https://example.com/token"]),
        Token(code: "80200001", claims: ["exp": nil]), Token(code: "80200001", claims: ["iat": nil]),
        Token(code: "80200001", claims: ["iat": 1_795_132_801]),
        Token(code: "80200005", claims: ["iat": 1_795_129_200, "exp": 1_795_132_800]),
        Token(code: "80000000", claims: ["exp": 1_795_219_200]),
        Token(code: "80300036", claims: ["exp": 1_795_219_201]),
    ]

    @Test(
        "S2 and S3: a token is signed with PS256 by the project's key, and lives for a day at most", arguments: tokens)
    func bearer(token: Token) async throws {
        let world = try World()
        let key = try #require(token.isForeign ? World.otherKey : World.key)
        let text = try world.token(token.claims, token.header, by: key.signing(with: token.isRSA ? .rs256 : .ps256))
        let answer = try await world.call(.post, World.path, World.alert(), bearer: text)
        #expect(answer.code == token.code)
        #expect(answer.status == (token.code == "80000000" ? 200 : 401))
    }

    @Test("S2: a request without a token, with garbage, or for another project is not authenticated")
    func noBearer() async throws {
        let world = try World()
        for bearer in ["", "garbage", "a.b.c", "QVQ="] {
            #expect(try await world.call(.post, World.path, World.alert(), bearer: bearer).code == "80200001")
        }
        #expect(try await world.call(.post, "/v3/bank/messages:send", World.alert()).code == "80200001")
        #expect(try await world.call(.post, "/v3/none/messages:send", World.alert()).code == "80200001")
    }

    @Test("a token that ends early is refused, and a new one works")
    func endedToken() async throws {
        let world = try World()
        let (old, new) = (try world.token(), try world.token())
        #expect(try await world.call(.post, World.path, World.alert(), bearer: old).code == "80000000")
        await world.simulator.endTokens()
        #expect(try await world.call(.post, World.path, World.alert(), bearer: old).code == "80200005")
        #expect(try await world.call(.post, World.path, World.alert(), bearer: new).code == "80000000")
    }

    @Test("S4: a project without Push Kit, or under a punishment, may not send")
    func pushOff() async throws {
        let off = try World { project, _ in project.isPushOn = false }
        #expect(try await off.send(World.alert()).code == "80300002")
        let punished = try World { project, _ in project.penalty = .refusesRequests }
        #expect(try await punished.send(World.alert()).code == "80300037")
        let tokens = try World { project, _ in project.penalty = .refusesTokens }
        let answer = try await tokens.send(World.alert())
        #expect(answer.code == "80300007" && answer.refused["disableSendHuaweiMsgBecauseOfPenalty"] == [World.phone])
        let dropped = try World { project, _ in project.penalty = .dropsMessages }
        #expect(try await dropped.send(World.alert()).code == "80000000")
        #expect(await dropped.results() == [256])
    }

    // MARK: S5 to S10: fields, sizes, limits

    struct Rule: Sendable, CustomTestStringConvertible {
        var code: String
        var type: String?
        var body: String
        var testDescription: String { "\(code), type \(type ?? "none"): \(body.prefix(90))" }

        init(_ code: String, _ body: String, type: String? = "0") {
            (self.code, self.body, self.type) = (code, body, type)
        }
    }

    private static func illegal(_ notification: String...) -> [Rule] {
        notification.map { Rule("80100003", World.alert($0)) }
    }
    private static func options(_ code: String, _ options: String...) -> [Rule] {
        options.map { Rule(code, World.alert(options: $0)) }
    }
    private static func live(_ fields: String) -> String {
        World.body(
            #""activityId":7,"operation":0,"event":"TAXI","status":"CALLED","version":1,"#
                + #""activityData":{"notificationData":{"type":3}}"#, replacing: fields)
    }
    private static func form(_ fields: String) -> String {
        World.body(
            #""formId":5,"version":1,"moduleName":"m","formName":"f","abilityName":"a","formData":{"t":"x"}"#,
            replacing: fields)
    }

    static let rules: [Rule] =
        [
            Rule("80100001", World.alert(), type: nil), Rule("80100001", World.alert(), type: "3"),
            Rule("80100001", World.alert(), type: "zero"), Rule("80100003", "no JSON"), Rule("80100003", "[]"),
            Rule("80100003", #"{"target":{"token":["x"]}}"#), Rule("80100003", World.body(#""data":"x""#)),
        ]
        + illegal(
            #""category":null"#, #""category":"""#, #""category":"SPAM""#, #""title":null"#, #""body":7"#,
            #""clickAction":null"#, #""clickAction":{}"#, #""clickAction":{"actionType":1}"#,
            #""clickAction":{"actionType":3}"#, #""clickAction":{"actionType":"0"}"#,
            #""clickAction":{"actionType":0,"data":"x"}"#, #""badge":{"addNum":0}"#, #""badge":{"addNum":100}"#)
        + illegal(
            #""badge":{"setNum":-1}"#, #""badge":{"setNum":100}"#, #""badge":1"#, #""notifyId":-2"#,
            #""notifyId":2147483648"#, #""appMessageId":"""#, #""appMessageId":"a#b""#,
            #""appMessageId":"\#(String(repeating: "a", count: 65))""#, #""image":"http://example.com/a.png""#,
            #""style":2"#, #""style":3"#, #""style":3,"inboxContent":["1","2","3","4"]"#, #""soundDuration":61"#,
            #""profileId":"\#(String(repeating: "p", count: 65))""#, #""foregroundShow":1"#)
        + options("80100003", #""ttl":"60""#, #""collapseKey":101"#, #""testMessage":1"#)
        + options("80100003", #""biTag":"\#(String(repeating: "b", count: 65))""#)
        + options("80100004", #""ttl":0"#, #""ttl":1296001"#)
        + options("80000000", #""ttl":1296000,"collapseKey":-1,"biTag":"b","receiptId":"r""#)
        + [
            Rule("80100022", World.alert(#""image":"https://example.com/bad.png""#)),
            Rule("80000000", World.alert(#""clickAction":{"actionType":1,"action":"com.example.ORDER"}"#)),
            Rule("80100003", World.alert(#""category":"PLAY_VOICE""#)),
            Rule("80100003", World.body(#""extraData":"""#), type: "6"),
            Rule("80100003", World.body(#""extraData":"x","proxyData":"ON""#), type: "6"),
            Rule("80000000", World.body(#""extraData":"x","proxyData":"ENABLE""#), type: "6"),
            Rule("80100003", World.body(#""extraData":"x""#, options: #""backgroundMode":2"#), type: "6"),
            Rule("80000000", World.alert(#""category":"PLAY_VOICE""#), type: "2"),
            Rule("80100003", World.alert(), type: "2"),
            Rule("80100003", World.body(#""a":1"#), type: "10"),
            Rule("80000000", form(""), type: "1"), Rule("80100003", form(#""formName":null"#), type: "1"),
            Rule("80100003", form(#""formData":{"t":null}"#), type: "1"),
            Rule("80100003", form(#""formData":{"datashareproxy://x":"y"}"#), type: "1"),
            Rule("80100003", form(#""images":[{"keyName":"k","url":"http://x"}]"#), type: "1"),
            Rule("80000000", live(""), type: "7"), Rule("80100003", live(#""operation":3"#), type: "7"),
            Rule("80100003", live(#""event":"PARTY""#), type: "7"),
            Rule("80100003", live(#""event":"SCORE""#), type: "7"),
            Rule("80100003", live(#""activityData":{}"#), type: "7"),
            Rule("80100003", live(#""activityId":2147483648"#), type: "7"),
        ]

    @Test("S5, S6, S17: each rule of a field has its code", arguments: rules)
    func fields(rule: Rule) async throws {
        let world = try World { _, settings in settings.unverifiedImages = ["https://example.com/bad.png"] }
        let answer = try await world.send(rule.body, type: rule.type)
        #expect(answer.code == rule.code)
        #expect(answer.status == (rule.code == "80000000" ? 200 : 400))
        #expect(answer.json["requestId"]?.stringValue?.isEmpty == false)
    }

    @Test("S17: a switch refuses voice in a notification by token")
    func voiceByToken() async throws {
        let world = try World { _, settings in settings.refusesVoiceByToken = true }
        let answer = try await world.send(World.alert(#""category":"PLAY_VOICE""#))
        #expect(answer.code == "80300007" && answer.refused["notSupportPlayVoice"] == [World.phone])
    }

    @Test("S7: the size counts 4,096 bytes without the tokens, whatever they are")
    func size() async throws {
        let world = try World()
        let empty = World.alert(#""title":"""#, tokens: []).utf8.count
        for (extra, code) in [(0, "80000000"), (1, "80300008")] {
            let title = String(repeating: "x", count: 4096 - empty + extra)
            for tokens in [[World.phone], Array(repeating: World.phone, count: 300)] {
                let answer = try await world.send(World.alert(#""title":"\#(title)""#, tokens: tokens))
                #expect(answer.code == code)
            }
        }
    }

    @Test(
        "S8 and S9: the number of tokens depends on the message",
        arguments: [
            (0, "0", "", "80300010"), (1000, "0", "", "80000000"), (1001, "0", "", "80300010"),
            (2, "1", "", "80300010"), (10, "0", #""testMessage":true"#, "80000000"),
            (11, "0", #""testMessage":true"#, "80300030"),
        ])
    func tokenCount(count: Int, type: String, options: String, code: String) async throws {
        let world = try World()
        let tokens = Array(repeating: World.phone, count: count)
        let body =
            type == "1"
            ? Self.form("").replacing(#"["\#(World.phone)"]"#, with: World.list(tokens))
            : World.alert(tokens: tokens, options: options)
        #expect(try await world.send(body, type: type).code == code)
    }

    @Test("S9: test messages end for the day in China, and leave the limits of devices alone")
    func tests() async throws {
        for isAccepted in [false, true] {
            let world = try World { project, settings in
                project.testMessagesPerDay = 3
                settings.acceptsTestOverflow = isAccepted
            }
            let body = World.alert(#""category":"MARKETING""#, options: #""testMessage":true"#)
            for _ in 0..<3 { #expect(try await world.send(body).code == "80000000") }
            #expect(try await world.send(body).code == (isAccepted ? "80000000" : "80300029"))
            #expect(await world.results() == [0, 0, 0] + (isAccepted ? [256] : []))
            // Midnight in China.
            world.pass(to: 1_795_190_400)
            #expect(try await world.send(body).code == "80000000")
        }
    }

    @Test("S10: more devices in a second than the app may reach get 503 without a body")
    func rate() async throws {
        let world = try World { project, _ in project.devicesPerSecond = 3 }
        let two = World.alert(tokens: [World.phone, World.tablet])
        #expect(try await world.send(two).code == "80000000")
        let answer = try await world.send(two)
        #expect(answer.status == 503 && answer.body.isEmpty)
        #expect(try await world.send(World.alert()).code == "80000000")
        world.pass(1)
        #expect(try await world.send(two).code == "80000000")
        await world.simulator.setOverloaded(true)
        #expect(try await world.send(two).status == 503)
    }

    // MARK: S11 to S18: tokens, classes, devices

    static let reasons = [
        "tokenPlatformNotSupport", "noPushTypeRight", "notSupportPlayVoice", "atomicUnableSendUnsubscribedMsg",
        "noRightToSendThisLiveNotificationEvent", "differentImgVerifyPolicy", "countryNotSupport",
        "disableSendHuaweiMsgBecauseOfPenalty", "appinfoError", "noRight", "tokenFormatError",
    ]

    @Test("S11 and S12: refused tokens are named with the reason, and the others get the message", arguments: reasons)
    func refused(reason: String) async throws {
        for isPadded in [false, true] {
            let world = try World { _, settings in settings.padsReasons = isPadded }
            var bad = World.tablet
            switch reason {
            case "noRight": bad = World.foreign
            case "tokenFormatError": bad = "nothing"
            default: await world.simulator.setRefusal(reason, of: bad)
            }
            let some = try await world.send(World.alert(tokens: [World.phone, bad]))
            let name = isPadded ? " \(reason) " : reason
            #expect(some.code == "80100000" && some.status == 200)
            #expect(some.message["success"] == 1 && some.message["failure"] == 1 && some.refused == [name: [bad]])
            #expect(await world.simulator.inbox(of: World.phone).count == 1)
            let all = try await world.send(World.alert(tokens: [bad]))
            #expect(all.code == "80300007" && all.message["success"] == nil && all.refused == [name: [bad]])
        }
    }

    @Test("a missing right for a push type or an event refuses every token")
    func rights() async throws {
        let world = try World { project, _ in
            project.pushTypes = [7]
            project.liveViewEvents = ["TRAIN"]
        }
        let voice = World.alert(#""category":"PLAY_VOICE""#)
        for (body, type, reason) in [
            (World.body(#""extraData":"x""#), "10", "noPushTypeRight"), (voice, "2", "notSupportPlayVoice"),
            (Self.live(""), "7", "noRightToSendThisLiveNotificationEvent"),
        ] {
            let answer = try await world.send(body, type: type)
            #expect(answer.code == "80300007" && answer.refused == [reason: [World.phone]])
        }
    }

    @Test("S13 and S14: marketing is capped for each device and day, and so is a category without its right")
    func marketing() async throws {
        let world = try World { project, _ in project.categories = ["IM"] }
        for category in ["MARKETING", "TRAVEL", "MARKETING", "IM"] {
            #expect(try await world.send(World.alert(#""category":"\#(category)""#)).code == "80000000")
        }
        #expect(await world.results() == [0, 0, 256, 0])
        let shown = await world.simulator.inbox(of: World.phone).map(\.category)
        #expect(shown == ["MARKETING", "MARKETING", "IM"])
        world.pass(to: 1_795_190_399)
        _ = try await world.send(World.alert(#""category":"MARKETING""#))
        world.pass(to: 1_795_190_400)
        _ = try await world.send(World.alert(#""category":"MARKETING""#))
        #expect(await world.results() == [256, 0])
    }

    @Test("S15: a device shows one message with an appMessageId in 24 hours; an old one shows both")
    func unique() async throws {
        let world = try World { _, settings in settings.oldDevices = [World.tablet] }
        let body = World.alert(#""appMessageId":"a1+/=-_ Z""#, tokens: [World.phone, World.tablet])
        for _ in 0..<2 { #expect(try await world.send(body).code == "80000000") }
        #expect(await world.simulator.inbox(of: World.phone).count == 1)
        #expect(await world.simulator.inbox(of: World.tablet).count == 2)
        world.pass(86_400)
        _ = try await world.send(body)
        #expect(await world.simulator.inbox(of: World.phone).count == 2)
    }

    @Test("S16: a device gets everything that a notification has")
    func content() async throws {
        let world = try World()
        let body = World.alert(
            #""clickAction":{"actionType":1,"uri":"demo://order/7","data":{"order":7}},"notifyId":12,"sound":"a.mp3","#
                + #""image":"https://example.com/a.png","badge":{"addNum":2,"setNum":5},"foregroundShow":false"#)
        _ = try await world.send(body)
        let answer = try await world.send(World.alert(#""notifyId":12,"badge":{"addNum":3}"#))
        let inbox = await world.simulator.inbox(of: World.phone)
        let first = try #require(inbox.first)
        #expect(first.title == "T" && first.alert == "B" && first.category == "IM" && first.sound == "a.mp3")
        #expect(first.tap == .intentURI("demo://order/7") && first.extras == ["order": 7])
        #expect(first.image == "https://example.com/a.png" && first.goesToOpenApp)
        #expect(inbox.map(\.badge) == [5, 8] && inbox.map(\.collapseID) == ["12", "12"])
        #expect(await world.simulator.receivers(of: answer.json["requestId"]?.stringValue ?? "") == [World.phone])
    }

    @Test("other push types reach the app as data, as a call, as a form")
    func otherTypes() async throws {
        let world = try World()
        _ = try await world.send(World.body(#""extraData":"hello""#), type: "6")
        _ = try await world.send(World.body(#""extraData":"{\"content\":\"c\",\"title\":\"t\",\"n\":1}""#), type: "6")
        _ = try await world.send(World.body(#""extraData":"{\"caller\":\"Ann\"}""#), type: "10")
        _ = try await world.send(Self.form(""), type: "1")
        let inbox = await world.simulator.inbox(of: World.phone)
        #expect(inbox.map(\.isVisible) == [false, false, false, false])
        #expect(inbox.map(\.custom?.content) == ["hello", "c", nil, nil])
        #expect(inbox[1].custom?.title == "t" && inbox[1].custom?.extras == ["n": 1])
        #expect(inbox[2].call == ["caller": "Ann"] && inbox[3].extras == ["t": "x"])
    }

    @Test("a device that is offline gets what has not expired, and the newest of a group")
    func offline() async throws {
        let world = try World()
        await world.simulator.setOnline(false, World.phone, at: world.now)
        for (title, options) in [
            ("a", #""collapseKey":3"#), ("b", ""), ("c", #""collapseKey":3"#), ("d", #""ttl":60"#),
        ] {
            _ = try await world.send(World.alert(#""title":"\#(title)""#, options: options))
        }
        #expect(await world.results() == [15])
        world.pass(61)
        await world.simulator.setOnline(true, World.phone, at: world.now)
        #expect(await world.simulator.inbox(of: World.phone).map(\.title) == ["b", "c"])
        #expect(await world.results() == [0, 0])
    }

    @Test("S18: a removed app and a foreign token are accepted, and only receipts tell")
    func dead() async throws {
        let world = try World { _, settings in settings.messagesPerDevice = 1 }
        for (result, token) in [(2, World.phone), (5, World.tablet)] {
            await world.simulator.setResult(result, of: token, at: world.now)
            #expect(try await world.send(World.alert(tokens: [token])).code == "80000000")
            #expect(await world.results() == [result])
            #expect(await world.simulator.inbox(of: token).isEmpty)
            // Messages count whether a device gets them or not.
            await world.simulator.setResult(nil, of: token, at: world.now)
            _ = try await world.send(World.alert(tokens: [token]))
            #expect(await world.results() == [102])
        }
    }

    // MARK: S19 to S21: live views, receipts, recall

    @Test("S19: a live view goes by its versions, and an unknown one is blocked for a day")
    func liveViews() async throws {
        let world = try World()
        func change(_ fields: String) async throws -> [Int] {
            #expect(try await world.send(Self.live(fields), type: "7").code == "80000000")
            return await world.results()
        }
        #expect(try await change("") == [0])
        #expect(try await change("") == [158])
        #expect(try await change(#""operation":1,"version":1"#) == [156])
        #expect(try await change(#""operation":1,"version":2"#) == [0])
        #expect(try await change(#""operation":1,"version":2,"activityId":8"#) == [155])
        #expect(try await change(#""activityId":8"#) == [265])
        #expect(try await change(#""operation":2,"version":3"#) == [0])
        #expect(try await change(#""version":4"#) == [269])
        #expect(try await change(#""activityId":9,"status":null"#) == [268])
        let changes = await world.simulator.inbox(of: World.phone).compactMap(\.activity)
        #expect(changes.map(\.event) == [.start, .update, .end] && Set(changes.map(\.id)) == ["7"])
        world.pass(86_400)
        #expect(try await change(#""activityId":8"#) == [0])
        // Without an update, it ends after four hours.
        world.pass(4 * 3600)
        #expect(try await change(#""operation":1,"version":2,"activityId":8"#) == [155])
    }

    @Test("S19: live views and forms have their own rates")
    func ownRates() async throws {
        let world = try World()
        _ = try await world.send(Self.live(#""event":"TRAIN""#), type: "7")
        for version in 2...11 {
            _ = try await world.send(Self.live(#""event":"TRAIN","operation":1,"version":\#(version)"#), type: "7")
        }
        #expect(await world.results() == Array(repeating: 0, count: 10) + [256])
        for version in [1, 1, 0, 2] { _ = try await world.send(Self.form(#""version":\#(version)"#), type: "1") }
        #expect(await world.results() == [0, 156, 0, 256])
    }

    @Test("S20: receipts come in calls of at most a hundred, signed, and again if the settings say so")
    func receipts() async throws {
        let world = try World { _, settings in settings.receipts?.isRepeated = true }
        let tokens = Array(repeating: World.phone, count: 150)
        let answer = try await world.send(World.alert(tokens: tokens, options: #""biTag":"tag""#))
        let calls = await world.simulator.takeCallbacks(10, at: world.now)
        let rows = try calls.map { try JSONValue(parsing: $0.body)["statuses"]?.arrayValue ?? [] }
        #expect(rows.map(\.count) == [100, 50])
        let row: JSONValue = [
            "token": .string(World.phone), "pushType": 0, "appPackageName": "com.example.app", "biTag": "tag",
            "requestId": answer.json["requestId"] ?? .null,
            "deliveryStatus": ["result": 0, "timestamp": 1_795_132_800_000],
        ]
        #expect(rows[0][0] == row)
        for call in calls { #expect(World.isSigned(call)) }
        await world.simulator.noteAnswer(SimulatedResponse(status: 200), to: calls[0], at: world.now)
        await world.simulator.noteAnswer(nil, to: calls[1], at: world.now)
        let again = await world.simulator.takeCallbacks(10, at: world.now)
        #expect(again.map(\.number) == [calls[0].number] && again.map(\.attempt) == [2])
        await world.simulator.noteAnswer(SimulatedResponse(status: 200), to: again[0], at: world.now)
        #expect(await world.simulator.nextCallback() == world.now.addingTimeInterval(60))
    }

    @Test("S20: the console's check has neither receipts nor a signature, and a form has its own status")
    func receiptForms() async throws {
        let world = try World()
        await world.simulator.checkReceiptURL(at: world.now)
        let check = try #require(await world.simulator.takeCallbacks(1, at: world.now).first)
        #expect(check.headers.isEmpty && check.body == Array("{}".utf8))
        _ = try await world.send(Self.form(""), type: "1")
        let call = try #require(await world.simulator.takeCallbacks(1, at: world.now).first)
        let row = try JSONValue(parsing: call.body)["statuses"]?.arrayValue?.first
        #expect(row?["formStatus"] == ["formId": 5, "result": 0, "timestamp": 1_795_132_800_000])
        #expect(row?["deliveryStatus"] == nil && row?["pushType"] == 1)
    }

    static let revocations: [(path: String, type: String, body: String, code: String)] = [
        ("/v1/9001/messages:revoke", "0", #"{"notifyId":12,"token":["phone-token","tablet-token"]}"#, "80000000"),
        ("/v1/9001/messages:revoke", "0", #"{"notifyId":12,"token":["phone-token","nothing"]}"#, "80100000"),
        ("/v1/9001/messages:revoke", "0", #"{"notifyId":12,"token":["nothing"]}"#, "80300007"),
        ("/v1/9001/messages:revoke", "0", #"{"token":["phone-token"]}"#, "80100003"),
        ("/v1/9001/messages:revoke", "0", #"{"notifyId":12,"token":[]}"#, "80300010"),
        ("/v1/9001/messages:revoke", "6", #"{"notifyId":12,"token":["phone-token"]}"#, "80100001"),
        ("/v1/demo/messages:revoke", "0", #"{"notifyId":12,"token":["phone-token"]}"#, "80200001"),
    ]

    @Test("S21: a recall has the client id in its path, and needs notifyId and tokens", arguments: 0..<7)
    func revoke(index: Int) async throws {
        let (path, type, body, code) = Self.revocations[index]
        let world = try World()
        _ = try await world.send(World.alert(#""notifyId":12"#, tokens: [World.phone, World.tablet]))
        _ = try await world.send(World.alert(#""notifyId":13"#, tokens: [World.phone]))
        let opened = await world.simulator.inbox(of: World.tablet).map(\.messageID)
        await world.simulator.note(.opened(opened[0]), from: World.tablet, at: world.now)
        #expect(try await world.call(.post, path, body, type: type).code == code)
        let rest = await world.simulator.inbox(of: World.phone).map(\.collapseID)
        #expect(rest == (["80000000", "80100000"].contains(code) ? ["13"] : ["12", "13"]))
        #expect(await world.simulator.inbox(of: World.tablet).count == 1)
    }

    @Test("faults have the vendor's forms, and a switch answers every refusal with 200")
    func faults() async throws {
        let world = try World { _, settings in settings.alwaysAnswers200 = true }
        #expect(try await world.send("[]").status == 200)
        let request = SimulatedRequest(method: .post, path: World.path, query: "", headers: [:], body: [])
        #expect(world.simulator.throttled(reset: 5, for: request) == SimulatedResponse(status: 503))
        #expect(world.simulator.failed(status: 503, for: request) == SimulatedResponse(status: 503))
        let inner = try JSONValue(parsing: world.simulator.failed(status: 500, for: request).body)
        #expect(inner["code"] == "81000001")
        #expect(world.simulator.failed(status: 502, for: request).body.starts(with: Array("<html>".utf8)))
    }
}
