import Foundation
import PushAdapter
import PushClient
import PushSimulation
import PushTPNS
import TPNSSimulator
import TestSupport
import Testing

/// The adapter, the client and the simulator against each other.
@Suite("TPNS end to end, in process")
struct InProcessTests {
    private let device = Sample.device
    private let other = Sample.other

    @Test("tags with colons are replaced by clearing, waiting and adding, for those who accept the loss")
    func clearing() async throws {
        let world = try World { configuration, _ in configuration.acceptedLosses = [.replaceTags] }
        _ = try await world.client.updateTags(.add(["plan:free", "beta"]), of: device)
        let outcome = try await world.client.replaceTags(with: ["plan:gold"], of: device)
        #expect(outcome.requests == 2 && !outcome.isAtomic && outcome.isComplete)
        #expect(world.clock.elapsed == .seconds(2))
        #expect(await world.snapshot().tags == ["plan:gold"])
    }

    @Test("with too short a wait the new tags are lost, which is what the label says")
    func tooShort() async throws {
        let world = try World { configuration, tpns in
            configuration.acceptedLosses = [.replaceTags]
            for feature in tpns.capabilities.writeDelay.keys { tpns.capabilities.writeDelay[feature] = .zero }
        }
        let outcome = try await world.client.replaceTags(with: ["plan:gold"], of: device)
        #expect(outcome.isComplete)
        #expect(await world.snapshot().tags == [])
    }

    @Test("without a colon in one of the tags the vendor's own call replaces all, a second apart")
    func native() async throws {
        let world = try World { _, tpns in tpns.capabilities.writeDelay = [:] }
        _ = try await world.client.updateTags(.add(["plan:free", "beta"]), of: device)
        for tags: Set<PushCore.Tag> in [["plan:gold", "x"], ["y"]] {
            #expect(try await world.client.replaceTags(with: tags, of: device).isAtomic)
        }
        #expect(world.clock.elapsed == .milliseconds(1100))
        #expect(await world.snapshot().tags == ["y"])
    }

    @Test("tags cannot be listed; a ledger knows those that were set through it")
    func ledger() async throws {
        let plain = try World()
        await expectThrows(.error(.unsupported, naming: "ledger")) {
            try await plain.client.readTags(of: Sample.device)
        }
        let world = try World { configuration, _ in configuration.ledger = MemoryLedger() }
        _ = try await world.client.updateTags(.add(["a", "b"]), of: device)
        _ = try await world.client.updateAccounts(
            .add([Account(name: "ann", type: 1), TPNS.account(phone: "+8613711112222")]), of: device)
        #expect(try await world.client.readTags(of: device) == ["a", "b"])
        // The vendor returns names without types; the ledger has the types.
        #expect(try await world.client.readAccounts(of: device).allSatisfy { $0.type == nil })
        _ = try await world.client.removeAccounts(ofTypes: [1002], of: device)
        #expect(await world.snapshot().accounts == [Account(name: "ann", type: 1)])
        #expect(plain.host.journal.count == 0)
    }

    @Test("G-129: an attribute's name and value of 50 characters are taken where the console has the name")
    func longestAttributes() async throws {
        let longest = String(repeating: "a", count: 50)
        let world = try World(app: { app, _ in app.attributeNames = ["gender", longest] })
        let attributes = ["gender": longest, longest: longest]
        let outcome = try await world.client.updateAttributes(.add(attributes), of: device)
        #expect(outcome.isComplete)
        #expect(await world.snapshot().attributes == attributes)
    }

    @Test(
        "G-129: 50 Chinese characters are taken, and refused where the access point counts bytes",
        arguments: [true, false])
    func attributeCharacters(countsBytes: Bool) async throws {
        let world = try World(app: { _, settings in settings.countsAttributeBytes = countsBytes })
        let attributes = ["nickname": String(repeating: "字", count: 50)]
        if countsBytes {
            await #expect(throws: PushError.self) {
                try await world.client.updateAttributes(.add(attributes), of: device)
            }
        } else {
            _ = try await world.client.updateAttributes(.add(attributes), of: device)
        }
        #expect(await world.snapshot().attributes == (countsBytes ? [:] : attributes))
    }

    @Test("operators on several devices and pairs, and deleting tags everywhere")
    func tagBatches() async throws {
        let world = try World()
        _ = try await world.client.updateMembers(of: "vip", .add([device, other]))
        try await world.client.run(
            try world.tpns.addTags([TPNSTagPair("a", device), TPNSTagPair("b", other)]))
        try await world.client.run(try world.tpns.removeTags([TPNSTagPair("vip", other)]))
        #expect(await world.snapshot().tags == ["vip", "a"])
        #expect(await world.snapshot(other).tags == ["b"])
        // The client keeps a second between the calls, as the vendor asks.
        #expect(world.clock.elapsed >= .seconds(2))
        _ = try await world.client.updateMembers(of: "vip", .remove([device]))
        try await world.client.run(try world.tpns.deleteTags(["a", "b"]))
        #expect(await world.snapshot().tags == [])
        #expect(await world.snapshot(other).tags == [])
    }

    @Test("a change of many devices waits until the vendor has applied the earlier ones, and the ledger knows of it")
    func members() async throws {
        let ledger = MemoryLedger()
        let world = try World(configure: { configuration, _ in configuration.ledger = ledger })
        _ = try await world.client.updateTags(.add(["vip", "old"]), of: device)
        _ = try await world.client.updateTags(.clear, of: device)
        let before = world.clock.elapsed
        let report = try await world.client.updateMembers(of: "vip", .add([device, other]))
        #expect(report.isComplete && report.acceptedCount == 2)
        #expect(world.clock.elapsed - before >= world.client.capabilities.writeDelay[.clearTags] ?? .zero)
        #expect(await world.snapshot().tags == ["vip"])
        #expect(await ledger.record(of: device).tags == ["vip"])
        #expect(await ledger.record(of: other).tags == ["vip"])
        _ = try await world.client.updateMembers(of: "vip", .remove([other]))
        #expect(await ledger.record(of: other).tags == [])
        #expect(await ledger.record(of: device).tags == ["vip"])
        // A tag that the vendor refused to remove stays in the ledger.
        world.host.faults.add(.throttle(reset: 3000), times: 99, path: "/v3/device/tag")
        await #expect(throws: PushError.self) { try await world.client.updateMembers(of: "vip", .remove([device])) }
        #expect(await ledger.record(of: device).tags == ["vip"])
    }

    @Test("each element of a batch of accounts has a status")
    func accountBatches() async throws {
        let world = try World()
        let stranger: DeviceID = "0fffffffffffffffffffffffffffffffffff"
        let ann = Account(name: "ann", type: 1)
        let bound = try await world.client.run(
            try world.tpns.bindAccounts([device, stranger, other].map { TPNSBinding($0, [ann]) }))
        #expect(bound.map(\.status) == [.accepted, .invalid(), .accepted])
        #expect(bound.map(\.position) == [0, 1, 2])
        _ = await world.snapshot()
        let holders = try await world.client.run(
            try world.tpns.readDevices(of: [ann, Account(name: "nobody", type: 0)]))
        #expect(holders == ["ann": [device, other]])
        let none = try await world.client.run(try world.tpns.clearAccounts(of: [stranger]))
        #expect(none.map(\.status) == [.invalid()])
        let deleted = try await world.client.run(try world.tpns.deleteAccounts([ann]))
        #expect(deleted.map(\.target) == [.account(ann)] && deleted.map(\.status) == [.accepted])
        #expect(await world.snapshot().accounts == [])
        #expect(try await world.client.run(try world.tpns.readAccounts(of: [device, other])) == [:])
    }

    @Test("an account push goes to all devices, or to the one that was bound last")
    func accountPushes() async throws {
        let world = try World()
        let ann = Account(name: "ann", type: 1)
        for device in [device, other] { _ = try await world.client.updateAccounts(.add([ann]), of: device) }
        _ = await world.snapshot()
        let all = try await world.client.send(Sample.message, to: .accounts([ann]))
        #expect(await world.simulator.receivers(of: all.messageIDs[0].rawValue) == [device.rawValue, other.rawValue])
        let last = try Sample.message.options { $0.accountPushType = 0 }
        let newest = try await world.client.send(last, to: .accounts([ann]))
        #expect(await world.simulator.receivers(of: newest.messageIDs[0].rawValue) == [other.rawValue])
        await expectThrows(.error(.noTarget, effect: .notApplied)) {
            try await world.client.send(Sample.message, to: .accounts([Account(name: "ann", type: 2)]))
        }
    }

    @Test("an alias is an account of the configured type, for those who accept what is lost")
    func aliases() async throws {
        let strict = try World(aliasAccountType: 5)
        await expectThrows(.error(.unsupported, naming: "stands for aliases")) {
            try await strict.client.setAlias("ann", of: Sample.device)
        }
        let world = try World(aliasAccountType: 5) { configuration, _ in
            configuration.acceptedLosses = [.setAlias, .audienceAliases]
        }
        try await world.client.setAlias("ann", of: device)
        #expect(await world.snapshot().accounts == [Account(name: "ann", type: 5)])
        let report = try await world.client.send(Sample.message, to: .aliases(["ann"]))
        #expect(await world.simulator.receivers(of: report.messageIDs[0].rawValue) == [device.rawValue])
        await expectThrows(.error(.unsupported)) { try await world.client.readAlias(of: Sample.device) }
        // The ledger keeps the names, so the client can read and remove aliases.
        let remembering = try World(aliasAccountType: 5) { configuration, _ in
            configuration.acceptedLosses = [.setAlias]
            configuration.ledger = MemoryLedger()
        }
        for alias: Alias in ["ann", "ben"] { try await remembering.client.setAlias(alias, of: device) }
        #expect(try await remembering.client.readAlias(of: device) == "ben")
        try await remembering.client.removeAlias(of: device)
        #expect(await remembering.snapshot().accounts == [])
        #expect(try await remembering.client.readAlias(of: device) == nil)
        await expectThrows(.error(.invalidState, effect: .notApplied)) {
            try await remembering.client.removeAlias(of: Sample.device)
        }
    }

    @Test("a replacement that would be refused half-way is refused before anything is sent")
    func wholeReplacements() async throws {
        let world = try World { configuration, _ in
            configuration.acceptedLosses = [.replaceAccounts, .replaceTags]
        }
        _ = try await world.client.updateAccounts(.add([Account(name: "ann", type: 1)]), of: device)
        let before = world.host.journal.count
        for account in [Account(name: "13800000000", type: 1002), Account(name: "untyped")] {
            await expectThrows(.error(.invalidArgument)) {
                try await world.client.updateAccounts(.replace([account]), of: Sample.device)
            }
        }
        #expect(world.host.journal.count == before)
        let hasty = try World { configuration, _ in
            configuration.acceptedLosses = [.replaceTags]
            configuration.deadline = .seconds(2)
        }
        let error = await #expect(throws: PushError.self) {
            try await hasty.client.replaceTags(with: ["a:b"], of: Sample.device)
        }
        #expect(error?.kind == .misconfigured && hasty.host.journal.count == 0)
    }

    @Test("where binding overwrites, accounts are replaced by one call and not added")
    func overwriting() async throws {
        let simulator = TPNSSimulator(
            apps: [
                TPNSApp(
                    accessID: Sample.ios, secretKey: Sample.secret, platform: .ios,
                    devices: [VirtualDevice(device.rawValue, .ios)])
            ],
            settings: {
                var settings = TPNSSimulatorSettings()
                settings.bindingClearsOtherTypes = true
                return settings
            }())
        let tpns = try TPNS(
            accessID: Sample.ios, secretKey: Secret(Sample.secret), platform: .ios,
            dataCenter: TPNS.dataCenter(at: InProcessTransport.origin), bindingOverwrites: true)
        let clock = VirtualClock()
        var configuration = ClientConfiguration()
        configuration.clock = clock
        let client = PushClient(
            tpns, transport: InProcessTransport(SimulatorHost(simulator, clock: clock)), configuration: configuration)
        for type in 1...2 {
            let outcome = try await client.updateAccounts(.replace([Account(name: "a\(type)", type: type)]), of: device)
            #expect(outcome.isAtomic)
        }
        await simulator.settle(at: clock.date.addingTimeInterval(1))
        #expect(await simulator.snapshot(of: device.rawValue)?.accounts == [Account(name: "a2", type: 2)])
        await expectThrows(.error(.unsupported, naming: "bindingOverwrites")) {
            try await client.updateAccounts(.add([Account(name: "a3", type: 3)]), of: Sample.device)
        }
    }

    @Test("binding no account is refused, and never becomes the call that unbinds all")
    func noAccounts() throws {
        let tpns = try Sample.tpns()
        expectRefused(.error(.invalidArgument), try tpns.bindAccounts([], to: device))
        expectRefused(.error(.invalidArgument), try tpns.unbindAccounts([], from: device))
        #expect(try tpns.clearAccounts(of: device).request.body.text.contains(#""operator_type":4"#))
    }

    @Test("one malformed account of a list is called that, and the others are sent")
    func malformedAccounts() async throws {
        let world = try World()
        let phones = ["+8613711112222", "13711113333", "+8613711114444"].map { Account(name: $0, type: 1002) }
        _ = try await world.client.updateAccounts(.add([phones[0]]), of: device)
        _ = try await world.client.updateAccounts(.add([phones[2]]), of: other)
        _ = await world.snapshot()
        let report = try await world.client.send(Sample.message, to: .accounts(phones))
        #expect(report.exceptions.map(\.target) == [.account(phones[1])] && report.acceptedCount == 2)
        #expect(report.exceptions.allSatisfy(\.status.isMalformed) && report.invalidTargets.isEmpty)
        #expect(await world.simulator.receivers(of: report.messageIDs[0].rawValue).count == 2)
    }

    @Test("tokens that are not valid are named, and the rest is delivered")
    func invalidTokens() async throws {
        let world = try World()
        let stranger: DeviceID = "0fffffffffffffffffffffffffffffffffff"
        let report = try await world.client.send(Sample.message, to: .devices([device, stranger, other]))
        #expect(report.invalidTargets == [.device(stranger)])
        #expect(report.acceptedCount == 2 && report.messageIDs.count == 1)
        let strict = try Sample.message.options { $0.ignoreInvalidToken = 0 }
        await expectThrows(.error(code: 1_008_006, effect: .notApplied)) {
            try await world.client.send(strict, to: .devices([Sample.device, stranger]))
        }
    }

    @Test("a push whose answer is lost is not repeated; a repetition by the caller says that the first was applied")
    func repetition() async throws {
        let world = try World()
        world.host.faults.add(.actedThenLost, path: "/push/app")
        let error = await #expect(throws: PushError.self) {
            try await world.client.send(Sample.message, to: .everyone)
        }
        #expect(error?.effect == .unknown && world.requests("/push/app") == 1)
        world.clock.advance(by: .seconds(2))
        let again = try await world.client.send(Sample.message, to: .everyone)
        let answer = try #require(again.slices[0].error)
        #expect(answer.vendor?.code == 10_010_018 && answer.effect == .applied)
        #expect(answer.message.contains("earlier send of it was applied") && again.slices[0].isAccepted)
        #expect(!again.isComplete && again.retryable().isEmpty)
        #expect(await world.simulator.pushCount == 1)
    }

    @Test("broad pushes wait for their second, others do not")
    func broadPushes() async throws {
        let world = try World()
        for number in 1...3 {
            _ = try await world.client.send(
                Message(notification: Notification(title: "t", body: "\(number)")), to: .everyone)
        }
        #expect(world.clock.elapsed == .seconds(2))
        for _ in 1...5 { _ = try await world.client.send(Sample.message, to: .devices([device])) }
        #expect(world.clock.elapsed == .seconds(2))
    }

    @Test("pushes for later are sent then, or cancelled; a loop becomes several")
    func later() async throws {
        let world = try World()
        var options = TPNSOptions()
        var message = Sample.message
        options.sendTime = try world.tpns.vendorTime(of: world.clock.date.addingTimeInterval(3600))
        try message.set(options)
        let first = try await world.client.send(message, to: .everyone)
        message.notification?.body = "second"
        let second = try await world.client.send(message, to: .everyone)
        try await world.client.run(try world.tpns.cancel(second.messageIDs[0]))
        #expect(await world.snapshot().inbox.isEmpty)
        world.clock.advance(by: .seconds(3700))
        #expect(await world.snapshot().inbox.map(\.messageID) == [first.messageIDs[0].rawValue])
        let record = try await world.client.run(try world.tpns.readPush(second.messageIDs[0]))
        #expect(record?.status == "PUSH_CANCELED")

        options = TPNSOptions()
        let day = { (days: Double) throws in
            String(try world.tpns.vendorTime(of: world.clock.date.addingTimeInterval(days * 86_400)).prefix(10))
        }
        options.loop = TPNSLoop(from: try day(1), to: try day(3), .daily, at: ["09:30:00"])
        message.notification?.body = "third"
        try message.set(options)
        let loop = try await world.client.send(message, to: .everyone)
        #expect(loop.messageIDs.count == 3 && Set(loop.messageIDs).count == 3)
        world.clock.advance(by: .seconds(5 * 86_400))
        #expect(await world.snapshot().inbox.count == 4)
    }

    @Test("a push in the past is sent at once up to ten minutes, and refused after")
    func past() async throws {
        let world = try World()
        for (minutes, isTaken) in [(9.0, true), (11.0, false)] {
            let moment = try world.tpns.vendorTime(of: world.clock.date.addingTimeInterval(-minutes * 60))
            let late = try Message(notification: Notification(title: "t", body: "\(minutes)"))
                .options { $0.sendTime = moment }
            if isTaken {
                _ = try await world.client.send(late, to: .everyone)
                #expect(await world.snapshot().inbox.count == 1)
            } else {
                await expectThrows(.error(code: 10_010_012)) { try await world.client.send(late, to: .everyone) }
            }
        }
    }

    @Test("packages of devices and of accounts are uploaded with Basic and pushed to")
    func packages() async throws {
        let world = try World()
        _ = try await world.client.updateAccounts(.add([Account(name: "ann", type: 0)]), of: other)
        _ = await world.snapshot()
        let devices = try await world.client.run(try world.tpns.upload([device.rawValue], of: .devices))
        let accounts = try await world.client.run(try world.tpns.upload(["ann"], of: .accounts()))
        let upload = try #require(world.host.journal.entries(path: "/push/package/upload").first)
        #expect(upload.request.headers[.authorization]?.hasPrefix("Basic ") == true)
        #expect(upload.request.headers[HTTPField.Name("Sign") ?? .cookie] == nil)
        for (package, receiver) in [(devices, device), (accounts, other)] {
            let report = try await world.client.send(Sample.message, to: package.audience)
            #expect(await world.simulator.receivers(of: report.messageIDs[0].rawValue) == [receiver.rawValue])
        }
    }

    @Test("plans, records and statistics tell of what was delivered")
    func statistics() async throws {
        let world = try World()
        let (client, tpns) = (world.client, world.tpns)
        let plan = try await client.run(try tpns.createPlan("Autumn", describing: "d"))
        #expect(plan.name == "Autumn" && plan.description == "d")
        let message = try Sample.message.options { $0.planID = plan.id }
        let push = try await client.send(message, to: .devices([device, other])).messageIDs[0]
        let day = String(try tpns.vendorTime(of: world.clock.date).prefix(10))
        let plainDay = day.filter { $0 != "-" }

        let funnels = try await client.run(try tpns.readStatistics(of: push))
        #expect(funnels["apns"]?.arrived == 2 && funnels["all"]?.planned == 2)
        #expect(
            try await client.run(try tpns.readStatistics(ofPlan: plan.id, from: plainDay, to: plainDay))["all"]?.arrived
                == 2)
        let record = try #require(try await client.run(try tpns.readPush(push)))
        #expect(record.message == push && record.status == "PUSH_FINISHED" && record.fields["title"] == "Hi")
        var filter = TPNSPushFilter()
        filter.limit = 1
        _ = try await client.send(Sample.message, to: .devices([device]))
        let page = try await client.run(try tpns.readPushes(from: day, to: day, filter))
        #expect(page.elements.count == 1 && page.count == 2 && !page.isLast)
        #expect(try await client.run(try tpns.readDays(from: plainDay, to: plainDay))[0].channels["all"]?.arrived == 3)
        #expect(try await client.run(try tpns.readDeviceCounts(from: plainDay, to: plainDay))[0].total == 2)
        #expect(try await client.run(try tpns.readDistribution(by: .brand, on: plainDay)) == ["unknown": 2])
        #expect(try await client.run(try tpns.readPushes(to: device)).map(\.message).contains(push))
        #expect(try await client.readDeliveries(of: [push, "1"]).map(\.received) == [2])
        // The record of a push has the number under which a later push replaces it.
        let new = Message(notification: Notification(title: "t", body: "new"))
        _ = try await client.send(new.options { $0.collapseID = record.collapseID }, to: .everyone)
        #expect(try await client.run(try tpns.readPush(push))?.status == "PUSH_COLLAPSED")
    }

    @Test("a push to devices that are offline is stopped on Android, and taken back where that works")
    func stopping() async throws {
        let world = try World(
            .android, configure: { _, tpns in tpns.allowsRecall = true },
            app: { _, settings in settings.recalls = true })
        await world.simulator.setOnline(false, device.rawValue, at: world.clock.date)
        let push = try await world.client.send(Sample.message, to: .everyone).messageIDs[0]
        try await world.client.run(try world.tpns.stop(push))
        await world.simulator.setOnline(true, device.rawValue, at: world.clock.date)
        #expect(await world.snapshot().inbox.isEmpty)
        #expect(await world.snapshot(other).inbox.count == 1)
        try await world.client.run(try world.tpns.recall(push))
        #expect(await world.snapshot(other).inbox.isEmpty)
    }

    @Test("the four access points keep apps apart; another one answers with an explanation")
    func accessPoints() async throws {
        let app = TPNSApp(accessID: 1_680_000_001, secretKey: "k", platform: .ios)
        let shanghai = TPNSSimulator(apps: [app], accessPoint: "shanghai")
        let guangzhou = TPNSSimulator(apps: [], accessPoint: "guangzhou")
        for (simulator, isRight) in [(shanghai, true), (guangzhou, false)] {
            for authentication in [TPNS.Authentication.signature, .basic] {
                let tpns = try TPNS(
                    accessID: 1_680_000_001, secretKey: Secret("k"), platform: .ios,
                    dataCenter: TPNS.dataCenter(at: InProcessTransport.origin, named: simulator.accessPoint),
                    authentication: authentication)
                let client = PushClient(tpns, transport: InProcessTransport(SimulatorHost(simulator)))
                guard !isRight else {
                    try await client.run(try tpns.probe())
                    continue
                }
                await expectThrows(.error(.misconfigured, code: 1_008_035, naming: "seen at shanghai")) {
                    try await client.run(try tpns.probe())
                }
            }
        }
    }

    @Test("a wrong key and a wrong clock are told apart from a wrong place")
    func credentials() async throws {
        let wrong = try World(secret: "wrong")
        let error = await #expect(throws: PushError.self) { try await wrong.client.run(try wrong.tpns.probe()) }
        #expect(error?.kind == .unauthorized && wrong.host.journal.count == 1)
        let basic = try World(authentication: .basic)
        try await basic.client.run(try basic.tpns.probe())
        #expect(try await basic.client.readAccounts(of: device).isEmpty)
    }
}
