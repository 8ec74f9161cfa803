import PushAdapter
import PushClient
import PushMemory
import PushSimulation
import Testing

@Suite("Changes of the devices of a tag")
struct MemberTests {
    private static func devices(_ count: Int) -> [DeviceID] { (0..<count).map { DeviceID("device-\(1000 + $0)") } }

    private static func client(
        _ devices: [DeviceID], _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> (client: PushClient, vendor: MemoryVendor, host: SimulatorHost) {
        let vendor = MemoryVendor(key: Secret("k"), devices: devices.map { VirtualDevice($0.rawValue, .android) })
        let clock = VirtualClock()
        let host = SimulatorHost(vendor, clock: clock)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configure(&configuration)
        let client = PushClient(
            MemoryProvider(key: Secret("k")), transport: InProcessTransport(host), configuration: configuration)
        return (client, vendor, host)
    }

    @Test("a long list is cut by the vendor's limit, and every device has an outcome")
    func slices() async throws {
        let devices = Self.devices(120)
        let world = Self.client(devices)
        let parts = Locked(0)
        let list = devices + [devices[0], "unknown", "a b"]
        let report = try await world.client.updateMembers(
            of: "vip", .add(list), onSlice: { _ in parts.withLock { $0 += 1 } })
        #expect(report.slices.count == 3 && parts.withLock { $0 } == 3 && world.host.journal.count == 3)
        #expect(report.targetCount == 123 && report.acceptedCount == 120)
        #expect(report.exceptions.prefix(2).map(\.status) == [.duplicate(of: 0), .invalid()])
        #expect(report.exceptions[2].status.isMalformed && report.invalidTargets == [.device("unknown")])
        #expect(report.exceptions.map(\.isSaidByVendor) == [false, true, false])
        for device in devices { #expect(await world.vendor.snapshot(of: device.rawValue)?.tags == ["vip"]) }
        #expect(try await world.client.updateMembers(of: "vip", .remove(devices)).isComplete)
        #expect(await world.vendor.snapshot(of: devices[119].rawValue)?.tags == [])
    }

    @Test("an interrupted change says which devices were not reached")
    func interrupted() async throws {
        let devices = Self.devices(150)
        let world = Self.client(devices) { $0.concurrentSlices = 1 }
        let report = try await world.client.updateMembers(
            of: "vip", .add(devices), deadline: .seconds(10),
            onSlice: { _ in world.host.faults.add(.throttle(reset: 3000), times: 9) })
        #expect(report.acceptedCount == 50 && report.exceptions.count == 100 && report.interruption == nil)
        #expect(report.exceptions.map(\.position) == Array(50..<150))
        #expect(report.exceptions.allSatisfy { $0.status.isRetryable })
        let late = await #expect(throws: PushError.self) {
            try await world.client.updateMembers(of: "vip", .add(devices), deadline: .zero)
        }
        #expect(late?.kind == .timeout && late?.operation == .addMembers)
    }

    /// A ledger that fails at the writes chosen by a test.
    private actor FailingLedger: DeviceLedger {
        private let base = MemoryLedger()
        private var writes = 0
        private let failing: ClosedRange<Int>
        init(failing: ClosedRange<Int>) { self.failing = failing }

        func record(of device: DeviceID) async -> DeviceRecord { await base.record(of: device) }
        func keep(_ record: DeviceRecord, of device: DeviceID) async throws {
            writes += 1
            guard !failing.contains(writes) else { throw PushError(.invalidState, "the disk is full") }
            await base.keep(record, of: device)
        }
    }

    @Test(
        "a ledger that fails after the vendor has acted: no device counts as unsent, and the ledger never claims too much"
    )
    func brokenLedger() async throws {
        let devices = Self.devices(10)
        let adding = FailingLedger(failing: 4...4)
        let world = Self.client(devices) { $0.ledger = adding }
        let report = try await world.client.updateMembers(of: "vip", .add(devices + ["unknown"]))
        #expect(report.slices.first?.error?.effect == .applied && report.slices.first?.error?.kind == .invalidState)
        #expect(report.exceptions.map(\.status) == [.invalid()] && report.retryable().isEmpty && !report.isComplete)
        #expect(await adding.record(of: devices[2]).tags == ["vip"])
        #expect(await adding.record(of: devices[3]).tags == [])
        // The tag is noted ten times, then the fifth removal fails: nothing was sent, and the ledger restores the
        // removed notes.
        let removing = FailingLedger(failing: 15...15)
        let other = Self.client(devices) { $0.ledger = removing }
        _ = try await other.client.updateMembers(of: "vip", .add(devices))
        let count = other.host.journal.count
        let error = await #expect(throws: PushError.self) {
            try await other.client.updateMembers(of: "vip", .remove(devices))
        }
        #expect(error?.effect == .notApplied && other.host.journal.count == count)
        for device in devices { #expect(await removing.record(of: device).tags == ["vip"]) }
    }

    @Test("a change of many devices waits for a change of one of them that is under way")
    func serialized() async throws {
        let devices = Self.devices(20)
        let ledger = MemoryLedger()
        let world = Self.client(devices) { $0.ledger = ledger }
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<10 {
                group.addTask { _ = try? await world.client.updateMembers(of: "vip", .add(devices.reversed())) }
                group.addTask { _ = try? await world.client.updateMembers(of: "vip", .remove(devices)) }
                group.addTask {
                    _ = try? await world.client.updateTags(.replace([Tag("t\(round)")]), of: devices[round])
                }
            }
        }
        for device in devices {
            let tags = await world.vendor.snapshot(of: device.rawValue)?.tags ?? []
            #expect(await ledger.record(of: device).tags == Set(tags.map { Tag($0) }), "\(device)")
        }
    }
}
