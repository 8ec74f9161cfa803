import Foundation
import JPushSimulator
import PushAdapter
import PushClient
import PushJPush
import PushSimulation
import TestSupport
import Testing

@Suite("JPush adapter and simulator, which check each other")
struct InProcessTests {
    private let android = DeviceID(Sample.android)
    private let ios = DeviceID(Sample.ios)

    @Test("the whole slice works in both path layouts", arguments: [JPush.PathLayout.standard, .beijing])
    func wholeSlice(layout: JPush.PathLayout) async throws {
        let world = try World(layout: layout)
        let client = world.client
        _ = try await client.updateTags(.add(["vip", "城市_上海", "@!#$&*+=.|￥"]), of: android)
        #expect(try await client.readTags(of: android) == ["vip", "城市_上海", "@!#$&*+=.|￥"])
        #expect(try await client.hasTag("城市_上海", device: android))
        #expect(try await !client.hasTag("no", device: android))
        _ = try await client.updateTags(.remove(["vip"]), of: android)
        try await client.setAlias("user_1", of: android)
        #expect(try await client.readAlias(of: android) == "user_1")
        let device = try await client.run(world.jpush.readDevice(android))
        #expect(device == JPushDevice(tags: ["城市_上海", "@!#$&*+=.|￥"], alias: "user_1", mobile: nil))
        try await client.run(world.jpush.updateDevice(DeviceUpdate(phone: .set("+86-138")), of: android))
        #expect(try await client.run(world.jpush.readDevice(android)).mobile == "+86-138")
        try await client.removeAlias(of: android)
        #expect(try await client.readAlias(of: android) == nil)
        _ = try await client.updateTags(.clear, of: android)
        #expect(try await client.readTags(of: android).isEmpty)
        _ = try await client.validate(Sample.message, to: .everyone)
        let report = try await client.send(Sample.message, to: .everyone)
        let rows = try await client.readDeliveries(of: report.messageIDs)
        #expect(rows.first?.channels[.vendor]?.received == 1)
        #expect(rows.first?.channels[.apns]?.sent == 1)
        #expect(await world.simulator.inbox(of: Sample.ios).map(\.alert) == ["Hello"])
    }

    @Test("a tag is given to many devices, and those that the app does not have are found by halving the list")
    func members() async throws {
        let known = (0..<40).map { DeviceID("190\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }
        let strangers = (0..<2).map { DeviceID("19f\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }
        let world = try World(devices: known.map { VirtualDevice($0.rawValue, .android) })
        let list = known[..<10] + [strangers[0]] + known[10...] + [strangers[1], known[3]]
        let report = try await world.client.updateMembers(of: "vip", .add(Array(list)))
        #expect(report.acceptedCount == 40 && report.slices.count == 1)
        #expect(report.exceptions.map(\.position) == [10, 41, 42])
        #expect(report.exceptions.map(\.status).prefix(2) == [.rejected(mayRetry: false), .rejected(mayRetry: false)])
        #expect(report.exceptions[2].status == .duplicate(of: 3))
        #expect(report.exceptions.allSatisfy { !$0.isSaidByVendor })
        // At most two requests per halving of 42, and far fewer than one per device.
        #expect(report.slices[0].requestCount <= 22, "\(report.slices[0].requestCount)")
        #expect(world.host.journal.count == report.slices[0].requestCount)
        for device in known { #expect(try await world.client.readTags(of: device) == ["vip"]) }
        let removal = try await world.client.updateMembers(of: "vip", .remove(Array(known[..<5])))
        #expect(removal.isComplete && removal.slices[0].requestCount == 1)
        #expect(try await world.client.hasTag("vip", device: known[4]) == false)
        #expect(try await world.client.hasTag("vip", device: known[5]))
        let none = await #expect(throws: PushError.self) {
            try await world.client.updateMembers(of: "vip", .add(strangers))
        }
        #expect(none?.effect == .notApplied && none?.kind == .invalidArgument && none?.report?.exceptions.count == 2)
        // There are too many unknown devices to find them all, so the outcome of the rest is unknown.
        let crowd = (0..<200).map {
            $0 % 2 == 0 ? known[$0 % 40] : DeviceID("19e\(String(0x1_0000_0000_0000 + $0, radix: 16))abc")
        }
        let before = world.host.journal.count
        let rest = try? await world.client.updateMembers(of: "gold", .add(crowd))
        #expect(world.host.journal.count - before <= 65)
        let statuses = Set((rest?.exceptions ?? []).map(\.status).filter { !$0.isDuplicate })
        #expect(statuses.isSubset(of: [.unknown, .rejected(mayRetry: false)]) && statuses.contains(.unknown))
    }

    @Test("the ledger drops a tag of devices that may have lost it, and keeps it where the vendor refused")
    func membersInLedger() async throws {
        let known = (0..<100).map { DeviceID("190\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }
        let ledger = MemoryLedger()
        let world = try World(devices: known.map { VirtualDevice($0.rawValue, .android) }) { _, configuration, _ in
            configuration.ledger = ledger
        }
        _ = try await world.client.updateMembers(of: "vip", .add(known))
        let strangers = (0..<100).map { DeviceID("19e\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }
        let mixed = zip(known, strangers).flatMap { [$0, $1] }
        let report: SendReport?
        do throws(PushError) {
            report = try await world.client.updateMembers(of: "vip", .remove(mixed))
        } catch {
            report = error.report
        }
        let unknown = (report?.exceptions ?? []).filter { $0.status == .unknown }.map { mixed[$0.position] }
        #expect(unknown.contains(known[99]))
        for device in unknown { #expect(await ledger.record(of: device).tags.isEmpty) }
        // A refusal of the key says that nothing was done.
        _ = try await world.client.updateMembers(of: "gold", .add(known))
        world.host.faults.add(.answer(SimulatedResponse(status: 401, body: [])), times: 9)
        await #expect(throws: PushError.self) { try await world.client.updateMembers(of: "gold", .remove(known)) }
        #expect(await ledger.record(of: known[0]).tags == ["gold"])
    }

    @Test("a change of many devices whose response is lost is repeated, and refusals cost nothing")
    func membersAgain() async throws {
        let world = try World()
        world.host.faults.add(.actedThenLost, path: "/v3/tags/vip")
        let report = try await world.client.updateMembers(of: "vip", .add([android, ios]))
        #expect(report.isComplete && world.host.journal.count == 2)
        for (tag, devices) in [("", [android]), ("vip", []), ("a b", [ios])] as [(PushCore.Tag, [DeviceID])] {
            let error = await #expect(throws: PushError.self) {
                try await world.client.updateMembers(of: tag, .remove(devices))
            }
            #expect(error?.kind == .invalidArgument && error?.operation == .removeMembers, "\(tag)")
        }
        #expect(world.host.journal.count == 2)
    }

    @Test("G-001 to G-004: forty bytes pass and forty-one do not; bytes count, not characters")
    func tagLength() async throws {
        let world = try World()
        let han = String(repeating: "字", count: 13)
        for tag in [han + "a", String(repeating: "a", count: 40)] {
            _ = try await world.client.updateTags(.add([Tag(tag)]), of: android)
        }
        let before = world.host.journal.count
        for tag in [han + "ab", han + "字", String(repeating: "a", count: 41), String(repeating: "x", count: 10_240)] {
            await expectThrows(.error(.tooLong)) { try await world.client.updateTags(.add([Tag(tag)]), of: android) }
        }
        #expect(world.host.journal.count == before)
    }

    @Test(
        "G-014, G-015: the alphabet, at both sides of the wire",
        arguments: ["a b", "a\tb", "a,b", "a-b", "a/b", "50%", "😀"])
    func alphabet(tag: String) async throws {
        let world = try World()
        await expectThrows(.error(.invalidArgument)) {
            try await world.client.updateTags(.add([Tag(tag)]), of: android)
        }
        #expect(world.host.journal.count == 0)
        // The simulator refuses it too, if the client does not check first.
        let unchecked = try World { $2.capabilities.limits = Limits() }
        await expectThrows(.error(code: 7002)) {
            var exchange = try unchecked.jpush.addTags([Tag(tag)], to: android)
            exchange.inputs = []
            return try await unchecked.client.run(exchange)
        }
    }

    @Test("G-016: tags differ by case")
    func caseSensitive() async throws {
        let world = try World()
        _ = try await world.client.updateTags(.add(["Game", "game"]), of: android)
        #expect(try await world.client.readTags(of: android) == ["Game", "game"])
    }

    @Test("a thousand tags are set in calls of a hundred, and one more is refused before the wire")
    func thousandTags() async throws {
        let world = try World()
        let tags = Set((0..<1000).map { Tag("t\($0)") })
        let outcome = try await world.client.replaceTags(with: tags, of: android)
        #expect(outcome.isComplete)
        #expect(await world.simulator.tags(of: Sample.android).count == 1000)
        #expect(outcome.requests == 11)
        // The device is full, so just enough removals go first.
        let next = Set((500..<1500).map { Tag("t\($0)") })
        #expect(try await world.client.replaceTags(with: next, of: android).isComplete)
        #expect(await world.simulator.tags(of: Sample.android) == Set(next.map(\.rawValue)))
        let count = world.host.journal.count
        await expectThrows(.error(.limitExceeded)) {
            try await world.client.replaceTags(with: tags.union(["more"]), of: android)
        }
        #expect(world.host.journal.count == count)
    }

    @Test("the eleventh device of an alias is refused by the vendor, and nothing changed")
    func aliasOverflow() async throws {
        let devices = (0..<11).map { VirtualDevice("d\($0)", .android) }
        let world = try World(devices: devices)
        for device in devices.prefix(10) { try await world.client.setAlias("team", of: DeviceID(device.id)) }
        await expectThrows(.error(.limitExceeded, code: 7015, effect: .notApplied)) {
            try await world.client.setAlias("team", of: "d10")
        }
    }

    @Test("wrong credentials say what to look at, and print no secret")
    func wrongSecret() async throws {
        let world = try World(secret: "ffffeeeeddddccccbbbbaaaa")
        for call in [
            { try await world.client.readTags(of: android) as Any },
            { try await world.client.send(Sample.message, to: .everyone) },
        ] as [() async throws -> Any] {
            do {
                _ = try await call()
                Issue.record("accepted")
            } catch let error as PushError {
                #expect(error.kind == .unauthorized)
                #expect(error.effect == .notApplied)
                #expect(error.message.contains("data center"))
                #expect(!"\(error)".contains("ffffeeee"))
            }
        }
    }

    @Test("a path of the wrong layout is a configuration error")
    func wrongLayout() async throws {
        let world = try World()
        var center = JPush.dataCenter(at: InProcessTransport.origin)
        center.services["push"] = InProcessTransport.origin + "/v4/push"
        let lost = PushClient(try Sample.jpush(center), transport: InProcessTransport(world.host))
        await expectThrows(.error(.misconfigured)) { try await lost.validate(Sample.message, to: .everyone) }
    }

    @Test("a foreign device is named invalid, and the rest reached by a second send")
    func foreignDevice() async throws {
        let world = try World()
        let error = await #expect(throws: PushError.self) {
            try await world.client.send(Sample.message, to: .devices([android, "1f0e35f7e0a1b2c3dff", ios]))
        }
        let report = try #require(error?.report)
        #expect(report.invalidTargets == [.device("1f0e35f7e0a1b2c3dff")])
        let rest = try #require(Audience(report.retryable()))
        #expect(try await world.client.send(Sample.message, to: rest).isComplete)
        #expect(await world.simulator.inbox(of: Sample.android).count == 1)
    }

    @Test("where the vendor skips unknown devices, they are invalid and the rest is accepted")
    func skippedDevice() async throws {
        let world = try World { settings, _, _ in settings.skipsUnknownDevices = true }
        let report = try await world.client.send(
            Sample.message, to: .devices([android, "1f0e35f7e0a1b2c3dff", ios]))
        #expect(report.acceptedCount == 2)
        #expect(report.exceptions.map(\.status) == [.invalid()])
        #expect(report.exceptions.map(\.position) == [1])
        #expect(report.retryable().isEmpty)
        #expect(!report.isComplete)
        #expect(await world.simulator.inbox(of: Sample.ios).count == 1)
    }

    @Test("HarmonyOS devices receive title, text and custom message, and are counted")
    func harmony() async throws {
        let world = try World(devices: [VirtualDevice("h", .harmony)])
        let report = try await world.client.send(
            Message(notification: Notification(title: "T", body: "B"), custom: CustomMessage(content: "c")),
            to: .devices(["h"]))
        let received = await world.simulator.inbox(of: "h")
        #expect(received.map(\.title) == ["T"])
        #expect(received.map(\.custom) == [CustomMessage(content: "c")])
        let row = try #require(try await world.client.readDeliveries(of: report.messageIDs).first)
        #expect(row.channels["harmony"] == DeliveryCount(sent: 1, received: 1))
        #expect(row.channels["harmonyApp"] == DeliveryCount(sent: 1, received: 1))
    }

    @Test("a validation of more targets than one request takes is refused")
    func longValidation() async throws {
        let world = try World()
        await expectThrows(.error(.limitExceeded)) {
            try await world.client.validate(Sample.message, to: .devices((0...1000).map { DeviceID("d\($0)") }))
        }
        #expect(world.host.journal.count == 0)
    }

    @Test("aliases are sliced by a thousand as well")
    func manyAliases() async throws {
        let world = try World()
        try await world.client.setAlias("a1500", of: android)
        let report = try await world.client.send(Sample.message, to: .aliases((0..<1600).map { Alias("a\($0)") }))
        // No device has one of the first thousand aliases, so that slice has no target.
        #expect(report.slices.map { $0.error?.kind } == [.noTarget, nil])
        #expect(report.slices.first?.messageID != nil)
        #expect(report.acceptedCount == 600)
    }

    @Test("a 429 is waited out as long as the vendor says, where the send may take so long", arguments: [1, 41, 60])
    func throttle(reset: Int) async throws {
        let world = try World()
        _ = try await world.client.send(Sample.message, to: .devices([android]))
        world.host.faults.add(.throttle(reset: reset), path: "/v3/push")
        let before = world.clock.elapsed
        var options = SendOptions()
        options.deadline = .seconds(120)
        let report = try await world.client.send(Sample.message, to: .devices([android]), options: options)
        #expect(report.isComplete)
        #expect(world.clock.elapsed - before == .seconds(reset))
    }

    @Test("a real quota of the simulator is respected without meeting a 429")
    func realQuota() async throws {
        let world = try World { settings, configuration, _ in
            (settings.deviceQuota, configuration.deadline) = (10, .seconds(600))
        }
        for _ in 0..<25 { _ = try await world.client.readTags(of: android) }
        #expect(world.host.journal.entries.allSatisfy { $0.status == 200 })
        #expect(world.host.journal.count == 25)
        #expect(world.clock.elapsed >= .seconds(100))
    }

    @Test(
        "faults before the vendor acted are repeated; every push happens once",
        arguments: [
            Fault.throttle(reset: nil), .serverError(status: 500), .serverError(status: 503), .html(status: 502),
            .silence,
        ])
    func faultsBefore(fault: Fault) async throws {
        let world = try World()
        _ = try await world.client.send(Sample.message, to: .devices([android]))
        world.host.faults.add(fault, path: "/v3/push")
        #expect(try await world.client.send(Sample.message, to: .devices([android])).isComplete)
        #expect(await world.simulator.pushCount == 2)
        #expect(world.host.journal.entries(path: "/v3/push").count == 3)
    }

    @Test(
        "faults after the vendor acted are resolved by the key, without a duplicate",
        arguments: [
            Fault.truncated, .oversize(bytes: 2 << 20), .hangUp(afterBytes: 3), .hangUp(afterBytes: 0), .actedThenLost,
            .actedThenLate(.seconds(11)), .drip(.seconds(20)),
        ])
    func faultsAfter(fault: Fault) async throws {
        let world = try World()
        world.host.faults.add(fault, path: "/v3/push")
        let report = try await world.client.send(Sample.message, to: .devices([android]))
        #expect(report.isComplete)
        #expect(await world.simulator.pushCount == 1)
        #expect(await world.simulator.inbox(of: Sample.android).count == 1)
        let bodies = world.host.journal.entries(path: "/v3/push").map(\.request.body)
        #expect(bodies.count == 2)
        #expect(Set(bodies).count == 1)
    }

    @Test("without a key a lost answer is not repeated: the report says unknown")
    func lostWithoutKey() async throws {
        let world = try World()
        world.host.faults.add(.serverError(status: 500), times: 3, path: "/v3/push/cid")
        world.host.faults.add(.actedThenLost, path: "/v3/push")
        let error = await expectThrows(.error(effect: .unknown)) {
            try await world.client.send(Sample.message, to: .devices([android]))
        }
        #expect(error?.report?.exceptions.map(\.status) == [.unknown])
        #expect(world.host.journal.entries(path: "/v3/push").count == 1)
    }

    @Test("missing rate headers are no trouble")
    func noHeaders() async throws {
        let world = try World { settings, _, _ in settings.sendsRateHeaders = false }
        #expect(try await world.client.send(Sample.message, to: .everyone).isComplete)
    }

    @Test("the broadcasts of a day end in a refusal that says so")
    func broadcasts() async throws {
        let world = try World()
        for _ in 0..<10 { _ = try await world.client.send(Sample.message, to: .everyone) }
        await expectThrows(.error(.quotaExhausted, code: 2008)) {
            try await world.client.send(Sample.message, to: .everyone)
        }
    }

    @Test("a tag or an alias of dots alone is refused where it would be a step of the path", arguments: ["..", "."])
    func dots(name: String) async throws {
        let world = try World()
        let errors = [
            await #expect(throws: PushError.self) { try await world.client.hasTag(Tag(name), device: android) },
            await #expect(throws: PushError.self) { try await world.client.deleteAlias(Alias(name)) },
        ]
        #expect(errors.allSatisfy { $0?.kind == .invalidArgument && $0?.effect == .notApplied })
        #expect(world.host.journal.count == 0)
    }

    @Test("the probe succeeds exactly for the right credentials")
    func probe() async throws {
        let right = try World()
        try await right.client.run(right.jpush.probe())
        let wrong = try World(secret: "ffffeeeeddddccccbbbbaaaa")
        await #expect(throws: PushError.self) { try await wrong.client.run(wrong.jpush.probe()) }
    }

    @Test("explain shows the requests that a send then makes")
    func explain() async throws {
        let world = try World()
        let ids = (0..<1500).map { DeviceID("d\($0)") }
        let explanation = world.client.explain(Sample.message, to: .devices(ids))
        #expect(explanation.steps.map(\.targetCount) == [0, 1000, 500])
        #expect(explanation.cost == ["push": 3])
        #expect(world.host.journal.count == 0)
    }
}
