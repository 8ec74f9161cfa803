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

    @Test(
        "S2 and S3: a token is signed with the project's key and PS256, names its account, and lives for a day at most")
    func bearer() async throws {
        let world = try World()
        let cases: [(code: String, claims: [String: JSONValue], header: [String: JSONValue])] = [
            ("80000000", [:], [:]), ("80200001", [:], ["kid": "other"]), ("80200001", [:], ["kid": .null]),
            ("80200001", [:], ["typ": "JOSE"]), ("80200001", ["iss": "other"], [:]), ("80200001", ["exp": .null], [:]),
            ("80200001", ["aud": "https://example.com/token"], [:]), ("80200001", ["iat": .null], [:]),
            ("80200001", ["iat": 1_795_132_801], [:]), ("80000000", ["exp": 1_795_219_200], [:]),
            ("80200005", ["iat": 1_795_129_200, "exp": 1_795_132_800], [:]), ("80300036", ["exp": 1_795_219_201], [:]),
        ]
        for (code, claims, header) in cases {
            let answer = try await world.call(.post, World.path, World.alert(), bearer: world.token(claims, header))
            #expect(answer.code == code && answer.status == (code == "80000000" ? 200 : 401), "\(claims) \(header)")
        }
        let foreign = try world.token(by: World.otherKey.get())
        let old = try world.token(by: World.key.get().signing(with: .rs256))
        for bearer in ["", "garbage", "a.b.c", "QVQ=", foreign, old] {
            #expect(try await world.call(.post, World.path, World.alert(), bearer: bearer).code == "80200001")
        }
        for path in ["/v3/bank/messages:send", "/v3/none/messages:send"] {
            #expect(try await world.call(.post, path, World.alert()).code == "80200001")
        }
        let early = try world.token()
        _ = try await world.call(.post, World.path, World.alert(), bearer: early)
        await world.simulator.endTokens()
        #expect(try await world.call(.post, World.path, World.alert(), bearer: early).code == "80200005")
        #expect(try await world.send(World.alert()).code == "80000000")
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

    private static func live(_ fields: String) -> String {
        World.body(
            #""activityId":7,"operation":0,"event":"TAXI","status":"CALLED","version":1,"#
                + #""activityData":{"notificationData":{"type":3}}"#, replacing: fields)
    }
    private static func form(_ fields: String, tokens: [String] = [World.phone]) -> String {
        World.body(
            #""formId":5,"version":1,"moduleName":"m","formName":"f","abilityName":"a","formData":{"t":"x"}"#,
            replacing: fields, tokens: tokens)
    }

    static let rules: [(code: String, type: String?, body: String)] =
        [
            ("80100001", nil, World.alert()), ("80100001", "3", World.alert()), ("80100001", "zero", World.alert()),
            ("80100003", "0", "no JSON"), ("80100003", "0", "[]"), ("80100003", "0", #"{"target":{"token":["x"]}}"#),
            ("80100003", "0", World.body(#""data":"x""#)), ("80100003", "10", World.body(#""a":1"#)),
            ("80100022", "0", World.alert(#""image":"https://example.com/bad.png""#)),
            ("80000000", "0", World.alert(#""clickAction":{"actionType":1,"action":"com.example.ORDER"}"#)),
            ("80000000", "2", World.alert(#""category":"PLAY_VOICE""#)), ("80100003", "2", World.alert()),
            ("80100003", "6", World.body(#""extraData":"""#)),
            ("80100003", "6", World.body(#""extraData":"x","proxyData":"ON""#)),
            ("80000000", "6", World.body(#""extraData":"x","proxyData":"ENABLE""#)),
            ("80100003", "6", World.body(#""extraData":"x""#, options: #""backgroundMode":2"#)),
            ("80000000", "1", form("")), ("80000000", "7", live("")), ("80300010", "1", form("", tokens: ["a", "b"])),
        ]
        + [
            #""category":null"#, #""category":"""#, #""category":"SPAM""#, #""title":null"#, #""body":7"#,
            #""category":"PLAY_VOICE""#, #""clickAction":null"#, #""clickAction":{}"#,
            #""clickAction":{"actionType":1}"#, #""clickAction":{"actionType":3}"#, #""foregroundShow":1"#,
            #""clickAction":{"actionType":"0"}"#, #""clickAction":{"actionType":0,"data":"x"}"#,
            #""badge":{"addNum":0}"#, #""badge":{"addNum":100}"#, #""badge":{"setNum":-1}"#,
            #""badge":{"setNum":100}"#, #""badge":1"#, #""notifyId":-2"#, #""notifyId":2147483648"#,
            #""appMessageId":"""#, #""appMessageId":"a#b""#, #""appMessageId":"\#(String(repeating: "a", count: 65))""#,
            #""image":"http://example.com/a.png""#, #""style":2"#, #""style":3"#, #""soundDuration":61"#,
            #""style":3,"inboxContent":["1","2","3","4"]"#, #""profileId":"\#(String(repeating: "p", count: 65))""#,
        ].map { ("80100003", "0", World.alert($0)) }
        + [
            ("80100003", #""ttl":"60""#), ("80100003", #""collapseKey":101"#), ("80100003", #""testMessage":1"#),
            ("80100003", #""biTag":"\#(String(repeating: "b", count: 65))""#), ("80100004", #""ttl":0"#),
            ("80100004", #""ttl":1296001"#), ("80000000", #""ttl":1296000,"collapseKey":-1,"receiptId":"r""#),
        ].map { ($0.0, "0", World.alert(options: $0.1)) }
        + [
            ("80300010", 0, ""), ("80000000", 1000, ""), ("80300010", 1001, ""),
            ("80000000", 10, #""testMessage":true"#), ("80300030", 11, #""testMessage":true"#),
        ].map { ($0.0, "0", World.alert(tokens: Array(repeating: World.phone, count: $0.1), options: $0.2)) }
        + [
            #""formName":null"#, #""formData":{"t":null}"#, #""formData":{"datashareproxy://x":"y"}"#,
            #""images":[{"keyName":"k","url":"http://x"}]"#,
        ].map { ("80100003", "1", form($0)) }
        + [
            #""operation":3"#, #""event":"PARTY""#, #""event":"SCORE""#, #""activityData":{}"#,
            #""activityId":2147483648"#,
        ].map { ("80100003", "7", live($0)) }

    @Test("S5, S6, S8, S9, S17: each rule of a field has its code", arguments: 0..<rules.count)
    func fields(index: Int) async throws {
        let (code, type, body) = Self.rules[index]
        let world = try World { _, settings in settings.unverifiedImages = ["https://example.com/bad.png"] }
        let answer = try await world.send(body, type: type)
        #expect(answer.code == code && answer.status == (code == "80000000" ? 200 : 400), "\(body)")
        #expect(answer.json["requestId"]?.stringValue?.isEmpty == false)
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
            world.pass(57_600)
            #expect(try await world.send(body).code == "80000000")
        }
    }

    @Test("S10: more devices in a second than the app may reach get 503 without a body")
    func rate() async throws {
        let world = try World { project, _ in project.devicesPerSecond = 3 }
        let two = World.alert(tokens: [World.phone, World.tablet])
        #expect(try await world.send(two).code == "80000000")
        #expect(try await world.send(two).body.isEmpty)
        #expect(try await world.send(World.alert()).code == "80000000")
        world.pass(1)
        #expect(try await world.send(two).code == "80000000")
        await world.simulator.setOverloaded(true)
        #expect(try await world.send(two).status == 503)
    }

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

    @Test("S17: a missing right for a push type or an event refuses every token")
    func rights() async throws {
        let world = try World { project, settings in
            (project.pushTypes, project.liveViewEvents) = ([7], ["TRAIN"])
            settings.refusesVoiceByToken = true
        }
        let voice = World.alert(#""category":"PLAY_VOICE""#)
        for (body, type, reason) in [
            (World.body(#""extraData":"x""#), "10", "noPushTypeRight"), (voice, "2", "notSupportPlayVoice"),
            (voice, "0", "notSupportPlayVoice"), (Self.live(""), "7", "noRightToSendThisLiveNotificationEvent"),
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
        #expect(await world.simulator.inbox(of: World.phone).map(\.category) == ["MARKETING", "MARKETING", "IM"])
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
        let fields =
            #""clickAction":{"actionType":1,"uri":"demo://order/7","data":{"order":7}},"notifyId":12,"sound":"a.mp3","#
            + #""image":"https://example.com/a.png","badge":{"addNum":2,"setNum":5},"foregroundShow":false"#
        _ = try await world.send(World.alert(fields))
        let answer = try await world.send(World.alert(#""notifyId":12,"badge":{"addNum":3}"#))
        let inbox = await world.simulator.inbox(of: World.phone)
        #expect(
            inbox[0].title == "T" && inbox[0].alert == "B" && inbox[0].category == "IM" && inbox[0].sound == "a.mp3")
        #expect(inbox[0].tap == .intentURI("demo://order/7") && inbox[0].extras == ["order": 7])
        #expect(inbox[0].image == "https://example.com/a.png" && inbox[0].goesToOpenApp)
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

    @Test("S19: a live view goes by its versions, and an unknown one is blocked for a day")
    func liveViews() async throws {
        let world = try World()
        func change(_ fields: String) async throws -> [Int] {
            #expect(try await world.send(Self.live(fields), type: "7").code == "80000000")
            return await world.results()
        }
        for (fields, result) in [
            ("", 0), ("", 158), (#""operation":1,"version":1"#, 156), (#""operation":1,"version":2"#, 0),
            (#""operation":1,"version":2,"activityId":8"#, 155), (#""activityId":8"#, 265),
            (#""operation":2,"version":3"#, 0), (#""version":4"#, 269), (#""activityId":9,"status":null"#, 268),
        ] {
            #expect(try await change(fields) == [result], "\(fields)")
        }
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

    @Test("questions that the documents leave open: the code of a time to live, an older form, the rates of live views")
    func openQuestions() async throws {
        let world = try World { _, settings in
            (settings.refusesLifeAsPayload, settings.olderFormResult) = (true, 31)
            settings.countsViewsTogether = true
        }
        #expect(try await world.send(World.alert(options: #""ttl":0"#)).code == "80100003")
        for version in [2, 1] { _ = try await world.send(Self.form(#""version":\#(version)"#), type: "1") }
        #expect(await world.results() == [0, 31])
        for id in 1...11 { _ = try await world.send(Self.live(#""event":"TRAIN","activityId":\#(id)"#), type: "7") }
        #expect(await world.results() == Array(repeating: 0, count: 10) + [256])
    }

    @Test("S20: receipts come in signed calls of at most a hundred, and again; a form has its own status")
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
        let name = try #require(HTTPField.Name("X-HUAWEI-CALLBACK-ID"))
        let parts = try #require(calls[0].headers[name]).split(separator: "; ").map {
            $0.drop { $0 != "=" }.dropFirst()
        }
        let code = Digests.hmacSHA256(Array("\(parts[0])\(parts[1])ops".utf8), key: Secret("k3y"))
        #expect(parts[2] == Data(code).base64EncodedString() && parts[0] == "1795132800000")
        await world.simulator.noteAnswer(SimulatedResponse(status: 200), to: calls[0], at: world.now)
        await world.simulator.noteAnswer(nil, to: calls[1], at: world.now)
        let again = await world.simulator.takeCallbacks(10, at: world.now)
        #expect(again.map(\.number) == [calls[0].number] && again.map(\.attempt) == [2])
        await world.simulator.noteAnswer(SimulatedResponse(status: 200), to: again[0], at: world.now)
        #expect(await world.simulator.nextCallback() == world.now.addingTimeInterval(60))
        await world.simulator.checkReceiptURL(at: world.now)
        _ = try await world.send(Self.form(""), type: "1")
        let (check, form) = (await world.next(), await world.next())
        #expect(check?.headers.isEmpty == true && check?.body == Array("{}".utf8))
        let status = try JSONValue(parsing: form?.body ?? [])["statuses"]?.arrayValue?.first
        #expect(status?["formStatus"] == ["formId": 5, "result": 0, "timestamp": 1_795_132_800_000])
        #expect(status?["deliveryStatus"] == nil && status?["pushType"] == 1)
    }

    @Test("S21: a recall has the client id in its path, and needs notifyId and tokens")
    func revoke() async throws {
        for (code, client, type, body) in [
            ("80000000", "9001", "0", #"{"notifyId":12,"token":["phone-token","tablet-token"]}"#),
            ("80100000", "9001", "2", #"{"notifyId":12,"token":["phone-token","nothing"]}"#),
            ("80300007", "9001", "0", #"{"notifyId":12,"token":["nothing"]}"#),
            ("80100003", "9001", "0", #"{"token":["phone-token"]}"#),
            ("80300010", "9001", "0", #"{"notifyId":12,"token":[]}"#),
            ("80100001", "9001", "6", #"{"notifyId":12,"token":["phone-token"]}"#),
            ("80200001", "demo", "0", #"{"notifyId":12,"token":["phone-token"]}"#),
        ] {
            let world = try World()
            _ = try await world.send(World.alert(#""notifyId":12"#, tokens: [World.phone, World.tablet]))
            _ = try await world.send(World.alert(#""notifyId":13"#, tokens: [World.phone]))
            let opened = await world.simulator.inbox(of: World.tablet).map(\.messageID)
            await world.simulator.note(.opened(opened[0]), from: World.tablet, at: world.now)
            #expect(try await world.call(.post, "/v1/\(client)/messages:revoke", body, type: type).code == code)
            let rest = await world.simulator.inbox(of: World.phone).map(\.collapseID)
            #expect(rest == (["80000000", "80100000"].contains(code) ? ["13"] : ["12", "13"]))
            #expect(await world.simulator.inbox(of: World.tablet).count == 1)
        }
    }

    @Test("faults have the vendor's forms, and a switch answers every refusal with 200")
    func faults() async throws {
        let world = try World { _, settings in settings.alwaysAnswers200 = true }
        #expect(try await world.send("[]").status == 200)
        let request = SimulatedRequest(method: .post, path: World.path, query: "", headers: [:], body: [])
        #expect(world.simulator.throttled(reset: 5, for: request) == SimulatedResponse(status: 503))
        #expect(try JSONValue(parsing: world.simulator.failed(status: 500, for: request).body)["code"] == "81000001")
        for status in [502, 503] {
            #expect(world.simulator.failed(status: status, for: request).body.starts(with: Array("<html>".utf8)))
        }
    }
}
