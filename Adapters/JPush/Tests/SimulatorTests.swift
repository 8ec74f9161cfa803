import Foundation
import JPushSimulator
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("JPush simulator")
struct SimulatorTests {
    private func raw(
        devices: [VirtualDevice] = [VirtualDevice(Sample.android, .android), VirtualDevice(Sample.ios, .ios)],
        pushQuota: Int? = nil
    ) -> DirectCalls<JPushSimulator> {
        var settings = JPushSimulatorSettings()
        settings.pushQuota = pushQuota ?? settings.pushQuota
        return DirectCalls(
            JPushSimulator(
                appKey: Sample.appKey, masterSecret: Sample.secret, devices: devices, settings: settings))
    }

    @Test("credentials are checked first, with each family's own codes")
    func credentials() async throws {
        var raw = self.raw()
        raw.authorization = ""
        #expect(await raw.code(.post, "/v3/push", "nonsense") == 1004)
        #expect(await raw.code(.get, "/v3/devices/x") == 7001)
        #expect(await raw.code(.get, "/v3/received/detail") == 3001)
        raw.authorization = "Basic d3Jvbmc6d3Jvbmc="
        #expect(await raw.code(.post, "/v3/push") == 1004)
        #expect(await raw.code(.get, "/v3/devices/x") == 7004)
        #expect(await raw.ask(.get, "/v3/devices/x").status == 401)
    }

    @Test(
        "what the vendor's own libraries send is accepted",
        arguments: [
            #"{"alert":"a","ios":{"alert":"a","content-available":1,"mutable-content":1}}"#,
            #"{"alert":"a","ios":{"alert":"a","content-available":true,"mutable-content":0}}"#,
            #"{"alert":"a","android":{"alert":"a","mipns_content_forshort":"short","extras":{"a":"b"}}}"#,
            #"{"winphone":{"alert":"a","title":"t"}}"#, #"{"alert":"a","winphone":{"alert":"b"}}"#,
        ])
    func libraries(notification: String) async throws {
        #expect(await raw().push(#""audience":"all","notification":\#(notification)"#) == 0)
    }

    @Test("a flag that is neither true, false, 1 nor 0 is refused", arguments: ["2", #""1""#, "null"])
    func flags(value: String) async throws {
        let notification = #"{"alert":"a","ios":{"alert":"a","content-available":\#(value)}}"#
        #expect(await raw().push(#""audience":"all","notification":\#(notification)"#) == 1003)
    }

    @Test("methods, paths, and slashes too many")
    func routing() async throws {
        let raw = self.raw()
        #expect(await raw.code(.get, "/v3/push") == 1001)
        #expect(await raw.ask(.get, "/v4/push").status == 404)
        #expect(await raw.code(.get, "/v3/devices/x/y") == 7010)
        #expect(await raw.code(.delete, "/v3/devices/x") == 7010)
        #expect(await raw.ask(.post, "/v3/push/other").status == 404)
        #expect(await raw.ask(.get, "//v3//devices/\(Sample.android)/").status == 200)
        #expect(await raw.ask(.get, "/v3/device/\(Sample.android)").status == 200)
        #expect(await raw.ask(.get, "/v3/report/received/detail?msg_ids=1").status == 200)
        #expect(await raw.ask(.get, "/v3/device/tags/vip/registration_ids/\(Sample.android)").status == 200)
        #expect(await raw.ask(.get, "/v3/devices/%zz").status == 404)
    }

    @Test(
        "a push is checked in the order that the simulator states",
        arguments: [
            ("nonsense", 1003), (#"{"foo":1}"#, 1009), (#"{"platform":"all"}"#, 1002),
            (#"{"platform":"all","audience":"all"}"#, 1002),
            (#"{"platform":"moon","audience":"all","notification":{"alert":"a"}}"#, 1003),
            (#"{"cid":"unknown","foo":1}"#, 1009), (#"{"cid":"unknown"}"#, 1002),
            (#"{"platform":"moon","audience":{"color":["red"]},"notification":{"alert":"a"}}"#, 1009),
            (#"{"platform":"moon","audience":"all","message":{"title":"t"}}"#, 1002),
            (#"{"platform":"android","audience":"all","notification":{"alert":"a"}}"#, 0),
        ])
    func pushOrder(body: String, code: Int) async {
        #expect(await raw().code(.post, "/v3/push", body) == code)
    }

    @Test(
        "audiences, contents and options are checked",
        arguments: [
            (#""audience":"some","notification":{"alert":"a"}"#, 1003),
            (#""audience":{"tag":"vip"},"notification":{"alert":"a"}"#, 1003),
            (#""audience":{"tag":[""]},"notification":{"alert":"a"}"#, 1003),
            (#""audience":{"tag":[1]},"notification":{"alert":"a"}"#, 1003),
            (#""audience":{"tag":[]},"notification":{"alert":"a"}"#, 1002),
            (#""audience":{"registration_id":["nobody"]},"notification":{"alert":"a"}"#, 1003),
            (#""audience":{"tag":["nobody"]},"notification":{"alert":"a"}"#, 1011),
            (#""audience":"all","notification":{"alert":"a","ios":{"content_available":true}}"#, 1009),
            (#""audience":"all","notification":{"android":{"title":"t"}}"#, 1002),
            (#""audience":"all","message":{"title":"t"}"#, 1002),
            (#""audience":"all","notification":{"alert":"a"},"options":{"sendno":0}"#, 1003),
            (#""audience":"all","notification":{"alert":"a"},"options":{"time_to_live":864001}"#, 1003),
            (#""audience":"all","notification":{"alert":"a"},"cid":"unknown""#, 1003),
            (#""audience":"all","notification":{"alert":"a"}"#, 0),
            (#""audience":"all","message":{"msg_content":"c"},"options":{"active_push":true}"#, 1035),
            (#""audience":"all","message":{"msg_content":"c"},"options":{"need_backup":true}"#, 1003),
            (#""audience":"all","message":{"msg_content":"c"},"options":{"override_msg_id":1}"#, 1003),
            (#""audience":"all","message":{"msg_content":"c"},"options":{"sendno":-1}"#, 0),
            (#""audience":"all","notification":{"hmos":{"alert":""}}"#, 1003),
            (#""audience":"all","notification":{"hmos":{"color":"x"}}"#, 1009),
        ])
    func pushParts(parts: String, code: Int) async {
        #expect(await raw().push(parts) == code)
    }

    @Test("a push that meets nobody still has a message id")
    func nobody() async throws {
        let answer = await raw().ask(
            .post, "/v3/push", #"{"platform":"all","audience":{"alias":["x"]},"notification":{"alert":"a"}}"#)
        let value = try JSONValue(parsing: answer.body)
        #expect(answer.status == 400)
        #expect(value["msg_id"]?.stringValue?.isEmpty == false)
    }

    @Test("sizes are refused one byte beyond")
    func sizes() async throws {
        let raw = self.raw()
        func ios(_ count: Int) async throws -> Int {
            await raw.push(
                #""audience":"all","notification":{"ios":{"alert":"\#(String(repeating: "x", count: count))"}}"#)
        }
        #expect(try await ios(2000 - 12) == 0)
        #expect(try await ios(2001 - 12) == 1005)
    }

    @Test("the quota of a minute ends in 429 with the three headers, and opens again")
    func quota() async throws {
        var raw = self.raw(pushQuota: 2)
        let name = try #require(HTTPField.Name("X-Rate-Limit-Remaining"))
        #expect(await raw.ask(.get, "/v3/push/cid").headers[name] == "1")
        #expect(await raw.ask(.get, "/v3/push/cid").status == 200)
        let throttled = await raw.ask(.get, "/v3/push/cid")
        #expect(throttled.status == 429)
        #expect(throttled.headers[try #require(HTTPField.Name("X-Rate-Limit-Reset"))] == "60")
        // Another family has its own quota.
        #expect(await raw.ask(.get, "/v3/devices/\(Sample.android)").status == 200)
        raw.now += 60
        #expect(await raw.ask(.get, "/v3/push/cid").status == 200)
    }

    @Test("ten broadcasts a day, by China's calendar; other audiences do not count")
    func broadcasts() async throws {
        var raw = self.raw()
        let all = #""audience":"all","message":{"msg_content":"c"}"#
        for _ in 0..<10 { #expect(await raw.push(all) == 0) }
        #expect(await raw.push(all) == 2008)
        #expect(
            await raw.push(#""audience":{"registration_id":["\#(Sample.android)"]},"message":{"msg_content":"c"}"#)
                == 0)
        raw.now += 86_400
        #expect(await raw.push(all) == 0)
    }

    @Test("a key replays the first answer for a day and sends nothing again; a failed push leaves it unused")
    func keys() async throws {
        var raw = self.raw()
        func mint() async throws -> String {
            let value = try JSONValue(parsing: await raw.ask(.get, "/v3/push/cid?count=1").body)
            return try #require(value["cidlist"]?.arrayValue?.first?.stringValue)
        }
        let key = try await mint()
        #expect(key.hasPrefix(Sample.appKey + "-"))
        #expect(
            await raw.push(#""cid":"\#(key)","audience":{"alias":["x"]},"message":{"msg_content":"c"}"#) == 1011)
        let body = #"{"platform":"all","cid":"\#(key)","audience":"all","message":{"msg_content":"c"}}"#
        let first = await raw.ask(.post, "/v3/push", body)
        let second = await raw.ask(.post, "/v3/push", body)
        #expect(first.status == 200)
        #expect(first.body == second.body)
        #expect(await raw.simulator.pushCount == 1)
        raw.now += 86_400
        #expect(await raw.code(.post, "/v3/push", body) == 1003)
        #expect(await raw.code(.get, "/v3/push/cid?count=1001") == 1003)
        #expect(await raw.code(.get, "/v3/push/cid?type=other") == 1003)
    }

    @Test("a validation answers like a push and delivers nothing")
    func validation() async throws {
        let raw = self.raw()
        let body = #"{"platform":"all","audience":"all","notification":{"alert":"a"}}"#
        let answer = await raw.ask(.post, "/v3/push/validate", body)
        #expect(try JSONValue(parsing: answer.body)["msg_id"]?.stringValue?.isEmpty == false)
        #expect(await raw.simulator.inbox(of: Sample.android).isEmpty)
        #expect(await raw.simulator.pushCount == 0)
    }

    @Test("badges are kept by the server: set, added to, never below zero")
    func badges() async throws {
        let raw = self.raw()
        for badge in ["5", "\"+3\"", "\"-2\"", "\"-99\"", "\"7\"", "\"\""] {
            _ = await raw.push(#""audience":"all","notification":{"ios":{"alert":"a","badge":\#(badge)}}"#)
        }
        #expect(await raw.simulator.inbox(of: Sample.ios).map(\.badge) == [5, 8, 6, 0, 7, 0])
        for badge in ["100", "\"+100\"", "\"x\"", "true"] {
            #expect(
                await raw.push(#""audience":"all","notification":{"ios":{"alert":"a","badge":\#(badge)}}"#) == 1003)
        }
    }

    @Test("an alias takes ten devices, and the eleventh is refused")
    func aliasLimit() async throws {
        let raw = self.raw(devices: (0..<11).map { VirtualDevice("d\($0)", .android) })
        for number in 0..<10 { #expect(await raw.code(.post, "/v3/devices/d\(number)", #"{"alias":"team"}"#) == 0) }
        #expect(await raw.code(.post, "/v3/devices/d10", #"{"alias":"team"}"#) == 7015)
        #expect(await raw.code(.post, "/v3/devices/d3", #"{"alias":"team"}"#) == 0)
        #expect(await raw.code(.post, "/v3/devices/d3", #"{"alias":""}"#) == 0)
        #expect(await raw.code(.post, "/v3/devices/d10", #"{"alias":"team"}"#) == 0)
    }

    @Test(
        "device updates are refused with the vendor's codes, and change nothing",
        arguments: [
            ("", 7002), ("{}", 7002), ("[]", 7002), (#"{"tags":["a"]}"#, 7002), (#"{"tags":{"set":["a"]}}"#, 7002),
            (#"{"tags":{"add":["a b"]}}"#, 7002), (#"{"tags":{"add":[""]}}"#, 7002), (#"{"alias":7}"#, 7002),
            (#"{"mobile":"call me"}"#, 7002), (#"{"color":"red"}"#, 7013),
            (#"{"tags":{"add":["01234567890123456789012345678901234567890"]}}"#, 7002),
        ])
    func deviceRefusals(body: String, code: Int) async throws {
        let raw = self.raw()
        #expect(await raw.code(.post, "/v3/devices/\(Sample.android)", body) == code)
        #expect(await raw.simulator.tags(of: Sample.android).isEmpty)
    }

    @Test("lists of 100 tags and 1000 bytes pass, one more does not; a device holds 1000")
    func tagLimits() async throws {
        let raw = self.raw()
        func add(_ tags: [String]) async throws -> Int {
            let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
            return await raw.code(.post, "/v3/devices/\(Sample.android)", #"{"tags":{"add":[\#(list)]}}"#)
        }
        #expect(try await add((0..<100).map { "t\($0)" }) == 0)
        #expect(try await add((0..<101).map { "u\($0)" }) == 7002)
        let long = String(repeating: "x", count: 40)
        #expect(try await add((0..<25).map { "\(long.prefix(38))\($0 + 10)" }) == 0)
        #expect(try await add((0..<26).map { "\(long.prefix(37))\($0 + 100)" }) == 7002)
        for batch in 0..<8 { #expect(try await add((0..<100).map { "b\(batch)_\($0)" }) == 0) }
        #expect(try await add((0..<75).map { "c\($0)" }) == 0)
        #expect(try await add(["last"]) == 7013)
    }

    @Test("a development build is not reached by a production push, and the report counts what was received")
    func environments() async throws {
        let raw = self.raw(devices: [
            VirtualDevice("p", .ios), VirtualDevice("d", .ios, environment: .development),
            VirtualDevice("off", .ios, isOnline: false), VirtualDevice("a", .android),
            VirtualDevice("b", .android, isOnline: false),
        ])
        _ = await raw.push(
            #""audience":"all","notification":{"alert":"x","ios":{"alert":"x","mutable-content":true}}"#)
        #expect(await raw.simulator.inbox(of: "p").count == 1)
        #expect(await raw.simulator.inbox(of: "d").isEmpty)
        let answer = try JSONValue(parsing: await raw.ask(.get, "/v3/received/detail?msg_ids=18103084512345678").body)
        let row = try #require(answer.arrayValue?.first)
        #expect(row["jpush_received"]?.intValue == 1)
        #expect(row["ios_apns_sent"]?.intValue == 3)
        #expect(row["ios_apns_received"]?.intValue == 1)
    }
}

extension DirectCalls<JPushSimulator> {
    fileprivate func push(_ parts: String) async -> Int {
        await code(.post, "/v3/push", #"{"platform":"all",\#(parts)}"#)
    }
}
