import EngageLabSimulator
import Foundation
import PushAdapter
import PushClient
import PushEngageLab
import PushSimulation
import TestSupport
import Testing

@Suite("EngageLab in one process")
struct InProcessTests {
    private let ios = Sample.ios
    private let android = Sample.android
    private let harmony = Sample.harmony

    // MARK: Keys

    @Test("a send whose answer is lost is asked for again under its key, and nobody gets it twice")
    func lostAnswer() async throws {
        let world = try World()
        world.host.faults.add(.actedThenLost, path: "/push")
        let report = try await world.client.send(Sample.message, to: .devices([ios]))
        #expect(report.isComplete && report.slices[0].keying == .keyed(.vendor))
        #expect(world.requests("/push") == 2)
        #expect(await world.simulator.inbox(of: ios.rawValue).count == 1)
        #expect(await world.simulator.receivers(of: report.messageIDs[0].rawValue) == [ios.rawValue])
    }

    @Test("a named send that is made again within an hour sends nothing, and after an hour it does")
    func named() async throws {
        let world = try World()
        var options = SendOptions()
        options.key = "order-4711"
        let first = try await world.client.send(Sample.message, to: .devices([ios]), options: options)
        let second = try await world.client.send(Sample.message, to: .devices([ios]), options: options)
        #expect(first.messageIDs == second.messageIDs)
        world.clock.advance(by: .seconds(3600))
        let third = try await world.client.send(Sample.message, to: .devices([ios]), options: options)
        #expect(third.messageIDs != first.messageIDs)
        #expect(await world.simulator.inbox(of: ios.rawValue).count == 2)
        options.key = "order 4711"
        await expectThrows(.error(.invalidArgument)) {
            try await world.client.send(Sample.message, to: .devices([ios]), options: options)
        }
    }

    @Test("a key counts on success only: a push that was refused may be made again under it")
    func refusedKey() async throws {
        let world = try World()
        let push = try world.engageLab.send(
            Sample.message, to: .tagged(anyOf: ["vip"]), in: SendContext(at: .distantPast, key: Sample.key("k")))
        await expectThrows(.error(.noTarget)) { try await world.client.run(push) }
        _ = try await world.client.updateTags(.add(["vip"]), of: ios)
        _ = try await world.client.run(push)
        #expect(await world.simulator.inbox(of: ios.rawValue).count == 1)
    }

    // MARK: Devices

    @Test("an alias is of one device: it moves, and is taken off by reading, looking and deleting")
    func aliases() async throws {
        let world = try World()
        try await world.client.setAlias("ann", of: ios)
        try await world.client.setAlias("ann", of: android)
        #expect(try await world.client.readAlias(of: ios) == nil)
        #expect(try await world.client.readDevices(of: "ann") == [android])
        let before = world.host.journal.count
        try await world.client.removeAlias(of: android)
        #expect(world.host.journal.count - before == 3)
        #expect(try await world.client.readDevices(of: "ann") == [])
        guard case .emulated(let recipe) = world.client.capabilities[.removeAlias] else {
            Issue.record("it is labeled as emulated")
            return
        }
        #expect(!recipe.isAtomic && recipe.caveat.contains("in between"))
        #expect(world.client.capabilities.aliasSharing == .one)
    }

    @Test("a device has at most 100 tags by the server, whatever its own SDK allows")
    func tagLimit() async throws {
        let world = try World()
        _ = try await world.client.updateTags(.add(Set((0..<100).map { Tag("t\($0)") })), of: ios)
        await expectThrows(.error(.limitExceeded, effect: .notApplied)) {
            try await world.client.replaceTags(with: Set((0..<101).map { Tag("t\($0)") }), of: ios)
        }
        await expectThrows(.error(.invalidArgument)) { try await world.client.updateTags(.add(["a@b"]), of: ios) }
        let limits = world.client.capabilities.limits
        #expect(limits["engagelab.client.tags.device"]?.maximum == 1000 && limits["tags.device"]?.maximum == 100)
        #expect(limits[charactersOf: "engagelab.client.tag.length"]?.firstRefused(in: "a@b") == nil)
    }

    @Test("tags with a clear and tags of the app, their counts and room")
    func appTags() async throws {
        let world = try World()
        let engageLab = world.engageLab
        let client = world.client
        try await client.run(try engageLab.updateTag("城市", adding: [ios, android]))
        try await client.run(
            try engageLab.updateDevice(DeviceUpdate(tags: .add(["a"]), alias: .set("ann")), of: ios))
        #expect(try await client.run(engageLab.listTags()).map(\.rawValue).sorted() == ["a", "城市"])
        #expect(try await client.run(engageLab.readDevice(ios)).alias == "ann")
        #expect(try await client.run(try engageLab.countDevices(of: ["城市", "a"], on: .ios)) == ["城市": 1, "a": 1])
        let quota = try await client.run(try engageLab.readTagQuota(of: ["城市"]))
        #expect(quota.usedTags == 2 && quota.usedAliases == 1 && quota.tags?.first?.used == 2)
        try await client.run(try engageLab.deleteTag("城市", on: [.android]))
        #expect(try await client.readTags(of: android) == [])
        #expect(try await client.readTags(of: ios) == ["a", "城市"])
        _ = try await client.updateTags(.clear, of: ios)
        #expect(try await client.readTags(of: ios) == [])
    }

    @Test("a device that is deleted is gone a while after the answer")
    func deletion() async throws {
        let world = try World()
        try await world.client.run(world.engageLab.deleteDevice(ios))
        #expect(await world.simulator.snapshot(of: ios.rawValue) != nil)
        world.clock.advance(by: .seconds(1))
        await expectThrows(.error(.invalidArgument)) { try await world.client.readTags(of: ios) }
    }

    @Test("tokens become devices, each with its own result, and a known one keeps its device")
    func tokens() async throws {
        let world = try World()
        func register(_ tokens: [String]) async throws -> [EngageLabRegisteredToken] {
            try await world.client.run(
                try world.engageLab.registerTokens(tokens, on: .ios, environment: .development))
        }
        let first = try #require(try await register(["t1", "t2"]).first)
        #expect(first.isNew && first.error == nil)
        let again = try #require(try await register(["t1"]).first)
        #expect(!again.isNew && again.device == first.device)
        #expect(try await world.client.run(try world.engageLab.readStatus(of: [ios, "nobody"]))[ios]?.isOnline == true)
        #expect("\(first)".contains("t1") == false)
    }

    // MARK: Quota and batches

    @Test("a batch costs a call for each target; those over the quota may be sent again, and the lane pauses")
    func batchQuota() async throws {
        let world = try World(settings: { $0.callsPerSecond = 2 })
        let items = [ios, android, harmony].map {
            EngageLabBatchItem(target: .device($0), message: Sample.message, key: Sample.key($0.rawValue))
        }
        let receipt = try await world.client.run(try world.engageLab.sendBatch(items))
        #expect(receipt.wasRateLimited)
        #expect(receipt.results[.device(ios)]?.status == .accepted)
        #expect(receipt.results[.device(harmony)]?.status == .rejected(mayRetry: true))
        #expect(receipt.results[.device(harmony)]?.error?.kind == .rateLimited)
        let before = world.clock.elapsed
        let rest = items.filter { receipt.results[$0.target]?.status != .accepted }
        let second = try await world.client.run(try world.engageLab.sendBatch(rest))
        #expect(world.clock.elapsed - before >= .seconds(1))
        #expect(second.results.values.allSatisfy { $0.status == .accepted } && !second.wasRateLimited)
        for device in [ios, android, harmony] {
            #expect(await world.simulator.inbox(of: device.rawValue).count == 1)
        }
    }

    @Test("a throttle that comes as 400 pauses every call of the client for a second")
    func throttle() async throws {
        let world = try World()
        world.host.faults.add(.throttle(reset: nil), path: "/push")
        let report = try await world.client.send(Sample.message, to: .devices([ios]))
        #expect(report.isComplete && world.requests("/push") == 2)
        #expect(world.clock.elapsed >= .seconds(1))
    }

    @Test("a batch by alias and one with unknown targets say what became of each")
    func batches() async throws {
        let world = try World()
        try await world.client.setAlias("ann", of: ios)
        func send(_ targets: [Target]) async throws -> EngageLabBatchReceipt {
            let items = targets.map { EngageLabBatchItem(target: $0, message: Sample.message) }
            return try await world.client.run(try world.engageLab.sendBatch(items))
        }
        let aliases = try await send([.alias("ann"), .alias("bob")])
        #expect(aliases.results[.alias("ann")]?.message != nil)
        #expect(aliases.results[.alias("bob")]?.error?.kind == .noTarget)
        let devices = try await send([.device(ios), .device("nobody")])
        #expect(devices.results[.device("nobody")]?.error?.vendor?.code == 20_101)
        #expect(devices.results[.device("nobody")]?.status == .rejected(mayRetry: false))
    }

    @Test("a batch whose items all have keys is repeated after a lost answer, one without is not")
    func batchRetry() async throws {
        let world = try World()
        world.host.faults.add(.actedThenLost, path: "/batch/push/regid")
        let keyed = EngageLabBatchItem(target: .device(ios), message: Sample.message, key: Sample.key("k"))
        _ = try await world.client.run(try world.engageLab.sendBatch([keyed]))
        #expect(await world.simulator.inbox(of: ios.rawValue).count == 1)
        world.host.faults.add(.actedThenLost, path: "/batch/push/regid")
        var unkeyed = keyed
        unkeyed.key = nil
        await expectThrows(.error(effect: .unknown)) {
            try await world.client.run(try world.engageLab.sendBatch([unkeyed]))
        }
        #expect(await world.simulator.inbox(of: ios.rawValue).count == 2)
    }

    // MARK: Other calls

    @Test("a message is recalled once, and a recall whose answer is lost is not repeated")
    func recall() async throws {
        let world = try World()
        let report = try await world.client.send(Sample.message, to: .everyone)
        let recall = try world.engageLab.recall(report.messageIDs[0])
        world.host.faults.add(.actedThenLost, path: report.messageIDs[0].rawValue)
        await expectThrows(.error(effect: .unknown)) { try await world.client.run(recall) }
        #expect(await world.simulator.inbox(of: ios.rawValue).isEmpty)
        await expectThrows(.error(code: 21_003)) { try await world.client.run(recall) }
        expectRefused(.error(.invalidArgument), try world.engageLab.recall("x"))
    }

    @Test("a group push has a result for each app, and needs the group's credentials")
    func group() async throws {
        let world = try World()
        let receipt = try await world.client.run(try world.engageLab.sendToGroup(Sample.message, to: .everyone))
        #expect(receipt.apps[Sample.appKey]?.message != nil && receipt.groupMessage != nil)
        #expect(receipt.apps.values.contains { $0.error?.kind == .noTarget })
        let replacing = try Sample.message(options: #"{"override_msg_id":5}"#)
        expectRefused(.error(.unsupported), try world.engageLab.sendToGroup(replacing, to: .everyone))
        let alone = try EngageLab(appKey: Sample.appKey, masterSecret: Secret(Sample.secret))
        let call = try alone.sendToGroup(Sample.message, to: .everyone)
        let client = PushClient(alone, transport: InProcessTransport(world.host))
        await expectThrows(.error(.misconfigured, naming: "EngageLabGroup")) { _ = try await client.run(call) }
    }

    @Test("statistics tell messages, kinds and channels apart, and fates name the device")
    func statistics() async throws {
        let world = try World()
        await world.simulator.setOnline(false, android.rawValue, at: world.clock.date)
        var message = Sample.message
        message.notification?.ios = IOSNotification(isMutable: true)
        let report = try await world.client.send(message, to: .everyone)
        let id = report.messageIDs[0]
        for _ in 0..<2 { await world.simulator.open(id.rawValue, on: ios.rawValue, at: world.clock.date) }
        let statistics = try await world.client.run(try world.engageLab.readStatistics(of: [id, "1"]))
        let one = try #require(statistics[id])
        #expect(statistics.count == 1 && one.total.targets == 3 && one.total.sent == 3 && one.total.delivered == 2)
        #expect(one.kinds["notification"]?.clicks == 1 && one.channels["apns"]?.delivered == 1)
        #expect(one.channels["xiaomi"] == nil)
        let deliveries = try await world.client.readDeliveries(of: [id])
        #expect(deliveries.first?.channels[.apns] == DeliveryCount(sent: 1, received: 1))
        #expect(deliveries.first?.channels[.vendor] == DeliveryCount(sent: 1, received: 0))
        let fates = try await world.client.run(try world.engageLab.readFates(of: id, on: [ios, android]))
        #expect(fates.count == 2 && Set(fates.map(\.status)) == ["delivered", "sent"])
        #expect(try await world.client.run(try world.engageLab.readFates(of: [id])).count == 3)
        await world.simulator.setOnline(true, android.rawValue, at: world.clock.date)
        #expect(try await world.client.readDeliveries(of: [id]).first?.channels[.vendor]?.received == 1)
    }

    @Test("a schedule of the model needs the app's clock; the vendor's own triggers do not")
    func schedules() async throws {
        let blind = try World()
        let soon = blind.clock.date.addingTimeInterval(3600)
        let schedule = Schedule(name: "once", trigger: .once(soon), message: Sample.message, audience: .everyone)
        await expectThrows(.error(.misconfigured, naming: "clockOffset")) {
            try await blind.client.createSchedule(schedule)
        }
        let smart = try await blind.client.run(
            try blind.engageLab.createSchedule(
                named: "smart", sending: Sample.message, to: .everyone, at: .intelligent(backup: nil)))
        #expect(try await blind.client.readSchedule(smart).trigger == nil)
        blind.clock.advance(by: .seconds(5))
        #expect(try await blind.client.run(blind.engageLab.readScheduledMessages(of: smart)).count == 1)

        let world = try World(configure: { $1.clockOffset = .seconds(-3 * 3600) }, settings: { $0.clockOffset = -3 })
        let id = try await world.client.createSchedule(schedule)
        #expect(try await world.client.readSchedule(id).trigger == schedule.trigger)
        var update = EngageLabScheduleUpdate()
        update.trigger = .single(at: "2026-12-24 18:00:00", .device)
        #expect(try await world.client.run(try world.engageLab.updateSchedule(id, update)).trigger == nil)
        let daily = Recurrence(
            from: soon, to: soon.addingTimeInterval(86_400), at: TimeOfDay(hour: 9, minute: 0), .daily, every: 2)
        let skipping = Schedule(
            name: "skips", trigger: .recurring(daily), message: Sample.message, audience: .everyone)
        await expectThrows(.error(.unsupported)) { try await world.client.createSchedule(skipping) }
    }

    @Test("triggers that the vendor would refuse are refused before the wire")
    func triggers() throws {
        let engageLab = try Sample.engageLab()
        let day = TimeOfDay(hour: 8, minute: 0)
        let triggers: [EngageLabTrigger] = [
            .single(at: "2026-12-1 09:30:00", .app), .single(at: "2026-02-30 09:30:00", .app),
            .intelligent(backup: "soon"),
            .periodical(from: "2026-12-01 00:00:00", to: "2026-11-01 00:00:00", at: day, .daily, .app),
            .periodical(from: "2026-12-01 00:00:00", to: "2028-12-01 00:00:00", at: day, .daily, .app),
            .periodical(from: "2026-12-01 00:00:00", to: "2026-12-31 00:00:00", at: day, .weekly([]), .app),
            .periodical(from: "2026-12-01 00:00:00", to: "2026-12-31 00:00:00", at: day, .monthly([32]), .device),
            .periodical(
                from: "2026-12-01 00:00:00", to: "2026-12-31 00:00:00", at: TimeOfDay(hour: 24, minute: 0), .daily,
                .app),
        ]
        for trigger in triggers {
            expectRefused(
                .error(.invalidArgument),
                try engageLab.createSchedule(named: "n", sending: Sample.message, to: .everyone, at: trigger))
        }
        expectRefused(
            .error(.invalidArgument),
            try engageLab.createSchedule(
                named: "a b", sending: Sample.message, to: .everyone, at: .intelligent(backup: nil)))
    }

    @Test("plans count their messages, and voices and images are kept")
    func plansAndVoices() async throws {
        let world = try World()
        let engageLab = world.engageLab
        let client = world.client
        for text in ["Autumn", "Autumn sale"] {
            try await client.run(try engageLab.setPlan("autumn_1", description: text))
        }
        let message = try Sample.message(options: #"{"plan_id":"autumn_1"}"#)
        let report = try await client.send(message, to: .everyone)
        let page = try await client.run(try engageLab.listPlans(containing: "sale"))
        #expect(page.elements.map(\.count) == [1] && page.isLast)
        let day = String(world.clock.date.formatted(.iso8601).prefix(10))
        let messages = try await client.run(try engageLab.readMessages(ofPlans: ["autumn_1"], from: day, to: day))
        #expect(messages == ["autumn_1": report.messageIDs])
        let statistics = try await client.run(
            try engageLab.readStatistics(ofPlans: ["autumn_1"], from: day, to: day))
        #expect(statistics["autumn_1"]?.total.sent == 3 && statistics["autumn_1"]?.plan == "autumn_1")
        _ = try await client.run(try engageLab.removePlans(["autumn_1", "b"]))
        #expect(try await client.run(try engageLab.listPlans()).elements.isEmpty)

        let file = FileManager.default.temporaryDirectory.appending(path: "voices-\(UUID().uuidString).zip")
        try Data("PK".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let voice = try await client.run(try engageLab.uploadVoice(file.path, speaking: .simplifiedChinese))
        #expect(voice.language == "zh-Hans")
        #expect(try await client.run(engageLab.listVoices()) == [voice])
        for byQuery in [true, false] {
            var adapter = engageLab
            adapter.deletesVoicesByQuery = byQuery
            try await client.run(adapter.removeVoice(.simplifiedChinese))
        }
        #expect(try await client.run(engageLab.listVoices()).isEmpty)
        #expect(
            try await client.run(try engageLab.registerOPPOImage(.small, at: "https://x.invalid/a")).hasPrefix("oppo"))
    }

    @Test("a live activity reaches iOS, and an app without a P8 key is told so")
    func liveActivity() async throws {
        let world = try World()
        let start = Message(liveActivity: ["event": "start", "attributes-type": "A", "content-state": ["s": 1]])
        let report = try await world.client.send(start, to: .devices([ios]))
        #expect(await world.simulator.receivers(of: report.messageIDs[0].rawValue) == [ios.rawValue])
        let certificate = try World(settings: { $0.hasP8Key = false })
        await expectThrows(.error(.misconfigured, naming: "P8")) {
            try await certificate.client.send(start, to: .devices([ios]))
        }
    }

    @Test("a key of another data center is refused with a hint, and no other center is called")
    func misplaced() async throws {
        let elsewhere = SimulatorHost(EngageLabSimulator(nil), clock: VirtualClock())
        let engageLab = try EngageLab(
            appKey: Sample.appKey, masterSecret: Secret(Sample.secret),
            dataCenter: EngageLab.dataCenter(at: InProcessTransport.origin))
        let client = PushClient(engageLab, transport: InProcessTransport(elsewhere))
        await expectThrows(.error(.unauthorized, naming: "data center")) { try await client.readTags(of: ios) }
        #expect(elsewhere.journal.count == 1)
    }
}
