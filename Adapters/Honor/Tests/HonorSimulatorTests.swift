import Foundation
import HonorSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// The simulator alone: raw requests in, responses out. The codes are our reading of one third party's table.
@Suite("Honor simulator")
struct HonorSimulatorTests {
    typealias World = SimulatedHonor

    @Test("another path and another method get 404, and so do those of other vendors' copies")
    func paths() async {
        let world = World()
        for (method, path) in [
            (HTTPRequest.Method.get, World.path), (.get, "/auth/token"), (.post, "/api/v1/104411/messages:send"),
            (.post, "/v1/104411/messages:send"), (.post, "/api/v2/104411/sendMessage"), (.post, "/oauth2/v3/token"),
        ] {
            let answer = await world.respond(path, World.body(), method: method)
            #expect(answer.status == 404 && answer.body.isEmpty, "\(path)")
        }
    }

    @Test("an access token works for the apps of its client, until it ends")
    func bearers() async throws {
        let world = World()
        let good = try #require(await world.token())
        let other = try #require(await world.token("grant_type=client_credentials&client_id=c2&client_secret=other"))
        #expect(await world.call(World.body(), bearer: good).code == 200)
        for bearer in ["", "unknown", "un known", other] {
            let answer = await world.call(World.body(), bearer: bearer)
            #expect(answer.status == 401 && answer.code == 401, "\(bearer)")
        }
        #expect(await world.call(World.body(), path: "/api/v1/104499/sendMessage").code == 10_205)
        world.pass(3600)
        #expect(await world.call(World.body(), bearer: good).code == 401)
        let early = try #require(await world.token())
        await world.simulator.endTokens()
        #expect(await world.call(World.body(), bearer: early).code == 401)
        #expect(await world.inbox().count == 1)
    }

    @Test(
        "the token endpoint names the error; whether a new token ends the others is a setting",
        arguments: [false, true])
    func exchange(isAlone: Bool) async throws {
        let world = World { _, settings in
            settings.newTokenEndsOthers = isAlone
            settings.endedTokenCode = 80_200_003
        }
        for (form, error) in [
            ("client_id=c1&client_secret=s3cret", "invalid_grant"),
            ("grant_type=password&client_id=c1&client_secret=s3cret", "invalid_grant"),
            ("grant_type=client_credentials&client_id=104411&client_secret=s3cret", "invalid_client"),
            ("grant_type=client_credentials&client_id=c1&client_secret=other", "unauthorized_client"),
            ("grant_type=client_credentials&client_id=c1", "unauthorized_client"),
        ] {
            let answer = await world.exchange(form)
            #expect(answer.status == 401 && answer.json["error"] == .string(error), "\(form)")
            #expect(answer.json["access_token"] == nil)
        }
        let answer = await world.exchange()
        #expect(answer.json["expires_in"] == 3600 && answer.json["token_type"] == "Bearer")
        let first = try #require(answer.json["access_token"]?.stringValue)
        _ = await world.token()
        #expect(await world.simulator.exchangeCount == 2)
        #expect(await world.call(World.body(), bearer: first).code == (isAlone ? 80_200_003 : 200))
    }

    @Test("a timestamp is needed, in milliseconds or seconds, within an hour; a setting compares no time")
    func timestamps() async {
        let world = World()
        let seconds = Int(world.now.timeIntervalSince1970)
        for (timestamp, code) in [
            ("", 10_001), ("now", 10_207), ("-5", 10_207), ("\(seconds)", 200), ("\(seconds)000", 200),
            ("\(seconds - 3599)000", 200), ("\(seconds - 3600)000", 10_207), ("\(seconds + 3600)", 10_207),
        ] {
            #expect(await world.call(World.body(), timestamp: timestamp).code == code, "\(timestamp)")
        }
        let lax = World { _, settings in settings.clockTolerance = .infinity }
        #expect(await lax.call(World.body(), timestamp: "1").code == 200)
    }

    static let rules: [(code: Int, body: String)] =
        [
            (80_100_003, "no JSON"), (80_100_003, #"{"message":\#(World.body())}"#), (10_300, "{}"),
            (80_100_003, #"{"token":"phone-token","data":"x"}"#), (80_100_003, #"{"token":[1],"data":"x"}"#),
            (10_300, World.body(to: [])), (80_300_006, World.body(to: ["phone-token", "x", "phone-token"])),
            (200, World.body(to: ["phone-token"] + (1..<1000).map { "t\($0)" })),
            (80_300_010, World.body(to: ["phone-token"] + (0..<1000).map { "t\($0)" })),
            (400, #"{"token":["phone-token"]}"#), (400, #"{"data":"","token":["phone-token"]}"#),
            (80_100_003, #"{"notification":{"title":"T","body":"B"},"token":["phone-token"]}"#),
            (400, World.body(data: #""data":"text","#)), (200, World.body(data: #""data":"{}","#)),
            (80_200_056, World.body().replacing(#""T""#, with: #""a rude word""#)),
            (200, World.body(data: #""unknown":1,"#)), (400, World.body().replacing(#""T""#, with: #""""#)),
        ]
        + [
            (400, #""ttl":86400"#), (400, #""ttl":"86400""#), (400, #""ttl":"0s""#), (400, #""ttl":"1.5s""#),
            (400, #""ttl":"1296001s""#), (200, #""ttl":"1296000s""#), (400, #""targetUserType":2"#),
            (400, #""biTag":7"#),
        ].map { ($0.0, World.body(android: $0.1)) }
        + [
            (80_100_003, #""click_action":{"type":3}"#), (80_100_003, #""clickAction":null"#),
            (400, #""clickAction":{"type":1}"#), (400, #""clickAction":{"type":4}"#), (400, #""clickAction":{}"#),
            (400, #""clickAction":{"type":2,"url":"http://x"}"#), (400, #""clickAction":{"type":2}"#),
            (400, #""style":1"#), (400, #""style":1,"bigTitle":"T","bigBody":"b""#), (400, #""style":2"#),
            (200, #""style":1,"bigTitle":"T","bigBody":"B""#), (400, #""importance":"HIGH""#),
            (400, #""badge":{"addNum":1}"#), (400, #""badge":{"badgeClass":"c"}"#), (400, #""image":"http://x""#),
            (400, #""badge":{"badgeClass":"c","addNum":0}"#), (400, #""badge":{"badgeClass":"c","setNum":100}"#),
            (400, #""notifyId":"7""#), (400, #""when":true"#), (200, #""when":7"#), (200, #""image":"https://x""#),
            (80_200_050, #""importance":"LOW","image":"https://x""#),
            (80_200_050, #""importance":null,"image":"https://x""#),
            (200, #""buttons":[\#(button),\#(button),\#(button)]"#),
            (400, #""buttons":[\#(button),\#(button),\#(button),\#(button)]"#),
            (400, #""buttons":[{"name":"Open"}]"#), (400, #""buttons":[{"name":"Open","actionType":3}]"#),
            (400, #""buttons":[{"name":"\#(String(repeating: "n", count: 41))","actionType":0}]"#),
        ].map { ($0.0, World.body($0.1)) }

    private static let button = #"{"name":"Open","actionType":0,"intentType":1,"intent":"x","data":"d"}"#

    @Test("each rule of a field has its code", arguments: 0..<rules.count)
    func fields(index: Int) async {
        let (code, body) = Self.rules[index]
        let world = World { _, settings in settings.sensitiveWords = ["rude"] }
        let answer = await world.call(body)
        #expect(answer.code == code && answer.status == (code == 400 ? 400 : 200), "\(body.prefix(200))")
        #expect(await world.inbox().count == (code == 200 ? 1 : 0))
    }

    @Test("the size counts 4,096 bytes without the tokens")
    func size() async {
        let world = World()
        let empty = World.body(#""tag":"""#, to: []).utf8.count
        for (extra, code) in [(0, 200), (1, 80_300_008)] {
            let tag = String(repeating: "x", count: 4096 - empty + extra)
            #expect(await world.send(#""tag":"\#(tag)""#, to: [World.phone, World.tablet]).code == code)
        }
    }

    @Test("dead tokens and refused ones are in two lists; a setting gives the message a code of its own")
    func lists() async {
        for isMarked in [false, true] {
            let world = World { _, settings in settings.marksPartialSuccess = isMarked }
            await world.simulator.setDead(true, World.tablet)
            let answer = await world.send(to: [World.phone, World.tablet, World.foreign, "none"])
            #expect(answer.status == 200 && answer.code == (isMarked ? 80_100_000 : 200))
            #expect(answer.tokens("expireTokens") == [World.tablet])
            #expect(answer.tokens("failTokens") == [World.foreign, "none"])
            #expect(answer.json["data"]?["sendResult"] == true)
            #expect(await world.inbox().map(\.messageID) == [answer.id])
            await world.simulator.setRefused(true, World.phone)
            await world.simulator.setDead(false, World.tablet)
            #expect(await world.send(to: [World.phone, World.tablet]).tokens("failTokens") == [World.phone])
        }
    }

    @Test("a message that no token got is refused, or lists all of them", arguments: [false, true])
    func nothing(isListed: Bool) async {
        let world = World { _, settings in
            (settings.listsAllRefused, settings.foreignTokensExpire) = (isListed, true)
        }
        await world.simulator.setDead(true, World.tablet)
        let answer = await world.send(to: [World.tablet, World.foreign])
        #expect(answer.code == (isListed ? 200 : 80_300_007))
        #expect(answer.tokens("expireTokens") == (isListed ? [World.tablet, World.foreign] : []))
        #expect(await world.simulator.sendCount == 0)
    }

    @Test("marketing is capped for each phone and day, and accepted above that; so is all without the right")
    func marketing() async {
        for hasRight in [true, false] {
            let world = World { app, _ in app.maySendService = hasRight }
            let importance = hasRight ? "LOW" : "NORMAL"
            for expected in [2, 2, 9] {
                let answer = await world.send(#""importance":"\#(importance)""#)
                #expect(answer.code == 200)
                #expect(await world.result(answer) == expected)
            }
            let test = await world.send(#""importance":"LOW""#, android: #""targetUserType":1"#)
            #expect(await world.result(test) == 2)
            let service = await world.send()
            #expect(await world.result(service) == (hasRight ? 2 : 9))
            // Midnight in China.
            world.pass(16 * 3600)
            let next = await world.send(#""importance":"LOW""#)
            #expect(await world.result(next) == 2)
        }
    }

    @Test("a notification without importance is marketing, or as a setting says", arguments: [false, true])
    func unclassed(isService: Bool) async {
        let world = World { _, settings in settings.isServiceByDefault = isService }
        for _ in 0..<2 { await world.send(#""importance":"LOW""#) }
        #expect(await world.result(world.send(#""importance":null"#)) == (isService ? 2 : 9))
    }

    @Test("test messages have a number a day")
    func tests() async {
        let world = World { app, _ in app.testMessagesPerDay = 1 }
        let test = #""targetUserType":1"#
        #expect(await world.send(android: test).code == 200)
        #expect(await world.send(android: test).code == 80_200_047)
        #expect(await world.simulator.quotas(at: world.now).map(\.remaining) == [2999, 0, 3000, 1000])
        world.pass(16 * 3600)
        #expect(await world.send(android: test).code == 200)
    }

    @Test("the rate counts requests, or devices as a setting says", arguments: [false, true])
    func rate(countsDevices: Bool) async {
        let world = World { app, settings in (app.ratePerSecond, settings.countsDevices) = (2, countsDevices) }
        #expect(await world.send(to: [World.phone, World.tablet]).code == 200)
        let answer = await world.send()
        #expect(answer.status == (countsDevices ? 503 : 200))
        world.pass(1)
        #expect(await world.send().code == 200)
    }
}
