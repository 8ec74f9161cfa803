import EngageLabConformance
import JPushConformance
import PushAdapter
import PushClient
import PushConformance
import PushCurl
import PushDevice
import PushPhone
import PushSimulation
import PushSimulationServer
import PushStyles
import TPNSConformance
import TestSupport
import Testing

/// Code in the styles of the device SDKs, over TLS and sockets, for every vendor.
@Suite("The calling styles over loopback")
struct StyleTests {
    struct Vendor: Sendable, CustomTestStringConvertible {
        var harness: any ConformanceHarness
        var hasAliases: Bool
        var hasAccounts: Bool
        var testDescription: String { "\(type(of: harness))" }
    }

    static let vendors = [
        Vendor(harness: JPushHarness(), hasAliases: true, hasAccounts: false),
        Vendor(harness: EngageLabHarness(), hasAliases: true, hasAccounts: false),
        Vendor(harness: TPNSHarness(), hasAliases: false, hasAccounts: true),
    ]

    struct Stage: Sendable {
        let session: DeviceSession
        let phone: VirtualPhone
        let snapshot: @Sendable () async throws -> DeviceSnapshot
    }

    private func withStage(
        _ vendor: Vendor, _ rules: SessionRules, _ body: @Sendable (Stage) async throws -> Void
    ) async throws {
        let device = vendor.harness.device(0)
        let simulator = vendor.harness.makeSimulator(devices: [device])
        let clock = VirtualClock()
        try await SimulationServer.withServer(SimulatorHost(simulator, clock: clock)) { server in
            var curl = CurlConfiguration()
            curl.caFile = server.caFile
            var configuration = ClientConfiguration()
            configuration.clock = clock
            configuration.ledger = MemoryLedger()
            let client = PushClient(
                try vendor.harness.makeProvider(at: server.origin), transport: try CurlTransport(curl),
                configuration: configuration)
            let phone = VirtualPhone(device)
            let stage = Stage(session: DeviceSession(client, rules: rules, host: phone), phone: phone) {
                if let longest = client.capabilities.writeDelay.values.max() { try await clock.sleep(for: longest) }
                await simulator.settle(at: clock.date)
                return try #require(await simulator.snapshot(of: device.id))
            }
            let result: Result<Void, any Error>
            do { result = .success(try await body(stage)) } catch { result = .failure(error) }
            await client.shutdown()
            try result.get()
        }
    }

    @Test("calls with a completion and a number", arguments: vendors)
    func sequenced(vendor: Vendor) async throws {
        try await withStage(vendor, .jpush) { stage in
            let service = SequencedPushService(stage.session, queue: SequencedPushService.privateQueue())
            func code(_ call: (@escaping JPUSHTagsOperationCompletion) -> Void) async -> [Int] {
                await withCheckedContinuation { continuation in
                    call { code, _, seq in continuation.resume(returning: [code, seq]) }
                }
            }
            #expect(await code { service.addTags(["a"], completion: $0, seq: 1) } == [6016, 1])
            try await stage.session.start()
            #expect(await code { service.addTags(["a", "b"], completion: $0, seq: 2) } == [0, 2])
            #expect(await code { service.deleteTags(["b"], completion: $0, seq: .max) } == [0, .max])
            #expect(await code { service.addTags(["not valid"], completion: $0, seq: 4) } == [6005, 4])
            #expect(try await stage.snapshot().tags == ["a"])
            #expect(await code { service.setTags(["c"], completion: $0, seq: 5) } == [0, 5])
            #expect(try await stage.snapshot().tags == ["c"])
            let listed: Set<String>? = await withCheckedContinuation { continuation in
                service.getAllTags({ _, tags, _ in continuation.resume(returning: tags) }, seq: 6)
            }
            #expect(listed == ["c"])
            #expect(await code { service.cleanTags($0, seq: -1) } == [0, -1])
            #expect(try await stage.snapshot().tags.isEmpty)
            let alias: Int = await withCheckedContinuation { continuation in
                service.setAlias("u1", completion: { code, _, _ in continuation.resume(returning: code) }, seq: 7)
            }
            #expect(alias == (vendor.hasAliases ? 0 : ResultCodes.unsupported))
            let kept = try await stage.snapshot().alias
            #expect(kept == (vendor.hasAliases ? "u1" : nil))
            let both: Int = await withCheckedContinuation { continuation in
                service.setTags(["d"], alias: "") { code, _, _ in continuation.resume(returning: code) }
            }
            // Without aliases, neither half is applied.
            #expect(both == (vendor.hasAliases ? 0 : ResultCodes.unsupported))
            let snapshot = try await stage.snapshot()
            #expect(snapshot.tags == (vendor.hasAliases ? ["d"] : []) && snapshot.alias == nil)
        }
    }

    /// The events, by name.
    private final class Diary: XGPushDelegate, XGPushTokenManagerDelegate {
        private let lines = Locked<[String]>([])

        func wait(for count: Int) async -> [String] {
            await until { lines.withLock { $0.count } >= count }
            return lines.withLock { $0 }
        }

        private func note(_ text: String, _ error: (any Error)?) {
            lines.withLock { $0.append(text + ((error as? ResultError).map { " \($0.error.kind)" } ?? "")) }
        }

        func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
            note("registered", error)
        }
        func xgPushNetworkConnected() { note("connected", nil) }
        func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?) { note("stopped", error) }
        func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) { note("append", error) }
        func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?) { note("replace", error) }
        func xgPushDidClearTagsError(_ error: (any Error)?) { note("clear", error) }
        func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: (any Error)?) {
            note("accounts", error)
        }
        func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: (any Error)?) { note("unbind", error) }
        func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?) {
            note("attributes", error)
        }
    }

    @Test("calls with a delegate", arguments: vendors)
    func xg(vendor: Vendor) async throws {
        try await withStage(vendor, .tpns) { stage in
            let manager = XGTokenManager(stage.session, queue: SequencedPushService.privateQueue())
            let diary = Diary()
            manager.delegate = diary
            manager.startXG(withAccessID: 1_600_999_001, accessKey: "key", delegate: diary)
            #expect(await diary.wait(for: 2) == ["registered", "connected"])
            manager.appendTags(["a", "b"])
            manager.clearAndAppendTags(["c"])
            manager.appendTags(["d"])
            manager.appendTags(["e f"])
            _ = await diary.wait(for: 6)
            #expect(try await stage.snapshot().tags == ["c", "d"])
            manager.clearTags()
            _ = await diary.wait(for: 7)
            #expect(try await stage.snapshot().tags.isEmpty)
            manager.upsertAccounts(byDict: [1: "ann"])
            _ = await diary.wait(for: 8)
            let accounts = try await stage.snapshot().accounts
            #expect(accounts == (vendor.hasAccounts ? [Account(name: "ann", type: 1)] : []))
            manager.delAccounts(byKeys: [1])
            _ = await diary.wait(for: 9)
            #expect(try await stage.snapshot().accounts.isEmpty)
            manager.upsertAttributes(["nickname": "Ann"])
            _ = await diary.wait(for: 10)
            let attributes = try await stage.snapshot().attributes
            #expect(attributes == (vendor.hasAccounts ? ["nickname": "Ann"] : [:]))
            manager.stopXGNotification()
            manager.appendTags(["late"])
            let lines = await diary.wait(for: 12)
            let refused = vendor.hasAccounts ? "" : " unsupported"
            #expect(
                lines.sorted()
                    == [
                        "registered", "connected", "append", "replace", "append", "append invalidArgument", "clear",
                        "accounts\(refused)", "unbind\(refused)", "attributes\(refused)", "stopped", "append stopped",
                    ].sorted())
            #expect(stage.phone.stops == 1)
        }
    }
}
