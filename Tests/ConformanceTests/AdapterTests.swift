import EngageLabConformance
import HonorConformance
import JPushConformance
import OPPOConformance
import PushAdapter
import PushConformance
import PushLoopback
import PushSimulationServer
import TPNSConformance
import Testing
import VendorRegistry
import VivoConformance
import WebPushConformance

/// An adapter that must pass every check: each registered one, and special cases.
struct RegisteredAdapter: Sendable {
    let name: String
    let harness: any ConformanceHarness

    static let all = registered + special

    private static let registered = KnownVendors.all.map {
        RegisteredAdapter(name: $0.provider.id.rawValue, harness: $0)
    }

    private static let special = [
        RegisteredAdapter(name: "memory", harness: MemoryHarness()),
        RegisteredAdapter(name: "memory with keys of the caller's", harness: MemoryHarness(makesKeys: false)),
        RegisteredAdapter(
            name: "memory with keys that phones recognize", harness: MemoryHarness(makesKeys: false, keyGrade: .device)),
        RegisteredAdapter(name: "no extras", harness: Twin(capabilities: { $0.fields.remove(.extras) })),
        RegisteredAdapter(name: "one target and one tag a request", harness: Twin.narrow),
        RegisteredAdapter(name: "a bare one", harness: Twin.bare(reason: "the vendor has no such call")),
        RegisteredAdapter(name: "jpush in Beijing", harness: JPushHarness(dataCenter: "beijing")),
        RegisteredAdapter(name: "engagelab that answers otherwise", harness: EngageLabHarness(answersOtherwise: true)),
        RegisteredAdapter(name: "honor that answers otherwise", harness: HonorHarness(answersOtherwise: true)),
        RegisteredAdapter(name: "oppo that answers otherwise", harness: OPPOHarness(answersOtherwise: true)),
        RegisteredAdapter(name: "tpns for Android", harness: TPNSHarness(platform: .android)),
        RegisteredAdapter(
            name: "tpns where binding overwrites", harness: TPNSHarness(platform: .ios, isOverwriting: true)),
        RegisteredAdapter(name: "vivo that answers otherwise", harness: VivoHarness(answersOtherwise: true)),
        RegisteredAdapter(name: "oppo abroad", harness: OPPOHarness(isAbroad: true)),
        RegisteredAdapter(name: "webpush at Google", harness: WebPushHarness(.google)),
        RegisteredAdapter(name: "webpush at Apple", harness: WebPushHarness(.apple)),
        RegisteredAdapter(name: "webpush at Microsoft", harness: WebPushHarness(.microsoft)),
        RegisteredAdapter(name: "webpush at ntfy", harness: WebPushHarness(.ntfy)),
    ]
}

@Suite("Conformance")
struct AdapterTests {
    /// A case for each check, not for each pair: of ten thousand cases, the test library spends more time on each.
    @Test("every adapter passes every check, in process", arguments: ConformanceCheck.allWithSessions)
    func inProcess(check: ConformanceCheck) async {
        for adapter in RegisteredAdapter.all {
            await #expect(throws: Never.self, "\(adapter.name)") {
                try await check.run(on: adapter.harness, observedBy: Observation.make)
            }
        }
    }

    /// All adapters at once, because the waits for silent servers are real.
    @Test(
        "every adapter passes every check, over TLS and sockets", .serialized,
        arguments: ConformanceCheck.allWithSessions)
    func loopback(check: ConformanceCheck) async throws {
        let link = ConformanceLink(.loopback, SimulationServer.withTransport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for harness in KnownVendors.all {
                group.addTask { try await check.run(on: harness, through: link, observedBy: Observation.make) }
            }
            try await group.waitForAll()
        }
    }
}
