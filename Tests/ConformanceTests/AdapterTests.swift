import JPushConformance
import PushConformance
import PushSimulationServer
import Testing

/// An adapter that has to pass; one more is one more line.
struct RegisteredAdapter: Sendable, CustomTestStringConvertible {
    let name: String
    let harness: any ConformanceHarness
    var testDescription: String { name }

    static let all = [
        RegisteredAdapter(name: "memory", harness: MemoryHarness()),
        RegisteredAdapter(name: "jpush", harness: JPushHarness()),
        RegisteredAdapter(name: "jpush in Beijing", harness: JPushHarness(dataCenter: "beijing")),
    ]
}

@Suite("Conformance")
struct AdapterTests {
    @Test("every adapter passes every check, in process", arguments: RegisteredAdapter.all, ConformanceCheck.all)
    func inProcess(adapter: RegisteredAdapter, check: ConformanceCheck) async throws {
        try await check.run(on: adapter.harness, observedBy: Observation.make)
    }
}
