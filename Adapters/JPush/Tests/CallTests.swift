import Foundation
import JPushSimulator
import PushAdapter
import PushClient
import PushJPush
import PushSimulation
import TestSupport
import Testing

/// The vendor's own calls, with the adapter and the simulator against each other.
@Suite("JPush calls beyond the model")
struct CallTests {
    private static let ios: DeviceID = "191e35f7e0a1b2c3d4f"
    private static let android: DeviceID = "190e35f7e0a1b2c3d4e"

    @Test("aliases and tags across devices")
    func acrossDevices() async throws {
        let place = try World()
        let (client, jpush) = (place.client, place.jpush)
        for device in [Self.android, Self.ios] { try await client.setAlias("ann", of: device) }
        #expect(try await client.run(try jpush.readAliasDevices(of: "ann")).map(\.device) == [Self.android, Self.ios])
        #expect(try await client.run(try jpush.readAliasDevices(of: "ann", on: [.ios])).map(\.device) == [Self.ios])
        try await client.run(try jpush.removeAlias("ann", from: [Self.ios]))
        #expect(try await client.run(try jpush.readAliasDevices(of: "ann")).map(\.device) == [Self.android])
        try await client.run(try jpush.deleteAlias("ann"))
        #expect(try await client.readAlias(of: Self.android) == nil)

        try await client.run(try jpush.updateTag("vip", addTo: [Self.android, Self.ios]))
        #expect(try await client.run(jpush.listTags()) == ["vip"])
        try await client.run(try jpush.updateTag("vip", removeFrom: [Self.ios]))
        #expect(try await client.readTags(of: Self.ios) == [])
        try await client.run(try jpush.deleteTag("vip", on: [.ios]))
        #expect(try await client.readTags(of: Self.android) == ["vip"])
        try await client.run(try jpush.deleteTag("vip"))
        #expect(try await client.run(jpush.listTags()) == [])

        await place.simulator.setOnline(false, Self.ios.rawValue, at: place.clock.date)
        let status = try await client.run(jpush.readStatus(of: [Self.android, Self.ios, "unknown"]))
        #expect(status[Self.android]?.isOnline == true && status[Self.ios]?.isOnline == false && status.count == 2)
    }

    @Test("test devices are added, renamed, found and removed")
    func testDevices() async throws {
        let place = try World()
        let (client, jpush) = (place.client, place.jpush)
        try await client.run(try jpush.addTestDevice(Self.ios, named: "desk"))
        try await client.run(try jpush.updateTestDevice(Self.ios, named: "shelf"))
        let page = try await client.run(try jpush.listTestDevices(.name("hel")))
        #expect(page.elements.map(\.name) == ["shelf"] && page.isLast)
        try await client.run(jpush.removeTestDevice(Self.ios))
        #expect(try await client.run(try jpush.listTestDevices()).elements.isEmpty)
    }

    @Test("a batch has a result for each message, and is carried out once")
    func batch() async throws {
        let place = try World()
        let keys = try await place.client.run(place.jpush.mintKeys(3, for: .send))
        let items = [
            JPushBatchItem(key: keys[0], target: .device(Self.ios), message: Sample.text("one")),
            JPushBatchItem(key: keys[1], target: .device("190000000000000000a"), message: Sample.text("two")),
            JPushBatchItem(key: keys[2], target: .device(Self.android), message: Sample.text("three")),
        ]
        place.host.faults.add(.actedThenLost, path: "/single")
        let results = try await place.client.run(try place.jpush.sendBatch(items))
        #expect(results[keys[0]]?.message != nil && results[keys[0]]?.error == nil)
        #expect(results[keys[1]]?.error?.vendor?.code == 1003)
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).map(\.alert) == ["one"])
        #expect(await place.simulator.inbox(of: Self.android.rawValue).map(\.alert) == ["three"])
        #expect(throws: PushError.self) { try place.jpush.sendBatch([items[0], items[0]]) }
        #expect(throws: PushError.self) { try place.jpush.sendBatch([]) }
    }

    @Test("a group push has a result for each app and is signed by the group")
    func groupPush() async throws {
        let place = try World()
        let receipt = try await place.client.run(try place.jpush.sendToGroup(Sample.text("all"), to: .everyone))
        #expect(receipt.groupMessage != nil && receipt.apps.count == 2)
        #expect(receipt.apps[Sample.appKey]?.error == nil)
        #expect(receipt.apps.values.contains { $0.error?.kind == .noTarget })
        let alone = try Sample.jpush()
        await expectThrows(.error(.misconfigured)) {
            try await PushClient(alone, transport: InProcessTransport(place.host)).run(
                try alone.sendToGroup(Sample.text("all"), to: .everyone))
        }
    }

    @Test("a recall takes back what waits and what was not opened")
    func recall() async throws {
        let place = try World()
        await place.simulator.setOnline(false, Self.android.rawValue, at: place.clock.date)
        let report = try await place.client.send(Sample.text("wrong"), to: .everyone)
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).count == 1)
        let sent = try #require(report.messageIDs.first)
        try await place.client.run(try place.jpush.recall(sent))
        await place.simulator.setOnline(true, Self.android.rawValue, at: place.clock.date)
        for device in [Self.ios, Self.android] { #expect(await place.simulator.inbox(of: device.rawValue).isEmpty) }
        #expect(throws: PushError.self) { try place.jpush.recall("not-digits") }
    }

    @Test("a message waits for a device that is offline, as long as it lives")
    func offline() async throws {
        let place = try World()
        await place.simulator.setOnline(false, Self.android.rawValue, at: place.clock.date)
        for (body, life) in [("short", 60), ("long", 7200)] {
            var message = Sample.text(body)
            message.timeToLive = .seconds(life)
            _ = try await place.client.send(message, to: .devices([Self.android]))
        }
        place.clock.advance(by: .seconds(3600))
        await place.simulator.setOnline(true, Self.android.rawValue, at: place.clock.date)
        #expect(await place.simulator.inbox(of: Self.android.rawValue).map(\.alert) == ["long"])
    }

    @Test("files are uploaded, listed, pushed to and removed")
    func files() async throws {
        let place = try World()
        let (client, jpush) = (place.client, place.jpush)
        let path = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try Data((Self.ios.rawValue + "\n").utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let id = try await client.run(try jpush.uploadFile(path.path, listing: .device, keptFor: 24))
        #expect(try await client.run(jpush.listFiles()).map(\.id) == [id])
        #expect(try await client.run(jpush.readFile(id)).type == "registration_id")
        _ = try await client.send(Sample.text("listed"), to: .file(id))
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).count == 1)
        #expect(await place.simulator.inbox(of: Self.android.rawValue).isEmpty)
        try await client.run(jpush.removeFile(id))
        try await client.run(jpush.removeFile(id))
        #expect(try await client.run(jpush.listFiles()).isEmpty)
        #expect(throws: PushError.self) { try jpush.uploadFile(path.path, listing: .alias, keptFor: 721) }
        await expectThrows(.error(effect: .notApplied)) {
            try await client.run(try jpush.uploadFile("/nowhere", listing: .alias))
        }
    }

    @Test("templates, plans, images and quotas")
    func console() async throws {
        let place = try World()
        let (client, jpush) = (place.client, place.jpush)
        let parts = [
            JPushTemplateParameters(audience: .devices([Self.ios]), texts: ["name": "Ann"], trace: "a"),
            JPushTemplateParameters(audience: .devices(["190000000000000000a"]), texts: ["name": "Bob"], trace: "b"),
        ]
        let results = try await client.run(try jpush.sendTemplate("tpl", parts))
        #expect(results.map(\.trace) == ["a", "b"] && results[0].message != nil && results[1].error != nil)
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).map(\.alert) == ["Hello Ann"])
        await expectThrows(.error(code: 1003)) { try await client.run(try jpush.sendTemplate("nothing", parts)) }
        let planned = try await client.run(
            try jpush.scheduleTemplate("tpl", named: "later", .once(place.clock.date + 60), [parts[0]]))
        #expect(planned.first?.schedule != nil)

        try await client.run(try jpush.createPlan("winter", description: "sale"))
        try await client.run(try jpush.updatePlan("winter", description: "big sale"))
        #expect(try await client.run(try jpush.listPlans(containing: "big")).elements.map(\.name) == ["winter"])

        let image = try await client.run(try jpush.registerImage(.big, at: ["xiaomi_image_url": "https://a.invalid/x"]))
        #expect(image.addresses.keys.contains("xiaomi_image_url"))
        let again = try await client.run(
            try jpush.registerImage(.big, at: ["image_url": "https://a.invalid/y"], replacing: image.id))
        #expect(again.id == image.id)
        #expect(try await client.run(jpush.readVendorQuota())["xiaomi"]?.operation?.used == 17)
    }

    @Test("a schedule is changed, stopped, fires on its days, and lists what it sent")
    func schedules() async throws {
        let place = try World()
        let (client, jpush) = (place.client, place.jpush)
        let start = place.clock.date
        let weekly = Recurrence(
            from: start, to: start + 28 * 86_400, at: TimeOfDay(hour: 9, minute: 30), .weekly([.monday, .thursday]))
        let plan = Schedule(
            name: "digest_周", trigger: .recurring(weekly), message: Sample.text("This week"), audience: .everyone)
        let id = try await client.createSchedule(plan)
        var update = JPushScheduleUpdate()
        update.name = "renamed"
        update.push = (Sample.text("Changed"), .devices([Self.ios]))
        let status = try await client.run(try jpush.updateSchedule(id, update))
        #expect(status.name == "renamed" && status.trigger == plan.trigger)
        place.clock.advance(by: .seconds(28 * 86_400 - 1))
        let sent = try await client.run(jpush.readScheduledMessages(of: id))
        #expect(sent.count == 8 && sent.allSatisfy { $0.message != nil && $0.code == nil })
        #expect(
            await place.simulator.inbox(of: Self.ios.rawValue).map(\.alert) == Array(repeating: "Changed", count: 8))
        #expect(await place.simulator.inbox(of: Self.android.rawValue).isEmpty)

        var other = JPushScheduleUpdate()
        other.trigger = .once(place.clock.date + 3600)
        await expectThrows(.error(code: 8100)) { try await client.run(try jpush.updateSchedule(id, other)) }
        try await client.removeSchedule(id)
        await expectThrows(.error(.invalidState, code: 8104)) { try await client.readSchedule(id) }
    }

    @Test("schedules beyond the vendor's number are refused by the vendor, and bad ones before the wire")
    func scheduleLimits() async throws {
        let place = try World { settings, _, _ in settings.schedulesPerApp = 1 }
        let plan = Schedule(
            name: "one", trigger: .once(place.clock.date + 60), message: Sample.text("x"), audience: .everyone)
        _ = try await place.client.createSchedule(plan)
        await expectThrows(.error(code: 8100)) { try await place.client.createSchedule(plan) }
        let before = place.host.journal.count
        for edit: (inout Schedule) -> Void in [
            { $0.name = "has blank" }, { $0.name = String(repeating: "n", count: 256) }, { $0.name = "" },
            { $0.trigger = .once(place.clock.date + 400 * 86_400) },
        ] {
            var bad = plan
            edit(&bad)
            let frozen = bad
            await #expect(throws: PushError.self) { try await place.client.createSchedule(frozen) }
        }
        #expect(place.host.journal.count == before)
    }

    @Test("statistics, receipts and users, with the vendor's nulls")
    func statistics() async throws {
        let place = try World()
        let (client, jpush) = (place.client, place.jpush)
        let report = try await client.send(Sample.text("x"), to: .devices([Self.ios]))
        let id = try #require(report.messageIDs.first)
        let receipts = try await client.run(try jpush.readReceipts(of: id, on: [Self.ios, Self.android, "unknown"]))
        #expect(receipts == [Self.ios: .received, Self.android: .noTarget, "unknown": .unknownDevice])
        let rows = try await client.run(try jpush.readStatistics(of: [id]))
        #expect(rows.first?.totals["notification"]?.received == 1)
        #expect(rows.first?.totals["notification"]?.display == nil)
        #expect(try await client.run(try jpush.readReceived(of: [id])).count == 1)
        let users = try await client.run(try jpush.readUsers(by: .day, from: "2026-11-20", count: 2))
        #expect(users.count == 2 && users[0].platforms["ios"]?.new == 1)
        #expect(throws: PushError.self) { try jpush.readUsers(by: .hour, from: "2026-11-20", count: 1) }
        let group = try await client.run(try jpush.readGroupUsers(by: .month, from: "2026-11", count: 1))
        #expect(group.first?.platforms["android"]?.online == 1)
    }

    @Test("live activities follow every rule before the wire, at their very limit too")
    func liveActivities() async throws {
        let place = try World()
        await place.simulator.registerLiveActivity("order-1", on: Self.ios.rawValue)
        func activity(_ edit: (inout [String: JSONValue]) -> Void) -> Message {
            var fields: [String: JSONValue] = ["event": "update", "content-state": ["step": 1]]
            edit(&fields)
            return Message(liveActivity: .object(fields))
        }
        _ = try await place.client.send(activity { _ in }, to: .liveActivity("order-1"))
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).count == 1)
        let empty = JSONWriter.bytes(of: ["event": "update", "content-state": ["t": ""]]).count
        for (extra, isFine) in [(0, true), (1, false)] {
            let filled = activity {
                $0["content-state"] = ["t": .string(String(repeating: "x", count: 3584 - empty + extra))]
            }
            let sending = { try place.jpush.send(filled, to: .liveActivity("order-1")) }
            if isFine { _ = try sending() } else { #expect(throws: PushError.self) { try sending() } }
        }
        for edit: (inout [String: JSONValue]) -> Void in [
            { $0["event"] = "begin" }, { $0["content-state"] = nil }, { $0["event"] = "start" },
            { $0["color"] = "red" },
            { $0["relevance-score"] = 101 }, { $0["apns-priority"] = 7 },
        ] {
            let bad = activity(edit)
            #expect(throws: PushError.self) { try place.jpush.send(bad, to: .everyone) }
        }
        var both = activity { _ in }
        both.notification = Notification(body: "no")
        let two = both
        #expect(throws: PushError.self) { try place.jpush.send(two, to: .everyone) }
    }

    @Test(
        "every field and every part of a push is taken by the simulator",
        arguments: [
            (
                #""notification":{"title":"T","body":"B","ios":{"body":{"key":"GREETING"}},"harmony":{"category":"WORK"}},"voip":{"caller":"Ann"}"#,
                #"{"android":{"style":1,"big_text":"long"},"ios":{"sound":{"name":"alarm","volume":1},"alert":{"launch-image":"l"}},"hmos":{"push_type":0},"quickapp":{"alert":"a","title":"t","page":"/home"},"sms_message":{"temp_id":1250,"delay_time":60},"alternate_set":true,"alternate_alert":"for others","portal_extra":{"from":"console"},"geofence":{"geofenceid":"shop"},"callback":{"url":"https://shop.invalid/receipts","type":15}}"#
            ),
            (#""custom":{"content":"data"}"#, #"{"notification_3rd":{"content":"shown instead"}}"#),
            (
                #""custom":{"content":"data"}"#,
                #"{"notification_3rd":{"android":{"alert":"a"}},"notification_3rd_ver":"v2"}"#
            ),
            (
                #""custom":{"content":"data"}"#,
                #"{"alternate_set":true,"alternate_title":"t","alternate_content":"c"}"#
            ),
            (#""notification":{"body":"inside"}"#, #"{"inapp_message":true}"#),
            (
                #""notification":{"title":"T","body":"B","extras":{"deep":{"a":[1,null]}},"ios":{"title":"I","subtitle":"S","body":"C","sound":"default","badge":"-3","category":"c","threadID":"t","isMutable":true,"isContentAvailable":true,"interruptionLevel":"critical","collapseID":"x"},"android":{"title":"A","body":"D","channelID":"ch","priority":2,"category":"m","sound":"s","tap":{"intentURI":"u:"},"badge":"+99"}},"custom":{"content":"c","title":"t","contentType":"ct","extras":{"k":"v"}},"timeToLive":864000"#,
                #"{"sendno":1,"override_msg_id":18103084512345678,"third_party_channel":{"xiaomi":{"distribution":"jpush"}},"classification":1,"target_event":["jg_app_show"],"test_message":false,"receipt_id":"r","business_operation_code":"b","test_model":false,"auto_truncation":true,"mkt_enable":false,"notification_switch_filter":false}"#
            ),
        ])
    func parts(contents: String, options: String) async throws {
        let place = try World()
        // The first push gets the id that another one overrides.
        _ = try await place.client.send(Sample.text("first"), to: .everyone)
        #expect(try await place.client.send(Sample.message(contents, options: options), to: .everyone).isComplete)
        let (ios, android) = (Self.ios.rawValue, Self.android.rawValue)
        let own = contents.contains(#""ios":{"title":"I""#)
        guard contents.contains("title") else { return }
        #expect(await place.simulator.inbox(of: ios).last?.title == (own ? "I" : "T"))
        #expect(await place.simulator.inbox(of: android).last?.title == (own ? "A" : "T"))
        if own { #expect(await place.simulator.inbox(of: ios).last?.alert == "C") }
    }

    @Test(
        "parts that do not fit each other, the message or the vendor's form are refused",
        arguments: [
            (#""notification":{"body":"x"}"#, #"{"android":{"nonsense":1}}"#),
            (#""notification":{"body":"x"}"#, #"{"quickapp":{"alert":"a"}}"#),
            (#""notification":{"body":"x"}"#, #"{"sms_message":{"temp_id":1,"delay_time":1,"extra":2}}"#),
            (#""notification":{"body":"x"}"#, #"{"ios":{"alert":{"body":"other"}}}"#),
            (#""notification":{"body":"x"},"voip":{"a":1},"platforms":["android"]"#, "{}"),
            (#""notification":{"body":"x"},"custom":{"content":"no"}"#, #"{"inapp_message":true}"#),
            (#""custom":{"content":"c"}"#, #"{"sendnumber":1}"#), (#""custom":{"content":"c"}"#, #"{"sendno":"1"}"#),
            (#""custom":{"content":"c"}"#, #"{"apns_production":false}"#),
        ])
    func badParts(contents: String, options: String) throws {
        let message = try Sample.message(contents, options: options)
        expectThrows(.error(.invalidArgument)) { try Sample.jpush().send(message, to: .everyone) }
    }

    @Test("a segment and an uploaded list are audiences, and a group of platforms goes with them")
    func audiences() async throws {
        let place = try World { settings, _, _ in settings.segments = ["s1": [Self.ios.rawValue]] }
        _ = try await place.client.send(Sample.text("x"), to: .segment("s1"))
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).count == 1)
        await expectThrows(.error(.noTarget)) { try await place.client.send(Sample.text("x"), to: .segment("unknown")) }
    }

    @Test("an answer that says nothing about a part is an unknown outcome of that part, and one without parts is none")
    func foreignParts() async throws {
        let jpush = try Sample.jpush()
        let items = ["k1", "k2", "k3", "k4"].map {
            JPushBatchItem(key: Sample.key($0), target: .device(Self.ios), message: Sample.text("x"))
        }
        let batch = try jpush.sendBatch(items)
        let results = try batch.decode(
            WireResponse(200, #"{"k1":{"msg_id":"7"},"k2":{},"k3":{"error":{"code":"1003"}}}"#))
        #expect(results[Sample.key("k1")]?.error == nil && results[Sample.key("k1")]?.message == "7")
        for name in ["k2", "k3", "k4"] { #expect(results[Sample.key(name)]?.error?.effect == .unknown) }
        for body in ["{}", #"{"status":"ok"}"#] {
            #expect(throws: PushError.self) { try batch.decode(WireResponse(200, body)) }
        }
        #expect(
            ["k1", "k2", "k3", "k4"].map { results[Sample.key($0)]?.status } == [
                .accepted, .unknown, .unknown, .unknown,
            ])
        let refusals = try batch.decode(
            WireResponse(
                200,
                #"{"k1":{"error":{"code":1011,"message":""}},"k2":{"error":{"code":2002,"message":""}},"#
                    + #""k3":{"error":{"code":1003,"message":"","illegal_rids":["x"]}},"k4":{"error":{"code":1000,"message":""}}}"#
            ))
        #expect(
            ["k1", "k2", "k3", "k4"].map { refusals[Sample.key($0)]?.status } == [
                .rejected(mayRetry: false), .rejected(mayRetry: true), .invalid(), .unknown,
            ])
        let group = try jpush.sendToGroup(Sample.text("x"), to: .everyone)
        #expect(throws: PushError.self) { try group.decode(WireResponse(200, #"{"status":"ok","data":{}}"#)) }
        let twice = [
            items[0], JPushBatchItem(key: Sample.key("k1"), target: .device(Self.android), message: Sample.text("y")),
        ]
        #expect(throws: PushError.self) { try jpush.sendBatch(twice) }
    }

    @Test("the vendor's own calls refuse what the client refuses for its own")
    func ownChecks() throws {
        let jpush = try Sample.jpush()
        var late = Sample.text("x")
        late.timeToLive = .milliseconds(-1500)
        var nowhere = Sample.text("x")
        nowhere.platforms = []
        let many = Audience.devices((0...1000).map { DeviceID("190\($0)") })
        let bad: [(Message, Audience)] = [
            (late, .everyone), (nowhere, .everyone), (Message(), .everyone), (Sample.text("x"), .tagged()),
            (Sample.text("x"), many),
            (Sample.text("x"), .devices(["has blank"])),
        ]
        for (message, audience) in bad {
            #expect(refusal { () throws(PushError) in try jpush.sendToGroup(message, to: audience) } != nil)
            var update = JPushScheduleUpdate()
            update.push = (message, audience)
            let frozen = update
            #expect(refusal { () throws(PushError) in try jpush.updateSchedule("id", frozen) } != nil)
        }
        #expect(throws: PushError.self) { try jpush.updateTag("t", addTo: [Self.ios], removeFrom: [Self.ios]) }
        #expect(refusal { () throws(PushError) in try jpush.addTags([], to: Self.ios) }?.kind == .invalidArgument)
        #expect(refusal { () throws(PushError) in try jpush.listTestDevices(.device("a b")) } != nil)
        #expect(throws: PushError.self) { try jpush.readReceipts(of: "007", on: [Self.ios]) }
        #expect(throws: PushError.self) { try jpush.readUsers(by: .day, from: "2026-11-20", count: 61) }
        #expect(throws: PushError.self) { try jpush.readGroupUsers(by: .day, from: "2026-11-20", count: 31) }
        let page = try jpush.listPlans(pageSize: .max)
        let reply = WireResponse(200, #"{"code":0,"data":{"total":2,"page":1,"page_size":1,"detail":[]}}"#)
        #expect(try page.decode(reply).count == 2)
    }

    @Test("moments that no calendar has are read as none, and offsets that no zone has are refused")
    func clock() throws {
        let jpush = try Sample.jpush()
        let reading = try jpush.readSchedule("id")
        for time in ["2026-02-30 09:30:00", "2026-13-01 09:30:00", "2026-12-01 24:30:00"] {
            let body = #"{"schedule_id":"id","name":"n","enabled":true,"trigger":{"single":{"time":"\#(time)"}}}"#
            #expect(try reading.decode(WireResponse(200, body)).trigger == nil)
        }
        var far = jpush
        far.clockOffset = .seconds(100_000)
        let frozen = far
        #expect(throws: PushError.self) { try frozen.listSchedules(page: 1) }
    }

    @Test("tags go both ways in one call, and none in both")
    func tagsBothWays() async throws {
        let place = try World()
        _ = try await place.client.updateTags(.add(["old"]), of: Self.ios)
        let update = DeviceUpdate(tags: .add(["new"]), removing: ["old"])
        try await place.client.run(try place.jpush.updateDevice(update, of: Self.ios))
        #expect(try await place.client.readTags(of: Self.ios) == ["new"])
        for bad in [
            DeviceUpdate(tags: .add(["a"]), removing: ["a"]), DeviceUpdate(tags: .clear, removing: ["a"]),
            DeviceUpdate(removing: ["a"]),
        ] {
            #expect(throws: PushError.self) { try place.jpush.updateDevice(bad, of: Self.ios) }
        }
    }

    @Test("an A/B test narrows an audience, and a live activity stands alone")
    func abTest() throws {
        let jpush = try Sample.jpush()
        var options = JPushOptions()
        options.abTest = "t1"
        var message = Sample.text("x")
        try message.set(options)
        let everyone = try JSONValue(
            parsing: Array(try jpush.send(message, to: .everyone).request.body.text.utf8))
        #expect(everyone["audience"] == ["abtest": ["t1"]])
        let tagged = try jpush.send(message, to: .tagged(anyOf: ["a"])).request.body.text
        #expect(tagged.contains(#""audience":{"tag":["a"],"abtest":["t1"]}"#))
        #expect(!tagged.contains(#""options":{"abtest""#))
        let frozen = message
        #expect(throws: PushError.self) { try jpush.send(frozen, to: .liveActivity("l")) }
    }

    @Test("a badge is added to once, also for a device that gets the message later")
    func badgeOfLateDevice() async throws {
        let place = try World()
        await place.simulator.setOnline(false, Self.ios.rawValue, at: place.clock.date)
        let ios = IOSNotification(badge: .change(by: 1))
        _ = try await place.client.send(
            Message(notification: Notification(body: "x", ios: ios)), to: .devices([Self.ios]))
        await place.simulator.setOnline(true, Self.ios.rawValue, at: place.clock.date)
        #expect(await place.simulator.inbox(of: Self.ios.rawValue).map(\.badge) == [1])
    }

    @Test(
        "absurd pages and numbers do not end the simulator",
        arguments: ["/v3/schedules", "/v3/push_plan/list", "/v3/test/model/list"],
        ["9223372036854775807&page_size=9223372036854775807", "0&page_size=0", "-1&page_size=-5"])
    func absurdPages(path: String, page: String) async throws {
        let response = await DirectCalls(try World().simulator).ask(.get, "\(path)?page=\(page)")
        #expect([200, 400].contains(response.status))
    }
}
