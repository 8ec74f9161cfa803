import EngageLabConformance
import JPushConformance
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushSimulation
import PushStyles
import TPNSConformance
import Testing

/// Calls that an SDK makes in one request, and settings made by a single call.
@Suite("One request for one call")
struct OneRequestTests {
    private static let mtpush = SessionRules.mtpush(SDKVersion(5, 2, 0))

    private func requests(_ stage: Stage, _ call: SessionCall) async throws -> Int {
        let before = stage.host.journal.count
        guard case .halves(let halves) = try await stage.session.run(call) else { return -1 }
        #expect(halves.failure == nil)
        return stage.host.journal.count - before
    }

    @Test("J-19: tags and alias of a JPush call are one request, after one that reads the tags it replaces")
    func together() async throws {
        let stage = try Stage(JPushHarness(), .jpush)
        #expect(try await requests(stage, .overlay(tags: ["a", "b"], alias: "ann")) == 2)
        #expect(try await requests(stage, .overlay(tags: ["b", "c"], alias: "bob")) == 2)
        var snapshot = try await stage.snapshot()
        #expect(snapshot.tags == ["b", "c"] && snapshot.alias == "bob")
        // The tags are already there, so only the alias is written.
        #expect(try await requests(stage, .overlay(tags: ["b", "c"], alias: "ann")) == 2)
        #expect(try await requests(stage, .overlay(tags: [], alias: "")) == 1)
        snapshot = try await stage.snapshot()
        #expect(snapshot.tags.isEmpty && snapshot.alias == nil)
        let before = stage.host.journal.count
        for call: SessionCall in [.setTags(["x", "y"]), .setTags(["y", "z"])] { _ = try await stage.session.run(call) }
        #expect(stage.host.journal.count == before + 4)
        #expect(try await stage.snapshot().tags == ["y", "z"])
    }

    @Test(
        "J-25: one request that fails sets neither, and a half that the client refuses is named before anything is sent"
    )
    func bothOrNeither() async throws {
        let stage = try Stage(JPushHarness(), .jpush)
        stage.host.faults.add(.serverError(status: 500), times: 99)
        let call = SessionCall.overlay(tags: [], alias: "ann")
        guard case .halves(let halves) = try await stage.session.run(call) else {
            Issue.record("both halves are reported")
            return
        }
        guard case .failed = halves.tags, case .failed = halves.alias else {
            Issue.record("both failed: \(halves)")
            return
        }
        #expect(halves.failure?.subject == .tagsAndAlias && halves.failure?.error.kind == .server)
        let code = await answer { tell in
            stage.service.setTags([], alias: "ann", fetchCompletionHandle: { code, _, _ in tell(code) })
        }
        #expect(code == 6024)
        #expect(try await stage.snapshot().alias == nil)
    }

    @Test("accounts of XG that are JPush's alias and phone number are one request")
    func accountsTogether() async throws {
        let stage = try Stage(JPushHarness(), .tpns, consent: SessionConsent(aliasAccountType: 1))
        let before = stage.host.journal.count
        _ = try await stage.session.run(.upsertAccounts([1: "ann", 1002: "+8613711112222"]))
        #expect(stage.host.journal.count == before + 1)
        let id = DeviceID(stage.device.id)
        #expect(try await stage.client.readAlias(of: id) == "ann")
        #expect(try await stage.client.readPhone(of: id) == "+8613711112222")
        _ = try await stage.session.run(.clearAccounts)
        #expect(try await stage.client.readAlias(of: id) == nil)
        #expect(try await stage.client.readPhone(of: id) == nil)
    }

    @Test("EngageLab takes both in one request too, but removes an alias by its name")
    func engageLab() async throws {
        let consent = SessionConsent(calls: [.overlay])
        let stage = try Stage(EngageLabHarness(), Self.mtpush, consent: consent)
        #expect(try await requests(stage, .overlay(tags: ["a"], alias: "ann")) == 2)
        #expect(try await requests(stage, .overlay(tags: [], alias: "bob")) == 1)
        let snapshot = try await stage.snapshot()
        #expect(snapshot.tags.isEmpty && snapshot.alias == "bob")
        #expect(try await requests(stage, .overlay(tags: [], alias: "")) == 4)
        #expect(try await stage.snapshot().alias == nil)
    }

    // MARK: Standing in

    @Test("one call prepares TPNS for JPush's rules: alias, reading, and phone numbers")
    func standingIn() async throws {
        let harness = TPNSHarness()
        let device = harness.device(0)
        let clock = VirtualClock()
        let simulator = harness.makeSimulator(devices: [device])
        let tpns = try #require(try harness.makeProvider(at: InProcessTransport.origin) as? any AccountStandIns)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        let client = PushClient(
            standingIn: tpns, ledger: MemoryLedger(),
            transport: InProcessTransport(SimulatorHost(simulator, clock: clock)),
            configuration: configuration)
        let session = DeviceSession(client, device: DeviceID(device.id), rules: .jpush)
        for call: SessionCall in [.setTags(["a"]), .setAlias("ann"), .setPhone("+86-137-1111-2222")] {
            _ = try await session.run(call)
        }
        #expect(try await session.tags() == ["a"])
        #expect(try await session.hasTag("a"))
        #expect(try await session.alias() == "ann")
        try await clock.sleep(for: .seconds(5))
        await simulator.settle(at: clock.date)
        let accounts = await simulator.snapshot(of: device.id)?.accounts
        #expect(accounts == [Account(name: "ann", type: 1), Account(name: "+8613711112222", type: 1002)])
        let report = try await client.send(Message(notification: Notification(body: "Hello")), to: .aliases(["ann"]))
        #expect(report.acceptedCount == 1)
        _ = try await session.run(.deleteAlias)
        #expect(try await session.alias() == nil)
    }
}
